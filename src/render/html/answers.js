// What an answer says beside its calls: figures, verdicts, differences, steps. Each names its calls and opens them.

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
  if (typeof value === 'object') return Object.entries(value).map(([k, v]) => tell(k, v)).join(' ');
  if (typeof value !== 'number') return String(value);
  const unit = /(usd|ts|us|ms|share|rate)$/.exec(key)?.[0];
  return unit === 'usd' ? tellCost(value * 1e9) : unit === 'ts' ? tellTime(value) : unit === 'us' ? tellDuration(value) : unit === 'ms' ? tellDuration(value * 1000)
    : unit ? (value * 100).toFixed(1) + ' %' : Number.isInteger(value) ? tellCount(value) : String(value);
}
/** @param {any} value */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** @param {any} value */
const isTable = (value) => Array.isArray(value) && isRecord(value[0]);

/** @param {(string | Node)[]} titles @param {HTMLElement} body @param {string} [look] */
const titledTable = (titles, body, look = 'wide') => put(make('table', look), put(make('thead'), put(make('tr'), ...titles.map((title) => put(make('th'), title)))), body);
// Any list of records: a column each field, those of the fields' fields among them.
/** @param {any[]} rows @param {string[]} [wanted] the fields to show, in this order @returns {HTMLElement[]} */
function tableOf(rows, wanted) {
  const flat = rows.map((row) => new Map(Object.entries(row).flatMap(([key, value]) => isRecord(value) ? Object.entries(value) : [[key, value]]))), all = new Set(flat.slice(0, 50).flatMap((row) => [...row.keys()]));
  const keys = wanted ? wanted.filter((key) => all.has(key)) : [...all].slice(0, 9), body = make('tbody'), name = keys.find((key) => typeof flat[0].get(key) === 'string');
  const [, more] = listOf(body, rows, (row) => {
    const values = flat[rows.indexOf(row)];
    return put(make('tr'), ...keys.map((key) => { const value = values.get(key), text = tell(key, value); return put(make('td', typeof value === 'number' ? 'n' : ''), key === name ? callLink(row, text) : bdi(text)); }));
  }, 10);
  return [titledTable(keys.map((key) => bdi(titled(key), 40)), body), ...more ? [more] : []];
}
// Made when it is opened: a page of any answer stays small.
/** @param {string} title @param {any[]} rows */
function foldedTable(title, rows) {
  const part = put(make('details'), put(make('summary'), bdi(title)));
  listen(part, 'toggle', () => { if (part.childElementCount === 1) part.append(...tableOf(rows)); });
  part.open = rows.length < 8 && head.kind !== 'stats';
  return part;
}
const NOT_TOLD = new Set(['schema', 'generator', 'level', 'inputs', 'warnings', 'filtered', 'redactions', 'field_descriptions', 'reproduction', 'equal']);
// All of an answer that has no picture of its own.
/** @param {Record<string, any>} answer @param {string} [above] @returns {HTMLElement[]} */
function restOf(answer, above = '') {
  const facts = make('dl'), parts = [];
  for (const [key, value] of Object.entries(answer)) {
    const title = above + titled(key);
    if (NOT_TOLD.has(key)) continue;
    if (isTable(value)) parts.push(foldedTable(`${title}: ${value.length}`, value));
    else if (isRecord(value)) { if (Object.values(value).some(isTable)) parts.push(...restOf(value, title + ' ')); else if (Object.keys(value).length) parts.push(foldedTable(title, [value])); }
    else if (tell(key, value)) facts.append(make('dt', '', title), put(make('dd'), bdi(tell(key, value), 2000)));
  }
  return facts.firstChild ? [facts, ...parts] : parts;
}

