#include "serve/live_page.h"

#include <fmt/format.h>

#include <string_view>

#include "base/base64.h"
#include "base/sha256.h"

namespace xtrace::serve {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; }
html, body { height: 100%; margin: 0; }
body { display: grid; grid-template-rows: auto 1fr; font: 13px/1.5 system-ui, sans-serif; }
#live { margin: 0; padding: 2px 12px; border-bottom: 1px solid color-mix(in srgb, currentcolor 20%, transparent); }
#live::before { content: '●'; margin-right: .5em; color: #1a7f37; }
#live.waiting::before { color: #9a6700; }
#live.gone::before { content: '○'; color: #cf222e; }
#frames { position: relative; }
iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
iframe.coming { visibility: hidden; }
@media print { #live { display: none; } }
)";

constexpr std::string_view kScript = R"('use strict';
// The explorer is a page of its own, in a frame. A new one is loaded behind the one that is shown.
const line = document.getElementById('live'), frames = document.getElementById('frames');
// The token is in a cookie by now, and no longer in the address, which people copy.
const clean = new URL(location.href);
clean.searchParams.delete('token');
history.replaceState(null, '', clean);

// At most one refresh a second, and no more than a third of the time.
const LEAST_MS = 1000, SHARE = 3, BUSY_MS = 250, TYPING_MS = 2000;
let shown = null, coming = null, wanted = -1, loaded = -1, updated = '', isGone = false, nextAt = 0, timer = 0;
let isPressed = false, typedAt = -TYPING_MS;

const say = (words, look) => { if (line.textContent !== words) line.textContent = words; line.className = look || ''; };
const tell = () => isGone ? say(updated ? `the server is gone; last updated ${updated}` : 'the server is gone', 'gone')
  : updated ? say(`live, updated ${updated}`) : say('waiting for the first record', 'waiting');

// The way from the nearest element with an id down to this one.
function pathOf(element) {
  let path = '';
  for (let at = element; at && at.parentElement; at = at.parentElement) {
    if (at.id) return '#' + CSS.escape(at.id) + path;
    path = ` > :nth-child(${[...at.parentElement.children].indexOf(at) + 1})` + path;
  }
  return ':root' + path;
}
// Everything that is scrolled, and where one types, is so in the new page as well.
function carryOver(from, to) {
  for (const element of from.querySelectorAll('*'))
    if (element.scrollTop || element.scrollLeft) to.querySelector(pathOf(element))?.scrollTo(element.scrollLeft, element.scrollTop);
  const active = from.activeElement;
  if (!active || active === from.body) return;
  const next = to.querySelector(pathOf(active));
  next?.focus({ preventScroll: true });
  if (typeof active.selectionStart === 'number' && next) try { next.setSelectionRange(active.selectionStart, active.selectionEnd); } catch { /* not a field of text */ }
}
const isBusy = () => shown && (isPressed || performance.now() - typedAt < TYPING_MS || shown.contentDocument.querySelector('dialog[open]'));
function watch(frame) {
  const inside = frame.contentWindow;
  inside.addEventListener('pointerdown', () => { isPressed = true; }, true);
  for (const end of ['pointerup', 'pointercancel']) inside.addEventListener(end, () => { isPressed = false; }, true);
  inside.addEventListener('keydown', () => { typedAt = performance.now(); }, true);
}

async function swap(frame, version, began) {
  const inside = frame.contentWindow;
  if (!inside.xtrace) {  // it is the reason why there is no page
    let reason = '';
    try { reason = JSON.parse(frame.contentDocument.body.textContent).error.message; } catch { /* nothing that we sent */ }
    frame.remove();
    coming = null;
    loaded = version;
    if (!shown) say(reason || 'no page', 'waiting');
    nextAt = performance.now() + LEAST_MS;
    later();
    return;
  }
  try { await inside.xtrace.ready; } catch { /* it says so itself */ }
  nextAt = performance.now() + Math.max(LEAST_MS, SHARE * (performance.now() - began));
  while (isBusy()) await new Promise((done) => setTimeout(done, BUSY_MS));
  if (shown) {
    // The person may have chosen something else while the new page was loading.
    const chosen = shown.contentWindow.location.hash;
    if (chosen !== inside.location.hash) { inside.history.replaceState(null, '', chosen); inside.dispatchEvent(new PopStateEvent('popstate')); await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))); }
    carryOver(shown.contentDocument, frame.contentDocument);
  }
  frame.classList.remove('coming');
  shown?.remove();
  shown = frame;
  coming = null;
  loaded = version;
  isPressed = false;
  watch(frame);
  document.title = frame.contentDocument.title;
  updated = new Date().toLocaleTimeString([], { hour12: false });
  tell();
  later();
}
function load() {
  timer = 0;
  if (coming || wanted === loaded) return;
  const version = wanted, began = performance.now();
  coming = document.createElement('iframe');
  coming.title = 'Explorer';
  coming.className = 'coming';
  coming.onload = function () { if (this.contentWindow.location.pathname === '/page') swap(this, version, began); };
  coming.src = `/page?at=${version}` + (shown ? shown.contentWindow.location.hash : location.hash);
  frames.append(coming);
}
function later() {
  // Before the first record there is nothing to load.
  if (!timer && !coming && wanted > 0 && wanted !== loaded) timer = setTimeout(load, Math.max(0, nextAt - performance.now()));
}

const events = new EventSource('/changes');
events.addEventListener('change', ({ data }) => { isGone = false; wanted = JSON.parse(data).version; if (updated) tell(); later(); });
events.onopen = () => { isGone = false; tell(); };
events.onerror = () => { isGone = true; tell(); };

// The address says what is chosen, as that of a page in a file does.
setInterval(() => {
  const hash = shown?.contentWindow.location.hash;
  if (hash && hash !== location.hash) history.replaceState(null, '', location.pathname + hash);
}, 500);
addEventListener('hashchange', () => { if (shown && shown.contentWindow.location.hash !== location.hash) shown.contentWindow.location.hash = location.hash; });
Object.defineProperty(window, 'xtrace', { get: () => shown?.contentWindow.xtrace });
Object.defineProperty(window, 'xtraceLive', { get: () => ({ wanted, loaded, isGone, updated }) });
)";

std::string hash_of_source(std::string_view source) {
  return fmt::format("'sha256-{}'", base64(sha256_bytes_of(source)));
}

std::string make_page() {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>xtrace</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<p id=\"live\" class=\"waiting\" role=\"status\">connecting</p>\n<div id=\"frames\"></div>\n"
      "<script>{}</script>\n</body>\n</html>\n",
      kStyle, kScript);
}

}  // namespace

SharedText live_page() {
  static const SharedText kPage = std::make_shared<const std::string>(make_page());
  return kPage;
}

const std::string& live_page_policy() {
  static const std::string kPolicy = fmt::format(
      "default-src 'none'; script-src {}; style-src {}; connect-src 'self'; frame-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
      "require-trusted-types-for 'script'",
      hash_of_source(kScript), hash_of_source(kStyle));
  return kPolicy;
}

}  // namespace xtrace::serve
