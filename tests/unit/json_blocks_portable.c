/* The loop of json_blocks.h in plain C, for test_json_blocks. */
#define JSON_PORTABLE
#include "json/json_blocks.h"

json_blocks json_blocks_portable;

#define JSON_BLOCKS json_blocks_portable
#include "json/json_blocks.h"