/** @param {string} title @param {any[]} parts @param {string} label @param {string} key @param {(part: any) => string} [more] behind the number @returns {HTMLElement[]} */
function barsOf(title, parts, label, key, more = () => '') {
  const some = parts.filter((part) => part[key] > 0), most = Math.max(...some.map((part) => part[key]));
  return section(title, some, (part) => {
    const bar = make('i'), li = item(callLink(part, label === 'kind' ? titled(part.kind) : String(part[label])), bar, make('span', 'n', tell(key, part[key]) + more(part)));
    li.className = 'measure';
    bar.style.width = 100 * part[key] / most + '%';
    return li;
  });
}
// How much was sent with each call of the agent that made most of them.
/** @returns {HTMLElement[]} */
function contextPart() {
  const many = new Uint32Array(col.lane_agent.length);
  for (const lane of col.lane) many[lane]++;
  const lane = many.indexOf(many.reduce((a, b) => Math.max(a, b), 0)), sent = [];
  for (let r = 0; r < N; r++) if (col.lane[r] === lane && col.in[r]) sent.push(['in', 'cached', 'cache_write'].reduce((sum, column) => sum + (known(column, r) ?? 0), 0));
  const most = sent.reduce((a, b) => Math.max(a, b), 1);
  if (sent.length < 2) return [];
  let d = 'M0 80';
  for (let k = 0; k < sent.length; k += Math.max(1, sent.length / 600)) d += `L${(600 * k / (sent.length - 1)).toFixed(1)} ${(80 - 76 * sent[Math.floor(k)] / most).toFixed(1)}`;
  const told = `Tokens sent with each of ${tellCount(sent.length)} calls, ${tellCount(most)} at most: `, picture = sketch('svg', 'context', { role: 'img', viewBox: '0 0 600 80', 'aria-label': told });
  return [put(make('h3', '', told), bdi(strings[col.lane_agent[lane]], 40)), put(make('div'), put(picture, makeSvg('path', { d: d + 'L600 80Z' })))];
}
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
function statsParts({ time = {}, bill = [], turns = [], tools = [], waits = [], expensive_calls: dear = [], ...rest }) {
  const times = Object.entries(time).filter(([key]) => key !== 'total_ms').map(([kind, all_ms]) => ({ kind, all_ms }));
  return [...barsOf('Where the time went', times, 'kind', 'all_ms'), ...barsOf('The bill', bill, 'kind', 'cost_usd', ({ tokens }) => `, ${tellCount(tokens)} tokens`), ...barsOf('Cost by turn', turns, 'turn', 'cost_usd'),
    ...barsOf('Tokens by turn', turns.map((/** @type {any} */ t) => ({ ...t, tokens: t.tokens?.total })), 'turn', 'tokens'), ...contextPart(), ...barsOf('Most expensive calls', dear, 'call', 'cost_usd', ({ why = '' }) => ' ' + tellName(titled(why))),
    ...barsOf('Tools', tools, 'name', 'uses', ({ errors }) => errors ? `, ! ${errors} failed` : ''), ...barsOf('Longest waits', waits, 'for', 'duration_ms', ({ turn = '', tool = '' }) => ' ' + tellName(`${tool} ${turn}`.trim())), ...restOf(rest)];
}

/** @typedef {{status: string, rule: string, of: string, message: string, at: string, evidence: any[]}} Verdict */
const VERDICT_SIGNS = new Map([['failed', '✗'], ['insufficient_evidence', '?'], ['passed', '✓']]);
/** @param {Record<string, any>} answer @returns {Verdict[]} failed first */
function verdictsOf({ scenarios = [], reasons = [], runs = [] }) {
  /** @param {any} v @param {string} of @returns {Verdict} */
  const verdict = (v, of) => ({ of, status: v.status ?? 'failed', rule: v.rule ?? '', message: v.message ?? v.detail ?? `score ${v.score}`, at: v.expected_at ?? '', evidence: v.evidence ?? [] });
  const judged = scenarios.flatMap((/** @type {any} */ s) => [...s.message ? [s] : [], ...s.verdicts ?? [], ...(s.trials?.list ?? []).flatMap((/** @type {any} */ t) => t.verdicts ?? [])].map((v) => verdict(v, s.id)));
  const reasoned = [...reasons, ...runs.filter((/** @type {any} */ r) => r.status !== 'failed')].map((r) => verdict(r, r.run));
  const rank = [...VERDICT_SIGNS.keys()];
  return [...judged, ...reasoned].sort((a, b) => rank.indexOf(a.status) - rank.indexOf(b.status));
}
/** @param {Verdict} verdict */
function verdictItem({ status, rule, of, message, at, evidence }) {
  const proof = make('p', 'why'), title = put(make('b', status === 'failed' ? 'bad' : ''), VERDICT_SIGNS.get(status) ?? '?', make('span', 'unseen', titled(status)), ' ', bdi(titled(rule)));
  evidence.slice(0, 8).forEach((part, k) => proof.append(k ? ' → ' : '', callLink(part, part.what || part.id || part.at)));
  if (evidence.length > 8) proof.append(` and ${evidence.length - 8} more`);
  if (at) put(proof, ' expected at ', bdi(at));
  return put(make('li', 'verdict'), title, ' ', bdi(of), put(make('p'), bdi(message, 2000)), proof);
}
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
function verdictParts({ reasons, scenarios, ...rest }) {
  const verdicts = verdictsOf({ reasons, scenarios, ...rest }), many = [...VERDICT_SIGNS].map(([status, sign]) => `${sign} ${verdicts.filter((v) => v.status === status).length} ${titled(status)}`);
  return [make('h3', '', many.join(', ')), ...listOf(make('ul', 'plain'), verdicts, verdictItem, 30), ...restOf(rest), ...scenarios ? [foldedTable(`scenarios: ${scenarios.length}`, scenarios)] : []];
}

// What the hook tells of it: differences, or verdicts.
/** @param {Record<string, any>} answer */
function countAnswer(answer) {
  return head.kind === 'diff' ? { differences: (answer.steps ?? []).length } : answer.scenarios || head.kind === 'assess' ? { verdicts: verdictsOf(answer).length } : {};
}

