// Draws links as arrows: all of the selection, those along the critical path, and all others that are in view; where these are many, one for all between two lanes.

const MOST_ARROWS = 300, FEW_ARROWS = 30, MOST_HOPS = 3, MOST_OF_PATH = 600;
/** Links of the selection, the nearest first, and how many hops each is away. */
let ownLinks = u32(0), ownHops = u8(0);
/** Rows on the critical path, by start; links between them. */
let pathRows = ownLinks, pathLinks = ownLinks;
/** Are few enough drawn to tell how sure each is? And what the last frame did not draw one by one, in words. */
let tellAll = false, toldLinks = '';
/** Links that the last frame drew, so that the pointer finds them. */
/** @type {number[]} */
let drawnLinks = [];
/** How the end of a link looks, by its type. */
const HEAD_NONE = 0, HEAD_FILLED = 1, HEAD_OPEN = 2, HEAD_SMALL = 3;
/** @type {Uint8Array} */
let headOf = u8(0);

// Kinds of arrows, each with its sign: a link is of one of the first four, and what is inferred is of the last as well. Results are continuations, too.
const KINDS = ['─▸ results', '╌▶ spawns', '╌▷ reports', '╌▸ errors', '┈┈ inferred'];
const ERRORS = 3, INFERRED = 4, SURE = 9500, DOUBTED = 6000;
/** Bits of the kinds that are hidden. */
let hiddenKinds = 0;
/** @param {number} e @returns {number} a place in KINDS */
const kindOf = (e) => col.e_error[e] ? ERRORS : headOf[col.e_type[e]] % HEAD_SMALL;
/** @param {number} e */
const isKindHidden = (e) => hiddenKinds >> kindOf(e) & 1 || hiddenKinds >> INFERRED && col.e_confidence[e] < SURE;
/** @param {number} e may it be drawn, wherever that is? */
const isOnRecord = (e) => !(isKindHidden(e) || hiddenRows[sourceRow[e]] || hiddenRows[targetRow[e]]) && col.timed[sourceRow[e]] && col.timed[targetRow[e]];

function findPath() {
  pathRows = byTime.filter((r) => has(r, CRITICAL));
  const links = [];
  for (const r of pathRows) for (let e = inFirst[r]; e < inFirst[r + 1]; e++) if (has(sourceRow[e], CRITICAL) && col.timed[sourceRow[e]]) links.push(e);
  pathLinks = Uint32Array.from(links);
  headOf = Uint8Array.from(strings, (s) => s.endsWith('spawn') ? HEAD_FILLED : s.endsWith('report') ? HEAD_OPEN : s === 'continuation' || s === 'sequential' ? HEAD_NONE : HEAD_SMALL);
}

// What led to a row, and what came of it.
/** @param {number} row -1: none */
function findOwn(row) {
  /** @type {number[]} */
  const links = [], hops = [], seen = new Set([row]);
  let rim = row < 0 ? [] : [row];
  for (let hop = 1; hop <= MOST_HOPS && links.length < MOST_ARROWS; hop++) {
    /** @type {number[]} */
    const next = [];
    // Further ones only on the way back or on the way forth: the effects of a cause are another story.
    for (const r of rim) for (const back of [true, false]) if (hop === 1 || back === placeAt[r] <= placeAt[row]) for (const e of edgesBeside(r, back)) {
      const other = (back ? sourceRow : targetRow)[e];
      if (!col.timed[other] || !col.timed[r] || hop > 1 && links.length >= MOST_ARROWS) continue;
      links.push(e); hops.push(hop);
      if (!seen.has(other)) { seen.add(other); next.push(other); }
    }
    rim = next;
  }
  ownLinks = Uint32Array.from(links); ownHops = Uint8Array.from(hops);
}

/** Rows of the chain that is lit, from its roots to its leaves; all others are faded. */
/** @type {Uint8Array | null} */
let lit = null;
// Lights what led to a row and what came of another; both are one, but for the ends of a link.
/** @param {number} first -1: nothing @param {number} [last] */
function light(first, last = first) {
  lit = null;
  if (first >= 0) { const after = reach(last, false); lit = reach(first, true).map((yes, r) => yes | after[r]); }
  soon();
}
/** @param {number} e */
const isLit = (e) => !lit || lit[sourceRow[e]] > 0 && lit[targetRow[e]] > 0;

