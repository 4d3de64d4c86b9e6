// Tests the shim of WASI and its files: node tests/wasi.mjs [XTRACE.WASM]
//
// A "program" is a function here, which calls what it imports as compiled code does. With a WebAssembly program of
// xtrace its launcher is tested as well.
import assert from "node:assert/strict";
import {execFileSync, spawn, spawnSync} from "node:child_process";
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import {CollectedOutput, MemoryFiles, NoInput} from "../scripts/dist/wasm.d/files_memory.mjs";
import {NodeFiles, toGuestArgument, toGuestPath, toGuestVariables, toWindowsPath} from "../scripts/dist/wasm.d/files_node.mjs";
import {Kind, Wasi} from "../scripts/dist/wasm.d/wasi.mjs";
import {describeZone} from "../scripts/dist/wasm.d/zone.mjs";

const kDist = new URL("../scripts/dist/wasm.d/", import.meta.url);
const tests = {};
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "xtrace-wasi-"));

const kRead = 1n << 1n, kWrite = 1n << 6n;  // rights
const kText = 1000, kList = 2000, kResult = 3000, kData = 4096;  // places in memory

/** Runs `program(call, memory)` as a program; `call(name, ...values)` returns the number of an error. */
function run(files, program, {streams, args = ["test"], env = {}} = {}) {
  streams ??= [new NoInput(), new CollectedOutput(), new CollectedOutput()];
  const wasi = new Wasi({args, env, files, streams, sleep: () => {}, fillRandom: (bytes) => bytes.fill(1)});
  const memory = new WebAssembly.Memory({initial: 4, maximum: 64});
  const call = (name, ...values) => wasi.imports.wasi_snapshot_preview1[name](...values);
  const put = (text) => {
    const bytes = new TextEncoder().encode(text);
    new Uint8Array(memory.buffer).set(bytes, kText);
    return [kText, bytes.length];
  };
  const tools = {
    memory, put, view: () => new DataView(memory.buffer),
    open: (name, how = 0, rights = kRead) => {
      const error = call("path_open", 3, 1, ...put(name), how, rights, 0n, 0, kResult);
      return error ? -error : new DataView(memory.buffer).getUint32(kResult, true);
    },
    at: (address, size) => {
      new DataView(memory.buffer).setUint32(kList, address, true);
      new DataView(memory.buffer).setUint32(kList + 4, size, true);
      return [kList, 1];
    },
    read: (fd, size, from) => {
      const list = tools.at(kData, size);
      const error = from === undefined ? call("fd_read", fd, ...list, kResult) : call("fd_pread", fd, ...list, from, kResult);
      if (error) return -error;
      return new TextDecoder().decode(new Uint8Array(memory.buffer, kData, new DataView(memory.buffer).getUint32(kResult, true)));
    },
    write: (fd, text) => {
      const bytes = new TextEncoder().encode(text);
      new Uint8Array(memory.buffer).set(bytes, kData);
      return call("fd_write", fd, ...tools.at(kData, bytes.length), kResult);
    },
  };
  const status = wasi.run({exports: {memory, _start: () => program(call, tools)}});
  return {status, wasi};
}

/** A file as browsers give it. */
function chosen(text, lastModified = 1_700_000_000_000) {
  const bytes = new TextEncoder().encode(text);
  return {bytes, size: bytes.length, lastModified};
}
const slices = [];
const readSlice = (file, from, to) => {
  slices.push([from, to]);
  return file.bytes.slice(from, to);
};

