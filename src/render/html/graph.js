// The whole graph, in layers from causes to effects, folded until it fits. A click on a group opens it; what matters is never folded.

const graphBox = make('div', 'graph'), graphField = make('div', 'field'), graphBar = barOfButtons('Graph');
const graphCanvas = make('canvas', '', '', { role: 'img', ariaLabel: 'Graph; the grid has the same data' }), graphTip = make('div', 'tip', '', { hidden: true, ariaHidden: 'true' }), graphNote = make('span', 'note');
/** Boxes at which a picture begins, and those that more and fewer lead to. At the least size, a label can be read. */
const GRAPH_STEPS = [16, 24, 36, 54, 80, 120, 180, 270, 400], LEAST_SCALE = 0.62, GRAPH_MARGIN = 14, MINIMAP_WIDE = 150, MINIMAP_HIGH = 92;
/** How many are wished, as a place in GRAPH_STEPS; -1: as many as fit. */
let graphStep = -1;
// Groups that were opened and shut by hand.
/** @type {Set<Part>} */
const partsOpened = new Set();
/** @type {Set<Part>} */
const partsShut = new Set();
/** @type {GraphBox[]} */
let graphAll = [];
/** @type {GraphArrow[]} */
let graphLinks = [];
/** By row: its place in graphAll + 1. */
let graphAt = u32(0);
/** The state for which the picture was laid out; its size; and its part in view: left upper corner and scale. */
let graphLaid = '', graphWidth = 1, graphHeight = 1, graphX = 0, graphY = 0, graphScale = 1, graphWide = 0, graphHigh = 0;
/** The size for which it is known how many fit. */
let graphSize = '', graphFitting = 0;
/** Is all of it in view, so that it stays so when the layout changes? */
let graphFits = true;
/** Place of the box below the pointer, -1: none; and marks on the boxes of its chain. */
let graphHover = -1, graphLit = u8(0);

