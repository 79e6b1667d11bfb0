# The executable without a loader: static, still position independent.
#
# Finding, mapping and relocating shared libraries is a quarter of what an
# empty process costs (bench/run).  Where the C library's archive is missing it
# is linked as usual.
if(READCACHE_STATIC AND NOT READCACHE_SANITIZE AND NOT APPLE)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -fPIE)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
  check_c_source_compiles("int main(void) { return 0; }" READCACHE_CAN_STATIC)
  if(READCACHE_CAN_STATIC)
    target_link_options(readcache PRIVATE -static-pie)
  endif()
endif()

# Sanitized, the C library must be the shared one.  Loading and relocating the
# rest is two fifths of a start, and the tests start it thousands of times.
if(READCACHE_SANITIZE AND NOT APPLE)
  include(CheckCSourceCompiles)
  set(sanitizers_within -static-libasan -static-libubsan -no-pie)
  set(CMAKE_REQUIRED_FLAGS -fsanitize=address,undefined)
  set(CMAKE_REQUIRED_LINK_OPTIONS ${sanitizers_within})
  check_c_source_compiles("int main(void) { return 0; }"
    READCACHE_CAN_SANITIZE_WITHIN)
  if(READCACHE_CAN_SANITIZE_WITHIN)
    target_link_options(readcache PRIVATE ${sanitizers_within})
  endif()
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
endif()
