#!/usr/bin/env node
// Runs the native program of this platform if its package is installed and the program works here, else the
// WebAssembly one. package.json names both kinds of packages; npm installs the native ones that fit, or none.
const {spawn, spawnSync} = require("child_process");
const {signals} = require("os").constants;
const {pathToFileURL} = require("url");
const {version, dependencies, optionalDependencies} = require("../package.json");

// resolve PATH: the file of an installed package, or nothing.
function resolve(path) {
  try {
    return require.resolve(path);
  } catch {
    return undefined;
  }
}

// A program that is installed need not run: its C library may be too old or another one, since some package managers ignore
// the field "libc"; its folder may be mounted without execution. The only sure sign is that it prints its version.
function works(program) {
  const {stdout} = spawnSync(program, ["--version"], {encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], timeout: 10000});
  return typeof stdout === "string" && stdout.startsWith(`xtrace ${version} `);
}

function run(program) {
  const running = spawn(program, process.argv.slice(2), {stdio: "inherit"});
  // A terminal sends Ctrl-C to both, and the program decides when it ends; other senders may signal only this one.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => running.kill(signal));
  running.on("error", (error) => {
    console.error(`xtrace: cannot run ${program}: ${error.message}`);
    process.exitCode = 2;
  });
  running.on("exit", (status, signal) => {
    process.exitCode = signal ? 128 + signals[signal] : status;
  });
}

const platform = `-${process.platform}-${process.arch}`;
const native = Object.keys(optionalDependencies)
  .filter((name) => name.endsWith(platform) || name.includes(`${platform}-`))
  .map((name) => resolve(`${name}/xtrace`))
  .find((program) => program !== undefined && works(program));
const everywhere = Object.keys(dependencies).map((name) => resolve(`${name}/xtrace-wasm.mjs`)).find(Boolean);

if (native !== undefined) {
  run(native);
} else if (everywhere !== undefined) {
  import(pathToFileURL(everywhere).href);
} else {
  const names = [...Object.keys(optionalDependencies), ...Object.keys(dependencies)];
  console.error(`xtrace: no program for ${platform.slice(1)} is installed; reinstall the package that contains one of: ` +
    names.join(", "));
  process.exitCode = 2;
}
