// Lines of the tree that are no calls: turns with their sums, and stacks of siblings that did the same.

/**
 * @typedef {object} Group  rows that stand together
 * @property {number} first @property {number} end  its rows
 * @property {boolean} isTurn  else a stack
 * @property {boolean} shut
 * @property {Record<string, string> | null} told  what its line says, by column
 */
/** More siblings of one kind than this are a stack, but for the first ones. */
const LEAST_STACK = 6, BEFORE_STACK = 2, NEVER_STACKED = 10;
/** @type {Group[]} */
let turns = [];
/** @type {Group[]} */
let stacks = [];
/** The line that the keys are on, where that is no call. */
/** @type {Group | null} */
let chosenGroup = null;
/** Cost from which on a call is never in a stack. */
let dearCost = Infinity;

/** @param {number} first @param {number} end @param {boolean} isTurn @returns {Group} */
const newGroup = (first, end, isTurn) => ({ first, end, isTurn, shut: !isTurn, told: null });
/** @param {number} a @param {number} b @returns {boolean} are both of one session, turn and run? */
const isSameTurn = (a, b) => col.turn[a] === col.turn[b] && isOld(a) === isOld(b) && col.lane_session[col.lane[a]] === col.lane_session[col.lane[b]];
/** @param {number} a @param {number} b @returns {boolean} are both siblings without any below them that asked for the same tools, or bear the same name? */
function isSameKind(a, b) {
  const first = toolFirst[a], many = toolFirst[a + 1] - first, other = toolFirst[b];
  if (col.skip[a] > 1 || col.skip[b] > 1 || (col.parent[a] ? a - col.parent[a] : -1) !== (col.parent[b] ? b - col.parent[b] : -1)) return false;
  if (toolFirst[b + 1] - other !== many || col.name[a] !== col.name[b] || col.lane[a] !== col.lane[b] || !many && !col.name[a]) return false;
  for (let t = 0; t < many; t++) if (col.t_name[first + t] !== col.t_name[other + t]) return false;
  return isSameTurn(a, b);
}
function groupRows() {
  const { skip, turn, cost } = col;
  turns = []; stacks = [];
  if (isOld(N - 1) || turn.some(Boolean)) for (let r = 0, last = null; r < N; r += skip[r]) {
    if (last && isSameTurn(last.first, r)) last.end = r + skip[r]; else turns.push(last = newGroup(r, r + skip[r], true));
  }
  // A turn of its own for each call tells no more than a column does.
  turns = turns.length > 1 && (turns.length * 1.5 <= N || isOld(N - 1)) ? turns.filter(({ first }) => turn[first] || isOld(N - 1)) : [];
  for (let r = 1, first = 0; r <= N; r++) {
    if (r < N && isSameKind(r - 1, r)) continue;
    if (r - first >= LEAST_STACK) stacks.push(newGroup(first + BEFORE_STACK, r, false));
    first = r;
  }
  if (stacks.length) dearCost = Math.max(2, Float64Array.from(cost).sort()[Math.max(0, N - NEVER_STACKED)]);
}
// What matters is seen, whatever stands around it.
/** @param {number} r */
const matters = (r) => has(r, FLAG.keep | FLAG.failed) || isHit(r) || col.cost[r] >= dearCost;
// Adds the lines of turns and stacks before the first row of each that is shown.
/** @param {boolean} stacked @param {(line: number) => void} add @returns {(row: number) => boolean} asked from row to row: does one that is shut hide it? */
function walkGroups(stacked, add) {
  const walks = (stacked ? [turns, stacks] : [turns]).map((groups, k) => ({ groups, base: k * turns.length, at: 0, told: -1 }));
  return (row) => walks.some((walk) => {
    const { groups } = walk;
    while (walk.at < groups.length && groups[walk.at].end <= row) walk.at++;
    const group = groups[walk.at];
    if (!group || group.first > row) return false;
    if (walk.told !== walk.at) add(~(walk.base + (walk.told = walk.at)));
    return group.shut && (group.isTurn || !matters(row));
  });
}
/** @param {number} line below 0 */
const groupAt = (line) => ~line < turns.length ? turns[~line] : stacks[~line - turns.length];
/** @returns {number} place of the line that the keys are on, -1: none */
const chosenPlace = () => chosenGroup ? lines.findIndex((line) => line < 0 && groupAt(line) === chosenGroup) : selectedRow < 0 ? -1 : lineAt[selectedRow] - 1;
// Those that hold a row.
/** @param {number} row */
const groupsOf = (row) => [stacks, turns].flatMap((groups) => groups.find(({ first, end }) => first <= row && row < end) ?? []);
// Opens what hides a row.
/** @param {number} row @returns {boolean} was anything shut? */
const openGroups = (row) => !lineAt[row] && groupsOf(row).reduce((opened, group) => { opened ||= group.shut; group.shut = false; return opened; }, false);
/** @param {Group} group */
function chooseGroup(group) {
  select(-1);
  chosenGroup = group;
  const { what, state, cost } = tellGroup(group);
  say([what, group.shut ? 'folded' : 'open', cost, state].filter(Boolean).join(', '));
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
/** @param {Group} group @returns {Record<string, string>} */
function tellGroup(group) {
  if (group.told) return group.told;
  const { first, end } = group, sums = { in: -1, out: -1 };
  let from = Infinity, to = -Infinity, failed = 0, toolErrors = 0;
  for (let r = first; r < end; r++) {
    if (col.timed[r]) { from = Math.min(from, col.start[r]); to = Math.max(to, col.start[r] + ticksOf(r)); }
    for (const name of /** @type {const} */ (['in', 'out'])) if (col[name][r]) sums[name] = Math.max(0, sums[name]) + col[name][r] - 1;
    if (has(r, FLAG.failed)) failed++; else if (has(r, FLAG.toolError)) toolErrors++;
  }
  const total = inDigits(costBetween(first, end)), turn = known('turn', first), uses = Array.from(new Set(Array.from(col.t_name.subarray(toolFirst[first], toolFirst[first + 1]), (name) => strings[name])));
  const run = isOld(N - 1) ? isOld(first) ? 'old run' : 'new run' : '', session = manySessions > 1 ? strings[col.lane_session[col.lane[first]]] : '';
  const what = group.isTurn ? [run, turn === null ? '' : `turn ${turn}`, tellName(session, 12)].filter(Boolean).join(', ') + `: ${tellMany(end - first, 'call')}` : `${tellName(uses.join(', ') || labelOf(first), 80)} ×${tellCount(end - first)}`;
  return group.told = { what, start: from < Infinity ? tellTime(epochUs + (from - (isOld(first) ? movedBy : 0)) * tickUs) : '', duration: to > from ? inUnit((to - from) * tickUs) : '', in: tellCount(sums.in < 0 ? null : sums.in), out: tellCount(sums.out < 0 ? null : sums.out), cost: total, total, state: failed ? `! ${failed} failed` : toolErrors ? '! ' + tellMany(toolErrors, 'error') : '' };
}
