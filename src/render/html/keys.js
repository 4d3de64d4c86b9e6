// What each key does, in one table: it acts by it, and the help is written from it.

// Shift turns back.
/** @param {KeyboardEvent} event @returns {1 | -1} */
const wayOf = ({ key }) => /^[A-Z%]$/.test(key) ? -1 : 1;
/** @param {string} by in RANKS @returns {Key[2]} */
const jumps = (by) => (event) => jump(by, wayOf(event));

/** @typedef {[keys: string, tells: string, act: (event: KeyboardEvent) => void]} Key */
/** @type {[group: string, keys: Key[]][]} */
const KEYS = [
  ['Move', [
    ['ArrowDown ArrowUp', 'next row, previous row', ({ key }) => step(key === 'ArrowDown' ? 1 : -1)],
    ['PageDown PageUp', 'one page of rows', ({ key }) => step(key === 'PageDown' ? pageOfRows() : -pageOfRows())],
    ['Home End', 'first row, last row', ({ key }) => selectPlace(key === 'Home' ? 0 : shown.length - 1)],
    ['ArrowRight', 'expand, then first row below', unfoldOrEnter],
    ['ArrowLeft', 'collapse, then parent, then turn', foldOrLeave],
    ['*', 'all below', () => { if (selectedRow >= 0) foldBelow(selectedRow); }],
    ['o', 'sort by next column', sortByNext],
    ['l', 'expand or collapse its lane', foldByKey],
  ]],
  ['Follow', [
    ['[ ]', 'strongest cause, strongest effect', ({ key }) => follow(key === '[' ? 'causes' : 'effects')],
    ['Backspace', 'back', goBack],
    ['g', 'start or report of an agent', goAcross],
    ['p', 'only its causes and effects, from root to leaf; again: all', togglePath],
    ['P', 'chains between two calls: Shift+click the second', pathBetween],
  ]],
  ['Find', [
    ['$ %', 'next most expensive call, previous one', jumps('cost')],
    ['t T', 'next longest wait; Shift: previous', jumps('wait')],
    ['e E', 'next failed call, then tool error, retry; Shift: previous', jumps('error')],
    ['c C', 'next on the critical path; Shift: previous', jumps('critical')],
    ['/', 'search; Enter: next match, Shift+Enter: previous', () => { const field = $('search').querySelector('input'); field?.focus(); field?.select(); }],
  ]],
  ['Time', [
    ['w s', 'zoom in, zoom out', ({ key }) => zoomTimeline(key === 'w' ? 0.8 : 1.25)],
    ['a d', 'earlier, later', ({ key }) => panTimeline(key === 'd' ? 0.1 : -0.1)],
    ['0', 'show the whole run', showAll],
    ['.', 'zoom to the selection', showSelection],
    ['Space', 'play through time, stop', togglePlay],
  ]],
  ['Page', [
    ['1 2 3 4 5 6 7 8 9', 'this pane', ({ key }) => goToPane(Number(key) - 1)],
    ['Enter', 'details; ↑ ↓ move between links there', () => $('details').focus()],
    ['y Y', 'copy as Markdown; Shift: JSON', ({ key }) => copyOut(key === 'y' ? 'markdown' : 'json')],
    ['Escape', 'back to the pane, then clear the selection', leave],
    ['?', 'keyboard shortcuts', openHelp],
  ]],
];
/** @type {Map<string, Key[2]>} */
const actions = new Map();

function addKeys() {
  for (const [, keys] of KEYS) for (const [names, , act] of keys) for (const name of names.split(' ')) actions.set(name === 'Space' ? ' ' : name, act);
  listen(window, 'keydown', onKey);
  // A toolbar is one Tab stop, so are the details: the button that had the focus last.
  listen(window, 'focusin', (event) => { const bar = barOf(event.target); if (bar && bar !== event.target) oneStop(bar, /** @type {HTMLElement} */ (event.target)); });
  onRelist.push(() => { for (const bar of document.querySelectorAll('[role=toolbar]')) oneStop(bar); });
  new MutationObserver(() => oneStop($('details'))).observe($('details'), { childList: true, subtree: true });
  listen($('ask'), 'click', openHelp);
}

// What has the focus that keys for the whole page must not take.
/** @param {Element} target */
const isField = (target) => target.closest('input, select, textarea') !== null;
/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {Element} */ (event.target);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (isField(target) && event.key !== 'Escape') return;
  if (moveInBar(event)) return;
  if (target.closest('button, summary, a') && (event.key === 'Enter' || event.key === ' ')) return;
  // What else moves within the details does what it does in every page.
  if (/^(Arrow|Page|Home|End)/.test(event.key) && target.closest('#details')) return;
  const act = actions.get(event.key);
  if (pane()?.key?.(event)) event.preventDefault();
  else if (act) { act(event); event.preventDefault(); }
}

