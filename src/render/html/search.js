// Finds rows by what they are called. Texts are lower-cased once, and tested once a query, not once a row.

/** Rows that the search in the field finds, and a mark on each. */
let hits = new Uint32Array(0), hitMarks = new Uint8Array(0);
/** Which of them is selected; -1: none yet. */
let hitAt = -1;
/** @type {{strings: string[], ids: string, pairs: string[], pairOf: Uint32Array} | null} */
let lowered = null;

// Where lower case would have another length, what is not ASCII stays.
/** @param {string} text */
function lowerInPlace(text) {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
}
function lowerAll() {
  if (lowered) return lowered;
  const lower = strings.map((text) => text.toLowerCase()), pairs = [], pairOf = new Uint32Array(col.t_name.length);
  /** @type {Map<number, number>} */
  const seen = new Map();
  for (let t = 0; t < pairOf.length; t++) {
    const key = col.t_name[t] * strings.length + col.t_target[t];
    let pair = seen.get(key);
    if (pair === undefined) { seen.set(key, pair = pairs.length); pairs.push(lower[col.t_name[t]] + (col.t_target[t] ? ' ' + lower[col.t_target[t]] : '')); }
    pairOf[t] = pair;
  }
  return lowered = { strings: lower, ids: lowerInPlace(allIds), pairs, pairOf };
}
/** @param {string[]} texts @param {string} part @returns {Uint8Array} */
function holding(texts, part) {
  const on = new Uint8Array(texts.length);
  for (let i = 0; i < on.length; i++) if (texts[i].includes(part)) on[i] = 1;
  return on;
}
/** @param {Uint8Array} marks @param {string} ids @param {string} part */
function markIds(marks, ids, part) {
  for (let at = ids.indexOf(part), row = 0; at >= 0;) {
    while (idStart[row + 1] <= at) row++;
    // Two ids beside each other may spell the part where neither holds it.
    const inside = at + part.length <= idStart[row + 1];
    if (inside) marks[row] = 1;
    at = ids.indexOf(part, inside ? idStart[row + 1] : at + 1);
  }
}
/** @param {string} text @returns {Uint8Array} a mark on each row that holds it */
function marksOf(text) {
  const marks = new Uint8Array(N), part = text.toLowerCase();
  if (!part) return marks;
  const all = lowerAll(), on = holding(all.strings, part), pairs = holding(all.pairs, part), { name, model, status, kind, lane, lane_agent: agents } = col;
  const lanes = new Uint8Array(agents.length);
  for (let l = 0; l < lanes.length; l++) lanes[l] = on[agents[l]];
  const spans = part.includes(', ');
  for (let r = 0; r < N; r++) {
    const first = toolFirst[r], last = toolFirst[r + 1];
    let hit = on[name[r]] | on[model[r]] | on[status[r]] | lanes[lane[r]];
    for (let t = first; t < last && !hit; t++) hit = pairs[all.pairOf[t]];
    // Labels of several tools are put together only where the query spans two of them.
    if (!hit && (first === last ? on[kind[r]] && !name[r] && !model[r] : spans && last > first + 1 && labelOf(r).toLowerCase().includes(part))) hit = 1;
    marks[r] = hit;
  }
  markIds(marks, all.ids, part);
  return marks;
}
/** @param {Uint8Array} marks @returns {Uint32Array} */
function marked(marks) {
  let many = 0;
  for (let r = 0; r < N; r++) many += marks[r];
  const rows = new Uint32Array(many);
  for (let r = 0, k = 0; k < many; r++) if (marks[r]) rows[k++] = r;
  return rows;
}
// Rows of which label, id, agent, model, status or tool hold the text, in row order.
/** @param {string} text @returns {Uint32Array} */
const searchRows = (text) => marked(marksOf(text));

/** @param {number} row */
const isHit = (row) => hitMarks[row] === 1;
let queried = '';
/** @param {string} text */
function setQuery(text) {
  queryText = queried = text;
  hitMarks = marksOf(text);
  hits = marked(hitMarks);
  hitAt = -1;
  tellHits();
  soon();
}
/** @param {number} step 1 or -1 */
function nextHit(step) {
  if (!hits.length) return;
  hitAt = hitAt < 0 ? (step > 0 ? 0 : hits.length - 1) : (hitAt + step + hits.length) % hits.length;
  select(hits[hitAt]);
  tellHits();
}
let tellHits = () => {};

/** @param {HTMLElement} box */
function addSearch(box) {
  const field = make('input', '', '', { type: 'search', placeholder: 'search ( / )', ariaLabel: 'Search labels, ids, agents, models, tools' }), told = make('span', 'soft', '', { id: 'found' });
  field.setAttribute('aria-describedby', 'found');
  tellHits = () => {
    if (field.value !== queryText) field.value = queryText;
    told.textContent = !queryText ? '' : hitAt < 0 ? `${tellCount(hits.length)} found` : `${tellCount(hitAt + 1)} of ${tellCount(hits.length)}`;
  };
  listen(field, 'input', () => setQuery(field.value));
  listen(field, 'keydown', (event) => {
    if (event.key !== 'Enter') return;
    nextHit(event.shiftKey ? -1 : 1);
    event.preventDefault();
  });
  put(Object.assign(box, { role: 'search' }), field, told);
  // A link brings a query as well.
  always.push(() => { if (queryText !== queried) setQuery(queryText); });
}
