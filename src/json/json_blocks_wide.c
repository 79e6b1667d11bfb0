/* The build gives this file wider instructions, where there are some. */
#define JSON_BLOCKS json_blocks_wide
#include "json/json_blocks.h"
