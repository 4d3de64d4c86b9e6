#include "link/graph/queries.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/walk_up.h"
#include "link/hops/span_linkers.h"

namespace xtrace {

namespace {

class SpanQueries {
 public:
  explicit SpanQueries(const Trace& trace) : trace_(trace), query_(trace.spans.size()) {
    bool any = false;
    for (size_t i = 0; i < query_.size(); ++i) {
      query_[i] = trace.spans[i].query;
      any |= static_cast<bool>(query_[i]);
    }
    if (any) {
      inherit();
      take_only_one();
    }
    for (size_t i = 0; i < query_.size(); ++i)
      if (StringId project = trace.spans[i].project; project && trace[project] != kNoProject)
        projects_[name_of(i)].insert(project);
  }

  std::vector<Query> collect() const {
    std::vector<Query> queries;
    std::map<std::pair<std::string_view, std::string_view>, size_t> places;
    for (size_t i = 0; i < query_.size(); ++i) {
      const Span& span = trace_.spans[i];
      std::string_view id = trace_[query_[i] ? query_[i] : group_of(span)];
      std::string_view project = trace_[project_of(i)];
      auto [place, is_new] =
          places.emplace(std::pair(query_[i] ? id : without_zeros(id), project), queries.size());
      if (is_new) {
        queries.emplace_back().id = id;
        queries.back().project = project;
      }
      Query& query = queries[place->second];
      if (query_[i]) query.from = Query::From::log;
      query.spans.push_back(SpanId(i));
    }
    for (Query& query : queries) {
      std::stable_sort(query.spans.begin(), query.spans.end(), [&](SpanId a, SpanId b) {
        return trace_[a].start < trace_[b].start;  // else as they are in the input
      });
      for (SpanId id : query.spans)
        if (query.start == kNoTime) query.start = trace_[id].start;
    }
    return queries;
  }

 private:
  /// Sidecars report the spans of one run in traces of their own.
  StringId group_of(const Span& span) const { return run_of(trace_, span); }

  StringId name_of(size_t span) const {
    return query_[span] ? query_[span] : group_of(trace_.spans[span]);
  }

  /// Its own; else the only one that spans of the same query name. Two projects may number their
  /// queries alike.
  StringId project_of(size_t span) const {
    StringId own = trace_.spans[span].project;
    if (own && trace_[own] != kNoProject) return own;
    auto known = projects_.find(name_of(span));
    bool is_only = !own && known != projects_.end() && known->second.size() == 1;
    return is_only ? *known->second.begin() : StringId{};
  }

  void inherit() {
    std::unordered_map<uint64_t, uint32_t> by_key;
    for (size_t i = 0; i < query_.size(); ++i)
      by_key.emplace(span_key(trace_, trace_.spans[i].trace, trace_.spans[i].id),
                     static_cast<uint32_t>(i));
    const auto above = [&](size_t at) -> size_t {
      const Span& span = trace_.spans[at];
      if (query_[at] || span.parents == 0) return SIZE_MAX;
      const SpanParent& parent = trace_.span_parents[span.first_parent];
      const auto found =
          by_key.find(span_key(trace_, parent.trace ? parent.trace : span.trace, parent.span));
      return found == by_key.end() ? SIZE_MAX : found->second;
    };
    visit_top_down(query_.size(), above, [&](size_t at) {
      if (const size_t parent = above(at); parent < query_.size()) query_[at] = query_[parent];
    });
  }

  /// Of a trace that names one query, all spans belong to it.
  void take_only_one() {
    std::unordered_map<std::string_view, StringId> only;
    for (size_t i = 0; i < query_.size(); ++i) {
      if (!query_[i]) continue;
      auto [known, is_new] = only.emplace(without_zeros(trace_[trace_.spans[i].trace]), query_[i]);
      if (!is_new && known->second != query_[i]) known->second = {};
    }
    for (size_t i = 0; i < query_.size(); ++i)
      if (auto known = only.find(without_zeros(trace_[trace_.spans[i].trace]));
          !query_[i] && known != only.end())
        query_[i] = known->second;
  }

  const Trace& trace_;
  std::vector<StringId> query_;  ///< by span
  std::map<StringId, std::set<StringId>> projects_;
};

}  // namespace

std::vector<Query> find_queries(const Graph& graph) {
  std::vector<Query> queries = find_turns(graph);
  std::vector<Query> spans = SpanQueries(graph.trace()).collect();
  std::move(spans.begin(), spans.end(), std::back_inserter(queries));
  std::stable_sort(queries.begin(), queries.end(), [](const Query& a, const Query& b) {
    return a.start < b.start;  // else as they come up in the input
  });
  std::unordered_map<std::string_view, size_t> bearers;
  for (const Query& query : queries) ++bearers[query.id];
  for (Query& query : queries) query.shares_id = bearers[query.id] > 1;
  return queries;
}

}  // namespace xtrace
