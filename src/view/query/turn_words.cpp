#include "view/query/turn_words.h"

#include <fmt/format.h>

#include "facts/payloads.h"

namespace xtrace {

std::string turn_words(const Question& question, const Names& names, const Query& query) {
  constexpr size_t kLongest = 60;
  if (query.from != Query::From::turn) return {};
  const CallId first = query.calls.front();
  std::string words = fmt::format("turn {}", question.graph.call_turns()[first.index].number);
  if (question.payloads == nullptr || !question.door.shows_first_words()) return words;
  Door::At at(question.door, names.place(first));
  const Text said = question.door.first_words(
      question.payloads->read(question.graph.trace()[first]).prompt, kLongest);
  return said.empty() ? words : fmt::format("{} “{}”", words, said.view());
}

}  // namespace xtrace
