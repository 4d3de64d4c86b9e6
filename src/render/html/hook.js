// `window.xtrace`: what other programs may ask of the page. It shows and steers, changes no fact, and every answer is a copy.

/** @type {() => void} */
let isReady;
/** @type {(reason: unknown) => void} */
let isBroken;
/** @type {Promise<void>} */
const ready = new Promise((done, failed) => { isReady = done; isBroken = failed; });
// Whoever asks learns the reason; where nobody does, the page itself has told it.
ready.catch(() => {});

// Counted once: they do not change.
/** @type {{errors: number, guesses: number} | null} */
let fixedCounts = null;
/** @returns {HookCounts} */
function counts() {
  if (!fixedCounts) {
    let errors = 0, guesses = 0;
    for (let r = 0; r < N; r++) if (has(r, FAILED)) errors++;
    for (let e = 0; e < E; e++) if (col.e_confidence[e] < 9500) guesses++;
    fixedCounts = { errors, guesses };
  }
  return { nodes: N, edges: E, lanes: laneCalls.length, shown: shown.length, ...fixedCounts,
    // Pages that show a graph alone come without that script.
    ...typeof countAnswer === 'function' && countAnswer(head.answer) };
}

/** @param {string} id @returns {HookNode | null} */
function nodeOf(id) {
  const row = rowOf(String(id));
  if (row < 0) return null;
  return { id: idOf(row), row, parent: col.parent[row] ? idOf(row - col.parent[row]) : null, agent: agentOf(row), start_us: startOf(row), duration_us: durationOf(row),
    status: textOf('status', row), failed: has(row, FAILED), critical: has(row, CRITICAL), at: placeOf(row), cost_nusd: known('cost', row), tokens_total: known('total', row) };
}

/** @param {End} end @returns {HookLink} */
const hookLink = ({ edge, row, confidence }) => ({ id: idOf(row), type: textOf('e_type', edge), method: textOf('e_method', edge), confidence, alternatives: rivalsOf(edge) });
/** @param {string} id */
function edgesOf(id) {
  const row = rowOf(String(id));
  if (row < 0) return { causes: [], effects: [] };
  const { causes, effects } = linksOf(row);
  return { causes: causes.map(hookLink), effects: effects.map(hookLink) };
}

/** @param {string | null} id */
async function selectId(id) {
  const row = id === null ? -1 : rowOf(String(id));
  if (row < 0 && id !== null) return false;
  select(row);
  await painted();
  return true;
}

/** @param {string} [name] */
async function viewOf(name) {
  if (name === undefined) return paneName;
  if (!showPane(String(name))) return false;
  await painted();
  return true;
}

/** @param {boolean} [reset] */
function frameStats(reset) {
  const sorted = frameTimes.slice().sort((a, b) => a - b);
  const at = (/** @type {number} */ part) => sorted[min(sorted.length - 1, floor(sorted.length * part))] ?? 0;
  if (reset) frameTimes.length = 0;
  return { frames: sorted.length, p50_ms: at(0.5), p95_ms: at(0.95), max_ms: at(1) };
}

/** @param {number} tick */
const momentOf = (tick) => epochUs + round(tick * tickUs);

/** @type {Hook} */
const hook = {
  version: 1,
  get kind() { return head?.kind ?? ''; },
  ready,
  counts,
  ids: () => Array.from({ length: N }, (_, row) => idOf(row)),
  node: nodeOf,
  edges: edgesOf,
  search: (text) => Array.from(searchRows(String(text)), idOf),
  select: selectId,
  selected: () => selectedRow < 0 ? null : idOf(selectedRow),
  views: () => panes.map(({ name }) => name),
  view: viewOf,
  visible: () => ({ from_us: momentOf(fromTick), to_us: momentOf(toTick), rows: Array.from(lines.subarray(firstInView, endOfView).filter((line) => line >= 0), idOf), marks: manyMarks, arrows: manyArrows, folded: foldedRows }),
  spot: (id) => { const row = rowOf(String(id)); return row < 0 ? null : pane()?.spot?.(row) ?? null; },
  copy: (format) => format === 'markdown' || format === 'json' ? copyAs(format) : '',
  colours: colourPairs,
  frameStats,
};
Object.defineProperty(window, 'xtrace', { value: Object.freeze(hook), enumerable: true });
