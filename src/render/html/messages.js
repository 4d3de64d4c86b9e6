// What a call adds to its conversation, for people: prompts, thinking, replies, arguments of tools and their results.

// Lines of a text that are shown at once; of an edit, whose lines belong together, more. Marks of what is searched, in a text.
const MOST_LINES = 12, MOST_OF_EDIT = 40, MOST_OF_LINE = 600, MOST_MARKS = 50;
/** @typedef {[look: string, text: string]} Line  of a text; what an edit adds or removes looks different */
/** @typedef {{kind: string, tool_use_id?: string, is_error?: boolean, image_tokens?: number, text?: string, text_in?: string}} Message  with its text, or the field of the call that has it */
/** @typedef {{name?: string, id?: string, arguments?: string, target?: string}} Use */

// Texts that were opened stay open after they have scrolled away.
/** @type {Set<string>} */
const openedTexts = new Set();
/** @param {string} text @returns {string[]} its lines, without the colours of a terminal */
const linesOf = (text) => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r\n?/g, '\n').replace(/\t/g, '    ').replace(/^\n+|\s+$/g, '').split('\n');
/** @param {string} text @returns {Line[]} */
const plainLines = (text) => linesOf(text).map((line) => ['', line]);

let soughtText = '';
/** @type {RegExp | null} */
let sought = null;
// What finds the words in the search field; null: it is empty. One letter would be marked everywhere.
/** @returns {RegExp | null} */
function soughtWords() {
  if (soughtText !== queryText) {
    const words = wordsIn(soughtText = queryText).filter((word) => word.length > 1);
    sought = words.length ? new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'gi') : null;
  }
  return sought;
}
/** @param {HTMLElement} element @param {string} text */
function putMarked(element, text) {
  const words = soughtWords();
  let at = 0, left = MOST_MARKS;
  if (words) for (const { index = 0, 0: found } of text.matchAll(words)) {
    if (!left--) break;
    put(element, text.slice(at, index), make('mark', '', found));
    at = index + found.length;
  }
  return put(element, text.slice(at));
}

// A text of which the first lines are shown, and a button for the others. What is searched is never hidden.
/** @param {string} key of openedTexts @param {Line[]} lines @param {number} [most] 0: none, until it is opened @param {string} [look] @returns {HTMLElement[]} */
function foldedText(key, lines, most = MOST_LINES, look = '') {
  const body = make('pre', look), words = soughtWords(), isLong = lines.length > most || lines.some(([, text]) => text.length > MOST_OF_LINE);
  const hides = (/** @type {Line} */ [, text], /** @type {number} */ k) => words !== null && (k < most ? text.slice(MOST_OF_LINE) : text).search(words) >= 0;
  if (isLong && lines.some(hides)) openedTexts.add(key);
  const fill = () => {
    const whole = !isLong || openedTexts.has(key), part = whole ? lines : lines.slice(0, most);
    body.replaceChildren();
    for (let k = 0, first = 0; k <= part.length; k++) {
      if (k < part.length && part[k][0] === part[first][0] || k === first) continue;
      put(body, putMarked(make('span', part[first][0]), part.slice(first, k).map(([, text]) => tellName(text, whole ? Infinity : MOST_OF_LINE)).join('\n')));
      first = k;
    }
    body.hidden = !part.length;
    more.textContent = whole ? 'less' : lines.length > most ? tellMany(lines.length - most, most ? 'more line' : 'line') : 'whole lines';
  };
  const more = press('', () => { if (!openedTexts.delete(key)) openedTexts.add(key); fill(); });
  more.className = 'more';
  fill();
  return isLong ? [body, more] : [body];
}
// One that is folded whole, behind its title.
/** @param {string} words @param {string} key @param {Line[]} lines @returns {HTMLElement[]} */
function shutText(words, key, lines) {
  const [body, more] = foldedText(key, lines, 0, 'soft');
  return [label(words, more), body];
}
/** @param {string} [text] */
const cutNote = (text) => text?.endsWith('…') ? [make('p', 'soft', 'truncated by --max-text')] : [];

