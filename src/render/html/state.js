// What the person at the page has chosen, and what is shown of it, drawn once a frame.

/**
 * @typedef {object} Filters
 * @property {string} agent @property {string} model @property {string} tool @property {string} status
 * @property {string} link        only nodes with a link of this type
 * @property {number} turn        0: all
 * @property {number} cost        billionths of a dollar at least
 * @property {number} confidence  only nodes with a link below this, of 10000; 0: all
 * @property {number} wait        only nodes that were waited for in this way: a place in WAIT_WORDS; 0: all
 * @property {boolean} range      only what overlaps the time in view
 */
/** @returns {Filters} */
const noFilters = () => ({ agent: '', model: '', tool: '', status: '', link: '', turn: 0, cost: 0, confidence: 0, wait: 0, range: false });

/** Name of the pane that is shown. */
let paneName = '';
/** Rows; -1: none. `secondRow` is the other end of a path. */
let selectedRow = -1, secondRow = -1;
/** A link that is selected instead; -1: none. */
let selectedLink = -1;
/** The time in view, in ticks from the first moment. */
let fromTick = 0, toTick = 1;
// Rows whose children are hidden.
/** @type {Set<number>} */
const folds = new Set();
let filterBy = noFilters();
/** Only what led to the selection and came of it. */
let pathOnly = false;
let queryText = '';
/** Column that the tree is sorted by, empty: as it happened; and whether the largest stand first. */
let sortKey = '', sortDown = true;
// What was selected before, last at the end.
/** @type {number[]} */
const trail = [];
/** Moment that is played, in ticks; -1: nothing is. */
let playedAt = -1;

/**
 * A part of the page that draws itself.
 * @typedef {object} Pane
 * @property {string} name    in links and of the hook
 * @property {string} title   on its button
 * @property {HTMLElement} element  hidden while another is shown
 * @property {string} [below]       name of the pane below which it stays
 * @property {() => void} draw      with what is chosen now; called once a frame at most, while it is shown
 * @property {(event: KeyboardEvent) => boolean} [key]  asked before all others; true: the key was its own
 * @property {(row: number) => void} [reveal]  moves so that a row can be seen
 * @property {(row: number) => {x: number, y: number} | null} [spot]  middle of its mark in client pixels
 */
// Those of this page, in the order of their keys.
/** @type {Pane[]} */
const panes = [];
// Drawn whichever pane is shown.
/** @type {(() => void)[]} */
const always = [];
// Called when what is shown has changed: filters, folds, sorting. True: filters hide others than before.
/** @type {((hidesAnew: boolean) => void)[]} */
const onRelist = [];

/** @returns {Pane | undefined} */
const pane = () => panes.find((p) => p.name === paneName);

let frameAsked = false;
// How long each frame took to draw, in milliseconds.
/** @type {number[]} */
const frameTimes = [];
/** Draws in the next frame. */
function soon() {
  if (frameAsked) return;
  frameAsked = true;
  requestAnimationFrame(() => {
    frameAsked = false;
    const begun = performance.now();
    for (const draw of always) draw();
    for (const p of panes) if (!p.element.hidden) p.draw();
    if (frameTimes.length >= 4000) frameTimes.shift();
    frameTimes.push(performance.now() - begun);
  });
}
/** @returns {Promise<void>} when what is chosen now is painted */
const painted = () => new Promise((done) => { soon(); requestAnimationFrame(() => requestAnimationFrame(() => done())); });

/** The rows that no fold and no filter hides, in the order in which the tree shows them. */
let shown = u32(0);
/** Place of each row in `shown`, +1; 0: it is hidden. */
let shownAt = u32(0);
/** The same with the lines of turns and stacks, which are below 0: see groupAt. */
let lines = new Int32Array(0), lineAt = shownAt;

// Rows from which `row` can be reached, or those that it reaches; itself included. With a turn, no row of another one.
/** @param {number} row @param {boolean} back @param {number} [turn] as the column has it; 0: all @returns {Uint8Array} */
function reach(row, back, turn = 0) {
  const seen = u8(N), stack = [row];
  seen[row] = 1;
  while (stack.length) {
    const r = /** @type {number} */ (stack.pop()), ends = back ? inFirst : outFirst;
    for (let k = ends[r]; k < ends[r + 1]; k++) {
      const next = back ? sourceRow[k] : targetRow[outEdge[k]];
      if (!seen[next] && (!turn || !col.turn[next] || col.turn[next] === turn)) { seen[next] = 1; stack.push(next); }
    }
  }
  return seen;
}
// Marks the rows that led to `row` and those it led to, from the roots to the leaves; with a second row, of the chains between both.
/** @param {number} row @param {number} [second] @returns {Uint8Array} */
function pathOf(row, second = -1) {
  const before = reach(row, true), after = reach(row, false);
  if (second < 0) return before.map((yes, r) => yes | after[r]);
  const from = reach(second, false), to = reach(second, true);
  return before.map((yes, r) => yes & from[r] | after[r] & to[r]);
}
/** Where the path that is shown was asked for: moving along it keeps it. */
let pathRow = -1;

