#include "host/host.h"

#include "host/pi/append.h"
#include "host/pi/entry_events.h"
#include "host/pi/forks.h"
#include "host/pi/index_open.h"
#include "host/pi/recorded.h"
#include "host/pi/records_load.h"
#include "host/pi/replayed.h"
#include "host/pi/session_file.h"
#include "host/pi/trail.h"
#include "host/pi/truncation.h"

static const struct host pi = {
    .entry = entry_parse,
    .add = entry_add,
    .open = session_file_open,
    .dirs = forks_dirs,
    .branch = trail_events,
    .view = view_make,
    .excerpt = view_excerpt,
    .notice = recorded_notice,
    .truncation = truncation_emit,
    .recorded = recorded_view,
    .index = index_open,
    .no_session =
	"it is not a pi session: its first line is not a session header",
    .records = records_load,
    .text = records_text,
    .own = records_own,
    .events = replayed_events,
    .time = index_time,
    .append_bar = session_append_bar,
    .append = session_append,
};

const struct host *const host = &pi;
