// What was paid for and where the time went, as bars.

/** @param {string} title @param {any[]} parts @param {string | ((part: any) => string)} label @param {string} key @param {(part: any) => string} [more] behind the number @returns {HTMLElement[]} */
function barsOf(title, parts, label, key, more = () => '') {
  const some = parts.filter((part) => part[key] > 0), most = Math.max(...some.map((part) => part[key]));
  return section(title, some, (part) => {
    const bar = make('i'), li = item(callLink(part, typeof label === 'string' ? titled(String(part[label])) : label(part)), bar, make('span', 'n', tellIn(part, key) + more(part)));
    li.className = 'measure';
    bar.style.width = 100 * part[key] / most + '%';
    return li;
  }, 40);
}
// How much was sent with each call of the agent that made most of them.
/** @returns {HTMLElement[]} */
function contextPart() {
  const many = new Uint32Array(col.lane_agent.length);
  for (const lane of col.lane) many[lane]++;
  const lane = many.indexOf(many.reduce((a, b) => Math.max(a, b), 0)), sent = [];
  for (let r = 0; r < N; r++) if (col.lane[r] === lane && col.in[r]) sent.push(col.in[r] - 1);
  const most = sent.reduce((a, b) => Math.max(a, b), 1);
  if (sent.length < 2) return [];
  let d = 'M0 80';
  for (let k = 0; k < sent.length; k += Math.max(1, sent.length / 600)) d += `L${(600 * k / (sent.length - 1)).toFixed(1)} ${(80 - 76 * sent[Math.floor(k)] / most).toFixed(1)}`;
  const told = `Tokens sent with each of ${tellCount(sent.length)} calls, ${tellCount(most)} at most: `, picture = sketch('svg', 'context', { role: 'img', viewBox: '0 0 600 80', 'aria-label': told });
  return [put(make('h3', '', told), bdi(strings[col.lane_agent[lane]], 40)), put(make('div'), put(picture, makeSvg('path', { d: d + 'L600 80Z' }), ...[[2, 14, tellCount(most)], [2, 78, '0'], [600, 78, `call ${tellCount(sent.length)}`]].map(([x, y, text]) => sketch('text', 'number', { x, y, 'text-anchor': x ? x > 2 ? 'end' : 'start' : '' }, String(text)))))];
}
// Why a call was expensive, as the text says it.
/** @param {any} call @param {any[]} [rebuilds] of caches, with their causes */
function tellReason({ why = '', tokens, at }, rebuilds = []) {
  const many = tokens?.[why === 'new_context' ? 'cache_creation' : why === 'long_context' ? 'cache_read' : ''], cause = rebuilds.find((one) => one.at === at)?.cause;
  return tellName(titled(why) + (many ? ` of ${tellCount(many)} tokens` : cause ? ` by ${titled(cause)}` : ''));
}
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
function statsParts({ time = {}, bill = [], turns = [], tools = [], waits = [], expensive_calls: dear = [], ...rest }) {
  const times = Object.entries(time).filter(([key]) => key !== 'total_ms').map(([kind, all_ms]) => ({ kind, all_ms }));
  return [...barsOf('Where the time went', times, 'kind', 'all_ms'), ...barsOf('The bill', bill, 'kind', 'cost_usd', ({ tokens }) => `, ${tellCount(tokens)} tokens`), ...barsOf('Cost by turn', turns, 'turn', 'cost_usd'),
    ...barsOf('Tokens by turn', turns.map((/** @type {any} */ t) => ({ ...t, tokens: t.tokens?.total })), 'turn', 'tokens'), ...contextPart(), ...barsOf('Most expensive calls', dear, (part) => `${part.turn ?? ''} ${part.agent ?? ''} ${rowNamed(part) < 0 ? '' : shortPaths(labelOf(rowNamed(part)))}`.trim() || part.call, 'cost_usd', (part) => ', ' + tellReason(part, rest.cache_rebuilds)),
    ...barsOf('Tools', tools, 'name', 'uses', ({ errors }) => errors ? `, ! ${errors} failed` : ''), ...barsOf('Longest waits', waits, 'for', 'duration_ms', ({ turn = '', tool = '' }) => ' ' + tellName(`${tool} ${turn}`.trim())), ...restOf(rest)];
}
ANSWERS.set('stats', { title: 'Figures', parts: statsParts });
