#include "view/common/reveal.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "view/common/hidden_names.h"
#include "view/common/names.h"
#include "view/common/selector.h"

namespace xtrace {

namespace {

class Search {
 public:
  Search(const Graph& graph, const RedactPolicy& policy)
      : graph_(graph),
        raw_(Redaction::off, Door::Level::basic, 0),
        redacted_(policy, Door::Level::basic, 0),
        raw_names_(graph, raw_),
        shown_names_(graph, redacted_) {
    // As answers do, so that the numbers of replacements are theirs.
    for (const Actor& actor : graph.joined_hops().actors) redacted_.name(actor.id);
  }

  /// All it may be, by the first way that fits anything.
  std::vector<Meant> find(std::string_view name) {
    std::vector<Meant> found = find_meant(graph_, name, NameOf::records, &raw_names_);
    if (found.empty() && is_hidden(name))
      found = find_meant(graph_, name, NameOf::hidden_records, &shown_names_);
    return found;
  }

  /// What it is called that was found by the name; a hop bears that of a span of it.
  std::string id(const Meant& meant, const std::string& name) const {
    const Trace& trace = graph_.trace();
    if (meant.call) return std::string(raw_names_.id(meant.call).view());
    if (meant.actor) return std::string(graph_.joined_hops()[meant.actor].id);
    return meant.span ? std::string(trace[trace[meant.span].shown_id()]) : name;
  }
  /// Of all but an actor, which has no record.
  RecordPlace place(const Meant& meant) const {
    const Trace& trace = graph_.trace();
    return raw_names_.place(meant.call   ? trace[meant.call].source
                            : meant.span ? trace[meant.span].source
                                         : graph_.joined_hops()[meant.hop].at);
  }

  std::vector<std::string_view> known() const {
    const Trace& trace = graph_.trace();
    std::vector<std::string_view> ids;
    for (size_t i = 0; i < trace.calls.size(); ++i) ids.push_back(raw_names_.id(CallId(i)).view());
    for (const Span& span : trace.spans) ids.push_back(trace[span.shown_id()]);
    for (const Actor& actor : graph_.joined_hops().actors) ids.push_back(actor.id);
    return ids;
  }

 private:
  const Graph& graph_;
  Door raw_, redacted_;
  Names raw_names_, shown_names_;
};

}  // namespace

Status reveal(const std::vector<std::string>& ids, const Graph& graph, const RedactPolicy& policy,
              Door& door) {
  if (ids.empty()) return {};
  Search search(graph, policy);
  for (const std::string& name : ids) {
    const std::vector<Meant> found = search.find(name);
    if (found.empty())
      return fail(Exit::no, fmt::format("--reveal: there is no call, span or actor '{}'{}",
                                        printable(name), did_you_mean(name, search.known())));
    const std::string id = search.id(found.front(), name);
    if (!std::ranges::all_of(found, [&](const Meant& one) { return search.id(one, name) == id; }))
      return fail(Exit::no, fmt::format("--reveal: '{}' matches {} nodes; name one by file:line",
                                        printable(name), found.size()));
    for (const Meant& one : found)
      if (!one.actor) door.reveal(search.place(one));
    door.reveal(id, found.front().actor ? Actor{id}.label() : std::string_view());
  }
  return {};
}

}  // namespace xtrace