/** The parts shown, and for what they were chosen. */
/** @type {Part[]} */
let graphParts = [];
let graphPartsOf = '';
/** @param {number} step @returns {number} the scale at which all of it is in view */
function foldGraph(step) {
  const now = `${step} ${partsOpened.size} ${partsShut.size}`;
  if (graphPartsOf !== now) { graphPartsOf = now; graphParts = partsShown(/** @type {Part} */ (allRows), GRAPH_STEPS[step], partsOpened, partsShut); }
  graphAll = graphBoxes(graphParts, rowsAlone(GRAPH_STEPS[step] / 2));
  graphAt = boxesByRow(graphAll);
  graphLinks = graphArrows(graphAll, graphAt);
  const wide = graphWide - 2 * GRAPH_MARGIN, high = graphHigh - 2 * GRAPH_MARGIN;
  // As many in a layer as give the picture the shape of the pane, were all layers full.
  const { width, height, scale } = fitBoxes(graphAll, layerBoxes(graphAll, graphLinks, max(4, ceil(Math.sqrt(graphAll.length * high / GRAPH_STEP_Y * GRAPH_STEP_X / wide)))), wide, high);
  graphWidth = width; graphHeight = height;
  return scale;
}
// The most boxes of which the labels can be read.
/** @returns {number} place in GRAPH_STEPS */
function fittingStep() {
  let few = 0, many = 6;
  while (many - few > 1) { const middle = (few + many) >> 1; if (foldGraph(middle) < LEAST_SCALE) many = middle; else few = middle; }
  return few;
}
// Lays out the graph if something about it has changed.
/** @returns {boolean} is there room? */
function layGraph() {
  const wide = graphField.clientWidth, high = graphField.clientHeight, size = `${wide} ${high} ${hiddenKinds}`, now = `${size} ${graphStep} ${selectedRow} ${secondRow} ${partsOpened.size} ${partsShut.size}`;
  if (wide < 40 || high < 40) return false;
  if (now === graphLaid) return true;
  graphLaid = now; graphWide = wide; graphHigh = high; graphHover = -1;
  if (!allRows) { allRows = wholePart(); findWhatMatters(allRows.rows); graphSize = graphPartsOf = ''; graphWords.clear(); }
  const scale = devicePixelRatio;
  graphCanvas.width = wide * scale; graphCanvas.height = high * scale;
  // How many fit is asked once a size: a selection moves no more than it has to.
  if (graphSize !== size) { graphSize = size; graphFitting = fittingStep(); }
  foldGraph(graphStep < 0 ? graphFitting : graphStep);
  if (graphFits) fitGraph(); else showInGraph(selectedRow);
  const failed = howMany(failedRows, (r) => graphAll[graphAt[r] - 1].rows.length > 1), many = graphLinks.reduce((sum, link) => sum + link.many, 0);
  graphNote.textContent = joined([`${tellMany(allRows.rows.length, 'call')} in ${graphAll.length === 1 ? '1 box' : tellCount(graphAll.length) + ' boxes'}`, `${tellMany(many, 'link')} as ${tellMany(graphLinks.length, 'arrow')}`, failed && `! ${tellCount(failed)} failed in groups`], ', ');
  return true;
}
function fitGraph() {
  graphFits = true;
  graphScale = clamp(min((graphWide - 2 * GRAPH_MARGIN) / graphWidth, (graphHigh - 2 * GRAPH_MARGIN) / graphHeight), 0.02, 1);
  graphX = (graphWidth - graphWide / graphScale) / 2; graphY = (graphHeight - graphHigh / graphScale) / 2;
  soon();
}
/** @param {number} by @param {number} [x] in the canvas: stays where it is @param {number} [y] */
function zoomGraph(by, x = graphWide / 2, y = graphHigh / 2) {
  const before = graphScale;
  graphFits = false;
  graphScale = clamp(graphScale * by, 0.02, 4);
  moveGraph(x / before - x / graphScale, y / before - y / graphScale);
}
/** @param {number} dx in the picture @param {number} dy */
function moveGraph(dx, dy) {
  graphFits = false;
  const wide = graphWide / graphScale, high = graphHigh / graphScale;
  // Some of it is always in view.
  graphX = clamp(graphX + dx, 60 - wide, graphWidth - 60); graphY = clamp(graphY + dy, 30 - high, graphHeight - 30);
  soon();
}
/** @param {number} row moves so that its box can be seen */
function showInGraph(row) {
  const box = row >= 0 ? graphAll[graphAt[row] - 1] : undefined, wide = graphWide / graphScale, high = graphHigh / graphScale;
  if (!box) return;
  graphX = clamp(graphX, box.x + GRAPH_WIDE + 20 - wide, box.x - 20); graphY = clamp(graphY, box.y + GRAPH_HIGH + 20 - high, box.y - 20);
}
// Is each row that is shown in one box, and each link in an arrow or within a box?
function isGraphWhole() {
  let drawn = 0, links = 0;
  for (let e = 0; e < E; e++) { const from = graphAt[sourceRow[e]], to = graphAt[targetRow[e]]; if (from && to && from !== to && !isKindHidden(e)) links++; }
  for (const { many } of graphLinks) drawn += many;
  return graphAt.every((place, r) => hiddenRows[r] ? !place : place > 0) && drawn === links;
}
/** @param {number} by */
function moreBoxes(by) {
  const now = graphStep >= 0 ? graphStep : max(0, GRAPH_STEPS.findIndex((many) => many >= graphAll.length));
  graphStep = clamp(now + by, 0, GRAPH_STEPS.length - 1);
  soon();
}
function foldAll() {
  partsOpened.clear(); partsShut.clear();
  graphStep = -1; graphLaid = '';
  fitGraph();
}

