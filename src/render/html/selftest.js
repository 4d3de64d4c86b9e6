// `#selftest`: the page checks itself and writes what it found into the document, for a browser that shows nothing.

/** @param {string} text @returns {string} CRC-32 of its UTF-8 */
function crc32(text) {
  let crc = ~0;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let k = 0; k < 8; k++) crc = crc & 1 ? crc >>> 1 ^ 0xedb88320 : crc >>> 1;
  }
  return (~crc >>> 0).toString(16).padStart(8, '0');
}

/** @param {(row: number) => boolean} holds @returns {number} the first row of which it does not hold, -1: none */
function firstWrong(holds) {
  for (let r = 0; r < N; r++) if (!holds(r)) return r;
  return -1;
}
// What must hold of each row.
/** @type {[name: string, holds: (row: number) => boolean][]} */
const OF_ROWS = [
  ['ids', (r) => rowOf(idOf(r)) === r],
  ['order', (r) => col.skip[r] >= 1 && r + col.skip[r] <= (col.parent[r] ? r - col.parent[r] + col.skip[r - col.parent[r]] : N)],
  ['parents', (r) => col.parent[r] >= 0 && col.parent[r] <= r],
  ['lanes', (r) => col.lane[r] < laneCalls.length],
  ['times', (r) => !col.timed[r] || col.start[r] >= 0 && col.start[r] + ticksOf(r) <= lastTick],
  ['texts', (r) => ['name', 'kind', 'status', 'model', 'file'].every((column) => textOf(column, r) !== undefined)],
  ['shown', (r) => !shownAt[r] || shown[shownAt[r] - 1] === r && lines[lineAt[r] - 1] === r],
];

// Each pane is drawn once, as if somebody had gone there.
/** @returns {[name: string, ok: boolean, tells: string]} */
function panesDraw() {
  const before = paneName;
  for (const { name, draw } of panes)
    try { showPane(name); draw(); } catch (fault) { return ['panes', false, `${name}: ${fault}`]; }
  showPane(before);
  return ['panes', true, `${panes.length} drawn`];
}
/** @returns {[name: string, ok: boolean, tells: string][]} */
function selfChecks() {
  /** @type {[string, boolean, string][]} */
  const checks = OF_ROWS.map(([name, holds]) => { const row = firstWrong(holds); return [name, row < 0, row < 0 ? `${N} rows` : `row ${row}`]; });
  const wrongEdge = sourceRow.findIndex((source, e) => source < 0 || source >= N || col.e_confidence[e] > 10000 || strings[col.e_type[e]] === undefined);
  checks.push(['edges', wrongEdge < 0 && inFirst[N] === E && outFirst[N] === E, wrongEdge < 0 ? `${E} in, ${outFirst[N]} out` : `edge ${wrongEdge} is damaged`]);
  checks.push(['ends', outEdge.every((e, k) => k >= outFirst[sourceRow[e]] && k < outFirst[sourceRow[e] + 1]), `${E}`]);
  checks.push(['names', !/[\u0000-\u001f\u202a-\u202e\u2066-\u2069]/.test(tellName(String.fromCharCode(0, 0x202e, 0x2066, 10), 99)), 'told']);
  checks.push(['unknown', rowOf('no such id\u0000') === -1 && nodeOf('__proto__\u0000') === null, 'told']);
  checks.push(panesDraw());
  if (typeof addGraph === 'function') checks.push(['graph', !N || isGraphWhole(), `${graphAll.length} boxes`], ['agents', areAgentsWhole(), `${agentLines.length} lines`]);
  const words = N ? `${textOf('status', 0)} ${agentOf(0)}` : '';
  checks.push(['search', !words.trim() || marksOf(words)[0] === 1, 'any order']);
  const path = N ? pathOf(N - 1) : u8(0);
  checks.push(['path', !N || chainTo(N - 1).every((r) => path[r]), 'from its root']);
  if (typeof checkMessages === 'function') checks.push(checkMessages());
  const link = linkNow();
  checks.push(['link', !/[<>"'`\s]/.test(link), `${link.length} characters`]);
  return checks;
}

/** @returns {[name: string, value: string | number][]} */
function selfFacts() {
  const { nodes, edges, errors, guesses } = counts(), ids = Array.from({ length: N }, (_, row) => idOf(row)).sort();
  let cost = 0, duration = 0, inAll = 0, sent = 0, more = 0;
  for (let r = 0; r < N; r++) { cost += known('cost', r) ?? 0; inAll += costBelow(r) ?? 0; sent += known('in', r) ?? 0; if (has(r, COSTS_MORE)) more++; duration += max(0, durationOf(r) ?? 0); }
  return [['nodes', nodes], ['edges', edges], ['errors', errors], ['guesses', guesses], ['cost_nusd', cost], ['duration_us', duration], ['in_all_nusd', inAll], ['tokens_sent', sent], ['cost_more', more], ['ids_crc32', crc32(ids.join('\n'))], ['last', N && idOf(N - 1)], ['chain_crc32', crc32(N ? chainTo(N - 1).map(idOf).join('\n') : '')]];
}

function selftest() {
  const checks = selfChecks(), passed = checks.filter(([, ok]) => ok).length;
  const lines = ['xtrace-selftest/1', ...checks.map(([name, ok, tells]) => `${ok ? 'ok' : 'FAIL'} ${name} ${tells}`), ...selfFacts().map(([name, value]) => `fact ${name} ${value}`),
    `result ${passed === checks.length ? 'ok' : 'FAIL'} ${passed}/${checks.length}`];
  put(document.body, make('pre', '', lines.join('\n'), { id: 'selftest' }));
}
