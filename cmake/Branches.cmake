# Marks for the processor's control-flow enforcement (IBT, shadow stacks).
#
# An executable has them only if every part of it has, the C library's archive
# and start files included.  Debian's have not: there the compiler's option
# would add instructions that nothing ever looks at.  So it is tried.
if(NOT APPLE AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND CMAKE_READELF)
  set(branches_link "")
  if(READCACHE_STATIC AND NOT READCACHE_SANITIZE)
    set(branches_link -static-pie)
  endif()
  file(WRITE ${CMAKE_BINARY_DIR}/check_branches/main.c
    "int main(void) { return 0; }\n")
  try_compile(branches_built ${CMAKE_BINARY_DIR}/check_branches
    SOURCES ${CMAKE_BINARY_DIR}/check_branches/main.c
    COMPILE_DEFINITIONS -fPIE -fcf-protection=full
    LINK_OPTIONS ${branches_link}
    COPY_FILE ${CMAKE_BINARY_DIR}/check_branches/main)
  if(branches_built)
    execute_process(COMMAND ${CMAKE_READELF} -n
        ${CMAKE_BINARY_DIR}/check_branches/main
      OUTPUT_VARIABLE branches_notes ERROR_QUIET)
  endif()
  if(branches_built AND branches_notes MATCHES "IBT")
    add_compile_options(-fcf-protection=full)
  endif()
endif()