// Boxes from which one can be reached, and those that it reaches.
/** @param {number} place @returns {Uint8Array} */
function chainOfBox(place) {
  const on = u8(graphAll.length), first = graphAll[place];
  for (const back of [true, false]) {
    const stack = [first], seen = new Set(stack);
    for (let box = stack.pop(); box; box = stack.pop()) {
      on[box.place] = 1;
      for (const link of graphLinks) if ((back ? link.to : link.from) === box) { const next = back ? link.from : link.to; if (!seen.has(next)) { seen.add(next); stack.push(next); } }
    }
  }
  return on;
}
/** @param {GraphBox} box */
const isAlone = ({ rows }) => rows.length === 1;
/** @typedef {{title: string, note: string, name: string, figures: string, isFailed: boolean, isCritical: boolean}} BoxWords  in full, and cut to the width of a box */
// By first row and number of rows, made once: a group may be most of the run.
/** @type {Map<string, BoxWords>} */
const graphWords = new Map();
/** @param {GraphBox} box @returns {BoxWords} */
function wordsOfBox(box) {
  const key = `${box.rows[0]} ${box.rows.length}`, words = graphWords.get(key) ?? newWords(box);
  graphWords.set(key, words);
  return words;
}
/** @param {GraphBox} box @returns {BoxWords} */
function newWords(box) {
  const { part, rows } = box, row = rows[0], alone = isAlone(box), lanes = new Set();
  let cost = -1, more = false, failed = 0, duration = 0, isCritical = false;
  for (const r of rows) {
    lanes.add(col.lane[r]);
    if (col.cost[r]) cost = max(0, cost) + col.cost[r] - 1;
    more ||= has(r, COSTS_MORE);
    isCritical ||= has(r, CRITICAL);
    if (has(r, FAILED | TOOL_ERROR)) failed++;
    duration += max(0, durationOf(r) ?? 0);
  }
  const title = alone ? shortPaths(labelOf(row)) : `${tellName(part?.name || toolsUsed(row), 80)} ×${tellCount(rows.length)}`, about = [lanes.size > 1 ? tellMany(lanes.size, 'agent') : tellName(agentOf(row), 40), cost < 0 ? '' : atLeast(more, tellCost(cost)), tellDuration(duration)];
  const isFailed = failed > 0, note = joined([...about, alone ? isFailed && stateOf(row) : isFailed && `! ${tellCount(failed)} failed`], ' · ');
  // How many it represents is never cut off.
  const end = alone ? '' : ` ×${tellCount(rows.length)}`, room = GRAPH_WIDE - 18 - (isFailed ? 10 : 0);
  return { title, note, name: (isFailed ? '! ' : '') + fitted(alone ? title : title.slice(0, -end.length), room - 7 * end.length) + end, figures: fitted(joined([alone ? '' : isFailed && `! ${tellCount(failed)}`, ...about], ' · '), GRAPH_WIDE - 16, 11), isFailed, isCritical };
}

