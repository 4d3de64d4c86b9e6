// Opens the page: unpacks, builds its parts, draws, and only then hides the summary that needs no script.

// What the head says: numbers of the answer, never more.
function addHead() {
  const { answer } = head, figures = make('p', 'figures'), recorded = laneCalls.reduce((sum, calls) => sum + calls, 0), hidden = answer.filtered?.nodes, warnings = answer.warnings?.length;
  // Names of what is counted stand in the plural.
  const figure = (/** @type {string | number} */ value, /** @type {string} */ name, /** @type {unknown} */ bad) => put(figures, put(make('span', bad ? 'figure bad' : 'figure'), make('b', '', (bad ? '! ' : '') + (typeof value === 'number' ? tellCount(value) : value)), ' ' + (value === 1 ? name.replace(/s$/, '') : name)));
  if (typeof answerPane !== 'function' || !answerPane()?.figures?.(figure, recorded)) {
    for (const one of head.figures) figure(...one);
    if (head.figures.some(([, , bad]) => bad)) put(figures, press('first', () => { select(-1); jump('error', 1); }, 'First failure; press e for the next'));
  }
  $('origin').textContent = originOf(answer);
  put(figures, hidden ? `${tellCount(hidden)} hidden by filters` : '', warnings ? ' ⚠ ' + tellMany(warnings, 'warning') : '');
  addStrip(figures, put($('sums'), figures, make('p', 'printed', `${recorded} calls, ${N} rows, ${E} links`)), answer.metrics?.critical_path_parts);
}

// When each of several runs began.
let began = '';
// Day, session and agents.
/** @param {Record<string, any>} answer */
function originOf({ sessions = [], inputs = [] }) {
  const agents = head.agents || sessions.reduce((/** @type {number} */ sum, /** @type {any} */ { agents: own }) => sum + (own || 0), 0) || new Set(col.lane_agent).size;
  return joined([byTime.length && (began || tellTime(epochUs, true).slice(0, 16)) + zone(), sessions.length === 1 ? 'session ' + tellName(String(sessions[0].id), 20) : sessions.length && `${sessions.length} sessions`,
    agents && tellMany(agents, 'agent'), inputs.length > 1 && `${inputs.length} files`, `level ${head.level}`], ' · ');
}

// Parts of the time of the critical path, and what it waited for a person: key of the answer and place in WAIT_WORDS.
/** @type {[key: string, wait: number][]} */
const TIMES = [['model_ms', 0], ['tool_ms', 2], ['permission_ms', 3], ['retry_wait_ms', 4], ['unexplained_ms', 5], ['background_ms', 6], ['person_ms', 1]];
// Waits are hatched, as upon the timeline.
/** @returns {SVGElement} */
const hatchDefs = () => put(makeSvg('defs'), ...[['person', 'M-1 5 5 -1M2 8 8 2'], ['permission', 'M-1 1 5 7M2 -2 8 4']].map(([id, d]) => put(makeSvg('pattern', { id: 'hatch-' + id, width: 6, height: 6, patternUnits: 'userSpaceOnUse' }), makeSvg('path', { d, class: 'stroke' }))));
/** @param {string} look @param {Record<string, string | number>} place */
const stripPart = (look, place) => makeSvg('rect', { class: look, height: 9, ...place, ...look.startsWith('per') && { fill: `url(#hatch-${look})` } });

// The strip of where time went; a click keeps the calls before which it went there.
/** @param {HTMLElement} figures @param {HTMLElement} box @param {Record<string, number>} [parts] */
function addStrip(figures, box, parts = {}) {
  const all = TIMES.reduce((sum, [key]) => sum + (parts[key] || 0), 0), hidden = { 'aria-hidden': 'true' };
  if (!all) return;
  const first = col.flags.findIndex((flags) => (flags & CRITICAL) > 0), whose = manySessions > 1 && first >= 0 ? `of ${tellName(sessionOf(first), 12)} ` : '';
  const strip = makeSvg('svg', { class: 'strip', ...hidden }), words = put(make('p', 'words', '', { role: 'toolbar', ariaLabel: 'Critical path' }), `critical path ${whose}`, make('b', '', tellDuration((all - (parts.person_ms || 0)) * 1000)));
  put(strip, hatchDefs());
  let before = 0;
  for (const [key, wait] of TIMES) {
    const ms = parts[key], look = key.split('_')[0];
    if (!(ms > 0)) continue;
    const button = press(`${tellDuration(ms * 1000)} ${WAIT_WORDS[wait] || 'model'}`, () => { filterBy.wait = filterBy.wait === wait ? 0 : wait; relist(); }, wait ? 'Only calls after such a wait' : 'All calls');
    button.prepend(put(makeSvg('svg', { class: 'swatch', ...hidden }), stripPart(look, { width: 9 })));
    if (ms > all / 2) put(figures, `mostly ${WAIT_WORDS[wait] || 'the model'}`);
    put(strip, stripPart(look, { x: 100 * before / all + '%', width: 100 * ms / all + '%' }));
    put(words, wait === 1 ? ' plus ' : before ? ' + ' : ' = ', button);
    before += ms;
    if (wait) onRelist.push(() => { setPressed(button, filterBy.wait === wait); });
  }
  put(box, words, strip);
}

function addPaneButtons() {
  const buttons = panes.map(({ name, title }, k) => put(press('', () => showPane(name)), make('kbd', '', String(k + 1)), ' ' + title));
  put($('views'), ...buttons);
  let pressed = '';
  always.push(() => {
    if (pressed === paneName) return;
    $('app').dataset.view = pressed = paneName;
    panes.forEach(({ name }, k) => { setPressed(buttons[k], name === pressed); });
  });
}

