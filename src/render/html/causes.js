// What led to the selection and what came of it, some hops each way. Never the whole run: nobody can read that.

// At most so many boxes, of so many rows on each side; beyond `BARE_FROM` of them a box is one line of text, so that the page keeps few elements.
const NEAR_MOST = 300, NEAR_ROWS = 3000, BARE_FROM = 120, BOX_GAP = 12, NEAR_EDGE = 34;
// Next to the selection there is room for the kind of link. Boxes are as wide as lets all layers be in the pane, and where that is narrow, higher; layers that have no room continue on the next line.
const OWN_GAP = 92, LAYER_GAP = 40, BOX_WIDE = 220, BOX_LEAST = 140, BOX_LOW = 38, BOX_HIGH = 52;
let boxWide = BOX_WIDE, boxHigh = BOX_LOW;
/**
 * @typedef {object} Box  a call, or equal siblings in one
 * @property {string} key   by which siblings are opened
 * @property {number[]} rows
 * @property {number} layer
 * @property {number} x @property {number} y
 * @property {number} line  y of the lane above its line of layers
 * @typedef {{from: Box, to: Box, edge: number}} BoxLink
 */
let nearHops = 4;
// Stacks of siblings that were opened.
/** @type {Set<string>} */
const nearOpened = new Set();
/** @type {Box[]} */
let nearBoxes = [];
/** What is drawn, and around which row. */
let nearDrawn = '', nearRow = -1;
let nearPicture = makeSvg('svg');
const nearScroll = scrolled('Causes and effects');
/** @param {number} width @param {number} height @param {string} label */
const pictureOf = (width, height, label) => makeSvg('svg', { role: 'img', width, height, viewBox: `0 0 ${width} ${height}`, 'aria-label': label });
/** @param {string} tag @param {string} look its class @param {Record<string, string | number>} attributes @param {string} [text] */
const sketch = (tag, look, attributes, text) => makeSvg(tag, { 'class': look, ...attributes }, text);
// A frame in which a picture is moved, also by keys.
/** @param {string} ariaLabel @param {...Element} parts */
function scrolled(ariaLabel, ...parts) { return put(make('div', 'scroll', '', { tabIndex: 0, role: 'region', ariaLabel }), ...parts); }
/** @param {string} ariaLabel @param {...(string | Node)} parts */
const barOfButtons = (ariaLabel, ...parts) => put(make('div', 'buttons', '', { role: 'toolbar', ariaLabel }), ...parts);