function drawArrows() {
  const a = firstFrom(byTime, 0, byTime.length, viewFrom), b = firstFrom(byTime, a, byTime.length, viewTo), many = linksBefore[b] - linksBefore[a], each = many <= MOST_ARROWS;
  drawnLinks = []; toldLinks = ''; tellAll = many <= FEW_ARROWS;
  letters(LABEL_FONT, 'center');
  let left = MOST_ARROWS;
  if (!each) drawBundles(a, b);
  // Of those that are many, the lit ones all the same.
  if (each || lit) for (let i = a; i < b && left; i++) for (let e = inFirst[byTime[i]]; e < inFirst[byTime[i] + 1]; e++) if ((each || isLit(e)) && drawArrow(e, ink.edge, 1)) left--;
  // From one lane to another: within a lane the line under the marks tells the path.
  let most = MOST_OF_PATH;
  for (const e of pathLinks) if (most && bandOf(sourceRow[e]) !== bandOf(targetRow[e]) && drawArrow(e, ink.fg, 1.5)) most--;
  let own = MOST_ARROWS, rest = 0;
  // Far ones first, so that the next hop stands above them.
  for (let k = ownLinks.length - 1; k >= 0; k--) if (!own) rest++; else if (drawArrow(ownLinks[k], ink.accent, ownHops[k] === 1 ? 2 : 1)) own--;
  if (rest) toldLinks = `${tellCount(rest)} links of the selection not drawn`;
  if (selectedLink >= 0) drawArrow(selectedLink, ink.accent, 3);
}

/** Where an arrow goes, and whether within a row. */
let x1 = 0, y1 = 0, x2 = 0, y2 = 0, lean = 0, isFlat = false;
// A call gives after it ended; one that began later than its effect, from its start.
/** @param {number} e @returns {boolean} is it in view? */
function placeArrow(e) {
  const s = sourceRow[e], t = targetRow[e];
  x1 = xOf(min(endOf(s), max(placeAt[t], placeAt[s]))); x2 = xOf(placeAt[t]);
  if (max(x1, x2) < viewX || min(x1, x2) > viewX + viewW) return false;
  y1 = middleOf(s); y2 = middleOf(t); isFlat = abs(y1 - y2) < 1; lean = clamp(abs(x2 - x1) / 2, 10, 60);
  if (max(y1, y2) < viewTop || min(y1, y2) > viewH || isFlat && (abs(x2 - x1) < 6 || bandOf(s).kind !== 'lane')) return false;
  if (isFlat) y1 = y2 = y1 - barHeight(subHeight(bandOf(t))) / 2;
  return true;
}
/** @param {number} tip where the line ends before x2 */
function traceWay(tip) {
  pen.beginPath(); pen.moveTo(x1, y1);
  if (isFlat) pen.bezierCurveTo(x1 + 3, y1 - 5, x2 - 3, y1 - 5, x2, y1);
  else pen.bezierCurveTo(x1 + lean, y1, x2 - lean, y2, x2 - tip, y2);
}
/** @param {number} e @param {string} colour @param {number} width @returns {boolean} was it in view? */
function drawArrow(e, colour, width) {
  if (!isOnRecord(e) || !placeArrow(e)) return false;
  const confidence = col.e_confidence[e], head = headOf[col.e_type[e]], small = head === HEAD_SMALL;
  pen.strokeStyle = pen.fillStyle = col.e_error[e] ? ink.bad : colour; pen.lineWidth = width;
  pen.setLineDash(dashOf(e)); pen.globalAlpha = isLit(e) ? confidence < DOUBTED ? 0.7 : 1 : FADED;
  traceWay(head ? 3 : 0);
  pen.stroke();
  pen.setLineDash(SOLID);
  if (head && !isFlat) {
    const long = width + (small ? 4 : 6), half = width / 2 + (small ? 2 : 3);
    pen.beginPath(); pen.moveTo(x2 - long, y2 - half); pen.lineTo(x2, y2); pen.lineTo(x2 - long, y2 + half);
    if (head === HEAD_OPEN) pen.stroke(); else pen.fill();
  }
  // How sure it is has room beside the selection, and where few are drawn.
  if (confidence < SURE && (width >= 2 ? ownLinks.length <= 2 * FEW_ARROWS : tellAll)) labelled((confidence / 10000).toFixed(2), (x1 + x2) / 2, isFlat ? y1 - 2 : (y1 + y2) / 2, ink.fg);
  pen.globalAlpha = 1;
  drawnLinks.push(e); manyArrows++;
  return true;
}
const DOTTED = [1, 3], DASHED = [5, 3], FAINT = [1, 5], FADED = 0.15;
/** @type {number[]} */
const SOLID = [];
// One meaning each: dotted is inferred, dashed a spawn, a report or, in red, a result that is an error; all others are solid.
/** @param {number} e */
const dashOf = (e) => col.e_confidence[e] < DOUBTED ? FAINT : col.e_confidence[e] < SURE ? DOTTED : kindOf(e) ? DASHED : SOLID;
// The link that is drawn at a point, the topmost of several.
/** @param {number} x @param {number} y @returns {number} -1: none */
function linkAt(x, y) {
  pen.lineWidth = 10; pen.setLineDash(SOLID);
  return drawnLinks.findLast((e) => placeArrow(e) && (traceWay(0), pen.isPointInStroke(x * devicePixelRatio, y * devicePixelRatio))) ?? -1;
}

