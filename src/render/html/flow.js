// Draws the flow from results of tools into later tools, as actors.js draws calls.

/** @type {Measure[]} */
const FLOW_MEASURES = [['tokens', (e) => e.tokens, (tokens, { about }) => (about ? '~' : '') + tellCount(tokens)], ['results', (e) => e.calls, tellCount], ['bytes', (e) => e.bytes ?? 0, tellCount]];

/** @param {HTMLElement} box */
function addFlow(box) {
  if (head.flows) addBandsPane(box, 'flow', head.flows, FLOW_MEASURES, ['From results of tools to later tools', '', 'left: results, right: the tools used by the first call that read them; tokens that results added to the context']);
}
