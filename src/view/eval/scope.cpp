#include "view/eval/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <type_traits>

#include "base/nearest.h"
#include "link/activities/distinct_spans.h"
#include "link/calls/agents.h"
#include "link/graph/queries.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

bool is_file(std::string_view path, std::string_view name) {
  if (fits_wildcards(name, path)) return true;
  if (!path.ends_with(name)) return false;
  path.remove_suffix(name.size());
  return path.empty() || path.ends_with('/') || name.starts_with('/');
}

bool fits(std::string_view name, std::string_view wanted) {
  return fits_wildcards(wanted, name);
}

/// `Explore` is every `Explore#2` too.
bool fits_agent(std::string_view name, std::string_view wanted) {
  return fits(name, wanted) || fits(name.substr(0, name.rfind('#')), wanted);
}

}  // namespace

class ScopeFinder::Index {
 public:
  explicit Index(const Question& question) : graph_(question.graph), trace_(graph_.trace()) {}

  std::vector<Trial> find_trials(const Scenario& scenario) {
    Scope all = find_scope(scenario);
    std::vector<Trial> trials;
    if (scenario.each == Each::once || !all.missing.empty()) {
      trials.push_back({{}, std::move(all)});
      return trials;
    }
    std::map<std::string, size_t> by_name;
    auto trial = [&](std::string name) -> Scope& {
      auto [at, is_new] = by_name.emplace(std::move(name), trials.size());
      if (is_new) trials.push_back({at->first, {}});
      return trials[at->second].scope;
    };
    for (CallId id : all.calls) trial(part_of(id, scenario)).calls.push_back(id);
    for (SpanId id : all.spans) trial(part_of(id, scenario)).spans.push_back(id);
    if (trials.empty()) trials.push_back({{}, {{}, {}, "the input contains no calls or spans"}});
    return trials;
  }

 private:
  /// A way in which a scenario names what it is about.
  struct Axis {
    std::string_view what;
    std::string Match::*wanted;
    Each each;  ///< makes a trial of each name; once: nothing does
    std::string (Index::*name_of_call)(CallId);
    std::string (Index::*name_of_span)(SpanId);
    bool (*fits)(std::string_view name, std::string_view wanted);
    bool takes_trace_ids;  ///< the id of its trace or run also means a span that has another name
  };
  static const Axis kAxes[4];
  struct Named {
    std::vector<CallId> calls;
    std::vector<SpanId> spans;
  };
  using NameIndex = std::map<std::string, Named, std::less<>>;

  Scope find_scope(const Scenario& scenario) {
    const Match& match = scenario.match;
    if (!match.any()) {
      if (scenario.each == Each::once && !find_only_session().empty())
        return {{}, {}, find_only_session()};
      return everything();
    }
    std::optional<Scope> scope;
    if (!match.query.empty()) scope = find_query(scenario);
    for (const Axis& axis : kAxes) {
      const std::string& wanted = match.*axis.wanted;
      if (wanted.empty()) continue;
      if (scope && !scope->missing.empty()) break;
      scope = scope ? narrow(*std::move(scope), axis, wanted) : look_up(axis, wanted);
    }
    sort_by_start(scope->spans);
    return *std::move(scope);
  }

  Scope everything() const {
    const std::span<const CallId> calls = graph_.timeline().in_order();
    Scope scope{{calls.begin(), calls.end()}, uncovered_spans(graph_), {}};
    sort_by_start(scope.spans);
    return scope;
  }

  void sort_by_start(std::vector<SpanId>& spans) const {
    std::sort(spans.begin(), spans.end(), [&](SpanId a, SpanId b) {
      return std::tie(trace_[a].start, a) < std::tie(trace_[b].start, b);
    });
  }

