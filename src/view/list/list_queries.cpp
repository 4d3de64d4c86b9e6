#include "view/list/list_queries.h"

#include <algorithm>
#include <utility>

#include "view/common/day.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/query/query_name.h"

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
    if (query.calls.empty()) return {};
    return names.agent(question.graph.agent_of(query.calls.front()));
  }
  int64_t steps() const { return static_cast<int64_t>(query.spans.size() + query.calls.size()); }
};
using Row = const ListedQuery&;

constexpr Field<ListedQuery> kQueries[] = {
    {{"id", "as --query takes it", CellKind::text, true}, [](Row r) -> Cell { return r.name(); }},
    {{"project", "", CellKind::text},
     [](Row r) -> Cell { return known(r.names.text(r.query.project)); }},
    {{"query_from",
      "log: its records name it; trace: a trace or run stands for it; turn: what a user said and "
      "all it caused",
      CellKind::text, true},
     [](Row r) -> Cell { return Door::own(r.query.from()); }},
    {{"start", "", CellKind::moment}, [](Row r) { return r.start(); }},
    {{"duration_ms", "from the first start to the last end", CellKind::milliseconds},
     [](Row r) { return r.took(); }},
    {{"agent", "that was asked first", CellKind::text}, [](Row r) { return r.agent(); }},
    {{"steps", "records of steps, or calls", CellKind::integer, true},
     [](Row r) -> Cell { return r.steps(); }},
    {{"failed", "", CellKind::integer, true}, [](Row r) -> Cell { return r.failed; }},
    {{"at", "where the first of them stands", CellKind::text, true},
     [](Row r) -> Cell { return r.names.at(r.first); }},
};

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
  Outline outline;
  outline.columns = {{"query", false, true},
                     {"date", false, false, 5},
                     {"start", false, false, 4},
                     {"took", true},
                     {"steps", true},
                     {"failed", true},
                     {"from", false, false, 3},
                     {"agent", false, false, 1},
                     {"project", false, false, 1},
                     {"at", false, false, 2, true}};
  for (const Query& query : *queries) {
    ListedQuery row(question, *names, query);
    outline.lines.push_back(
        {0,
         Tone::plain,
         {row.name(), day_of(query.start, question.door), row.start(), row.took(), row.steps(),
          some(row.failed), Door::own(query.from()), row.agent(), known(names->text(query.project)),
          names->at(row.first)}});
  }
  document.add(std::move(outline));
  return document;
}

Shape shape_of_queries() {
  static const std::vector<Section> kShape =
      shape_of_answer({Table{"queries", columns_of<kQueries>()}});
  return kShape;
}

}  // namespace xtrace
