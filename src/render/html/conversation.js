// The conversation of an agent, call after call, at level full. Only the calls in view are in the document.

// Heights in pixels: of a call that was not drawn yet; of all, which browsers bear; beyond the view, so that scrolling shows no gap; of a key.
const USUAL_HEIGHT = 160, TALLEST_TALK = 8e6, DRAWN_BEYOND = 300, KEY_SCROLL = 60, BELOW_TOP = 8;
// Agents to choose from; others are offered once one of their calls was selected.
const MOST_OFFERED = 100;
/** Lane whose conversation is shown, and its calls in the order of time; -1: none yet. */
let talkLane = -1, talkRows = u32(0);
/** Height of each, as far as it is known, and where each begins. */
let talkHeights = f64(0), talkTops = f64(1);
/** The call at the top of the view, how far it is scrolled, and where that was when it was last drawn. */
let talkAt = 0, talkOff = 0, talkTop = 0;
/** What is to be scrolled to: a row; -1: nothing. */
let talkGoal = -1;
let talkMoved = true, talkStale = true, talkDrawnFor = '';
// Elements by the place of their call.
/** @type {Map<number, HTMLElement>} */
const talkDrawn = new Map();
/** @type {WeakMap<Element, number>} */
const talkPlaces = new WeakMap();
const talkBody = make('div', 'c-body'), talkScroll = make('div', 'c-scroll', '', { role: 'region', ariaLabel: 'Conversation', tabIndex: 0 });
const talkSizes = new ResizeObserver((entries) => {
  for (const { target, borderBoxSize: [{ blockSize }] } of entries) {
    const place = talkPlaces.get(target);
    if (place === undefined || !target.isConnected || talkHeights[place] === blockSize) continue;
    talkHeights[place] = blockSize;
    talkMoved = true;
  }
  if (talkMoved) soon();
});

/** @param {number} lane */
function listTalk(lane) {
  const isOwn = (/** @type {number} */ r) => col.lane[r] === lane && !hiddenRows[r], untimed = [];
  for (let r = 0; r < N; r++) if (!col.timed[r] && isOwn(r)) untimed.push(r);
  talkLane = lane; talkStale = false; talkMoved = true; talkAt = talkOff = 0;
  talkRows = Uint32Array.from([...byTime.filter(isOwn), ...untimed]);
  talkHeights = f64(talkRows.length).fill(min(USUAL_HEIGHT, TALLEST_TALK / talkRows.length));
  clearTalk();
}
function clearTalk() {
  talkSizes.disconnect();
  talkDrawn.clear();
  talkBody.replaceChildren();
}
// The conversation of the selection, else the one before, else the first.
const wantedLane = () => selectedRow >= 0 ? col.lane[selectedRow] : talkLane >= 0 ? talkLane : N ? col.lane[byTime[0] ?? 0] : -1;
function freshTalk() { const lane = wantedLane(); if (talkStale || lane !== talkLane) listTalk(lane); }

