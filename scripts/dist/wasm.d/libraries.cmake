# The libraries of the program for WASI, which scripts/dist/wasm has made in build/wasm of Debian's sources
# and headers.
set(wasm ${CMAKE_SOURCE_DIR}/build/wasm)
include(${CMAKE_CURRENT_LIST_DIR}/../use_archives.cmake)
use_archives(${wasm}/lib Threads::Threads=)
target_include_directories(PkgConfig::libcgraph SYSTEM INTERFACE ${wasm}/include/graphviz)
target_compile_definitions(PkgConfig::tomlplusplus INTERFACE TOML_HEADER_ONLY=0)

# clock() is what wasi-libc makes of the wall clock.
link_libraries(-nostdlib++ ${wasm}/lib/libc++.a -lwasi-emulated-process-clocks)
# The stack is as large as that of a program on Linux: recursion over 1,024 levels of JSON has to fit. It
# precedes the data, so that an overflow traps and overwrites nothing.
# -O0: scripts/dist/wasm runs wasm-opt, which clang would run as well (its --no-wasm-opt links nothing).
add_link_options(-O0 -Wl,--stack-first,-z,stack-size=8388608,--max-memory=4294967296,--gc-sections)
