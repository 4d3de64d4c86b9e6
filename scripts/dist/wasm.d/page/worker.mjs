// Runs the program for the page, in a worker. Messages are `{program}`, base64 of the compressed module, or `{module}`,
// which another worker compiled, and then `{args, inputs: [{path, file}]}` for each run. Answers: `{ready, module}`,
// `{read}` and `{written}` while it works, `{status, output, messages}`, or `{failure}` in words.
import {CollectedOutput, MemoryFiles, NoInput} from "../files_memory.mjs";
import {Wasi} from "../wasi.mjs";
import {describeZone} from "../zone.mjs";

const kHome = "/home/nobody", kFolder = "/dropped";
const kReportMs = 100;  // between two reports of progress

/** Bytes of base64, unpacked by the browser. */
function unpack(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** Reports sums of what is counted, a few times a second. */
function reporter(name) {
  let sum = 0, last = 0;
  return (count) => {
    sum += count;
    if (performance.now() - last < kReportMs) return;
    last = performance.now();
    postMessage({[name]: sum});
  };
}

class ReportedOutput extends CollectedOutput {
  report = reporter("written");
  write(bytes) {
    this.report(bytes.length);
    return super.write(bytes);
  }
}

function readSlice(file, from, to) {
  return new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(from, to)));
}

function fillRandom(bytes) {
  const kMost = 65536;  // bytes that a browser gives at once
  for (let at = 0; at < bytes.length; at += kMost) crypto.getRandomValues(bytes.subarray(at, at + kMost));
}

async function run(module, {args, inputs}) {
  const files = new MemoryFiles({readSlice, onRead: reporter("read")});
  for (const folder of ["/home", kHome, "/tmp", kFolder]) files.makeFolder(folder);
  for (const {path, file} of inputs) files.add(`${kFolder}/${path}`, file);
  const output = new ReportedOutput(), messages = new CollectedOutput();
  const env = {HOME: kHome, TMPDIR: "/tmp", PWD: kFolder, XTRACE_ZONE: describeZone(undefined, false)};
  // Nothing in a page waits for a moment; a worker without shared memory could not sleep either.
  const wasi = new Wasi({args: ["xtrace", ...args], env, files, streams: [new NoInput(), output, messages], sleep: () => {},
    fillRandom});
  const status = wasi.run(new WebAssembly.Instance(module, wasi.imports));
  return {status, output: new Blob(output.parts), messages: await new Blob(messages.parts).text()};
}

let module;
onmessage = async ({data}) => {
  try {
    if (data.program) {
      module = await WebAssembly.compile(await unpack(data.program));
      postMessage({ready: true, module});
    } else if (data.module) {
      module = data.module;
      postMessage({ready: true});
    } else postMessage(await run(module, data));
  } catch (error) {
    postMessage({failure: error instanceof WebAssembly.RuntimeError || error instanceof RangeError
      ? `the program ran out of memory, of which a page has at most 4 GB, or failed (${error.message})` : String(error)});
  }
};
