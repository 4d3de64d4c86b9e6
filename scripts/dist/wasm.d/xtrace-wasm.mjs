#!/usr/bin/env node
// Runs xtrace.wasm, which is next to this file, under Node: `node xtrace-wasm.mjs ARGUMENTS`.
//
// The program runs in a thread of its own, where it may wait; this one is free for signals and for standard
// input, which Node reads without blocking on every system.
import {randomFillSync} from "node:crypto";
import * as fs from "node:fs";
import * as tty from "node:tty";
import {fileURLToPath} from "node:url";
import * as v8 from "node:v8";
import {Worker, isMainThread, parentPort, workerData} from "node:worker_threads";
import {NodeFiles, StandardFile, pause, toGuestArgument, toGuestPath, toGuestVariables} from "./files_node.mjs";
import {Kind, Wasi} from "./wasi.mjs";
import {describeZone} from "./zone.mjs";

const kBug = 70, kInterrupted = 130;  // exit codes, as the program has them
const kLastNode = 24;  // the newest that was tried; a later one that lost a flag would print an error
const kPatience = 2000;  // ms that an interrupted program has to end, also on a busy machine
const kChunk = 1 << 16;  // bytes; what a pipe holds
// What the two threads share of standard input: a state, the number of bytes, and the bytes.
const State = {idle: 0, asked: 1, bytes: 2, ended: 3};
const kHead = 8;  // bytes

/// Standard input of the program if it is a pipe or a terminal: the other thread reads it.
class AskedInput {
  isStandard = true;
  constructor(shared, kind, isTerminal) {
    Object.assign(this, {kind, isTerminal, control: new Int32Array(shared, 0, 2), buffer: new Uint8Array(shared, kHead), begin: 0});
  }
  poll(ms) {
    if (Atomics.compareExchange(this.control, 0, State.idle, State.asked) === State.idle) parentPort.postMessage({read: true});
    Atomics.wait(this.control, 0, State.asked, ms);
    const state = Atomics.load(this.control, 0), ended = state === State.ended;
    return state === State.asked ? undefined : {bytes: ended ? 0 : this.control[1] - this.taken, ended};
  }
  taken = 0;
  read(bytes) {
    if (this.poll(Infinity).ended) return 0;
    const part = this.buffer.subarray(this.taken, Math.min(this.control[1], this.taken + bytes.length));
    bytes.set(part);
    this.taken += part.length;
    if (this.taken === this.control[1]) {
      this.taken = 0;
      Atomics.store(this.control, 0, State.idle);
    }
    return part.length;
  }
  stat() { return {kind: this.kind, size: 0, id: 0, device: 0, links: 1, changed: 0n}; }
  close() {}
}

/// A terminal is written to by the other thread: Node then shows every character in consoles of Windows too.
class PrintedOutput extends StandardFile {
  write(bytes) {
    parentPort.postMessage({print: this.fd, bytes: bytes.slice()});
    return bytes.length;
  }
}

function openStandard(fd, shared) {
  let file;
  try {
    file = new StandardFile(fd);
  } catch {
    return null;  // closed
  }
  if (fd !== 0) return file.isTerminal ? new PrintedOutput(fd) : file;
  const isWaitedFor = file.isTerminal || file.kind === Kind.stream || file.kind === Kind.unknown;
  return isWaitedFor ? new AskedInput(shared, file.isTerminal ? file.kind : Kind.stream, file.isTerminal) : file;
}

/// The thread of the program.
function runProgram({module, shared, args}) {
  const streams = [0, 1, 2].map((fd) => openStandard(fd, shared)), isTerminal = streams[1]?.isTerminal === true;
  const env = toGuestVariables(process.env);
  env.PWD = toGuestPath(process.cwd());
  env.XTRACE_ZONE = describeZone(process.env.TZ, isTerminal);
  const {columns, rows} = workerData;
  if (isTerminal && columns) Object.assign(env, {COLUMNS: env.COLUMNS || columns, LINES: env.LINES || rows});
  const files = new NodeFiles({made: (path) => parentPort.postMessage({made: path}), gone: (path) => parentPort.postMessage({gone: path})});
  const wasi = new Wasi({args: ["xtrace", ...(process.platform === "win32" ? args.map((text) => toGuestArgument(text)) : args)],
    env, files, streams, sleep: pause, fillRandom: randomFillSync});
  return wasi.run(new WebAssembly.Instance(module, wasi.imports));
}

