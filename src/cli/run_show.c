#include "cli/run_show.h"

#include "json/emit.h"
#include "work/record/verdict.h"

void
run_show_verdict(struct buf *out, struct cli *cli, struct span name,
    const struct verdict *verdict)
{
	struct buf text = buf_new(cli->arena, 256);

	buf_add(&text, name);
	buf_str(&text, ": ");
	verdict_headline(&text, verdict);
	buf_str(&text, ": ");
	verdict_reasons_text(&text, verdict);
	buf_str(out, cli_visible(cli, arena_cstr(cli->arena, buf_span(&text))));
	buf_char(out, '\n');
}

void
run_show_json(struct buf *out, struct span name, const struct verdict *verdict)
{
	emit_string_member(out, "stage", name);
	verdict_members(out, verdict);
}

void
run_show_result(struct buf *out, const struct stage_result *result)
{
	char hex[DIGEST_HEX + 1];

	emit_number_member(out, "exit", (uint64_t)result->exit);
	(void)emit_bytes_member(out, "stdout", "stdoutBase64", result->out);
	(void)emit_bytes_member(out, "stderr", "stderrBase64", result->err);
	emit_name(out, "kept");
	buf_str(out, result->recorded ? "true" : "false");
	if (!result->recorded)
		return;
	digest_hex(&result->key, hex);
	emit_string_member(out, "key", span_str(hex));
}
