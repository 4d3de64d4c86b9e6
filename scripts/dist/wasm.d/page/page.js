// The page for everybody: logs are dropped, a question is chosen, and the program, in a worker, answers it.
'use strict';

const byId = (id) => document.getElementById(id);
const show = (id, isShown) => { byId(id).hidden = !isShown; };

// What can be asked. `form` is the output that is shown best; `ready` returns why a question cannot be asked yet.
const isSuite = (name) => /\.ya?ml$/i.test(name);
const QUESTIONS = [
  {word: 'dag', title: 'What happened', form: 'html', texts: true},
  {word: 'stats', title: 'Cost and time', form: 'html'},
  {word: 'report', title: 'Cost by day', form: 'html'},
  {word: 'list', title: 'Sessions', form: 'text'},
  {word: 'advise', title: 'Waste', form: 'text'},
  {word: 'explain', title: 'Why', form: 'html', named: true},
  {word: 'trust', title: 'Who called whom', form: 'html'},
  {word: 'trace', title: 'Audit trace', form: 'html', fixed: ['--all'], texts: true},
  {word: 'diff', title: 'Compare two', form: 'html', ready: (names) => names.length === 2 ? '' : 'choose exactly two logs'},
  {word: 'eval', title: 'Check a suite', form: 'html', suite: true,
    ready: (names) => names.some(isSuite) ? '' : 'choose a suite (.yaml) together with the logs'},
];

let inputs = [], names = [], total = 0;  // what was chosen, and its bytes
let worker = null, module = null, isReady = false;
let waiting = null, began = 0, answer = null, address = '';  // the run, and its output

// The program is unpacked and compiled while logs are being chosen; a worker that follows a cancelled one takes it over.
function startWorker() {
  const source = URL.createObjectURL(new Blob([byId('worker').textContent], {type: 'text/javascript'}));
  worker = new Worker(source);
  isReady = false;
  worker.onmessage = ({data}) => hear(data);
  worker.onerror = (event) => { event.preventDefault(); finish(`this browser cannot run the program: ${event.message}`, true); };
  worker.postMessage(module ? {module} : {program: byId('program').textContent.trim()});
}

function hear(data) {
  if (data.ready) {
    isReady = true;
    module ??= data.module;
    if (waiting) send();
  } else if (data.read !== undefined) sayRead(data.read / Math.max(1, total));
  else if (data.written !== undefined) say(`Writing: ${size(data.written)}`);
  else if (data.failure !== undefined) {
    finish(`xtrace: ${data.failure}`, true);
    stopWorker();
  } else present(data);
}

function stopWorker() {
  worker.terminate();
  startWorker();
}

const size = (bytes) => bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** The state of the run; `share` is how much of it is done, unknown if it is missing. */
function say(words, share) {
  byId('state').textContent = words;
  byId('state').className = '';
  if (share === undefined) byId('progress').removeAttribute('value');
  else byId('progress').value = Math.min(1, share);
}

// The program may still be at work when all has been read.
const sayRead = (share) => say(`Reading: ${Math.min(99, Math.floor(100 * share))} %`, share);

function finish(words, isBad) {
  waiting = null;
  show('cancel', false);
  show('progress', false);
  byId('state').textContent = words;
  byId('state').className = isBad ? 'bad' : '';
}

