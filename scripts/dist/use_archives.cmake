# The libraries of the program, in place of those that the system has, for another system or processor.
# `folder`: where the archives are; more words: targets that need none there.
function(use_archives folder)
  foreach(library fmt::fmt=fmt simdjson::simdjson=simdjson PkgConfig::libcgraph=cgraph,cdt PkgConfig::libutf8proc=utf8proc
      PkgConfig::libxxhash=xxhash PkgConfig::libzstd=zstd PkgConfig::re2=re2
      PkgConfig::sqlite3=sqlite3 PkgConfig::tomlplusplus=tomlplusplus PkgConfig::yaml-cpp=yaml-cpp PkgConfig::zlib=z
      CLI11::CLI11= nlohmann_json::nlohmann_json= tl::expected= ${ARGN})
    string(REGEX MATCH "^(.*)=(.*)$" _ ${library})
    set(target ${CMAKE_MATCH_1})
    string(REPLACE "," ";" names "${CMAKE_MATCH_2}")
    list(TRANSFORM names REPLACE "(.+)" "${folder}/lib\\1.a")
    add_library(${target} INTERFACE IMPORTED GLOBAL)
    target_link_libraries(${target} INTERFACE ${names})
  endforeach()
endfunction()
