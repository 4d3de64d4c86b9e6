// What suites and baselines judged: failed first, each with its evidence.

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
FIRST_ANSWERS.set('assess', { title: 'Verdicts', parts: verdictParts, count: (answer) => ({ verdicts: verdictsOf(answer).length }) });
