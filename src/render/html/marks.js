// Draws the marks of the lanes. What falls in one pixel is merged, and a failure always wins its pixel.

/** What the picture shows now: where the time begins and ends, in pixels and in places. */
let viewX = 0, viewW = 0, viewTop = 24, viewH = 0, viewFrom = 0, viewTo = 1, viewScale = 1, viewScroll = 0;
// What is drawn upon now.
/** @type {CanvasRenderingContext2D} */
let pen;
/** @param {string} style @param {number} x @param {number} y @param {number} w @param {number} h */
function area(style, x, y, w, h) { pen.fillStyle = style; pen.fillRect(x, y, w, h); }
/** @param {string} style @param {string} text @param {number} x @param {number} y @param {number} [most] */
function word(style, text, x, y, most) { pen.fillStyle = style; pen.fillText(text, x, y, most); }
// A word on ground of its own, so that it can be read upon anything.
/** @param {string} text @param {number} x its middle @param {number} y @param {string} style */
function labelled(text, x, y, style) {
  area(ink.bg, x - text.length * 3.2 - 4, y - 7, text.length * 6.4 + 8, 14);
  word(style, text, x, y + 0.5);
}
/** @param {string} font @param {CanvasTextAlign} align */
function letters(font, align) { pen.font = font; pen.textAlign = align; pen.textBaseline = 'middle'; }
/** How many were drawn last. */
let manyMarks = 0, manyArrows = 0;
/** @param {number} place */
const xOf = (place) => viewX + (place - viewFrom) * viewScale;

// Rectangles of one look, kept until all are known: a look is set once a frame.
/** @typedef {{n: number, data: Float32Array}} Batch */
/** @returns {Batch} */
const newBatch = () => ({ n: 0, data: new Float32Array(256) });
/** @param {Batch} batch @param {number} x @param {number} y @param {number} w @param {number} h */
function addRect(batch, x, y, w, h) {
  if (batch.n === batch.data.length) { const more = new Float32Array(batch.n * 2); more.set(batch.data); batch.data = more; }
  const { data } = batch, n = batch.n;
  data[n] = x; data[n + 1] = y; data[n + 2] = w; data[n + 3] = h;
  batch.n = n + 4;
}
// Marks of a hue; those that are not of the lit chain are faded.
/** @param {number} slot @param {boolean} faded */
const batchOf = (slot, faded) => (faded ? fadedBatches : hueBatches)[slot];
/** @param {Batch} batch @param {string | CanvasPattern} style */
function flush(batch, style) {
  const { data, n } = batch;
  if (!n) return;
  pen.fillStyle = style;
  for (let i = 0; i < n; i += 4) pen.fillRect(data[i], data[i + 1], data[i + 2], data[i + 3]);
  batch.n = 0;
}
const hueBatches = Array.from({ length: GREY + 1 }, newBatch), fadedBatches = hueBatches.map(newBatch), waitBatches = WAIT_WORDS.map(newBatch);
const offBatch = newBatch(), failedBatch = newBatch(), smallBatch = newBatch(), endBatch = newBatch(), criticalBatch = newBatch(), hitBatch = newBatch();
/** Signs beside marks: x, y, which, hue below it + 1. */
const SIGNS = ['!', '!', '↻', '⚠', '~', '+', '−'], SIGN_FAILED = 0, SIGN_TOOL_ERROR = 1, SIGN_RETRY = 2, SIGN_REVERSED = 3;
const signs = newBatch();
/** Texts in marks: x, y, width, row. */
const labels = newBatch(), waitLabels = newBatch();
const MOST_LABELS = 240 * 4, LABEL_FONT = '11px system-ui, sans-serif', SIGN_FONT = 'bold 11px system-ui, sans-serif';
/** In each row of a lane: the right end of what is drawn, and of its last sign. */
const right = f64(MOST_ROWS), signed = f64(MOST_ROWS);

// Where marks stand in a row that is `high`.
/** @param {number} high */
const barTop = (high) => round(high * 0.15);
/** @param {number} high */
const barHeight = (high) => min(28, round(high * 0.58));

// Upper edge of a band, and of the row of it in which a call stands.
/** @param {Band} band */
const topOfBand = (band) => viewTop + band.y - viewScroll;
/** @param {number} r @param {Band} [band] */
const topOf = (r, band = bandOf(r)) => topOfBand(band) + subOf(r, band) * subHeight(band);
// Middle of a mark, from top to bottom.
/** @param {number} r */
function middleOf(r) {
  const high = subHeight(bandOf(r));
  return topOf(r) + barTop(high) + barHeight(high) / 2;
}

