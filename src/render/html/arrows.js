// Draws links as arrows: all of the selection, those along the critical path, and others while few are in view.

const MOST_ARROWS = 300, FEW_ARROWS = 30, MOST_HOPS = 3, MOST_OF_PATH = 600;
/** Links of the selection, the nearest first, and how many hops each is away. */
let ownLinks = new Uint32Array(0), ownHops = new Uint8Array(0);
/** Rows on the critical path, by start; links between them. */
let pathRows = ownLinks, pathLinks = ownLinks;
/** How many links in view the last frame left out; and whether few enough are drawn to tell how sure each is. */
let linksLeftOut = 0, tellAll = false;
/** How the end of a link looks, by its type. */
const HEADS = { none: 0, filled: 1, open: 2, small: 3 };
/** @type {Uint8Array} */
let headOf = new Uint8Array(0);

function findPath() {
  pathRows = byTime.filter((r) => has(r, CRITICAL));
  const links = [];
  for (const r of pathRows) for (let e = inFirst[r]; e < inFirst[r + 1]; e++) if (has(sourceRow[e], CRITICAL) && col.timed[sourceRow[e]]) links.push(e);
  pathLinks = Uint32Array.from(links);
  headOf = Uint8Array.from(strings, (s) => s.endsWith('spawn') ? HEADS.filled : s.endsWith('report') ? HEADS.open : s === 'continuation' || s === 'sequential' ? HEADS.none : HEADS.small);
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

function drawArrows() {
  const a = firstFrom(byTime, 0, byTime.length, viewFrom), b = firstFrom(byTime, a, byTime.length, viewTo), many = linksBefore[b] - linksBefore[a];
  linksLeftOut = 0; tellAll = many <= FEW_ARROWS;
  letters(LABEL_FONT, 'center');
  if (many > MOST_ARROWS) linksLeftOut = many;
  else for (let i = a; i < b; i++) for (let e = inFirst[byTime[i]]; e < inFirst[byTime[i] + 1]; e++) if (col.timed[sourceRow[e]]) drawArrow(e, ink.edge, 1);
  // From one lane to another: within a lane the line under the marks tells the path.
  let most = MOST_OF_PATH;
  for (const e of pathLinks) if (most && bandOf(sourceRow[e]) !== bandOf(targetRow[e]) && drawArrow(e, ink.fg, 1.5)) most--;
  let own = MOST_ARROWS, rest = 0;
  // Far ones first, so that the next hop stands above them.
  for (let k = ownLinks.length - 1; k >= 0; k--) if (!own) rest++; else if (drawArrow(ownLinks[k], ink.accent, ownHops[k] === 1 ? 2 : 1)) own--;
  linksLeftOut = max(linksLeftOut, rest);
}

// A call gives after it ended; one that began later than its effect, from its start.
/** @param {number} e @param {string} colour @param {number} width @returns {boolean} was it in view? */
function drawArrow(e, colour, width) {
  const s = sourceRow[e], t = targetRow[e];
  if (hiddenRows[s] || hiddenRows[t]) return false;
  const x1 = xOf(min(endOf(s), max(placeAt[t], placeAt[s]))), x2 = xOf(placeAt[t]);
  if (max(x1, x2) < viewX || min(x1, x2) > viewX + viewW) return false;
  const y1 = middleOf(s), y2 = middleOf(t), flat = abs(y1 - y2) < 1, top = y1 - barHeight(subHeight(bandOf(t))) / 2;
  if (max(y1, y2) < viewTop || min(y1, y2) > viewH || flat && (abs(x2 - x1) < 6 || bandOf(s).kind !== 'lane')) return false;
  const confidence = col.e_confidence[e], head = headOf[col.e_type[e]], small = head === HEADS.small, lean = clamp(abs(x2 - x1) / 2, 10, 60);
  pen.strokeStyle = pen.fillStyle = colour; pen.lineWidth = width;
  pen.setLineDash(confidence < 6000 ? DOTTED : confidence < 9500 ? DASHED : SOLID);
  pen.beginPath();
  if (flat) { pen.moveTo(x1, top); pen.bezierCurveTo(x1 + 3, top - 5, x2 - 3, top - 5, x2, top); }
  else { pen.moveTo(x1, y1); pen.bezierCurveTo(x1 + lean, y1, x2 - lean, y2, x2 - (head ? 3 : 0), y2); }
  pen.stroke();
  pen.setLineDash(SOLID);
  if (head && !flat) {
    const long = width + (small ? 4 : 6), half = width / 2 + (small ? 2 : 3);
    pen.beginPath(); pen.moveTo(x2 - long, y2 - half); pen.lineTo(x2, y2); pen.lineTo(x2 - long, y2 + half);
    if (head === HEADS.open) pen.stroke(); else pen.fill();
  }
  // How sure it is has room beside the selection, and where few are drawn.
  if (confidence < 9500 && (width === 2 ? ownLinks.length <= 2 * FEW_ARROWS : tellAll)) labelled((confidence / 10000).toFixed(2), (x1 + x2) / 2, flat ? top - 2 : (y1 + y2) / 2, ink.fg);
  manyArrows++;
  return true;
}
const DOTTED = [1, 3], DASHED = [5, 3];
/** @type {number[]} */
const SOLID = [];