/** @param {number} a @param {number} b edges */
const surest = (a, b) => col.e_confidence[b] - col.e_confidence[a] || a - b;
// Rows within so many hops, with the row through which each was met.
/** @param {number} row @param {boolean} back @returns {Map<number, number>} */
function neighbours(row, back) {
  const via = new Map([[row, -1]]), far = back ? sourceRow : targetRow;
  let front = [row];
  for (let hop = 0; hop < nearHops; hop++) {
    const next = [];
    for (const r of front) for (const e of edgesBeside(r, back).sort(surest)) if (!via.has(far[e]) && via.size < NEAR_ROWS) { via.set(far[e], r); next.push(far[e]); }
    front = next;
  }
  return via;
}
/** @param {Map<number, any>} rows @returns {number[]} edges of which both ends are in */
const edgesWithin = (rows) => [...rows.keys()].flatMap((r) => edgesBeside(r, true).filter((e) => rows.has(sourceRow[e])));
// The longest way to the middle: causes below 0, effects above. A circle ends by itself.
/** @param {Map<number, number>} via @param {boolean} back @returns {Map<number, number>} */
function depthsOf(via, back) {
  const depth = new Map([...via.keys()].map((r) => [r, 0])), edges = edgesWithin(via), far = back ? sourceRow : targetRow, close = back ? targetRow : sourceRow, way = back ? -1 : 1;
  for (let rounds = 0, moved = true; moved && rounds < 12; rounds++) {
    moved = false;
    for (const e of edges) {
      const next = (depth.get(close[e]) ?? 0) + way;
      if (far[e] !== selectedRow && way * next > way * (depth.get(far[e]) ?? 0)) { depth.set(far[e], next); moved = true; }
    }
  }
  return depth;
}
/** @param {number} row @returns {Box[]} */
function boxesOf(row) {
  /** @type {Map<string, Box>} */
  const boxes = new Map();
  for (const back of [true, false]) {
    const via = neighbours(row, back), depth = depthsOf(via, back);
    for (const [r, from] of via) {
      const sibling = `${back} ${depth.get(r)} ${from} ${col.lane_type[col.lane[r]]} ${usesOf('t_name', r)} ${col.name[r]}`;
      // What matters stands by itself.
      const key = r === row || has(r, KEEP | FAILED) || isHit(r) || nearOpened.has(sibling) ? `${r}` : sibling, box = boxes.get(key);
      if (!box) boxes.set(key, { key, rows: [r], layer: depth.get(r) ?? 0, x: 0, y: 0, line: 0 }); else if (r !== row) box.rows.push(r);
    }
  }
  // The nearest, where they are too many; how many more there are is told beside each.
  return [...boxes.values()].sort((a, b) => abs(a.layer) - abs(b.layer) || a.rows[0] - b.rows[0]).slice(0, NEAR_MOST);
}
/** @param {Box[]} boxes @returns {BoxLink[]} one for all edges between two boxes, the surest */
function linksAmong(boxes) {
  /** @type {Map<number, Box>} */
  const boxOf = new Map(boxes.flatMap((box) => box.rows.map((r) => [r, box])));
  /** @type {Map<string, BoxLink>} */
  const links = new Map();
  for (const edge of edgesWithin(boxOf)) {
    const from = boxOf.get(sourceRow[edge]), to = boxOf.get(targetRow[edge]), key = `${from?.key} ${to?.key}`, before = links.get(key);
    if (from && to && from !== to && (!before || col.e_confidence[edge] > col.e_confidence[before.edge])) links.set(key, { from, to, edge });
  }
  return [...links.values()];
}
// Places boxes in layers, in an order in which few lines cross.
/** @param {Box[]} boxes @param {BoxLink[]} links @returns {{width: number, height: number}} */
function placeBoxes(boxes, links) {
  const depths = [...new Set(boxes.map(({ layer }) => layer))].sort((a, b) => a - b), layers = depths.map((depth) => boxes.filter(({ layer }) => layer === depth).sort((a, b) => a.rows[0] - b.rows[0]));
  const room = nearScroll.clientWidth - 26 - 2 * NEAR_EDGE, wide = clamp(floor((room + LAYER_GAP) / (BOX_LEAST + LAYER_GAP)), 1, layers.length), top = wide > 2 ? 24 + 6 * wide : 2 * BOX_GAP;
  const gapsTo = (/** @type {number} */ k) => depths.slice(k - k % wide, k).reduce((sum, depth) => sum + (depth === 0 || depth === -1 ? OWN_GAP : LAYER_GAP), 0), gaps = max(...depths.map((_, k) => gapsTo(k)));
  const many = depths.map((_, k) => max(...layers.slice(k - k % wide, k - k % wide + wide).map((layer) => layer.length))), tall = () => many.reduce((sum, most, k) => k % wide ? sum : sum + most * (boxHigh + BOX_GAP) + top, 0);
  boxWide = clamp((room - gaps) / wide, 112, BOX_WIDE);
  boxHigh = BOX_HIGH;
  if (boxWide >= 180 || tall() > nearScroll.clientHeight - 26) boxHigh = BOX_LOW;
  const seat = () => {
    let line = 0;
    layers.forEach((layer, k) => {
      if (k && k % wide === 0) line += many[k - 1] * (boxHigh + BOX_GAP) + top;
      layer.forEach((box, i) => {
        box.x = NEAR_EDGE + k % wide * boxWide + gapsTo(k);
        box.y = line + top + ((many[k] - layer.length) / 2 + i) * (boxHigh + BOX_GAP);
        box.line = line + BOX_GAP;
      });
    });
  };
  seat();
  for (let sweep = 0; sweep < 4; sweep++) {
    // Of lines to layers on one side, in turn.
    const middle = new Map(boxes.map((box) => {
      const beside = links.filter((link) => link[sweep % 2 ? 'from' : 'to'] === box).map((link) => link[sweep % 2 ? 'to' : 'from'].y);
      return [box, beside.length ? beside.reduce((a, b) => a + b) / beside.length : box.y];
    }));
    for (const layer of layers) layer.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0) || a.rows[0] - b.rows[0]);
    seat();
  }
  return { width: gaps + wide * boxWide + 2 * NEAR_EDGE, height: tall() };
}