// First of the rows of a band that begins at or after a place.
/** @param {Band} band @param {number} place */
const firstOf = (band, place) => firstFrom(laneRows, band.first, band.end, place);
// Calls `each` for the rows of a band that reach into the view.
/** @param {Band} band @param {number} begun first that begins in it @param {number} end @param {(band: Band, row: number) => void} each */
function eachInView(band, begun, end, each) {
  for (let i = band.first; i < end;) {
    if (i < begun && laneEnds[i >> 6] < viewFrom) i = min(begun, (i | 63) + 1); else each(band, laneRows[i++]);
  }
}

// Too many in view to be told apart?
/** @param {Band} band */
const isDense = (band) => band.kind !== 'lane' || firstOf(band, viewTo) - firstOf(band, viewFrom) > viewW * 0.5 * band.rows;

/** Are marks so close that a sign beside one would cover others? */
let crowded = false;
/** @param {Band} band */
function drawBand(band) {
  const begun = firstOf(band, viewFrom), end = firstOf(band, viewTo), many = end - begun;
  if (isDense(band)) { drawDensity(band, begun, end); return; }
  crowded = many > 1 && xOf(placeAt[laneRows[end - 1]]) - xOf(placeAt[laneRows[begun]]) < many * 2;
  right.fill(-Infinity); signed.fill(-Infinity);
  // Some more than begin in view: the wait before the next may.
  eachInView(band, begun, min(band.end, end + band.rows + 1), markRow);
}

/** @param {Band} band @param {number} r */
function markRow(band, r) {
  const high = subHeight(band), sub = subOf(r, band), y = topOf(r, band), top = y + barTop(high), tall = barHeight(high);
  const x = xOf(placeAt[r]), long = ticksOf(r) * viewScale;
  if (hiddenRows[r]) { putClipped(offBatch, x, top + tall / 2 - 1, max(1, long), 2); return; }
  if (col.wait[r] > 1) markWait(r, x, top, tall);
  if (toolFirst[r] < toolFirst[r + 1]) markTools(r, x + long, top, tall, sub);
  if (x > viewX + viewW || x + long < viewX - 4) return;
  const slot = hueSlots[r], flags = col.flags[r];
  let from = floor(x), to = max(from + (flags & REVERSED ? 3 : 2), round(x + long));
  if (to - from > 5) to--;
  const left = max(from, viewX - 4), end = min(to, viewX + viewW + 4);
  if (flags & CRITICAL) addRect(criticalBatch, left, top + tall + 1, end - left, 3);
  if (isHit(r)) addRect(hitBatch, left, y + high - 2, max(3, end - left), 2);
  if (flags & FAILED) { addRect(end - left < 7 ? smallBatch : failedBatch, left, top, max(3, end - left), tall); if (!crowded) sign(SIGN_FAILED, max(left, end - 9), top, sub); }
  const within = flags & RETRY && end - left > 20;
  if (flags & RETRY) sign(SIGN_RETRY, within ? left + 4 : left - 12, top + (tall - 14) / 2, sub, within ? slot + 1 : 0);
  if (flags & REVERSED) sign(SIGN_REVERSED, end + 2, top, sub);
  // What became of it stands behind that.
  if (fates[r]) sign(SIGN_REVERSED + fates[r], end + 2, top, sub);
  if (end <= right[sub]) return;
  const begin = max(left, right[sub]);
  right[sub] = end;
  manyMarks++;
  const shape = shapes[col.kind[r]], faded = lit !== null && !lit[r], hue = batchOf(slot, faded), wide = end - begin;
  addRect(hue, begin, top + tall * shape / 4, wide, tall * (1 - shape / 2));
  if (shape === BRACE) { addRect(hue, begin, top, 2, tall); addRect(hue, end - 2, top, 2, tall); }
  if (!faded && !shape && tall >= 10 && wide >= (hueLetters[r] ? 9 : 30) && labels.n < MOST_LABELS) addRect(labels, begin + (within ? 13 : 0), top + tall / 2, wide - (flags & FAILED ? 12 : 0) - (within ? 13 : 0), r);
}
// By kind: quarters that are left out above and below, half of all of a tool; an agent that holds others is a brace.
/** @type {Numbers} */
let shapes = f64(0);
const BRACE = 1.2;
const findShapes = () => { shapes = f64(strings.length); for (const kind of new Set(col.kind)) shapes[kind] = /tool/.test(strings[kind]) ? 1 : /agent|workflow|chain/.test(strings[kind]) ? BRACE : 0; };
/** @param {Batch} to @param {number} x @param {number} y @param {number} w @param {number} h */
function putClipped(to, x, y, w, h) {
  const left = max(x, viewX - 4), end = min(x + w, viewX + viewW + 4);
  if (end > left) addRect(to, left, y, end - left, h);
}
/** @param {number} which @param {number} x @param {number} y @param {number} sub @param {number} [on] hue below it + 1 */
function sign(which, x, y, sub, on = 0) {
  if (x < signed[sub] || x < viewX) return;
  signed[sub] = x + 10;
  addRect(signs, x, y, which, on);
}
// The hours before a row that no call fills.
/** @param {number} r @param {number} x @param {number} top @param {number} tall */
function markWait(r, x, top, tall) {
  const kind = col.wait_kind[r];
  if (!hatches[kind]) return;
  const from = xOf(placeOfTick(col.start[r] - (col.wait[r] - 1)));
  if (x - from < 3) return;
  putClipped(waitBatches[kind], from + 1, top + 1, x - from - 2, tall - 2);
  const left = max(from, viewX), wide = min(x, viewX + viewW) - left;
  if (wide > 70 && tall >= 10 && waitLabels.n < MOST_LABELS) addRect(waitLabels, left + wide / 2, top + tall / 2, wide, r);
}
// Tools run after the call that asked for them: thinner, beside each other where they are several.
/** @param {number} r @param {number} x @param {number} top @param {number} tall @param {number} sub */
function markTools(r, x, top, tall, sub) {
  const first = toolFirst[r], many = min(3, toolFirst[r + 1] - first), high = max(2, floor((tall - 2) / (many === 1 ? 2.4 : many)) - (many > 1 ? 1 : 0)), y = many === 1 ? top + (tall - high) / 2 : top + 1;
  for (let t = first; t < toolFirst[r + 1]; t++) {
    const wide = max(0, col.t_duration[t] - 1) * viewScale, at = y + min(t - first, 2) * (high + 1);
    if (wide >= 1) putClipped(batchOf(hueSlots[r], lit !== null && !lit[r]), x, at, wide, high);
    if (col.t_error[t] && x + wide > viewX && x < viewX + viewW) { addRect(endBatch, x + max(0, wide - 2), top, 2, tall); sign(SIGN_TOOL_ERROR, x + wide + 1, top, sub); }
  }
}

