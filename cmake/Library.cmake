# libreadcache.a: one object with everything that it needs but the C library,
# of which only the rc_* functions can be seen.  No name of ours, nor of a
# library in it, can meet one of the user's program.
#
# Of a dependency that has no archive the user's program needs the shared one.
target_include_directories(rc_library PUBLIC ${PROJECT_SOURCE_DIR}/include)
if(NOT CMAKE_OBJCOPY OR APPLE)
  message(STATUS "libreadcache.a is not built: there is no objcopy")
  return()
endif()
set(library_layers serve config answer diff host host_pi session meta replay
  file path store json os base)
set(library_archives "")
foreach(layer IN LISTS library_layers)
  list(APPEND library_archives $<TARGET_FILE:rc_${layer}>)
endforeach()
set(library_needs "")
foreach(name IN ITEMS crypto utf8proc xdiff)
  get_target_property(location readcache::${name} IMPORTED_LOCATION)
  if(location MATCHES "\\.a$")
    list(APPEND library_archives ${location})
  else()
    string(APPEND library_needs " ${location}")
  endif()
endforeach()

set(library_object ${CMAKE_BINARY_DIR}/library/readcache.o)
set(library_file ${CMAKE_BINARY_DIR}/libreadcache.a)
add_custom_command(OUTPUT ${library_file}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/library
  COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -Wl,-d -o ${library_object}
    $<TARGET_OBJECTS:rc_library>
    -Wl,--start-group ${library_archives} -Wl,--end-group
  COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=rc_*
    ${library_object}
  COMMAND ${CMAKE_COMMAND} -E rm -f ${library_file}
  COMMAND ${CMAKE_AR} rcs ${library_file} ${library_object}
  DEPENDS rc_library ${library_archives} COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(readcache_library ALL DEPENDS ${library_file})

set(library_libs "-lreadcache${library_needs} -pthread")
# Relative: where it is installed to is known only then.
file(RELATIVE_PATH library_include
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(cmake/readcache.pc.in ${CMAKE_BINARY_DIR}/readcache.pc @ONLY)
install(FILES ${library_file} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/readcache.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${CMAKE_BINARY_DIR}/readcache.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
