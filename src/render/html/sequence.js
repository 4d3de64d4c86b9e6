// Through whose hands it passed, as a sequence.

// Who calls where that is not on record.
const LIFE_GAP = 150, HOP_HEIGHT = 30, NOBODY = 'unknown';
// Hops in the order of time: a line for each actor, an arrow for each hop.
/** @param {any[]} hops @returns {HTMLElement} */
function sequence(hops) {
  const names = [...new Set(hops.flatMap(({ source, target }) => [source ?? NOBODY, target]))].slice(0, 30), width = names.length * LIFE_GAP, height = 48 + hops.length * HOP_HEIGHT;
  const picture = pictureOf(width, height, 'Calls between actors in order of time; the table below has the same data'), middle = (/** @type {string} */ name) => names.indexOf(name) * LIFE_GAP + LIFE_GAP / 2;
  for (const name of names) put(picture, sketch('path', 'life', { d: `M${middle(name)} 30V${height}` }), makeSvg('text', { x: middle(name), y: 20, 'text-anchor': 'middle' }, fitted(shortPaths(name.replace(/^resource:/, '')), LIFE_GAP - 10)));
  hops.forEach(({ source, target, step, occurrences, confidence, errors }, k) => {
    const x = middle(source ?? NOBODY), to = middle(target), y = 58 + k * HOP_HEIGHT, way = Math.sign(to - x), guess = confidence < 0.95;
    if (x < 0 || to < 0) return;
    put(picture, sketch('path', `link own${guess ? ' guess' : ''}${errors ? ' failed' : ''}`, { d: way ? `M${x} ${y}H${to}m${-7 * way} -4l${7 * way} 4l${-7 * way} 4` : `M${x} ${y - 6}h24v10h-24` }),
      sketch('text', 'number', { x: x + way * 10, y: y - 5, 'text-anchor': way < 0 ? 'end' : 'start' }, `${step}${occurrences > 1 ? ` ×${occurrences}` : ''}${guess ? ` ${confidence.toFixed(2)}` : ''}${errors ? ` ! ${errors} failed` : ''}`));
  });
  return scrolled('Sequence', picture);
}
// A hop as a line of the table: when, and its rule in words; of files the names.
/** @param {any} hop */
const hopLine = ({ start_ts: start = null, hop_kind, method = '', errors, at = [], ...hop }) => ({ ...hop, start: tellMoment(start), hop_kind: titled(hop_kind ?? ''), status: errors ? `! ${tellMany(errors, 'error')}` : '', method: ruleOf(method), at: [at].flat().map((one) => String(one).replace(/^.*\//, '')) });
const HOP_COLUMNS = ['step', 'start', 'source', 'target', 'hop_kind', 'occurrences', 'status', 'span_duration_us', 'confidence', 'method', 'causal_path', 'at'];
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const trustParts = ({ trust_chain: chain = [], ...rest }) => [...chain.length ? [sequence(chain.slice(0, 100)), ...chain.length > 100 ? [make('p', 'soft', `100 of ${chain.length} hops shown`)] : [],
  ...tableOf(chain.map(hopLine), HOP_COLUMNS.filter((key) => key !== 'status' || chain.some((/** @type {any} */ { errors }) => errors)))] : [], ...restOf(rest)];
ANSWERS.set('trust', { title: 'Sequence', parts: trustParts, figures: (figure) => {
  const { trust_chain: chain, principal, agents_involved: agents, resources_accessed: reached } = head.answer, failed = chain.filter((/** @type {any} */ hop) => hop.errors).length;
  if (principal) figure(tellName(principal, 60), 'principal');
  figure(chain.length, 'hops');
  figure(agents.length, 'agents');
  figure(reached.length, 'resources');
  figure(failed, 'failed', failed);
  if (byTime.length) figure(tellDuration(lastTick * tickUs), 'elapsed');
  return true;
} });
