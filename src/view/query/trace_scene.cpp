#include "view/query/trace_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "view/common/counted.h"
#include "view/common/shown_targets.h"
#include "view/common/words.h"

namespace xtrace {

TraceScene::TraceScene(const Question& asked, const QueryTrace& of, const TraceLimits& within,
                       const Names& called, CellArena& on)
    : question(asked), trace(of), limits(within), names(called), arena(on), cited(of.cited()) {
  shown = of.visited.choose(within.nodes, cited);
  std::set<std::string> open, hidden;  // documents
  auto withhold = [&](const std::vector<EvidenceRef>& refs) {
    for (const EvidenceRef& ref : refs) {
      bool hides = withholds(ref.sensitivity);
      if (!ref.unit_id.empty()) (hides ? hidden : open).insert(ref.doc_id);
      if (!hides) continue;
      const std::string& whole = ref.unit_id.empty() ? ref.doc_id : ref.unit_id;
      for (const std::string& id : {ref.id, whole, ref.url, ref.community_id})
        if (!id.empty()) withheld.insert(id);
    }
  };
  for (const Step& step : of.steps) withhold(step.record.evidence);
  withhold(of.citations);
  // Of a document with units of several labels, the open ones may be named.
  for (const std::string& document : hidden)
    if (!document.empty() && !open.contains(document)) withheld.insert(document);
  find_withheld_nodes();
  find_withheld_texts();
  if (within.evidence == SIZE_MAX) return;
  for (size_t i = 0; i < shown.size(); ++i)
    if (shown[i])
      for (const std::string& unit : of.visited.nodes()[i].node.evidence) drawn_on.insert(unit);
}

bool TraceScene::withholds(const EvidenceRef& ref) const {
  if (ref.is_withheld || withholds(ref.sensitivity)) return true;
  for (const std::string& id : {ref.id, ref.unit_id, ref.url, ref.community_id})
    if (withheld.contains(id)) return true;
  return ref.unit_id.empty() && withheld.contains(ref.doc_id);
}

/// What was drawn from withheld units alone, or from what was, says what they say.
void TraceScene::find_withheld_nodes() {
  const std::vector<Visited::Node>& nodes = trace.visited.nodes();
  withheld_nodes.assign(nodes.size(), false);
  std::set<std::string> hidden = withheld;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const VisitedNode& node = nodes[i].node;
      const std::vector<std::string>& from = node.evidence;
      bool is_drawn = !from.empty() && std::all_of(from.begin(), from.end(), [&](const auto& unit) {
        return hidden.contains(unit);
      });
      bool hides =
          node.is_withheld || withholds(node.sensitivity) || hidden.contains(node.id) || is_drawn;
      if (!hides || withheld_nodes[i]) continue;
      withheld_nodes[i] = changed = true;
      hidden.insert(node.id);
    }
  }
}

void TraceScene::find_withheld_texts() {
  if (question.door.cleared() == nullptr || !question.shows_payload()) return;
  // What is withheld as it has no label, the Door withholds wherever it is.
  const bool hides_unlabelled = withholds(std::string_view());
  const auto hides = [&](bool is_withheld, const std::string& label) {
    return is_withheld && !(label.empty() && hides_unlabelled);
  };
  auto each_text = [&](auto say) {
    auto refs = [&](const std::vector<EvidenceRef>& some) {
      for (const EvidenceRef& ref : some) {
        say(ref.text, hides(withholds(ref), ref.sensitivity));
        say(ref.heading, hides(withholds(ref), ref.sensitivity));
      }
    };
    for (const Step& step : trace.steps) {
      refs(step.record.evidence);
      if (!hides(withholds(step.record.sensitivity), step.record.sensitivity)) continue;
      say(step.record.inputs, true);
      say(step.record.outputs, true);
    }
    refs(trace.citations);
    for (size_t i = 0; i < withheld_nodes.size(); ++i) {
      const VisitedNode& node = trace.visited.nodes()[i].node;
      say(node.text, hides(withheld_nodes[i], node.sensitivity));
      say(node.name, hides(withheld_nodes[i], node.sensitivity));
    }
  };
  each_text([&](const std::string& text, bool is_hidden) {
    if (is_hidden) withheld_texts.withhold(text);
  });
  each_text([&](const std::string& text, bool is_hidden) {
    if (!is_hidden) withheld_texts.open(text);
  });
}

