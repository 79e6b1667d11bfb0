#include "serve/response.h"

#include "host/host.h"
#include "json/emit.h"

static void
begin(struct buf *buf, struct span id, const char *ok)
{
	buf_str(buf, "{\"v\":1");
	if (id.n > 0) {
		emit_name(buf, "id");
		buf_add(buf, id);
	}
	emit_name(buf, "ok");
	buf_str(buf, ok);
}

static void
end(struct buf *buf)
{
	buf_str(buf, "}\n");
}

void
response_read(struct buf *buf, struct span id,
    const struct response_read *read)
{
	begin(buf, id, "true");
	buf_str(buf, ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":");
	emit_string(buf, read->text);
	buf_str(buf, "}]");
	if (read->truncation != NULL || read->meta != NULL) {
		buf_str(buf, ",\"details\":{");
		if (read->truncation != NULL) {
			emit_name(buf, "truncation");
			host->truncation(buf, read->truncation);
		}
		if (read->meta != NULL) {
			emit_name(buf, "readcache");
			meta_emit(buf, read->meta);
		}
		buf_char(buf, '}');
	}
	buf_str(buf, "},\"decision\":{");
	emit_string_member(buf, "mode", span_str(mode_name(read->verdict.mode)));
	emit_string_member(buf, "reason", span_str(read->verdict.reason));
	if (read->has_scope) {
		emit_name(buf, "scope");
		buf_char(buf, '"');
		scope_write(buf, read->scope);
		buf_char(buf, '"');
	}
	emit_number_member(buf, "baselineBytes", read->baseline_bytes);
	emit_number_member(buf, "servedBytes", read->text.n);
	buf_char(buf, '}');
	end(buf);
}

void
response_delegate(struct buf *buf, struct span id,
    const struct response_delegate *delegate)
{
	begin(buf, id, "true");
	buf_str(buf, ",\"delegate\":{");
	emit_string_member(buf, "reason", span_str(delegate->reason));
	if (delegate->ranged) {
		buf_str(buf, ",\"params\":{");
		emit_string_member(buf, "path", delegate->path);
		emit_number_member(buf, "offset", delegate->offset);
		if (delegate->limit > 0)
			emit_number_member(buf, "limit", delegate->limit);
		buf_char(buf, '}');
	}
	buf_char(buf, '}');
	end(buf);
}

void
response_error(struct buf *buf, struct span id, const char *code,
    struct span message)
{
	begin(buf, id, "false");
	buf_str(buf, ",\"error\":{");
	emit_string_member(buf, "code", span_str(code));
	emit_string_member(buf, "message", message);
	buf_char(buf, '}');
	end(buf);
}

void
response_refresh(struct buf *buf, struct span id, struct span path,
    struct scope scope, uint64_t at_ms, struct span text)
{
	begin(buf, id, "true");
	emit_name(buf, "entry");
	invalidation_emit(buf, path, scope, at_ms);
	emit_string_member(buf, "text", text);
	end(buf);
}

void
response_expand(struct buf *buf, struct span id, struct span text)
{
	begin(buf, id, "true");
	emit_string_member(buf, "text", text);
	end(buf);
}

/* Negative if markers are longer than the text they stand for. */
static void
emit_net_member(struct buf *buf, const char *name, int64_t number)
{
	emit_name(buf, name);
	if (number < 0)
		buf_char(buf, '-');
	buf_u64(buf, (uint64_t)(number < 0 ? -number : number));
}

void
response_status(struct buf *buf, struct span id,
    const struct response_status *status, struct span text)
{
	int64_t saved = (int64_t)status->baseline_bytes -
	    (int64_t)status->served_bytes;

	begin(buf, id, "true");
	buf_str(buf, ",\"status\":{");
	emit_number_member(buf, "paths", status->paths);
	emit_number_member(buf, "scopes", status->scopes);
	buf_str(buf, ",\"modes\":{");
	for (int m = 0; m < MODE_PLAIN; m++)
		emit_number_member(buf, mode_name((enum mode)m),
		    status->modes[m]);
	buf_char(buf, '}');
	emit_number_member(buf, "baselineBytes", status->baseline_bytes);
	emit_number_member(buf, "servedBytes", status->served_bytes);
	emit_net_member(buf, "savedBytes", saved);
	emit_net_member(buf, "savedTokens", saved / RESPONSE_BYTES_PER_TOKEN);
	emit_string_member(buf, "estimator", SPAN(RESPONSE_ESTIMATOR));
	buf_str(buf, ",\"store\":{");
	emit_string_member(buf, "dir", status->store);
	emit_number_member(buf, "objects", status->objects);
	emit_number_member(buf, "bytes", status->object_bytes);
	buf_char(buf, '}');
	emit_string_member(buf, "session",
	    span_str(branch_state_name(status->branch)));
	buf_char(buf, '}');
	emit_string_member(buf, "text", text);
	end(buf);
}
