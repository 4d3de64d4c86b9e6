#include "facts/steady_output.h"

#include <algorithm>
#include <cstddef>

namespace xtrace {

namespace {

/// Numbers stand behind them.
struct Mark {
  std::string_view words;
  bool at_end;  ///< of the output; else at its beginning
};
constexpr Mark kMarks[] = {
    {"Chunk ID: ", false},            // Codex
    {"Wall time: ", false},           // likewise
    {"Process Group PGID: ", true},   // Gemini CLI
    {"<shellId: ", true},             // Copilot CLI
    {"\"duration_seconds\":", true},  // Codex, of 2025
};
constexpr size_t kEdge = 200;  // bytes in which a client's words are looked for

/// Where the number behind the mark begins; npos: the client did not write it.
size_t number_behind(const Mark& mark, std::string_view text) {
  const size_t from = mark.at_end ? text.size() - std::min(text.size(), kEdge) : 0;
  const size_t at = text.substr(from, kEdge).find(mark.words);
  if (at == text.npos) return at;
  const size_t begin = from + at;
  const bool stands_alone = begin == 0 || text[begin - 1] == '\n' || mark.words.front() == '"';
  return stands_alone ? begin + mark.words.size() : text.npos;
}

}  // namespace

std::string_view steady_output(std::string_view text, std::string& room) {
  for (const Mark& mark : kMarks) {
    const size_t at = number_behind(mark, text);
    if (at == text.npos) continue;
    const size_t end = std::min(text.find_first_not_of("0123456789abcdef. ", at), text.size());
    room = std::string(text.substr(0, at)).append(text.substr(end));
    text = room;
  }
  return text;
}

}  // namespace xtrace
