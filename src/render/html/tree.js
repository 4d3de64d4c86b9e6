// The tree: every call a row. Only the rows in view are elements; a row is a number until it is drawn.

const ROW_HEIGHT = 24;
// Browsers end at some 17 or 33 million pixels; beyond this the scroll bar stands for rows.
const TALLEST = 8e6;
const INDENT = 14, DEEPEST = 16;

/**
 * @typedef {object} TreeColumn
 * @property {string} name   of the class of its cells
 * @property {string} title
 * @property {string} tells  what it holds
 * @property {string} [sort] key in SORTS
 * @property {string} [needs] column of the data without which it is left out
 * @property {number} [least] flag of those of which there is more: where any has it, the head says so for all
 * @property {(row: number) => string} text
 */
/** @type {TreeColumn[]} */
const TREE_COLUMNS = [
  { name: 'what', title: 'What', tells: 'Tools used, or else the name or model', text: (r) => tellName(shortPaths(labelOf(r)) + wordsOf('said', r)) },
  { name: 'agent', title: 'Agent', tells: 'Agent that made the call', text: (r) => (isOld(r) ? 'old: ' : '') + tellName(agentOf(r).replace(/^(.{6}).{3,}(#\d+)$/, '$1…$2')) },
  { name: 'turn', title: 'Turn', tells: 'Number in the whole session', needs: 'turn', text: (r) => tellCount(known('turn', r)) },
  { name: 'start', title: 'Start', tells: 'Of the request', sort: 'start', text: (r) => tellMoment(startOf(r)) },
  { name: 'duration', title: 'Duration', tells: 'From the request to the end of the reply', sort: 'duration', text: (r) => inUnit(durationOf(r)) },
  { name: 'in', title: 'In', tells: 'Tokens sent, including cached ones', sort: 'in', needs: 'in', text: (r) => tellShort(known('in', r)) },
  { name: 'out', title: 'Out', tells: 'Tokens received; ≥: the log has only the count at the start of a reply', sort: 'out', needs: 'out', least: LOW_OUTPUT, text: (r) => tellShort(known('out', r)) },
  { name: 'cost', title: 'Cost', tells: 'The bar compares it with the most expensive call', sort: 'cost', needs: 'cost', least: COSTS_MORE, text: (r) => inDigits(known('cost', r)) },
  { name: 'total', title: 'Total', tells: 'With everything it spawned', sort: 'total', needs: 'in_all', least: MORE_IN_ALL, text: (r) => inDigits(costBelow(r)) },
  { name: 'state', title: 'State', tells: 'A line on the left marks the critical path', text: stateOf },
];

// With its day, where there are several.
/** @param {number | null} us */
const tellMoment = (us) => us !== null && isoOf(epochUs).slice(0, 10) !== isoOf(epochUs + lastTick * tickUs).slice(0, 10) ? isoOf(us).slice(5, 19).replace('T', ' ') : tellTime(us).slice(0, lastTick * tickUs < 60e6 ? 12 : 8);
// Millions in short: the details have all digits.
/** @param {number | null} n */
const tellShort = (n) => n !== null && n >= 1e6 ? (n / 1e6).toFixed(2) + 'M' : tellCount(n);
// A column of numbers has one unit and as many digits in each row, so that the eye can compare them.
/** @type {[us: number, name: string, digits: number]} */
let timeUnit = [1e6, 's', 2];
let costDigits = 4;
/** @param {number | null} us */
function inUnit(us) {
  const [unit, , digits] = timeUnit, text = us === null ? '' : (us / unit).toFixed(digits);
  // What took some time is not told as none.
  return us && !Number(text) ? `< ${(10 ** -digits).toFixed(digits)}` : text;
}
/** @param {number | null} nusd */
function inDigits(nusd) {
  if (nusd === null) return '';
  const least = 10 ** -costDigits;
  return nusd > 0 && nusd < least * 5e8 ? `< $${least.toFixed(costDigits)}` : '$' + (nusd / 1e9).toFixed(costDigits);
}
function chooseUnits() {
  let longest = 0;
  for (let r = 0; r < N; r++) { mostCost = max(mostCost, col.cost[r]); longest = max(longest, ticksOf(r)); }
  costDigits = mostCost > 1e8 ? 4 : mostCost > 1e7 ? 5 : 6;
  longest *= tickUs;
  timeUnit = longest >= 1e6 ? [1e6, 's', 2] : longest >= 1000 ? [1000, 'ms', tickUs < 1000 ? 3 : 0] : [1, 'µs', 0];
}
// Of a long path the name of its file tells most.
/** @param {string} label */
const shortPaths = (label) => label.length < 30 ? label : label.slice(0, 1000).replace(/(?<!\S)\/?(?:[^\s/]+\/){2,}(?=[^\s/])/g, '…/');

/**
 * @typedef {object} Slot  one row of elements
 * @property {HTMLElement} element
 * @property {HTMLElement} fold
 * @property {HTMLElement} bar
 * @property {HTMLElement[]} texts
 * @property {number} row   that it shows, or the line of a group; NO_LINE: none
 */
const NO_LINE = -Infinity;
const treeGrid = make('div', 'tree', '', { role: 'treegrid', tabIndex: 0, ariaLabel: 'Calls' });
/** As high as all rows; within it a view of the rows that stays in place while it is scrolled. */
const treeTall = make('div', 'tall', '', { role: 'presentation' }), treeView = make('div', 'view', '', { role: 'presentation' }), treeBody = make('div', 'body', '', { role: 'rowgroup' });
/** @type {TreeColumn[]} */
let treeColumns = [];
/** @type {Slot[]} */
const treeSlots = [];
/** @type {Map<string, HTMLElement>} */
const treeHeads = new Map();
let mostCost = 1;
/** Place in `lines` of the first in view, and of the one behind the last. */
let firstInView = 0, endOfView = 0;

/** @param {HTMLElement} box */
function addTree(box) {
  treeColumns = TREE_COLUMNS.filter(({ name, needs }) => needs ? col[needs].some((n) => n > 0) : name !== 'agent' || laneCalls.length > 1);
  chooseUnits(); groupRows();
  treeGrid.classList.toggle('days', tellMoment(epochUs)[2] === '-');
  treeGrid.style.setProperty('--money', 48 + 8 * costDigits + 'px');
  treeGrid.ariaColCount = String(treeColumns.length);
  put(box, put(treeGrid, put(treeTall, put(treeView, treeHead(), treeBody))));
  listen(treeGrid, 'scroll', soon, { passive: true });
  listen(treeBody, 'click', clickRow);
  onRelist.push(measureTree);
  panes.push({ name: 'tree', title: 'Tree', element: treeGrid, below: 'timeline', draw: drawTree, reveal: revealRow, spot: spotOfRow });
}

/** @param {{name: string, title: string, least?: number}} column @returns {string} with its unit, and the sign of lower bounds */
const titleOfColumn = ({ name, title, least = 0 }) => (col.flags.some((flags) => (flags & least) > 0) ? '≥ ' : '') + (name === 'duration' ? `${title} ${timeUnit[1]}` : title);
/** @returns {HTMLElement} the row of titles: a click sorts */
function treeHead() {
  const row = make('div', 'row', '', { role: 'row', ariaRowIndex: '1' });
  for (const column of treeColumns) {
    const { name, tells, sort } = column, cell = make('div', 'cell ' + name, titleOfColumn(column), { role: 'columnheader', title: sort ? tells + '. Click to sort' : tells });
    if (sort) {
      cell.classList.add('sorts');
      listen(cell, 'click', () => sortBy(sort));
      treeHeads.set(sort, cell);
    }
    put(row, cell);
  }
  return put(make('div', 'head', '', { role: 'rowgroup' }), row);
}

// The largest first, then the smallest, then as it happened; of moments the earliest first.
/** @param {string} name */
function sortBy(name) {
  if (sortKey !== name) { sortKey = name; sortDown = name !== 'start'; }
  else if (sortDown === (name !== 'start')) sortDown = !sortDown;
  else sortKey = '';
  treeGrid.scrollTop = 0;
  relist();
  reveal();
}
/** By the next column, for those without a mouse. */
function sortByNext() {
  const names = ['', ...treeHeads.keys()];
  sortBy(names[(names.indexOf(sortKey) + 1) % names.length]);
  say(sortKey ? `sorted by ${sortKey}, ${sortDown ? 'largest' : 'earliest'} first` : 'in order of time');
}

function measureTree() {
  treeTall.style.height = min(TALLEST, lines.length * ROW_HEIGHT) + ROW_HEIGHT + 'px';
  treeGrid.ariaRowCount = String(lines.length + 1);
  for (const [name, cell] of treeHeads) cell.ariaSort = name !== sortKey ? null : sortDown ? 'descending' : 'ascending';
  for (const slot of treeSlots) slot.row = NO_LINE;
}

/** Pixels of rows that can be scrolled, and of the scroll bar that stands for them. */
function scrollSpans() {
  const room = treeGrid.clientHeight - ROW_HEIGHT;
  return { room, rows: max(0, lines.length * ROW_HEIGHT - room), bar: max(1, min(TALLEST, lines.length * ROW_HEIGHT) - room) };
}
/** How far the rows are scrolled, in pixels of rows. */
function scrolledRows() {
  const { rows, bar } = scrollSpans();
  return min(rows, rows > bar ? treeGrid.scrollTop * rows / bar : treeGrid.scrollTop);
}

/** @param {number} row */
const revealRow = (row) => revealPlace(lineAt[row] - 1);
/** @param {number} place of a line */
function revealPlace(place) {
  const { room, rows, bar } = scrollSpans();
  if (place < 0 || room <= 0) return;
  const top = place * ROW_HEIGHT, now = scrolledRows();
  // One that is far away comes to stand in the middle, its neighbours around it.
  const far = top < now - ROW_HEIGHT * 2 || top > now + room + ROW_HEIGHT;
  const next = far ? top - room / 2 : top < now ? top : top + ROW_HEIGHT > now + room ? top + ROW_HEIGHT - room : now;
  if (next !== now) treeGrid.scrollTop = next * (rows > bar ? bar / rows : 1);
}

/** @returns {Slot} */
function newSlot() {
  const element = make('div', 'row', '', { role: 'row' }), fold = make('span', 'fold', '', { ariaHidden: 'true' }), bar = make('span', 'bar');
  const texts = treeColumns.map(({ name }) => {
    const text = make('bdi');
    put(element, put(make('div', 'cell ' + name, '', { role: 'gridcell' }), name === 'what' ? fold : name === 'cost' ? bar : '', text));
    return text;
  });
  put(treeBody, element);
  return { element, fold, bar, texts, row: NO_LINE };
}

/** @param {Slot} slot @param {number} row or the line of a group @param {number} place in `lines` */
function fillSlot(slot, row, place) {
  const { element, fold, bar, texts } = slot, group = row < 0 ? groupAt(row) : null, folded = group ? group.shut : folds.has(row), parent = group || col.skip[row] > 1, told = group && tellGroup(group);
  // Turns stand above all that is in them.
  const at = group ? group.first : row, depth = sortKey ? 0 : depths[at] + agentsAround[at] - (group?.isAgent ? 1 : 0) + (turns.length && !group?.isTurn ? 1 : 0);
  slot.row = row;
  treeColumns.forEach(({ name, text }, k) => { texts[k].textContent = told ? told[name] ?? '' : text(row); });
  texts[0].title = texts[0].textContent ?? '';
  Object.assign(element, { id: 'row-' + row, ariaRowIndex: place + 2, ariaLevel: depth + 1, ariaExpanded: parent ? !folded : null });
  fold.textContent = !parent ? '' : folded ? '▸' : '▾';
  fold.style.marginLeft = `min(${min(depth, DEEPEST) * INDENT}px, 40%)`;
  bar.style.width = group ? '' : 100 * (known('cost', row) ?? 0) / mostCost + '%';
}

function drawTree() {
  const height = treeGrid.clientHeight - ROW_HEIGHT, top = scrolledRows(), first = floor(top / ROW_HEIGHT), many = min(lines.length - first, ceil(height / ROW_HEIGHT) + 1);
  if (height <= 0) return;
  treeView.style.height = min(treeGrid.clientHeight, treeTall.clientHeight) + 'px';
  firstInView = first; endOfView = first + many;
  while (treeSlots.length < many) treeSlots.push(newSlot());
  treeBody.style.transform = `translateY(${first * ROW_HEIGHT - top}px)`;
  treeSlots.forEach((slot, k) => {
    const { element } = slot, row = k < many ? lines[first + k] : NO_LINE;
    element.hidden = row === NO_LINE;
    if (row === NO_LINE) { slot.row = row; element.id = ''; return; }
    if (slot.row !== row) fillSlot(slot, row, first + k);
    element.ariaSelected = String(row < 0 ? groupAt(row) === chosenGroup : row === selectedRow || row === secondRow);
    element.className = row < 0 ? 'row group' : ['row', ['', 'failed', 'warned', 'warned'][troubleOf(row)], has(row, CRITICAL) ? 'critical' : '', isHit(row) ? 'hit' : ''].join(' ');
  });
  const at = chosenPlace();
  treeGrid.setAttribute('aria-activedescendant', at >= first && at < endOfView ? 'row-' + lines[at] : '');
}

/** @param {MouseEvent} event */
function clickRow(event) {
  const target = /** @type {HTMLElement} */ (event.target), slot = treeSlots.find(({ element }) => element.contains(target));
  if (!slot || slot.row === NO_LINE) return;
  if (slot.row < 0) { const group = groupAt(slot.row); shutGroup(group, !group.shut); }
  else if (target === slot.fold && col.skip[slot.row] > 1) fold(slot.row, !folds.has(slot.row));
  else if (event.shiftKey && selectedRow >= 0) selectSecond(slot.row);
  else select(slot.row);
}

/** @param {number} row @param {boolean} shut */
function fold(row, shut) {
  if (shut) folds.add(row); else folds.delete(row);
  relist();
}
// All that has something below it, within a row.
/** @param {number} row */
function foldBelow(row) {
  const end = row + col.skip[row], shut = !folds.has(row);
  for (let r = row; r < end; r++) if (shut && col.skip[r] > 1) folds.add(r); else folds.delete(r);
  relist();
}

/** @param {number} row @returns {{x: number, y: number} | null} */
function spotOfRow(row) {
  const place = lineAt[row] - 1;
  if (place < firstInView || place >= endOfView) return null;
  const box = frameOf(treeSlots[place - firstInView].element);
  return { x: box.left + min(box.width, treeGrid.clientWidth) / 2, y: box.top + box.height / 2 };
}