/** @param {EventTarget | null} target @returns {Element | null} */
const barOf = (target) => target instanceof Element ? target.closest('[role=toolbar], #details') : null;
/** @param {Element} bar @returns {HTMLElement[]} */
const stopsOf = (bar) => /** @type {HTMLElement[]} */ ([...bar.querySelectorAll('button, input, select')]).filter((e) => e.getClientRects().length && !e.hasAttribute('disabled'));
/** @param {Element} bar @param {HTMLElement} [stop] */
function oneStop(bar, stop) {
  const all = stopsOf(bar), kept = stop ?? all.find((e) => e.tabIndex === 0) ?? all[0];
  for (const e of all) e.tabIndex = e === kept ? 0 : -1;
}
/** @param {KeyboardEvent} event @returns {boolean} did it move the focus within a toolbar? */
function moveInBar(event) {
  const bar = barOf(event.target), ways = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  if (!bar || !Object.hasOwn(ways, event.key)) return false;
  const all = stopsOf(bar), at = all.indexOf(/** @type {HTMLElement} */ (event.target)) + ways[/** @type {keyof typeof ways} */ (event.key)];
  all[at === Infinity ? all.length - 1 : at === -Infinity ? 0 : (at + all.length) % all.length]?.focus();
  event.preventDefault();
  return true;
}

// The focus stays where it was as long as that is shown.
/** @param {number} place */
function goToPane(place) {
  const next = panes[place], at = document.activeElement;
  if (!next) return;
  showPane(next.name);
  if (at && at !== document.body && !at.getClientRects().length) focusPane();
}
/** Gives the focus to what is shown. */
function focusPane() {
  if (treeGrid.getClientRects().length) treeGrid.focus({ preventScroll: true });
  else { const element = pane()?.element; if (element) { element.tabIndex = -1; element.focus({ preventScroll: true }); } }
}
/** From a field or the details back to the pane; there the selection goes, and what hides rows with it. */
function leave() {
  const at = document.activeElement;
  stopPlaying();
  if (at && (isField(at) || at.closest('#details'))) focusPane();
  else select(-1);
}

const pageOfRows = () => max(1, floor(treeGrid.clientHeight / ROW_HEIGHT) - 2);
/** @param {number} place in what is shown */
function selectPlace(place) { if (place >= 0 && place < shown.length) select(shown[place]); }
/** @param {number} by */
function step(by) {
  const at = chosenPlace(), way = Math.sign(by);
  let next = clamp((at < 0 && by < 0 ? lines.length : at) + by, 0, lines.length - 1);
  // What is open is passed by.
  while (lines[next] < 0 && !groupAt(lines[next]).shut && lines[next + way] !== undefined) next += way;
  if (lines[next] < 0) chooseGroup(groupAt(lines[next])); else if (lines.length) select(lines[next]);
}
function unfoldOrEnter() {
  const row = selectedRow, group = chosenGroup;
  if (group?.shut) shutGroup(group, false); else if (group) step(1);
  if (row < 0 || col.skip[row] < 2) return;
  if (folds.has(row)) fold(row, false); else select(row + 1);
}
function foldOrLeave() {
  const row = selectedRow, group = chosenGroup ?? (sortKey || row < 0 ? null : groupsOf(row).find(({ isTurn }) => !isTurn || !col.parent[row]));
  if (row >= 0 && col.skip[row] > 1 && !folds.has(row)) fold(row, true);
  else if (group) { if (!group.shut) shutGroup(group, true); chooseGroup(group); }
  else if (row >= 0 && col.parent[row]) select(row - col.parent[row]);
}

function isNoneSelected() {
  if (selectedRow < 0) say('Nothing is selected.');
  return selectedRow < 0;
}
/** @param {'causes' | 'effects'} side */
function follow(side) {
  if (isNoneSelected()) return;
  const [first] = linksOf(selectedRow)[side];
  if (first) select(first.row); else say(side === 'causes' ? 'No cause found.' : 'No effect found.');
}
function goBack() {
  const row = trail.pop();
  if (row !== undefined) select(row, true); else say('Nothing to go back to.');
}

// The first link of a type that leads to a lane or away from it.
/** @param {string} type @param {Uint32Array} ends @param {number} lane */
const linkOfLane = (type, ends, lane) => ends.findIndex((row, e) => strings[col.e_type[e]] === type && col.lane[row] === lane);
// From the spawn to the report and back; from within an agent to its spawn.
function goAcross() {
  const row = selectedRow;
  if (isNoneSelected()) return;
  const { causes, effects } = linksOf(row), isOf = (/** @type {string} */ type) => (/** @type {End} */ { edge }) => strings[col.e_type[edge]] === type;
  const spawned = effects.find(isOf('subagent_spawn')), reporting = causes.find(isOf('subagent_report'));
  if (spawned) {
    const report = linkOfLane('subagent_report', sourceRow, col.lane[spawned.row]);
    select(report < 0 ? spawned.row : targetRow[report]);
    return;
  }
  const spawn = linkOfLane('subagent_spawn', targetRow, col.lane[reporting ? reporting.row : row]);
  if (spawn >= 0) select(sourceRow[spawn]); else say('This call neither starts an agent nor belongs to one.');
}

