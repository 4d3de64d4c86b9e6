#include "view/why/call_question.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/number.h"
#include "base/text.h"
#include "view/common/place.h"
#include "view/common/selector.h"

namespace xtrace {

namespace {

bool is_among(const std::vector<CallId>& calls, CallId call) {
  return std::find(calls.begin(), calls.end(), call) != calls.end();
}

}  // namespace

Text words_of_question(const HopScene& scene, CallId call, std::string_view asked) {
  const Graph& graph = scene.question.graph;
  const std::string id(scene.names.id(call).view());
  const std::string named = fmt::format("{} ({})", printable(asked), id);
  std::string question = fmt::format("Why did {} happen?", named);
  if (asked.empty() || asked == id) {
    question = fmt::format("Why was call {} made?", id);
  } else if (Place::read(asked)) {  // several lines record a call, others none
    const bool is_recorded_there = !find_calls(graph, asked, NameOf::calls).empty();
    question = fmt::format(
        "Why was call {} at {} ({} {}) made?", id, scene.names.shown_at(call).view(),
        is_recorded_there ? "also recorded at" : "the next call after", printable(asked));
  } else if (asked == scene.names.agent(graph.agent_of(call)).view() ||
             is_among(find_calls(graph, asked, NameOf::subagents), call)) {
    question = fmt::format("Why was {} started?", named);
  } else if (is_among(find_calls(graph, asked, NameOf::turns), call)) {
    const bool is_bare = number_of<uint32_t>(asked).has_value();
    question = fmt::format("Why did {}{} start?", is_bare ? "turn " : "", named);
  }
  return scene.question.door.composed(question);
}

}  // namespace xtrace
