# The licenses of what is linked statically go where the program goes, as the
# packages of this machine state them.
foreach(package IN ITEMS libssl-dev liblmdb-dev libutf8proc-dev libgit2-dev
    libc6-dev)
  set(text /usr/share/doc/${package}/copyright)
  if(EXISTS ${text})
    install(FILES ${text} RENAME ${package}
      DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses)
  else()
    message(STATUS "The license of ${package} is not installed with readcache:"
      " there is no ${text}. THIRD_PARTY.md says what it is.")
  endif()
endforeach()
install(FILES LICENSE THIRD_PARTY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
