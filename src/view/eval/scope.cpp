#include "view/eval/scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/nearest.h"
#include "facts/payloads.h"
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

class ScopeBuilder {
 public:
  ScopeBuilder(const Question& question, const Scenario& scenario)
      : question_(question),
        graph_(question.graph),
        trace_(graph_.trace()),
        match_(scenario.match),
        each_(scenario.each) {}

  std::vector<Trial> choose_each() {
    Scope all = choose();
    std::vector<Trial> trials;
    if (each_ == Each::once || !all.missing.empty()) {
      trials.push_back({{}, std::move(all)});
      return trials;
    }
    if (each_ == Each::query) collect_queries();
    std::map<std::string, size_t> by_name;
    auto trial = [&](std::string name) -> Scope& {
      auto [at, is_new] = by_name.emplace(std::move(name), trials.size());
      if (is_new) trials.push_back({at->first, {}});
      return trials[at->second].scope;
    };
    for (CallId id : all.calls) trial(part_of(id)).calls.push_back(id);
    for (SpanId id : all.spans) trial(part_of(id)).spans.push_back(id);
    if (trials.empty()) trials.push_back({{}, {{}, {}, "the input contains no calls or spans"}});
    return trials;
  }

 private:
  Scope choose() {
    bool by_session = !match_.session.empty() || each_ == Each::session;
    if (by_session && trace_.calls.empty() && !is_run(match_.session)) collect_conversations();
    if (!match_.query.empty()) {
      choose_query();
    } else {
      for (CallId id : graph_.timeline().in_order()) scope_.calls.push_back(id);
      for (size_t i = 0; i < trace_.spans.size(); ++i)
        if (SpanId id(i);
            !graph_.partners().covers_run[graph_.hops()[graph_.activities().of(id).hop].run])
          scope_.spans.push_back(id);
    }
    if (!match_.any() && each_ == Each::once) check_only_one();
    narrow(
        "file", match_.file, [&](auto id) { return file_of(id); }, is_file);
    narrow(
        "session", match_.session, [&](auto id) { return session_of(id); }, fits);
    narrow(
        "run", match_.run, [&](auto id) { return run_of(id); }, fits);
    narrow(
        "agent", match_.agent, [&](auto id) { return agent_of(id); },
        [](std::string_view is, std::string_view wanted) {
          return fits(is, wanted) || fits(is.substr(0, is.rfind('#')), wanted);
        });
    std::stable_sort(scope_.spans.begin(), scope_.spans.end(),
                     [&](SpanId a, SpanId b) { return trace_[a].start < trace_[b].start; });
    return std::move(scope_);
  }

  static bool fits(std::string_view name, std::string_view wanted) {
    return fits_wildcards(wanted, name);
  }
  std::string file_of(CallId id) const { return trace_.sources[trace_[id].source.file].path; }
  std::string file_of(SpanId id) const { return trace_.sources[trace_[id].source.file].path; }
  std::string session_of(CallId id) const {
    return session_name(graph_.trace(), graph_.session_of(id));
  }
  /// Some spans of a trace name the conversation that all of it is part of.
  std::string session_of(SpanId id) const {
    std::string run = run_of(id);
    auto found = conversation_of_.find(trace_[trace_[id].trace]);
    return found == conversation_of_.end() ? run : found->second;
  }
  std::string run_of(SpanId id) const {
    const Span& span = trace_[id];
    std::string_view trace = trace_[span.trace];
    bool is_wanted = trace == match_.run || trace == match_.session;
    return std::string(span.run && !is_wanted ? trace_[span.run] : trace);
  }
  std::string run_of(CallId id) const { return session_of(id); }

  bool is_run(std::string_view name) const {
    return std::any_of(trace_.spans.begin(), trace_.spans.end(), [&](const Span& span) {
      return trace_[span.trace] == name || (span.run && trace_[span.run] == name);
    });
  }

