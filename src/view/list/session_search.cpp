#include "view/list/session_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/lower.h"
#include "base/text.h"
#include "facts/payloads.h"
#include "facts/tool_targets.h"
#include "link/graph/queries.h"
#include "view/list/title_words.h"

namespace xtrace {

namespace {

class SessionSearch {
 public:
  SessionSearch(const std::string& word, const Question& question)
      : word_(lower(word)), question_(question), trace_(question.graph.trace()) {}

  /// The cheapest places come first: the texts of calls are read again from their files.
  bool finds_in(const Session& session) const {
    return contains(trace_[session.title]) || std::ranges::any_of(session.calls, [&](CallId id) {
             return touches(id) || is_said_in(id);
           });
  }

 private:
  bool contains(std::string_view text) const {
    return lower(text).find(word_) != std::string::npos;
  }

  bool touches(CallId id) const {
    return std::ranges::any_of(question_.graph.tool_uses_of(id), [&](const ToolUse* use) {
      return std::ranges::any_of(targets_of(trace_, *use),
                                 [&](StringId target) { return contains(trace_[target]); });
    });
  }

  bool is_said_in(CallId id) const {
    if (question_.payloads == nullptr) return false;
    const Call& call = trace_[id];
    if (question_.shows_payload())
      return std::ranges::any_of(question_.payloads->quotes(call),
                                 [&](const Quote& quote) { return contains(quote.text); });
    return !call.in_subagent && begins_turn(question_.graph, id) &&
           contains(title_words(question_.payloads->read(call).prompt));
  }

  std::string word_;
  const Question& question_;
  const Trace& trace_;
};

}  // namespace

Status keep_sessions_with(const std::string& word, const Question& question, Selection& selection) {
  const SessionSearch search(word, question);
  bool any = false;
  for (const Session& session : question.graph.sessions()) {
    if (selection.shown(session.calls).empty()) continue;
    if (search.finds_in(session)) {
      any = true;
      continue;
    }
    for (CallId id : session.calls) {
      selection.hidden.nodes += selection.shows(id);
      selection.calls[id.index] = false;
    }
  }
  if (any) return {};
  return fail(Exit::no,
              fmt::format("no session contains '{}'{}", printable(word),
                          question.shows_payload()
                              ? ""
                              : " in its title, its prompts or the files it touched; --level full "
                                "searches everything that was said"));
}

}  // namespace xtrace
