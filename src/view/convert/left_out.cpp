#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <vector>

#include "facts/client_measurements.h"
#include "view/common/words.h"
#include "view/convert/convert.h"
#include "view/convert/spawns.h"

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

/// How many of the sessions have a note of this kind.
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
  counts.add(noted(trace, sessions,
                   [](SessionNote::Kind kind) { return kind != SessionNote::Kind::project; }),
             "name of a session", "names of sessions");
  counts.add(std::ranges::count_if(trace.prompts,
                                   [](const Prompt& prompt) { return bool{prompt.slash_command}; }),
             "slash command", "slash commands");
  counts.add(shown_details(graph, hops), "log record or exemplar of a span",
             "log records and exemplars of spans");
  counts.add(std::ranges::count_if(trace.measurements, std::not_fn(is_client_measurement)),
             "measurement", "measurements");
}

/// By call, which step its step follows in its trajectory, except attempts that failed.
std::vector<CallId> steps_before(const Graph& graph, const Selection& calls) {
  std::vector<CallId> before(graph.trace().calls.size());
  std::map<const Agent*, CallId> last;
  for (CallId id : graph.timeline().in_order()) {
    if (!calls.shows(id)) continue;
    CallId& step = last[&graph.agent_of(id)];
    before[id.index] = step;
    if (graph.timeline()[id].outcome != Outcome::error) step = id;
  }
  return before;
}

/// Links that a trajectory does not express: the order of its steps, the contents of a step, and a
/// reference to the trajectory of a subagent express the others, which are certain then.
void add_links(const Graph& graph, const Selection& calls, Counts& counts) {
  std::set<const Link*> expressed;
  std::set<StringId> answered;
  for (const Session& session : graph.sessions())
    for (const auto& [run, spawn] : spawns_among(calls.shown(session.calls), graph, calls)) {
      expressed.insert(spawn);
      if (spawn->key) answered.insert(spawn->key);
    }
  const std::vector<CallId> before = steps_before(graph, calls);
  const auto is_told = [&](const Link& link) {
    switch (link.kind) {
      case LinkKind::tool_result: return true;
      case LinkKind::continuation: return before[link.to.index] == link.from;
      case LinkKind::subagent_spawn: return expressed.contains(&link);
      case LinkKind::subagent_report: return answered.contains(link.key);
      default: return false;
    }
  };
  std::array<std::ptrdiff_t, std::size(kLinkWords)> left_out{};
  std::ptrdiff_t guesses = 0;
  for (uint32_t i : calls.links)
    if (const Link& link = graph.links()[i]; !is_told(link))
      ++left_out[static_cast<size_t>(link.kind)];
    else
      guesses += !is_sure(confidence(link));
  for (size_t kind = 0; kind < left_out.size(); ++kind)
    counts.add(left_out[kind], fmt::format("{} link", kLinkWords[kind]),
               fmt::format("{} links", kLinkWords[kind]));
  counts.add(guesses, "confidence of an inferred link", "confidences of inferred links");
}

}  // namespace

std::string left_out_of_spans(const Graph& graph, const Selection* calls,
                              const HopSelection* hops) {
  Counts counts;
  add_of_both(graph, sessions_of(graph.trace(), calls), hops, counts);
  if (counts.text().empty()) return {};
  return fmt::format("not included, because spans cannot represent it: {}", counts.text());
}

std::string left_out_of_trajectories(const Graph& graph, const Selection& calls,
                                     const HopSelection* hops) {
  Counts counts;
  if (hops != nullptr) counts.add(std::ranges::count(hops->hops, true), "span", "spans");
  add_links(graph, calls, counts);
  const SessionIds sessions = sessions_of(graph.trace(), &calls);
  counts.add(noted(graph.trace(), sessions,
                   [](SessionNote::Kind kind) { return kind == SessionNote::Kind::project; }),
             "project of a session", "projects of sessions");
  std::set<std::pair<CallId, StringId>> dated;  // by who asked, as several calls may read a result
  for (uint32_t i : calls.links)
    if (const Link& link = graph.links()[i]; link.ran.until != kNoDuration)
      dated.emplace(link.from, link.key);
  counts.add(std::ssize(dated), "date of a tool result", "dates of tool results");
  counts.add(std::ranges::count_if(graph.trace().measurements, is_client_measurement),
             "client note on a session", "client notes on sessions");
  const bool spans_have_it = !counts.text().empty();
  add_of_both(graph, sessions, hops, counts);
  counts.add(std::ranges::count_if(graph.trace().usage_statements,
                                   [&](const UsageStatement& total) {
                                     return total.counts() && sessions.contains(total.session);
                                   }),
             "total of a session", "totals of sessions");
  if (counts.text().empty()) return {};
  return fmt::format("not included, because ATIF cannot represent it: {}{}", counts.text(),
                     spans_have_it ? "; --to otlp includes spans, links, dates and projects" : "");
}

}  // namespace xtrace
