#include "view/why/which_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.h"
#include "view/common/names.h"

namespace xtrace {

tl::unexpected<Error> which_call(const Question& question, const std::string& name,
                                 const std::vector<CallId>& calls) {
  constexpr size_t kNamed = 10;
  Names names(question.graph, question.door);
  std::string list;
  for (CallId id : std::span(calls).first(std::min(calls.size(), kNamed)))
    list += fmt::format("\n  {}  {}  {}", printable(names.id(id).view()),
                        printable(names.session(question.graph.session_of(id)).view()),
                        printable(names.at(id).view()));
  return fail(Exit::no, fmt::format("'{}' matches {} calls; use one of:{}{}", printable(name),
                                    calls.size(), list, calls.size() > kNamed ? "\n  …" : ""));
}

}  // namespace xtrace
