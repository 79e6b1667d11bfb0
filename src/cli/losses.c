#include "cli/losses.h"

#include "base/lossy.h"
#include "json/emit.h"

/*
 * The next message from *NODE on that shows a loss, or NULL.  *NODE is set to
 * it.
 */
static const struct record_asking *
next_lost(const struct session_records *records, uint32_t *node)
{
	const struct index *index = records->index;

	for (; *node < index->n; (*node)++) {
		const struct record_asking *asking =
		    index->nodes[*node].kind == NODE_ASSISTANT
		    ? records->of[*node].asking
		    : NULL;

		if (asking != NULL && asking->lost)
			return asking;
	}
	return NULL;
}

void
losses_emit(struct cli *cli, struct buf *list,
    const struct session_records *records, const char *file)
{
	const struct record_asking *asking;

	for (uint32_t node = 0;
	     (asking = next_lost(records, &node)) != NULL; node++) {
		buf_str(list, list->n > 0 ? ",{" : "{");
		if (file != NULL)
			emit_string_member(list, "file",
			    lossy(cli->arena, span_str(file)));
		emit_string_member(list, "entryId",
		    records->index->nodes[node].id);
		emit_number_member(list, "tokensBefore",
		    records_tokens_before(records, node));
		emit_number_member(list, "tokens", asking->tokens);
		buf_char(list, '}');
	}
}

void
losses_tell(struct cli *cli, const struct session_records *records)
{
	const struct record_asking *asking;

	for (uint32_t node = 0;
	     (asking = next_lost(records, &node)) != NULL; node++) {
		buf_str(&cli->out, "  ");
		cli_text(cli, records->index->nodes[node].id);
		buf_str(&cli->out, "  a silent loss of context: ");
		buf_u64(&cli->out, asking->tokens);
		buf_str(&cli->out, " tokens after ");
		buf_u64(&cli->out, records_tokens_before(records, node));
		buf_char(&cli->out, '\n');
	}
}