function drawGraph() {
  if (!layGraph()) return;
  setPressed(graphWhole, graphFits);
  const scale = devicePixelRatio;
  pen = penOf(graphCanvas);
  freshPaint();
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  area(ink.bg, 0, 0, graphWide, graphHigh);
  pen.save();
  pen.setTransform(scale * graphScale, 0, 0, scale * graphScale, -graphX * scale * graphScale, -graphY * scale * graphScale);
  manyMarks = graphAll.length; manyArrows = graphLinks.length;
  const chosen = selectedRow >= 0 ? graphAt[selectedRow] - 1 : -1;
  graphLit = graphHover >= 0 ? chainOfBox(graphHover) : u8(0);
  for (const link of graphLinks) drawGraphLink(link, chosen);
  for (const box of graphAll) drawGraphBox(box, box.place === chosen);
  pen.restore();
  if (!graphFits) drawMinimap();
}
/** @param {number} i */
const isFaded = (i) => graphHover >= 0 && !graphLit[i];
/** @param {GraphArrow} link @param {number} chosen */
function drawGraphLink({ from, to, edge, many }, chosen) {
  const kind = kindOf(edge), own = graphAll[chosen], isOwn = from === own || to === own, off = (kind - 1) * 3;
  const x1 = from.x + GRAPH_WIDE, y1 = from.y + GRAPH_HIGH / 2 + off, x2 = to.x, y2 = to.y + GRAPH_HIGH / 2 + off, tip = 6;
  pen.strokeStyle = pen.fillStyle = col.e_error[edge] ? ink.bad : isOwn ? ink.accent : ink.edge;
  pen.lineWidth = (isOwn ? 2 : 1) + min(3, Math.log10(many));
  pen.setLineDash(dashOf(edge));
  pen.globalAlpha = graphHover >= 0 && !(graphLit[from.place] && graphLit[to.place]) ? FADED : 1;
  pen.beginPath(); pen.moveTo(x1, y1);
  if (from.band !== to.band || x2 < x1) {
    // To another band by the gap above it, and back in time by the gap below the box.
    const gap = from.band < to.band ? to.y - to.slot * GRAPH_STEP_Y - GRAPH_BAND_GAP / 2 + off : min(y1, y2) - GRAPH_HIGH / 2 - 7 + off, right = x1 + 14 + off, left = x2 - 16 + off;
    pen.lineTo(right, y1); pen.lineTo(right, gap); pen.lineTo(left, gap); pen.lineTo(left, y2); pen.lineTo(x2 - tip, y2);
  } else if (abs(y1 - y2) < 1 && to.layer - from.layer > 1) pen.bezierCurveTo(x1 + 20, y1 - GRAPH_HIGH, x2 - 20, y1 - GRAPH_HIGH, x2 - tip, y2);
  else { const lean = min(40, (x2 - x1) / 2); pen.bezierCurveTo(x1 + lean, y1, x2 - lean, y2, x2 - tip, y2); }
  pen.stroke();
  pen.setLineDash(SOLID); pen.lineWidth = 1.5;
  pen.beginPath(); pen.moveTo(x2 - tip, y2 - 3.5); pen.lineTo(x2, y2); pen.lineTo(x2 - tip, y2 + 3.5);
  if (headOf[col.e_type[edge]] === HEAD_OPEN) pen.stroke(); else pen.fill();
  letters(LABEL_FONT, 'center');
  const words = joined([many > 1 && '×' + tellCount(many), many === 1 && col.e_confidence[edge] < SURE && (col.e_confidence[edge] / 10000).toFixed(2)], ' ');
  if (words && graphScale >= LEAST_SCALE && (isOwn || many > 1 && from.band === to.band && x2 - x1 > 60)) labelled(words, (x1 + x2) / 2, (y1 + y2) / 2, ink.soft);
  pen.globalAlpha = 1;
}
/** @param {GraphBox} box @param {boolean} isChosen */
function drawGraphBox(box, isChosen) {
  const { x, y, rows, place } = box, { name, figures, isFailed, isCritical } = wordsOfBox(box);
  if (x + GRAPH_WIDE < graphX || x > graphX + graphWide / graphScale || y + GRAPH_HIGH < graphY || y > graphY + graphHigh / graphScale) return;
  pen.globalAlpha = isFaded(place) ? FADED + 0.1 : 1;
  pen.lineWidth = 1; pen.strokeStyle = ink.edge;
  if (!isAlone(box)) { area(ink.panel, x + 4, y + 4, GRAPH_WIDE, GRAPH_HIGH); pen.strokeRect(x + 4.5, y + 4.5, GRAPH_WIDE - 1, GRAPH_HIGH - 1); }
  area(isChosen ? ink.line : ink.panel, x, y, GRAPH_WIDE, GRAPH_HIGH); area(hues[hueSlots[rows[0]]], x, y, 5, GRAPH_HIGH);
  pen.lineWidth = isChosen || isFailed ? 2 : 1; pen.strokeStyle = isChosen ? ink.accent : isFailed ? ink.bad : ink.edge;
  pen.strokeRect(x + 0.5, y + 0.5, GRAPH_WIDE - 1, GRAPH_HIGH - 1);
  if (isCritical) area(ink.fg, x, y + GRAPH_HIGH + 1, GRAPH_WIDE, 3);
  if (isAlone(box) && isHit(rows[0])) area(ink.hit, x + 11, y + 19, GRAPH_WIDE - 22, 2);
  if (graphScale >= 0.4) {
    letters(LANE_FONT, 'left'); word(isFailed ? ink.bad : ink.fg, name, x + 11, y + 12);
    letters(LABEL_FONT, 'left'); word(ink.soft, figures, x + 11, y + 27);
  }
  pen.globalAlpha = 1;
}
/** @returns {{x: number, y: number, scale: number}} where the small picture of all is */
function minimapFrame() {
  const scale = min(MINIMAP_WIDE / graphWidth, MINIMAP_HIGH / graphHeight);
  return { x: graphWide - 10 - graphWidth * scale, y: graphHigh - 10 - graphHeight * scale, scale };
}
function drawMinimap() {
  const { x, y, scale } = minimapFrame();
  area(ink.bg, x - 5, y - 5, graphWidth * scale + 10, graphHeight * scale + 10);
  pen.lineWidth = 1; pen.strokeStyle = ink.edge; pen.strokeRect(x - 4.5, y - 4.5, graphWidth * scale + 9, graphHeight * scale + 9);
  for (const box of graphAll) area(selectedRow >= 0 && box.place === graphAt[selectedRow] - 1 ? ink.accent : wordsOfBox(box).isFailed ? ink.bad : hues[hueSlots[box.rows[0]]], x + box.x * scale, y + box.y * scale, max(2, GRAPH_WIDE * scale), max(1.5, GRAPH_HIGH * scale));
  const left = clamp(graphX, 0, graphWidth), top = clamp(graphY, 0, graphHeight), right = clamp(graphX + graphWide / graphScale, 0, graphWidth), bottom = clamp(graphY + graphHigh / graphScale, 0, graphHeight);
  pen.strokeStyle = ink.accent; pen.lineWidth = 2; pen.strokeRect(x + left * scale, y + top * scale, (right - left) * scale, (bottom - top) * scale);
}
/** @param {number} x in the canvas @param {number} y @returns {boolean} */
function isInMinimap(x, y) {
  const frame = minimapFrame();
  return !graphFits && x >= frame.x - 5 && y >= frame.y - 5 && x <= graphWide - 5 && y <= graphHigh - 5;
}
/** @param {number} x in the canvas @param {number} y @returns {number} place of the box there, -1: none */
function graphBoxAt(x, y) {
  const px = x / graphScale + graphX, py = y / graphScale + graphY;
  return graphAll.findIndex((box) => px >= box.x && px <= box.x + GRAPH_WIDE && py >= box.y && py <= box.y + GRAPH_HIGH + 4);
}
/** @param {number} x @param {number} y */
function centreGraph(x, y) {
  const frame = minimapFrame();
  moveGraph((x - frame.x) / frame.scale - graphX - graphWide / graphScale / 2, (y - frame.y) / frame.scale - graphY - graphHigh / graphScale / 2);
}

