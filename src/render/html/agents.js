// The agents alone, as a tree: sessions, the agents in them and the agents that these spawned. A choice of the tree pane.

/**
 * @typedef {object} AgentLine  a session, or one agent of it
 * @property {number} lane       its first one
 * @property {number} depth      0: a session
 * @property {number[]} rows     of its own calls, the first one first
 * @property {number} end        tick at which its last call ended
 * @property {number} cost       billionths of a dollar; -1: none is known
 * @property {number} total      with the agents below it
 * @property {boolean} more      it cost more than that
 * @property {boolean} moreBelow
 * @property {AgentLine[]} below
 */
const agentTree = make('div', 'agent-tree scroll', '', { hidden: true, tabIndex: 0, role: 'region', ariaLabel: 'Agents' });
let agentsOnly = false;
/** By lane: the surest link by which its agent was spawned, -1: none. */
let spawnOf = new Int32Array(0);
/** By lane; and those of sessions. */
/** @type {AgentLine[]} */
let agentLines = [];
/** @type {AgentLine[]} */
let sessionLines = [];

/** @param {number} lane @param {number} depth @returns {AgentLine} */
const newAgent = (lane, depth) => ({ lane, depth, rows: [], end: 0, cost: -1, total: -1, more: false, moreBelow: false, below: [] });
/** @param {number} a @param {number} b costs, -1: unknown */
const sumOfCosts = (a, b) => a < 0 ? b : b < 0 ? a : a + b;
function findAgents() {
  const many = col.lane_agent.length;
  agentLines = Array.from({ length: many }, (_, lane) => newAgent(lane, 1));
  for (let r = 0; r < N; r++) {
    const line = agentLines[col.lane[r]];
    line.rows.push(r);
    line.end = max(line.end, col.timed[r] ? col.start[r] + ticksOf(r) : 0);
    line.cost = sumOfCosts(line.cost, col.cost[r] - 1);
    line.more ||= has(r, COSTS_MORE);
  }
  for (const line of agentLines) line.rows.sort((a, b) => col.start[a] - col.start[b] || a - b);
  spawnOf = new Int32Array(many).fill(-1);
  for (let e = 0; e < E; e++) {
    const lane = col.lane[targetRow[e]], before = spawnOf[lane];
    if (headOf[col.e_type[e]] === HEAD_FILLED && (before < 0 || col.e_confidence[e] > col.e_confidence[before])) spawnOf[lane] = e;
  }
  /** @type {Map<number, AgentLine>} */
  const sessions = new Map();
  for (const line of agentLines) {
    const above = laneAbove(line.lane), session = col.lane_session[line.lane];
    if (above >= 0) line.depth = agentLines[above].depth + 1;
    else if (!sessions.has(session)) sessions.set(session, newAgent(line.lane, 0));
    (above >= 0 ? agentLines[above] : /** @type {AgentLine} */ (sessions.get(session))).below.push(line);
  }
  sessionLines = [...sessions.values()];
  for (let l = many - 1; l >= 0; l--) sumBelow(agentLines[l]);
  sessionLines.forEach(sumBelow);
}
// Those below are summed before, as a lane is behind the one that spawned it.
/** @param {AgentLine} line */
function sumBelow(line) {
  line.total = line.below.reduce((sum, { total }) => sumOfCosts(sum, total), line.cost);
  line.moreBelow = line.more || line.below.some(({ moreBelow }) => moreBelow);
}
/** @returns {AgentLine[]} in the order in which they are listed */
function listAgents() {
  const all = [], stack = [...sessionLines].reverse();
  for (let line = stack.pop(); line; line = stack.pop()) { all.push(line); stack.push(...[...line.below].reverse()); }
  return all;
}