const ruler = /** @type {CanvasRenderingContext2D} */ (make('canvas').getContext('2d'));
// As much of a name as has room: of a path its end.
/** @param {string} name @param {number} room in pixels @param {number} [size] of its letters */
function fitted(name, room, size = 12) {
  let text = tellName(name);
  const [path, word = ''] = /^([\w.-]{1,12} )?\S*\//.exec(text) ?? [], letters = [...text.slice(path?.length ?? 0)];
  ruler.font = size + 'px system-ui';
  while (letters.length && ruler.measureText(text).width > room) {
    if (path) letters.shift(); else letters.pop();
    text = path ? `${word}…${letters.join('')}` : letters.join('') + '…';
  }
  return text;
}
// Lines of one look are one path, so that many boxes make few elements.
/** @typedef {Map<string, string>} Paths */
/** @param {Paths} paths @param {string} look @param {string} d */
const addPath = (paths, look, d) => paths.set(look, (paths.get(look) ?? '') + d);
// In the order of their names.
/** @param {Paths} paths @param {SVGElement} picture */
const drawPaths = (paths, picture) => put(picture, ...[...paths].sort((a, b) => a[0] < b[0] ? -1 : 1).map(([look, d]) => sketch('path', look, look.startsWith('front') ? { d, stroke: `var(--${look.slice(6)})` } : { d })));
// Lines and arrows of all links; one that passes over layers bends above them.
/** @param {BoxLink[]} links @param {SVGElement} picture */
function drawLinks(links, picture) {
  const paths = new Map(), numbers = [];
  for (const { from, to, edge } of links) {
    const sure = col.e_confidence[edge] / 10000, type = strings[col.e_type[edge]], turns = from.line !== to.line, way = turns ? 1 : Math.sign(to.x - from.x) || -1, far = turns ? 0 : abs(to.layer - from.layer), cause = to.rows[0] === nearRow, own = cause || from.rows[0] === nearRow;
    const x1 = way > 0 ? from.x + boxWide : from.x, y1 = from.y + boxHigh / 2, x2 = way > 0 ? to.x : to.x + boxWide, y2 = to.y + boxHigh / 2;
    addPath(paths, `link ${sure < 0.6 ? 'weak' : sure < 0.95 ? 'guess' : dashOf(edge) === SOLID ? 'sure' : 'dash'}${col.e_error[edge] ? ' failed' : ''}${own && links.length < BARE_FROM ? ' own' : ''}`, `M${x1} ${y1}` + (turns ? `h14V${max(from.line, to.line)}H${x2 - 22}V${y2}H${x2}` : far > 1 ? `Q${(x1 + x2) / 2} ${min(y1, y2) - 26 - 12 * far} ${x2} ${y2}` : `L${x2 - way * 22} ${y2}H${x2}`));
    const filled = type === 'subagent_spawn';
    addPath(paths, filled ? 'tip filled' : 'tip', `M${x2 - way * 7} ${y2 - 4}L${x2} ${y2}L${x2 - way * 7} ${y2 + 4}${filled ? 'Z' : ''}`);
    // Beside the selection the kind of link has room too, at the end where there is one line to a box.
    const words = (own && far <= 1 ? titled(type.replace('subagent_', '')) : '') + (sure < 0.95 && (own || links.length < 60) ? ' ' + sure.toFixed(2) : ''), right = cause === way > 0;
    // One that would begin left of the picture, at the beginning of a line, is in the details alone.
    if (words && (right || cause || x2 > OWN_GAP)) numbers.push(sketch('text', 'number', { x: cause ? x1 + way * 8 : x2 - way * 8, y: (cause ? y1 : y2) - 6, 'text-anchor': right ? 'start' : 'end' }, fitted(words, OWN_GAP - 16, 11)));
  }
  drawPaths(paths, picture);
  put(picture, ...numbers);
}
/** @param {Box[]} boxes @param {SVGElement} picture */
function drawBoxes(boxes, picture) {
  const rows = new Set(boxes.flatMap((box) => box.rows)), paths = new Map(), texts = [];
  for (const box of boxes) {
    const { x, y, rows: [row, ...more] } = box, failed = has(row, FAILED | TOOL_ERROR), frame = `v${boxHigh}h${-boxWide}v${-boxHigh}Z`;
    if (more.length) addPath(paths, 'back box', `M${x + 4} ${y + 4}h${boxWide}${frame}`);
    addPath(paths, 'box' + (failed ? ' failed' : '') + (row === nearRow ? ' selected' : ''), `M${x} ${y}h${boxWide}${frame}`);
    addPath(paths, `front hue-${hueSlots[row]}`, `M${x + 3} ${y + 3}v${boxHigh - 6}`);
    if (has(row, CRITICAL)) addPath(paths, 'under', `M${x} ${y + boxHigh + 3}h${boxWide}`);
    const bare = boxes.length > BARE_FROM, [before, after] = [true, false].map((back) => box.rows.reduce((sum, r) => sum + edgesBeside(r, back).filter((e) => !rows.has((back ? sourceRow : targetRow)[e])).length, 0));
    const told = bare ? [before, after].map((hidden, k) => hidden && (k ? ` … ${hidden}` : `${hidden} … `)) : [];
    texts.push(sketch('text', isHit(row) ? 'hit' : '', { x: x + 10, y: y + (bare ? boxHigh / 2 + 4 : 16) }, `${told[0] || ''}${failed ? '! ' : ''}${fitted(shortPaths(labelOf(row)), boxWide - 18 - (more.length ? 32 : 0) - (failed ? 10 : 0) - 7 * told.join('').length)}${more.length ? ` ×${more.length + 1}` : ''}${told[1] || ''}`));
    if (bare) continue;
    const agents = [...new Set(box.rows.map(agentOf))], agent = agents.length > 1 ? tellMany(agents.length, 'agent') : agents[0], figures = more.length ? ['opens'] : [tellDuration(durationOf(row)), costOf(row)].filter(Boolean);
    (boxHigh === BOX_LOW ? [[agent, ...figures]] : [[agent], figures]).forEach((line, k) => texts.push(sketch('text', 'soft', { x: x + 10, y: y + 31 + 14 * k }, fitted(line.join(' · '), boxWide - 14, 11))));
    for (const back of [true, false]) {
      const hidden = back ? before : after, side = back ? x - 4 : x + boxWide + 4;
      if (hidden) texts.push(sketch('text', 'number', { x: side, y: y + boxHigh - 2, 'text-anchor': back ? 'end' : 'start' }, back ? `${hidden} …` : `… ${hidden}`));
    }
  }
  drawPaths(paths, picture);
  put(picture, ...texts);
}

