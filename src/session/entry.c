#include "session/entry.h"

bool
entry_reaches_back(enum entry_kind kind)
{
	return kind == ENTRY_BOUNDARY || kind == ENTRY_CONTEXT_EDIT;
}
