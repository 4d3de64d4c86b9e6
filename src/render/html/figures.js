// What was paid for and where the time went, as bars.

/** @param {string} title @param {any[]} parts @param {(part: any) => string} label @param {string} key @param {(part: any) => string} [more] behind the number @returns {HTMLElement[]} */
function barsOf(title, parts, label, key, more = () => '') {
  const some = parts.filter((part) => part[key] > 0), most = Math.max(...some.map((part) => part[key]));
  return section(title, some, (part) => {
    const bar = make('i'), li = item(callLink(part, label(part)), bar, make('span', 'n', tellIn(part, key) + more(part)));
    li.className = 'measure';
    bar.style.width = 100 * part[key] / most + '%';
    return li;
  }, 40);
}
// How much was sent with each call of an agent, below the most that its last model takes; in the order of the timeline.
/** @param {any[]} models @returns {HTMLElement[]} */
function contextPart(models) {
  const /** @type {number[][]} */ lanes = [];
  for (let r = 0; r < N; r++) if (col.in[r]) (lanes[col.lane[r]] ??= []).push(r);
  return section('Tokens sent with each call of an agent', lanes.filter((rows) => rows.length > 1), (rows) => {
    const sent = rows.map((r) => col.in[r] - 1), most = sent.reduce((a, b) => Math.max(a, b), 1), room = models.find(({ name }) => name === textOf('model', rows[rows.length - 1]))?.context?.limit ?? 0, top = Math.max(most, room);
    const calls = 'call ' + tellCount(rows.length), told = tellCount(most) + ' tokens at most', picture = sketch('svg', 'context', { role: 'img', viewBox: '0 0 600 114', 'aria-label': told });
    const y = (/** @type {number} */ tokens) => (96 - 80 * tokens / top).toFixed(1);
    let d = 'M0 96';
    for (let k = 0; k < sent.length; k += Math.max(1, sent.length / 600)) d += `L${(600 * k / (sent.length - 1)).toFixed(1)} ${y(sent[Math.floor(k)])}`;
    put(picture, makeSvg('path', { d: d + 'L600 96Z' }), sketch('path', 'life', { d: 'M0 16H600' }));
    for (const [x, at, text] of [[0, 12, tellCount(top) + (top === room ? ' tokens: context window' : ' tokens')], [0, 110, 'call 1'], [600, 110, calls]]) put(picture, sketch('text', 'number', { x, y: at, 'text-anchor': x ? 'end' : 'start' }, String(text)));
    return item(bdi(agentOf(rows[0]), 40), ': ' + told, picture);
  }, 2);
}
// Why a call was expensive, as the text says it.
/** @param {{why?: string, tokens?: any, at?: string}} call @param {any[]} [rebuilds] of caches, with their causes */
function tellReason({ why = '', tokens, at }, rebuilds = []) {
  const many = tokens?.[{ new_context: 'cache_creation', long_context: 'cache_read' }[why] ?? ''], cause = rebuilds.find((one) => one.at === at)?.cause;
  return tellName(titled(why) + (many ? ` of ${tellCount(many)} tokens` : cause ? ` by ${titled(cause)}` : ''));
}
// What is waited for, as the text says it.
/** @type {Record<string, string>} */
const WAITED = { person: 'for you', permission: 'for you to allow', tool: 'for', retry_wait: 'before another attempt' };
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
function statsParts({ time = {}, bill = [], turns = [], tools = [], waits = [], expensive_calls: dear = [], findings = [], could_save: saved = {}, ...rest }) {
  const { missing = {}, low_output_calls: low = 0 } = rest.totals ?? {}, ofTurn = (/** @type {any} */ { turn }) => turn;
  return [...barsOf('Where the time went', TIMES.map(([key, wait]) => ({ wait, all_ms: time[key] })), ({ wait }) => (WAIT_WORDS[wait] || 'model') + (wait === 3 ? ', inferred' : ''), 'all_ms'),
    ...barsOf('The bill', bill.map((/** @type {any} */ part) => ({ ...part, low_output_calls: part.kind === 'output' ? low : 0 })), ({ kind }) => titled(kind), 'cost_usd', ({ tokens, low_output_calls: isLow }) => `, ${atLeast(isLow, tellCount(tokens))} tokens`),
    ...missing.cost_usd_estimated > 0 ? [make('p', 'soft', `about ${tell('usd', missing.cost_usd_estimated)} more, in no sum: of ${tellMany(low, 'call')} the log lacks output, some ${tellCount(missing.output_estimated)} tokens`)] : [],
    ...findings.length ? [make('h3', '', tellMany(findings.length, 'finding') + (saved.cost_usd ? `: ${tellIn(saved, 'cost_usd')} could have been saved` : '')), ...tableOf(findings, ['finding', 'times', 'tokens', 'cost_usd', 'confidence', 'advice'])] : [],
    ...barsOf('Cost by turn', turns, ofTurn, 'cost_usd'), ...barsOf('Tokens by turn', turns.map((/** @type {any} */ t) => ({ ...t, tokens: t.tokens?.total })), ofTurn, 'tokens'), ...contextPart(rest.models ?? []),
    ...barsOf('Most expensive calls', dear, (part) => `${part.turn ?? ''} ${part.agent ?? ''} ${rowNamed(part) < 0 ? '' : shortPaths(labelOf(rowNamed(part)))}`.trim() || part.call, 'cost_usd', (part) => ', ' + tellReason(part, rest.cache_rebuilds)),
    ...barsOf('Tools', tools, ({ name }) => name, 'uses', ({ errors }) => errors ? `, ! ${errors} failed` : ''), ...barsOf('Longest waits', waits, (part) => `${WAITED[part.for] ?? 'no record says why'} ${part.tool ?? ''}`, 'duration_ms', ({ turn = '' }) => ' ' + tellName(turn)), ...restOf(rest)];
}
ANSWERS.set('stats', { title: 'Figures', parts: statsParts });