// Cost and calls of the turn that a row belongs to, of all agents.
/** @type {Map<string, {cost: number, more: boolean, calls: number}> | null} */
let turnSums = null;
/** @param {number} r */
const turnKey = (r) => `${col.turn[r]} ${col.lane_session[col.lane[r]]} ${isOld(r)}`;
/** @param {number} row */
function turnSum(row) {
  if (!turnSums) {
    turnSums = new Map();
    for (let r = 0; r < N; r++) {
      const key = turnKey(r), sum = turnSums.get(key) ?? { cost: -1, more: false, calls: 0 };
      if (col.cost[r]) sum.cost = max(0, sum.cost) + col.cost[r] - 1;
      sum.more ||= has(r, COSTS_MORE); sum.calls++;
      turnSums.set(key, sum);
    }
  }
  return turnSums.get(turnKey(row)) ?? { cost: -1, more: false, calls: 0 };
}
/** @param {number} place */
const beginsTurn = (place) => !place || turnKey(talkRows[place]) !== turnKey(talkRows[place - 1]);
/** @param {number} place @returns {HTMLElement[]} number, time and cost of its turn, then of the call */
function talkHead(place) {
  const row = talkRows[place], turn = known('turn', row), time = tellMoment(startOf(row)), /** @type {HTMLElement[]} */ parts = [], { cost, more, calls } = turnSum(row);
  if (turn !== null && beginsTurn(place)) parts.push(put(make('h3', 'c-turn'), `Turn ${turn}`, make('small', '', ' · ' + joined([time, tellMany(calls, 'call'), cost >= 0 && atLeast(more, tellCost(cost))], ' · '))));
  const spawn = place ? undefined : edgesBeside(row, true).find((e) => strings[col.e_type[e]] === 'subagent_spawn');
  if (spawn !== undefined) parts.push(put(make('p', 'c-part'), 'started by ', rowLink(sourceRow[spawn])));
  const trouble = troubleOf(row), figures = joined([time, tellDuration(durationOf(row)), costOf(row), known('in', row) !== null && tellShort(known('in', row)) + ' in', known('out', row) !== null && atLeast(has(row, LOW_OUTPUT), tellShort(known('out', row))) + ' out'], ' · ');
  return [...parts, put(make('p', 'c-head'), goTo(bdi(figures || labelOf(row)), () => select(row)), make('span', trouble === 1 ? 'bad' : 'soft', trouble ? tellName(stateOf(row), 200) : ''))];
}
/** @param {number} place */
function drawCall(place) {
  const row = talkRows[place], element = put(make('article', 'c-call'), ...talkHead(place)), unstop = () => { for (const button of element.querySelectorAll('button')) button.tabIndex = -1; };
  talkPlaces.set(element, place);
  talkDrawn.set(place, element);
  unstop();
  messageParts(row).then((parts) => { put(element, ...parts); unstop(); }, (why) => put(element, make('p', 'bad', `The texts cannot be read: ${why}`)));
  talkSizes.observe(element);
  return element;
}
function moveTalk() {
  const { length } = talkHeights;
  if (talkTops.length !== length + 1) talkTops = f64(length + 1);
  for (let k = 0; k < length; k++) talkTops[k + 1] = talkTops[k] + talkHeights[k];
  talkBody.style.height = talkTops[length] + 'px';
  talkMoved = false;
}
function drawTalk() {
  freshTalk();
  // Words that are searched are marked in the texts.
  if (talkDrawnFor !== queryText) { talkDrawnFor = queryText; clearTalk(); }
  if (talkMoved) moveTalk();
  if (talkGoal >= 0) {
    const place = talkRows.indexOf(talkGoal);
    if (place >= 0) { talkAt = place; talkOff = -BELOW_TOP; }
    talkGoal = -1;
  }
  const top = max(0, talkTops[min(talkAt, talkRows.length)] + talkOff), high = talkScroll.clientHeight;
  if (abs(talkScroll.scrollTop - top) >= 1) talkScroll.scrollTop = top;
  talkTop = talkScroll.scrollTop;
  let first = max(0, lowerBound(talkTops, top - DRAWN_BEYOND) - 1), end = min(talkRows.length, lowerBound(talkTops, top + high + DRAWN_BEYOND));
  for (const [place, element] of talkDrawn) if (place < first || place >= end) {
    if (element.contains(document.activeElement)) talkScroll.focus({ preventScroll: true });
    talkSizes.unobserve(element);
    element.remove();
    talkDrawn.delete(place);
  }
  for (let before = null; first < end; first++) {
    const element = talkDrawn.get(first) ?? drawCall(first);
    // In the order of reading, for those who hear or copy it.
    if (!element.isConnected) { if (before) before.after(element); else talkBody.prepend(element); }
    element.style.top = talkTops[first] + 'px';
    element.classList.toggle('c-picked', talkRows[first] === selectedRow);
    before = element;
  }
  showTalkPlace();
}
let showTalkPlace = () => {};

