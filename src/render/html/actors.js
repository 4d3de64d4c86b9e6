// Draws the calls between actors, which were folded and laid out before the page was written. Widths show one thing at a time, and each has its number.

// What a width can tell.
/** @typedef {[name: string, of: (edge: ActorEdge) => number, tell: (value: number, edge: ActorEdge) => string]} Measure */
/** @type {Measure[]} */
const MEASURES = [
  ['calls', (e) => e.calls, tellCount],
  ['tokens', (e) => e.tokens, tellCount],
  ['cost', (e) => e.cost_nusd, (cost, { more }) => atLeast(more, tellCost(cost))],
  ['time', (e) => e.time_us, tellDuration],
];

// More bands than this nobody tells apart; the list has them all.
const MOST_BANDS = 150;
/** @param {string} what it shows @param {Actors} actors @param {Measure} measure @param {number} room in pixels, which columns are moved to fill @returns {SVGElement} */
function actorPicture(what, { nodes: all, edges, width, height }, [name, of, tell], room) {
  const share = clamp(room / (width + 60), 0.5, 1.6), nodes = all.map((node) => ({ ...node, x: node.x * share, w: node.w * share })), moved = (/** @type {number[][]} */ points) => points.map(([x, y]) => [x * share, y]);
  const picture = pictureOf(share * (width + 60), height, `${what}, by ${name}; the list below has the same data`), most = max(1, ...edges.map(of)), numbers = [], taken = nodes.map(({ x, y, w, h }) => [x + w / 2, y + h / 2, w / 2, h / 2]);
  for (const edge of [...edges].sort((a, b) => of(b) - of(a)).slice(0, MOST_BANDS)) {
    const value = of(edge), [begin, ...bends] = moved(edge.way), spots = moved(edge.spots), text = joined([value && tell(value, edge), edge.failed && `! ${edge.failed}`], ' '), half = 4 * text.length;
    put(picture, sketch('path', edge.failed ? 'flow failed' : 'flow', { d: `M${begin}C${bends}`, 'stroke-width': max(1, 14 * value / most) }));
    if (!value && !edge.failed) continue;
    // Never upon a box or another number: upon its band, else above or below, else in the list alone.
    const at = [0, 14, -14, 28, -28, 42, -42].flatMap((by) => spots.map(([a, b]) => [a, b + by])).find(([a, b]) => taken.every(([c, d, wide, high]) => abs(a - c) > wide + half || abs(b - d) > high + 7));
    if (!at) continue;
    const [x, y] = at;
    taken.push([x, y, half, 7]);
    numbers.push(sketch('text', edge.failed ? 'number failed' : 'number', { x, y: y + 4, 'text-anchor': 'middle' }, text));
  }
  for (const { label, kind, x, y, w, h } of nodes) {
    const slot = legend.find((entry) => entry.name === label)?.slot, told = kind === label || w < 140 ? '' : kind;
    put(picture, sketch('rect', 'box', { x, y, width: w, height: h, rx: kind === 'agent' ? 12 : 2 }), makeSvg('text', { x: x + 10, y: y + h / 2 + 4 }, fitted(shortPaths(label), w - 18 - 7 * told.length)), sketch('text', 'soft', { x: x + w - 8, y: y + h / 2 + 4, 'text-anchor': 'end' }, told));
    if (slot !== undefined) put(picture, sketch('path', 'front', { d: `M${x + 4} ${y + 9}v${h - 18}`, stroke: `var(--hue-${slot})` }));
  }
  return put(picture, ...numbers);
}
/** @param {Measure[]} measures @param {Actors} actors @param {ActorEdge} edge */
function actorItem(measures, { nodes }, edge) {
  const words = measures.filter(([, of]) => of(edge)).map(([name, of, tell]) => name === 'calls' ? tellMany(edge.calls, edge.turns ? 'turn' : 'call') : tell(of(edge), edge) + (/tokens|results|bytes/.test(name) ? ' ' + (of(edge) === 1 ? name.slice(0, -1) : name) : ''));
  return item(bdi(nodes[edge.from].label, 60), ' → ', bdi(nodes[edge.to].label, 60), `: ${words.join(', ')}${edge.failed ? `, ! ${edge.failed} failed` : ''}`);
}

/** @param {HTMLElement} box @param {string} name of the pane @param {Actors} actors @param {Measure[]} all @param {[what: string, none: string, note: string]} words */
function addBandsPane(box, name, actors, all, [what, none, note]) {
  const title = name[0].toUpperCase() + name.slice(1), scroll = scrolled(title), measures = all.filter(([, of]) => actors.edges.some(of)), buttons = measures.map(([by], k) => press(by, () => { chosen = k; soon(); }));
  const [, first] = measures[0] ?? [, () => 0], list = section(what, [...actors.edges].sort((a, b) => first(b) - first(a)), (edge) => actorItem(all, actors, edge)), element = put(make('div', 'actors'), make('h2', 'unseen', title), barOfButtons('Width of the bands: ' + name, 'width: ', ...buttons), scroll);
  let chosen = 0, drawn = '';
  const draw = () => {
    const room = scroll.clientWidth - 26, now = `${chosen} ${room} ${hueBy}`;
    if (drawn === now) return;
    const isFirst = !drawn;
    drawn = now;
    buttons.forEach((button, k) => { setPressed(button, k === chosen); });
    scroll.replaceChildren(measures.length ? actorPicture(what, actors, measures[chosen], room) : make('p', '', none), make('p', 'soft', joined([note, actors.hidden && `${tellCount(actors.hidden)} more not shown`, actors.edges.length > MOST_BANDS && `only the ${MOST_BANDS} widest of ${actors.edges.length} bands are shown`], '; ')), ...list);
    // Of a picture that is larger than the pane one sees at first whoever is in the middle of it all.
    const busiest = scroll.querySelectorAll('.box')[actors.busiest], frame = frameOf(scroll);
    if (!isFirst || !busiest) return;
    const { x, y } = frameOf(busiest);
    scroll.scrollTo(x - frame.x - frame.width / 2 + 84, y - frame.y - frame.height / 2);
  };
  box.append(element);
  panes.push({ name, title, element, draw });
  LINK_PARTS.push([name + '-by', () => chosen ? measures[chosen][0] : '', (by) => { chosen = max(0, measures.findIndex(([own]) => own === by)); }]);
}
/** @param {HTMLElement} box */
const addActors = (box) => addBandsPane(box, 'actors', head.actors, MEASURES, ['Calls between actors', 'No calls between actors are recorded.', '']);
