// Lines of the tree that are no calls: turns and subagents with their sums, and stacks of siblings that did the same.

/**
 * @typedef {object} Group  rows that stand together
 * @property {number} first @property {number} end  its rows
 * @property {boolean} isTurn  of the user
 * @property {boolean} isAgent that another one spawned; neither: a stack
 * @property {boolean} shut
 * @property {Record<string, string> | null} line  what its line says, by column
 */
/** More siblings of one kind than this are a stack, but for the first ones. */
const LEAST_STACK = 6, BEFORE_STACK = 2, NEVER_STACKED = 10;
/** @type {Group[]} */
let turns = [];
/** @type {Group[]} */
let stacks = [];
// From the outermost to the innermost: turns, subagents, those that they spawned, …, stacks.
/** @type {Group[][]} */
let levels = [];
/** All of them, and in how many of subagents each row stands. */
let groups = turns, agentsAround = u8(0);
/** The line that the keys are on, where that is no call. */
/** @type {Group | null} */
let chosenGroup = null;
/** Cost from which on a call is never in a stack. */
let dearCost = Infinity;

/** @param {number} first @param {number} end @param {'turn' | 'agent'} [kind] @returns {Group} */
const newGroup = (first, end, kind) => ({ first, end, isTurn: kind === 'turn', isAgent: kind === 'agent', shut: !kind, line: null });
/** @param {number} a @param {number} b @returns {boolean} are both of one session, turn and run? */
const isSameTurn = (a, b) => col.turn[a] === col.turn[b] && isOld(a) === isOld(b) && sessionOf(a) === sessionOf(b);
/** @param {number} a @param {number} b @returns {boolean} are both siblings without any below them that asked for the same tools, or bear the same name? */
function isSameKind(a, b) {
  const first = toolFirst[a], many = toolFirst[a + 1] - first, other = toolFirst[b];
  if (col.skip[a] > 1 || col.skip[b] > 1 || (col.parent[a] ? a - col.parent[a] : -1) !== (col.parent[b] ? b - col.parent[b] : -1)) return false;
  if (toolFirst[b + 1] - other !== many || col.name[a] !== col.name[b] || col.lane[a] !== col.lane[b] || !many && !col.name[a]) return false;
  for (let t = 0; t < many; t++) if (col.t_name[first + t] !== col.t_name[other + t]) return false;
  return isSameTurn(a, b);
}
// Calls of an agent below the one that spawned it, where there are several.
/** @returns {Group[][]} by how many are around them */
function groupAgents() {
  const { parent, lane, skip } = col, /** @type {Group[][]} */ found = [];
  agentsAround = u8(N);
  for (let r = 0; r < N; r++) {
    const above = r - parent[r], level = agentsAround[above], next = r + skip[r], last = found[level]?.at(-1);
    agentsAround[r] = level;
    if (above === r || lane[above] === lane[r] || level > 99 || textOf('kind', r) !== 'inference') continue;
    const goesOn = last && last.end === r && r - parent[r] === last.first - parent[last.first] && lane[last.first] === lane[r];
    if (goesOn) last.end = next;
    else if (next < N && next - parent[next] === above && lane[next] === lane[r]) (found[level] ??= []).push(newGroup(r, next, 'agent'));
    else continue;
    agentsAround[r]++;
  }
  return found;
}
function groupRows() {
  const { skip, turn, cost } = col;
  turns = []; stacks = [];
  if (isOld(N - 1) || turn.some(Boolean)) for (let r = 0, last = null; r < N; r += skip[r]) {
    if (last && isSameTurn(last.first, r)) last.end = r + skip[r]; else turns.push(last = newGroup(r, r + skip[r], 'turn'));
  }
  // A turn of its own for each call tells no more than a column does.
  turns = turns.length > 1 && (turns.length * 1.5 <= N || isOld(N - 1)) ? turns.filter(({ first }) => turn[first] || isOld(N - 1)) : [];
  for (let r = 1, first = 0; r <= N; r++) {
    if (r < N && isSameKind(r - 1, r)) continue;
    if (r - first >= LEAST_STACK) stacks.push(newGroup(first + BEFORE_STACK, r));
    first = r;
  }
  levels = [turns, ...groupAgents(), stacks]; groups = levels.flat();
  if (stacks.length) dearCost = max(2, Float64Array.from(cost).sort()[max(0, N - NEVER_STACKED)]);
}
// What matters is seen, whatever stands around it.
/** @param {number} r */
const matters = (r) => has(r, KEEP | FAILED) || isHit(r) || col.cost[r] >= dearCost;
// Adds the lines of turns and stacks before the first row of each that is shown.
/** @param {boolean} stacked @param {(line: number) => void} add @returns {(row: number) => boolean} asked from row to row: does one that is shut hide it? */
function walkGroups(stacked, add) {
  let end = 0;
  const walks = (stacked ? levels : levels.slice(0, -1)).map((groups) => ({ groups, base: (end += groups.length) - groups.length, at: 0, seen: -1 }));
  return (row) => walks.some((walk) => {
    const { groups } = walk;
    while (walk.at < groups.length && groups[walk.at].end <= row) walk.at++;
    const group = groups[walk.at];
    if (!group || group.first > row) return false;
    if (walk.seen !== walk.at) add(~(walk.base + (walk.seen = walk.at)));
    return group.shut && (group.isTurn || group.isAgent || !matters(row));
  });
}
/** @param {number} line below 0 */
const groupAt = (line) => groups[~line];
/** @returns {number} place of the line that the keys are on, -1: none */
const chosenPlace = () => chosenGroup ? lines.findIndex((line) => line < 0 && groupAt(line) === chosenGroup) : selectedRow < 0 ? -1 : lineAt[selectedRow] - 1;
// Those that hold a row, the innermost first.
/** @param {number} row */
const groupsOf = (row) => [...levels].reverse().flatMap((groups) => groups.find(({ first, end }) => first <= row && row < end) ?? []);
// Opens what hides a row.
/** @param {number} row @returns {boolean} was anything shut? */
const openGroups = (row) => !lineAt[row] && groupsOf(row).reduce((opened, group) => { opened ||= group.shut; group.shut = false; return opened; }, false);
/** @param {Group} group */
function chooseGroup(group) {
  select(-1);
  chosenGroup = group;
  const { what, state, cost } = tellGroup(group);
  say(joined([what, group.shut ? 'folded' : 'open', cost, state], ', '));
  const place = chosenPlace();
  if (place < 0) chosenGroup = null;
  revealPlace(place);
  soon();
}
/** @param {Group} group @param {boolean} shut */
function shutGroup(group, shut) {
  group.shut = shut;
  relist();
}
// The sums of those that no filter hides.
/** @param {Group} group @returns {Record<string, string>} */
function tellGroup(group) {
  if (group.line) return group.line;
  const { first, end } = group, isOne = group.isTurn && end - first < 2, sums = { in: -1, out: -1, cost: -1 };
  let from = Infinity, to = -Infinity, failed = 0, errors = 0, many = 0;
  for (let r = first; r < end; r++) {
    if (hiddenRows[r]) continue;
    many++;
    if (col.timed[r]) { from = min(from, col.start[r]); to = max(to, col.start[r] + ticksOf(r)); }
    for (const name of /** @type {const} */ (['in', 'out', 'cost'])) if (col[name][r]) sums[name] = max(0, sums[name]) + col[name][r] - 1;
    if (has(r, FAILED)) failed++;
    errors += toolErrorsOf(r);
  }
  const orUnknown = (/** @type {number} */ sum) => sum < 0 ? null : sum, total = inDigits(orUnknown(sums.cost)), turn = known('turn', first), uses = [...new Set(usesOf('t_name', first).map((name) => strings[name]))];
  const run = isOld(N - 1) ? isOld(first) ? 'old run' : 'new run' : '', session = manySessions > 1 ? sessionOf(first) : '';
  const calls = isOne ? wordsOf('asked', first).trim() : `${many < end - first ? tellCount(many) + ' of ' : ''}${tellMany(end - first, 'call')}${tellName(wordsOf('asked', first))}`, what = group.isTurn ? joined([run, turn === null ? '' : `turn ${turn}`, tellName(session, 12)], ', ') + (calls && ': ' + calls) : group.isAgent ? tellName(agentOf(first), 80) + ': ' + calls : `${tellName(uses.join(', ') || labelOf(first), 80)} ×${tellCount(end - first)}`;
  return group.line = isOne ? { what } : { what, start: from < Infinity ? tellMoment(epochUs + (from - (isOld(first) ? movedBy : 0)) * tickUs) : '', duration: to > from ? inUnit((to - from) * tickUs) : '', in: tellShort(orUnknown(sums.in)), out: tellShort(orUnknown(sums.out)), cost: total, total, state: tellFailed(failed ? failed + ' failed' : '', errors) };
}
