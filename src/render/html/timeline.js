// The timeline: lanes of marks on a canvas. The grid says the same, so to a reader of screens it is one picture.

const AXIS_HEIGHT = 24, LANE_FONT = '12px system-ui, sans-serif';
const timelineBox = make('div', 'timeline'), timelineField = make('div', 'field'), timeBar = make('div', 'timebar', '', { role: 'toolbar', ariaLabel: 'Timeline' });
const timelineCanvas = make('canvas', '', '', { role: 'img', ariaLabel: 'Timeline; the grid has the same data' });
const tip = make('div', 'tip', '', { hidden: true, ariaHidden: 'true' }), legendBox = make('span', 'legend'), noteBox = make('span', 'note');
let timelineWide = 0, timelineHigh = 0;
/** Are the lanes laid out as they are now wanted? */
let lanesLaid = false;
/** Lays out and colours the pictures anew. */
function layAnew() {
  lanesLaid = false; rowsMoved = overviewStale = true; keptBundles = [];
  soon();
}
/** Of which selection the arrows are known. */
let arrowsOf = -2;
/** Row below the pointer, -1: none. */
let hoverRow = -1;
/** @param {HTMLCanvasElement} canvas */
const penOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d', { alpha: false }));

/** @param {HTMLElement} box */
function addTimeline(box) {
  sortByTime(); foldTime(); countLanes(); findPath(); findShapes();
  colourBy(String(preferences().colourBy ?? (isOld(N - 1) ? 'change' : '')));
  if (byTime.length) { addTimeBar(); put(timelineBox, timeBar, put(timelineField, timelineCanvas, tip)); }
  else put(timelineBox, make('p', 'timebar', N ? 'No call has a time; see the tree.' : 'No calls.'));
  put(box, timelineBox);
  panes.push({ name: 'timeline', title: 'Timeline', element: timelineBox, draw: drawTimeline, reveal: revealMark, spot: spotOfMark });
  onRelist.push((hidesAnew) => { if (hidesAnew) layAnew(); });
  listenTimeline();
  new ResizeObserver(() => { lanesLaid = false; soon(); }).observe(timelineField);
}

function foldByKey() {
  const band = selectedRow < 0 ? null : bandOf(selectedRow);
  if (band?.folds) { turnBand(band); say(`${band.label} ${band.kind === 'lane' ? 'collapsed' : 'expanded'}`); }
}

function addTimeBar() {
  const untimed = N - byTime.length, all = Object.keys(HUE_OF);
  const hue = press('', () => { colourBy(all[(all.indexOf(hueBy) + 1) % all.length]); prefer('colourBy', hueBy); tellHue(); layAnew(); }, 'Color by ' + all.join(', '));
  const tellHue = () => { hue.textContent = 'Colour: ' + hueBy; };
  tellHue();
  put(timeBar, hue);
  if (manyBreaks) {
    const fold = press(`// ${tellMany(manyBreaks, 'gap')} collapsed`, () => { wholeTime = !wholeTime; setPressed(fold, !wholeTime); foldTime(); layAnew(); }, 'Idle gaps over ten minutes');
    fold.ariaPressed = 'true';
    put(timeBar, fold);
  }
  const play = press('▶', togglePlay, 'Play (Space)');
  always.push(() => { setPressed(play, playTimer > 0); });
  put(timeBar, play, ...kindButtons(), legendBox, untimed ? `${tellCount(untimed)} without a time` : '', movedBy ? `old run shifted by ${tellDuration(movedBy * tickUs)}` : '', noteBox);
}
const MOST_ENTRIES = 9;
/** What the hues stand for, the way in which waits are drawn, and other signs of marks. */
function tellLegend() {
  legendBox.replaceChildren(...legend.slice(0, MOST_ENTRIES).map(({ name, slot, letter }) => {
    const swatch = make('i', '', letter);
    swatch.style.background = hues[slot]; swatch.style.color = onHues[slot];
    return put(make('span', '', '', { title: tellName(name) }), swatch, tellName(name, 40));
  }), manyNames > MOST_ENTRIES ? `and ${tellCount(manyNames - MOST_ENTRIES)} more` : '');
  const waited = new Set();
  for (let r = 0; r < N; r++) if (col.wait[r] > 1) waited.add(col.wait_kind[r]);
  ['', '╱╱', '', '╲╲', '···'].forEach((look, kind) => { if (look && waited.has(kind)) put(legendBox, make('span', '', `${look} ${WAIT_WORDS[kind]}`)); });
  put(legendBox, ...head.signs.map((words) => make('span', words.includes('!') ? 'bad' : '', words)));
}

