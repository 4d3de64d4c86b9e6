// The address tells what is chosen: who is sent it sees the same. What it says is input, and what makes no sense is ignored.

// Names in the address of the filters that are texts, and of those that are numbers.
/** @type {('agent' | 'model' | 'tool' | 'status' | 'link')[]} */
const TEXT_FILTERS = ['agent', 'model', 'tool', 'status', 'link'];
/** @type {('turn' | 'cost' | 'confidence' | 'wait')[]} */
const NUMBER_FILTERS = ['turn', 'cost', 'confidence', 'wait'];

// Choices that other parts of the page keep in the address: name, present value, and how a value is chosen; `isNew`: the address chooses something.
/** @type {[name: string, now: () => string, choose: (text: string, isNew: boolean) => void][]} */
const LINK_PARTS = [];

/** @returns {string} what is chosen now, with its # */
function linkNow() {
  const q = new URLSearchParams();
  q.set('v', paneName);
  if (selectedRow >= 0) q.set('n', idOf(selectedRow));
  if (secondRow >= 0) q.set('m', idOf(secondRow));
  if (fromTick > 0 || toTick < lastTick) q.set('t', `${round(fromTick * tickUs)}~${round(toTick * tickUs)}`);
  for (const name of TEXT_FILTERS) if (filterBy[name]) q.set(name, filterBy[name]);
  for (const name of NUMBER_FILTERS) if (filterBy[name]) q.set(name, String(filterBy[name]));
  if (filterBy.range) q.set('range', '1');
  if (selectedLink >= 0) q.set('l', String(selectedLink));
  if (hiddenKinds) q.set('hide', KINDS.filter((_, kind) => hiddenKinds >> kind & 1).map((name) => name.slice(3)).join());
  if (pathOnly) q.set('path', '1');
  if (sortKey) q.set('sort', (sortDown ? '' : '-') + sortKey);
  if (queryText) q.set('q', queryText);
  for (const [name, now] of LINK_PARTS) if (now()) q.set(name, now());
  return '#' + q;
}

/** Chooses what the address tells. */
function readLink() {
  const q = new URLSearchParams(location.hash.slice(1).slice(0, 10000));
  const text = (/** @type {string} */ name) => q.get(name) ?? '', filters = noFilters();
  for (const name of TEXT_FILTERS) filters[name] = text(name);
  filters.status = filters.status.replace('tool_error', 'tool error');
  for (const name of NUMBER_FILTERS) if (/^\d{1,15}$/.test(text(name))) filters[name] = Number(text(name));
  // Where an address chooses nothing, what one prefers counts, else what the page was written with.
  const hides = q.has('v') ? text('hide').split(',') : head.hide ?? [], preferred = preferences().hiddenArrows;
  hideKinds(q.has('v') || preferred === undefined ? KINDS.reduce((bits, name, kind) => hides.includes(name.slice(3)) ? bits | 1 << kind : bits, 0) : Number(preferred) & 31);
  filters.range = text('range') === '1';
  const time = /^(\d{1,16})~(\d{1,16})$/.exec(text('t'));
  if (time && Number(time[2]) > Number(time[1])) showRange(Number(time[1]) / tickUs, Number(time[2]) / tickUs); else showRange(0, lastTick);
  const sort = text('sort').replace(/^-/, '');
  sortKey = treeHeads.has(sort) ? sort : ''; sortDown = !text('sort').startsWith('-');
  setQuery(text('q').slice(0, 1000));
  filterBy = filters; pathOnly = false;
  for (const [name, , choose] of LINK_PARTS) choose(text(name), q.has('v'));
  if (!showPane(text('v'))) showPane(paneName || firstView());
  const [row, second] = ['n', 'm'].map((name) => text(name) ? rowOf(text(name)) : -1);
  chooseRows(row, second, text('path') === '1');
  if (row < 0 && /^\d{1,9}$/.test(text('l')) && Number(text('l')) < E) selectLink(Number(text('l')));
}
/** @param {number} row @param {number} second @param {boolean} path */
function chooseRows(row, second, path) {
  relist();
  // Filters that leave nothing were not made for this page.
  if (!shown.length) { filterBy = noFilters(); relist(); }
  select(row, true);
  if (row < 0) return;
  secondRow = second === row ? -1 : second; pathOnly = path;
  if (path || second >= 0) relist();
}

// Browsers take some hundred changes of the address in half a minute and complain about more: changes are saved up as allowances.
const MOST_CHANGES = 30, CHANGE_MS = 600;
let allowance = MOST_CHANGES, allowedAt = 0, linkTimer = 0, stepAt = -Infinity, writtenView = '', writtenRow = -2;
/** Writes the address, at once or as soon as the browser bears it. */
function keepLink() {
  const now = performance.now();
  allowance = min(MOST_CHANGES, allowance + (now - allowedAt) / CHANGE_MS);
  allowedAt = now;
  if (allowance < 1) { linkTimer ||= setTimeout(() => { linkTimer = 0; keepLink(); }, CHANGE_MS * 2); return; }
  const link = linkNow();
  if (link === location.hash) return;
  allowance--;
  // A step back leads to another pane or selection, not through each row that was passed by.
  const isStep = (paneName !== writtenView || selectedRow !== writtenRow) && now - stepAt > 1000 && writtenRow > -2;
  if (isStep) stepAt = now;
  writtenView = paneName; writtenRow = selectedRow;
  try { if (isStep) history.pushState(null, '', link); else history.replaceState(null, '', link); } catch { /* in a frame of another page: the address stays */ }
}

function addLinks() {
  listen(window, 'popstate', () => { if (location.hash !== linkNow()) readLink(); });
  always.push(keepLink);
}
