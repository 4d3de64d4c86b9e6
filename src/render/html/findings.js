// What came of a step, where a run first looks odd, what untrusted text reached, what would be faster: tables.

/** @param {any[]} rows @param {string[]} wanted @param {string} none what is said without rows @returns {HTMLElement[]} */
const findingsOf = (rows, wanted, none) => rows.length ? tableOf(rows, wanted) : [make('p', '', none)];
// Lower and upper bound, once where they are equal.
/** @param {{lower: number, upper: number}} bounds @param {string} key that says the unit */
const tellBounds = ({ lower, upper }, key) => [...new Set([tell(key, lower), tell(key, upper)])].join(' to ');
/** @param {any} signal */
const signalWords = ({ signal, argument, kind, grounded_at: from }) => joined([titled(signal), argument && `argument ${argument}`, kind, from && `compare ${String(from).replace(/^.*\//, '')}`], ', ');
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const blameParts = ({ candidates = [], caveat = '', ...rest }) => [make('p', 'soft', caveat),
  ...findingsOf(candidates.map((/** @type {any} */ one) => ({ ...one, what_looks_odd: one.signals.map(signalWords).join('; ') })), ['rank', 'strength', 'agent', 'what', 'what_looks_odd', 'at'], 'Nothing odd was recorded.'), ...restOf(rest)];
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const taintParts = ({ verdict = '', flows = [], unread = {}, ...rest }) => [make('h3', '', 'Verdict: ' + verdict),
  ...findingsOf(flows.map((/** @type {any} */ { source, sink, evidence, ...flow }) => ({ ...flow, what: joined([sink.tool, sink.argument], ' '), from: joined([source.tool, source.kind], ', '), text: evidence.map((/** @type {any} */ { value }) => value).join(', '), call: sink.call, at: `${sink.at} ← ${source.at}` })),
    ['label', 'what', 'from', 'text', 'crosses', 'confidence', 'at'], 'No untrusted text was found in a sink.'), make('p', 'soft', 'Not detectable: ' + unread.not_detectable), ...restOf({ unread, ...rest })];
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const whatIfParts = ({ before, after, saved, changes = [], removable = [], ...rest }) => [
  make('p', '', `${tell('wall_ms', before.wall_ms)}, ${tell('cost_usd', before.cost_usd)}${changes.length ? ` → ${tellBounds(after.wall_ms, 'wall_ms')}, ${tellBounds(after.cost_usd, 'cost_usd')}` : ''}`),
  ...changes.length ? [make('h3', '', 'Changes'), ...tableOf(changes), make('p', '', `Saved: ${tellBounds(saved.wall_ms, 'wall_ms')}, ${tellBounds(saved.cost_usd, 'cost_usd')}`)] : [],
  ...removable.length ? [make('h3', '', 'If removed'), ...tableOf(removable.map((/** @type {any} */ one) => ({ ...one, time_saved: tellBounds(one.saved_ms, 'ms'), cost_saved: tellBounds(one.saved_usd, 'usd') })), ['what', 'matched', 'on_path_ms', 'time_saved', 'cost_saved', 'then'])] : [],
  foldedTable('Critical path', [before.critical]), ...restOf(rest)];
/** @param {Record<string, any>} answer @returns {HTMLElement[]} */
const impactParts = ({ question = '', effects = [], blast = {}, reached, only_through: only, along, ...rest }) => [make('p', '', question),
  ...tableOf(Object.entries(blast).map(([what, sums]) => ({ what: titled(what), ...sums })), ['what', 'calls', 'tool_uses', 'tokens', 'cost_usd', 'busy_ms', 'files', 'hosts']),
  make('h3', '', 'Effects'), ...findingsOf(effects.filter((/** @type {any} */ one) => one.kind !== 'tool_use').map((/** @type {any} */ one) => ({ ...one, name: one.name || 'reply', link: titled(one.link ?? '') })), ['name', 'kind', 'agent', 'link', 'confidence', 'only_through', 'evidence', 'at'], 'Nothing recorded came of it.'), ...restOf(rest)];
for (const [kind, title, parts] of /** @type {[string, string, AnswerPane['parts']][]} */ ([['blame', 'Candidates', blameParts], ['taint', 'Flows', taintParts], ['whatif', 'Savings', whatIfParts], ['impact', 'Effects', impactParts]]))
  ANSWERS.set(kind, { title, parts, before: () => ownParts(head.answer.candidates ?? head.answer.effects ?? []) });