bool TraceScene::is_copy(const std::string& text) const {
  if (withheld_texts.occurs_in(text) || text.find(WithheldTexts::kMark) != std::string::npos)
    return true;
  const ClearedTexts* cleared = question.door.cleared();
  return cleared != nullptr && !text.empty() && cleared->show(text) != text;
}

bool TraceScene::shows_name(std::string_view sensitivity) const {
  const Clearance& clearance = question.door.clearance();
  return question.shows_payload() || !clearance.label.empty() ||
         !clearance.labels.is_beyond(sensitivity, "internal");
}

Text TraceScene::node_id(size_t node) const {
  if (!withholds_node(node)) return text(trace.visited.nodes()[node].node.id);
  return question.door.say("withheld-{}", node + 1);
}

Text TraceScene::project() const {
  std::string_view project = trace.query.project;
  return project.empty() ? Door::own(kNoProject) : names.text(project);
}

Text TraceScene::id(const Step& step) const {
  if (step.call) return names.id(step.call);
  const Trace& facts = question.graph.trace();
  return names.text(facts[facts[step.span].shown_id()]);
}

std::vector<const EvidenceRef*> TraceScene::evidence_of(const Step& step) const {
  std::vector<std::pair<int, size_t>> order;
  const std::vector<EvidenceRef>& all = step.record.evidence;
  for (size_t i = 0; i < all.size(); ++i) {
    auto is_one_of = [&](const auto& ids) {
      return ids.contains(all[i].unit_id) || ids.contains(all[i].doc_id) ||
             ids.contains(all[i].id) || ids.contains(all[i].url);
    };
    order.emplace_back(is_one_of(cited) ? 0 : is_one_of(drawn_on) ? 1 : 2, i);
  }
  std::sort(order.begin(), order.end());
  order.resize(std::min(order.size(), limits.evidence));
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<const EvidenceRef*> refs;
  refs.reserve(order.size());
  for (const auto& [rank, i] : order) refs.push_back(&all[i]);
  return refs;
}

Cell TraceScene::orders(const std::vector<size_t>& steps) const {
  Integers numbers;
  for (size_t step : steps) numbers.push_back(order(step));
  return arena.keep(std::move(numbers));
}

Cell TraceScene::units(const std::vector<std::string>& evidence) const {
  Texts ids;
  for (const std::string& unit : evidence)
    if (!withheld.contains(unit)) ids.push_back(text(unit));
  return some(std::move(ids), arena);
}

