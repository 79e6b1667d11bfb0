#include "serve/history.h"
#include "serve/response.h"
#include "serve/service.h"
#include "store/store.h"

/* The numbers are not ours: their sum must still be a number of JSON. */
static void
add_capped(uint64_t *sum, uint64_t number)
{
	*sum = number < NUMBER_MAX - *sum ? *sum + number : NUMBER_MAX;
}

static void
count_reads(const struct branch *branch, struct response_status *status)
{
	for (size_t i = 0; i < branch->n; i++) {
		const struct event *event = &branch->events[i];

		if (event->kind != EVENT_READ && event->kind != EVENT_SIGHTING)
			continue;
		status->modes[event->mode]++;
		if (event->has_text_bytes) {
			add_capped(&status->baseline_bytes, event->bytes);
			add_capped(&status->served_bytes, event->text_bytes);
		}
	}
}

static void
write_count(struct buf *out, uint64_t n, const char *one, const char *many)
{
	buf_u64(out, n);
	buf_char(out, ' ');
	buf_str(out, n == 1 ? one : many);
}

/* The same numbers for a person. */
static struct span
report(struct arena *arena, const struct response_status *status)
{
	struct buf out = buf_new(arena, 512);
	uint64_t base = status->baseline_bytes, served = status->served_bytes;
	uint64_t net = base > served ? base - served : served - base;
	const char *separator = "reads: ";

	buf_str(&out, "readcache: ");
	write_count(&out, status->paths, "file", "files");
	buf_str(&out, ", ");
	write_count(&out, status->scopes, "scope", "scopes");
	buf_str(&out, " known on this branch\n");
	for (int m = 0; m < MODE_PLAIN; m++) {
		buf_str(&out, separator);
		buf_str(&out, mode_name((enum mode)m));
		buf_char(&out, ' ');
		buf_u64(&out, status->modes[m]);
		separator = ", ";
	}
	buf_str(&out, base >= served ? "\nsaved: about " : "\nlost: about ");
	buf_u64(&out, net / RESPONSE_BYTES_PER_TOKEN);
	buf_str(&out, " tokens (" RESPONSE_ESTIMATOR "), net: ");
	buf_u64(&out, served);
	buf_str(&out, " bytes served instead of ");
	buf_u64(&out, base);
	buf_str(&out, "\nstore: ");
	write_count(&out, status->objects, "object", "objects");
	buf_str(&out, ", ");
	buf_u64(&out, status->object_bytes);
	buf_str(&out, " bytes in ");
	buf_add(&out, status->store);
	return buf_span(&out);
}

enum service_status
service_status(struct arena *arena, const struct request *request,
    struct buf *out)
{
	struct history history = history_load(arena, request, NULL);
	struct config_where where = config_where(request->cwd);
	struct config config = config_load(arena, &where);
	struct store store = service_store(arena, request, &config);
	struct store_stats stats = store_stat(&store);
	struct response_status status = {
	    .store = store.root,
	    .objects = stats.objects,
	    .object_bytes = stats.bytes,
	    .branch = history.branch.state,
	};

	trust_count(history.trust, &status.paths, &status.scopes);
	count_reads(&history.branch, &status);
	response_status(out, request->id, &status, report(arena, &status));
	return SERVICE_OK;
}
