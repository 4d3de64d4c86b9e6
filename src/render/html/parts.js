// The whole graph as boxes: rows in groups, of which as many are opened as the picture has room for. Nothing here touches the document.

/**
 * @typedef {object} Part  rows that one box may represent
 * @property {Uint32Array} rows in order of time
 * @property {number} by       place in PART_KEYS of what its rows are divided by next
 * @property {string} name     what its rows have in common; empty: its range
 * @property {Part | null} above
 * @property {Part[] | null} parts  made when it is first opened
 * @property {number} weight      share of rows and of cost; 0: not yet known
 * @typedef {object} GraphBox
 * @property {Part | null} part  null: a row that is never folded
 * @property {ArrayLike<number> & Iterable<number>} rows  those that it represents
 * @property {number} place    among the boxes, in order of time
 * @property {number} layer @property {number} slot @property {number} band
 * @property {number} x @property {number} y
 * @typedef {{from: GraphBox, to: GraphBox, edge: number, many: number}} GraphArrow  of one kind; `edge` is the surest
 */
// A part that divides into more than this is divided by order of time before.
const MOST_PARTS = 40;
// More failures than this are no longer read one by one.
const MOST_ALONE = 60;
// The keys by which rows are divided, from large to small, and the name of a part.
/** @type {[key: (row: number) => number, name: (row: number) => string][]} */
const PART_KEYS = [
  [(r) => col.lane_session[col.lane[r]], (r) => strings[col.lane_session[col.lane[r]]] || 'no session'],
  [(r) => col.lane_type[col.lane[r]], (r) => strings[col.lane_type[col.lane[r]]] || 'unknown'],
  [(r) => col.lane[r], (r) => tellLane(col.lane[r])],
  [(r) => col.turn[r], (r) => col.turn[r] ? `turn ${col.turn[r] - 1}` : 'no turn'],
];
/** @type {Part | null} */
let allRows = null;

/** @param {Uint32Array} rows @param {number} by @param {string} name @param {Part | null} above @returns {Part} */
const newPart = (rows, by, name, above) => ({ rows, by, name, above, parts: null, weight: 0 });
// All rows that no filter hides, in order of time; one without a time follows the row before it.
/** @returns {Part} */
function wholePart() {
  const rows = [];
  for (let r = 0; r < N; r++) if (!hiddenRows[r]) rows.push(r);
  return newPart(Uint32Array.from(rows.sort((a, b) => col.start[a] - col.start[b] || a - b)), 0, '', null);
}
/** @param {Uint32Array} rows @param {(row: number) => number} key @returns {Uint32Array[]} in the order of their first rows */
function divide(rows, key) {
  /** @type {Map<number, number[]>} */
  const groups = new Map();
  for (const r of rows) { const k = key(r), own = groups.get(k); if (own) own.push(r); else groups.set(k, [r]); }
  return [...groups.values()].map((group) => Uint32Array.from(group));
}
// Neighbours that use the same tools, or else have the same name.
/** @param {Uint32Array} rows @returns {Uint32Array[]} */
function divideByUse(rows) {
  const groups = [];
  let begun = 0, before = '';
  rows.forEach((r, i) => {
    const many = toolFirst[r + 1] - toolFirst[r], key = many === 1 ? `${col.t_name[toolFirst[r]]}` : many ? [...new Set(col.t_name.subarray(toolFirst[r], toolFirst[r + 1]))].sort().join() : 'n' + col.name[r];
    if (i && key !== before) { groups.push(rows.subarray(begun, i)); begun = i; }
    before = key;
  });
  groups.push(rows.subarray(begun));
  return groups;
}
/** @param {number} r @returns {string} the tools that it used, without what they worked on */
const toolsUsed = (r) => [...new Set(col.t_name.subarray(toolFirst[r], toolFirst[r + 1]))].map((name) => strings[name]).join(', ') || labelOf(r);
/** @param {Part} part @returns {Part[]} what it consists of; none: one row */
function partsOf(part) {
  if (part.parts) return part.parts;
  const { rows } = part;
  /** @type {Part[]} */
  let parts = [];
  for (let by = part.by; rows.length > 1 && parts.length < 2; by++) {
    const [key, name] = PART_KEYS[by] ?? [], isUse = by === PART_KEYS.length, groups = key ? divide(rows, key) : isUse ? divideByUse(rows) : [...rows].map((r) => Uint32Array.of(r));
    parts = groups.map((group) => newPart(group, by + 1, name ? name(group[0]) : isUse ? toolsUsed(group[0]) : '', part));
  }
  while (parts.length > MOST_PARTS) parts = joinParts(parts, part);
  return part.parts = parts;
}
// `turn 1 – 9`
/** @param {string} first @param {string} last */
function joinNames(first, last) {
  const [word] = /^turn /.exec(last) ?? [''];
  return first === last ? first : `${first} – ${last.slice(first.startsWith(word) ? word.length : 0)}`;
}
// As many beside each other in one part as make few enough.
/** @param {Part[]} parts @param {Part} above @returns {Part[]} */
function joinParts(parts, above) {
  const size = ceil(parts.length / MOST_PARTS), joint = [];
  for (let i = 0; i < parts.length; i += size) {
    const some = parts.slice(i, i + size), [first] = some, last = some[some.length - 1], one = newPart(Uint32Array.from(some.flatMap(({ rows }) => [...rows])), 0, joinNames(first.name, last.name), above);
    for (const each of some) each.above = one;
    one.parts = some;
    joint.push(some.length > 1 ? one : first);
  }
  return joint;
}

