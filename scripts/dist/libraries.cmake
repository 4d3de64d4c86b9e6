# The libraries of another system or processor: scripts/dist/archives has made them all.
set(archives ${CMAKE_SOURCE_DIR}/build/archives-${XTRACE_TARGET})
find_package(Threads REQUIRED)
foreach(library fmt::fmt=fmt simdjson::simdjson=simdjson PkgConfig::libcgraph=cgraph,cdt PkgConfig::libutf8proc=utf8proc
    PkgConfig::libxxhash=xxhash PkgConfig::libzip=zip,z PkgConfig::libzstd=zstd PkgConfig::re2=re2
    PkgConfig::sqlite3=sqlite3 PkgConfig::tomlplusplus=tomlplusplus PkgConfig::yaml-cpp=yaml-cpp PkgConfig::zlib=z
    CLI11::CLI11= nlohmann_json::nlohmann_json= tl::expected= Catch2::Catch2=)
  string(REGEX MATCH "^(.*)=(.*)$" _ ${library})
  set(target ${CMAKE_MATCH_1})
  string(REPLACE "," ";" names "${CMAKE_MATCH_2}")
  list(TRANSFORM names REPLACE "(.+)" "${archives}/lib\\1.a")
  add_library(${target} INTERFACE IMPORTED)
  target_link_libraries(${target} INTERFACE ${names})
endforeach()
target_include_directories(PkgConfig::libcgraph SYSTEM INTERFACE ${archives}/include/graphviz)
target_compile_definitions(PkgConfig::tomlplusplus INTERFACE TOML_HEADER_ONLY=0)
set(Boost_INCLUDE_DIRS ${archives}/include)
include_directories(SYSTEM ${archives}/include)
link_libraries(Threads::Threads)
set(CMAKE_SKIP_RPATH ON)
# zig links without symbols by -s: GNU's strip does not know what it makes.
if(APPLE)
  add_link_options(-Wl,-dead_strip -s)
elseif(XTRACE_TARGET MATCHES musl)
  add_link_options(-static -Wl,--gc-sections -s)
else()
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed)
endif()
