// What the pointer does upon the timeline: zoom, pan, select, fold, ask.

/** @param {number} y in the canvas @returns {Band | undefined} */
function bandAt(y) {
  const at = y - viewTop + viewScroll;
  return y < viewTop ? undefined : bands.find((b) => at >= b.y && at < b.y + b.h);
}
const NEAR_PX = 4;
// The row drawn at a point: what covers it, else what is near; of several a failed one.
/** @param {number} x @param {number} y @returns {number} -1: none */
function rowAt(x, y) {
  const band = bandAt(y);
  if (!band || x < viewX || band.kind === 'open') return -1;
  const dense = isDense(band), sub = dense ? -1 : floor((y - topOfBand(band)) / subHeight(band));
  const place = viewFrom + (x - viewX) / viewScale, near = NEAR_PX / viewScale;
  let best = -1, distance = Infinity;
  for (let i = firstOf(band, place + near) - 1, tries = 0; i >= band.first && tries < 3000; i--, tries++) {
    const r = laneRows[i];
    if (sub >= 0 && subOf(r, band) !== sub || hiddenRows[r]) continue;
    const begin = placeAt[r], long = ticksOf(r), off = place < begin ? begin - place : max(0, place - begin - max(long, toolTicks(r))) + (place > begin + long ? near / 4 : 0);
    const away = has(r, FAILED) && off < near ? -1 : off;
    if (away < near && away < distance) { best = r; distance = away; }
    if (!dense && begin + long < place - near && best >= 0) break;
  }
  return best;
}

function listenTimeline() {
  const canvas = timelineCanvas;
  let down = false, moved = false, x0 = 0, y0 = 0, from = 0, to = 0, scroll = 0;
  listen(canvas, 'wheel', (event) => {
    event.preventDefault();
    const px = event.deltaMode === 1 ? 16 : 1, { shiftKey, deltaX, deltaY } = event, by = (deltaY || deltaX) * px;
    if (shiftKey && lanesHeight > viewH - viewTop) viewScroll += by;
    else if (shiftKey || abs(deltaX) > abs(deltaY)) panTimeline((deltaX || deltaY) * px / viewW);
    else zoomTimeline(Math.exp(clamp(by / 400, -1, 1)), tickOfPlace(viewFrom + max(0, event.offsetX - viewX) / viewScale));
    hideTip();
  }, { passive: false });
  listen(canvas, 'pointerdown', (event) => {
    if (event.button) return;
    down = true; moved = false; x0 = event.offsetX; y0 = event.offsetY; scroll = viewScroll;
    from = viewFrom; to = viewTo;
  });
  listen(canvas, 'pointermove', (event) => {
    if (!down) { hoverAt(event.offsetX, event.offsetY); return; }
    const dx = event.offsetX - x0, dy = event.offsetY - y0, by = dx * (to - from) / viewW;
    if (!moved && Math.hypot(dx, dy) < 4) return;
    if (!moved) { moved = true; canvas.setPointerCapture(event.pointerId); canvas.style.cursor = 'grabbing'; hideTip(); }
    viewScroll = scroll - dy;
    showPlaces(from - by, to - by);
  });
  const up = () => { down = false; canvas.style.cursor = ''; };
  listen(canvas, 'pointerup', (event) => { if (down && !moved) clickAt(event); up(); });
  listen(canvas, 'pointercancel', up);
  listen(canvas, 'pointerleave', hideTip);
  listen(canvas, 'dblclick', () => { if (hoverRow >= 0 && hoverRow === selectedRow) showSelection(); });
  listen(window, 'keydown', (event) => { if (event.key === 'Escape') hideTip(); }, { capture: true });
}

/** @param {PointerEvent} event */
function clickAt(event) {
  const { offsetX: x, offsetY: y } = event, band = bandAt(y);
  if (!band) return;
  // Left of its name is the sign that folds a lane.
  if (band.kind === 'lane' && !isShut(band) && x < viewX && x > labelX(band) + 16) { select(col.lane.indexOf(band.lane)); return; }
  if (band.folds && (x < viewX || isShut(band))) { turnBand(band); hideTip(); return; }
  const row = rowAt(x, y), link = row < 0 ? linkAt(x, y) : -1;
  if (link >= 0) selectLink(link); else if (event.shiftKey && row >= 0) selectSecond(row); else select(row);
}

/** @param {number} x @param {number} y */
function hoverAt(x, y) {
  const row = rowAt(x, y), band = bandAt(y), link = row < 0 && x >= viewX ? linkAt(x, y) : -1;
  timelineCanvas.style.cursor = row >= 0 || link >= 0 || band && (x < viewX || band.folds && band.kind !== 'lane') ? 'pointer' : '';
  if (row !== hoverRow || link !== hoverLink) { hoverRow = row; hoverLink = link; lightSoon(); }
  if (row >= 0) showTip(x, y, tellName(labelOf(row), 120), tipOf(row));
  else if (link >= 0) showTip(x, y, typeOf(link), `${tellEnds(link)}\n${ruleOf(textOf('e_method', link))}, ${sureOf(link)}`);
  else if (band && x < viewX) showTip(x, y, band.kind === 'lane' ? tellLane(band.lane) : band.label, tellBand(band));
  else hideTip();
}
/** @param {Band} band */
function tellBand(band) {
  const list = [...bandOfLane.keys()].filter((l) => bands[bandOfLane[l]] === band);
  const many = list.length > 1 ? `${tellCount(list.length)} agents, ` : '';
  return (list.length ? many + tellCalls(list) : band.note) + (band.folds ? '\nClick ' + (isShut(band) ? 'to expand' : '▾ to collapse') : '');
}
/** @param {number} row */
function tipOf(row) {
  const duration = durationOf(row);
  return joined([tellName(agentOf(row), 60), joined([duration === null ? 'no duration' : tellDuration(duration), costOf(row), troubleOf(row) && stateOf(row)], ' · '),
    has(row, REVERSED) && '⚠ ends before it starts', col.wait[row] > 1 && 'before: ' + tellWait(row)], '\n');
}
/** @param {number} x @param {number} y @param {string} title @param {string} text */
function showTip(x, y, title, text) {
  tip.replaceChildren(make('b', '', title), text);
  tip.hidden = false;
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.transform = `translate(${max(0, min(x + 12, timelineWide - w - 4))}px, ${y + 18 + h > viewH ? max(0, y - h - 10) : y + 18}px)`;
}
function hideTip() {
  tip.hidden = true;
  if (hoverRow >= 0 || hoverLink >= 0) { hoverRow = hoverLink = -1; lightSoon(); }
}
/** Link below the pointer, -1: none. */
let hoverLink = -1;
// What is passed by is not lit: a chain may be the whole run.
const LIGHT_MS = 120;
let lightTimer = 0;
function lightSoon() {
  clearTimeout(lightTimer);
  if (lit) light(-1); else soon();
  if (hoverRow >= 0) lightTimer = setTimeout(() => light(hoverRow), LIGHT_MS);
  else if (hoverLink >= 0) lightTimer = setTimeout(() => light(sourceRow[hoverLink], targetRow[hoverLink]), LIGHT_MS);
}