function togglePath() {
  if (isNoneSelected()) return;
  secondRow = -1;
  showPath(!pathOnly);
}
function pathBetween() {
  if (secondRow < 0) say('Select a second call with Shift+click.'); else showPath(true);
}
/** @param {boolean} only what the path holds */
function showPath(only) {
  pathOnly = only;
  pathRow = -1;
  relist();
  reveal();
  if (!only) say('All calls are shown.');
  else if (shown.length || secondRow < 0) say(`${tellCount(shown.length)} calls ${secondRow < 0 ? 'are its causes or effects' : 'are on the chains between the two'}.`);
  else { showPath(false); say('No chain connects the two.'); }
}
/** @param {number} row */
function selectSecond(row) {
  secondRow = row === secondRow || row === selectedRow ? -1 : row;
  showPath(secondRow >= 0);
}

// How calls are ranked, the first by the least number; Infinity: it is none of them.
/** @type {Record<string, {none: string, rank: (row: number) => number}>} */
const RANKS = {
  cost: { none: 'No cost is recorded.', rank: (r) => col.cost[r] > 1 ? -col.cost[r] : Infinity },
  wait: { none: 'No wait is recorded.', rank: (r) => col.wait[r] > 1 ? -col.wait[r] : Infinity },
  error: { none: 'Nothing failed.', rank: (r) => (has(r, FAILED) ? 0 : has(r, TOOL_ERROR) ? 1 : has(r, RETRY) ? 2 : Infinity) + (col.timed[r] ? col.start[r] : lastTick) / (lastTick + 1) },
  critical: { none: 'No critical path is known.', rank: (r) => has(r, CRITICAL) ? col.start[r] : Infinity },
};
/** Where the last jump led. */
let jumped = { by: '', row: -1 };
// The next in rank after the last jump, or the first of all.
/** @param {string} by in RANKS @param {1 | -1} way */
function jump(by, way) {
  const { none, rank } = RANKS[by], from = jumped.by === by && jumped.row === selectedRow && jumped.row >= 0 ? jumped.row : -1;
  const next = nextRanked(rank, from, way), row = next < 0 ? nextRanked(rank, -1, way) : next;
  if (row < 0) { say(none); return; }
  select(row);
  jumped = { by, row };
}
/** @param {(row: number) => number} rank @param {number} from row, -1: the end @param {1 | -1} way @returns {number} -1: none */
function nextRanked(rank, from, way) {
  const least = from < 0 ? -Infinity : way * rank(from);
  let best = -1, bestRank = Infinity;
  for (let k = 0; k < N; k++) {
    const r = way > 0 ? k : N - 1 - k, at = rank(r);
    if (at === Infinity) continue;
    const own = way * at, behind = own > least || own === least && (from < 0 || way * (r - from) > 0);
    if (behind && own < bestRank) { bestRank = own; best = r; }
  }
  return best;
}

// Playing: the moment runs over the time in view and selects what begins at it; where less motion is wanted, a key is a step.
const PLAY_STEPS = 400, STEP_MS = 50;
let playTimer = 0;
function togglePlay() {
  if (playTimer) { stopPlaying(); return; }
  if (playedAt < fromTick || playedAt >= toTick) playedAt = fromTick - 1;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) { const next = rowBehind(playedAt); playTo(next < 0 ? toTick : col.start[next]); }
  else playTimer = setInterval(() => playTo(playedAt + (toTick - fromTick) / PLAY_STEPS), STEP_MS);
}
function stopPlaying() {
  clearInterval(playTimer);
  playTimer = 0;
}
/** @param {number} moment */
function playTo(moment) {
  const next = rowBehind(playedAt);
  playedAt = moment < toTick ? moment : -1;
  if (moment >= toTick) stopPlaying();
  if (next >= 0 && col.start[next] <= moment) select(next, true); else soon();
}
/** @param {number} moment @returns {number} the row that begins next, -1: none */
function rowBehind(moment) {
  let next = -1;
  for (let r = 0; r < N; r++) if (col.timed[r] && col.start[r] > moment && (next < 0 || col.start[r] < col.start[next])) next = r;
  return next;
}

/** @type {Record<string, string>} */
const KEY_SIGNS = { ArrowDown: '↓', ArrowUp: '↑', ArrowRight: '→', ArrowLeft: '←', PageDown: 'Page ↓', PageUp: 'Page ↑', Escape: 'Esc' };
function openHelp() {
  const help = /** @type {HTMLDialogElement} */ ($('help'));
  if (!help.firstChild) fillHelp(help);
  help.showModal();
}
/** @param {HTMLDialogElement} help */
function fillHelp(help) {
  const groups = make('div', 'groups');
  for (const [group, keys] of KEYS) {
    const list = make('dl');
    for (const [names, tells] of keys) {
      const term = make('dt');
      for (const name of names.startsWith('1 ') ? ['1', '…', String(panes.length)] : names.split(' ')) term.append(name === '…' ? name : make('kbd', '', KEY_SIGNS[name] ?? (/^[A-Z]$/.test(name) ? 'Shift ' + name.toLowerCase() : name)));
      put(list, term, make('dd', '', tells));
    }
    put(groups, put(make('section'), make('h3', '', group), list));
  }
  put(help, make('h2', '', 'Keyboard shortcuts', { id: 'help-title' }), press('Close', () => help.close()), groups);
}
