// Numbers and names as people read them, in one unit each and never localised.

// As text writes it (format_span).
/** @param {number | null} us @returns {string} empty: unknown */
function tellDuration(us) {
  if (us === null) return '';
  if (us < 0) return '-' + tellDuration(-us);
  us = round(us);
  if (us < 1000) return us ? `${us}µs` : '0ms';
  if (us < 999500) return `${(us / 1000).toFixed(us < 9950 && us % 1000 ? 1 : 0)}ms`;
  if (us < 59.95e6) return `${(us / 1e6).toFixed(1)}s`;
  const s = round(us / 1e6), [one, least, names] = /** @type {[number, number, string]} */ (s < 3600 ? [60, 1, 'ms'] : s < 86400 ? [3600, 60, 'hm'] : [86400, 3600, 'dh']);
  return floor(s / one) + names[0] + String(floor(s % one / least)).padStart(2, '0') + names[1];
}
/** @param {number | null} nusd billionths of a dollar @returns {string} */
function tellCost(nusd) {
  if (nusd === null) return '';
  if (nusd < 0) return '-' + tellCost(-nusd);
  const usd = nusd / 1e9;
  return '$' + (usd >= 1 || usd === 0 ? usd.toFixed(2) : usd >= 0.01 ? usd.toFixed(3) : usd.toFixed(5).replace(/0+$/, ''));
}
// As a lower bound, where it is more.
/** @param {unknown} isMore @param {string} text */
const atLeast = (isMore, text) => isMore && text ? (text.startsWith('<') ? '>$0' : '≥' + text) : text;
/** @param {number | null} n */
const tellCount = (n) => n === null ? '' : String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
/** @param {number} us since 1970 @returns {string} in UTC; where the user has just opened the page, in the time of the browser */
function isoOf(us) {
  const date = new Date(floor(us / 1000));
  return abs(us) < 8e18 ? new Date(+date - (head.local ? date.getTimezoneOffset() * 6e4 : 0)).toISOString() : '';
}
const zone = () => head.local ? ' local time' : ' UTC';
/** @param {number | null} us @param {boolean} [day] with its date */
function tellTime(us, day = false) {
  const text = us === null ? '' : isoOf(us);
  return day ? text.slice(0, 19).replace('T', ' ') : text.slice(11, 23);
}
// A name that acts on nothing: control characters as pictures, what turns text around by its number, as without scripts.
/** @param {string} name @param {number} [most] */
function tellName(name, most = 200) {
  const cut = name.length > most ? name.slice(0, most - 1) + '…' : name;
  return cut.replace(/[\u0000-\u001f]/g, (c) => String.fromCharCode(0x2400 + c.charCodeAt(0))).replace(/\u007f/g, '␡')
    .replace(/[\u0080-\u009f\u2028\u2029]/g, '␤').replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase()}⟩`);
}

// What there is of some words.
/** @param {unknown[]} words @param {string} between */
const joined = (words, between) => words.filter(Boolean).join(between);
/** @param {HTMLElement} button @param {unknown} is */
const setPressed = (button, is) => { const now = String(Boolean(is)); if (button.ariaPressed !== now) button.ariaPressed = now; };
/** @param {Element} element */
const frameOf = (element) => element.getBoundingClientRect();

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => max(least, min(most, value));

// An element with a class, a text and whatever else it is: title, role, ariaLabel, …
/** @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {string} [name] @param {string} [text] @param {Record<string, unknown>} [more] @returns {HTMLElementTagNameMap[T]} */
const make = (tag, name = '', text = '', more) => Object.assign(document.createElement(tag), name ? { className: name } : null, { textContent: text }, more);
/** @param {string} tag @param {Record<string, string | number>} [attributes] @param {string} [text] @returns {SVGElement} */
function makeSvg(tag, attributes = {}, text = '') {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG_SPACE, tag));
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.textContent = text;
  return element;
}
const SVG_SPACE = /** @type {SVGElement} */ (document.querySelector('svg')).namespaceURI;
/** @template {keyof (WindowEventMap & HTMLElementEventMap)} T @param {EventTarget} target @param {T} type @param {(event: (WindowEventMap & HTMLElementEventMap)[T]) => void} act @param {AddEventListenerOptions} [how] */
const listen = (target, type, act, how) => target.addEventListener(type, /** @type {EventListener} */ (act), how);
/** @template {Node} T @param {T} element @param {...(string | Node)} parts @returns {T} */
function put(element, ...parts) { /** @type {any} */ (element).append(...parts); return element; }
/** @param {...(string | Node)} parts */
const item = (...parts) => put(make('li'), ...parts);
/** @param {string} text @param {() => void} act @param {string} [title] */
function press(text, act, title = '') {
  const button = make('button', '', text, { title });
  listen(button, 'click', act);
  return button;
}
// A name that somebody else chose.
/** @param {string} name @param {number} [most] */
const bdi = (name, most) => make('bdi', '', tellName(name, most));
// The file of a place without its folders, which the title has.
/** @param {string} place */
const shortPlace = (place) => Object.assign(bdi(place.replace(/^.*\//, '')), { title: place });
// With what it counts: 1 call, 2 calls.
/** @param {number} n @param {string} what */
const tellMany = (n, what) => `${tellCount(n)} ${what}${n === 1 ? '' : 's'}`;
