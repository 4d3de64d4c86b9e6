#include "view/why/explain_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/lower.h"
#include "base/text.h"
#include "view/common/words.h"
#include "view/hops/run_answers.h"
#include "view/story/explanation.h"
#include "view/story/step_names.h"
#include "view/why/explain_fields.h"
#include "view/why/steps.h"

namespace xtrace {

namespace {

using Type = TaskStep::Type;

/// What the types do; `{}`: what it is in few words.
std::string done(const ExplanationRow& row, const std::string& what) {
  switch (row.node.type) {
    case Type::llm_call: return fmt::format("asked {}", what);
    case Type::static_analysis: return fmt::format("found {}", what);
    case Type::test_run: return fmt::format("ran {}", what);
    case Type::model_switch: return fmt::format("switched the model: {}", what);
    case Type::user_query:
      return row.node.is_query() ? "sent a message" : fmt::format("asked: {}", what);
    case Type::reflexion_action:
    case Type::other: break;
  }
  return fmt::format("did {}", what);
}

/// What a step of a story did, as a sentence that names it:
/// `CriticAgent ran api, 3 failed (ERROR) [9b01]`. From a template for each type;
/// no model is asked.
std::string sentence_of(const ExplanationScene& scene, uint32_t node) {
  CellArena arena;
  const ExplanationRow row(scene, {node, nullptr}, arena);
  std::string_view agent = scene.story.agent(row.node);
  std::string text = agent.empty() ? "someone" : std::string(scene.names.text(agent).view());
  text += ' ' + done(row, words_of(row));
  if (row.node.status != StepStatus::ok) text += fmt::format(" ({})", word(row.node.status));
  return fmt::format("{} [{}]", text, scene.id(row.shown).view());
}

/// A step that led to another one, or came of it, and all between them.
struct StepChain {
  const StoryEdge* edge;        ///< between the step that is explained and its neighbour
  std::vector<uint32_t> steps;  ///< the first one first
  double confidence = 1;        ///< that all edges on the way are right
};

class StepProvenance {
 public:
  /// `namesakes`: other steps that have the name by which this one was asked for.
  StepProvenance(const ExplanationScene& scene, uint32_t step, std::vector<uint32_t> namesakes,
                 const Listing& listing)
      : scene_(scene),
        story_(scene.story),
        step_(step),
        namesakes_(std::move(namesakes)),
        listing_(listing) {
    const auto index_by = [&](uint32_t StoryEdge::*end) {
      return EdgeIndex<>(story_.nodes.size(), story_.edges.size(),
                         [&](uint32_t i) { return story_.edges[i].*end; });
    };
    in_ = index_by(&StoryEdge::to);
    out_ = index_by(&StoryEdge::from);
    causes_ = chains(in_, &StoryEdge::from);
    effects_ = chains(out_, &StoryEdge::to);
    std::stable_sort(causes_.begin(), causes_.end(), [](const StepChain& a, const StepChain& b) {
      return std::tuple(b.edge->relation, b.confidence) <
             std::tuple(a.edge->relation, a.confidence);
    });
    find_beside();
  }

  void add_tables(Document& document) const;
  Outline outline() const;
  Drawing draw() const;

 private:
  const StoryNode& node(uint32_t at) const { return story_.nodes[at]; }
  Text id(uint32_t at) const { return scene_.id({at, nullptr}); }
  Text at(uint32_t step) const { return scene_.names.at(place_of(scene_.graph, node(step))); }
  Text composed(std::string text) const { return scene_.question.door.composed(std::move(text)); }
  Text task() const { return scene_.names.text(story_.task(node(step_))); }
  Text question() const {
    bool failed = node(step_).status == StepStatus::error;
    return scene_.question.door.say("Why did step {} {}?", id(step_).view(),
                                    failed ? "fail" : "happen");
  }