function tellShown() {
  const hidden = N - shown.length;
  $('count').textContent = `${tellCount(shown.length)} of ${tellCount(N)} rows`;
  $('count').classList.toggle('some', hidden > 0);
}

// The status: at most one sentence a second, the last one always.
const SAY_MS = 1000;
let saidAt = -SAY_MS, toSay = '', sayTimer = 0;
/** @param {string} sentence */
function say(sentence) {
  toSay = sentence;
  const wait = saidAt + SAY_MS - performance.now();
  if (sayTimer) return;
  if (wait > 0) { sayTimer = setTimeout(() => { sayTimer = 0; say(toSay); }, wait); return; }
  saidAt = performance.now();
  $('said').textContent = sentence;
}
/** @param {number} row @param {string} note */
function saySelected(row, note) {
  if (isNoneSelected()) return;
  const { causes, effects } = linksOf(row), turn = known('turn', row);
  say(joined([tellName(labelOf(row), 80), tellName(agentOf(row), 40), turn !== null && `turn ${turn}`, troubleOf(row) === 1 ? 'failed' : stateOf(row), costOf(row), col.wait[row] > 1 && tellWait(row), causes.length ? `caused by ${tellName(labelOf(causes[0].row), 60)}` : 'no known cause',
    tellMany(effects.length, 'effect'), note], ', '));
}

// What a person prefers stays with the browser; it is never a word of the log.
const PREFERENCES = 'xtrace.explorer';
/** @returns {Record<string, unknown>} */
function preferences() {
  try { return JSON.parse(localStorage.getItem(PREFERENCES) ?? '{}') ?? {}; } catch { return {}; }
}
/** @param {string} name @param {unknown} value */
function prefer(name, value) {
  try { localStorage.setItem(PREFERENCES, JSON.stringify({ ...preferences(), [name]: value })); } catch { /* a page without storage forgets */ }
}
/** Follows the system, until the switch is used: the second rule of the style is that of the dark. */
function addTheme() {
  const { style } = document.documentElement, media = /** @type {CSSMediaRule | undefined} */ (document.styleSheets[0]?.cssRules[1])?.media, follow = media?.mediaText;
  const choose = (/** @type {unknown} */ theme) => {
    if (media) media.mediaText = theme === 'dark' ? 'screen' : theme === 'light' ? 'not all' : follow ?? '';
    return style.colorScheme = theme === 'dark' || theme === 'light' ? theme : '';
  };
  choose(preferences().theme);
  listen($('theme'), 'click', () => {
    const isDark = (style.colorScheme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
    prefer('theme', choose(isDark ? 'light' : 'dark'));
  });
}

// On paper: the head, the answer, what is selected and the rows shown, no canvas. What a press would bring stands there, too.
const MOST_ON_PAPER = 200;
function printRows() {
  const rows = shown.subarray(0, MOST_ON_PAPER), body = make('tbody');
  for (const row of rows) put(body, put(make('tr'), ...treeColumns.map(({ name, text }, k) => make('td', name, (k ? '' : '  '.repeat(min(depths[row], 12))) + text(row)))));
  for (const { element, draw } of panes) if (element.className === 'answer') draw();
  for (const more of document.querySelectorAll('.answer .more, #details .more')) /** @type {HTMLElement} */ (more).click();
  $('paper').replaceChildren(make('p', '', `${tellCount(rows.length)} of ${tellCount(N)} rows`), put(make('table'), put(make('thead'), put(make('tr'), ...treeColumns.map((column) => make('th', '', titleOfColumn(column))))), body));
}

/** The pane that comes first for this answer. */
const firstView = () => (panes.find(({ name }) => name === head.view) ?? panes[0]).name;

function addParts() {
  addTheme();
  const box = $('panes');
  // Pages that show a graph alone come without that script.
  if (typeof addAnswers === 'function') addAnswers(box);
  addTimeline(box); addTree(box); addCauses(box);
  // Nor is who called whom on those that compare two runs.
  if (typeof addActors === 'function') addActors(box);
  // Large pages alone have the panes that follow.
  if (typeof addGraph === 'function') { addGraph(box); addFlow(box); addAgents(); }
  if (typeof addConversation === 'function') addConversation(box);
  addOverview($('overview')); addDetails($('details')); addSearch($('search')); addFilters($('filters'));
  addHead(); addPaneButtons(); addKeys(); addLinks();
  onRelist.push(tellShown);
  const sizes = new ResizeObserver(soon);
  for (const { element } of panes) sizes.observe(element);
  listen(window, 'beforeprint', printRows);
  listen(window, 'afterprint', () => $('paper').replaceChildren());
}

/** @param {boolean} is */
function showApp(is) {
  for (const id of ['app', 'tools', 'sums', 'foot']) $(id).hidden = !is;
}
/** @param {unknown} reason */
function tellBroken(reason) {
  const told = make('p', 'broken', `The page could not be opened: ${reason instanceof Error ? reason.message : reason}. Its summary follows.`, { role: 'alert' });
  showApp(false);
  $('static').before(told);
  isBroken(reason);
}

async function openPage() {
  const isTest = location.hash === '#selftest';
  await unpack();
  showApp(true);
  addParts();
  readLink();
  const row = head.select && selectedRow < 0 ? rowOf(head.select) : -1;
  if (row >= 0) select(row, true);
  if (selectedRow < 0) $('said').textContent = N ? 'Select a row. Press ? for shortcuts.' : 'The filters hide all calls.';
  $('static').hidden = true;
  await painted();
  // Its rows are most of what the document holds; only a test still asks for them.
  if (isTest) selftest(); else $('static').replaceChildren();
  isReady();
}
openPage().catch(tellBroken);