// How many lines of either text are compared with all of the other; beyond that, all old ones come before all new ones.
const MOST_COMPARED = 400;
// What an edit changes, line by line: the longest common subsequence stays.
/** @param {string} before @param {string} after @returns {Line[]} */
function changedLines(before, after) {
  const old = before ? linesOf(before) : [], now = after ? linesOf(after) : [], n = old.length, m = now.length, wide = m + 1, isSmall = n <= MOST_COMPARED && m <= MOST_COMPARED;
  const common = new Uint16Array(isSmall ? (n + 1) * wide : 0), /** @type {Line[]} */ lines = [];
  if (isSmall) for (let i = n - 1; i >= 0; i--) for (let j = m - 1; j >= 0; j--) common[i * wide + j] = old[i] === now[j] ? common[(i + 1) * wide + j + 1] + 1 : max(common[(i + 1) * wide + j], common[i * wide + j + 1]);
  for (let i = 0, j = 0; i < n || j < m;) {
    if (isSmall && i < n && j < m && old[i] === now[j]) { lines.push(['', '  ' + old[i++]]); j++; }
    else if (i < n && (j >= m || !isSmall || common[(i + 1) * wide + j] >= common[i * wide + j + 1])) lines.push(['c-minus', '- ' + old[i++]]);
    else lines.push(['c-plus', '+ ' + now[j++]]);
  }
  return withoutRuns(lines);
}
// Lines that stay are shown next to those that do not.
const NEXT_TO = 3;
/** @param {Line[]} lines @returns {Line[]} */
function withoutRuns(lines) {
  const changes = lines.flatMap(([look], k) => look ? [k] : []), isNear = lines.map((_, k) => changes.some((at) => abs(at - k) <= NEXT_TO)), far = isNear.filter((near) => !near).length;
  if (far <= NEXT_TO || !changes.length) return lines;
  return lines.flatMap((line, k) => isNear[k] ? [line] : isNear[k - 1] || !k ? [/** @type {Line} */ (['', '  …'])] : []);
}
/** @param {string} text a patch @returns {Line[]} */
const patchLines = (text) => linesOf(text).map((line) => [/^\+(?!\+\+ )/.test(line) ? 'c-plus' : /^-(?!-- )/.test(line) ? 'c-minus' : '', line]);

// What tools of different agents call the same argument, and what a patch begins with.
const PATHS = ['file_path', 'path', 'filePath', 'filename', 'notebook_path', 'absolute_path', 'target_file'], COMMANDS = ['command', 'cmd'], CONTENTS = ['content', 'file_text', 'contents', 'code_edit', 'new_source'];
const EDITS = [['old_string', 'new_string'], ['old_str', 'new_str'], ['oldString', 'newString'], ['old_text', 'new_text'], ['oldText', 'newText'], ['search', 'replace']];
const PATCH = /^(\*\*\* (Begin Patch|(Update|Add|Delete) File)|diff --git |--- \S|@@ )/m;

