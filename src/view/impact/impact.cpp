#include <fmt/format.h>

#include <cmath>

#include "base/text.h"
#include "view/common/add_face.h"
#include "view/common/field.h"
#include "view/common/filter.h"
#include "view/common/preface.h"
#include "view/impact/impact_answer.h"
#include "view/query/one_query.h"

namespace xtrace {

namespace {

struct HeadRow {
  const Impact& impact;
  CellArena& arena;
};

Cell ids_of(const HeadRow& row, const std::vector<uint32_t>& nodes) {
  Texts ids;
  ids.reserve(nodes.size());
  for (uint32_t node : nodes) ids.push_back(row.impact.scene->id(node));
  return row.arena.keep(std::move(ids));
}

/// The types of links on any way from the target, in the order of their table.
Cell types_travelled(const HeadRow& row) {
  const Impact& impact = row.impact;
  std::set<std::string_view> found;
  for (const CauseLink& link : impact.scene->causes().links()) {
    const bool is_on_way =
        impact.reached.distance[link.from] != CauseGraph::kNone && impact.reached.has(link.to);
    if (is_on_way) found.insert(impact.step_link(link).type());
  }
  Texts types;
  for (std::string_view type : kLinkWords)
    if (found.contains(type)) types.push_back(Door::own(type));
  for (std::string_view type : kCauseWords)
    if (found.contains(type)) types.push_back(Door::own(type));
  return row.arena.keep(std::move(types));
}

constexpr Field<HeadRow> kHead[] = {
    {{"question", "the question that this output answers", CellKind::text, true},
     [](const HeadRow& row) -> Cell {
       return row.impact.scene->door().say("What are the effects of {}?",
                                           row.impact.target.name.view());
     }},
    {{"target", "the node asked about, or the name of a set of nodes", CellKind::text, true},
     [](const HeadRow& row) -> Cell { return row.impact.target.name; }},
    {{"target_type",
      "call, tool_use, hop or span; for sets: agent, turn, session, run, tool, file, host, place, "
      "principal or resource",
      CellKind::text, true},
     [](const HeadRow& row) -> Cell { return Door::own(row.impact.target.type); }},
    {{"target_nodes", "number of nodes in the set", CellKind::integer},
     [](const HeadRow& row) -> Cell {
       const auto count = static_cast<int64_t>(row.impact.target.nodes.size());
       return count > 1 ? Cell(count) : Cell();
     }},
    {{"call", "the node itself, or the call that asked for the tool", Role::node},
     [](const HeadRow& row) -> Cell {
       const std::vector<uint32_t>& nodes = row.impact.target.nodes;
       return nodes.size() == 1 ? Cell(row.impact.scene->owner(nodes.front())) : Cell();
     }},
    {{"at", "location of the node, or of the first one of the set", CellKind::text, true},
     [](const HeadRow& row) -> Cell {
       return row.impact.scene->at(row.impact.target.nodes.front());
     }},
    {{"along", "types of the links that lead from the target to what is reached", CellKind::texts,
      true},
     types_travelled},
    {{"circular_links", "links that were not followed because they close a circle",
      CellKind::integer},
     [](const HeadRow& row) {
       return some(static_cast<int64_t>(row.impact.scene->causes().left_out()));
     }},
};

/// Of a set, its calls, or those that asked for its tools.
Cell calls_of_set(const HeadRow& row) {
  const std::vector<uint32_t>& nodes = row.impact.target.nodes;
  if (nodes.size() == 1) return {};
  Texts ids;
  for (uint32_t node : nodes)
    if (const Text id = row.impact.scene->owner(node); ids.empty() || ids.back() != id)
      ids.push_back(id);
  return row.arena.keep(std::move(ids));
}
constexpr Field<HeadRow> kSet[] = {
    {{"target_calls",
      "for a set: its calls, or the calls that asked for its tools",
      CellKind::texts,
      false,
      {},
      Role::node},
     calls_of_set},
};

constexpr Field<HeadRow> kReached[] = {
    {{"count", "number of effects: nodes that the target could have affected", CellKind::integer,
      true},
     [](const HeadRow& row) { return Cell(static_cast<int64_t>(row.impact.all.size())); }},
    {{"nodes", "their ids, in order of time", CellKind::texts, true},
     [](const HeadRow& row) { return ids_of(row, row.impact.all); }},
};
constexpr Field<HeadRow> kOnlyThrough[] = {
    {{"count",
      "number of effects that every recorded path reaches through the target: without it, no "
      "recorded path leads there",
      CellKind::integer, true},
     [](const HeadRow& row) { return Cell(static_cast<int64_t>(row.impact.only.size())); }},
    {{"nodes", "their ids, in order of time", CellKind::texts, true},
     [](const HeadRow& row) { return ids_of(row, row.impact.only); }},
};
constexpr Field<HeadRow> kDominators[] = {
    {{"dominators",
      "nodes on every recorded path to the target, first cause first: what it could not have "
      "happened without",
      CellKind::texts, true},
     [](const HeadRow& row) { return ids_of(row, row.impact.dominators); }},
};

/// Products of many links need one digit more than links themselves.
double rounded(double confidence) {
  constexpr double kSteps = 1e5;
  return std::round(confidence * kSteps) / kSteps;
}

struct EffectRow {
  const Impact& impact;
  uint32_t node;