  /// Reads spans again, of each trace until one tells.
  void collect_conversations() {
    const Payloads* payloads = question_.payloads;
    if (payloads == nullptr) return;
    for (const Span& span : trace_.spans)
      if (span.gen_ai && !conversation_of_.contains(trace_[span.trace]))
        if (std::string told = payloads->appraisal(span).conversation; !told.empty())
          conversation_of_.emplace(trace_[span.trace], std::move(told));
  }
  std::string agent_of(CallId id) const { return agent_name(graph_.agent_of(id)); }
  std::string agent_of(SpanId id) const {
    return std::string(graph_.activities().of(id).agent.name);
  }

  void choose_query() {
    std::vector<std::string> known;
    for (const auto& queries : {find_queries(graph_), find_turns(graph_)})
      for (const Query& query : queries) {
        known.emplace_back(query.id);
        bool is_first = scope_.calls.empty() && scope_.spans.empty();
        if (!fits(query.id, match_.query) || (each_ == Each::once && !is_first)) continue;
        scope_.calls.insert(scope_.calls.end(), query.calls.begin(), query.calls.end());
        scope_.spans.insert(scope_.spans.end(), query.spans.begin(), query.spans.end());
      }
    if (scope_.calls.empty() && scope_.spans.empty()) say_missing("query", match_.query, known);
  }

  /// Spans of a trace and turns of calls alike.
  void collect_queries() {
    for (const auto& queries : {find_queries(graph_), find_turns(graph_)})
      for (const Query& query : queries) {
        for (CallId id : query.calls) std::get<0>(query_of_).emplace(id, query.id);
        for (SpanId id : query.spans) std::get<1>(query_of_).emplace(id, query.id);
      }
  }
  template <class Id>
  std::string part_of(Id id) const {
    switch (each_) {
      case Each::once: return {};
      case Each::session: return session_of(id);
      case Each::run: return run_of(id);
      case Each::file: return file_of(id);
      case Each::query: break;
    }
    const auto& queries = std::get<std::map<Id, std::string>>(query_of_);
    const auto found = queries.find(id);
    return found == queries.end() ? std::string() : found->second;
  }

  void check_only_one() {
    std::set<std::string> names;
    for (CallId id : scope_.calls) names.insert(session_of(id));
    for (SpanId id : scope_.spans) names.insert(session_of(id));
    if (names.size() == 1) return;
    const bool has_calls = !scope_.calls.empty();
    scope_ = {};
    scope_.missing = fmt::format(
        "the scenario has no match, but the input contains {} {}; add match: {{session: …}}",
        names.size(), has_calls ? "sessions" : "traces");
  }

  template <class NameOf, class Fits>
  void narrow(std::string_view what, const std::string& wanted, NameOf name_of, Fits is_it) {
    if (wanted.empty() || !scope_.missing.empty()) return;
    std::set<std::string> names;
    auto misses = [&](auto id) {
      std::string name = name_of(id);
      bool is_out = !is_it(std::string_view(name), std::string_view(wanted));
      names.insert(std::move(name));
      return is_out;
    };
    std::erase_if(scope_.calls, misses);
    std::erase_if(scope_.spans, misses);
    if (scope_.calls.empty() && scope_.spans.empty())
      say_missing(what, wanted, {names.begin(), names.end()});
  }

  void say_missing(std::string_view what, const std::string& wanted,
                   const std::vector<std::string>& names) {
    std::vector<std::string_view> known(names.begin(), names.end());
    scope_.missing =
        fmt::format("no {} '{}' in the input{}", what, wanted, did_you_mean(wanted, known));
  }

  const Question& question_;
  const Graph& graph_;
  const Trace& trace_;
  const Match& match_;
  Each each_;
  std::tuple<std::map<CallId, std::string>, std::map<SpanId, std::string>> query_of_;
  std::map<std::string_view, std::string> conversation_of_;  ///< by trace
  Scope scope_;
};

}  // namespace

std::vector<Trial> trials_of(const Question& question, const Scenario& scenario) {
  return ScopeBuilder(question, scenario).choose_each();
}

}  // namespace xtrace
