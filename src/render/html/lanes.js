// The lanes of the timeline: one for each agent, below the one that spawned it. What does not fit is merged to density.

/**
 * @typedef {object} Band  what has a place from top to bottom
 * @property {'lane' | 'fold' | 'group' | 'open'} kind  one lane; one with all below it; many; the head of many that are open
 * @property {string} key     of what is folded or open
 * @property {number} lane    the first of its lanes
 * @property {string} label
 * @property {string} note    calls and cost, where lanes are folded
 * @property {number} depth
 * @property {boolean} folds  has a sign to fold it
 * @property {number} rows    that calls are spread over where they overlap
 * @property {number} y @property {number} h
 * @property {number} first @property {number} end  its rows in laneRows
 * @property {number} slot    hue of most of its rows, GREY where none has most
 * @property {Density | null} density
 * @typedef {{bins: number, busy: Float64Array, failed: Uint32Array, most: number}} Density  sums before each bin
 */
/** @type {Band[]} */
let bands = [];
/** Band of each lane. */
let bandOfLane = new Int32Array(0);
/** Rows by band, then by start; the latest end among each 64 of them. */
let laneRows = u32(0), laneEnds = f64(0);
let laneCalls = u32(0), laneCost = f64(0);
// Lanes that cost more than is known.
/** @type {Set<number>} */
const lanesOfMore = new Set();
// Keys of lanes that are folded, and of groups that are open.
/** @type {Set<string>} */
const closedLanes = new Set();
/** @type {Set<string>} */
const openedLanes = new Set();
/** A mark on each row that a filter hides. */
let hiddenRows = u8(0);
/** Height of all bands, and of a row of calls. */
let lanesHeight = 0, laneRowHeight = 26;
let manySessions = 1;
/** More lanes are merged. */
const MOST_ROWS = 32, MOST_LANES = 200, LEAST_HEIGHT = 3, GROUPS_READ = 20;

function countLanes() {
  manySessions = new Set(col.lane_session).size;
  const many = col.lane_agent.length;
  laneCalls = u32(many); laneCost = f64(many).fill(-1);
  for (let r = 0; r < N; r++) {
    const l = col.lane[r];
    // A subagent of which only its report tells stands for calls that are not on record.
    if (textOf('status', r) !== 'not_recorded') laneCalls[l]++;
    if (col.cost[r]) laneCost[l] = max(0, laneCost[l]) + col.cost[r] - 1;
    if (has(r, COSTS_MORE)) lanesOfMore.add(l);
  }
}
/** @param {number} l @returns {number} the lane that spawned it, -1: none */
const laneAbove = (l) => col.lane_above[l] && col.lane_above[l] <= l ? l - col.lane_above[l] : -1;
// Band of the lane that a row stands on.
/** @param {number} r */
const bandOf = (r) => bands[bandOfLane[col.lane[r]]];
// Its row within the lane, and how high each is.
/** @param {number} r @param {Band} band */
const subOf = (r, band) => min(col.sub[r], band.rows - 1);
/** @param {Band} band */
const subHeight = (band) => band.h / band.rows;
/** @param {number[]} list */
function tellCalls(list) {
  let calls = 0, cost = -1;
  for (const l of list) { calls += laneCalls[l]; if (laneCost[l] >= 0) cost = max(0, cost) + laneCost[l]; }
  return `${calls ? tellMany(calls, 'call') : 'not in the log'} ${cost < 0 ? '' : atLeast(list.some((l) => lanesOfMore.has(l)), tellCost(cost))}`.trim();
}
// The agent, with its type where the name does not tell.
/** @param {number} l */
function tellLane(l) {
  const agent = strings[col.lane_agent[l]], type = strings[col.lane_type[l]];
  return tellName(!type || agent.toLowerCase().includes(type.toLowerCase()) ? agent || 'unknown' : `${type} ${agent}`, 80);
}

// Where there are several sessions, a lane tells its own.
/** @param {number} l */
function tellSession(l) {
  const session = strings[col.lane_session[l]];
  return manySessions > 1 && !tellLane(l).includes(session) ? tellName(session, 12) : '';
}