  const ImpactScene& scene() const { return *impact.scene; }
  RecordPlace place() const { return scene().names().place(scene().place(node)); }
  const StepLink& link() const { return impact.step_link(impact.last_link(node)); }
};
using Row = const EffectRow&;

constexpr Field<EffectRow> kEffectFields[] = {
    {{"id", "id of the call, tool use or span", Role::id, true},
     [](Row r) -> Cell { return r.scene().id(r.node); }},
    {{"call", "the call itself, or the call that asked for the tool", Role::node, true},
     [](Row r) -> Cell { return r.scene().owner(r.node); }},
    {{"kind", "call, tool_use, hop or span", CellKind::text, true},
     [](Row r) -> Cell { return Door::own(r.scene().kind(r.node)); }},
    {{"at", "location of its record", Role::place, true},
     [](Row r) -> Cell { return r.scene().at(r.node); }},
    {{"timestamp", "its start", Role::start},
     [](Row r) -> Cell { return known(r.scene().start(r.node)); }},
    {{"agent", "", Role::agent}, [](Row r) -> Cell { return known(r.scene().agent(r.node)); }},
    {{"name", "the tool; for a call, the tools that it asked for; for a span, its operation",
      Role::name},
     [](Row r) -> Cell { return known(r.scene().name(r.node)); }},
    {{"distance", "number of links on the shortest path from the target", CellKind::integer, true},
     [](Row r) -> Cell { return int64_t{r.impact.reached.distance[r.node]}; }},
    {{"via", "the node before it on the path with the highest confidence", CellKind::text, true},
     [](Row r) -> Cell { return r.scene().id(r.impact.last_link(r.node).from); }},
    {{"link",
      "type of the last link of that path, as in dag; tool_use: the reply of the call asks for it",
      Role::type, true},
     [](Row r) -> Cell { return Door::own(r.link().type()); }},
    {{"method", "rule by which that link was found", Role::method},
     [](Row r) -> Cell { return known(Door::own(r.link().method())); }},
    {{"confidence",
      "product of the confidences on the path where it is highest: a lower bound that any path "
      "holds",
      Role::confidence, true},
     [](Row r) -> Cell { return rounded(r.impact.reached.best[r.node]); }},
    {{"confidence_upper", "upper bound that any of all paths holds; exact if they form a tree",
      CellKind::number, true},
     [](Row r) -> Cell { return rounded(r.impact.reached.upper[r.node]); }},
    {{"only_through", "true if every recorded path to it leads through the target",
      CellKind::boolean, true},
     [](Row r) -> Cell { return bool{r.impact.only_through[r.node]}; }},
    {{"evidence",
      "strongest evidence of the last link: read (its result or report), written, reused (its "
      "text), spawned, asked, recorded (a span names it), seen (it was in the history), inferred",
      Role::evidence, true},
     [](Row r) -> Cell {
       return Door::own(word(static_cast<StepEvidence>(r.impact.last_link(r.node).strength)));
     }},
    {{"text", "at level full, the reply of the call or span, or the arguments of the tool",
      CellKind::text},
     [](Row r) -> Cell { return known(r.scene().text(r.node)); }},
};

struct PossibleRow {
  const Impact& impact;
  const Possible& possible;