tests["paths of Windows become paths below their drives, and back"] = () => {
  for (const [windows, guest] of [["C:\\Users\\me\\run.jsonl", "/C:/Users/me/run.jsonl"], ["D:\\", "/D:/"],
    ["\\\\server\\share\\a", "/UNC/server/share/a"]]) {
    assert.equal(toGuestPath(windows), guest);
    assert.equal(toWindowsPath(guest), windows);
  }
  assert.equal(toGuestPath("c:/logs"), "/C:/logs");
  assert.equal(toWindowsPath("/C:"), "C:\\");
  assert.equal(toWindowsPath("/dev/null"), "\\\\.\\nul");
};
tests["arguments that are paths of Windows are converted, patterns are not"] = () => {
  const exists = (name) => ["logs", "logs\\a.jsonl"].includes(name);
  for (const [given, converted] of [["C:\\logs\\a.jsonl", "/C:/logs/a.jsonl"], ["--output=C:\\a.html", "--output=/C:/a.html"],
    ["logs\\a.jsonl", "logs/a.jsonl"], ["logs\\new.html", "logs/new.html"], ["\\d+\\.py", "\\d+\\.py"], ["--grep=a\\d", "--grep=a\\d"],
    ["a.jsonl", "a.jsonl"], ["-", "-"], ["", ""], ["tool:C:", "tool:C:"]])
    assert.equal(toGuestArgument(given, exists), converted);
};
tests["variables of Windows have the names of POSIX as well"] = () => {
  const env = toGuestVariables({USERPROFILE: "C:\\Users\\me", TEMP: "C:\\Temp", PATH: "C:\\a;C:\\b", CLAUDE_CONFIG_DIR: "D:\\claude"});
  assert.equal(env.HOME, "/C:/Users/me");
  assert.equal(env.TMPDIR, "/C:/Temp");
  assert.equal(env.CLAUDE_CONFIG_DIR, "/D:/claude");
  assert.equal(env.PATH, "C:\\a;C:\\b");
  assert.equal(toGuestVariables({HOME: "/home/me", USERPROFILE: "C:\\x"}).HOME, "/home/me");
};
tests["time zones are described by their changes"] = () => {
  assert.equal(describeZone("CET-1", true), "-:3600:CET");
  assert.equal(describeZone("<+0330>-3:30", true), "-:12600:+0330");
  assert.equal(describeZone("EST5", false), "-:-18000:EST");
  const ask = (zone, named) => execFileSync(process.execPath, ["--input-type=module", "-e",
    `import {describeZone} from ${JSON.stringify(new URL("zone.mjs", kDist))}; console.log(describeZone(process.env.TZ, ${named}))`],
  {env: {...process.env, TZ: zone}, encoding: "utf8"}).trim();
  assert.equal(ask("UTC", false), "-:0:UTC");
  assert.equal(ask("Asia/Tokyo", false), "-:32400:+09");
  // Summer time began on 30 March 2025 at 01:00 UTC.
  assert.ok(ask("Europe/Berlin", true).includes(",1743296400:7200:CEST,"));
};
tests["chosen files are read by slices, and only what is read"] = () => {
  const read = [], files = new MemoryFiles({readSlice, onRead: (count) => read.push(count)});
  files.add("/dropped/a/log.jsonl", chosen("0123456789"));
  files.add("/dropped/a/other", chosen("x".repeat(9 << 20)));
  run(files, (call, {open, read: readText, view}) => {
    const fd = open("dropped/a/log.jsonl");
    assert.equal(readText(fd, 4), "0123");
    assert.equal(readText(fd, 4), "4567");
    assert.equal(readText(fd, 4), "89");
    assert.equal(readText(fd, 4), "");
    assert.equal(readText(fd, 3, 2n), "234");
    assert.equal(call("fd_filestat_get", fd, kResult), 0);
    assert.equal(view().getBigUint64(kResult + 32, true), 10n);
    assert.equal(view().getBigUint64(kResult + 48, true), 1_700_000_000_000_000_000n);
    slices.length = 0;
    const large = open("dropped/a/other");
    assert.equal(readText(large, 10, BigInt((4 << 20) - 5)), "xxxxxxxxxx");
    assert.deepEqual(slices, [[0, 4 << 20], [4 << 20, 8 << 20]]);
    assert.equal(open("dropped/none"), -44);
    assert.equal(open("dropped/a/log.jsonl/x"), -54);
    assert.equal(open("dropped/a", 2), 6);
    assert.equal(call("fd_write", large, kList, 1, kResult), 69);
  });
  assert.deepEqual(read, [10, 4 << 20, 4 << 20]);
};
tests["a file that is made takes another name, and folders list what is in them"] = () => {
  for (const [files, folder] of [[new MemoryFiles({readSlice}), "tmp"], [new NodeFiles(), scratch.slice(1) + "/made"]]) {
    files.makeFolder(`/${folder}`);
    run(files, (call, {open, write, read, put, view, memory}) => {
      const fd = open(`${folder}/.part`, 1 | 4, kRead | kWrite);
      assert.ok(fd > 3);
      assert.equal(open(`${folder}/.part`, 1 | 4, kWrite), -20);
      assert.equal(write(fd, "hello "), 0);
      assert.equal(write(fd, "world"), 0);
      assert.equal(read(fd, 20, 0n), "hello world");
      assert.equal(call("fd_filestat_set_size", fd, 5n), 0);
      assert.equal(read(fd, 20, 0n), "hello");
      assert.equal(call("fd_close", fd), 0);
      assert.equal(call("fd_close", fd), 8);
      const [at, size] = put(`${folder}/.part`), to = new TextEncoder().encode(`${folder}/done`);
      new Uint8Array(memory.buffer).set(to, kData);
      assert.equal(call("path_rename", 3, at, size, 3, kData, to.length), 0);
      const list = open(folder, 2);
      assert.equal(call("fd_readdir", list, kData, 4000, 0n, kResult), 0);
      const used = view().getUint32(kResult, true), names = [];
      for (let entry = kData; entry < kData + used;) {
        const length = view().getUint32(entry + 16, true);
        names.push(new TextDecoder().decode(new Uint8Array(memory.buffer, entry + 24, length)));
        entry += 24 + length;
      }
      assert.deepEqual(names.sort(), [".", "..", "done"]);
      // In parts: an entry that does not fit is cut off, and asked for again.
      assert.equal(call("fd_readdir", list, kData, 30, 1n, kResult), 0);
      assert.equal(view().getUint32(kResult, true), 30);
      assert.equal(call("path_unlink_file", 3, ...put(`${folder}/done`)), 0);
      assert.equal(call("path_unlink_file", 3, ...put(`${folder}/done`)), 44);
    });
  }
};
tests["arguments, variables, exit codes and bad addresses"] = () => {
  const files = new MemoryFiles({readSlice});
  const {status} = run(files, (call, {view, memory}) => {
    assert.equal(call("args_sizes_get", kResult, kResult + 4), 0);
    assert.equal(view().getUint32(kResult, true), 2);
    assert.equal(view().getUint32(kResult + 4, true), "xtrace\0ü\0".length + 1);
    assert.equal(call("environ_get", kList, kData), 0);
    assert.equal(new TextDecoder().decode(new Uint8Array(memory.buffer, kData, 4)), "A=b\0");
    assert.equal(call("args_get", kList, 0x7fffffff), 21);
    assert.equal(call("sock_accept", 3, 0, kResult), 52);
    assert.equal(call("fd_read", 77, kList, 1, kResult), 8);
    assert.equal(call("random_get", kData, 100_000), 0);
    call("proc_exit", 3);
  }, {args: ["xtrace", "ü"], env: {A: "b"}});
  assert.equal(status, 3);
  assert.throws(() => run(files, () => { throw new TypeError("a fault of the program"); }), TypeError);
};
tests["a stream is waited for, and its end is seen"] = () => {
  const waits = [], state = {now: undefined};
  const input = {kind: Kind.stream, isStandard: true, stat: () => ({}), close() {}, poll: (ms) => { waits.push(ms); return state.now; }};
  run(new MemoryFiles({readSlice}), (call, {view}) => {
    const subscribe = () => {
      view().setBigUint64(kData, 7n, true);  // standard input
      view().setUint8(kData + 8, 1);
      view().setUint32(kData + 16, 0, true);
      view().setBigUint64(kData + 48, 9n, true);  // 20 ms
      view().setUint8(kData + 56, 0);
      view().setUint32(kData + 64, 1, true);
      view().setBigUint64(kData + 72, 20_000_000n, true);
      view().setUint16(kData + 88, 0, true);
      assert.equal(call("poll_oneoff", kData, kData + 200, 2, kResult), 0);
      return [view().getUint32(kResult, true), view().getBigUint64(kData + 200, true), view().getUint16(kData + 224, true)];
    };
    assert.deepEqual(subscribe(), [1, 9n, 0]);
    state.now = {bytes: 5, ended: false};
    assert.deepEqual(subscribe(), [1, 7n, 0]);
    state.now = {bytes: 0, ended: true};
    assert.deepEqual(subscribe(), [1, 7n, 1]);
  }, {streams: [input, new CollectedOutput(), new CollectedOutput()]});
  assert.deepEqual(waits, [20, 20, 20]);
};

