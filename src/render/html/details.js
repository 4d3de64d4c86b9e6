// What is on record of the selection: facts, then what led to it and what came of it, then its texts.

// The argument by which a link was found, in words.
/** @param {string} method */
const ruleOf = (method) => head.rules?.[method] || method;
// The time before a row that no call fills, with what it went by on.
/** @param {number} row */
const tellWait = (row) => `${tellDuration((col.wait[row] - 1) * tickUs)} ${WAIT_WORDS[col.wait_kind[row]]}`;

/** @param {HTMLElement} name @param {() => void} act */
const goTo = (name, act) => put(Object.assign(press('', act), { className: 'goto' }), name);
// A button that selects a row.
/** @param {number} row @param {string} [before] */
const rowLink = (row, before = '') => put(goTo(bdi(before + shortPaths(labelOf(row)), 90), () => select(row)), ' ', make('small', '', tellName(agentOf(row), 40)), has(row, FAILED) ? ' ! failed' : '');
// Fills a list with the first of many; a button brings more, so that a page of any run stays small.
/** @template T @param {HTMLElement} list @param {T[]} all @param {(one: T) => HTMLElement} draw @param {number} [most] @returns {HTMLElement[]} */
function listOf(list, all, draw, most = 8) {
  let done = 0;
  const more = press('', () => fill(most * 4));
  more.className = 'more';
  /** @param {number} n */
  const fill = (n) => {
    list.append(...all.slice(done, done += n).map(draw));
    more.textContent = `${tellCount(all.length - done)} more`;
    if (done >= all.length) more.remove();
  };
  fill(most);
  return done < all.length ? [list, more] : [list];
}
/** @template T @param {string} title @param {T[]} all @param {(one: T) => HTMLElement} draw @param {number} [most] shown at once @returns {HTMLElement[]} nothing where there is nothing to list */
const section = (title, all, draw, most) => all.length ? [make('h3', '', title), ...listOf(make('ul', 'plain'), all, draw, most)] : [];

/** @param {string} key of JSON @returns {string} its name for people */
const titled = (key) => key.replace(/_(ms|n?usd|us|ts)(?=$|_estimated)/, '').replace(/_/g, ' ').replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
/** @typedef {{key: string, value: string | number, text: string}} Fact */
// What is known; the keys are those of the hook.
/** @param {number} row @returns {Fact[]} */
function factsOf(row) {
  const start = startOf(row), duration = durationOf(row), wait = (known('wait', row) ?? 0) * tickUs;
  /** @type {[key: string, value: string | number | null, text?: string][]} */
  const all = [['id', idOf(row)], ['what', labelOf(row)], ['agent', agentOf(row)], ['session', sessionOf(row)], ['run', isOld(N - 1) ? isOld(row) ? 'old' : 'new' : ''], ['turn', known('turn', row)], ['status', textOf('status', row)], ['error', textOf('error', row)], ['kind', textOf('kind', row)],
    ['start_us', start, tellStart(start)], ['duration_us', duration, tellDuration(duration) + (has(row, REVERSED) ? ' ⚠ ends before it starts' : '')],
    ['waited_us', wait || null, tellWait(row)]];
  for (const name of ['in', 'cached', 'cache_write', 'out']) { const n = known(name, row); all.push(['tokens_' + name, n, atLeast(name === 'out' && has(row, LOW_OUTPUT), tellCount(n))]); }
  all.push(['cost_nusd', known('cost', row), costOf(row)], ['model', textOf('model', row)], ['at', placeOf(row)]);
  return all.flatMap(([key, value, text = String(value)]) => value === null || value === '' ? [] : [{ key, value, text }]);
}
// To the last digit that is kept.
/** @param {number | null} us */
function tellStart(us) {
  if (us === null) return '';
  const part = String(((us % 1e6) + 1e6) % 1e6).padStart(6, '0');
  return `${tellTime(us, true)}.${tickUs === 1 ? part + zone() + ', truncated to microseconds' : part.slice(0, 3) + zone()}`;
}