/** Rows that are never folded as long as there is room: the ten most expensive ones, failures, the critical path. */
let costlyRows = u32(0), failedRows = costlyRows, criticalRows = costlyRows;
/** @param {Uint32Array} rows */
function findWhatMatters(rows) {
  /** @type {number[]} */
  let costly = [];
  for (const r of rows) if (col.cost[r] > 1 && (costly.length < 10 || col.cost[r] > col.cost[costly[9]])) costly = [...costly, r].sort((a, b) => col.cost[b] - col.cost[a] || a - b).slice(0, 10);
  costlyRows = Uint32Array.from(costly);
  // Calls that failed before those of which a tool did.
  failedRows = Uint32Array.from([...rows.filter((r) => has(r, FAILED)), ...rows.filter((r) => has(r, TOOL_ERROR) && !has(r, FAILED))]);
  criticalRows = rows.filter((r) => has(r, CRITICAL));
}
// Those rows and the selection; the critical path only as far as there is room.
/** @param {number} most @returns {Set<number>} */
function rowsAlone(most) {
  const alone = new Set([selectedRow, secondRow].filter((r) => r >= 0 && !hiddenRows[r]));
  for (const [rows, room] of /** @type {[Uint32Array, number][]} */ ([[costlyRows, MOST_ALONE], [failedRows, MOST_ALONE], [criticalRows, most]])) for (const r of rows) if (alone.size < room) alone.add(r); else break;
  return alone;
}
// Which parts are shown: the largest is opened until there are as many as wished, and whatever was opened or shut by hand.
/** @param {Part} whole @param {number} most @param {Set<Part>} opened @param {Set<Part>} shut @returns {Part[]} */
function partsShown(whole, most, opened, shut) {
  let cost = 1;
  for (const r of whole.rows) cost += col.cost[r];
  const weightOf = (/** @type {Part} */ part) => part.weight ||= part.rows.length / whole.rows.length + part.rows.reduce((sum, r) => sum + col.cost[r], 0) / cost;
  /** @type {{part: Part, weight: number}[]} */
  const open = [{ part: whole, weight: 2 }], shown = [];
  let many = 1;
  while (open.length) {
    let k = 0;
    open.forEach(({ weight }, i) => { if (weight > open[k].weight) k = i; });
    const [{ part }] = open.splice(k, 1), parts = shut.has(part) && part !== whole ? [] : partsOf(part);
    if (!parts.length || many + parts.length - 1 > most && !opened.has(part) && part !== whole) { shown.push(part); continue; }
    many += parts.length - 1;
    for (const each of parts) open.push({ part: each, weight: weightOf(each) });
  }
  return shown;
}
/** @param {Part[]} parts @param {Set<number>} alone @returns {GraphBox[]} in order of time */
function graphBoxes(parts, alone) {
  const isAlone = u8(N);
  for (const r of alone) isAlone[r] = 1;
  /** @type {[Part | null, Uint32Array][]} */
  const all = [...parts.map((part) => /** @type {[Part, Uint32Array]} */ ([part, part.rows.filter((r) => !isAlone[r])])), ...[...alone].map((r) => /** @type {[null, Uint32Array]} */ ([null, Uint32Array.of(r)]))];
  return all.filter(([, rows]) => rows.length).sort(([, [a]], [, [b]]) => col.start[a] - col.start[b] || a - b).map(([part, rows], place) => ({ part, rows, place, layer: 0, slot: 0, band: 0, x: 0, y: 0 }));
}
/** @param {GraphBox[]} boxes @returns {Uint32Array} by row: the place of its box + 1 */
function boxesByRow(boxes) {
  const at = u32(N);
  for (const { rows, place } of boxes) for (let i = 0; i < rows.length; i++) at[rows[i]] = place + 1;
  return at;
}
/** @param {GraphBox[]} boxes @param {Uint32Array} at @returns {GraphArrow[]} one for all links of a kind from one box to another */
function graphArrows(boxes, at) {
  /** @type {Map<number, GraphArrow>} */
  const arrows = new Map();
  for (let e = 0; e < E; e++) {
    const from = at[sourceRow[e]], to = at[targetRow[e]];
    if (!from || !to || from === to || isKindHidden(e)) continue;
    const key = ((from - 1) * boxes.length + to - 1) * 4 + kindOf(e), arrow = arrows.get(key);
    if (!arrow) arrows.set(key, { from: boxes[from - 1], to: boxes[to - 1], edge: e, many: 1 });
    else { arrow.many++; if (col.e_confidence[e] > col.e_confidence[arrow.edge]) arrow.edge = e; }
  }
  return [...arrows.values()];
}
// Gives each box a layer after all that leads to it, or a later one where that is full; a box that nothing leads to follows the one before it in its lane.
/** @param {GraphBox[]} boxes @param {GraphArrow[]} arrows @param {number} most in a layer @returns {number} how many layers */
function layerBoxes(boxes, arrows, most) {
  const into = boxes.map(() => /** @type {GraphBox[]} */ ([])), last = new Map(), full = u32(boxes.length + 1);
  // A group may lead to a box that begins before it: such an arrow does not count, so there are no circles.
  for (const { from, to } of arrows) if (from.place < to.place) into[to.place].push(from);
  let layers = 0;
  for (const box of boxes) {
    const lane = col.lane[box.rows[0]], before = into[box.place];
    let layer = before.length ? max(...before.map((from) => from.layer)) + 1 : (last.get(lane) ?? -1) + 1;
    while (full[layer] >= most) layer++;
    full[box.layer = layer]++;
    last.set(lane, max(layer, last.get(lane) ?? 0));
    layers = max(layers, layer + 1);
  }
  return layers;
}
const GRAPH_WIDE = 150, GRAPH_HIGH = 36, GRAPH_STEP_X = 186, GRAPH_STEP_Y = 50, GRAPH_BAND_GAP = 34;
// Places the layers in bands below one another, so many in each. A lane keeps its line within a band; lanes share a line if one ends before the other begins.
/** @param {GraphBox[]} boxes @param {number} columns in a band @returns {{width: number, height: number}} */
function seatBoxes(boxes, columns) {
  /** @type {GraphBox[][]} */
  const bands = [];
  for (const box of boxes) (bands[box.band = floor(box.layer / columns)] ??= []).push(box);
  let y = 0, width = 0;
  for (const band of bands) {
    if (!band) continue;
    /** @type {Map<number, GraphBox[]>} */
    const lanes = new Map();
    for (const box of band) { const lane = col.lane[box.rows[0]], own = lanes.get(lane); if (own) own.push(box); else lanes.set(lane, [box]); }
    // By line: the layers that are taken.
    /** @type {Set<number>[]} */
    const taken = [];
    const isFree = (/** @type {number} */ line, /** @type {number} */ from, /** @type {number} */ to) => { for (let k = from; k <= to; k++) if (taken[line]?.has(k)) return false; return true; };
    for (const own of [...lanes.entries()].sort((a, b) => a[0] - b[0]).map(([, some]) => some)) {
      const all = own.map(({ layer }) => layer), from = min(...all), to = max(...all);
      let line = 0;
      while (!isFree(line, from, to)) line++;
      /** @type {Set<number>[]} */
      const lines = [];
      for (const box of own) {
        // Boxes of one layer go below each other.
        let own = line;
        while (lines[own]?.has(box.layer) || own > line && taken[own]?.has(box.layer)) own++;
        (lines[own] ??= new Set()).add(box.layer);
        box.slot = own;
      }
      lines.forEach((layers, at) => { const set = taken[at] ??= new Set(); for (const layer of layers) set.add(layer); });
      for (let k = from; k <= to; k++) (taken[line] ??= new Set()).add(k);
    }
    for (const box of band) { box.x = box.layer % columns * GRAPH_STEP_X; box.y = y + box.slot * GRAPH_STEP_Y; width = max(width, box.x + GRAPH_WIDE); }
    y += taken.length * GRAPH_STEP_Y + GRAPH_BAND_GAP;
  }
  return { width, height: max(0, y - GRAPH_BAND_GAP - (GRAPH_STEP_Y - GRAPH_HIGH)) };
}
// The number of bands with which the picture is largest in a room of that size.
/** @param {GraphBox[]} boxes @param {number} layers @param {number} wide @param {number} high @returns {{width: number, height: number, scale: number}} */
function fitBoxes(boxes, layers, wide, high) {
  let best = { width: 0, height: 0, scale: -1 }, bestColumns = max(1, layers);
  // From one band to many, each time some more: a picture of about the right shape is good enough.
  for (let many = 1; many <= min(layers, 60); many = ceil(many * 1.25)) {
    const columns = ceil(layers / many);
    const { width, height } = seatBoxes(boxes, columns), scale = min(wide / max(1, width), high / max(1, height), 1);
    if (scale > best.scale) { best = { width, height, scale }; bestColumns = columns; }
  }
  seatBoxes(boxes, bestColumns);
  return best;
}