  /// The chains that begin with the most telling edges of the step, in the order of the edges.
  std::vector<StepChain> chains(const EdgeIndex<>& next, uint32_t StoryEdge::*end) const {
    std::vector<const StoryEdge*> edges;
    edges.reserve(next.of(step_).size());
    for (uint32_t i : next.of(step_)) edges.push_back(&story_.edges[i]);
    if (edges.size() > listing_.most) {
      std::ranges::stable_sort(edges, [](const StoryEdge* a, const StoryEdge* b) {
        return std::tuple(b->relation, b->confidence) < std::tuple(a->relation, a->confidence);
      });
      edges.resize(listing_.most);
    }
    std::vector<StepChain> all;
    all.reserve(edges.size());
    for (const StoryEdge* edge : edges) all.push_back(chain(*edge, next, end));
    return all;
  }

  /// On along the most telling edge of each step. Stories have no circles, but edges by time and
  /// edges on record may close one.
  StepChain chain(const StoryEdge& first, const EdgeIndex<>& next, uint32_t StoryEdge::*end) const {
    StepChain chain{&first, {step_}, first.confidence};
    std::vector<bool> seen(story_.nodes.size());
    seen[step_] = true;
    for (const StoryEdge* edge = &first; edge != nullptr && !seen[edge->*end];) {
      const uint32_t at = edge->*end;
      seen[at] = true;
      chain.steps.push_back(at);
      if (edge != &first) chain.confidence *= edge->confidence;
      edge = nullptr;
      for (uint32_t i : next.of(at)) {
        const StoryEdge& other = story_.edges[i];
        if (edge == nullptr || std::tuple(edge->relation, edge->confidence) <
                                   std::tuple(other.relation, other.confidence))
          edge = &other;
      }
    }
    if (end == &StoryEdge::from) std::reverse(chain.steps.begin(), chain.steps.end());
    return chain;
  }

  /// The other steps of its task: a test that fails is understood from who wrote what it tests.
  void find_beside() {
    std::vector<bool> is_shown(story_.nodes.size());
    is_shown[step_] = true;
    for (const std::vector<StepChain>* chains : {&causes_, &effects_})
      for (const StepChain& one : *chains)
        for (uint32_t at : one.steps) is_shown[at] = true;
    if (!node(step_).task) return;
    for (uint32_t i = 0; i < story_.nodes.size(); ++i) {
      if (is_shown[i] || node(i).task != node(step_).task) continue;
      (node(i).start <= node(step_).start ? before_ : after_).push_back(i);
    }
  }

  std::string path(const StepChain& one) const {
    std::string text;
    for (uint32_t at : one.steps)
      text += fmt::format("{}{}", text.empty() ? "" : " -> ", id(at).view());
    return text;
  }
  std::string facts(const StepChain& one) const {
    std::string text(word(one.edge->relation));
    text += one.edge->rule == Rule::told ? " (as recorded in the graph that was read)"
                                         : fmt::format(" (evidence: {})", word(one.edge->rule));
    if (!is_sure(one.confidence)) text += fmt::format(", confidence {:.2f}", one.confidence);
    constexpr size_t kNamed = 3;  // further ones are in JSON
    const std::span<const Rival<uint32_t>> rivals(one.edge->rivals);
    for (size_t i = 0; i < std::min(rivals.size(), kNamed); ++i)
      text += fmt::format("{}{} ({:.2f})", i == 0 ? "; alternatives: " : ", ",
                          id(rivals[i].from).view(), rivals[i].confidence);
    if (rivals.size() > kNamed) text += fmt::format(" and {} more", rivals.size() - kNamed);
    return text;
  }

