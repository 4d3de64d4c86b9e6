#include "view/impact/impact_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "link/graph/subject.h"
#include "view/calls/call_words.h"
#include "view/calls/select_calls.h"
#include "view/common/shown_arguments.h"
#include "view/common/shown_targets.h"
#include "view/common/use_words.h"
#include "view/hops/hop_words.h"
#include "view/hops/span_texts.h"
#include "view/query/one_query.h"

namespace xtrace {

namespace {

/// What is said of a tool use without an id.
constexpr std::string_view kNameless = "tool";

}  // namespace

Result<std::shared_ptr<const ImpactScene>> ImpactScene::make(const Question& question,
                                                             const Filter& filter, CellArena& arena,
                                                             const Query* query) {
  std::shared_ptr<ImpactScene> scene(new ImpactScene(question, query));
  if (subject_of(question.graph.trace()) == Subject::spans) {
    Result<std::shared_ptr<HopScene>> hops = hop_scene(question, filter, HopLinks::causes);
    if (!hops) return tl::unexpected(hops.error());
    if (query != nullptr) narrow((*hops)->selection, *query, question.graph.trace(), (*hops)->hops);
    scene->hops_ = *std::move(hops);
    const HopSelection& shown = scene->hops_->selection;
    scene->steps_ = steps_of_hops(scene->hops_->hops, shown.hops, shown.edges);
    return scene;
  }
  Result<Selection> selection = select_calls(filter, question.graph, question.door.zone());
  if (!selection) return tl::unexpected(selection.error());
  if (query != nullptr) narrow(*selection, *query, question.graph);
  Spending spending(question.graph, *selection);
  scene->calls_ = std::make_shared<CallScene>(
      CallScene{scene->question_, question.graph, *std::move(selection), Metrics(),
                Names(question.graph, question.door), arena, std::move(spending)});
  const Selection& shown = scene->calls_->selection;
  scene->steps_ = steps_of_calls(question.graph, shown.calls, shown.links, shown.adjusted);
  scene->count_owners();
  return scene;
}

void ImpactScene::count_owners() {
  for (const GraphStep& step : steps_.steps)
    if (step.kind == GraphStep::Kind::tool_use && step.use) ++owners_[step.use.index];
}

Text ImpactScene::id(uint32_t node) const {
  const GraphStep& at = step(node);
  switch (at.kind) {
    case GraphStep::Kind::call: return names().id(at.call);
    case GraphStep::Kind::hop: return hops_->name(at.hop);
    case GraphStep::Kind::tool_use: break;
  }
  if (!at.use) return door().say("{}/{}-{}", names().id(at.call).view(), kNameless, at.nth);
  const Text use = names().text(at.use);
  if (owners_.at(at.use.index) == 1) return use;
  return door().say("{}/{}", names().id(at.call).view(), use.view());
}

std::string ImpactScene::recorded_id(uint32_t node) const {
  const GraphStep& at = step(node);
  switch (at.kind) {
    case GraphStep::Kind::call: return std::string(trace()[trace()[at.call].id]);
    case GraphStep::Kind::hop: return hops_->hops.name_of(trace(), at.hop);
    case GraphStep::Kind::tool_use: break;
  }
  const std::string_view call = trace()[trace()[at.call].id];
  if (!at.use) return fmt::format("{}/{}-{}", call, kNameless, at.nth);
  const std::string_view use = trace()[at.use];
  return owners_.at(at.use.index) == 1 ? std::string(use) : fmt::format("{}/{}", call, use);
}

Text ImpactScene::owner(uint32_t node) const {
  return hops_ ? id(node) : names().id(step(node).call);
}

std::string_view ImpactScene::kind(uint32_t node) const {
  switch (step(node).kind) {
    case GraphStep::Kind::call: return "call";
    case GraphStep::Kind::tool_use: return "tool_use";
    case GraphStep::Kind::hop: break;
  }
  return hops_->hops[step(node).hop].is_call() ? "hop" : "span";
}

const Extent& ImpactScene::place(uint32_t node) const {
  return hops_ ? hops_->hops[step(node).hop].at : trace()[step(node).call].source;
}

Text ImpactScene::agent(uint32_t node) const {
  if (calls_) return names().agent(graph().agent_of(step(node).call));
  const HopId hop = step(node).hop;
  if (!hops_->hops[hop].span) return hops_->actor(hops_->hops[hop].from);
  return names().text(graph().activities().of(hops_->hops[hop].span).agent.agent());
}

Text ImpactScene::name(uint32_t node) const {
  const GraphStep& at = step(node);
  switch (at.kind) {
    case GraphStep::Kind::hop: return names().text(hops_->span(hops_->hops[at.hop]).operation);
    case GraphStep::Kind::tool_use:
      return at.tool != nullptr ? names().text(at.tool->tool) : Text();
    case GraphStep::Kind::call: break;
  }
  const CallId call[] = {at.call};
  return door().composed(count_tools(*calls_, call));
}

Text ImpactScene::words(uint32_t node) const {
  const GraphStep& at = step(node);
  if (at.kind == GraphStep::Kind::hop) return what_it_was(*hops_, at.hop);
  const Text done = at.kind == GraphStep::Kind::call ? what_it_did(*calls_, at.call) : used(at);
  return door().say("{}: {}", agent(node).view(), done.empty() ? id(node).view() : done.view());
}

Text ImpactScene::used(const GraphStep& step) const {
  if (step.tool == nullptr || step.tool->use == nullptr) return {};
  const std::string targets = short_targets(trace(), names(), *step.tool->use);
  return door().say("{}{}{}", names().text(step.tool->tool).view(), targets.empty() ? "" : " ",
                    targets);
}

Text ImpactScene::text(uint32_t node) const {
  if (!question_.shows_payload()) return {};
  const GraphStep& at = step(node);
  Door::At here(door(), names().place(place(node)));
  if (at.kind == GraphStep::Kind::tool_use) {
    if (at.tool == nullptr || at.tool->use == nullptr) return {};
    return shown_arguments(door(), read_arguments(question_, at.call, *at.tool->use));
  }
  if (at.kind == GraphStep::Kind::call)
    return door().payload(question_.payloads->read(trace()[at.call]).answer);
  const SpanId span = hops_->hops[at.hop].span;
  if (!span) return {};
  std::string said;
  for (const Quote& quote : question_.payloads->quotes(trace()[span]))
    if (quote.is_answer && quote.kind != Quote::Kind::thought)
      said += fmt::format("{}{}", said.empty() ? "" : "\n", quote.text);
  if (said.empty()) return span_text(question_, trace()[span], SpanText::arguments);
  return door().payload(said);
}

Moment ImpactScene::start(uint32_t node) const {
  const GraphStep& at = step(node);
  if (at.kind == GraphStep::Kind::hop) return {hops_->hops[at.hop].start, 6};
  const Call& call = trace()[at.call];
  if (at.kind == GraphStep::Kind::call) return {call.start, call.decimals};
  return {at.tool != nullptr ? at.tool->start : kNoTime, call.decimals};
}

bool ImpactScene::has_failed(uint32_t node) const {
  const GraphStep& at = step(node);
  switch (at.kind) {
    case GraphStep::Kind::hop: return hops_->hops[at.hop].outcome == Outcome::error;
    case GraphStep::Kind::call: return trace()[at.call].outcome == Outcome::error;
    case GraphStep::Kind::tool_use: break;
  }
  return at.tool != nullptr && at.tool->outcome == Outcome::error;
}

uint32_t ImpactScene::session(uint32_t node) const {
  return hops_ ? hops_->hops[step(node).hop].run : graph().session_of(step(node).call).number;
}

}  // namespace xtrace
