#include "facts/steady_output.h"

#include <algorithm>
#include <cstddef>

namespace xtrace {

namespace {

/// What a number stands behind, and what stands near it where a client wrote both.
struct Mark {
  std::string_view words, beside, digits;
  bool at_end;  ///< of the output; else at its beginning
};
constexpr std::string_view kDecimal = "0123456789.";
constexpr Mark kMarks[] = {
    {"Chunk ID: ", "\nOutput:", "0123456789abcdef", false},                     // Codex
    {"Wall time: ", "\nOutput:", kDecimal, false},                              // likewise
    {"\"duration_seconds\":", "\"metadata\":{\"exit_code\":", kDecimal, true},  // of 2025
    {"\nProcess Group PGID: ", "", kDecimal, true},                             // Gemini CLI
    {"\n<shellId: ", " completed with exit code ", kDecimal, true},             // Copilot CLI
};
constexpr size_t kEdge = 200;  // bytes in which a client's words are looked for

/// Where the number begins; npos: no client wrote it.
size_t number_behind(const Mark& mark, std::string_view text) {
  const size_t from = mark.at_end ? text.size() - std::min(text.size(), kEdge) : 0;
  const std::string_view edge = text.substr(from, kEdge);
  const size_t at = edge.find(mark.words);
  const bool is_clients = at != edge.npos && edge.find(mark.beside) != edge.npos &&
                          (mark.at_end || at == 0 || edge[at - 1] == '\n');
  return is_clients ? from + at + mark.words.size() : text.npos;
}

}  // namespace

std::string_view steady_output(std::string_view text, std::string& room) {
  for (const Mark& mark : kMarks) {
    const size_t at = number_behind(mark, text);
    if (at == text.npos) continue;
    const size_t end = std::min(text.find_first_not_of(mark.digits, at), text.size());
    room = std::string(text.substr(0, at)).append(text.substr(end));
    text = room;
  }
  return text;
}

}  // namespace xtrace
