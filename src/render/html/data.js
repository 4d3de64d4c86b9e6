// What the page holds, unpacked: columns of numbers, a row a node, and the texts they point into.
// Rows are numbers everywhere; an id is looked up only where a person or another program names one.

/**
 * @typedef {[name: string, width: number, count: number, code: string]} PackedColumn
 * @typedef {Float64Array | Int32Array | Uint32Array | Uint16Array | Uint8Array} Numbers
 * @typedef {object} Head
 * @property {number} page             version of this layout
 * @property {string} kind             the command: dag, explain, trust, …
 * @property {string} title
 * @property {number} nodes
 * @property {number} edges
 * @property {number} epoch_us         the first moment, in microseconds since 1970
 * @property {number} tick_us          what one unit of `start`, `duration` and `wait` lasts
 * @property {number} text             bytes of the texts behind the columns
 * @property {PackedColumn[]} columns
 * @property {string} select           id of what the answer is about; empty: nothing in particular
 * @property {string} [view]           the pane shown first, where it is not the first one
 * @property {string} level
 * @property {number} texts            blocks of texts, at level full
 * @property {boolean} [local]         times are shown in the zone of the browser
 * @property {Record<string, number>} hues  of kinds that have the same in every picture
 * @property {Record<string, string>} colours  by agent type: those that the log gives
 * @property {[value: string, name: string, bad: boolean][]} figures  at the head
 * @property {string[]} signs         of the timeline, with what they stand for
 * @property {Actors} actors           not on pages that compare, sum up or judge
 * @property {string[]} [hide]  kinds of arrows that are hidden at first
 * @property {Actors} [flows]         from results of tools into later tools
 * @property {Record<string, string>} [rules]  by method of a link: its argument in words
 * @property {number} [agents]  of hops, whose lanes are whoever wrote them down
 * @property {Record<string, any>} answer  the answer as JSON, without its nodes and edges
 * @typedef {{nodes: Actor[], edges: ActorEdge[], width: number, height: number, hidden: number, busiest: number}} Actors
 * @typedef {{id: string, label: string, kind: string, x: number, y: number, w: number, h: number}} Actor
 * @typedef {{from: number, to: number, calls: number, tokens: number, cost_nusd: number, time_us: number, failed: number, bytes?: number, about?: boolean, more?: boolean, turns?: boolean, way: number[][], spots: number[][]}} ActorEdge
 */

/** Bits of the column `flags`. */
const CRITICAL = 1, TOOL_ERROR = 2, RETRY = 4, LOW_OUTPUT = 8, KEEP = 16, REVERSED = 32, FAILED = 64, OFFSET = 128, COSTS_MORE = 256, MORE_IN_ALL = 512;
/** What the time before a node was spent on, by the number in the column `wait_kind`. */
const WAIT_WORDS = ['', 'waiting for you', 'tools', 'waiting for approval', 'waiting to retry', 'unexplained', 'background work'];

// Names of their own: minified, they take a fifth of the room, and pages have a budget.
const { abs, ceil, floor, max, min, round } = Math;
/** @typedef {number | ArrayLike<number> | ArrayBufferLike} Content  or how many zeros */
/** @param {Content} of */
const u8 = (of) => new Uint8Array(/** @type {any} */ (of));
/** @param {Content} of */
const u32 = (of) => new Uint32Array(/** @type {any} */ (of));
/** @param {Content} of */
const f64 = (of) => new Float64Array(/** @type {any} */ (of));

/** @type {Head} */
let head;
/** The first moment, in microseconds since 1970, and what a tick lasts. */
let epochUs = 0, tickUs = 1;
/** Nodes and edges. */
let N = 0, E = 0;
/** @type {Record<string, Numbers>} */
const col = Object.create(null);
/** @type {string[]} */
let strings = [];
let allIds = '';
// Where each id begins in allIds.
/** @type {Uint32Array} */
let idStart = u32(1);
/** Edges into row r are inFirst[r] … inFirst[r+1]-1; those out of it outEdge[outFirst[r]] … */
let inFirst = u32(1), outFirst = u32(1), outEdge = u32(0);
/** Source and target rows of each edge. */
let sourceRow = u32(0), targetRow = u32(0);
/** Where the rivals of edge e, and the tools of row r, begin. */
let rivalFirst = u32(1), toolFirst = u32(1);
/** How deep below the first rows each stands. */
let depths = new Uint16Array(0);
/** Length of all, in ticks. */
let lastTick = 1;

