// Which colour stands for what. Hue tells one thing at a time, and comes from a name, so that it is the same in every page.

/** Beyond these, names are grey and told apart by a letter. */
const HUES = 8, GREY = 8;
const STATES = ['ok', 'failed', 'tool error', 'retry'];
// What hue can tell: where the name of a row stands in `strings`, or in STATES.
/** @type {Record<string, (row: number) => number>} */
const HUE_OF = {
  'agent type': (r) => col.lane_type[col.lane[r]],
  kind: (r) => col.kind[r],
  model: (r) => col.model[r],
  state: troubleOf,
};
/** What else than `strings` they stand in. */
/** @type {Record<string, string[]>} */
const HUE_NAMES = { state: STATES };
let hueBy = '';
/** Hue of each row, and the letter of those that are grey: 0 none, 1 A, … */
let hueSlots = u8(0), hueLetters = hueSlots;
/** @type {{name: string, slot: number, letter: string}[]} */
let legend = [];
/** How many names there are. */
let manyNames = 0;

// Colours the pictures by this, or by the agent type.
/** @param {string} by in HUE_OF */
function colourBy(by) {
  hueBy = Object.hasOwn(HUE_OF, by) ? by : 'agent type';
  // A hue for each name: by its hash where nobody with more calls has that one, else one that is free.
  const key = HUE_OF[hueBy], all = HUE_NAMES[hueBy] ?? strings, many = u32(all.length), slot = u8(all.length).fill(GREY), letter = u8(all.length), taken = u8(HUES);
  for (let r = 0; r < N; r++) many[key(r)]++;
  const used = [...many.keys()].filter((k) => many[k]).sort((a, b) => many[b] - many[a] || a - b);
  const isKnown = (/** @type {number} */ k) => Object.hasOwn(head.hues, all[k]), wished = (/** @type {number} */ k) => isKnown(k) ? head.hues[all[k]] : hashOf(all[k], 0, all[k].length) % HUES;
  const chosen = used.filter((k) => all[k] && wished(k) < HUES).slice(0, HUES);
  const give = (/** @type {number} */ k, /** @type {number} */ s) => { slot[k] = s; taken[s] = 1; };
  // First those that all pictures know.
  for (const known of [true, false]) for (const k of chosen) if (isKnown(k) === known && !taken[wished(k)]) give(k, wished(k));
  for (const k of chosen) if (slot[k] === GREY) { let s = wished(k); while (taken[s]) s = (s + 1) % HUES; give(k, s); }
  // Colours that the log itself gives stand in place of those of their slots.
  const { style } = document.documentElement;
  for (let s = 0; s < HUES; s++) style.removeProperty('--hue-' + s);
  if (hueBy === 'agent type') for (const k of used) if (slot[k] < HUES && Object.hasOwn(head.colours, all[k])) style.setProperty('--hue-' + slot[k], head.colours[all[k]]);
  paintStale = true;
  let letters = 0;
  for (const k of used) if (slot[k] === GREY && all[k] && wished(k) < HUES) letter[k] = letters++ % 26 + 1;
  hueSlots = Uint8Array.from({ length: N }, (_, r) => slot[key(r)]); hueLetters = hueSlots.map((_, r) => letter[key(r)]);
  legend = used.slice(0, 40).map((k) => ({ name: all[k] || 'unknown', slot: slot[k], letter: letterOf(letter[k]) }));
  manyNames = used.length;
}
/** @param {number} n */
const letterOf = (n) => n ? String.fromCharCode(64 + n) : '';
/** Names of the colours of the style that pictures are drawn with. */
const INKS = ['bg', 'panel', 'line', 'edge', 'fg', 'soft', 'accent', 'bad', 'warn', 'hit'];
/** Colours as now shown; read anew when the theme has changed. `onHues`: of texts upon the hues. */
/** @type {Record<string, string>} */
const ink = Object.create(null);
/** @type {string[]} */
const hues = [];
/** @type {string[]} */
const onHues = [];
// Of waits, by their place in WAIT_WORDS.
/** @type {(CanvasPattern | null)[]} */
let hatches = [];
let paintStale = true;
/** @type {HTMLElement} */
let probe;

/** Reads the colours, where they have changed. */
function freshPaint() {
  if (!paintStale) return;
  if (!probe) { put($('app'), probe = make('i', 'probe', '', { hidden: true })); watchTheme(); }
  const isForced = matchMedia('(forced-colors: active)').matches, computed = getComputedStyle(probe), read = (/** @type {string} */ name) => { probe.style.color = `var(--${name})`; return computed.color; };
  for (const name of INKS) ink[name] = read(name);
  for (let k = 0; k <= HUES; k++) { hues[k] = read(isForced ? 'fg' : 'hue-' + k); onHues[k] = brightness(hues[k]) > 0.179 ? '#000' : '#fff'; }
  hatches = ['', 'person', '', 'permission', 'retry', ''].map((kind) => kind ? hatch(kind) : null);
  paintStale = false;
}
function watchTheme() {
  const stale = () => { paintStale = true; layAnew(); };
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)']) listen(matchMedia(query), 'change', stale);
  new MutationObserver(stale).observe(document.documentElement, { attributes: true });
}
// Relative luminance of `rgb(…)`.
/** @param {string} colour */
function brightness(colour) {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((n) => { const c = Number(n) / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const HATCH = 8;
// Waits differ in the way of their lines, not in hue.
/** @param {string} kind @returns {CanvasPattern | null} */
function hatch(kind) {
  const tile = document.createElement('canvas'), scale = devicePixelRatio || 1, g = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  tile.width = tile.height = round(HATCH * scale);
  g.setTransform(tile.width / HATCH, 0, 0, tile.width / HATCH, 0, 0);
  g.strokeStyle = g.fillStyle = ink.edge;
  if (kind === 'retry') { g.fillRect(1, 3, 2, 2); g.fillRect(5, 3, 2, 2); }
  else {
    if (kind === 'permission') { g.translate(HATCH, 0); g.scale(-1, 1); }
    g.beginPath();
    for (const x of [-HATCH, 0, HATCH]) { g.moveTo(x - 1, HATCH + 1); g.lineTo(x + HATCH + 1, -1); }
    g.stroke();
  }
  const pattern = g.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(HATCH / tile.width));
  return pattern;
}

// Every pair of colours that the pictures use, as now drawn.
/** @returns {{what: string, fg: string, bg: string, kind: 'text' | 'mark'}[]} */
function colourPairs() {
  freshPaint();
  /** @type {{what: string, fg: string, bg: string, kind: 'text' | 'mark'}[]} */
  const pairs = [];
  for (const ground of ['bg', 'panel']) {
    const bg = ink[ground];
    for (const what of ['fg', 'soft', 'bad', 'warn']) pairs.push({ what, fg: ink[what], bg, kind: 'text' });
    for (const what of ['bad', 'accent', 'edge', 'hit']) pairs.push({ what, fg: ink[what], bg, kind: 'mark' });
    hues.forEach((fg, k) => pairs.push({ what: 'hue ' + k, fg, bg, kind: 'mark' }));
  }
  hues.forEach((bg, k) => pairs.push({ what: 'on hue ' + k, fg: onHues[k], bg, kind: 'text' }));
  return pairs;
}
