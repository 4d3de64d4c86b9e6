#include "view/common/reveal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/hidden_marker.h"
#include "base/nearest.h"
#include "base/text.h"
#include "view/common/named_calls.h"
#include "view/common/names.h"
#include "view/common/place.h"

namespace xtrace {

namespace {

/// A node that a user may have meant: a record, with its name, or an actor, which has no record.
struct Node {
  std::string id;
  std::optional<Extent> at;
};

class Search {
 public:
  Search(const Graph& graph, const RedactPolicy& policy)
      : graph_(graph),
        trace_(graph.trace()),
        hops_(graph.joined_hops()),
        raw_(Redaction::off, Door::Level::basic, 0),
        redacted_(policy, Door::Level::basic, 0),
        raw_names_(graph, raw_),
        shown_names_(graph, redacted_) {
    // As answers do, so that the numbers of replacements are theirs.
    for (const Actor& actor : hops_.actors) redacted_.name(actor.id);
  }

  /// All it may be, by the first way that fits anything.
  std::vector<Node> find(const std::string& id) {
    found_.clear();
    by_id(id);
    if (found_.empty()) by_place(id);
    if (found_.empty())  // what `explain` takes it for: the call with which it begins
      for (CallId call : calls_by_turn(graph_, id)) take(call);
    if (found_.empty() && id.find(kHiddenMarker) != std::string::npos) {
      by_shown(id, [](std::string_view name) { return std::string(name); });
      if (found_.empty()) by_shown(without_numbers(id), without_numbers);
    }
    return std::move(found_);
  }

  RecordPlace place(const Extent& at) const { return raw_names_.place(at); }

  std::vector<std::string_view> known() const {
    std::vector<std::string_view> ids;
    for (size_t i = 0; i < trace_.calls.size(); ++i) ids.push_back(raw_names_.id(CallId(i)).view());
    for (const Span& span : trace_.spans) ids.push_back(trace_[span.shown_id()]);
    for (const Actor& actor : hops_.actors) ids.push_back(actor.id);
    return ids;
  }

 private:
  void take(CallId id) {
    found_.push_back({std::string(raw_names_.id(id).view()), trace_[id].source});
  }

  void by_id(const std::string& id) {
    for (size_t i = 0; i < trace_.calls.size(); ++i)
      if (raw_names_.id(CallId(i)).view() == id) return take(CallId(i));
    for (const Actor& actor : hops_.actors)
      if (actor.id == id) return found_.push_back({id, {}});
    // All spans that bear the id, and where another side's stands for the hop, that.
    for (const Span& span : trace_.spans)
      if (trace_[span.shown_id()] == id) found_.push_back({id, span.source});
    if (!found_.empty())
      for (const Hop& hop : hops_.all)
        for (SpanId seen : hops_.observations_of(hop))
          if (trace_[trace_[seen].shown_id()] == id) found_.push_back({id, hop.at});
    if (!found_.empty()) return;
    if (HopId hop = hops_.find(trace_, id)) return found_.push_back({id, hops_[hop].at});
  }

  void by_place(const std::string& id) {
    std::optional<Place> place = Place::read(id, trace_);
    if (!place) return;
    for (size_t i = 0; i < trace_.calls.size(); ++i)
      if (place->is(trace_, trace_.calls[i].source)) take(CallId(i));
    for (const Span& span : trace_.spans)
      if (place->is(trace_, span.source))
        found_.push_back({std::string(trace_[span.shown_id()]), span.source});
  }

  template <class Form>
  void by_shown(const std::string& id, Form form) {
    for (size_t i = 0; i < trace_.calls.size(); ++i)
      if (form(shown_names_.id(CallId(i)).view()) == id) take(CallId(i));
    for (const Actor& actor : hops_.actors)
      if (form(redacted_.name(actor.id).view()) == id)
        found_.push_back({std::string(actor.id), {}});
  }

  const Graph& graph_;
  const Trace& trace_;
  const Hops& hops_;
  Door raw_, redacted_;
  Names raw_names_, shown_names_;
  std::vector<Node> found_;
};

}  // namespace

Status reveal(const std::vector<std::string>& ids, const Graph& graph, const RedactPolicy& policy,
              Door& door) {
  if (ids.empty()) return {};
  Search search(graph, policy);
  for (const std::string& id : ids) {
    std::vector<Node> found = search.find(id);
    if (found.empty())
      return fail(Exit::no, fmt::format("--reveal: there is no call, span or actor '{}'{}",
                                        printable(id), did_you_mean(id, search.known())));
    bool is_one = std::all_of(found.begin(), found.end(),
                              [&](const Node& node) { return node.id == found.front().id; });
    if (!is_one)
      return fail(Exit::no, fmt::format("--reveal: '{}' matches {} nodes; name one by file:line",
                                        printable(id), found.size()));
    for (const Node& node : found) {
      if (node.at) door.reveal(search.place(*node.at));
      std::string_view label = node.at ? std::string_view() : Actor{node.id}.label();
      door.reveal(node.id, label);
    }
  }
  return {};
}

}  // namespace xtrace