/** @param {string} given as JSON; what is none is the one argument @returns {Record<string, any>} */
function argumentsOf(given) {
  try { const all = JSON.parse(given); if (isObject(all)) return all; } catch { /* a patch, or cut off */ }
  return given ? { '': given } : {};
}
/** @param {any} value */
const isObject = (value) => value?.constructor === Object;
// The first of these that is there is taken out of the arguments.
/** @param {Record<string, any>} given @param {string[]} names @returns {any} */
function takeOut(given, names) {
  const name = names.find((one) => typeof given[one] === 'string' || Array.isArray(given[one])), value = name === undefined ? undefined : given[name];
  if (name !== undefined) delete given[name];
  return value;
}
// What a tool changes in a file: edits, contents, a patch; taken out of its arguments.
/** @param {Record<string, any>} given @returns {Line[]} */
function editsOf(given) {
  const several = Array.isArray(given.edits) && given.edits.every(isObject) ? given.edits : [], /** @type {Line[]} */ lines = [];
  for (const one of [given, ...several]) {
    const names = EDITS.find(([old, now]) => typeof one[old] === 'string' && typeof one[now] === 'string');
    if (!names) continue;
    if (lines.length) lines.push(['', '  …']);
    lines.push(...changedLines(one[names[0]], one[names[1]]));
    for (const name of names) delete one[name];
  }
  if (lines.length && several.length) delete given.edits;
  for (const [name, value] of Object.entries(given)) if (typeof value === 'string' && PATCH.test(value)) { lines.push(...patchLines(value)); delete given[name]; }
  return lines;
}
// `$ make` of a command; of `["bash", "-lc", "make"]` the script.
/** @param {string | string[]} command @returns {Line[]} */
function commandLines(command) {
  const script = Array.isArray(command) ? /^-\w*c$/.test(command[1]) ? String(command[2]) : command.join(' ') : command;
  return linesOf(script).map((line, k) => ['', (k ? '  ' : '$ ') + line]);
}
// The arguments of a tool: its command, what it changes, then each other one by its name.
/** @param {string} key @param {Use} use @returns {HTMLElement[]} */
function useParts(key, { name = '', target = '', arguments: all = '' }) {
  const given = argumentsOf(all), path = takeOut(given, PATHS), command = takeOut(given, COMMANDS), edits = editsOf(given), contents = path === undefined || edits.length ? undefined : takeOut(given, CONTENTS);
  const note = command === undefined ? '' : takeOut(given, ['description']) ?? '', title = put(/** @type {HTMLElement} */ (make('p', 'c-label')), make('b', '', tellName(name, 80)), ' ', putMarked(make('bdi'), tellName(path === undefined ? target && command === undefined ? target : note : String(path), 400)));
  const parts = [title], /** @type {Line[]} */ short = [];
  if (command !== undefined) parts.push(...foldedText(key + 'c', commandLines(command), MOST_LINES, 'c-code'));
  if (edits.length) parts.push(...foldedText(key + 'e', edits, MOST_OF_EDIT, 'c-code'));
  if (typeof contents === 'string') parts.push(...foldedText(key + 'w', linesOf(contents).map((line) => ['c-plus', '+ ' + line]), MOST_LINES, 'c-code'));
  for (const [argument, value] of Object.entries(given)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value), lines = linesOf(text);
    // The target is in the title.
    if (text === target && parts.length === 1 && path === undefined) continue;
    if (lines.length < 2) { short.push(['', argument ? `${argument}: ${lines[0]}` : lines[0]]); continue; }
    if (argument) short.push(['', argument + ':']);
    short.push(...lines.map((line) => /** @type {Line} */ (['', (argument ? '  ' : '') + line])));
  }
  const isBrief = short.length <= 3 && short.every(([, text]) => text.length < 60), rest = isBrief ? [putMarked(make('p', 'soft'), short.map(([, text]) => tellName(text)).join(' · '))] : foldedText(key + 'a', short, MOST_LINES, 'c-code');
  return [...parts, ...short.length ? rest : [], ...cutNote(all)];
}

// Which uses of tools the results of a call are for, by their ids; they are texts of the calls that asked.
/** @param {number} row @returns {Promise<Map<string, Use>>} */
async function usesFor(row) {
  const sources = new Set(), /** @type {Map<string, Use>} */ uses = new Map();
  for (let e = inFirst[row]; e < inFirst[row + 1] && sources.size < 40; e++) if (strings[col.e_type[e]] === 'tool_result') sources.add(sourceRow[e]);
  for (const source of sources) for (const use of (await textsOf(source)).tool_uses ?? []) if (use.id) uses.set(use.id, use);
  return uses;
}
// The call whose agent a use of a tool started; -1: none.
/** @param {number} row @param {string} [use] */
const startedBy = (row, use) => targetRow[edgesBeside(row, false).find((e) => strings[col.e_type[e]] === 'subagent_spawn' && (!use || strings[col.e_evidence[e]] === use)) ?? -1] ?? -1;

/** @param {number} row */
const promptedBy = (row) => { const above = laneAbove(col.lane[row]); return above < 0 ? 'User' : `Prompt from ${tellLane(above)}`; };
/** @param {string} words @param {...HTMLElement} more @returns {HTMLElement} */
const label = (words, ...more) => put(make('p', 'c-label'), make('b', '', words), ' ', ...more);

