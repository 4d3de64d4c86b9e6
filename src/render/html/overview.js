// The whole run in one strip: how much ran, what failed, and a window that is the time in view.

const overviewCanvas = make('canvas');
/** Drawn once; a frame moves the window over it. */
const overviewBitmap = make('canvas');
const OVERVIEW_HEIGHT = 46, GRIP = 7;
let overviewStale = true, overviewWide = 0;

/** @param {HTMLElement} box */
function addOverview(box) {
  if (byTime.length < 2) return;
  put(box, Object.assign(overviewCanvas, { role: 'img', ariaLabel: 'Overview of the whole run; keys w, s, a and d change the time in view', title: 'Drag to select a time range; double-click to show all' }));
  new ResizeObserver(() => { overviewStale = true; soon(); }).observe(overviewCanvas);
  always.push(drawOverview);
  listenOverview();
}

function drawOverview() {
  const scale = devicePixelRatio;
  freshPaint();
  if (overviewStale) {
    overviewWide = overviewCanvas.clientWidth;
    for (const canvas of [overviewBitmap, overviewCanvas]) { canvas.width = overviewWide * scale; canvas.height = OVERVIEW_HEIGHT * scale; }
    if (overviewWide > 9) drawWhole(scale);
  }
  if (overviewWide < 10) return;
  overviewStale = false;
  pen = penOf(overviewCanvas);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(overviewBitmap, 0, 0);
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  const [from, to] = windowOf();
  if (to - from > overviewWide - 2) return;
  pen.globalAlpha = 0.68; area(ink.bg, 0, 0, from, OVERVIEW_HEIGHT); pen.fillRect(to, 0, overviewWide - to, OVERVIEW_HEIGHT);
  pen.globalAlpha = 1; pen.strokeStyle = ink.accent;
  pen.strokeRect(from - 0.5, 0.5, max(2, to - from), OVERVIEW_HEIGHT - 1);
  for (const x of [from, to]) area(ink.accent, x - 2, OVERVIEW_HEIGHT / 2 - 8, 4, 16);
}
// The time in view, in pixels.
const windowOf = () => [fromTick, toTick].map((tick) => placeOfTick(tick) * overviewWide / lastPlace);

// Sums a column of pixels by hue, and piles them.
/** @param {number} scale */
function drawWhole(scale) {
  pen = penOf(overviewBitmap);
  const w = ceil(overviewWide), part = f64((GREY + 1) * w), steps = f64((GREY + 1) * w + 1), failed = u8(w), k = overviewWide / lastPlace;
  for (const r of byTime) {
    if (hiddenRows[r]) continue;
    const from = placeAt[r] * k;
    cover(part, steps, hueSlots[r] * w, from, endOf(r) * k, w);
    if (has(r, FAILED)) failed[min(w - 1, floor(from))] = 1;
  }
  let most = 0;
  const sums = f64(w);
  for (let s = 0; s <= GREY; s++) for (let x = 0, running = 0; x < w; x++) { running += steps[s * w + x]; sums[x] += part[s * w + x] += running; }
  for (const sum of sums) most = max(most, sum);
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  area(ink.panel, 0, 0, w, OVERVIEW_HEIGHT);
  for (let x = 0; x < w; x++) {
    const tall = max(1.5, (OVERVIEW_HEIGHT - 8) * Math.sqrt(sums[x] / most)) / sums[x];
    for (let s = 0, foot = OVERVIEW_HEIGHT - 1; s <= GREY; s++) {
      const own = tall * part[s * w + x];
      if (part[s * w + x] > 1e-6) area(hues[s], x, foot -= own, 1, own);
    }
    if (failed[x]) area(ink.bad, x, 1, 2, 5);
  }
  if (breakBegins.length < 30) breakBegins.forEach((begin, b) => area(ink.edge, (begin + breakEnds[b]) / 2 * k, 0, 1, OVERVIEW_HEIGHT));
  area(ink.line, 0, OVERVIEW_HEIGHT - 1, w, 1);
}

function listenOverview() {
  let mode = '', x0 = 0, from = 0, to = 0;
  const modeAt = (/** @type {number} */ x) => {
    const [a, b] = windowOf(), near = (/** @type {number} */ edge) => abs(x - edge) < GRIP && edge > 1 && edge < overviewWide - 1;
    return near(a) ? 'left' : near(b) ? 'right' : x > a && x < b && b - a < overviewWide - 2 ? 'move' : 'new';
  };
  listen(overviewCanvas, 'pointerdown', (event) => {
    if (event.button) return;
    mode = modeAt(x0 = event.offsetX); from = placeOfTick(fromTick); to = placeOfTick(toTick);
    overviewCanvas.setPointerCapture(event.pointerId);
  });
  listen(overviewCanvas, 'pointermove', ({ offsetX: x }) => {
    const scale = lastPlace / overviewWide, by = (x - x0) * scale;
    if (!mode) overviewCanvas.style.cursor = { left: 'ew-resize', right: 'ew-resize', move: 'grab', new: '' }[modeAt(x)];
    else if (mode === 'move') showPlaces(from + by, to + by);
    else if (mode === 'left') showPlaces(min(from + by, to), to);
    else if (mode === 'right') showPlaces(from, max(from, to + by));
    else if (abs(x - x0) > 3) showPlaces(min(x, x0) * scale, max(x, x0) * scale);
  });
  listen(overviewCanvas, 'pointerup', ({ offsetX: x }) => {
    if (mode === 'new' && abs(x - x0) <= 3) { const by = x0 * lastPlace / overviewWide - (from + to) / 2; showPlaces(from + by, to + by); }
    mode = '';
  });
  listen(overviewCanvas, 'pointercancel', () => { mode = ''; });
  listen(overviewCanvas, 'dblclick', showAll);
}
