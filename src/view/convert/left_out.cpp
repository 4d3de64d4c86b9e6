#include "view/convert/left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace xtrace {

namespace {

/// `3 spans, 1 retry link`
class Counts {
 public:
  void add(std::ptrdiff_t count, std::string_view one, std::string_view many) {
    if (count <= 0) return;
    if (!text_.empty()) text_ += ", ";
    fmt::format_to(std::back_inserter(text_), "{} {}", count, count == 1 ? one : many);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

using SessionIds = std::set<StringId>;

SessionIds sessions_of(const Trace& trace, const Selection* calls) {
  SessionIds sessions;
  for (size_t i = 0; calls != nullptr && i < trace.calls.size(); ++i)
    if (calls->shows(CallId(i))) sessions.insert(trace.calls[i].session);
  return sessions;
}

/// Of how many of the sessions a note of such a kind is told.
template <class Fits>
std::ptrdiff_t noted(const Trace& trace, const SessionIds& among, Fits fits) {
  SessionIds noted;
  for (const SessionNote& note : trace.session_notes)
    if (fits(note.kind) && among.contains(note.session)) noted.insert(note.session);
  return std::ssize(noted);
}

/// Those of spans that are not shown are not left out for want of a place.
std::ptrdiff_t shown_details(const Graph& graph, const HopSelection* hops) {
  std::vector<bool> hidden(graph.trace().span_details.size(), hops == nullptr);
  if (hops != nullptr)
    for (const Detail& detail : graph.hops().details) hidden[detail.at] = !hops->shows(detail.hop);
  return std::ranges::count(hidden, false);
}

/// What has a place in neither.
void add_of_both(const Graph& graph, const SessionIds& sessions, const HopSelection* hops,
                 Counts& counts) {
  const Trace& trace = graph.trace();
  counts.add(std::ranges::count_if(
                 trace.session_totals,
                 [&](const SessionTotal& total) { return sessions.contains(total.session); }),
             "sum that a session tells of itself", "sums that sessions tell of themselves");
  counts.add(noted(trace, sessions,
                   [](SessionNote::Kind kind) { return kind != SessionNote::Kind::project; }),
             "name of a session", "names of sessions");
  counts.add(shown_details(graph, hops), "log record or exemplar of a span",
             "log records and exemplars of spans");
  counts.add(std::ssize(trace.measurements), "measurement", "measurements");
}

}  // namespace

std::string left_out_of_spans(const Graph& graph, const Selection* calls,
                              const HopSelection* hops) {
  Counts counts;
  add_of_both(graph, sessions_of(graph.trace(), calls), hops, counts);
  if (counts.text().empty()) return {};
  return fmt::format("left out, as spans have no place for it: {}", counts.text());
}

std::string left_out_of_trajectories(const Graph& graph, const Selection& calls,
                                     const HopSelection* hops) {
  Counts counts;
  if (hops != nullptr) counts.add(std::ranges::count(hops->hops, true), "span", "spans");
  // The others are told by the order of steps, by what stands in one, and by references.
  for (LinkKind kind : {LinkKind::retry, LinkKind::content_reuse, LinkKind::sequential}) {
    const std::string name(word(kind));
    counts.add(std::ranges::count_if(calls.links,
                                     [&](uint32_t i) { return graph.links()[i].kind == kind; }),
               name + " link", name + " links");
  }
  const SessionIds sessions = sessions_of(graph.trace(), &calls);
  counts.add(noted(graph.trace(), sessions,
                   [](SessionNote::Kind kind) { return kind == SessionNote::Kind::project; }),
             "project of a session", "projects of sessions");
  const bool spans_have_it = !counts.text().empty();
  add_of_both(graph, sessions, hops, counts);
  if (counts.text().empty()) return {};
  return fmt::format("left out, as ATIF has no place for it: {}{}", counts.text(),
                     spans_have_it ? "; --to otlp has one for spans, links and projects" : "");
}

}  // namespace xtrace
