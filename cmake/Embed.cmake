# Files as constant arrays: readcache_embed(TARGET FILE...) gives the target
# "const unsigned char page_css[]" and "const size_t page_css_size" for a file
# named page.css.  They are plain data: nothing has to be relocated at start.
#
# As a script (cmake -DFROM=... -DTO=... -P Embed.cmake) it makes one of them.
if(CMAKE_SCRIPT_MODE_FILE)
  get_filename_component(name ${FROM} NAME)
  string(MAKE_C_IDENTIFIER ${name} name)
  file(READ ${FROM} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(................................................................................)"
    "\\1\n" bytes "${bytes}")
  file(WRITE ${TO} "#include <stddef.h>\n\n"
    "extern const unsigned char ${name}[];\n"
    "extern const size_t ${name}_size;\n\n"
    "const unsigned char ${name}[] = {\n${bytes}\n};\n"
    "const size_t ${name}_size = sizeof(${name});\n")
  return()
endif()

set(readcache_embed_script ${CMAKE_CURRENT_LIST_FILE})

function(readcache_embed target)
  foreach(file IN LISTS ARGN)
    get_filename_component(from ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME)
    set(to ${CMAKE_CURRENT_BINARY_DIR}/embedded/${name}.c)
    add_custom_command(OUTPUT ${to}
      COMMAND ${CMAKE_COMMAND} -DFROM=${from} -DTO=${to}
        -P ${readcache_embed_script}
      DEPENDS ${from} ${readcache_embed_script}
      COMMENT "Embedding ${name}" VERBATIM)
    target_sources(${target} PRIVATE ${to})
  endforeach()
endfunction()