/** @param {number} row */
function drawNear(row) {
  const boxes = boxesOf(row), links = linksAmong(boxes), { width, height } = placeBoxes(boxes, links), many = linksOf(row);
  const picture = pictureOf(width, height, `${tellName(labelOf(row), 80)}: ${many.causes.length} causes on the left, ${many.effects.length} effects on the right; see the details`);
  drawLinks(links, picture);
  drawBoxes(boxes, picture);
  nearBoxes = boxes; nearPicture = picture;
  nearScroll.replaceChildren(picture);
  const middle = boxes.find(({ rows }) => rows[0] === row);
  if (middle) nearScroll.scrollTo(middle.x + (boxWide - nearScroll.clientWidth) / 2, middle.y + (boxHigh - nearScroll.clientHeight) / 2);
}
function drawCauses() {
  const row = selectedRow;
  if (row !== nearRow) nearOpened.clear();
  const now = `${row} ${nearHops} ${nearOpened.size} ${hueBy} ${queryText} ${nearScroll.clientWidth}`;
  if (now === nearDrawn) return;
  nearDrawn = now; nearRow = row;
  if (row >= 0) { drawNear(row); return; }
  nearBoxes = [];
  nearScroll.replaceChildren(make('p', '', 'Select a call to see its causes and effects.'), ...[['error', 'first failure'], ['cost', 'most expensive call']].filter(([by]) => nextRanked(RANKS[by].rank, -1, 1) >= 0).flatMap(([by, words]) => [press(words, () => jump(by, 1)), ' ']));
}
/** @param {MouseEvent} event */
function pressNear(event) {
  const { left, top } = frameOf(nearPicture), x = event.clientX - left, y = event.clientY - top;
  // The counts beside a box belong to it.
  const box = nearBoxes.find((b) => x >= b.x - 24 && x <= b.x + boxWide + 24 && y >= b.y && y <= b.y + boxHigh);
  if (!box) return;
  if (box.rows.length > 1) { nearOpened.add(box.key); soon(); }
  else if (event.shiftKey) selectSecond(box.rows[0]); else select(box.rows[0]);
}

/** @param {number} row */
function spotNear(row) {
  const found = nearBoxes.find(({ rows }) => rows.includes(row)), { left, top } = frameOf(nearPicture);
  return found ? { x: left + found.x + boxWide / 2, y: top + found.y + boxHigh / 2 } : null;
}
/** @param {HTMLElement} box */
function addCauses(box) {
  const told = make('output', '', String(nearHops)), element = make('div', 'causes');
  /** @param {number} by */
  const widen = (by) => { nearHops = clamp(nearHops + by, 1, 6); told.textContent = String(nearHops); soon(); };
  listen(nearScroll, 'click', (event) => { if (event.target instanceof SVGElement) pressNear(event); });
  put(element, barOfButtons('Steps each way', 'steps shown ', press('−', () => widen(-1), 'One step fewer'), told, press('+', () => widen(1), 'One step more'),
    make('span', 'soft', 'causes left, effects right; dashed = spawn, report; red = error; dotted = inferred; 3 … = 3 more; underline = critical path')), nearScroll);
  box.append(element);
  panes.push({ name: 'causes', title: 'Causes', element, draw: drawCauses, spot: spotNear });
}
