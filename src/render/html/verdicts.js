// What suites and baselines judged: scenarios and runs, failed first, each with its checks and their evidence.

/** @typedef {{status: string, rule: string, message: string, at: string, evidence: any[], spans: string[]}} Verdict */
/** @typedef {{status: string, name: string, score: string, at: string, note: string, verdicts: Verdict[], trials: Judged[]}} Judged */
const VERDICT_SIGNS = new Map([['failed', '✗'], ['insufficient_evidence', '?'], ['passed', '✓']]), VERDICT_RANK = [...VERDICT_SIGNS.keys()];
/** @template {{status: string}} T @param {T[]} all @returns {T[]} failed first */
const failedFirst = (all) => all.sort((a, b) => VERDICT_RANK.indexOf(a.status) - VERDICT_RANK.indexOf(b.status));
/** @param {any} v @returns {Verdict} */
const verdictOf = (v) => ({ status: v.status ?? 'failed', rule: `${v.weight && !v.status ? `+${v.weight} ` : ''}${titled(v.rule ?? v.alignment)}${v.status ? ' ' + (v.score?.toFixed(2) ?? '') : ''}`, message: v.message ?? v.detail ?? '', at: v.expected_at ?? '', evidence: v.evidence ?? [], spans: v.span_ids ?? [] });
/** @param {any} s a scenario, or a trial of one @param {string} name @returns {Judged} */
function judgedOf(s, name) {
  const { trials } = s, rate = trials && `${trials.passed} of ${trials.list.length} trials passed; pass rate ${trials.pass_rate?.toFixed(2)}${trials.flaky ? '; flaky' : ''}`;
  return { name, status: s.status, score: s.score?.toFixed(2) ?? '', at: s.written_at ?? '', note: joined([s.message ?? s.description, rate], '; '), verdicts: failedFirst((s.verdicts ?? []).map(verdictOf)),
    trials: failedFirst((trials?.list ?? []).map((/** @type {any} */ t) => judgedOf(t, `${trials.each} ${t.trial}`))) };
}
/** @param {Record<string, any>} answer @returns {Judged[]} failed first */
function allJudged({ scenarios, runs = [], reasons = [], alignment = [] }) {
  return failedFirst(scenarios ? scenarios.map((/** @type {any} */ s) => judgedOf(s, s.id)) : runs.map((/** @type {any} */ { run, status, score, level, at }) => ({ name: 'run ' + run, status, score: `${score} ${level}`, at, note: '', trials: [],
    verdicts: [...reasons, ...alignment.filter((/** @type {any} */ a) => a.evidence)].filter((part) => part.run === run).map(verdictOf) })));
}
/** @param {Judged[]} all @returns {number} */
const countVerdicts = (all) => all.reduce((sum, { verdicts, trials }) => sum + (verdicts.length || !trials.length ? max(1, verdicts.length) : 0) + countVerdicts(trials), 0);
/** @param {string} status @param {string} name */
const signOf = (status, name) => put(make('b', status === 'failed' ? 'bad' : ''), VERDICT_SIGNS.get(status) ?? '?', make('span', 'unseen', titled(status)), ' ', bdi(name));
/** @param {Verdict} verdict */
function verdictItem({ status, rule, message, at, evidence }) {
  return put(make('li', 'verdict'), signOf(status, rule), put(make('p'), bdi(message, 2000)), ...listOf(evidence.length > 1 ? make('ol', 'why') : make('ul', 'plain why'), evidence, (part) => item(callLink(part, part.what || part.id || part.at)), status === 'passed' ? 8 : Infinity),
    at ? put(make('p', 'why', 'expected at '), shortPlace(at)) : '');
}
/** @template T @param {T[]} all @param {(one: T) => HTMLElement} draw */
const listJudged = (all, draw) => all.length ? listOf(make('ul', 'plain'), all, draw, 30) : [];
// Its checks that did not pass are in view; those that did are folded.
/** @param {Judged} judged @returns {HTMLElement} */
function judgedItem({ status, name, score, at, note, verdicts, trials }) {
  const bad = (/** @type {{status: string}} */ v) => v.status !== 'passed', good = verdicts.filter((v) => !bad(v)), passed = trials.filter((t) => !bad(t)), lists = (/** @type {Verdict[]} */ vs, /** @type {Judged[]} */ ts) => [...listJudged(vs, verdictItem), ...listJudged(ts, judgedItem)];
  return put(make('li', 'verdict'), signOf(status, name), ` ${score} `, put(make('small', 'soft'), shortPlace(at)), put(make('p'), bdi(note, 2000)), ...lists(verdicts.filter(bad), trials.filter(bad)),
    ...good.length || passed.length ? [foldedPart(joined([good.length && tellMany(good.length, 'check'), passed.length && tellMany(passed.length, 'trial')], ', ') + ' passed', () => lists(good, passed))] : []);
}
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
function verdictParts(answer) {
  const { scenarios, reasons, runs, ...rest } = answer, all = allJudged(answer), many = VERDICT_RANK.map((status) => `${VERDICT_SIGNS.get(status)} ${all.filter((v) => v.status === status).length} ${titled(status)}`);
  return [make('h3', '', `${tellMany(all.length, scenarios ? 'scenario' : 'run')}: ${many.join(', ')}`), ...listJudged(all, judgedItem), ...restOf(rest)];
}
/** @param {Judged[]} all @returns {any[]} what proves that they failed */
const proofOf = (all) => all.flatMap(({ verdicts, trials }) => [...verdicts.flatMap(({ status, evidence, spans }) => status === 'passed' ? [] : [...evidence, ...spans.map((id) => ({ id }))]), ...proofOf(trials)]);
ANSWERS.set('assess', { title: 'Verdicts', parts: verdictParts, before: () => ownParts(proofOf(allJudged(head.answer))), count: (answer) => ({ verdicts: countVerdicts(allJudged(answer)) }) });