  const ImpactScene& scene() const { return *impact.scene; }
};
using PossibleRef = const PossibleRow&;
constexpr Field<PossibleRow> kPossibleFields[] = {
    {{"id", "a node that is reached only if an alternative of a link is its true cause", Role::id,
      true},
     [](PossibleRef r) -> Cell { return r.scene().id(r.possible.node); }},
    {{"call", "the call itself, or the call that asked for the tool", CellKind::text, true},
     [](PossibleRef r) -> Cell { return r.scene().owner(r.possible.node); }},
    {{"kind", "call, tool_use, hop or span", CellKind::text, true},
     [](PossibleRef r) -> Cell { return Door::own(r.scene().kind(r.possible.node)); }},
    {{"at", "location of its record", Role::place, true},
     [](PossibleRef r) -> Cell { return r.scene().at(r.possible.node); }},
    {{"via", "the node before it on the most likely path", CellKind::text, true},
     [](PossibleRef r) -> Cell { return r.scene().id(r.possible.via); }},
    {{"link", "type of the link that has the alternative, or that continues from it",
      CellKind::text, true},
     [](PossibleRef r) -> Cell {
       return Door::own(r.scene().graph_of_steps().links[r.possible.row].type());
     }},
    {{"confidence", "at most; alternatives of one link exclude each other, so their shares add up",
      Role::confidence, true},
     [](PossibleRef r) -> Cell { return rounded(r.possible.confidence); }},
};

template <class Row, class Items>
void write_rows(std::span<const Field<Row>> fields, const Impact& impact, const Items& items,
                const Stream::Write& write) {
  Rows<Row> rows(fields, impact.scene->door(), write);
  for (const auto& item : items) rows.write({impact, item});
}

/// Fills a record from fields of a span.
template <class Row>
Record record_from(std::string_view name, std::span<const Field<Row>> fields,
                   std::span<const Column> columns, const Row& row) {
  Record record{{name, columns}};
  for (const Field<Row>& field : fields) record.table.cells.push_back(field.get(row));
  return record;
}

void add_tables(const std::shared_ptr<const Impact>& impact, Document& document) {
  const ImpactScene& scene = *impact->scene;
  add_preface("xtrace.impact/1", scene.question(), scene.names(), scene.hidden(), document,
              Meanings::always, scene.calls() != nullptr ? Covers::calls : Covers::all);
  const HeadRow head{*impact, document.arena()};
  document.add(record_of<kHead>({}, head));
  document.add(record_of<kSet>({}, head));
  document.add(record_of<kReached>("reached", head));
  document.add(record_of<kOnlyThrough>("only_through", head));
  document.add(record_of<kDominators>({}, head));
  document.add(Stream{"effects", columns_of<kEffectFields>(), [impact](const Stream::Write& write) {
                        write_rows<EffectRow>(kEffectFields, *impact, impact->all, write);
                      }});
  document.add(record_from<Blasts>("blast", blast_fields(), blast_columns(), impact->blasts));
  document.add(record_from<Blasts>("share", share_fields(), share_columns(), impact->blasts));
  document.add(
      Stream{"possible", columns_of<kPossibleFields>(), [impact](const Stream::Write& write) {
               write_rows<PossibleRow>(kPossibleFields, *impact, impact->possible, write);
             }});
}

/// What are the effects of something?
class ImpactView final : public View {
 public:
  void declare(Options& options) override {
    options.add("--node", node_, "NAME",
                "call, tool use, span, file:line, agent (Explore#2), turn (9), session, tool, file "
                "or host; with --query, default: the first step of the query");
    options.add("--unfold", unfold_, "show every effect (text and pictures)");
    filter_.declare(options);
    filter_.declare_links(options);
    query_.declare(options);
  }

  const Filter* filter() const override { return &filter_; }

  Result<Document> answer(const Question& question) const override {
    return answer_about(question, std::nullopt);
  }
  Result<Document> answer_query(const Question& question, size_t query) const override {
    return answer_about(question, query);
  }

 private:
  Result<Document> answer_about(const Question& question, std::optional<size_t> asked) const {
    const Result<const Query*> query = query_.find(question, asked);
    if (!query) return tl::unexpected(query.error());
    if (node_.empty() && *query == nullptr)
      return fail(Exit::usage,
                  "--node is required: the id of a call, tool use or span, file:line, an agent, a "
                  "turn ('turn 9'), a session, a tool, a file or a host");
    Document document("impact");
    Result<std::shared_ptr<const ImpactScene>> scene =
        ImpactScene::make(question, filter_, document.arena(), *query);
    if (!scene) return tl::unexpected(scene.error());
    Result<ImpactTarget> target =
        node_.empty() ? first_step_of(**scene, **query) : find_impact_target(**scene, node_);
    if (!target) return tl::unexpected(target.error());
    const auto impact =
        std::make_shared<const Impact>(find_impact(*std::move(scene), *std::move(target)));
    add_face(
        question.face, document, [&] { add_tables(impact, document); },
        [&] { return drawing_of(*impact, unfold_); }, [&] { return outline_of(*impact, unfold_); });
    return document;
  }

  std::string node_;
  bool unfold_ = false;
  Filter filter_;
  OneQuery query_;
};

std::vector<Shape> shapes() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{table_of<kHead>({})}, Record{table_of<kSet>({})},
       Record{table_of<kReached>("reached")}, Record{table_of<kOnlyThrough>("only_through")},
       Record{table_of<kDominators>({})}, table_of<kEffectFields>("effects"),
       Record{{"blast", blast_columns()}}, Record{{"share", share_columns()}},
       table_of<kPossibleFields>("possible")},
      Meanings::always);
  return {kShape};
}

}  // namespace

extern constinit const ViewEntry kImpactView = {
    .name = "impact",
    .summary = "show the effects of a step, a tool, a file or an agent",
    .about =
        "Shows what a call, a tool use, a span or all steps of an agent, a turn, a session or a "
        "resource led to: everything that it could have affected, and of that what no other "
        "recorded path leads to, with evidence, confidence, cost and time. It follows the links of "
        "`dag --view calls`; without the node, the agent might have acted differently.",
    .examples =
        R"(  xtrace impact logs.jsonl --node toolu_01Ab       effects of a tool use
  xtrace impact logs.jsonl --node Explore#2        effects of a subagent
  xtrace impact logs.jsonl --node src/budget.py    effects of all uses of a file
  xtrace impact logs.jsonl --node 'turn 3' -f json  effects of a turn, as JSON
  xtrace impact steps.jsonl --query Q-17           effects of the first step, within its query
  xtrace impact run.json --node 7e59e0c13ee01236 -f mermaid   draw the effects of a span
)",
    .make = make_view<ImpactView>,
    .shapes = shapes,
    .draws = true,
    .has_page = true,
    .rows = "effects",
};

}  // namespace xtrace