  // Names.
  template <class Id>
  std::string name_of(const Axis& axis, Id id) {
    if constexpr (std::is_same_v<Id, CallId>)
      return (this->*axis.name_of_call)(id);
    else
      return (this->*axis.name_of_span)(id);
  }
  std::string file_of(CallId id) { return trace_.sources[trace_[id].source.file].path; }
  std::string file_of(SpanId id) { return trace_.sources[trace_[id].source.file].path; }
  std::string session_of(CallId id) { return session_name(trace_, graph_.session_of(id)); }
  /// Some spans of a run name the conversation that all of it is part of.
  std::string session_of(SpanId id) {
    const HopId hop = graph_.activities().of(id).hop;
    const std::string_view session = graph_.hops().runs[graph_.hops()[hop].run].session;
    return session.empty() ? run_of(id) : std::string(session);
  }
  std::string run_of(CallId id) { return session_of(id); }
  std::string run_of(SpanId id) { return std::string(trace_[run_or_trace(trace_[id])]); }
  static StringId run_or_trace(const Span& span) { return span.run ? span.run : span.trace; }
  std::string agent_of(CallId id) { return agent_name(graph_.agent_of(id)); }
  std::string agent_of(SpanId id) { return std::string(graph_.activities().of(id).agent.name); }

  // By name.
  const NameIndex& index_of(const Axis& axis) {
    NameIndex& index = indexes_[axis.what];
    if (!index.empty()) return index;
    for (CallId id : graph_.timeline().in_order()) index[name_of(axis, id)].calls.push_back(id);
    for (SpanId id : uncovered_spans(graph_)) index[name_of(axis, id)].spans.push_back(id);
    return index;
  }

  const std::vector<SpanId>& spans_of_trace(const std::string& id) {
    if (by_trace_id_.empty())
      for (SpanId span : uncovered_spans(graph_))
        for (StringId own : std::set{trace_[span].trace, run_or_trace(trace_[span])})
          by_trace_id_[trace_[own]].push_back(span);
    static const std::vector<SpanId> kNone;
    const auto found = by_trace_id_.find(id);
    return found == by_trace_id_.end() ? kNone : found->second;
  }

  /// From everything.
  Scope look_up(const Axis& axis, const std::string& wanted) {
    const NameIndex& index = index_of(axis);
    Scope scope;
    auto take = [&](const Named& named) {
      scope.calls.insert(scope.calls.end(), named.calls.begin(), named.calls.end());
      scope.spans.insert(scope.spans.end(), named.spans.begin(), named.spans.end());
    };
    if (axis.fits == fits && wanted.find_first_of("*?") == std::string::npos) {
      if (const auto found = index.find(wanted); found != index.end()) take(found->second);
    } else {
      for (const auto& [name, named] : index)
        if (axis.fits(name, wanted)) take(named);
    }
    if (axis.takes_trace_ids) {
      take({{}, spans_of_trace(wanted)});
      std::sort(scope.spans.begin(), scope.spans.end());
      scope.spans.erase(std::unique(scope.spans.begin(), scope.spans.end()), scope.spans.end());
    }
    std::sort(scope.calls.begin(), scope.calls.end(),
              [&](CallId a, CallId b) { return graph_.timeline().before(a, b); });
    if (!scope.any()) scope.missing = missing(axis.what, wanted, names_in(index));
    return scope;
  }
  static std::set<std::string> names_in(const NameIndex& index) {
    std::set<std::string> names;
    for (const auto& [name, named] : index) names.insert(name);
    return names;
  }

  /// From what other keys of the scenario left.
  Scope narrow(Scope scope, const Axis& axis, const std::string& wanted) {
    std::set<std::string> names;
    auto misses = [&](auto id) {
      std::string name = name_of(axis, id);
      const bool is_out = !axis.fits(name, wanted) && !is_trace_id(axis, id, wanted);
      names.insert(std::move(name));
      return is_out;
    };
    std::erase_if(scope.calls, misses);
    std::erase_if(scope.spans, misses);
    if (!scope.any()) scope.missing = missing(axis.what, wanted, names);
    return scope;
  }
  static bool is_trace_id(const Axis& /*axis*/, CallId /*id*/, std::string_view /*wanted*/) {
    return false;
  }
  bool is_trace_id(const Axis& axis, SpanId id, std::string_view wanted) const {
    const Span& span = trace_[id];
    return axis.takes_trace_ids &&
           (trace_[span.trace] == wanted || trace_[run_or_trace(span)] == wanted);
  }

