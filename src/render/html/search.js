// Finds rows by what they are called. Texts are lower-cased once, and tested once a query, not once a row.

/** Rows that the search in the field finds, and a mark on each. */
let hits = u32(0), hitMarks = u8(0);
/** Which of them is selected; -1: none yet. */
let hitAt = -1;
/** @type {{strings: string[], ids: string} | null} */
let lowered = null;
// Rows that the answer is about: marked as long as nothing is searched.
/** @type {number[]} */
let ownRows = [];

// Where lower case would have another length, what is not ASCII stays.
/** @param {string} text */
function lowerInPlace(text) {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (part) => part.toLowerCase());
}
const lowerAll = () => lowered ??= { strings: strings.map((text) => text.toLowerCase()), ids: lowerInPlace(allIds) };
/** @param {string[]} texts @param {string} part @returns {Uint8Array} */
function holding(texts, part) {
  const on = u8(texts.length);
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
/** @param {string} text @returns {string[]} */
const wordsIn = (text) => (text.toLowerCase().match(/[^\s,]+/g) ?? []).slice(0, 20);
/** @param {string} text @returns {Uint8Array} a mark on each row in which all its words occur */
function marksOf(text) {
  const [first, ...more] = wordsIn(text).map(marksOfWord);
  return more.reduce((all, word) => all.map((mark, r) => mark & word[r]), first ?? u8(N));
}
/** @param {string} part @returns {Uint8Array} */
function marksOfWord(part) {
  const marks = u8(N), all = lowerAll(), on = holding(all.strings, part), { name, model, status, kind, lane, lane_agent: agents, t_name: tools, t_target: targets, said = name, asked = name } = col;
  const lanes = Uint8Array.from(agents, (agent) => on[agent]);
  for (let r = 0; r < N; r++) {
    const first = toolFirst[r], last = toolFirst[r + 1];
    let hit = on[name[r]] | on[said[r]] | on[asked[r]] | on[model[r]] | on[status[r]] | lanes[lane[r]];
    for (let t = first; t < last && !hit; t++) hit = on[tools[t]] | on[targets[t]];
    if (!hit && first === last && !name[r] && !model[r]) hit = on[kind[r]];
    marks[r] = hit;
  }
  // The id of a use of a tool stands beside its result, and leads to who asked for it.
  if (part.length > 7) for (let e = 0; e < E; e++) if (on[col.e_evidence[e]]) marks[sourceRow[e]] = 1;
  markIds(marks, all.ids, part);
  return marks;
}
/** @param {Uint8Array} marks @returns {Uint32Array} */
function marked(marks) {
  let many = 0;
  for (let r = 0; r < N; r++) many += marks[r];
  const rows = u32(many);
  for (let r = 0, k = 0; k < many; r++) if (marks[r]) rows[k++] = r;
  return rows;
}
// Rows of which label, id, agent, model, status or tools hold each word, in row order.
/** @param {string} text @returns {Uint32Array} */
const searchRows = (text) => marked(marksOf(text));

/** @param {number} row */
const isHit = (row) => hitMarks[row] === 1;
let queried = '';
/** @param {string} text */
function setQuery(text) {
  queryText = queried = text;
  hitMarks = marksOf(text);
  if (!text) for (const row of ownRows) hitMarks[row] = 1;
  hits = marked(hitMarks);
  hitAt = -1;
  // In texts as well, which are not unpacked.
  if (typeof searchTexts === 'function') searchTexts(text);
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
