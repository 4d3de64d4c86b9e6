// The steps of a query, and why a node came about.

// Tokens in are all that were sent, here as elsewhere.
/** @param {any} step */
function sentWith(step) {
  const { metrics = {} } = step, { tokens_in: fresh, tokens_cache_read: read = 0, tokens_cache_creation: written = 0 } = metrics;
  return { ...step, metrics: { ...metrics, ...fresh >= 0 && { tokens_in: fresh + read + written } }, low_output_calls: metrics.output_is_low ? 1 : 0 };
}
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const stepParts = ({ answer: words, steps = [], traces = [], ...rest }) => [...typeof words === 'string' ? textBlock(String(rest.question ?? 'Reply'), words.trim()) : [],
  ...steps.length ? tableOf(steps.map(sentWith), ['order', 'node', 'did', 'what', 'agent', 'turn', 'status', 'failed', 'latency_ms', 'duration_ms', 'tokens_in', 'tokens_out', 'cost_usd', 'evidenceRefs', 'text', 'at']) : [], ...restOf(rest), ...traces.flatMap(stepParts)];
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