  static std::string missing(std::string_view what, const std::string& wanted,
                             const std::set<std::string>& names) {
    std::vector<std::string_view> known(names.begin(), names.end());
    return fmt::format("no {} '{}' in the input{}", what, wanted, did_you_mean(wanted, known));
  }

  // Queries: spans of a trace and turns of calls alike.
  const std::vector<Query>& queries() {
    if (!queries_) {
      queries_ = find_queries(graph_);
      for (size_t i = 0; i < queries_->size(); ++i) {
        for (CallId id : (*queries_)[i].calls) std::get<0>(query_of_).emplace(id, i);
        for (SpanId id : (*queries_)[i].spans) std::get<1>(query_of_).emplace(id, i);
      }
    }
    return *queries_;
  }

  Scope find_query(const Scenario& scenario) {
    Scope scope;
    const std::string& wanted = scenario.match.query;
    for (const Query& query : queries()) {
      if (!fits(query.id, wanted) || (scenario.each == Each::once && scope.any())) continue;
      scope.calls.insert(scope.calls.end(), query.calls.begin(), query.calls.end());
      scope.spans.insert(scope.spans.end(), query.spans.begin(), query.spans.end());
    }
    if (scope.any()) return scope;
    std::set<std::string> names;
    for (const Query& query : queries()) names.emplace(query.id);
    scope.missing = missing("query", wanted, names);
    return scope;
  }

  /// The trial that a call or span belongs to.
  template <class Id>
  std::string part_of(Id id, const Scenario& scenario) {
    for (const Axis& axis : kAxes) {
      if (axis.each != scenario.each) continue;
      const std::string& wanted = scenario.match.*axis.wanted;
      return is_trace_id(axis, id, wanted) ? wanted : name_of(axis, id);
    }
    const std::vector<Query>& all = queries();
    const auto& known = std::get<std::map<Id, size_t>>(query_of_);
    const auto found = known.find(id);
    return found == known.end() ? std::string() : std::string(all[found->second].id);
  }

  /// Why a scenario that names nothing has nothing to look at; empty: there is one session.
  const std::string& find_only_session() {
    if (only_session_) return *only_session_;
    const Scope all = everything();
    std::set<std::string> names;
    std::string_view what = "traces";
    for (CallId id : all.calls) {
      names.insert(session_of(id));
      what = "sessions";
    }
    for (SpanId id : all.spans) names.insert(run_of(id));
    only_session_.emplace();
    if (names.size() != 1)
      *only_session_ = fmt::format(
          "the scenario has no match, but the input contains {} {}; add match: {{session: …}}",
          names.size(), what);
    return *only_session_;
  }

  const Graph& graph_;
  const Trace& trace_;
  std::map<std::string_view, NameIndex> indexes_;  ///< by axis; empty: not made yet
  std::map<std::string_view, std::vector<SpanId>> by_trace_id_;
  std::optional<std::vector<Query>> queries_;
  std::tuple<std::map<CallId, size_t>, std::map<SpanId, size_t>> query_of_;
  std::optional<std::string> only_session_;
};

constexpr ScopeFinder::Index::Axis ScopeFinder::Index::kAxes[] = {
    {"file", &Match::file, Each::file, &Index::file_of, &Index::file_of, is_file, false},
    {"session", &Match::session, Each::session, &Index::session_of, &Index::session_of, fits, true},
    {"run", &Match::run, Each::run, &Index::run_of, &Index::run_of, fits, true},
    {"agent", &Match::agent, Each::once, &Index::agent_of, &Index::agent_of, fits_agent, false},
};

ScopeFinder::ScopeFinder(const Question& question) : index_(std::make_unique<Index>(question)) {}
ScopeFinder::~ScopeFinder() = default;

std::vector<Trial> ScopeFinder::find_trials(const Scenario& scenario) {
  return index_->find_trials(scenario);
}

}  // namespace xtrace
