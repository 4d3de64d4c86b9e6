#include "view/query/trace_queries.h"

#include <fmt/format.h>

#include <map>

#include "view/query/query_name.h"

namespace xtrace {

namespace {

/// What totals of sessions have beyond their calls is in no query: it is accounted for by itself.
void add_unplaced(const Graph& graph, TraceQueries& known) {
  const std::vector<UnplacedUsage>& rows = graph.activities().ledger.unplaced;
  std::map<StringId, size_t> places;  // by session
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].hop) continue;
    const auto [at, is_new] = places.try_emplace(rows[i].session_id, known.all.size());
    if (is_new) {
      const std::string_view session = graph.trace()[rows[i].session_id];
      Query& query = known.all.emplace_back();
      query.from = Query::From::session;
      query.id = known.names.emplace_back(fmt::format("{}/unplaced", session));
    }
    Query& query = known.all[at->second];
    query.unplaced.push_back(i);
    if (query.start == kNoTime) query.start = rows[i].time;
  }
}

}  // namespace

std::shared_ptr<const TraceQueries> find_trace_queries(const Question& question,
                                                       std::shared_ptr<const TraceQueries> known) {
  if (known != nullptr && known->graph == &question.graph) {
    for (const std::string& name : known->hidden) question.door.name(name);
    return known;
  }
  const std::shared_ptr<TraceQueries> found = std::make_shared<TraceQueries>();
  found->graph = &question.graph;
  found->all = find_queries(question.graph);
  found->asked = found->all.size();
  add_unplaced(question.graph, *found);
  found->hidden = name_all(found->all, question.door);
  return found;
}

}  // namespace xtrace