// Words as a shell divides them, quotes included.
const words = (text) => Array.from(text.matchAll(/(?:"[^"]*"|'[^']*'|\S)+/g), ([word]) => word.replace(/["']/g, ''));
const quoted = (word) => /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

const chosen = () => QUESTIONS.find(({word}) => byId(`ask-${word}`).checked);

function argumentsNow() {
  const {word, form, fixed = [], named, texts, suite} = chosen();
  // A name that begins with a dash would be an option.
  const paths = names.map((name) => name.startsWith('-') ? `./${name}` : name);
  const ordered = suite ? [paths.find(isSuite), ...paths.filter((name) => !isSuite(name))] : paths;
  const node = byId('node').value.trim();
  return [word, ...ordered, ...fixed, ...named && node ? ['--node', node] : [],
    ...texts && byId('texts').checked ? ['--level', 'full'] : [], '-f', form, ...words(byId('more').value)];
}

function showCommand() {
  const question = chosen();
  show('name', question.named);
  show('full', question.texts);
  byId('line').textContent = ['xtrace', ...argumentsNow().map(quoted)].join(' ');
}

function run() {
  if (inputs.length === 0) return;
  showCommand();
  if (waiting && isReady) stopWorker();
  if (chosen().named && byId('node').value.trim() === '') {
    finish('Name what to explain, such as a tool, an agent or a file.', false);
    byId('node').focus();
    return;
  }
  waiting = {args: argumentsNow(), inputs};
  began = performance.now();
  answer = null;
  for (const id of ['answer', 'text', 'messages', 'save']) show(id, false);
  show('cancel', true);
  show('progress', true);
  say(isReady ? 'Reading…' : 'Starting…');
  if (isReady) send();
}

const send = () => worker.postMessage(waiting);

async function present({status, output, messages}) {
  const {args} = waiting, isPage = args.includes('html') && output.size > 0;
  const seconds = ((performance.now() - began) / 1e3).toFixed(1);
  const isBad = status !== 0 && output.size === 0;
  const made = output.size > 0 ? size(output.size) : 'Nothing to show';
  finish(isBad ? `No answer (exit code ${status}).` : `${made}, after ${seconds} s${status ? `, exit code ${status}` : ''}`, isBad);
  byId('messages').textContent = messages.trim();
  byId('messages').className = isBad ? 'bad' : '';
  show('messages', messages.trim() !== '');
  byId('messages').scrollTop = isBad ? byId('messages').scrollHeight : 0;  // where the reason is
  if (output.size === 0) return;
  URL.revokeObjectURL(address);
  answer = new Blob([output], {type: isPage ? 'text/html;charset=utf-8' : 'text/plain;charset=utf-8'});
  address = URL.createObjectURL(answer);
  Object.assign(byId('save'), {href: address, download: `${args[0]}.${isPage ? 'html' : 'txt'}`});
  show('save', true);
  show(isPage ? 'answer' : 'text', true);
  if (!isPage) byId('text').textContent = await answer.text();
  else {
    // In a new frame: pages of earlier answers would stay in its history.
    const frame = byId('answer').cloneNode();
    frame.src = address;
    byId('answer').replaceWith(frame);
  }
}

/** Takes files as `{path, file}`; a folder's share the first part of their paths. */
function take(found) {
  if (found.length === 0) {
    finish('There are no files in it.', true);
    return;
  }
  inputs = found;
  names = [...new Set(found.map(({path}) => path.split('/')[0]))];
  total = found.reduce((sum, {file}) => sum + file.size, 0);
  const few = names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');
  byId('names').textContent = `${few} (${found.length > 1 ? `${found.length} files, ` : ''}${size(total)})`;
  for (const {word, ready} of QUESTIONS) {
    const reason = ready ? ready(names) : '';
    byId(`ask-${word}`).disabled = reason !== '';
    byId(`ask-${word}`).parentElement.title = reason;
  }
  if (byId(`ask-${chosen().word}`).disabled) byId('ask-dag').checked = true;
  show('drop', false);
  show('ask', true);
  run();
}

/** All files of a folder that was dropped, by whichever interface this browser has for it. */
async function filesOf(folder, path) {
  const found = [];
  if (window.FileSystemHandle && folder instanceof window.FileSystemHandle)
    for await (const [name, inside] of folder.entries()) {
      const place = `${path}/${name}`;
      found.push(...inside.kind === 'file' ? [{path: place, file: await inside.getFile()}] : await filesOf(inside, place));
    }
  else {
    const reader = folder.createReader();
    for (;;) {  // in parts of a hundred
      const part = await new Promise((done, fail) => { reader.readEntries(done, fail); });
      if (part.length === 0) return found;
      for (const inside of part) {
        const place = `${path}/${inside.name}`;
        if (inside.isFile) found.push({path: place, file: await new Promise((done, fail) => { inside.file(done, fail); })});
        else found.push(...await filesOf(inside, place));
      }
    }
  }
  return found;
}

/** What was dropped: it can be asked for only until the event is over. */
function droppedIn({items}) {
  return Array.from(items).filter(({kind}) => kind === 'file').map((item) => {
    const entry = item.webkitGetAsEntry(), file = item.getAsFile();
    if (!entry?.isDirectory) return Promise.resolve([{path: file.name, file}]);
    // Chromium gives a page on disk no files by entries, only by handles, which Firefox does not have.
    const handle = item.getAsFileSystemHandle?.() ?? Promise.resolve(entry);
    return handle.then((folder) => filesOf(folder, entry.name));
  });
}

for (const {word, title} of QUESTIONS) {
  const label = document.createElement('label'), input = document.createElement('input'), span = document.createElement('span');
  Object.assign(input, {type: 'radio', name: 'question', id: `ask-${word}`, checked: word === 'dag'});
  span.textContent = title;
  label.append(input, span);
  byId('questions').append(label);
  input.addEventListener('change', run);
}
for (const id of ['texts', 'node', 'more']) byId(id).addEventListener('input', showCommand);
byId('texts').addEventListener('change', run);
byId('ask').addEventListener('submit', (event) => { event.preventDefault(); run(); });
function cancel() {
  if (!waiting) return;
  stopWorker();
  finish('Cancelled.', false);
  byId('run').focus();
}
byId('cancel').addEventListener('click', cancel);
addEventListener('keydown', (event) => { if (event.key === 'Escape') cancel(); });

for (const [button, input] of [['choose-files', 'files'], ['choose-folder', 'folder'], ['other', 'files']])
  byId(button).addEventListener('click', () => byId(input).click());
for (const id of ['files', 'folder'])
  byId(id).addEventListener('change', () => {
    take(Array.from(byId(id).files, (file) => ({path: file.webkitRelativePath || file.name, file})));
    byId(id).value = '';
  });
const isOver = (value) => document.body.classList.toggle('over', value);
addEventListener('dragover', (event) => { event.preventDefault(); isOver(true); });
addEventListener('dragleave', (event) => { if (!event.relatedTarget) isOver(false); });
addEventListener('drop', async (event) => {
  event.preventDefault();
  isOver(false);
  try {
    take((await Promise.all(droppedIn(event.dataTransfer))).flat());
  } catch (error) {
    finish(`The files cannot be read: ${error.message}`, true);
  }
});
// For tests, and for the console.
Object.defineProperty(window, 'xtracePage', {get: () => ({isBusy: waiting !== null, answer})});
startWorker();
