#include <algorithm>

#include "redact/assigned.h"
#include "redact/bytes.h"
#include "redact/redact_rules.h"

namespace xtrace {
namespace {

using bytes::at, bytes::has, bytes::is_in, bytes::letter;
using std::string_view;

}  // namespace

void read_column(string_view t, const SecretName& name, std::vector<ByteRange>& found) {
  constexpr size_t kMostRows = 200, kLongestLine = 400;
  // Of a text in JSON the ends of lines are escaped.
  const size_t escape = t.find("\\n", name.end), newline = t.find('\n', name.end);
  const string_view line_sign = escape < newline && escape - name.end < kLongestLine ? "\\n" : "\n";
  const size_t before = name.begin == 0 ? string_view::npos : t.rfind(line_sign, name.begin - 1);
  size_t line = before == string_view::npos ? 0 : before + line_sign.size();
  const size_t quote =
      line_sign.size() > 1 && name.begin > 0 ? t.rfind('"', name.begin - 1) : string_view::npos;
  if (quote != string_view::npos && quote >= line) line = quote + 1;
  const size_t line_end = std::min(t.find(line_sign, name.end), t.size());
  if (line_end - line > kLongestLine || line_end == t.size()) return;
  const string_view header = t.substr(line, line_end - line);
  // A cell of the header has letters and single blanks only.
  const char sign = has(header, "|")    ? '|'
                    : has(header, "\t") ? '\t'
                    : has(header, ",")  ? ','
                    : has(header, ";")  ? ';'
                                        : ' ';
  const auto cells_of = [&](size_t from, size_t to, std::vector<ByteRange>& cells) {
    cells.clear();
    for (size_t p = from; p <= to;) {
      size_t stop = sign == ' ' ? t.find("  ", p) : t.find(sign, p);
      stop = std::min(stop, to);
      size_t first = p, last = stop;
      while (first < last && is_in(" \t\r\"'`*", at(t, first))) ++first;
      while (last > first && is_in(" \t\r\"'`*", at(t, last - 1))) --last;
      if (first < last || sign == ',' || sign == ';') cells.push_back({first, last});
      p = stop + 1;
      if (sign == ' ')
        while (p < to && t[p] == ' ') ++p;
    }
  };
  std::vector<ByteRange> cells;
  cells_of(line, line_end, cells);
  const size_t count = cells.size();
  const auto own = std::ranges::find_if(
      cells, [&](const ByteRange& one) { return one.begin <= name.begin && name.end == one.end; });
  if (own == cells.end() || count < 2) return;
  for (const ByteRange& one : cells) {
    if (one.begin == one.end) return;
    for (size_t i = one.begin; i < one.end; ++i)
      if (!letter(t[i]) && t[i] != '_' && t[i] != ' ' && t[i] != '-') return;
  }
  const size_t index = static_cast<size_t>(own - cells.begin());
  size_t at_line = line_end + line_sign.size();
  for (size_t row = 0; row < kMostRows && at_line < t.size(); ++row) {
    const size_t stop = std::min({t.find(line_sign, at_line), t.size(),
                                  line_sign.size() > 1 ? t.find('"', at_line) : t.size()});
    if (stop - at_line > kLongestLine) return;
    cells_of(at_line, stop, cells);
    at_line = stop + line_sign.size();
    if (sign == '|' && cells.size() == 1) continue;  // `|---|---|` in a row of its own
    if (cells.size() != count) return;
    size_t end = cells[index].end;
    if (end > cells[index].begin && is_value(t, name, cells[index].begin, end, Stated::bare))
      found.push_back({cells[index].begin, end});
  }
}

/// Below `data:` and `stringData:` of a manifest, every value is secret, whatever its name.
void read_manifest(string_view t, size_t hit, std::vector<ByteRange>& found) {
  constexpr size_t kReach = 2000;
  const size_t from = hit > kReach ? hit - kReach : 0;
  size_t line = from;
  while (line < t.size() && line < hit + kReach) {
    const size_t end = std::min(t.find('\n', line), t.size());
    const string_view text = t.substr(line, end - line);
    const size_t indent = std::min(text.find_first_not_of(' '), text.size());
    const string_view key = text.substr(indent);
    line = end + 1;
    if (!key.starts_with("data:") && !key.starts_with("stringData:")) continue;
    while (line < t.size()) {
      const size_t stop = std::min(t.find('\n', line), t.size());
      const string_view entry = t.substr(line, stop - line);
      const size_t own = entry.find_first_not_of(' ');
      const size_t colon = entry.find(": ");
      if (own == string_view::npos || own <= indent || colon == string_view::npos) break;
      size_t begin = line + colon + 2, last = stop;
      while (begin < last && is_in("\"' ", t[begin])) ++begin;
      while (last > begin && is_in("\"' \r", t[last - 1])) --last;
      if (begin < last && RedactCheck::manifest_value(t, begin, last))
        found.push_back({begin, last});
      line = stop + 1;
    }
  }
}

}  // namespace xtrace
