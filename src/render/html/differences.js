// What became of one run in another: the steps of both side by side, and both upon one axis of time.

const CHANGE_SIGNS = new Map([['changed', '~'], ['added', '+'], ['removed', '−']]), CHANGES = ['equal', ...CHANGE_SIGNS.keys()];

// Rows of the older run by their places; like those of the new one.
/** @type {Map<string, number> | null} */
let oldAtPlace = null;
/** @param {any} step @returns {number} the row of the older run, -1: it has none */
function oldRowNamed({ old_id: id, old_at: at }) {
  // An id that the new run has too has a number behind it.
  for (let copy = 1; id && copy < 9; copy++) { const row = rowOf(copy > 1 ? `${id}~${copy}` : id); if (isOld(row)) return row; }
  if (!oldAtPlace) { oldAtPlace = new Map(); for (let r = N - 1; isOld(r); r--) oldAtPlace.set(placeOf(r), r); }
  return oldAtPlace.get(at) ?? -1;
}
/** @param {any} step */
function rowOfStep(step) {
  const row = rowNamed(step);
  return row < 0 ? oldRowNamed(step) : row;
}

// Moves the older run so that both part at the same moment; where one of them has no such step, both are at one where they last were at the same.
function alignRuns() {
  const { first_divergence: first = {}, steps = [], figures = [] } = head.answer, { start, timed } = col;
  oldRow = col.lane_old ? col.lane.findIndex((/** @type {number} */ lane) => col.lane_old[lane] > 0) : -1;
  if (oldRow < 0) { oldRow = Infinity; return; }
  fates = u8(N);
  for (const step of [...figures, ...steps]) {
    const now = rowNamed(step), old = oldRowNamed(step), fate = max(0, CHANGES.indexOf(step.state));
    for (const row of [now, old]) if (row >= 0) fates[row] = fate;
    if (now >= 0 && old >= 0) { twins.set(now, old); twins.set(old, now); }
  }
  partedRow = rowOfStep(first);
  const isPair = (/** @type {number} */ now) => !isOld(now) && timed[now] > 0 && timed[twins.get(now) ?? now] > 0;
  const beginOf = (/** @type {boolean} */ old) => {
    let least = Infinity;
    for (let r = 0; r < N; r++) if (timed[r] && isOld(r) === old) least = min(least, start[r]);
    return least;
  };
  const [, now, old] = [...twins].filter(([row]) => isPair(row)).reduce((best, [row, twin]) => {
    // The nearest before the step in which they part, which may be that itself.
    const at = isOld(partedRow) ? start[partedRow] - start[twin] : start[partedRow] - start[row];
    return at >= 0 && at < best[0] ? [at, start[row], start[twin]] : best;
  }, [Infinity, beginOf(false), beginOf(true)]);
  movedBy = now - old;
  if (!Number.isFinite(movedBy)) movedBy = 0;
  began = [beginOf(true), beginOf(false)].map((tick) => Number.isFinite(tick) ? tellTime(epochUs + tick * tickUs, true).slice(0, 16) : '?').join(' → ');
  for (let r = oldRow; r < N; r++) start[r] += movedBy;
  const begin = min(beginOf(false), beginOf(true));
  lastTick = 1;
  for (let r = 0; r < N; r++) { start[r] = timed[r] ? start[r] - begin : 0; if (timed[r]) lastTick = max(lastTick, start[r] + ticksOf(r)); }
  epochUs += Number.isFinite(begin) ? begin * tickUs : 0;
  HUE_OF.change = (r) => fates[r];
  HUE_NAMES.change = CHANGES;
}
// The head tells of both runs.
/** @param {Figure} figure @returns {boolean} did it? */
function compareFigures(figure) {
  const { old, new: now, steps } = head.answer, runs = [old, now];
  if (!now) return false;
  runs.forEach((run, k) => {
    const [from, to] = k ? [0, min(N, oldRow)] : [min(N, oldRow), N], count = (/** @type {number} */ flag) => howMany(col.flags.subarray(from, to), (flags) => (flags & flag) > 0);
    Object.assign(run, { tool_errors: howMany(col.t_error.subarray(toolFirst[from], toolFirst[to]), Boolean), low_output_calls: count(LOW_OUTPUT), unpriced_calls: count(COSTS_MORE) });
  });
  for (const [key, name] of [['cost_usd', 'cost'], ['steps', 'steps'], ['errors', 'failed'], ['tool_errors', 'tool errors'], ['elapsed_ms', 'elapsed']])
    if (runs.some((run) => run[key] !== undefined && (run[key] || key !== 'tool_errors'))) figure(runs.map((run) => tellIn(run, key) || '?').join(' → '), name, /errors/.test(key) && now[key] > (old[key] ?? 0));
  figure(steps.length, 'differences');
  return true;
}