/** @typedef {[name: string, title: string, text: (line: AgentLine) => string]} AgentColumn */
/** @param {AgentLine} line */
const isOfLog = ({ rows: [row] }) => row !== undefined && textOf('status', row) !== 'not_recorded';
/** @type {AgentColumn[]} */
const AGENT_COLUMNS = [
  ['calls', 'Calls', (line) => isOfLog(line) ? tellCount(line.rows.length) : ''],
  ['cost', 'Cost', ({ cost, more }) => cost < 0 ? '' : atLeast(more, tellCost(cost))],
  ['total', 'Total', ({ total, moreBelow, below }) => total < 0 || !below.length ? '' : atLeast(moreBelow, tellCost(total))],
  ['duration', 'Duration', ({ rows: [row = -1], end }) => row < 0 || !col.timed[row] ? '' : tellDuration((end - col.start[row]) * tickUs)],
  ['start', 'Start', ({ rows: [row = -1] }) => row < 0 ? '' : tellMoment(startOf(row))],
];
/** @param {AgentLine} line */
function stateOfAgent(line) {
  const failed = line.rows.filter((r) => has(r, FAILED)).length, tools = line.rows.reduce((sum, r) => sum + toolErrorsOf(r), 0), spawn = spawnOf[line.lane];
  return !line.depth ? '' : joined([isOfLog(line) ? !failed && !tools && 'ok' : 'not in the log', tellFailed(failed ? `${tellCount(failed)} failed` : '', tools), spawn >= 0 && col.e_confidence[spawn] < SURE && `spawn ${sureOf(spawn)}`], '; ');
}
/** @param {AgentLine} line */
function agentItem(line) {
  const { lane, depth, rows: [row = -1] } = line, name = depth ? tellLane(lane) : 'session ' + tellName(strings[col.lane_session[lane]] || 'without id', 16), tr = make('tr', '', '', { ariaLevel: String(depth + 1) }), first = make('td', 'what');
  first.style.paddingLeft = min(depth, DEEPEST) * INDENT + 'px';
  put(first, row < 0 ? make('b', '', name) : goTo(bdi(name, 80), () => select(row)));
  const state = stateOfAgent(line);
  put(tr, first, ...AGENT_COLUMNS.map(([, , text]) => make('td', 'n', text(line))), make('td', state.includes('!') ? 'bad' : '', state), put(make('td', 'soft'), row < 0 ? '' : Object.assign(bdi(wordsOf('asked', row).trim(), 120), { title: tellName(wordsOf('asked', row).trim(), 400) })));
  if (row >= 0) agentRows.set(lane, tr);
  return tr;
}
// The row of each agent that is listed.
/** @type {Map<number, HTMLElement>} */
const agentRows = new Map();
function drawAgents() {
  if (!agentTree.firstChild) fillAgents();
  for (const [lane, tr] of agentRows) tr.ariaCurrent = selectedRow >= 0 && col.lane[selectedRow] === lane ? 'true' : null;
}
function fillAgents() {
  findAgents();
  const body = make('tbody'), all = listAgents(), asked = Boolean(col.asked), titles = ['Agent', ...AGENT_COLUMNS.map(([, title]) => title), 'State', asked ? 'Prompt' : ''];
  const [, more] = listOf(body, all, agentItem, 60);
  put(agentTree, put(make('table', 'wide'), put(make('thead'), put(make('tr'), ...titles.map((title, k) => make('th', k && k <= AGENT_COLUMNS.length ? 'n' : '', title)))), body), more ?? '');
}
// Shows the agents in place of all calls, or the calls again.
/** @param {boolean} only */
function showAgents(only) {
  agentsOnly = only && hasAgents();
  const own = panes.find(({ name }) => name === 'tree');
  if (!own) return;
  own.element.hidden = true;
  Object.assign(own, agentsOnly ? { element: agentTree, draw: drawAgents, spot: () => null, reveal: undefined } : { element: treeGrid, draw: drawTree, spot: spotOfRow, reveal: revealRow });
  if (paneName) showPane(paneName);
}
/** Did any agent spawn another one? */
const hasAgents = () => col.lane_above.some((above) => above > 0);
// Is each row in one line, and what each cost in the total of a session?
function areAgentsWhole() {
  findAgents();
  const all = listAgents(), rows = all.reduce((sum, line) => sum + line.rows.length, 0), inAll = sessionLines.reduce((sum, { total }) => sum + max(0, total), 0);
  let cost = 0;
  for (let r = 0; r < N; r++) cost += known('cost', r) ?? 0;
  return rows === N && abs(inAll - cost) < 1;
}
function turnAgents() {
  showAgents(!agentsOnly);
  prefer('agentsOnly', agentsOnly);
  say(agentsOnly ? 'Only agents are shown.' : 'All calls are shown.');
}
function addAgents() {
  treeGrid.after(agentTree);
  LINK_PARTS.push(['only', () => agentsOnly ? 'agents' : '', (only, isNew) => showAgents(isNew ? only === 'agents' : preferences().agentsOnly === true)]);
  if (!hasAgents()) return;
  KEYS[0][1].push(['v', 'tree: agents only, all calls', turnAgents]);
  const button = press('agents only', turnAgents, 'Tree of agents, without their calls (v)');
  $('views').after(button);
  always.push(() => { setPressed(button, agentsOnly); button.hidden = paneName !== 'tree' && paneName !== 'timeline'; });
}
