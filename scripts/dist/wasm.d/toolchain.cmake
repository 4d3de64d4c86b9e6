# Debian's clang 19 compiles for WASI preview 1, the system that Node and browsers can give a WebAssembly
# program. Headers come from build/wasm alone (scripts/dist/wasm) and wasi-libc, never from /usr/include.
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
set(triple wasm32-wasi)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET ${triple})
set(CMAKE_CXX_COMPILER_TARGET ${triple})
set(CMAKE_AR llvm-ar-19)
set(CMAKE_RANLIB llvm-ranlib-19)
# A program cannot be linked before its libraries are there.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)

get_filename_component(wasm_root "${CMAKE_CURRENT_LIST_DIR}/../../../build/wasm" ABSOLUTE)
set(wasm_here ${CMAKE_CURRENT_LIST_DIR})
# SIMD: Node 16.4, Chrome 91, Firefox 89, Safari 16.4. Exceptions: Node 17, Chrome 95, Firefox 100.
set(wasm_machine "-msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext -fno-stack-protector")
set(wasm_c "-nostdlibinc -isystem /usr/include/wasm32-wasi -isystem ${wasm_root}/include")
set(CMAKE_C_FLAGS_INIT "${wasm_machine} ${wasm_c}")
set(CMAKE_CXX_FLAGS_INIT "${wasm_machine} -fwasm-exceptions -nostdlibinc -isystem ${wasm_here}/include \
-isystem /usr/lib/llvm-19/include/wasm32-wasi/c++/v1 ${wasm_c}")


set(CMAKE_FIND_ROOT_PATH ${wasm_root})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
