// What an answer says beside its calls. Each part names its calls and opens them.

// Rows by their places, made when an answer first names a place alone.
/** @type {Map<string, number> | null} */
let rowAtPlace = null;
/** @param {any} part of an answer, about a call @returns {number} its row, by id, else by place; -1: it is not in this page */
function rowNamed(part) {
  for (const key of ['id', 'call', 'span_id', 'first', 'reader']) { const row = rowOf(String(part[key] ?? '')); if (row >= 0) return row; }
  if (!rowAtPlace) { rowAtPlace = new Map(); for (let r = N - 1; r >= 0; r--) rowAtPlace.set(placeOf(r), r); }
  return rowAtPlace.get([part.at].flat()[0] || '?') ?? -1;
}
// A button that opens the call in the timeline; the words alone where it is not in the page.
/** @param {any} part @param {string} text @param {number} [row] of the call */
function callLink(part, text, row = rowNamed(part)) {
  const name = bdi(text, 90);
  return row < 0 ? name : goTo(name, () => { select(row); showPane('timeline') || showPane('tree'); });
}

// A value as people read it, by how its name ends.
/** @param {string} key @param {any} value @returns {string} */
function tell(key, value) {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map((one) => tell(key, one)).join(/path$/.test(key) ? ' → ' : '; ');
  if (typeof value === 'object') return Object.entries(value).map(([k, v]) => v === true ? titled(k) : v === false ? '' : tell(k, v)).join(' ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  const [, unit, guess] = /(?:^|_)(usd|ts|us|ms|share|rate|)(_estimated|)$/.exec(key) ?? [], sign = guess ? '~' : '';
  return sign + (unit === 'usd' ? tellCost(value * 1e9) : unit === 'ts' ? tellTime(value) : unit === 'us' ? tellDuration(value) : unit === 'ms' ? tellDuration(value * 1000)
    : unit ? (value * 100).toFixed(1) + ' %' : Number.isInteger(value) ? tellCount(value) : String(value));
}
/** @param {any} value */
const isRecord = (value) => value?.constructor === Object;
/** @param {any} value */
const isTable = (value) => Array.isArray(value) && isRecord(value[0]);

// Each region has a name of its own.
let tables = 0;
/** @param {HTMLElement[]} titles @param {HTMLElement} body @param {string} [look] */
const titledTable = (titles, body, look = 'wide') => scrolled('Table ' + ++tables, put(make('table', look), put(make('thead'), put(make('tr'), ...titles)), body));
// What it cost and how much came out, as far as that is known.
/** @param {any} part @param {string} key */
function tellIn(part, key) {
  const isCost = /cost_usd$/.test(key), isLow = part.low_output_calls > 0;
  return (isCost && part.is_estimated ? '~' : '') + atLeast(isCost ? isLow || part[key.replace('cost_usd', 'unpriced_calls')] > 0 || part[key.replace('cost_usd', 'partly_priced_calls')] > 0 : isLow && /out(put)?(_usd)?$/.test(key), tell(key, part[key]));
}
/** @param {any} row @param {string[]} [wanted] fields that bear the same name wherever they are @param {string} [above] @returns {[string, any][]} its fields, and those of the fields */
const flatFields = (row, wanted, above = '') => Object.entries(row).flatMap(([key, value]) => isRecord(value) ? flatFields(value, wanted, above + key + '_') : [[wanted?.includes(key) ? key : above + key, value]]);
// Any list of records: a column each field, those of the fields' fields among them; of few that have many fields, a line each field.
/** @param {string} key */
const titleCell = (key) => put(make('th'), bdi(titled(key), 40));
/** @param {any[]} rows @param {string[]} [wanted] the fields to show, in this order @returns {HTMLElement[]} */
function tableOf(rows, wanted) {
  const flat = rows.map((row) => Object.fromEntries(flatFields(row, wanted))), all = new Set(flat.slice(0, 50).flatMap(Object.keys));
  const keys = wanted ? wanted.filter((key) => all.has(key)) : [...all], body = make('tbody'), name = wanted?.find((key) => key === 'what') ?? keys.find((key) => typeof flat[0][key] === 'string');
  const cell = (/** @type {number} */ k, /** @type {string} */ key) => put(make('td', typeof flat[k][key] === 'number' ? 'n' : ''), key === name ? callLink(rows[k], tellIn(flat[k], key)) : bdi(tellIn(flat[k], key)));
  if (!wanted && rows.length < 7 && keys.length > 9) return [titledTable([], put(body, ...keys.map((key) => put(make('tr'), titleCell(key), ...rows.map((_, k) => cell(k, key))))))];
  const [, more] = listOf(body, rows, (row) => put(make('tr'), ...keys.map((key) => cell(rows.indexOf(row), key))), 10);
  return [titledTable(keys.map(titleCell), body), ...more ? [more] : []];
}
// Made when it is opened: a page of any answer stays small.
/** @param {string} title @param {() => Node[]} parts @param {boolean} [open] */
function foldedPart(title, parts, open = false) {
  const part = put(make('details'), put(make('summary'), bdi(title)));
  listen(part, 'toggle', () => { if (part.childElementCount === 1) part.append(...parts()); });
  part.open = open;
  return part;
}
/** @param {string} title @param {any[]} rows */
const foldedTable = (title, rows) => foldedPart(title, () => tableOf(rows), rows.length < 8 && head.kind !== 'stats');
const NOT_TOLD = /^(schema|generator|level|inputs|warnings|filtered|redactions|field_descriptions|reproduction|equal)$/;
// All of an answer that has no picture of its own.
/** @param {Record<string, any>} answer @param {string} [above] @returns {HTMLElement[]} */
function restOf(answer, above = '') {
  const facts = make('dl'), parts = [];
  for (const [key, value] of Object.entries(answer)) {
    const title = above + titled(key);
    if (NOT_TOLD.test(key)) continue;
    if (isTable(value)) parts.push(foldedTable(`${title}: ${value.length}`, value));
    else if (isRecord(value)) { if (Object.values(value).some(isTable)) parts.push(...restOf(value, title + ' ')); else if (Object.keys(value).length) parts.push(foldedTable(title, [value])); }
    else { const told = tell(key, value); if (told) facts.append(make('dt', '', title), put(make('dd'), bdi(told, 2000))); }
  }
  return facts.firstChild ? [facts, ...parts] : parts;
}

// A picture of an answer, and a file of its own: how the pane is called and what it shows; what the head says in place
// of sums of the whole log, if it does; what is done before anything is drawn, and once it is; what the hook tells of it; and its keys.
/** @typedef {(value: string | number, name: string, bad?: unknown) => void} Figure */
/** @typedef {{title: string, parts: (answer: Record<string, any>) => HTMLElement[], figures?: (figure: Figure, recorded: number) => unknown, before?: () => void, then?: () => void, count?: (answer: Record<string, any>) => object, key?: (event: KeyboardEvent) => boolean}} AnswerPane */
/** @type {Map<string, AnswerPane>} */
const ANSWERS = new Map();
const answerPane = () => ANSWERS.get(head.answer?.scenarios ? 'assess' : head.kind);  // what suites judged looks the same
/** @param {Record<string, any>} answer */
const countAnswer = (answer) => answerPane()?.count?.(answer) ?? {};
// The calls that an answer is about are marked, and in no stack.
/** @param {any[]} parts */
const ownParts = (parts) => { ownRows = parts.map((part) => rowNamed(part)).filter((row) => row >= 0); };
// It comes before the timeline.
/** @param {HTMLElement} box */
function addAnswers(box) {
  const found = answerPane();
  if (!found) return;
  const { title, parts, then, key } = found, element = make('div', 'answer', '', { role: 'toolbar', ariaLabel: title, tabIndex: 0 });  // one Tab stop, whatever there is to open
  found.before?.();
  const draw = () => {
    // The calls stand below, so that one sees which is opened; both runs on one axis.
    for (const calls of panes)
      if (!element.hidden && calls.element.hidden && (calls.name === 'tree' || calls.name === 'timeline' && isOld(N - 1))) { calls.element.hidden = false; calls.draw(); }
    if (element.firstChild) return;
    put(element, make('h2', '', title), ...parts(head.answer));
    then?.();
    reveal();
    oneStop(element);
  };
  box.append(element);
  panes.push({ name: title.toLowerCase(), title, element, draw, spot: (row) => isOld(N - 1) ? spotOfMark(row) : null, key: (event) => key?.(event) ?? false });
}