/** @typedef {{name: string, target: string, duration_us: number | null, failed: boolean, why: string}} ToolUse */
/** @param {number} row @returns {ToolUse[]} */
function toolsOf(row) {
  const tools = [];
  for (let t = toolFirst[row]; t < toolFirst[row + 1]; t++) {
    const ticks = known('t_duration', t);
    tools.push({ name: strings[col.t_name[t]], target: strings[col.t_target[t]], duration_us: ticks === null ? null : ticks * tickUs, failed: col.t_error[t] === 1, why: strings[col.t_why[t]] });
  }
  return tools;
}
/** @param {ToolUse} tool */
const toolItem = ({ name, target, duration_us: us, failed, why }) => item(bdi(name), ' ', bdi(target), ` ${tellDuration(us)}${failed ? ' ! failed' : ''}`, why ? ': ' : '', why ? bdi(why, 400) : '');

/** @param {number} confidence */
const tellSure = (confidence) => `${confidence < 0.95 ? 'inferred, ' : ''}${confidence.toFixed(2)}`;
// Why a link was made: type, rule, confidence, evidence and places; then what else it could have come from.
/** @param {number} edge @returns {HTMLElement[]} */
function reasonsOf(edge) {
  const method = textOf('e_method', edge), evidence = textOf('e_evidence', edge), rivals = rivalsOf(edge), from = placeOf(sourceRow[edge]), to = placeOf(targetRow[edge]);
  const why = put(make('p', col.e_confidence[edge] < SURE ? 'why guess' : 'why'), bdi(typeOf(edge)), ': ', bdi(ruleOf(method)), `, ${sureOf(edge)}${col.e_error[edge] ? '; the result is an error' : ''}`);
  if (evidence) put(why, '; ', bdi(evidence));
  if (from || to) put(why, '; ', shortPlace(from), ' → ', shortPlace(to));
  return rivals.length ? [why, put(make('p', 'why'), 'or from ', ...rivals.slice(0, 8).flatMap(({ id, confidence: sure }) => { const r = rowOf(id); return [r < 0 ? bdi(id) : rowLink(r), ` ${sure.toFixed(2)} `]; }), rivals.length > 8 ? `and ${rivals.length - 8} more` : '')] : [why];
}
/** @param {End} end @param {boolean} cause */
const linkItem = ({ edge, row }, cause) => item(rowLink(row, cause ? '← ' : '→ '), ...reasonsOf(edge));
/** @param {number} edge */
const linkFacts = (edge) => [put(make('h2'), bdi(typeOf(edge))), put(make('ul', 'plain'), item('from ', rowLink(sourceRow[edge])), item('to ', rowLink(targetRow[edge]))), ...reasonsOf(edge)];

// From what began it all to the row, by the strongest causes.
/** @param {number} row @returns {number[]} */
function chainTo(row) {
  const chain = new Set();
  for (let r = row; r >= 0 && !chain.has(r); r = strongestCause(r)) chain.add(r);
  return [...chain].reverse();
}
// As `explain` has it: the surest; of several a result before a spawn before a report, then the nearest. Without making lists: a chain may be as long as the run.
/** @param {number} row @returns {number} -1: nothing led to it */
function strongestCause(row) {
  let best = -1, sure = -1;
  for (let e = inFirst[row]; e < inFirst[row + 1]; e++) {
    const own = col.e_confidence[e] * 3 - kindOf(e) % ERRORS, source = sourceRow[e];
    if (own > sure || own === sure && abs(source - row) < abs(best - row)) { best = source; sure = own; }
  }
  return best;
}
// A list of a chain: both its ends; what lies between is counted.
/** @param {string} title @param {number[]} chain */
const chainList = (title, chain) => section(title, chain.length <= 12 ? chain : [...chain.slice(0, 3), `… ${tellCount(chain.length - 11)} more …`, ...chain.slice(-8)], (r) => item(typeof r === 'string' ? r : rowLink(r)), 12);

// What led to a call in its turn: whose words began it, who started its agent, what was run last before it, what failed of the agent's own, and what else was done to its files. Words in place of a path are no file: equal lengths are not equal words.
/** @param {number} row @returns {number[]} in the order of time; empty where no turns are on record */
function storyOf(row) {
  const turn = col.turn[row], before = turn ? [...marked(reach(row, true, turn))].filter((r) => r !== row && col.start[r] <= col.start[row]).sort((a, b) => col.start[a] - col.start[b]) : [];
  const files = new Set(usesOf('t_target', row).filter((file) => file && !strings[file].startsWith('[text:')));
  const above = new Set();
  for (let up = row; col.parent[up];) above.add(up -= col.parent[up]);
  const ran = before.filter((r) => usesOf('t_name', r).some((name) => /bash|shell|exec|command|test/i.test(strings[name]))).pop();
  return before.filter((r, k) => !k || r === ran || above.has(r) || files.size > 0 && (col.lane[r] === col.lane[row] && troubleOf(r) % 3 || usesOf('t_target', r).some((file) => files.has(file)))).filter((_, k, all) => !k || k >= all.length - 7);
}
/** @param {number} row @returns {HTMLElement[]} */
function storyBlock(row) {
  const story = storyOf(row), [first] = story;
  if (first === undefined) return [];
  return [...typeof promptBlocks === 'function' ? promptBlocks(row, first) : [], ...section(`Steps since the prompt of turn ${known('turn', row)}`, story, (r) => item(rowLink(r), troubleOf(r) > 1 ? ' ' + stateOf(r) : ''))];
}

