// What is copied of the selection, for a report or another program.

// Text that no renderer of Markdown or HTML takes for anything else; it stays in its line.
/** @param {string} text */
const plain = (text) => tellName(text, Infinity).replace(/[\\`*_{}[\]()#!|~$@^]|:(?!\d)/g, '\\$&').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/(www)\./gi, '$1\\.');

/** @param {End} end */
const copiedLink = ({ edge, row, confidence }) => ({ id: idOf(row), what: labelOf(row), type: textOf('e_type', edge), method: textOf('e_method', edge), confidence, evidence: textOf('e_evidence', edge) || undefined, at: [placeOf(sourceRow[edge]), placeOf(targetRow[edge])], alternatives: rivalsOf(edge) });

/** @param {string} title @param {string[]} lines */
const listed = (title, lines) => lines.length ? ['', `**${title}**`, '', ...lines.map((line) => '- ' + line)] : [];

/** @param {number} row @returns {string} */
function markdownOf(row) {
  const { causes, effects } = linksOf(row);
  /** @param {End} end */
  const line = (end) => {
    const link = copiedLink(end), rivals = link.alternatives.map((a) => `${plain(a.id)} ${a.confidence.toFixed(2)}`).join(', ');
    return `${plain(link.what)} (${plain(link.id)}): ${plain(link.type)}, ${plain(ruleOf(link.method))}, ${tellSure(link.confidence)}, ${link.at.map(plain).join(' → ')}${rivals && ', or ' + rivals}`;
  };
  return [`**${plain(labelOf(row))}**`, '', ...factsOf(row).map(({ key, text }) => `- ${titled(key)}: ${plain(text)}`),
    ...listed('Tools', toolsOf(row).map((t) => `${plain(t.name)} ${plain(t.target)} ${tellDuration(t.duration_us)}${t.failed ? ' failed' : ''}`.trim())),
    ...listed('Causes', causes.map(line)), ...listed('Effects', effects.map(line)), ''].join('\n');
}

/** @param {'markdown' | 'json'} format @returns {string} empty without a selection */
function copyAs(format) {
  const row = selectedRow;
  if (row < 0) return '';
  if (format === 'markdown') return markdownOf(row);
  const { causes, effects } = linksOf(row);
  return JSON.stringify({ ...Object.fromEntries(factsOf(row).map(({ key, value }) => [key, value])), tools: toolsOf(row), causes: causes.map(copiedLink), effects: effects.map(copiedLink) }, null, 1);
}

// Copies; where there is no clipboard, shows the text so that a person can.
/** @param {'markdown' | 'json'} format */
async function copyOut(format) {
  const text = copyAs(format);
  if (!text) return;
  try {
    await navigator.clipboard.writeText(text);
    $('said').textContent = `Copied, ${tellCount(text.length)} characters`;
  } catch { showText(text); }
}
/** @param {string} text */
function showText(text) {
  const ariaLabel = 'Text to copy', dialog = make('dialog', '', '', { ariaLabel }), area = make('textarea', '', '', { ariaLabel, value: text, readOnly: true, rows: 12 });
  put(document.body, put(dialog, make('p', '', 'No clipboard access; copy the selected text.'), area, press('Close', () => dialog.close())));
  listen(dialog, 'close', () => dialog.remove());
  dialog.showModal();
  area.select();
}
