# What a system may lack (src/os), and for which system it is.
#
# src/os/posix has a file for each header of src/os, in plain POSIX.1-2008.  A
# file of the same name in the system's own folder takes its place, and on
# Linux with glibc one in src/os/glibc.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(readcache_system linux)
elseif(APPLE)
  set(readcache_system darwin)
else()
  set(readcache_system posix)
endif()
set(READCACHE_OS ${readcache_system} CACHE STRING
  "Folder of src/os to build for: linux, darwin or posix (plain POSIX)")
set_property(CACHE READCACHE_OS PROPERTY STRINGS linux darwin posix)

include(CheckSymbolExists)
check_symbol_exists(__GLIBC__ features.h READCACHE_HAS_GLIBC)

# Only these folders may use what GNU has (tests/lint/system).  Darwin's headers
# show nothing that is not POSIX without its own word, not even flock.
add_compile_definitions(_XOPEN_SOURCE=700)
if(APPLE)
  add_compile_definitions(_DARWIN_C_SOURCE)
endif()
file(GLOB linux_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/os/linux/*.c
  ${PROJECT_SOURCE_DIR}/src/os/glibc/*.c)
set_source_files_properties(${linux_sources} PROPERTIES
  COMPILE_DEFINITIONS _GNU_SOURCE)

# The sources of src/os for SYSTEM.
function(readcache_system_sources system result)
  set(top ${PROJECT_SOURCE_DIR}/src/os)
  file(GLOB sources CONFIGURE_DEPENDS ${top}/posix/*.c)
  set(own "")
  if(NOT system STREQUAL "posix")
    file(GLOB own CONFIGURE_DEPENDS ${top}/${system}/*.c)
  endif()
  if(system STREQUAL "linux" AND READCACHE_HAS_GLIBC)
    file(GLOB more CONFIGURE_DEPENDS ${top}/glibc/*.c)
    list(APPEND own ${more})
  endif()
  foreach(source IN LISTS own)
    get_filename_component(name ${source} NAME)
    list(REMOVE_ITEM sources ${top}/posix/${name})
  endforeach()
  list(APPEND sources ${own})
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# readcache_twin(TARGET): TARGET has src/os of plain POSIX, whatever is linked
# with it.  These objects come before any library, so no other is looked for.
function(readcache_twin target)
  if(NOT TARGET os_posix)
    readcache_system_sources(posix sources)
    add_library(os_posix OBJECT ${sources})
    target_include_directories(os_posix PRIVATE ${PROJECT_SOURCE_DIR}/src)
  endif()
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:os_posix>)
endfunction()
