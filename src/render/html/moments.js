// Where moments stand: rows in the order of time, and idle hours folded to short breaks.
// A place is a tick with the folded part of all breaks before it taken away; pictures are linear in places.

const FOLD_OVER_US = 600e6;
/** Rows with a time, by start; links into the first k of them. */
let byTime = u32(0), linksBefore = byTime;
/** Place of each row, and of the end of all. */
let placeAt = f64(0), lastPlace = 1;
/** Breaks: from, to, and how much of what is before and in them is cut. */
let breakFrom = placeAt, breakTo = placeAt, breakCut = placeAt;
/** Where they are drawn. */
let breakBegins = placeAt, breakEnds = placeAt;
/** Time as it was, without breaks; and how many there would be. */
let wholeTime = false, manyBreaks = 0;

// Place of the end of a row.
/** @param {number} r */
const endOf = (r) => placeAt[r] + ticksOf(r);
// Longest tool that a row asked for, in ticks.
/** @param {number} r */
function toolTicks(r) {
  let most = 0;
  for (let t = toolFirst[r]; t < toolFirst[r + 1]; t++) most = max(most, col.t_duration[t] - 1);
  return most;
}

function sortByTime() {
  const rows = [], { start, timed } = col;
  for (let r = 0; r < N; r++) if (timed[r]) rows.push(r);
  // A list, not numbers of one width: of these, engines see what is in order already.
  byTime = Uint32Array.from(rows.sort((a, b) => start[a] - start[b] || a - b));
  linksBefore = sumsOf(byTime.map((r) => col.degree[r]));
}

/** Finds the hours in which nothing ran, and where each row stands without them. */
function foldTime() {
  const most = FOLD_OVER_US / tickUs, from = [], to = [];
  let end = byTime.length ? col.start[byTime[0]] : 0, idle = 0;
  for (const r of byTime) {
    const s = col.start[r];
    if (s - end > most) { from.push(end); to.push(s); idle += s - end; }
    end = max(end, s + ticksOf(r) + toolTicks(r));
  }
  manyBreaks = from.length;
  if (wholeTime) from.length = to.length = 0;
  const busy = lastTick - idle, kept = busy > 1 ? min(most, busy * 0.04, busy * 0.25 / max(1, from.length)) : most;
  breakFrom = Float64Array.from(from); breakTo = Float64Array.from(to);
  [breakCut, breakBegins, breakEnds] = [0, 0, 0].map(() => f64(from.length));
  let cut = 0;
  for (let k = 0; k < from.length; k++) {
    breakBegins[k] = from[k] - cut;
    breakCut[k] = cut += to[k] - from[k] - kept;
    breakEnds[k] = to[k] - cut;
  }
  placeAt = f64(N);
  let k = 0;
  for (const r of byTime) {
    while (k < to.length && to[k] <= col.start[r]) k++;
    placeAt[r] = col.start[r] - (k ? breakCut[k - 1] : 0);
  }
  lastPlace = max(1, placeOfTick(lastTick));
}

// First index at which `values` is not below `value`.
/** @param {Numbers} values @param {number} value */
function lowerBound(values, value) {
  let low = 0, high = values.length;
  while (low < high) { const middle = (low + high) >> 1; if (values[middle] < value) low = middle + 1; else high = middle; }
  return low;
}
// The same of the places of rows, within low … high.
/** @param {Uint32Array} rows @param {number} low @param {number} high @param {number} place */
function firstFrom(rows, low, high, place) {
  while (low < high) { const middle = (low + high) >> 1; if (placeAt[rows[middle]] < place) low = middle + 1; else high = middle; }
  return low;
}
// Of a break: how long it is drawn to how long it was.
/** @param {number} k */
const shrinkOf = (k) => (breakEnds[k] - breakBegins[k]) / (breakTo[k] - breakFrom[k]);
/** @param {number} tick */
function placeOfTick(tick) {
  const k = lowerBound(breakFrom, tick) - 1;
  return k < 0 ? tick : tick >= breakTo[k] ? tick - breakCut[k] : breakBegins[k] + (tick - breakFrom[k]) * shrinkOf(k);
}
/** @param {number} place */
function tickOfPlace(place) {
  const k = lowerBound(breakBegins, place) - 1;
  return k < 0 ? place : place >= breakEnds[k] ? place + breakCut[k] : breakFrom[k] + (place - breakBegins[k]) / shrinkOf(k);
}

// Shows these places, on whole ticks.
/** @param {number} from @param {number} to */
function showPlaces(from, to) {
  const wide = clamp(to - from, 1, lastPlace), first = clamp(from, 0, lastPlace - wide);
  const a = round(tickOfPlace(first)), b = round(tickOfPlace(first + wide));
  showRange(a, max(b, a + 1));
}
/** @param {number} factor below 1: closer @param {number} [about] tick that stays in place; else the selection, else the middle */
function zoomTimeline(factor, about) {
  const from = placeOfTick(fromTick), to = placeOfTick(toTick), row = selectedRow;
  let fixed = about === undefined ? (from + to) / 2 : placeOfTick(about);
  if (about === undefined && row >= 0 && col.timed[row]) {
    const middle = placeAt[row] + ticksOf(row) / 2;
    if (middle >= from && middle <= to) fixed = middle;
  }
  showPlaces(fixed - (fixed - from) * factor, fixed + (to - fixed) * factor);
}
/** @param {number} share of what is in view */
function panTimeline(share) {
  const from = placeOfTick(fromTick), to = placeOfTick(toTick);
  showPlaces(from + (to - from) * share, to + (to - from) * share);
}
const showAll = () => showRange(0, lastTick);
function showSelection() {
  const row = selectedRow;
  if (row < 0 || !col.timed[row]) { say('Nothing with a time is selected.'); return; }
  const wide = max(ticksOf(row), lastPlace / 1e4, 1);
  showPlaces(placeAt[row] - wide / 2, endOf(row) + wide / 2);
}