// Makes the canvas fit, and lays out the lanes where something about them has changed.
/** @returns {boolean} is there room? */
function layTimeline() {
  if (!lanesLaid) {
    const wide = timelineField.clientWidth, scale = devicePixelRatio;
    if (wide < 40) return false;
    lanesLaid = true;
    pen = penOf(timelineCanvas);
    viewX = wide < 560 ? 106 : clamp(round(wide * 0.24), 150, 240);
    freshPaint(); tellLegend();
    // What there is for lanes, whatever they take now: else each layout would change the next.
    layLanes(max(90, floor(min($('panes').clientHeight, innerHeight) * 0.6) - AXIS_HEIGHT - timeBar.offsetHeight));
    bands.forEach(fitLabel);
    // The tree below gets what the lanes do not need.
    timelineBox.style.flex = `0 1 ${lanesHeight + AXIS_HEIGHT + timeBar.offsetHeight + 1}px`;
    timelineWide = wide; timelineHigh = timelineField.clientHeight;
    timelineCanvas.width = wide * scale; timelineCanvas.height = timelineHigh * scale;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
  }
  viewH = timelineHigh; viewTop = AXIS_HEIGHT; viewW = timelineWide - viewX - 10;
  viewFrom = placeOfTick(fromTick); viewTo = max(viewFrom + 1e-6, placeOfTick(toTick));
  // A single call would fill all: it takes two fifths.
  if (byTime.length === 1) { const long = max(1, ticksOf(byTime[0])); viewFrom = placeAt[byTime[0]] - long * 0.75; viewTo = viewFrom + long * 2.5; }
  viewScale = viewW / (viewTo - viewFrom);
  viewScroll = clamp(viewScroll, 0, max(0, lanesHeight - viewH + viewTop));
  return true;
}
// Cuts the label of a band to the room it has; how many agents it is or which one of a type stays.
/** @param {Band} band */
function fitLabel(band) {
  pen.font = LABEL_FONT;
  const note = band.note && viewX > 150 ? pen.measureText(band.note).width + 8 : 0, room = viewX - labelX(band) - 28 - note;
  if (!note) band.note = '';
  pen.font = LANE_FONT;
  if (pen.measureText(band.label).width <= room) return;
  const [whole, many, number] = / … ([^…]+) agents$|(#\d+)$/.exec(band.label) ?? [''], end = many ? '… ×' + many : '…' + (number ?? '');
  let keep = band.label.length - max(1, whole.length);
  while (keep > 1 && pen.measureText(band.label.slice(0, keep) + end).width > room) keep--;
  band.label = band.label.slice(0, keep).trimEnd() + end;
}
/** @param {Band} band */
const labelX = ({ depth }) => 6 + min(depth, 5) * 10;

function drawTimeline() {
  if (!byTime.length || !layTimeline()) return;
  if (arrowsOf !== selectedRow) findOwn(arrowsOf = selectedRow);
  pen = penOf(timelineCanvas);
  freshPaint();
  manyMarks = manyArrows = 0;
  area(ink.bg, 0, 0, timelineWide, viewH);
  drawGround();
  within(viewX, viewW + 10, () => {
    for (const band of bands) if (band.kind !== 'open' && inSight(band)) drawBand(band);
    underlineDense(hits, hitBatch, 2, 2);
    underlineDense(pathRows, criticalBatch, 4, 3);
    if (lit) underlineDense(marked(lit), hitBatch, 8, 3);
    paintMarks();
    drawArrows();
    drawChosen();
  });
  within(0, viewX - 1, drawLabels);
  drawAxis();
  drawScroll();
  if (noteBox.textContent !== toldLinks) noteBox.textContent = toldLinks;
}
// Draws on nothing but a part of the picture below the axis.
/** @param {number} x @param {number} wide @param {() => void} draw */
function within(x, wide, draw) {
  pen.save(); pen.beginPath(); pen.rect(x, viewTop, wide, viewH - viewTop); pen.clip();
  draw();
  pen.restore();
}
/** @param {Band} band */
const inSight = (band) => band.y + band.h > viewScroll && band.y - viewScroll < viewH - viewTop;

// Lines between lanes, and breaks.
function drawGround() {
  area(ink.panel, 0, 0, timelineWide, viewTop); pen.fillRect(0, viewTop, viewX, viewH);
  let last = -9;
  for (let k = lowerBound(breakEnds, viewFrom); k < breakEnds.length; k++) {
    const a = max(viewX, xOf(breakBegins[k])), b = xOf(breakEnds[k]);
    if (a > viewX + viewW) break;
    if (b < last + 2) continue;
    last = b;
    pen.fillRect(a, viewTop, max(1, b - a), lanesHeight - viewScroll);
  }
  area(ink.line, 0, viewTop - 1, timelineWide, 1); pen.fillRect(viewX - 1, viewTop, 1, viewH);
  for (const band of bands) if (band.h >= 10 && inSight(band)) pen.fillRect(0, round(topOfBand(band) + band.h) - 1, timelineWide, 1);
}
function drawLabels() {
  for (const band of bands) {
    if (!inSight(band) || band.h < 11) continue;
    const middle = topOfBand(band) + min(band.h, 28) / 2, x = labelX(band);
    if (selectedRow >= 0 && bandOf(selectedRow) === band) area(ink.accent, 0, topOfBand(band) + 1, 3, band.h - 2);
    letters(LABEL_FONT, 'right'); word(ink.soft, band.note, viewX - 7, middle);
    letters(LANE_FONT, 'left'); word(ink.fg, band.label, x + 14, middle);
    if (band.folds) word(ink.soft, isShut(band) ? '▸' : '▾', x, middle);
  }
}
/** @param {Band} band */
const isShut = ({ kind }) => kind === 'fold' || kind === 'group';
function drawScroll() {
  const room = viewH - viewTop, long = max(20, room * room / lanesHeight);
  if (lanesHeight > room) area(ink.edge, timelineWide - 6, viewTop + (room - long) * viewScroll / (lanesHeight - room), 4, long);
}

// Where a row is drawn.
/** @param {number} r @returns {{x: number, y: number, w: number, h: number} | null} */
function boxOf(r) {
  if (r < 0 || !col.timed[r]) return null;
  const band = bandOf(r), high = subHeight(band), dense = isDense(band);
  return { x: floor(xOf(placeAt[r])), w: max(3, round(ticksOf(r) * viewScale)), y: dense ? topOfBand(band) : topOf(r) + barTop(high), h: dense ? band.h : barHeight(high) };
}
/** @param {number} row @param {string} colour @param {number} width @param {number[]} dash */
function ring(row, colour, width, dash) {
  const box = boxOf(row);
  if (!box) return;
  const left = max(box.x, viewX - 8), wide = min(box.x + box.w, viewX + viewW + 14) - left;
  if (wide <= 0) return;
  // Of twice its width on ground of its own.
  pen.strokeStyle = ink.bg; pen.lineWidth = width * 2 + 1; pen.strokeRect(left - 1.5, box.y - 1.5, wide + 3, box.h + 3);
  pen.strokeStyle = colour; pen.lineWidth = width; pen.setLineDash(dash); pen.strokeRect(left - 2, box.y - 2, wide + 4, box.h + 4);
  pen.setLineDash(SOLID);
}
function drawChosen() {
  if (hoverRow !== selectedRow) ring(hoverRow, ink.fg, 1, SOLID);
  if (partedRow >= 0 && col.timed[partedRow]) {
    const x = xOf(placeAt[partedRow]);
    for (let y = viewTop + 20; y < viewH; y += 8) area(ink.warn, x - 1, y, 2, 5);
    letters(LABEL_FONT, 'center');
    if (x >= viewX) labelled('first difference', clamp(x, viewX + 52, viewX + viewW - 44), viewTop + 11, ink.warn);
  }
  ring(twins.get(selectedRow) ?? -1, ink.accent, 2, DASHED);
  ring(secondRow, ink.accent, 2, DASHED);
  ring(selectedRow, ink.accent, 2, SOLID);
  drawStubs();
  if (playedAt >= 0) area(ink.accent, xOf(placeOfTick(playedAt)), viewTop, 1, viewH);
}

// Causes and effects of the selection that have no mark: hidden by a filter, or without a time.
function drawStubs() {
  const row = selectedRow, box = boxOf(row);
  if (!box) return;
  for (const back of [true, false]) {
    let many = 0;
    const ends = back ? inFirst : outFirst;
    for (let k = ends[row]; k < ends[row + 1]; k++) { const r = back ? sourceRow[k] : targetRow[outEdge[k]]; if (!col.timed[r] || hiddenRows[r]) many++; }
    if (!many) continue;
    const way = back ? -1 : 1, x = back ? box.x - 3 : box.x + box.w + 3, y = box.y + box.h / 2;
    letters(SIGN_FONT, 'center');
    labelled('+' + many, x + way * 18, y, ink.accent);
    pen.fillRect(x, y - 1, way * 10, 2);
  }
}

/** Sensible steps of an axis, in microseconds. */
const STEPS = [1, 10, 100, 1e3, 1e4, 1e5].flatMap((n) => [n, 2 * n, 5 * n]).concat([1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 2592000, 31536000].map((n) => n * 1e6));
// Time of day, as exact as the step asks.
/** @param {number} us since 1970 @param {number} step */
const tellTick = (us, step) => isoOf(us).slice(11, step >= 60e6 ? 16 : step >= 1e6 ? 19 : 23) + (step < 1000 ? String(us % 1000).padStart(3, '0') : '');
// Of a break, in pixels.
/** @param {number} k */
const wideOf = (k) => (breakEnds[k] - breakBegins[k]) * viewScale;
// Breaks are told by their length, and jumped over; their word goes before those of ticks.
function drawAxis() {
  const us = tickUs, apart = (viewW < 400 ? 72 : 96) / viewScale * us, step = STEPS.find((s) => s >= apart) ?? STEPS[STEPS.length - 1], end = tickOfPlace(viewTo);
  letters(LABEL_FONT, 'left');
  axisFree = viewX; axisDay = '';
  for (let tick = tickOfPlace(viewFrom), k = lowerBound(breakEnds, viewFrom), x = viewX; tick <= end; tick = breakTo[k++]) {
    const broken = k < breakFrom.length && breakFrom[k] <= end, stop = broken ? breakFrom[k] : end, stopX = broken ? xOf(breakBegins[k]) : viewX + viewW;
    // Where a stretch is too short for a word, it is left out before any text is made.
    if (stopX > axisFree || wideOf(k) > 14) {
      const middle = broken ? xOf((breakBegins[k] + breakEnds[k]) / 2) : 0, told = broken && (wideOf(k) > 14 || breakFrom.length < 9) ? '// ' + tellDuration((breakTo[k] - stop) * us) : '', half = told.length * 3.1;
      const fits = told && middle - half > axisFree - 8 && middle + half < viewX + viewW, most = fits ? middle - half : viewX + viewW + 10;
      // Between breaks that are close, no round moment may fall: then the first one is told.
      if (breakFrom.length && stopX - x < 170) tellAt(tick * us, x, 60e6, most, true);
      for (let at = (ceil((tick * us + epochUs) / step) * step - epochUs) / us; at <= stop; at += step / us) tellAt(at * us, x + (at - tick) * viewScale, step, most, false);
      if (fits) { word(ink.fg, told, middle - half, viewTop / 2); axisFree = middle + half + 8; }
    }
    if (!broken) break;
    x = xOf(breakEnds[k]);
  }
  area(ink.panel, 0, 0, viewX - 1, viewTop - 1);
  word(ink.soft, dayOf(tickOfPlace(viewFrom) * us) + (viewX > 120 ? zone() : ''), 8, viewTop / 2);
}
/** Where the axis has room, and the day last told. */
let axisFree = 0, axisDay = '';
/** @param {number} us from the first moment */
const dayOf = (us) => isoOf(us + epochUs).slice(0, 10);
/** @param {number} us from the first moment @param {number} x @param {number} step @param {number} most where there must be an end @param {boolean} dated with its day */
function tellAt(us, x, step, most, dated) {
  if (!dated) area(ink.line, round(x), viewTop - 6, 1, 5);
  if (x < axisFree || x > most) return;
  const day = dayOf(us), text = (dated || day !== axisDay && axisDay ? day.slice(5) + ' ' : '') + tellTick(us + epochUs, step), wide = text.length * 6.4;
  if (x + 4 + wide > most) return;
  area(ink.line, round(x), viewTop - 9, 1, 8);
  word(ink.soft, text, x + 4, viewTop / 2);
  axisFree = x + wide + 14; axisDay = day;
}

// Moves so that a row can be seen; how far it is zoomed in stays.
/** @param {number} row */
function revealMark(row) {
  if (!col.timed[row] || !layTimeline()) return;
  const wide = viewTo - viewFrom, end = min(endOf(row), placeAt[row] + wide), middle = (placeAt[row] + end) / 2;
  if (byTime.length > 1 && (placeAt[row] < viewFrom || min(end, placeAt[row] + wide * 0.8) > viewTo)) showPlaces(middle - wide / 2, middle + wide / 2);
  const y = topOf(row) - viewTop + viewScroll;
  viewScroll = clamp(viewScroll, y + subHeight(bandOf(row)) - viewH + viewTop, y);
}
/** @param {number} row @returns {{x: number, y: number} | null} middle of what is in view of its mark */
function spotOfMark(row) {
  const box = !hiddenRows[row] && layTimeline() && boxOf(row);
  if (!box) return null;
  const left = max(box.x, viewX), end = min(box.x + box.w, viewX + viewW), y = box.y + box.h / 2, frame = frameOf(timelineCanvas);
  return end <= left || y < viewTop || y > viewH ? null : { x: frame.left + (left + end) / 2, y: frame.top + y };
}