const differences = { rows: /** @type {{part: any, line: HTMLElement}[]} */ ([]), at: -1, more: /** @type {HTMLElement | undefined} */ (undefined) };
/** @param {number} step 1 or -1 */
function nextDifference(step) {
  const { rows, at, more } = differences;
  if (!rows.length) return;
  if (rows[at]) rows[at].line.ariaCurrent = null;
  if (at + step === rows.length && more?.isConnected) more.click();
  differences.at = at < 0 ? 0 : (at + step + rows.length) % rows.length;
  const { part, line } = rows[differences.at];
  line.ariaCurrent = 'true';
  // The first one is chosen by the page, which opens at its top.
  if (at >= 0) line.scrollIntoView({ block: 'nearest' });
  line.closest('.scroll')?.scrollTo({ left: 0 });
  select(rowOfStep(part));
}
/** @param {any} step @param {'' | 'old_'} side */
const diffCell = (step, side) => step[side + 'step'] ? put(make('td'), put(make('div', 'step'), `${step[side + 'step']} `, callLink(step, side && step.old_what || step.what, side ? oldRowNamed(step) : rowNamed(step))), put(make('small', 'soft'), shortPlace(step[side + 'at'] ?? ''))) : make('td');
/** @param {any} step @returns {HTMLElement} */
function diffLine(step) {
  const what = make('td'), line = put(make('tr', step.state), put(make('td', 'sign', CHANGE_SIGNS.get(step.state) ?? '?'), make('span', 'unseen', step.state)), diffCell(step, 'old_'), diffCell(step, ''), what);
  for (const { field, old, new: now } of step.changes ?? []) put(what, put(make('p'), bdi(field), ...old === undefined && now === undefined ? [' differs'] : [': ', bdi(tell(field, old)), ' → ', bdi(tell(field, now))]));
  if (!step.changes) put(what, bdi((step.differs ?? []).join(', ')));
  if (step.follows) put(what, make('p', 'soft', 'follows from an earlier difference'));
  differences.rows.push({ part: step, line });
  return line;
}
// Steps of both runs side by side; between differences, how many are equal.
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
function diffParts({ steps = [], first_divergence: first, old = {}, new: now = {}, delta = {}, ...rest }) {
  const body = make('tbody'), all = /** @type {any[]} */ ([]);
  let last = 0;
  /** @param {number} before a step of the new run */
  const equalTo = (before) => { if (before - last > 1) all.push(before - last - 1); last = before; };
  for (const step of steps) { if (step.step) equalTo(step.step); all.push(step); }
  equalTo((now.steps ?? 0) + 1);
  [, differences.more] = listOf(body, all, (one) => typeof one === 'number' ? put(make('tr', 'soft'), make('td', 'sign', '='), make('td', '', `${tellCount(one)} equal`), make('td'), make('td')) : diffLine(one), 12);
  return [make('h3', '', tellName(first?.summary ?? (rest.equal ? 'Both runs are equal' : 'The runs differ'), 1000)), titledTable([put(make('th'), make('span', 'unseen', 'state')), ...['old', 'new', 'what differs'].map(titleCell)], body, 'wide diff'),
    ...differences.more ? [differences.more] : [], ...tableOf([{ run: 'old', ...old }, { run: 'new', ...now }, { run: 'difference', ...delta, ...(old.unpriced_calls || now.unpriced_calls) && { cost_usd: null, tokens_out: null } }], ['run', ...Object.keys({ ...old, ...now }).filter((key) => !/calls$/.test(key))]), ...restOf(rest)];
}
ANSWERS.set('diff', {
  title: 'Differences', parts: diffParts, figures: compareFigures, before: alignRuns, then: () => { if (selectedRow < 0) nextDifference(1); }, count: ({ steps = [] }) => ({ differences: steps.length }),
  key: ({ key }) => { const own = differences.rows.length > 0 && /^d$/i.test(key); if (own) nextDifference(key === 'd' ? 1 : -1); return own; },
});