/** Have rows, times, hues or what is hidden changed since the rows were put into bands? */
let rowsMoved = true;
// Puts each lane into a band.
/** @param {number} room height there is */
function layLanes(room) {
  const before = bands, bandBefore = bandOfLane;
  bands = [];
  bandOfLane = new Int32Array(col.lane_agent.length).fill(-1);
  addBands(Array.from(bandOfLane, (_, l) => l), '', 0, room);
  // Where only the room is another, all that was summed up stays.
  if (rowsMoved || bands.length !== before.length || bandOfLane.some((b, l) => b !== bandBefore[l])) sortIntoBands();
  else bands.forEach((band, b) => { const { first, end, slot, density } = before[b]; Object.assign(band, { first, end, slot, density }); });
  rowsMoved = false;
  stackBands(room);
}
/** @param {Band['kind']} kind @param {number[]} list @param {string} key @param {string} label @param {number} depth @param {boolean} folds */
function pushBand(kind, list, key, label, depth, folds) {
  for (const l of list) bandOfLane[l] = bands.length;
  bands.push({ kind, key, lane: list[0] ?? -1, label, note: kind === 'lane' ? tellSession(list[0]) : tellCalls(list), depth, folds, rows: kind === 'lane' ? clamp(col.lane_rows[list[0]], 1, MOST_ROWS) : 1, y: 0, h: 0, first: 0, end: 0, slot: GREY, density: null });
}
/** @param {number[]} list of lanes @param {string} key @param {number} depth @param {number} room */
function addBands(list, key, depth, room) {
  if (!key && isOld(N - 1)) {
    for (const old of [1, 0]) {
      const part = list.filter((l) => col.lane_old[l] === old), label = old ? 'Old run' : 'New run';
      pushBand('open', [], label, label, depth, false);
      bands[bands.length - 1].note = tellCalls(part);
      addBands(part, label, depth + 1, room);
    }
    return;
  }
  if (list.length <= MOST_LANES) { addLaneTree(list, depth); return; }
  for (const group of splitLanes(list, max(GROUPS_READ, floor(room / LEAST_HEIGHT)), key)) {
    const own = key + '/' + group.label;
    if (group.list.length === 1) pushBand('lane', group.list, own, tellLane(group.list[0]), depth, false);
    else if (openedLanes.has(own)) {
      pushBand('open', [], own, group.label, depth, true);
      bands[bands.length - 1].note = tellCalls(group.list);
      addBands(group.list, own, depth + 1, room);
    } else pushBand('group', group.list, own, group.label, depth, true);
  }
}
/** @param {number[]} list @param {(l: number) => number} keyOf @returns {Map<number, number[]>} */
function groupBy(list, keyOf) {
  const groups = new Map();
  for (const l of list) { const key = keyOf(l); if (!groups.get(key)?.push(l)) groups.set(key, [l]); }
  return groups;
}
// By session, then by agent type, else beside each other.
/** @param {number[]} list @param {number} most @param {string} key @returns {{label: string, list: number[]}[]} */
function splitLanes(list, most, key) {
  for (const column of ['lane_session', 'lane_type']) {
    const by = groupBy(list, (l) => col[column][l]);
    if (by.size > 1 && by.size <= most) return [...by].map(([k, part]) => ({ label: tellName(strings[k] || 'unknown', 80), list: part }));
  }
  // One agent in many sessions is one lane at first sight.
  if (!key && list.every((l) => col.lane_type[l] === col.lane_type[list[0]])) return [{ label: tellName(strings[col.lane_type[list[0]]] || 'unknown', 80), list }];
  const size = ceil(list.length / GROUPS_READ), parts = [];
  for (let i = 0; i < list.length; i += size) {
    const part = list.slice(i, i + size);
    parts.push({ label: `${tellLane(part[0])} … ${tellCount(part.length)} agents`, list: part });
  }
  return parts;
}
// Lanes below the one that spawned them.
/** @param {number[]} list @param {number} depth */
function addLaneTree(list, depth) {
  const inside = new Set(list), below = groupBy(list, (l) => inside.has(laneAbove(l)) ? laneAbove(l) : -1);
  const walk = (/** @type {number} */ l, /** @type {number} */ deep) => {
    const key = 'lane ' + l;
    if (closedLanes.has(key)) { pushBand('fold', allBelow(l, below), key, tellLane(l), deep, true); return; }
    pushBand('lane', [l], key, tellLane(l), deep, true);
    for (const child of below.get(l) ?? []) walk(child, deep + 1);
  };
  for (const l of below.get(-1) ?? []) walk(l, depth);
}
/** @param {number} l @param {Map<number, number[]>} below */
function allBelow(l, below) {
  const all = [l];
  for (let k = 0; k < all.length; k++) for (const child of below.get(all[k]) ?? []) all.push(child);
  return all;
}

