// The steps of a query, and why a node came about.

// Tokens in are all that were sent, here as elsewhere.
/** @param {any} step */
function sentWith(step) {
  const { metrics = {} } = step, { tokens_in: fresh, tokens_cache_read: read = 0, tokens_cache_creation: written = 0 } = metrics;
  return { ...step, metrics: { ...metrics, ...fresh >= 0 && { tokens_in: fresh + read + written } }, low_output_calls: metrics.output_is_low ? 1 : 0 };
}
// Of what `explain` lists, the words of its text.
/** @type {Record<string, string>} */
const DEEDS = { told: 'was given a prompt', 'went on': 'continued; no prompt logged', asked: 'called the model', answered: 'replied' };
// A tool and its target are not broken apart, however narrow a column is.
/** @param {string} label */
const inOneLine = (label) => label.replace(/ …/g, '\u00a0…');
/** @param {any} step @returns {string} what was done, or the tools and targets of the call */
function doneIn({ did, tool, what = '', text = '', ...step }) {
  if (!did) { const row = rowNamed(step); return row < 0 ? String(step.node ?? '') : inOneLine(shortPaths(labelOf(row))); }
  const said = text && typeof text === 'string' ? ` “${text.replace(/\s+/g, ' ').slice(0, 200)}”` : '';
  return tool ? `${did} ${shortPaths(what)}` : (said && did === 'told' ? 'was asked' : DEEDS[did] ?? did) + said;
}
/** @param {any} ref a result that a call was given */
const usedIn = ({ type, tool = '', doc_id: target = '', is_error: failed }) => joined([type !== 'tool_result' && titled(type), tool, shortPaths(String(target)), failed && '(error)'], '\u00a0');
// A line each, with the columns of the text.
/** @param {any} step */
function stepLine(step) {
  const row = rowNamed(step), { order, node = '', agent = row >= 0 && labelOf(row).endsWith(node) ? agentOf(row) : node, turn, start, timestamp = start, status, failed, evidenceRefs: used = [], at, latency_ms, duration_ms = latency_ms, did, text, ...ids } = step, { metrics, low_output_calls } = sentWith(step), { tokens_in, tokens_out, cost_usd } = metrics;
  return { ...ids, order, start: timestamp && tellMoment(Date.parse(timestamp) * 1000), turn, agent, what: doneIn(step), status: joined([status !== 'ok' && status, failed && '! failed'], ', '), duration_ms: duration_ms ?? metrics.latency_ms, tokens_in, tokens_out, cost_usd, low_output_calls, used: used.map(usedIn), ...!did && text && { text }, at: at && String(at).replace(/^.*\//, '') };
}
const STEP_COLUMNS = ['order', 'start', 'turn', 'agent', 'what', 'status', 'duration_ms', 'tokens_in', 'tokens_out', 'cost_usd', 'used', 'text', 'at'];
/** @param {any[]} steps @returns {HTMLElement[]} */
function stepTable(steps) {
  const lines = steps.map(stepLine);
  return lines.length ? tableOf(lines, STEP_COLUMNS.filter((key) => lines.some((/** @type {any} */ { [key]: value = '' }) => value !== '' && value.length !== 0))) : [];
}
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const stepParts = ({ answer: words, question, target, steps = [], traces = [], ...rest }) => [...question ? [make('h3', '', String(question))] : [], ...typeof words === 'string' ? words.trim().split('\n').map((line) => put(make('p'), bdi(line, 1000))) : [],
  ...stepTable(steps), ...restOf(rest), ...traces.flatMap(stepParts)];
// The head tells of what was asked for, beside the size of the log.
/** @param {Figure} figure @param {number} recorded */
function stepFigures(figure, recorded) {
  const { metrics, agent, target = '' } = head.answer, row = rowOf(target), some = metrics ? { ...metrics, calls: metrics.steps, cost_usd: metrics.total_cost_usd, duration_ms: metrics.wall_ms ?? metrics.total_latency_ms }
    : agent ?? (row < 0 ? {} : { calls: 1, cost_usd: (known('cost', row) ?? NaN) / 1e9, duration_ms: (durationOf(row) ?? NaN) / 1e3 });
  const isMore = metrics ? metrics.low_output_steps || metrics.unpriced_steps || metrics.partly_priced_steps : col.flags.some((/** @type {number} */ flags, /** @type {number} */ r) => flags & COSTS_MORE && (agent ? agentOf(r) === agent.name : r === row));
  if (!metrics && !target) return false;
  if (some.cost_usd >= 0) figure(atLeast(isMore, tell('usd', some.cost_usd)), 'cost');
  if (some.calls) figure(some.calls, metrics ? 'steps' : 'calls');
  if (some.failed) figure(some.failed, 'failed', 1);
  if (some.duration_ms >= 0) figure(tell('ms', some.duration_ms), 'elapsed');
  figure((some.calls ? 'of ' : '') + tellCount(recorded), 'calls in the log');
  return true;
}
for (const kind of ['trace', 'explain']) ANSWERS.set(kind, { title: 'Steps', parts: stepParts, figures: stepFigures, before: () => ownParts(head.answer.steps ?? []) });