// Who calls where that is not on record.
const LIFE_GAP = 150, HOP_HEIGHT = 30, NOBODY = 'unknown';
// Hops in the order of time: a line for each actor, an arrow for each hop.
/** @param {any[]} hops @returns {HTMLElement} */
function sequence(hops) {
  const names = [...new Set(hops.flatMap(({ source, target }) => [source ?? NOBODY, target]))].slice(0, 30), width = names.length * LIFE_GAP, height = 48 + hops.length * HOP_HEIGHT;
  const picture = pictureOf(width, height, 'Who called whom, in the order of time; the table below says the same'), middle = (/** @type {string} */ name) => names.indexOf(name) * LIFE_GAP + LIFE_GAP / 2;
  for (const name of names) put(picture, sketch('path', 'life', { d: `M${middle(name)} 30V${height}` }), makeSvg('text', { x: middle(name), y: 20, 'text-anchor': 'middle' }, fitted(name.replace(/^resource:/, ''), 19)));
  hops.forEach(({ source, target, step, occurrences, confidence, errors }, k) => {
    const x = middle(source ?? NOBODY), to = middle(target), y = 58 + k * HOP_HEIGHT, way = Math.sign(to - x), guess = confidence < 0.95;
    if (x < 0 || to < 0) return;
    put(picture, sketch('path', `link own${guess ? ' guess' : ''}${errors ? ' failed' : ''}`, { d: way ? `M${x} ${y}H${to}m${-7 * way} -4l${7 * way} 4l${-7 * way} 4` : `M${x} ${y - 6}h24v10h-24` }),
      sketch('text', 'number', { x: x + way * 10, y: y - 5, 'text-anchor': way < 0 ? 'end' : 'start' }, `${step}${occurrences > 1 ? ` ×${occurrences}` : ''}${guess ? ` ${confidence.toFixed(2)}` : ''}${errors ? ' ! failed' : ''}`));
  });
  return scrolled('Sequence', picture);
}
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const trustParts = ({ trust_chain: chain = [], ...rest }) => [...chain.length ? [sequence(chain.slice(0, 100)), ...chain.length > 100 ? [make('p', 'soft', `100 of ${chain.length} hops are drawn`)] : [],
  ...tableOf(chain, ['step', 'target', 'source', 'hop_kind', 'span_duration_us', 'confidence', 'method', 'causal_path', 'at'])] : [], ...restOf(rest)];
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const stepParts = ({ answer: words, steps = [], traces = [], ...rest }) => [...typeof words === 'string' ? textBlock(String(rest.question ?? 'Answer'), words.trim()) : [],
  ...steps.length ? tableOf(steps, ['order', 'node', 'did', 'what', 'agent', 'turn', 'status', 'failed', 'latency_ms', 'duration_ms', 'tokens_in', 'tokens_out', 'cost_usd', 'evidenceRefs', 'text', 'at']) : [], ...restOf(rest), ...traces.flatMap(stepParts)];

// Panes of answers; the first kinds come before the timeline.
/** @typedef {Map<string, [title: string, parts: (answer: Record<string, any>) => HTMLElement[]]>} AnswerPanes */
/** @type {AnswerPanes} */
const FIRST_ANSWERS = new Map([['diff', ['Differences', diffParts]], ['assess', ['Verdicts', verdictParts]], ['stats', ['Figures', statsParts]]]);
/** @type {AnswerPanes} */
const LATER_ANSWERS = new Map([['trust', ['Sequence', trustParts]], ['trace', ['Steps', stepParts]], ['explain', ['Steps', stepParts]]]);
/** @param {HTMLElement} box @param {AnswerPanes} kinds */
function addAnswer(box, kinds) {
  // What suites judged looks the same as what `assess` did.
  const found = kinds.get(head.answer.scenarios ? 'assess' : head.kind);
  if (!found) return;
  const [title, parts] = found, element = make('div', 'answer');
  // One Tab stop, whatever there is to open.
  Object.assign(element, { role: 'toolbar', ariaLabel: title, tabIndex: 0 });
  const draw = () => {
    // The calls stand below, so that one sees which is opened; both runs on one axis.
    for (const calls of kinds === FIRST_ANSWERS ? panes.filter(({ name }) => name === 'tree' || name === 'timeline' && isOld(N - 1)) : [])
      if (calls.element.hidden) { calls.element.hidden = false; calls.draw(); }
    if (element.firstChild) return;
    put(element, make('h2', '', title), ...parts(head.answer));
    if (selectedRow < 0) nextDifference(1);
    oneStop(element);
  };
  box.append(element);
  panes.push({ name: title.toLowerCase(), title, element, draw, spot: (row) => isOld(N - 1) ? spotOfMark(row) : null, key: ({ key }) => { const own = differences.rows.length > 0 && /^d$/i.test(key); if (own) nextDifference(key === 'd' ? 1 : -1); return own; } });
}
/** @param {HTMLElement} box */
const addAnswers = (box) => { if (head.kind === 'diff') alignRuns(); addAnswer(box, FIRST_ANSWERS); };
/** @param {HTMLElement} box */
const addLaterAnswers = (box) => addAnswer(box, LATER_ANSWERS);
