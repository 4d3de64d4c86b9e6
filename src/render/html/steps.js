// The steps of a query, and why a node came about.

// Tokens in are all that were sent, here as elsewhere.
/** @param {any} step */
function sentWith(step) {
  const { metrics = {} } = step, { tokens_in: fresh, tokens_cache_read: read = 0, tokens_cache_creation: written = 0 } = metrics, row = rowNamed(step);
  return { ...step, metrics: { ...metrics, ...fresh >= 0 && { tokens_in: fresh + read + written } }, low_output_calls: row < 0 ? 0 : col.flags[row] & FLAG.costsMore };
}
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const stepParts = ({ answer: words, steps = [], traces = [], ...rest }) => [...typeof words === 'string' ? textBlock(String(rest.question ?? 'Answer'), words.trim()) : [],
  ...steps.length ? tableOf(steps.map(sentWith), ['order', 'node', 'did', 'what', 'agent', 'turn', 'status', 'failed', 'latency_ms', 'duration_ms', 'tokens_in', 'tokens_out', 'cost_usd', 'evidenceRefs', 'text', 'at']) : [], ...restOf(rest), ...traces.flatMap(stepParts)];
for (const kind of ['trace', 'explain']) LATER_ANSWERS.set(kind, { title: 'Steps', parts: stepParts, before: () => { ownRows = (head.answer.steps ?? []).map((/** @type {any} */ step) => rowNamed(step)).filter((/** @type {number} */ row) => row >= 0); } });