function sortIntoBands() {
  const seat = u32(bands.length + 1), { lane } = col;
  for (const r of byTime) seat[bandOfLane[lane[r]] + 1]++;
  for (let b = 0; b < bands.length; b++) { seat[b + 1] += seat[b]; bands[b].first = seat[b]; bands[b].end = seat[b + 1]; }
  laneRows = u32(byTime.length); laneEnds = f64((byTime.length >> 6) + 1);
  for (const r of byTime) {
    const k = seat[bandOfLane[lane[r]]]++;
    laneRows[k] = r;
    laneEnds[k >> 6] = max(laneEnds[k >> 6], endOf(r) + toolTicks(r));
  }
}

// Heights: as high as can be read where there is room, never below three pixels.
/** @param {number} room */
function stackBands(room) {
  let rows = 0, groups = 0, fixed = 0, y = 0;
  for (const { kind, rows: own } of bands) { if (kind === 'lane') rows += own; else if (kind === 'group') groups++; else fixed += 22; }
  laneRowHeight = clamp(floor((room - fixed) / max(1, rows)), 18, 28);
  const group = max(openedLanes.size ? 22 : LEAST_HEIGHT, min(56, floor((room - fixed - rows * laneRowHeight) / max(1, groups))));
  for (const band of bands) {
    band.y = y;
    band.h = band.kind === 'lane' ? band.rows * laneRowHeight : band.kind === 'group' ? group : 22;
    if (bands.length === 1 && band.end - band.first > 1000) band.h = max(60, band.h);
    y += band.h;
  }
  lanesHeight = y;
}

// Folds or unfolds a lane, opens or closes what is merged.
/** @param {Band} band */
function turnBand(band) {
  const set = band.kind === 'group' || band.kind === 'open' ? openedLanes : closedLanes;
  if (!set.delete(band.key)) set.add(band.key);
  layAnew();
}

// Density: what share of each bit of the time calls ran, summed up, so that any width of it is two look-ups.
const MOST_BINS = 1 << 18;
/** @param {Band} band @returns {Density} */
function densityOf(band) {
  if (band.density) return band.density;
  let bins = 1024;
  while (bins < band.end - band.first && bins < MOST_BINS) bins *= 2;
  const part = f64(bins + 1), steps = f64(bins + 2), failed = u32(bins + 1), many = u32(GREY + 1);
  const scale = bins / lastPlace, from = (/** @type {number} */ r) => placeAt[r] * scale;
  for (let i = band.first; i < band.end; i++) {
    const r = laneRows[i];
    if (hiddenRows[r]) continue;
    many[hueSlots[r]]++;
    cover(part, steps, 0, from(r), endOf(r) * scale, bins);
    if (has(r, FAILED)) failed[min(bins - 1, floor(from(r))) + 1]++;
  }
  const busy = f64(bins + 1);
  let running = 0, most = 0;
  for (let b = 0; b < bins; b++) {
    running += steps[b];
    busy[b + 1] = busy[b] + part[b] + running;
    failed[b + 1] += failed[b];
  }
  // The highest of what some pixel will show, not of a single bin: else one dense moment flattens all.
  for (let b = 0, wide = max(1, bins >> 9); b + wide <= bins; b += wide) most = max(most, (busy[b + wide] - busy[b]) / wide);
  const top = many.indexOf(max(...many)), all = many.reduce((a, b) => a + b, 0);
  band.slot = many[top] * 2 > all ? top : GREY;
  return band.density = { bins, busy, failed, most: most || 1 };
}
// Adds what lasts from `from` to `to`, in bins: its ends to `part`, its middle as a step up and one down.
/** @param {Float64Array} part @param {Float64Array} steps @param {number} base @param {number} from @param {number} to @param {number} bins */
function cover(part, steps, base, from, to, bins) {
  const a = clamp(floor(from), 0, bins - 1), b = min(bins - 1, floor(to));
  if (b <= a) { part[base + a] += max(0.02, to - from); return; }
  part[base + a] += a + 1 - from;
  part[base + b] += to - b;
  steps[base + a + 1] += 1;
  steps[base + b] -= 1;
}