// What each kind of message looks like.
/** @type {Record<string, (message: Message, key: string, row: number, use: Use) => (HTMLElement | string)[]>} */
const MESSAGES = {
  prompt: ({ text = '' }, key, row) => {
    // What a client puts in is no word of the user.
    const [, tag] = /^\s*<(system-reminder|local-command-caveat|command-message)>/.exec(text) ?? [];
    return [...tag ? shutText(titled(tag.replace(/-/g, '_')), key, plainLines(text)) : [label(promptedBy(row)), ...text ? foldedText(key, plainLines(text)) : []], ...cutNote(text)];
  },
  thinking: ({ text = '' }, key) => [...shutText('Thinking', key, plainLines(text)), ...cutNote(text)],
  reply: ({ text = '' }, key) => [...foldedText(key, plainLines(text), 2 * MOST_LINES), ...cutNote(text)],
  tool_use: ({ tool_use_id: id }, key, row, use) => {
    const started = startedBy(row, id);
    return [...useParts(key, use), ...started >= 0 && id ? [goTo(bdi('→ ' + tellLane(col.lane[started])), () => select(started))] : []];
  },
  tool_result: ({ text = '', is_error: failed }, key, _, { name = 'a tool', target = '' }) =>
    [label(`${failed ? '! ' : ''}Result of ${tellName(name, 80)}`, ...target ? [bdi(shortPaths(target), 200)] : []), ...text ? foldedText(key, plainLines(text), MOST_LINES, failed ? 'c-code bad' : 'c-code') : [], ...cutNote(text)],
};
/** Reasons to stop that need no words. */
const USUAL_STOPS = /^(end_turn|tool_use|stop|stop_sequence|tool_calls|completed|tool-calls|toolUse|endTurn|STOP)$/;

// Texts and whatever else has no column, by row, at level full: read when first asked for, which several calls may do at once.
/** @type {Map<number, Promise<any[]>>} */
const textBlocks = new Map();
/** @param {number} block @returns {Promise<any[]>} its texts */
async function unpackBlock(block) {
  // Texts follow the script, so that a page opens before it has read them.
  if (document.readyState === 'loading') await new Promise((done) => listen(document, 'DOMContentLoaded', done, { once: true }));
  return JSON.parse(new TextDecoder().decode(await inflate($(`x-texts-${block}`).textContent ?? '')));
}
/** @param {number} block @returns {Promise<any[]>} its texts, which are not kept */
const readBlock = async (block) => textBlocks.get(block) ?? unpackBlock(block);
/** @param {number} row @returns {Promise<Record<string, any>>} by the key of the JSON answer; empty at other levels */
async function textsOf(row) {
  const block = row >> 8;
  if (block >= head.texts) return {};
  const rows = textBlocks.get(block) ?? unpackBlock(block);
  textBlocks.set(block, rows);
  return (await rows)[row & 255] ?? {};
}

// A text, folded after 12 lines.
/** @param {string} title @param {string} text @returns {(HTMLElement | string)[]} */
function textBlock(title, text) {
  const lines = text.split('\n'), whole = () => lines.map((line) => tellName(line, Infinity)).join('\n'), short = lines.slice(0, 12).map((line) => tellName(line, 400)).join('\n'), body = make('pre', '', short);
  const more = press(lines.length > 12 ? `${tellCount(lines.length - 12)} more lines` : `all ${tellCount(text.length)} characters`, () => { body.textContent = whole(); more.remove(); });
  return [put(make('h3'), bdi(title)), body, text.endsWith('…') ? make('p', 'soft', 'truncated by --max-text') : '', ...lines.length > 12 || lines.some((line) => line.length > 400) ? [more] : []];
}
/** @param {any} value */
const textual = (value) => typeof value === 'string' ? value : JSON.stringify(value, null, 1);
/** @param {Record<string, any>} texts @returns {(HTMLElement | string)[]} */
const textBlocksOf = (texts) => Object.entries(texts).flatMap(([key, value]) => Array.isArray(value) ? value.slice(0, 40).flatMap((use) => textBlock(String(use?.name ?? key), textual(use?.arguments ?? use))) : textBlock(titled(key), textual(value)));

// The last blocks stay unpacked: who reads on asks for the same again.
const KEPT_BLOCKS = 16;
function forgetBlocks() { for (const [oldest] of textBlocks) if (textBlocks.size > KEPT_BLOCKS) textBlocks.delete(oldest); }