/** @param {PointerEvent} event */
function pressGraph({ offsetX: x, offsetY: y, shiftKey }) {
  const box = graphAll[graphBoxAt(x, y)];
  if (!box) { select(-1); return; }
  const { part, rows } = box;
  // With Shift, the group that it was opened from is shut.
  const above = part?.above;
  if (shiftKey && above?.above) { partsShut.add(above); partsOpened.delete(above); graphLaid = graphPartsOf = ''; soon(); }
  else if (isAlone(box)) select(rows[0]);
  else if (part) { partsShut.delete(part); partsOpened.add(part); graphLaid = graphPartsOf = ''; graphFits = false; hideGraphTip(); soon(); }
}
function hideGraphTip() {
  graphTip.hidden = true;
  if (graphHover >= 0) { graphHover = -1; soon(); }
}
/** @param {number} x @param {number} y */
function hoverGraph(x, y) {
  const at = isInMinimap(x, y) ? -1 : graphBoxAt(x, y), box = graphAll[at];
  graphCanvas.style.cursor = box ? 'pointer' : '';
  if (!box) { hideGraphTip(); return; }
  if (at !== graphHover) { graphHover = at; soon(); }
  graphTip.replaceChildren(make('b', '', tellName(wordsOfBox(box).title, 120)), wordsOfBox(box).note + (isAlone(box) ? '' : '\nClick to open'));
  graphTip.hidden = false;
  graphTip.style.transform = `translate(${max(0, min(x + 12, graphWide - graphTip.offsetWidth - 4))}px, ${y + 18 + graphTip.offsetHeight > graphHigh ? max(0, y - graphTip.offsetHeight - 10) : y + 18}px)`;
}
function listenGraph() {
  let down = '', moved = false, x0 = 0, y0 = 0;
  listen(graphCanvas, 'wheel', (event) => { event.preventDefault(); zoomGraph(Math.exp(clamp(-event.deltaY * (event.deltaMode === 1 ? 16 : 1) / 400, -1, 1)), event.offsetX, event.offsetY); hideGraphTip(); }, { passive: false });
  listen(graphCanvas, 'pointerdown', (event) => {
    if (event.button) return;
    x0 = event.offsetX; y0 = event.offsetY; moved = false;
    down = isInMinimap(x0, y0) ? 'map' : 'picture';
    if (down === 'map') { graphCanvas.setPointerCapture(event.pointerId); centreGraph(x0, y0); }
  });
  listen(graphCanvas, 'pointermove', (event) => {
    const { offsetX: x, offsetY: y } = event;
    if (!down) hoverGraph(x, y);
    else if (down === 'map') centreGraph(x, y);
    else if (moved || Math.hypot(x - x0, y - y0) >= 4) {
      if (!moved) { moved = true; graphCanvas.setPointerCapture(event.pointerId); hideGraphTip(); }
      moveGraph((x0 - x) / graphScale, (y0 - y) / graphScale);
      x0 = x; y0 = y;
    }
  });
  const up = () => { down = ''; };
  listen(graphCanvas, 'pointerup', (event) => { if (down === 'picture' && !moved) pressGraph(event); up(); });
  listen(graphCanvas, 'pointercancel', up);
  listen(graphCanvas, 'pointerleave', hideGraphTip);
}
// The keys of the timeline, as far as they make sense here.
/** @param {KeyboardEvent} event @returns {boolean} */
function keyOfGraph({ key }) {
  const part = graphWide / graphScale / 10;
  /** @type {Record<string, () => void>} */
  const acts = { w: () => zoomGraph(1.25), s: () => zoomGraph(0.8), a: () => moveGraph(-part, 0), d: () => moveGraph(part, 0), 0: fitGraph, '.': () => { graphFits = false; graphScale = 1; showInGraph(selectedRow); soon(); }, '+': () => moreBoxes(1), '-': () => moreBoxes(-1) };
  if (!Object.hasOwn(acts, key)) return false;
  acts[key]();
  return true;
}
const graphWhole = press('all', fitGraph, 'Show all of it (0)');
/** @param {HTMLElement} box */
function addGraph(box) {
  put(graphBar, press('−', () => moreBoxes(-1), 'Fewer boxes (-)'), press('+', () => moreBoxes(1), 'More boxes (+)'), press('fold', foldAll, 'As many boxes as fit'), graphWhole,
    make('span', 'soft', 'click opens ×N, Shift+click folds it again; underline = critical path'), graphNote);
  put(box, put(graphBox, graphBar, put(graphField, graphCanvas, graphTip)));
  KEYS[0][1].push(['+ -', 'graph: more boxes, fewer', ({ key }) => moreBoxes(key === '+' ? 1 : -1)]);
  panes.push({ name: 'graph', title: 'Graph', element: graphBox, draw: drawGraph, key: keyOfGraph, reveal: (row) => { if (layGraph() && !graphFits) showInGraph(row); },
    spot: (row) => { const at = layGraph() && graphAll[graphAt[row] - 1], frame = frameOf(graphCanvas); return at ? { x: frame.left + (at.x + GRAPH_WIDE / 2 - graphX) * graphScale, y: frame.top + (at.y + GRAPH_HIGH / 2 - graphY) * graphScale } : null; } });
  onRelist.push((hidesAnew) => { if (hidesAnew) { allRows = null; partsOpened.clear(); partsShut.clear(); graphLaid = ''; } });
  listenGraph();
}
