#include "facts/steady_output.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "facts/agents.h"

namespace xtrace {

namespace {

constexpr size_t kEdge = 200;  // bytes in which a client's words are looked for

/// Where the number begins; npos: no client wrote it.
size_t number_behind(const OutputMark& mark, std::string_view text) {
  const size_t from = mark.at_end ? text.size() - std::min(text.size(), kEdge) : 0;
  const std::string_view edge = text.substr(from, kEdge);
  const size_t at = edge.find(mark.words);
  const bool is_clients = at != edge.npos && edge.find(mark.beside) != edge.npos &&
                          (mark.at_end || at == 0 || edge[at - 1] == '\n');
  return is_clients ? from + at + mark.words.size() : text.npos;
}

}  // namespace

std::string_view steady_output(std::string_view text, std::string& room) {
  static const std::vector<OutputMark> kMarks = [] {
    std::vector<OutputMark> marks;
    for (const AgentFacts& agent : agents())
      for (const OutputMark& mark : agent.marks)
        if (!mark.words.empty()) marks.push_back(mark);
    return marks;
  }();
  for (const OutputMark& mark : kMarks) {
    const size_t at = number_behind(mark, text);
    if (at == text.npos) continue;
    const size_t end = std::min(text.find_first_not_of(mark.digits, at), text.size());
    room = std::string(text.substr(0, at)).append(text.substr(end));
    text = room;
  }
  return text;
}

}  // namespace xtrace