/** Sums of one frame where a band is zoomed in further than its density was measured. */
let columnPart = f64(0), columnSteps = f64(0), columnFailed = u8(0);
/** @param {Band} band @param {number} begun @param {number} end */
function drawDensity(band, begun, end) {
  const { bins, busy, failed, most } = densityOf(band), scale = bins / lastPlace, w = ceil(viewW), y = topOfBand(band), step = scale / viewScale, direct = step < 0.5;
  if (direct) sumColumns(band, begun, end, w);
  const high = band.h < 8 ? band.h - 1 : band.h - 8, foot = y + band.h - (band.h < 8 ? 1 : 2), hue = batchOf(band.slot, lit !== null);
  let run = 0, runHigh = 0, bad = -1;
  for (let x = 0; x <= w; x++) {
    let value = 0, fails = false;
    if (x < w) {
      if (direct) { value = columnPart[x]; fails = columnFailed[x] > 0; }
      else {
        const a = min(bins - 1, floor((viewFrom + x / viewScale) * scale)), b = clamp(floor(a + step), a + 1, bins);
        value = (busy[b] - busy[a]) / (b - a); fails = failed[b] > failed[a];
      }
    }
    const tall = value <= 1e-6 ? 0 : max(1, round(high * min(1, Math.sqrt(value / most))));
    if (tall !== runHigh || x === w) {
      if (runHigh) { addRect(hue, viewX + run, foot - runHigh, x - run, runHigh); manyMarks++; }
      run = x; runHigh = tall;
    }
    if (fails && bad < 0) bad = x;
    if (!fails && bad >= 0) { addRect(smallBatch, viewX + bad, y, max(2, x - bad), clamp(round(band.h / 3), 1, 4)); manyMarks++; bad = -1; }
  }
}
/** @param {Band} band @param {number} begun @param {number} end @param {number} w */
function sumColumns(band, begun, end, w) {
  if (columnPart.length !== w) { columnPart = f64(w); columnSteps = f64(w + 1); columnFailed = u8(w); }
  columnPart.fill(0); columnSteps.fill(0); columnFailed.fill(0);
  eachInView(band, begun, end, sumColumn);
  for (let x = 0, running = 0; x < w; x++) { running += columnSteps[x]; columnPart[x] += running; }
}
/** @param {Band} _ @param {number} r */
function sumColumn(_, r) {
  if (hiddenRows[r]) return;
  const x = (placeAt[r] - viewFrom) * viewScale, end = x + ticksOf(r) * viewScale, w = columnPart.length;
  if (end < 0 || x >= w) return;
  cover(columnPart, columnSteps, 0, max(0, x), max(x, end), w);
  if (has(r, FAILED) && x >= 0) columnFailed[floor(x)] = 1;
}
// Rows that are underlined even where their band is dense.
/** @param {Uint32Array} rows @param {Batch} to @param {number} up pixels above the lower end @param {number} high */
function underlineDense(rows, to, up, high) {
  let last = -1, lastBand = bands[-1];
  for (const r of rows) {
    if (!col.timed[r]) continue;
    const band = bandOf(r), x = floor(xOf(placeAt[r]));
    if (x < viewX || x > viewX + viewW || (x === last && band === lastBand) || !isDense(band)) continue;
    last = x; lastBand = band;
    addRect(to, x, topOfBand(band) + band.h - up, max(2, ticksOf(r) * viewScale), high);
  }
}