/// Counts, and shows nothing: an auditor must see that something was left out, at any level and
/// with any clearance.
LeftOut left_out(const TraceScene& scene) {
  LeftOut left;
  bool basic = !scene.question.shows_payload();
  auto count_text = [&](const std::string& text) { left.texts += basic && !text.empty(); };
  auto count_copy = [&](const std::string& text) { left.copies += scene.is_copy(text); };
  auto count_name = [&](const std::string& name, const std::string& sensitivity) {
    left.texts += !name.empty() && !scene.shows_name(sensitivity);
  };
  for (const Step& step : scene.trace.steps) {
    const StepRecord& record = step.record;
    left.withheld += scene.withholds(record);
    count_text(record.inputs);
    count_text(record.outputs);
    if (!scene.withholds(record)) {
      count_copy(record.inputs);
      count_copy(record.outputs);
      for (const Parameter& param : record.params)
        if (const std::string* text = std::get_if<std::string>(&param.value)) count_copy(*text);
      for (const StepDetail& detail : record.details) count_copy(detail.text);
    }
    if (step.call && basic) {
      const Call& call = scene.question.graph.timeline()[step.call];
      left.texts += static_cast<bool>(call.request) + static_cast<bool>(call.answer);
    }
    for (const Parameter& param : record.params)
      left.texts += basic && std::holds_alternative<std::string>(param.value);
    for (const EvidenceRef& ref : record.evidence) {
      left.withheld += scene.withholds(ref);
      count_text(ref.text);
      count_name(ref.heading, ref.sensitivity);
    }
    left.evidence += scene.evidence_omitted(step);
  }
  for (const EvidenceRef& ref : scene.trace.citations) {
    left.withheld += scene.withholds(ref);
    count_text(ref.text);
    count_name(ref.heading, ref.sensitivity);
  }
  left.texts += scene.trace.texts_untold + scene.trace.omitted.texts;
  left.nodes += scene.trace.omitted.nodes;
  left.edges += scene.trace.omitted.edges;
  left.copies = std::max(left.copies, scene.trace.omitted.copies);
  for (size_t i = 0; i < scene.shown.size(); ++i) {
    const VisitedNode& node = scene.trace.visited.nodes()[i].node;
    left.nodes += !scene.shown[i];
    left.withheld += scene.withholds_node(i);
    count_text(node.text);
    count_name(node.name, node.sensitivity);
    if (!scene.withholds_node(i)) count_copy(node.text);
  }
  for (const Visited::Edge& edge : scene.trace.visited.edges())
    left.edges += !scene.shown[edge.from] || !scene.shown[edge.to];
  return left;
}

std::vector<std::string> step_words(const TraceScene& scene, size_t at) {
  const Step& step = scene.trace.steps[at];
  auto name = [&](std::string_view called) { return scene.names.text(called).view(); };
  std::vector<std::string> words = {fmt::format("{}. {}", TraceScene::order(at), name(step.node))};
  bool is_said =
      step.parent != Step::kNone && scene.trace.steps[step.parent].service == step.service;
  if (!step.service.empty() && !is_said) words.emplace_back(name(step.service));
  if (step.call) {
    Counted<std::string> tools;
    for (const ToolUse* use : scene.question.graph.tool_uses_of(step.call)) {
      std::string tool(scene.names.text(use->name).view());
      if (has_target(*use))
        tool += ' ' + short_targets(scene.question.graph.trace(), scene.names, *use);
      tools.add(tool);
    }
    std::string asked;
    for (const auto& [tool, times] : tools.all())
      asked = join_notes(std::move(asked), times == 1 ? tool : fmt::format("{} ×{}", tool, times));
    if (!asked.empty()) words.push_back(std::move(asked));
  }
  if (!step.to.empty())
    words.push_back(
        fmt::format("{} → {}", step.from.empty() ? kNotOnRecord : name(step.from), name(step.to)));
  return words;
}

std::string model_words(const TraceScene& scene, const Step& step) {
  std::string model(scene.names.text(step.model).view());
  if (step.record.asked_model.empty()) return model;
  return fmt::format("{} → {}", scene.text(step.record.asked_model).view(), model);
}

std::string evidence_words(const TraceScene& scene, const EvidenceRef& evidence) {
  std::string words(scene.text(evidence.type).view());
  auto add = [&](std::string_view word) {
    if (!words.empty() && !word.empty()) words += ' ';
    words += word;
  };
  if (scene.withholds(evidence)) return add("(withheld)"), words;
  add(scene.text(evidence.tool).view());
  add(short_target(scene.text(evidence.doc_id).view()));
  for (const std::string& name : {evidence.unit_id, evidence.community_id, evidence.url})
    add(scene.text(name).view());
  if (evidence.page >= 0) add("p. " + std::to_string(evidence.page));
  add(scene.text(evidence.time_range).view());
  if (scene.shows_name(evidence.sensitivity)) add(scene.text(evidence.heading).view());
  if (evidence.is_error) add("(error)");
  if (evidence.is_open) add("(no end recorded)");
  if (!evidence.sensitivity.empty())
    add(fmt::format("({})", scene.text(evidence.sensitivity).view()));
  return words;
}

}  // namespace xtrace