// Where two runs are compared: the first row of the older one, by how many ticks it is moved to stand beside the new one, where they part, what became of each row (a place in CHANGES) and its row in the other run.
let oldRow = Infinity, movedBy = 0, partedRow = -1, fates = u8(0);
/** @type {Map<number, number>} */
const twins = new Map();
/** @param {number} row */
const isOld = (row) => row >= oldRow;

/** @param {string} id @returns {HTMLElement} */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} text @returns {Uint8Array} */
const fromBase64 = (text) => Uint8Array.fromBase64?.(text) ?? Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

// Not by way of a Blob: virtual time, with which pages are tested, does not wait for another process.
/** @param {string} text base64 of a gzip member @returns {Promise<Uint8Array>} */
async function inflate(text) {
  const body = /** @type {ReadableStream} */ (new Response(/** @type {any} */ (fromBase64(text))).body);
  return u8(await new Response(body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer());
}

/** @param {Uint8Array} raw @param {number} at @param {PackedColumn} column @returns {Numbers} */
function readColumn(raw, at, [, width, count, code]) {
  const signed = code !== '', isDifference = code.includes('d'), hasSign = code.includes('z');
  const out = width > 4 || (width === 4 && signed) ? f64(count)
    : signed ? (width < 4 && !isDifference ? new Int32Array(count) : f64(count))
    : width === 1 ? raw.slice(at, at + count) : width === 2 ? new Uint16Array(count) : u32(count);
  if (width > 1 || signed)
    for (let i = 0, before = 0; i < count; i++) {
      let value = 0;
      for (let plane = at + (width - 1) * count; plane >= at; plane -= count) value = value * 256 + raw[plane + i];
      if (hasSign) value = value % 2 ? -(value + 1) / 2 : value / 2;
      if (isDifference) before = value += before;
      out[i] = value;
    }
  return out;
}

/** @param {Numbers} counts @returns {Uint32Array} sums of all before each, and of all */
function sumsOf(counts) {
  const sums = u32(counts.length + 1);
  for (let i = 0; i < counts.length; i++) sums[i + 1] = sums[i] + counts[i];
  return sums;
}

function linkUp() {
  inFirst = sumsOf(col.degree); toolFirst = sumsOf(col.tools); rivalFirst = sumsOf(col.e_rivals);
  sourceRow = u32(E); targetRow = u32(E); outFirst = u32(N + 1); outEdge = u32(E);
  for (let r = 0; r < N; r++) for (let e = inFirst[r]; e < inFirst[r + 1]; e++) { targetRow[e] = r; sourceRow[e] = r - col.e_source[e]; }
  for (let e = 0; e < E; e++) outFirst[sourceRow[e] + 1]++;
  for (let r = 0; r < N; r++) outFirst[r + 1] += outFirst[r];
  const seat = outFirst.slice();
  for (let e = 0; e < E; e++) outEdge[seat[sourceRow[e]]++] = e;
  depths = new Uint16Array(N);
  for (let r = 0; r < N; r++) {
    if (col.parent[r]) depths[r] = min(65535, depths[r - col.parent[r]] + 1);
    if (col.timed[r]) lastTick = max(lastTick, col.start[r] + ticksOf(r));
  }
}

// Reads what stands in the page.
/** @returns {Promise<void>} rejected if it is damaged */
async function unpack() {
  head = JSON.parse($('x-head').textContent ?? '');
  if (head.page !== 1) throw new Error(`the page has version ${head.page}, but its script has version 1`);
  if (typeof DecompressionStream === 'undefined') throw new Error('this browser cannot decompress gzip');
  N = head.nodes; E = head.edges; epochUs = head.epoch_us; tickUs = head.tick_us;
  const raw = await inflate($('x-data').textContent ?? '');
  let at = 0;
  for (const column of head.columns) { col[column[0]] = readColumn(raw, at, column); at += column[1] * column[2]; }
  if (raw.length !== at + head.text) throw new Error(`${raw.length} bytes of data instead of ${at + head.text}`);
  const whole = new TextDecoder().decode(raw.subarray(at));
  strings = new Array(col.s_length.length);
  let o = 0;
  for (let i = 0; i < strings.length; i++) { strings[i] = whole.slice(o, o + col.s_length[i]); o += col.s_length[i]; }
  allIds = whole.slice(o); idStart = sumsOf(col.id_length);
  linkUp();
}

/** @param {number} row */
const idOf = (row) => allIds.slice(idStart[row], idStart[row + 1]);

/** @param {string} text @param {number} from @param {number} to */
function hashOf(text, from, to) {
  let h = 2166136261;
  for (let i = from; i < to; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
// Rows + 1 by the hash of their id: a tenth of what a Map takes. Made when the first is asked for.
/** @type {Uint32Array | null} */
let rowTable = null;
/** @param {string} id @returns {number} -1 if there is none */
function rowOf(id) {
  if (!rowTable) {
    let size = 16; while (size < N * 2) size *= 2;
    rowTable = u32(size);
    for (let r = 0; r < N; r++) {
      let k = hashOf(allIds, idStart[r], idStart[r + 1]) & (size - 1);
      while (rowTable[k]) k = (k + 1) & (size - 1);
      rowTable[k] = r + 1;
    }
  }
  const last = rowTable.length - 1;
  for (let k = hashOf(id, 0, id.length) & last; rowTable[k]; k = (k + 1) & last)
    if (idOf(rowTable[k] - 1) === id) return rowTable[k] - 1;
  return -1;
}

/** @param {string} column of values + 1 @param {number} row @returns {number | null} */
const known = (column, row) => col[column][row] === 0 ? null : col[column][row] - 1;
/** @param {string} column of places in `strings` @param {number} row */
const textOf = (column, row) => strings[col[column][row]];
// Length in ticks as it is drawn: one that is unknown or ends before it starts has none.
/** @param {number} row */
const ticksOf = (row) => col.duration[row] === 0 || col.flags[row] & REVERSED ? 0 : col.duration[row] - 1;
// Microseconds since 1970.
/** @param {number} row @returns {number | null} */
const startOf = (row) => col.timed[row] ? epochUs + (col.start[row] - (isOld(row) ? movedBy : 0)) * tickUs : null;
// Microseconds; negative where the log says so.
/** @param {number} row @returns {number | null} */
function durationOf(row) {
  const ticks = known('duration', row);
  return ticks === null ? null : ticks * tickUs * (col.flags[row] & REVERSED ? -1 : 1);
}
/** @param {number} row @param {number} flag */
const has = (row, flag) => (col.flags[row] & flag) !== 0;
// 0: nothing, 1: it failed, 2: a tool that it asked for did, 3: it was tried again.
/** @param {number} row */
const troubleOf = (row) => has(row, FAILED) ? 1 : has(row, TOOL_ERROR) ? 2 : has(row, RETRY) ? 3 : 0;
// What failed of calls, in words and with a sign.
/** @param {string} failed @param {number} toolErrors */
const tellFailed = (failed, toolErrors) => failed || toolErrors ? '! ' + joined([failed, toolErrors > 1 ? toolErrors + ' tool errors' : toolErrors && 'tool error'], ', ') : '';
// What a column holds of the tools that a row asked for.
/** @param {string} column @param {number} row */
const usesOf = (column, row) => Array.from(col[column].subarray(toolFirst[row], toolFirst[row + 1]));
/** @param {number} row */
const toolErrorsOf = (row) => howMany(usesOf('t_error', row), Boolean);
// Why a call failed, or what its first tool that failed reported.
/** @param {number} row */
function whyOf(row) {
  for (let t = toolFirst[row]; t < toolFirst[row + 1]; t++) if (col.t_error[t] && col.t_why[t]) return strings[col.t_why[t]];
  return textOf('error', row);
}
/** @param {number} row */
function stateOf(row) {
  const state = joined([has(row, RETRY) && '↻ retry', tellFailed(has(row, FAILED) ? 'failed' : '', toolErrorsOf(row))], ', ') || textOf('status', row), why = whyOf(row);
  // What passed is ok.
  return /^ok$/i.test(state) && why || joined([state, why], ': ');
}
/** @param {number} row */
const costOf = (row) => atLeast(has(row, COSTS_MORE), inDigits(known('cost', row)));
/** @param {number} row */
const agentOf = (row) => strings[col.lane_agent[col.lane[row]]];
/** @param {number} row */
const sessionOf = (row) => strings[col.lane_session[col.lane[row]]];
// `file:line`, or `file@offset`.
/** @param {number} row */
function placeOf(row) {
  const place = known('place', row), file = textOf('file', row);
  return place === null ? file : file + (has(row, OFFSET) ? '@' : ':') + place;
}
// What it did, in a line: the tools it asked for, else its name, else why it failed or that it answered.
/** @param {number} row */
function labelOf(row) {
  const own = textOf('name', row);
  if (own) return own;
  if (toolFirst[row] === toolFirst[row + 1]) return has(row, FAILED) ? `failed: ${textOf('error', row)}`.replace(/: (error)?$/, '') : textOf('status', row) === 'ok' && textOf('model', row) ? 'reply' : textOf('model', row) || textOf('kind', row);
  /** @type {Map<string, number>} */
  const uses = new Map();
  for (let t = toolFirst[row]; t < toolFirst[row + 1] && uses.size < 20; t++) {
    const use = `${strings[col.t_name[t]]} ${strings[col.t_target[t]]}`.trim();
    uses.set(use, (uses.get(use) ?? 0) + 1);
  }
  return [...uses].map(([use, times]) => times > 1 ? `${use} ×${times}` : use).join(', ');
}

// At level full: what it was asked, or what it said.
/** @param {'asked' | 'said'} column @param {number} row */
const wordsOf = (column, row) => col[column]?.[row] ? ' ' + textOf(column, row) : '';
/** @param {number} row @param {boolean} back @returns {number[]} edges into it, or out of it */
const edgesBeside = (row, back) => back ? Array.from({ length: inFirst[row + 1] - inFirst[row] }, (_, k) => inFirst[row] + k) : [...outEdge.subarray(outFirst[row], outFirst[row + 1])];
/**
 * @typedef {{edge: number, row: number, confidence: number}} End  the other end of an edge
 * @param {number} row @returns {{causes: End[], effects: End[]}} the surest first, then the nearest row
 */
function linksOf(row) {
  const [causes, effects] = [true, false].map((back) => edgesBeside(row, back).map((edge) => ({ edge, row: (back ? sourceRow : targetRow)[edge], confidence: col.e_confidence[edge] / 10000 }))
    .sort((a, b) => b.confidence - a.confidence || abs(a.row - row) - abs(b.row - row) || a.row - b.row));
  return { causes, effects };
}

/** @param {number} e @returns {string} its type, for people */
const typeOf = (e) => titled(textOf('e_type', e));
/** @param {number} e */
const sureOf = (e) => tellSure(col.e_confidence[e] / 10000);
/** @param {number} e */
const tellEnds = (e) => [sourceRow[e], targetRow[e]].map((r) => tellName(labelOf(r), 60)).join(' → ');
// What else an edge could have come from.
/** @param {number} e @returns {{id: string, confidence: number}[]} */
function rivalsOf(e) {
  const rivals = [];
  for (let r = rivalFirst[e]; r < rivalFirst[e + 1]; r++)
    rivals.push({ id: col.r_text[r] ? strings[col.r_text[r]] : idOf(targetRow[e] - col.r_source[r]), confidence: col.r_confidence[r] / 10000 });
  return rivals;
}
