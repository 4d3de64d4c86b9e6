// Which rows are shown: a field for each thing they can be chosen by, with how many there are of each.

/** @typedef {[value: string, text: string]} Choice */
/** @typedef {'agent' | 'model' | 'tool' | 'status' | 'turn' | 'cost' | 'confidence' | 'link' | 'wait'} Chosen */

/** @param {string} value @param {number} many @param {string} [text] @returns {Choice} */
const choice = (value, many, text = value) => [value, `${tellName(text, 60)} (${tellCount(many)})`];
// The most frequent first, at most so many that a page of any run stays small.
/** @param {Numbers} places in `strings` @returns {Choice[]} */
function texts(places) {
  const many = u32(strings.length);
  for (const place of places) many[place]++;
  return [...many.keys()].filter((place) => place && many[place]).sort((a, b) => many[b] - many[a]).slice(0, 60).map((place) => choice(strings[place], many[place]));
}
/** @param {ArrayLike<number> & Iterable<number>} values @param {(value: number) => boolean} test */
function howMany(values, test) {
  let many = 0;
  for (const value of values) if (test(value)) many++;
  return many;
}

/** @param {number} value @param {number} many @param {string} text */
const numbered = (value, many, text) => many ? [choice(String(value), many, text)] : [];
function statuses() {
  const many = howMany(col.flags, (flags) => (flags & TOOL_ERROR) > 0);
  return [...texts(col.status), ...many ? [choice('tool error', many)] : []];
}
// What each filter chooses from; found out when it is opened.
/** @type {[Chosen, string, () => Choice[]][]} */
const CHOICES = [
  ['agent', 'agent', () => texts(Uint32Array.from(col.lane, (lane) => col.lane_agent[lane]))],
  ['model', 'model', () => texts(col.model)],
  ['tool', 'tool', () => texts(col.t_name)],
  ['status', 'status', statuses],
  ['turn', 'turn', () => [...new Set(col.turn)].filter(Boolean).sort((a, b) => a - b).slice(0, 100).flatMap((turn) => numbered(turn - 1, howMany(col.turn, (t) => t === turn), `turn ${turn - 1}`))],
  ['cost', 'cost ≥', () => [1e6, 1e7, 1e8, 1e9, 1e10].flatMap((least) => numbered(least, howMany(col.cost, (cost) => cost > least), `≥ ${tellCost(least)}`))],
  ['link', 'link', () => texts(col.e_type)],
  ['confidence', 'confidence <', () => [10000, 9500, 8000, 6000].flatMap((most) => numbered(most, howMany(col.e_confidence, (sure) => sure < most), `< ${(most / 10000).toFixed(2)}`))],
  ['wait', 'waited', () => [1, 2, 3, 4, 5, 6].flatMap((kind) => numbered(kind, howMany(col.wait_kind, (k) => k === kind), WAIT_WORDS[kind]))],
];

/** @param {Chosen} name @param {string} value empty: all */
function setFilter(name, value) {
  const filters = /** @type {Record<string, any>} */ (filterBy);
  filters[name] = typeof filters[name] === 'number' ? Number(value) : value;
  relist();
}
/** @param {Chosen} name @param {string} title @param {() => Choice[]} choices @returns {{list: HTMLElement, sync: () => void}} */
function chooser(name, title, choices) {
  const list = make('select', '', '', { ariaLabel: title });
  /** @param {string} value */
  const offers = (value) => Array.from(list.options).some((option) => option.value === value);
  let filled = false;
  const fill = () => {
    if (filled) return;
    filled = true;
    list.replaceChildren(new Option(title, ''), ...choices().map(([value, text]) => new Option(text, value)));
    sync();
  };
  const sync = () => {
    const value = String(filterBy[name] || '');
    if (!offers(value)) fill();
    // A link may bring what is not in the list.
    if (!offers(value)) list.append(new Option(`${title} ${tellName(value, 60)}`, value));
    list.value = value;
    list.className = value ? 'on' : '';
  };
  put(list, new Option(title, ''));
  listen(list, 'pointerdown', fill);
  listen(list, 'focus', fill);
  listen(list, 'change', () => setFilter(name, list.value));
  return { list, sync };
}

// Why rows are not shown.
/** @returns {string[]} */
function hiddenBy() {
  const f = filterBy, by = CHOICES.filter(([name]) => f[name]).map(([, title]) => title.replace(/ [≥<]$/, ''));
  if (f.range) by.push('time in view');
  if (pathOnly) by.push('path');
  if (foldedRows) by.push(`collapsed rows (${tellCount(foldedRows)})`);
  return by;
}
function clearFilters() {
  filterBy = noFilters(); pathOnly = false; folds.clear();
  for (const group of groups) group.shut = false;
  relist();
}

/** @param {HTMLElement} box */
function addFilters(box) {
  // Nothing is offered that leaves all or nothing; of a long run it is not counted beforehand.
  const fields = CHOICES.filter(([name, , choices]) => N > 2e4 || choices().length > (/agent|model|status|turn/.test(name) ? 1 : 0)).map((choice) => chooser(...choice)), note = make('span', 'soft');
  const range = press('in view', () => { filterBy.range = !filterBy.range; relist(); }, 'Show only the time in view'), clear = press('show all', clearFilters, 'Clear filters, expand all');
  const all = put(make('span', '', '', { hidden: true }), ...fields.map(({ list }) => list), range), show = press('Filters', () => { all.hidden = !all.hidden; setPressed(show, !all.hidden); });
  setPressed(show, false);
  put(Object.assign(box, { role: 'toolbar', ariaLabel: 'Filters' }), show, all, note, clear);
  // Up and down choose within a list, left and right go to the next one.
  listen(box, 'keydown', (event) => { if (/^(ArrowLeft|ArrowRight|Home|End)$/.test(event.key)) moveInBar(event); });
  const sync = () => {
    for (const field of fields) field.sync();
    setPressed(range, filterBy.range);
    const hidden = N - shown.length;
    clear.hidden = !hidden;
    note.textContent = hidden ? `${tellCount(hidden)} hidden by: ${hiddenBy().join(', ')}` : '';
  };
  onRelist.push(sync);
  sync();
}