/** @returns {((row: number) => boolean) | null} null: everything is shown */
function filterOf() {
  const f = filterBy;
  if (!pathOnly) pathRow = -1;
  else if (pathRow < 0) pathRow = selectedRow;
  const on = pathRow >= 0 ? pathOf(pathRow, secondRow) : null;
  /** @type {((row: number) => boolean)[]} */
  const all = [];
  if (f.agent) all.push((r) => agentOf(r) === f.agent);
  if (f.model) all.push((r) => textOf('model', r) === f.model);
  if (f.status) all.push((r) => f.status === 'tool error' ? has(r, TOOL_ERROR) : textOf('status', r) === f.status);
  if (f.turn) all.push((r) => known('turn', r) === f.turn);
  if (f.cost) all.push((r) => (known('cost', r) ?? -1) >= f.cost);
  if (f.tool) all.push((r) => usesOf('t_name', r).some((name) => strings[name] === f.tool));
  const linked = (/** @type {(edge: number) => boolean} */ test) => {
    const marks = u8(N);
    for (let e = 0; e < E; e++) if (test(e)) marks[sourceRow[e]] = marks[targetRow[e]] = 1;
    all.push((r) => marks[r] === 1);
  };
  if (f.link) linked((e) => strings[col.e_type[e]] === f.link);
  if (f.confidence) linked((e) => col.e_confidence[e] < f.confidence);
  if (f.wait) all.push((r) => col.wait[r] > 1 && col.wait_kind[r] === f.wait);
  if (f.range) all.push((r) => col.timed[r] === 1 && col.start[r] <= toTick && col.start[r] + ticksOf(r) >= fromTick);
  if (on) all.push((r) => on[r] === 1);
  return all.length ? (r) => all.every((test) => test(r)) : null;
}
// Columns that the tree can be sorted by: what they hold, -1 where it is unknown.
/** @type {Record<string, (row: number) => number>} */
const SORTS = {
  start: (r) => col.timed[r] ? col.start[r] : -1,
  duration: (r) => col.duration[r] ? ticksOf(r) : -1,
  cost: (r) => known('cost', r) ?? -1,
  in: (r) => known('in', r) ?? -1,
  out: (r) => known('out', r) ?? -1,
  total: (r) => costBelow(r) ?? -1,
};
// Of a row with all below it, as far as it is known.
/** @param {number} row @returns {number | null} */
const costBelow = (row) => known('in_all', row) ?? known('cost', row);

/** How many rows stand in folds. */
let foldedRows = 0;

/** Finds out anew what is shown. */
function relist() {
  const keep = filterOf(), by = Object.hasOwn(SORTS, sortKey) ? SORTS[sortKey] : null, rows = u32(N);
  let many = 0, manyLines = 0, hidesAnew = hiddenRows.length < N;
  lines = new Int32Array(N + groups.length);
  // Where rows are sorted they stand by themselves, and where they are chosen all are wanted.
  const isShutIn = by ? null : walkGroups(!keep, (line) => { lines[manyLines++] = line; });
  foldedRows = 0;
  for (const group of groups) group.line = null;
  if (hidesAnew) hiddenRows = u8(N);
  for (let r = 0, end = 0; r < N; r++) {
    const hides = keep && !keep(r) ? 1 : 0;
    if (hiddenRows[r] !== hides) { hiddenRows[r] = hides; hidesAnew = true; }
    if (r < end) { foldedRows++; continue; }
    if (!hiddenRows[r]) { if (isShutIn?.(r)) foldedRows++; else rows[many++] = lines[manyLines++] = r; }
    if (folds.has(r)) end = r + col.skip[r];
  }
  shown = rows.subarray(0, many);
  if (by) {
    const way = sortDown ? -1 : 1, value = f64(N);
    for (const r of shown) value[r] = by(r);
    // What is unknown stands last, whichever way.
    shown.sort((a, b) => (value[a] < 0 ? 1 : 0) - (value[b] < 0 ? 1 : 0) || way * (value[a] - value[b]) || a - b);
  }
  lines = by ? Int32Array.from(shown) : lines.subarray(0, manyLines);
  shownAt = u32(N); lineAt = u32(N);
  for (let i = 0; i < many; i++) shownAt[shown[i]] = i + 1;
  for (let i = 0; i < lines.length; i++) if (lines[i] >= 0) lineAt[lines[i]] = i + 1;
  for (const told of onRelist) told(hidesAnew);
  soon();
}

function reveal() { if (selectedRow >= 0) for (const p of panes) if (!p.element.hidden) p.reveal?.(selectedRow); }
// Selects a row, unfolds what hides it and moves so that it can be seen.
/** @param {number} row -1: none @param {boolean} [quiet] leaves no trail */
function select(row, quiet = false) {
  chosenGroup = null; selectedLink = -1;
  if (row === selectedRow) { soon(); return; }
  if (!quiet && selectedRow >= 0) trail.push(selectedRow);
  selectedRow = row;
  let note = '';
  if (row < 0) { pathOnly = false; secondRow = -1; }
  if (row >= 0) {
    let unfolded = openGroups(row);
    for (let up = row; col.parent[up];) { up -= col.parent[up]; unfolded = folds.delete(up) || unfolded; }
    if (unfolded) relist();
    if (!shownAt[row]) { filterBy = noFilters(); pathOnly = false; relist(); note = 'the filters that hid it were cleared'; }
    reveal();
  } else if (shown.length < N) relist();
  saySelected(row, note);
  soon();
}

/** @param {number} e */
function selectLink(e) {
  select(-1);
  selectedLink = e;
  say(`${typeOf(e)}: ${tellEnds(e)}, ${sureOf(e)}`);
  soon();
}

/** @param {string} name @returns {boolean} is there such a pane? */
function showPane(name) {
  const next = panes.find((p) => p.name === name);
  if (!next) return false;
  paneName = name;
  for (const p of panes) p.element.hidden = p !== next && p.below !== name;
  reveal();
  soon();
  return true;
}

// Shows this time, in ticks; never less than one, nor beyond all there is.
/** @param {number} from @param {number} to */
function showRange(from, to) {
  const wide = clamp(to - from, 1, lastTick);
  fromTick = clamp(from, 0, lastTick - wide);
  toTick = fromTick + wide;
  if (filterBy.range) relist();
  soon();
}