/// Reads standard input for the program, a chunk each time it asks.
async function serveInput(shared, asked) {
  const control = new Int32Array(shared, 0, 2), buffer = new Uint8Array(shared, kHead);
  const answer = (state, count) => {
    control[1] = count;
    Atomics.store(control, 0, state);
    Atomics.notify(control, 0);
  };
  await asked();
  try {
    for await (const chunk of process.stdin)
      for (let at = 0; at < chunk.length; at += kChunk) {
        const part = chunk.subarray(at, at + kChunk);
        buffer.set(part);
        answer(State.bytes, part.length);
        await asked();
      }
  } catch {
    // of a terminal that went away: its end
  }
  answer(State.ended, 0);
}

function start() {
  // Node keeps no compiled module between two runs, and only few of the program's functions run: each is
  // checked and compiled when it is called first, which takes a tenth of the time of all.
  if (parseInt(process.versions.node, 10) <= kLastNode)
    for (const flag of ["--wasm-lazy-compilation", "--wasm-lazy-validation"]) v8.setFlagsFromString(flag);
  const shared = new SharedArrayBuffer(kHead + kChunk), leftovers = new Set();
  // A pipe would no longer block if Node opened it as process.stdout, also to join a worker's output to it.
  const {columns, rows} = tty.isatty(1) ? process.stdout : {};
  const worker = new Worker(new URL(import.meta.url), {workerData: {columns, rows}, argv: [], stdout: true, stderr: true});
  let status = kBug, ask;
  const asked = () => new Promise((resolve) => { ask = resolve; });
  const removeLeftovers = () => { for (const path of leftovers) fs.rmSync(path, {force: true}); };
  worker.on("message", (message) => {
    if (message.read) {
      if (!ask) serveInput(shared, asked);
      ask();
    } else if (message.print) print(message);
    else if (message.made) leftovers.add(message.made);
    else if (message.gone) leftovers.delete(message.gone);
    else if (message.status !== undefined) status = message.status;
  });
  worker.on("error", (error) => fs.writeSync(2, `xtrace: internal error under WebAssembly: ${error.stack ?? error}\n`));
  let unprinted = 0, isOver = false;
  const leave = () => { if (isOver && unprinted === 0) process.exit(status); };
  const print = ({print: fd, bytes}) => {
    unprinted++;
    (fd === 1 ? process.stdout : process.stderr).write(bytes, () => {  // an error too: the terminal went away
      unprinted--;
      leave();
    });
  };
  for (const fd of [1, 2]) if (tty.isatty(fd)) (fd === 1 ? process.stdout : process.stderr).on("error", () => {});
  worker.on("exit", () => {
    removeLeftovers();
    isOver = true;
    leave();
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      status = kInterrupted;
      worker.terminate();
      // A thread that waits for the reader of a pipe does not end: the signal itself ends the process.
      setTimeout(() => {
        removeLeftovers();
        process.removeAllListeners(signal);
        process.kill(process.pid, signal);
      }, kPatience);
    });
  const program = fileURLToPath(new URL("xtrace.wasm", import.meta.url));
  try {
    const module = new WebAssembly.Module(fs.readFileSync(program));
    worker.postMessage({module, shared, args: process.argv.slice(2)});
  } catch (error) {
    fs.writeSync(2, `xtrace: cannot load ${program}: ${error.message}\n`);
    worker.terminate();
  }
}

if (isMainThread) start();
else parentPort.once("message", (task) => parentPort.postMessage({status: runProgram(task)}));
