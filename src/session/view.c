#include "session/view.h"

bool
view_truncated(const struct view *view)
{
	return view->notice != VIEW_WHOLE && view->notice != VIEW_MORE;
}

struct scope
view_scope(const struct view *view)
{
	return scope_of_lines(view->first, view->last, view->total);
}