  void add_other_steps(std::string_view heading, const std::vector<uint32_t>& steps, bool is_before,
                       std::vector<Text>& lines) const {
    if (steps.empty()) return;
    constexpr size_t kMostListed = 12;  // the nearest ones; more is a task, not a reason
    const size_t count = listing_.unfold ? steps.size() : std::min(steps.size(), kMostListed);
    std::span<const uint32_t> nearest(steps);
    nearest = is_before ? nearest.last(count) : nearest.first(count);
    lines.push_back({});
    lines.push_back(scene_.question.door.say("{} in task {}:", heading, task().view()));
    if (count < steps.size())
      lines.push_back(
          scene_.question.door.say("  … {} more; --unfold shows them",
                                   plural(static_cast<int64_t>(steps.size() - count), "step")));
    for (uint32_t step : nearest) lines.push_back(composed("  " + sentence_of(scene_, step)));
  }

  size_t causes_omitted() const { return in_.of(step_).size() - causes_.size(); }
  size_t effects_omitted() const { return out_.of(step_).size() - effects_.size(); }
  Text answer() const;
  ChainRow chain_row(const StepChain& one, uint32_t actor, CellArena& arena) const;
  Table groups(CellArena& arena) const;
  Table effects(CellArena& arena) const;
  Texts ids(const std::vector<uint32_t>& steps) const {
    Texts texts;
    for (uint32_t step : steps) texts.push_back(id(step));
    return texts;
  }
  Cell sentences(const std::vector<uint32_t>& steps, CellArena& arena) const {
    Texts texts;
    for (uint32_t step : steps) texts.push_back(composed(sentence_of(scene_, step)));
    return some(std::move(texts), arena);
  }