// Where links in view are many, those of one kind between two lanes are one arrow, with their number; the time in view is divided for that.
const BUNDLED_ROWS = 1024, BUNDLE_PARTS = 8, MOST_COUNTED = 60;
/** @typedef {{key: number, edge: number, many: number, from: number, to: number}} Bundle  sums of the places of its ends */
/** Of so many rows each, between lanes, kept until other rows or kinds are shown. */
/** @type {(Bundle[] | undefined)[]} */
let keptBundles = [];
/** @param {Map<number, Bundle>} bundles @param {Bundle} more */
function addBundle(bundles, more) {
  const before = bundles.get(more.key);
  if (before) { before.many += more.many; before.from += more.from; before.to += more.to; } else bundles.set(more.key, { ...more });
}
/** @param {number} a @param {number} b rows by time @returns {Bundle[]} */
function bundle(a, b) {
  /** @type {Map<number, Bundle>} */
  const bundles = new Map();
  for (let i = a; i < b; i++) for (let t = byTime[i], edge = inFirst[t]; edge < inFirst[t + 1]; edge++) if (isOnRecord(edge)) {
    const s = sourceRow[edge];
    addBundle(bundles, { key: (col.lane[s] * col.lane_type.length + col.lane[t]) * 4 + kindOf(edge), edge, many: 1, from: min(endOf(s), max(placeAt[t], placeAt[s])), to: placeAt[t] });
  }
  return [...bundles.values()];
}
/** @param {number} a @param {number} b rows by time */
function drawBundles(a, b) {
  /** @type {Map<number, Bundle>} */
  const bundles = new Map(), first = ceil(a / BUNDLED_ROWS), end = floor(b / BUNDLED_ROWS);
  const take = (/** @type {Bundle[]} */ some) => { for (const one of some) addBundle(bundles, { ...one, key: ((bandOfLane[col.lane[sourceRow[one.edge]]] * bands.length + bandOfLane[col.lane[targetRow[one.edge]]]) * 4 + kindOf(one.edge)) * BUNDLE_PARTS + clamp(floor((one.to / one.many - viewFrom) / (viewTo - viewFrom) * BUNDLE_PARTS), 0, BUNDLE_PARTS - 1) }); };
  if (first > end) take(bundle(a, b));
  else {
    take(bundle(a, first * BUNDLED_ROWS)); take(bundle(end * BUNDLED_ROWS, b));
    for (let k = first; k < end; k++) take(keptBundles[k] ??= bundle(k * BUNDLED_ROWS, (k + 1) * BUNDLED_ROWS));
  }
  let links = 0, counted = 0;
  const all = [...bundles.values()].sort((one, other) => other.many - one.many), drawn = all.slice(0, MOST_ARROWS);
  pen.globalAlpha = lit ? FADED : 1;
  for (const { edge, many, from, to } of drawn) {
    const [source, target] = [sourceRow[edge], targetRow[edge]].map(bandOf);
    links += many;
    x1 = xOf(from / many); x2 = xOf(to / many);
    [y1, y2] = [source, target].map((band) => topOfBand(band) + min(band.h, 28) / 2);
    isFlat = source === target; lean = clamp(abs(x2 - x1) / 2, 10, 60);
    if (isFlat) y1 = y2 = topOfBand(source) + 6;
    if (max(y1, y2) < viewTop || min(y1, y2) > viewH) continue;
    pen.strokeStyle = kindOf(edge) === ERRORS ? ink.bad : ink.edge; pen.lineWidth = min(4, 1 + Math.log10(many));
    pen.setLineDash(kindOf(edge) ? DASHED : SOLID);
    traceWay(0);
    pen.stroke();
    if (!isFlat && many > 1 && counted++ < MOST_COUNTED) labelled('×' + tellCount(many), (x1 + x2) / 2, (y1 + y2) / 2, ink.soft);
    manyArrows++;
  }
  pen.setLineDash(SOLID); pen.globalAlpha = 1;
  toldLinks = `${tellMany(links, 'link')} as ${tellMany(drawn.length, 'arrow')}${all.length > drawn.length ? `, ${tellCount(all.slice(MOST_ARROWS).reduce((sum, { many }) => sum + many, 0))} not drawn: zoom in` : ''}`;
}

// Shows the kinds that are not among the hidden ones.
/** @param {number} hidden bits */
function hideKinds(hidden) {
  hiddenKinds = hidden; keptBundles = [];
  soon();
}
// A button for each kind that occurs.
/** @returns {HTMLElement[]} */
function kindButtons() {
  let found = 0;
  for (let e = 0; e < E; e++) found |= 1 << kindOf(e) | (col.e_confidence[e] < SURE ? 1 << INFERRED : 0);
  return KINDS.flatMap((name, kind) => {
    if (!(found >> kind & 1)) return [];
    const button = press(name, () => { hideKinds(hiddenKinds ^ 1 << kind); prefer('hiddenArrows', hiddenKinds); });
    if (kind === ERRORS) button.className = 'bad';
    always.push(() => { setPressed(button, !(hiddenKinds >> kind & 1)); });
    return [button];
  });
}
