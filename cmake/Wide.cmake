# The inner loop of judging JSON a second time, with vector instructions that
# not every x86-64 has.  Which of the two runs is decided at run time, by what
# the C library knows of the processor.
include(CheckCSourceCompiles)
check_c_source_compiles("
  #include <sys/platform/x86.h>
  int main(void) { return CPU_FEATURE_ACTIVE(AVX2) ? 0 : 1; }"
  READCACHE_CAN_WIDE)
if(READCACHE_CAN_WIDE)
  set(wide ${PROJECT_SOURCE_DIR}/src/json/json_blocks_wide.c)
  if(NOT EXISTS ${wide}) # or it would be the narrow one twice, unseen
    message(FATAL_ERROR "${wide} is missing")
  endif()
  set_source_files_properties(${wide} PROPERTIES COMPILE_OPTIONS -mavx2)
  target_compile_definitions(rc_json PRIVATE READCACHE_WIDE)
endif()