// Where the keys go on from: the selection, else what is at the top of the view.
const talkPlace = () => { freshTalk(); return selectedRow < 0 ? -1 : talkRows.indexOf(selectedRow); };
/** @param {1 | -1} by @param {(place: number) => boolean} [stops] */
function stepTalk(by, stops = () => true) {
  let place = talkPlace();
  place = place < 0 ? by > 0 ? talkAt : talkAt - 1 : place + by;
  while (place >= 0 && place < talkRows.length && !stops(place)) place += by;
  const row = talkRows[place];
  if (row === undefined) { say(by > 0 ? 'The conversation ends here.' : 'The conversation begins here.'); return; }
  if (row === selectedRow) return;
  select(row);
}
// Opens all texts of the selected call, or folds them.
function openTexts() {
  const element = talkDrawn.get(talkPlace()), buttons = [.../** @type {NodeListOf<HTMLElement>} */ ((pane()?.name === 'conversation' && element || $('details')).querySelectorAll('.more'))], shut = buttons.filter(({ textContent }) => textContent !== 'less');
  for (const button of shut.length ? shut : buttons) button.click();
  if (!buttons.length) say('Nothing is folded here.');
}
KEYS.push(['Read', [
  ['j k', 'next call of the conversation, previous one', ({ key }) => stepTalk(key === 'j' ? 1 : -1)],
  ['J K', 'next turn of the conversation; Shift+k: previous', ({ key }) => stepTalk(key === 'J' ? 1 : -1, beginsTurn)],
  ['x', 'expand all texts of the call, collapse', openTexts],
]]);
/** @param {KeyboardEvent} event @returns {boolean} did it scroll? */
function scrollTalk({ key, target }) {
  const page = talkScroll.clientHeight - KEY_SCROLL, by = { ArrowDown: KEY_SCROLL, ArrowUp: -KEY_SCROLL, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[key];
  if (by === undefined || target instanceof Element && target.closest('#details')) return false;
  talkScroll.scrollTop = clamp(talkScroll.scrollTop + by, 0, talkScroll.scrollHeight);
  return true;
}

// Rows whose texts hold the words, added to the hits block after block: of a long run that takes some time.
let searchTurn = 0, searchesTexts = false;
const SEARCH_AFTER_MS = 150;
/** @param {string} query */
function searchTexts(query) {
  const turn = ++searchTurn, words = wordsIn(query);
  searchesTexts = false;
  if (!words.length || !head.texts) return;
  searchesTexts = true;
  setTimeout(async () => {
    if (turn !== searchTurn) return;
    const marks = words.map(marksOfWord);
    for (let block = 0, found = false; block < head.texts; block++) {
      const rows = await readBlock(block);
      if (turn !== searchTurn) return;
      rows.forEach((texts, k) => {
        const row = (block << 8) + k;
        if (hitMarks[row] || row >= N) return;
        const all = spokenIn(texts);
        if (words.every((word, w) => marks[w][row] || all.includes(word))) { hitMarks[row] = 1; found = true; }
      });
      // The list of hits is made anew now and then.
      if (found && (block % 16 === 15 || block + 1 === head.texts)) { addHits(); found = false; }
    }
    searchesTexts = false;
    addHits();
  }, SEARCH_AFTER_MS);
}
// Lists the hits anew.
function addHits() {
  const at = hits[hitAt];
  hits = marked(hitMarks);
  hitAt = at === undefined ? -1 : hits.indexOf(at);
  tellHits();
  soon();
}
/** @param {any} value @returns {string} its texts in lower case */
const spokenIn = (value) => typeof value === 'string' ? value.toLowerCase() : value && typeof value === 'object' ? Object.values(value).map(spokenIn).join('\n') : '';

/** @param {HTMLElement} box */
function addConversation(box) {
  if (!head.texts) return;
  const note = make('span', 'soft'), lanes = [...laneCalls.keys()].filter((l) => laneCalls[l]), agents = make('select', '', '', { ariaLabel: 'Agent' }), element = put(make('div', 'c-pane'), make('h2', 'unseen', 'Conversation'));
  const offered = new Set(), offer = (/** @type {number} */ l) => { if (l >= 0 && !offered.has(l)) put(agents, new Option(joined([tellLane(l), tellSession(l), tellCalls([l])], ' · '), String(offered.add(l) && l))); };
  lanes.slice(0, MOST_OFFERED).forEach(offer);
  listen(agents, 'change', () => { listTalk(Number(agents.value)); if (talkRows.length) select(talkRows[0]); });
  put(element, barOfButtons('Conversation', ...lanes.length > 1 ? [agents] : [], note, make('span', 'soft', 'j k: next call, previous; J K: next turn, previous')), put(talkScroll, talkBody));
  showTalkPlace = () => {
    const place = talkPlace(), hidden = laneCalls[talkLane] - talkRows.length;
    offer(talkLane);
    agents.value = String(talkLane);
    note.textContent = joined([talkLane >= 0 && lanes.length < 2 && tellLane(talkLane), place < 0 ? tellMany(talkRows.length, 'call') : `call ${tellCount(place + 1)} of ${tellCount(talkRows.length)}`, hidden > 0 && `${tellCount(hidden)} hidden by filters`], ' · ');
  };
  listen(talkScroll, 'scroll', () => {
    const { scrollTop } = talkScroll;
    // Else it was moved because a height became known: what is read stays in place.
    if (abs(scrollTop - talkTop) < 1) return;
    talkAt = clamp(lowerBound(talkTops, scrollTop + 1) - 1, 0, max(0, talkRows.length - 1)); talkOff = scrollTop - talkTops[talkAt];
    soon();
  }, { passive: true });
  onRelist.push((hidesAnew) => { if (hidesAnew) talkStale = true; });
  box.append(element);
  panes.push({ name: 'conversation', title: 'Conversation', element, draw: drawTalk, key: scrollTalk, reveal: (row) => { talkGoal = row; soon(); }, spot: (row) => {
    const found = talkDrawn.get(talkRows.indexOf(row));
    if (!found) return null;
    const { left, top, width } = frameOf(found);
    return { x: left + min(width, 600) / 2, y: top + 12 };
  } });
}
