#define JSON_BLOCKS json_blocks_narrow
#include "json/json_blocks.h"
