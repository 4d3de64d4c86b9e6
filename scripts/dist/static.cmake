# Archives in place of shared libraries: those of Debian's -dev packages, and of scripts/dist/archives what
# has none there. Sources are compiled as ever, so both builds share the compiler's cache.
foreach(library simdjson::simdjson=simdjson fmt::fmt=fmt PkgConfig::libcgraph=cgraph,cdt
    PkgConfig::libutf8proc=utf8proc PkgConfig::libxxhash=xxhash PkgConfig::libzstd=zstd
    PkgConfig::re2=re2 PkgConfig::sqlite3=sqlite3 PkgConfig::tomlplusplus=tomlplusplus
    PkgConfig::yaml-cpp=yaml-cpp PkgConfig::zlib=z)
  string(REGEX MATCH "^(.*)=(.*)$" _ ${library})
  set(target ${CMAKE_MATCH_1})
  string(REPLACE "," ";" names ${CMAKE_MATCH_2})
  set(archives)
  foreach(name ${names})
    find_file(archive_of_${name} lib${name}.a REQUIRED NO_CACHE NO_CMAKE_FIND_ROOT_PATH
      PATHS ${CMAKE_SOURCE_DIR}/build/archives /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
    list(APPEND archives ${archive_of_${name}})
  endforeach()
  get_target_property(kind ${target} TYPE)
  if(kind STREQUAL SHARED_LIBRARY)
    foreach(build "" _NONE _RELEASE)
      set_target_properties(${target} PROPERTIES IMPORTED_LOCATION${build} ${archives} IMPORTED_SONAME${build} "")
    endforeach()
  else()
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${archives}" INTERFACE_LINK_DIRECTORIES "")
  endif()
endforeach()
link_libraries(Threads::Threads ${CMAKE_DL_LIBS})
set(CMAKE_SKIP_RPATH ON)
add_link_options(-static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed)
