# The executable without a loader: static, still position independent.
#
# Finding, mapping and relocating shared libraries is a quarter of what an
# empty process costs (bench/run).  Where the C library's archive is missing,
# or with sanitizers, it is linked as usual.
if(READCACHE_STATIC AND NOT READCACHE_SANITIZE)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fPIE)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
  check_c_source_compiles("int main(void) { return 0; }" READCACHE_CAN_STATIC)
  if(READCACHE_CAN_STATIC)
    target_link_options(readcache PRIVATE -static-pie)
  endif()
endif()
