#include <algorithm>
#include <utility>

#include "view/calls/costs.h"
#include "view/calls/select_calls.h"
#include "view/calls/unplaced.h"
#include "view/common/day.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/list/listings.h"
#include "view/query/query_name.h"
#include "view/query/turn_words.h"

namespace xtrace {

namespace {

struct ListedQuery {
  const Question& question;
  const Names& names;
  const Query& query;
  Time end = kNoTime;
  int64_t failed = 0;
  Extent first;

  ListedQuery(const Question& asked, const Names& called, const Query& of)
      : question(asked), names(called), query(of) {
    const Trace& trace = asked.graph.trace();
    bool is_first = true;
    auto add = [&](Time until, Outcome outcome, const Extent& at) {
      end = std::max(end, until);
      failed += outcome == Outcome::error;
      if (std::exchange(is_first, false)) first = at;
    };
    for (SpanId id : of.spans)
      add(after(trace[id].start, trace[id].duration), trace[id].outcome, trace[id].source);
    for (CallId id : of.calls) add(trace[id].end(), trace[id].outcome, trace[id].source);
  }
  RecordPlace place() const { return names.place(first); }
  Text name() const { return question.door.name(query_name(query)); }
  Cell start() const { return known(Moment{query.start, 3}); }
  Cell took() const { return known(elapsed(query.start, end)); }
  Cell agent() const {
    if (query.from != Query::From::turn) return {};
    return names.agent(question.graph.agent_of(query.calls.front()));
  }
  /// As `trace` adds it up.
  Usage cost() const {
    Usage sum;
    const Activities& activities = question.graph.activities();
    for (CallId id : query.calls) sum.add(usage_of(activities.of(id)));
    for (SpanId id : query.spans) {
      const Activity& done = activities.of(id);
      if (question.graph.hops()[done.hop].span != id) continue;
      if (done.counts_usage())
        sum.add(usage_of(done));
      else if (const UnplacedUsage* row = activities.ledger.of(done.hop))
        sum.add(usage_of(*row));
    }
    return sum;
  }
  /// As `trace` has them: a record of the query as a whole is no step.
  int64_t steps() const {
    const Trace& trace = question.graph.trace();
    const int64_t others = std::count_if(query.spans.begin(), query.spans.end(), [&](SpanId id) {
      const Span& span = trace[id];
      const bool is_node = span.task_step && trace[span.task_step].is_graph_node;
      return !span.operation && span.kind == SpanKind::internal && !is_node;
    });
    return static_cast<int64_t>(query.spans.size() + query.calls.size()) - others;
  }
};
using Row = const ListedQuery&;

constexpr Field<ListedQuery> kQueries[] = {
    {{"id", "id to pass to --query", CellKind::text, true}, [](Row r) -> Cell { return r.name(); }},
    {{"project", "", CellKind::text},
     [](Row r) -> Cell { return known(r.names.text(r.query.project)); }},
    {kQueryFromColumn, [](Row r) -> Cell { return Door::own(word(r.query.from)); }},
    {{"start", "", CellKind::moment}, [](Row r) { return r.start(); }},
    {{"duration_ms", "from the first start to the last end", Role::duration},
     [](Row r) { return r.took(); }},
    {{"agent", "first agent that received the query", CellKind::text},
     [](Row r) { return r.agent(); }},
    {{"steps", "number of step records, or of calls", CellKind::integer, true},
     [](Row r) -> Cell { return r.steps(); }},
    {{"failed", "", Role::errors, true}, [](Row r) -> Cell { return r.failed; }},
    {{"at", "location of the first record", CellKind::text, true},
     [](Row r) -> Cell { return r.names.at(r.first); }},
};

/// Returns how the costs of turns were found; empty: there are none.
Text costs_of(const Question& question, std::span<const Query> queries, CellArena& arena) {
  if (std::ranges::find(queries, Query::From::turn, &Query::from) == queries.end()) return {};
  Result<Selection> all = select_calls({}, question.graph, question.door.zone());
  if (!all) return {};
  Spending spending(question.graph, *all);
  return costs_line({question, question.graph, *std::move(all), Metrics(),
                     Names(question.graph, question.door), arena, std::move(spending)});
}

}  // namespace

Document list_queries(const Question& question) {
  std::shared_ptr<std::vector<Query>> queries =
      std::make_shared<std::vector<Query>>(find_queries(question.graph));
  name_all(*queries, question.door);
  std::shared_ptr<const Names> names = std::make_shared<Names>(question.graph, question.door);
  Document document("list");
  if (question.face == Face::tables) {
    add_preface("xtrace.list/1", question, *names, Hidden(), document);
    document.add(Stream{"queries", columns_of<kQueries>(),
                        [question, queries, names](const Stream::Write& write) {
                          Rows<ListedQuery> rows(kQueries, question.door, write);
                          for (const Query& query : *queries) rows.write({question, *names, query});
                        }});
    return document;
  }
  // In one session, turns identify the query; in several, its id does.
  const uint8_t id_spare = question.graph.sessions().size() == 1 ? 2 : 5;
  Outline outline;
  outline.columns = {{"query", false, true},
                     {"date", false, false, 5},
                     {"start", false, false, 4},
                     {"took", Role::duration},
                     {"steps", true},
                     {"cost", Role::cost},
                     {"failed", Role::errors},
                     {"from", false, false, 3},
                     {"agent", false, false, 1},
                     {"project", false, false, 1},
                     {"id", false, false, id_spare},
                     {"at", false, false, 2, true}};
  for (const Query& query : *queries) {
    ListedQuery row(question, *names, query);
    const std::string turn = turn_words(question, *names, query);
    outline.lines.push_back(
        {0,
         Tone::plain,
         {turn.empty() ? row.name() : question.door.composed(turn),
          day_of(query.start, question.door), row.start(), row.took(), row.steps(),
          cost_cell(row.cost()), some(row.failed), Door::own(word(query.from)), row.agent(),
          known(names->text(query.project)), turn.empty() ? Cell() : Cell(row.name()),
          names->shown_at(row.first)}});
  }
  if (Text line = costs_of(question, *queries, document.arena()); !line.empty())
    outline.foot.push_back(line);
  document.add(std::move(outline));
  return document;
}

Shape shape_of_queries() {
  static const std::vector<Section> kShape = shape_of_answer({table_of<kQueries>("queries")});
  return kShape;
}

}  // namespace xtrace
