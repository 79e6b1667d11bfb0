#define JSON_BLOCKS json_blocks_narrow
#include "wire/json_blocks.h"
