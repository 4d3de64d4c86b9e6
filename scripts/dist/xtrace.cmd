@echo off
rem Runs the WebAssembly program with Node.js, which has to be on the path.
where /q node
if errorlevel 1 (
  echo xtrace: Node.js 18 or newer is missing; install it from https://nodejs.org or with: winget install OpenJS.NodeJS.LTS>&2
  exit /b 2
)
node "%~dp0xtrace-wasm.mjs" %*
