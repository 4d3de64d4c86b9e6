// What was paid for and where the time went, as bars.

/** @param {string} title @param {any[]} parts @param {(part: any) => string} label @param {string} key @param {(part: any) => string} [more] behind the number @returns {HTMLElement[]} */
function barsOf(title, parts, label, key, more = () => '') {
  const some = parts.filter((part) => part[key] > 0), most = max(...some.map((part) => part[key]));
  return section(title, some, (part) => {
    const bar = make('i', part.key?.split('_')[0]), li = put(make('li', 'measure'), callLink(part, label(part)), bar, make('span', 'n', tellIn(part, key) + more(part)));
    bar.style.width = 100 * part[key] / most + '%';
    return li;
  }, 40);
}
// How much was sent with each call of an agent, below the most that its last model takes; in the order of the timeline.
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
function contextPart({ models = [] }) {
  const /** @type {number[][]} */ lanes = [];
  for (let r = 0; r < N; r++) if (col.in[r]) (lanes[col.lane[r]] ??= []).push(r);
  return section('Tokens sent per call', lanes.filter((rows) => rows.length > 1), (rows) => {
    const most = rows.reduce((a, r) => max(a, col.in[r]), 1), room = models.find((/** @type {any} */ { name }) => name === textOf('model', rows[rows.length - 1]))?.context?.limit ?? 0, top = max(most, room);
    const picture = sketch('svg', 'context', { 'aria-hidden': 'true', viewBox: '0 0 600 98' });
    let d = 'M0 96';
    for (let k = 0; k < rows.length; k += max(1, rows.length / 600)) d += `L${(600 * k / (rows.length - 1)).toFixed(1)} ${(96 - 80 * col.in[rows[floor(k)]] / top).toFixed(1)}`;
    put(picture, makeSvg('path', { d: d + 'L600 96Z' }), sketch('path', 'life', { d: 'M0 16H600' }), sketch('text', 'number', { y: 12 }, tellCount(top) + ' tokens' + (top === room ? ': context window' : '')));
    return item(bdi(agentOf(rows[0]), 40), `: ${tellCount(most - 1)} tokens maximum in ${tellMany(rows.length, 'call')}`, picture);
  }, 2);
}
// Why a call was expensive, as the text says it.
/** @param {{why?: string, tokens?: any, at?: string}} call @param {any[]} [rebuilds] of caches, with their causes */
function tellReason({ why = '', tokens, at }, rebuilds = []) {
  const many = tokens?.[/** @type {any} */ ({ new_context: 'cache_creation', long_context: 'cache_read' })[why]], cause = rebuilds.find((one) => one.at === at)?.cause;
  return titled(why) + (many ? ` of ${tellCount(many)} tokens` : cause ? ` by ${titled(cause)}` : '');
}
/** @param {string} key of a part of the time */
const waitWords = (key) => WAIT_WORDS[TIMES.find(([one]) => one === key)?.[1] ?? 5] || 'model';
// What was asked for by `--by`: each day, project, skill, …
/** @param {any[]} groups @returns {HTMLElement[]} */
const groupBars = (groups) => barsOf(`Cost by ${groups[0]?.by}`, groups, ({ name, label = '' }) => name ?? label, 'cost_usd', ({ calls }) => `, ${tellMany(calls, 'call')}`);
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const reportParts = ({ groups = [], over_budget: over = [], ...rest }) => [...barsOf('Over budget', over, ({ period }) => period, 'cost_usd'), ...groupBars(groups), foldedTable('All figures', groups), ...restOf(rest)];
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
function statsParts({ groups = [], time = {}, bill = [], tools = [], waits = [], expensive_calls: dear = [], findings = [], could_save: saved = {}, ...rest }) {
  const { missing = {}, low_output_calls: low = 0 } = rest.totals ?? {};
  return [...groupBars(groups), ...barsOf('Where the time went', TIMES.map(([key]) => ({ key, all_ms: time[key] })), ({ key }) => waitWords(key) + (/^perm/.test(key) ? ', inferred' : ''), 'all_ms'),
    ...barsOf('Cost by token type', bill.map((/** @type {any} */ part) => ({ ...part, output: part.tokens, low_output_calls: part.kind === 'output' && low })), ({ kind }) => titled(kind), 'cost_usd', (part) => `, ${tellIn(part, 'output')} tokens`),
    ...missing.cost_usd_estimated > 0 ? [make('p', 'soft', `~${tell('usd', missing.cost_usd_estimated)} more (estimated, not included): output missing from the log for ${tellMany(low, 'call')}`)] : [],
    ...findings.length ? [make('h3', '', `Savings: ${tellMany(findings.length, 'finding')} ${tellIn(saved, 'cost_usd')}`), ...tableOf(findings, ['finding', 'times', 'tokens', 'cost_usd', 'confidence', 'advice'])] : [],
    ...barsOf('Cost by turn', rest.turns ?? [], ({ turn }) => turn, 'cost_usd', ({ tokens }) => `, ${tellCount(tokens?.total ?? null)} tokens`), ...contextPart(rest),
    ...barsOf('Most expensive calls', dear, (part) => [part.turn, part.agent, rowNamed(part) < 0 ? part.call : shortPaths(labelOf(rowNamed(part)))].join(' '), 'cost_usd', (part) => ', ' + tellReason(part, rest.cache_rebuilds)),
    ...barsOf('Tools', tools, ({ name }) => name, 'uses', ({ errors }) => errors ? `, ! ${errors} failed` : ''), ...barsOf('Longest waits', waits, (part) => joined([waitWords(part.for + '_ms'), part.tool, part.turn, part.may_be && `(or an open ${part.may_be} prompt)`], ' '), 'duration_ms'), ...groups.length ? [foldedTable('Groups', groups)] : [], ...restOf(rest)];
}
ANSWERS.set('stats', { title: 'Figures', parts: statsParts });
ANSWERS.set('report', { title: 'Figures', parts: reportParts });