  const ExplanationScene& scene_;
  const Story& story_;
  uint32_t step_;
  std::vector<uint32_t> namesakes_;
  Listing listing_;
  EdgeIndex<> in_, out_;
  std::vector<StepChain> causes_, effects_;
  std::vector<uint32_t> before_, after_;  ///< other steps of the task
};

Text StepProvenance::answer() const {
  std::string text = sentence_of(scene_, step_) + ", because:\n";
  size_t number = 0;
  std::set<uint32_t> seen;  // chains may begin alike
  for (const StepChain& one : causes_)
    for (uint32_t at : std::span(one.steps).first(one.steps.size() - 1))
      if (seen.insert(at).second)
        text += fmt::format("  {}. {}\n", ++number, sentence_of(scene_, at));
  if (causes_.empty()) text += "  no recorded cause\n";
  return composed(std::move(text));
}

ChainRow StepProvenance::chain_row(const StepChain& one, uint32_t actor, CellArena& arena) const {
  const uint32_t to = one.edge->to;  // of causes, the step itself
  const StoryNode& last = node(to);
  // Before its parts pass, as replacements are numbered in the order in which they pass.
  const Texts* path = arena.keep(ids(one.steps));
  return {.calls = {.ids = arena.keep(Texts{id(to)}),
                    .places = arena.keep(Texts{at(to)}),
                    .first = last.start,
                    .last = last.start,
                    .total = last.latency,
                    .errors = last.status == StepStatus::error},
          .actor = id(actor),
          .hop_kind = Door::own(word(one.edge->relation)),
          .path = path,
          .certainty = {.confidence = one.confidence, .method = one.edge->rule},
          .direct_confidence = one.edge->confidence};
}

Table StepProvenance::groups(CellArena& arena) const {
  Table table = table_of<kGroups>("cause_groups");
  for (const StepChain& one : causes_) {
    ChainRow row = chain_row(one, one.edge->from, arena);
    Table delegated = table_of<kDelegated>({}), rivals = table_of<kOtherCauses>({});
    for (size_t i = one.steps.size() - 1; i-- > 0;) {
      const StoryNode& by = node(one.steps[i]);
      add_fields(kDelegated, {id(one.steps[i]), Door::own(word(by.type)), by.start}, delegated);
    }
    for (const Rival<uint32_t>& other : one.edge->rivals)
      add_fields(kOtherCauses, {id(step_), id(other.from), other.confidence}, rivals);
    row.delegated_by = arena.keep(std::move(delegated));
    row.alternatives = some(std::move(rivals), arena);
    add_fields(kGroups, row, table);
  }
  return table;
}

Table StepProvenance::effects(CellArena& arena) const {
  Table table = table_of<kEffects>("effects");
  for (const StepChain& one : effects_)
    add_fields(kEffects, chain_row(one, one.edge->to, arena), table);
  return table;
}

void StepProvenance::add_tables(Document& document) const {
  CellArena& arena = document.arena();
  document.add(record_of<kHead>({}, {question(), id(step_), Door::own(word(node(step_).type))}));
  document.add(run_record(task()));
  std::vector<uint32_t> sources;
  for (const StepChain& one : causes_) sources.push_back(one.edge->from);
  document.add(record_of<kAccessors>({}, arena.keep(ids(sources))));
  document.add(groups(arena));
  document.add(table_of<kParallel>("parallel_groups"));
  document.add(effects(arena));
  document.add(record_of<kOmitted>(
      {},
      {.causes = causes_omitted(), .accesses = causes_omitted(), .effects = effects_omitted()}));
  document.add(record_of<kAnswer>({}, answer()));
  document.add(record_of<kInstances>({}, some(ids(namesakes_), arena)));
  document.add(record_of<kBeside>({}, {sentences(before_, arena), sentences(after_, arena)}));
  document.add(steps_table());
}

Outline StepProvenance::outline() const {
  Outline shown;
  std::string head(question().view());
  if (!task().empty()) head += fmt::format("  (task {})", task().view());
  shown.head = {composed(std::move(head)), composed(sentence_of(scene_, step_)),
                scene_.question.door.say("at {}", at(step_).view())};
  if (!namesakes_.empty())
    shown.head.push_back(
        scene_.question.door.say("Other steps with this name: {}", joined(ids(namesakes_), ", ")));
  size_t number = 0;
  for (const StepChain& one : causes_) {
    std::string label = fmt::format("Cause {}: ", ++number), indent(label.size(), ' ');
    shown.head.push_back({});
    shown.head.push_back(composed(label + path(one)));
    shown.head.push_back(composed(indent + facts(one)));
    for (uint32_t at : std::span(one.steps).first(one.steps.size() - 1))
      shown.head.push_back(composed(indent + sentence_of(scene_, at)));
  }
  if (causes_.empty()) {
    shown.head.push_back({});
    shown.head.push_back(Door::own("No recorded cause."));
  }
  Door& door = scene_.question.door;
  add_omitted(door, causes_.size(), causes_omitted(), shown.head);
  if (!effects_.empty()) {
    shown.head.push_back({});
    shown.head.push_back(Door::own("Led to:"));
    for (const StepChain& one : effects_) {
      shown.head.push_back(composed("  " + path(one)));
      shown.head.push_back(composed("    " + facts(one)));
      for (uint32_t at : std::span(one.steps).subspan(1))
        shown.head.push_back(composed("    " + sentence_of(scene_, at)));
    }
  }
  add_omitted(door, effects_.size(), effects_omitted(), shown.head);
  add_other_steps("Earlier", before_, true, shown.head);
  add_other_steps("Later", after_, false, shown.head);
  return shown;
}

Drawing StepProvenance::draw() const {
  Drawing drawing;
  std::map<uint32_t, uint32_t> places;
  auto place = [&](uint32_t step) {
    auto [known, is_new] = places.emplace(step, static_cast<uint32_t>(drawing.nodes.size()));
    if (!is_new) return known->second;
    CellArena arena;
    const ExplanationRow row(scene_, {step, nullptr}, arena);
    Drawing::Node drawn{id(step), {composed(words_of(row))}, Door::own(word(row.node.type))};
    drawn.type = "Step";
    drawn.properties.add("at", at(step));
    drawing.nodes.push_back(std::move(drawn));
    return known->second;
  };
  for (const std::vector<StepChain>* chains : {&causes_, &effects_})
    for (const StepChain& one : *chains)
      for (uint32_t step : one.steps) place(step);
  place(step_);
  for (const StoryEdge& edge : story_.edges) {
    if (!places.contains(edge.from) || !places.contains(edge.to)) continue;
    Drawing::Edge drawn;
    drawn.from = places[edge.from];
    drawn.to = places[edge.to];
    drawn.label = Door::own(word(edge.relation));
    if (!is_sure(edge.confidence)) drawn.stroke = Drawing::Stroke::dotted;
    drawn.relation = Door::own(word(edge.relation));
    drawn.properties.add("confidence", thousandths(edge.confidence));
    drawing.edges.push_back(std::move(drawn));
  }
  return drawing;
}

/// One, by the id that answers show, else that of the span or the call; empty: there is none. A
/// summary is that of its first step.
std::vector<uint32_t> find_step(const ExplanationScene& scene, std::string_view name) {
  if (name.starts_with("summary-")) name.remove_prefix(std::string_view("summary-").size());
  for (bool as_shown : {true, false})
    for (uint32_t i = 0; i < scene.story.nodes.size(); ++i)
      if ((as_shown ? std::string(scene.id({i, nullptr}).view())
                    : name_of(scene.graph, scene.story.nodes[i])) == name)
        return {i};
  for (uint32_t i = 0; i < scene.story.nodes.size(); ++i)
    if (HopId hop = scene.story.nodes[i].hop; hop)
      for (SpanId span : scene.graph.hops().observations_of(scene.graph.hops()[hop]))
        if (scene.graph.trace()[scene.graph.trace()[span].shown_id()] == name) return {i};
  return {};
}

/// How much a step calls for an explanation, and of equals how late it is.
std::pair<int, uint32_t> urgency_of(const Story& story, uint32_t step) {
  const StepStatus status = story.nodes[step].status;
  const int failed = status == StepStatus::error ? 2 : status == StepStatus::warning ? 1 : 0;
  return {failed, step};
}

/// Of the steps that have the name, in whatever case, the one to be explained comes first.
std::vector<uint32_t> find_named(const ExplanationScene& scene, std::string_view name) {
  const std::string wanted = lower(name);
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < scene.story.nodes.size(); ++i)
    if (std::ranges::any_of(names_in_record(scene.graph, scene.story.nodes[i]),
                            [&](std::string_view one) { return lower(one) == wanted; }))
      found.push_back(i);
  const auto most_urgent = std::ranges::max_element(
      found, {}, [&](uint32_t step) { return urgency_of(scene.story, step); });
  if (most_urgent != found.end()) std::rotate(found.begin(), most_urgent, most_urgent + 1);
  return found;
}

/// `find`: the steps that a name means, the one to be explained first.
template <class Find>
Result<Document> explain(const Question& question, const std::string& name, const Listing& listing,
                         Find find) {
  std::shared_ptr<const Story> story = question.graph.story();
  const ExplanationScene scene(question, story, unfolded(*story), {}, StoryOptions(),
                               story->nodes.size());
  std::vector<uint32_t> steps = find(scene, name);
  if (steps.empty())
    return fail(Exit::no, fmt::format("there is no step '{}' in the story", printable(name)));
  const uint32_t step = steps.front();
  steps.erase(steps.begin());
  Document document("explain");
  if (question.face == Face::tables)
    add_preface("xtrace.explain/1", question, scene.names, {}, document, Meanings::always,
                Covers::all);
  const StepProvenance why(scene, step, std::move(steps), listing);
  add_answer(why, question.face, document);
  return document;
}

}  // namespace

Result<Document> explain_step(const Question& question, const std::string& id,
                              const Listing& listing) {
  return explain(question, id, listing, find_step);
}

Result<Document> explain_named_step(const Question& question, const std::string& name,
                                    const Listing& listing) {
  return explain(question, name, listing, find_named);
}

}  // namespace xtrace