// The steps that a summary stands for, which open and close.
/** @param {number} row @returns {HTMLElement[]} */
function membersBlock(row) {
  /** @type {{members: string[], steps: any[]} | undefined} */
  const one = head.answer.summaries?.find((/** @type {any} */ { id }) => id === idOf(row));
  if (!one) return [];
  const hidden = one.members.length - one.steps.length, list = listOf(make('ul', 'plain'), one.steps, ({ label, agent, timestamp, latencyMs: ms, costUsd: usd, status, at }) => item(bdi(label), make('small', '', ' ' + joined([agent, timestamp && tellMoment(Date.parse(timestamp) * 1e3), ms !== undefined && tellDuration(ms * 1e3), usd !== undefined && tellCost(round(usd * 1e9)), status, at.replace(/^.*\//, '')], ' · '))), 20);
  return [put(make('details'), make('summary', '', `${tellCount(one.members.length)} steps in this summary`), ...list, hidden ? make('p', '', `${tellCount(hidden)} more: --expand ${idOf(row)}`) : '')];
}

/** @returns {HTMLElement} */
function detailButtons() {
  const path = press('path', togglePath, 'p');
  setPressed(path, pathOnly);
  return put(make('div', 'buttons'), path, press('copy Markdown', () => copyOut('markdown'), 'y'), press('copy JSON', () => copyOut('json'), 'Shift+y'));
}
/** @param {HTMLElement} box @param {number} row */
function drawDetails(box, row) {
  // The button that was pressed goes with the row that it belonged to.
  if (box.contains(document.activeElement)) box.focus();
  box.scrollTop = 0;
  box.replaceChildren();
  if (selectedLink >= 0) put(box, ...linkFacts(selectedLink));
  if (row < 0) return;
  const { causes, effects } = linksOf(row), chain = chainTo(row), two = secondRow >= 0, title = shortPaths(labelOf(row)), between = two ? [...marked(pathOf(row, secondRow))] : [];
  put(box, put(make('h2'), bdi(title, 1e3)), detailButtons(), put(make('dl'), ...factsOf(row).filter(({ key, text }) => key !== 'what' || text !== title).flatMap(({ key, text }) => [make('dt', '', titled(key)), put(make('dd'), key === 'at' ? shortPlace(text) : bdi(text, Infinity))])),
    ...membersBlock(row), ...storyBlock(row), ...section('Tools', toolsOf(row), toolItem), ...section(`Causes: ${causes.length}`, causes, (end) => linkItem(end, true)), ...section(`Effects: ${effects.length}`, effects, (end) => linkItem(end, false)),
    ...chainList('Between the two selected calls', between), two && !between.length ? make('p', 'soft', 'No chain connects the two selected calls.') : '',
    ...chain.length > 2 ? chainList(`Chain of causes: ${chain.length} steps`, chain) : []);
  // Only large pages may hold texts.
  if (typeof saidBlock === 'function') saidBlock(row).then((texts) => { if (selectedRow === row) put(box, ...texts); }, (why) => put(box, make('p', 'bad', `The texts cannot be read: ${why}`)));
}

/** @param {HTMLElement} box */
function addDetails(box) {
  let drawn = '';
  always.push(() => {
    $('app').classList.toggle('bare', selectedRow < 0 && selectedLink < 0);
    const now = `${selectedRow} ${secondRow} ${selectedLink}`;
    if (now !== drawn) { drawn = now; drawDetails(box, selectedRow); }
    const path = box.querySelector('[aria-pressed]');
    if (path instanceof HTMLElement) setPressed(path, pathOnly);
  });
}
