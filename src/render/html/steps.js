// The steps of a query, and why a node came about.

/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const stepParts = ({ answer: words, steps = [], traces = [], ...rest }) => [...typeof words === 'string' ? textBlock(String(rest.question ?? 'Answer'), words.trim()) : [],
  ...steps.length ? tableOf(steps, ['order', 'node', 'did', 'what', 'agent', 'turn', 'status', 'failed', 'latency_ms', 'duration_ms', 'tokens_in', 'tokens_out', 'cost_usd', 'evidenceRefs', 'text', 'at']) : [], ...restOf(rest), ...traces.flatMap(stepParts)];
for (const kind of ['trace', 'explain']) LATER_ANSWERS.set(kind, { title: 'Steps', parts: stepParts, before: () => { ownRows = (head.answer.steps ?? []).map((/** @type {any} */ step) => rowNamed(step)).filter((/** @type {number} */ row) => row >= 0); } });