/** @param {number} row @returns {Promise<HTMLElement[]>} all that a call adds to its conversation */
async function messageParts(row) {
  const texts = await textsOf(row), { system_prompt: system, declared_tools: tools = [], tool_uses: own = [], messages = [], error_text: error, stop_reason: stop } = texts, uses = await usesFor(row);
  forgetBlocks();
  let nth = 0;
  const parts = messages.map((/** @type {Message} */ message, /** @type {number} */ k) => {
    const { kind, image_tokens: image, tool_use_id: id = '', text_in: field = '' } = message, use = kind === 'tool_use' ? own.find((/** @type {Use} */ one) => id && one.id === id) ?? own[nth] ?? {} : uses.get(id) ?? {};
    if (kind === 'tool_use') nth++;
    return put(make('div', `c-part c-${kind}`), ...MESSAGES[kind]?.({ text: texts[field], ...message }, `${row}.${k}`, row, use) ?? [], ...image ? [make('p', 'soft', `image, about ${tellCount(image)} tokens`)] : []);
  });
  if (system) parts.unshift(put(make('div', 'c-part'), ...shutText('System prompt', row + '.s', plainLines(system))));
  if (tools.length) parts.unshift(put(make('div', 'c-part'), ...shutText('Tools offered', row + '.t', tools.map((/** @type {any} */ { name, description = '' }) => ['', joined([name, description], ': ')]))));
  if (error) parts.push(put(make('div', 'c-part'), label('! Error'), ...foldedText(row + '.e', plainLines(error), MOST_LINES, 'c-code bad')));
  if (stop && !USUAL_STOPS.test(stop)) parts.push(make('p', 'c-part soft', `stopped: ${titled(stop)}`));
  // What has no messages is no call of a model.
  if (messages.length || error) return parts;
  const blocks = textBlocksOf(texts);
  return [put(make('div', 'c-part'), ...blocks.length ? blocks : [make('p', 'soft', 'No text is recorded.')])];
}
/** @param {number} row @returns {Promise<HTMLElement[]>} the same for the details, which omit it next to the conversation */
const saidBlock = async (row) => [put(make('div', 'c-said'), ...await messageParts(row))];
// What the user said in the turn of a call, and what its agent was asked by the one that started it.
/** @param {number} row @param {number} first of its turn @returns {HTMLElement[]} */
function promptBlocks(row, first) {
  const own = byTime.find((r) => col.lane[r] === col.lane[row] && col.turn[r] === col.turn[row]) ?? first;
  return [...new Set([first, own])].map((r) => {
    const box = make('div', 'c-said');
    textsOf(r).then(({ prompt }) => { if (prompt) put(box, ...textBlock('Prompt of ' + agentOf(r), textual(prompt))); }, () => {});
    return box;
  });
}

/** @returns {[name: string, ok: boolean, tells: string]} of what texts are made into */
function checkMessages() {
  const shown = (/** @type {Use} */ use) => useParts('.', use).map(({ textContent }) => textContent).join('|');
  const fails = Object.entries({
    edit: changedLines('a\nb\nc', 'a\nx\nc').map(([, line]) => line).join() === '  a,- b,+ x,  c',
    added: changedLines('', 'a').map(([, line]) => line).join() === '+ a',
    command: shown({ name: 'Bash', arguments: '{"command":"make\\ntest","description":"builds"}' }) === 'Bash builds|$ make\n  test',
    script: shown({ name: 'shell', arguments: '{"command":["bash","-lc","ls"]}' }) === 'shell |$ ls',
    others: shown({ name: 'Grep', arguments: '{"pattern":"x","path":"src","n":1}' }) === 'Grep src|pattern: x · n: 1',
    patch: shown({ name: 'apply_patch', arguments: '*** Begin Patch\n-a\n+b' }) === 'apply_patch |*** Begin Patch-a+b',
    cut: shown({ name: 'x', arguments: '{"a' }) === 'x |{"a',
  }).flatMap(([name, ok]) => ok ? [] : [name]);
  return ['messages', !fails.length, fails.join() || 'as people read them'];
}
