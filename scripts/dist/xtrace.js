#!/usr/bin/env node
// Runs the program that the package for this platform brings; package.json names these packages.
const {spawn} = require("child_process");
const {signals} = require("os").constants;
const platform = `${process.platform}-${process.arch}`;
const packages = Object.keys(require("../package.json").optionalDependencies);

let program;
try {
  program = require.resolve(packages.find((name) => name.endsWith(`-${platform}`)) + "/bin/xtrace");
} catch {
  console.error(`xtrace: no program for ${platform} is installed. There is one for linux-x64 with glibc, which npm ` +
    "leaves out with --omit=optional; elsewhere build it from source.");
  process.exit(2);
}

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
