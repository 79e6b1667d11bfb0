# The libraries, each as a target readcache::<name>.
#
# libcrypto, utf8proc and xdiff are linked statically where their archives
# exist: the shared libcrypto alone costs more than the start of the program.

# The archive lib<name>.a if there is one, else the shared library.
function(readcache_library target name header package)
  find_path(${target}_include ${header})
  find_library(${target}_library NAMES lib${name}.a ${name})
  if(NOT ${target}_include OR NOT ${target}_library)
    message(FATAL_ERROR
      "${name} is missing. On Debian: apt-get install ${package}")
  endif()
  add_library(readcache::${target} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(readcache::${target} PROPERTIES
    IMPORTED_LOCATION ${${target}_library}
    INTERFACE_INCLUDE_DIRECTORIES ${${target}_include})
endfunction()

readcache_library(crypto crypto openssl/sha.h libssl-dev)
readcache_library(utf8proc utf8proc utf8proc.h libutf8proc-dev)
readcache_library(lmdb lmdb lmdb.h liblmdb-dev)
if(utf8proc_library MATCHES "\\.a$")
  set_property(TARGET readcache::utf8proc
    PROPERTY INTERFACE_COMPILE_DEFINITIONS UTF8PROC_STATIC)
endif()

# xdiff: a libxdiff of its own, or the one inside libgit2's static archive.
# Its header is not installed, so src/diff/xdiff_abi.h declares the types, and
# a diff is run here: a library with another ABI fails this check.
function(readcache_try_xdiff result library entry definitions)
  set(defines -DXDIFF_ENTRY=${entry} -I${PROJECT_SOURCE_DIR}/src)
  foreach(definition IN LISTS definitions)
    list(APPEND defines -D${definition})
  endforeach()
  try_run(ran compiled
    ${CMAKE_BINARY_DIR}/check_xdiff ${PROJECT_SOURCE_DIR}/cmake/check_xdiff.c
    COMPILE_DEFINITIONS ${defines}
    LINK_LIBRARIES ${library})
  if(compiled AND ran EQUAL 0)
    set(${result} ON PARENT_SCOPE)
  else()
    set(${result} OFF PARENT_SCOPE)
  endif()
endfunction()

# Each library by each name of its entry, and libgit2's by each shape of the
# table that its memory comes from: the first one that makes a right diff.
find_library(xdiff_library NAMES libxdiff.a xdiff)
find_library(libgit2_archive NAMES libgit2.a)
set(xdiff_plain "")
set(xdiff_arrays XDIFF_FROM_LIBGIT2 XDIFF_ALLOCATOR_ARRAYS)
set(xdiff_table XDIFF_FROM_LIBGIT2)
set(xdiff_found OFF)
foreach(library IN ITEMS ${xdiff_library} ${libgit2_archive})
  set(shapes plain)
  if(library STREQUAL "${libgit2_archive}")
    set(shapes arrays table)
  endif()
  foreach(shape IN LISTS shapes)
    foreach(entry IN ITEMS xdl_diff git_xdl_diff)
      if(NOT xdiff_found AND library)
        readcache_try_xdiff(works ${library} ${entry} "${xdiff_${shape}}")
        if(works)
          set(xdiff_found ON)
          add_library(readcache::xdiff UNKNOWN IMPORTED GLOBAL)
          set_target_properties(readcache::xdiff PROPERTIES
            IMPORTED_LOCATION ${library}
            INTERFACE_COMPILE_DEFINITIONS
              "XDIFF_ENTRY=${entry};${xdiff_${shape}}")
          message(STATUS "xdiff: ${entry} from ${library} (${shape})")
        endif()
      endif()
    endforeach()
  endforeach()
endforeach()
if(NOT xdiff_found)
  message(FATAL_ERROR "No usable xdiff: neither a libxdiff nor libgit2.a "
    "makes a right diff here. On Debian: apt-get install libgit2-dev")
endif()