// Paints what was gathered: what must be seen last.
function paintMarks() {
  flush(offBatch, ink.edge);
  hatches.forEach((style, k) => { if (style) flush(waitBatches[k], style); });
  paintWaitLabels();
  flush(criticalBatch, ink.fg);
  pen.globalAlpha = 0.25;
  hues.forEach((hue, k) => flush(fadedBatches[k], hue));
  pen.globalAlpha = 1;
  hues.forEach((hue, k) => flush(hueBatches[k], hue));
  paintLabels();
  flush(endBatch, ink.bad);
  pen.strokeStyle = ink.bad; pen.lineWidth = 2;
  for (let i = 0; i < failedBatch.n; i += 4) pen.strokeRect(failedBatch.data[i] + 1, failedBatch.data[i + 1] + 1, failedBatch.data[i + 2] - 2, failedBatch.data[i + 3] - 2);
  failedBatch.n = 0;
  flush(smallBatch, ink.bad);
  flush(hitBatch, ink.hit);
  paintSigns();
}
function paintSigns() {
  letters(SIGN_FONT, 'left');
  for (let i = 0; i < signs.n; i += 4) {
    const x = signs.data[i], y = signs.data[i + 1], which = signs.data[i + 2], on = signs.data[i + 3];
    if (which === SIGN_FAILED) { area(ink.bad, x, y, 9, 12); word(ink.bg, '!', x + 3, y + 6.5); }
    else { word(on ? onHues[on - 1] : which === SIGN_RETRY ? ink.fg : which === SIGN_TOOL_ERROR ? ink.bad : ink.warn, SIGNS[which], x, y + 7); }
  }
  signs.n = 0;
}
/** @type {Map<number, string>} */
const labelTexts = new Map();
// As much of a label as has room; asked for again and again, so kept.
/** @param {number} row @param {number} chars */
function labelText(row, chars) {
  const key = row * 256 + min(chars, 100);
  let text = labelTexts.get(key);
  if (text === undefined) {
    if (labelTexts.size > 5000) labelTexts.clear();
    const whole = tellName(shortPaths(labelOf(row)), 100), letter = letterOf(hueLetters[row]);
    text = chars < 4 ? letter : (letter ? letter + ' ' : '') + (whole.length > chars ? whole.slice(0, chars - 1) + '…' : whole);
    labelTexts.set(key, text);
  }
  return text;
}
const LETTER_WIDTH = 6.1;
function paintLabels() {
  letters(LABEL_FONT, 'left');
  for (let i = 0; i < labels.n; i += 4) {
    const row = labels.data[i + 3], wide = labels.data[i + 2], x = max(labels.data[i], viewX);
    const text = labelText(row, floor((wide - (x - labels.data[i]) - 7) / LETTER_WIDTH));
    if (!text) continue;
    word(onHues[hueSlots[row]], text, x + 4, labels.data[i + 1] + 0.5, max(4, wide - 6));
  }
  labels.n = 0;
}
function paintWaitLabels() {
  letters(LABEL_FONT, 'center');
  for (let i = 0; i < waitLabels.n; i += 4) {
    labelled(tellDuration((col.wait[waitLabels.data[i + 3]] - 1) * tickUs), waitLabels.data[i], waitLabels.data[i + 1], ink.soft);
  }
  waitLabels.n = 0;
}