const program = process.argv[2] && path.resolve(process.argv[2]);
if (program) {
  const folder = path.join(scratch, "launcher"), launcher = path.join(folder, "xtrace-wasm.mjs");
  fs.mkdirSync(folder);
  for (const name of ["wasi.mjs", "files_node.mjs", "zone.mjs", "xtrace-wasm.mjs"])
    fs.copyFileSync(new URL(name, kDist), path.join(folder, name));
  fs.symlinkSync(program, path.join(folder, "xtrace.wasm"));
  const trip = path.resolve(new URL("../fixtures/trip.jsonl", import.meta.url).pathname);
  const xtrace = (args, options = {}) => spawnSync(process.execPath, [launcher, ...args], {encoding: "utf8", cwd: scratch, ...options});
  const ended = (child) => new Promise((resolve) => { child.on("exit", (status, signal) => resolve(signal ?? status)); });

  tests["a log is read from a file, a relative name and a pipe"] = () => {
    const json = (result) => JSON.parse(result.stdout).nodes.length;
    fs.copyFileSync(trip, path.join(scratch, "trip.jsonl"));
    const whole = json(xtrace(["dag", trip, "-f", "json"]));
    assert.ok(whole > 0);
    assert.equal(json(xtrace(["dag", "trip.jsonl", "-f", "json"])), whole);
    assert.equal(json(xtrace(["dag", "-", "-f", "json"], {input: fs.readFileSync(trip)})), whole);
    assert.equal(xtrace(["dag", "none.jsonl"]).status, 3);
  };
  tests["-o writes a file with the permissions that the user gives new files"] = () => {
    const result = xtrace(["dag", "trip.jsonl", "-f", "json", "-o", "out.json"]);
    assert.equal(result.status, 0, result.stderr);
    assert.ok(JSON.parse(fs.readFileSync(path.join(scratch, "out.json"), "utf8")).nodes.length > 0);
    assert.equal(fs.statSync(path.join(scratch, "out.json")).mode & 0o777, 0o666 & ~process.umask());
  };
  tests["signals end it while it waits for input"] = async () => {
    for (const args of [["dag", "-"], ["mcp"]])
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
        const child = spawn(process.execPath, [launcher, ...args], {cwd: scratch, stdio: ["pipe", "ignore", "ignore"]});
        child.stdin.on("error", () => {});  // of what it did not take
        // More than pipes hold: once it is taken, the program reads and waits for the rest.
        await new Promise((resolve) => { child.stdin.write(" ".repeat(1 << 20), resolve); });
        child.kill(signal);
        assert.equal(await ended(child), 130);
      }
    assert.deepEqual(fs.readdirSync(scratch).filter((name) => name.startsWith(".")), []);
  };
  tests["a reader that went away ends it"] = async () => {
    const child = spawn(process.execPath, [launcher, "dag", "trip.jsonl", "-f", "json"], {cwd: scratch, stdio: ["ignore", "pipe", "ignore"]});
    child.stdout.destroy();
    assert.notEqual(await ended(child), 70);
  };
  tests["mcp answers a question at a time over pipes"] = async () => {
    const child = spawn(process.execPath, [launcher, "mcp"], {cwd: scratch, stdio: ["pipe", "pipe", "ignore"]});
    const lines = (async function* read() {
      let text = "";
      for await (const part of child.stdout) {
        text += part;
        for (let end; (end = text.indexOf("\n")) >= 0; text = text.slice(end + 1)) yield JSON.parse(text.slice(0, end));
      }
    })();
    const ask = async (id, method, params = {}) => {
      child.stdin.write(JSON.stringify({jsonrpc: "2.0", id, method, params}) + "\n");
      return (await lines.next()).value;
    };
    const hello = await ask(1, "initialize", {protocolVersion: "2025-06-18", capabilities: {}, clientInfo: {name: "test", version: "1"}});
    assert.equal(hello.id, 1);
    assert.ok((await ask(2, "tools/list")).result.tools.length > 0);
    child.stdin.end();
    assert.equal(await ended(child), 0);
  };
}

let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n        ${String(error.stack).replaceAll("\n", "\n        ")}`);
  }
}
fs.rmSync(scratch, {recursive: true});
process.exitCode = failed ? 1 : 0;
