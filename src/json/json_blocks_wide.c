/*
 * The build compiles this file with wider instructions, where the target has
 * them.
 */
#define JSON_BLOCKS json_blocks_wide
#include "json/json_blocks.h"
