#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "facts/payloads.h"
#include "view/common/counted.h"
#include "view/common/shown_targets.h"
#include "view/common/use_words.h"
#include "view/common/words.h"
#include "view/story/explanation.h"

namespace xtrace {

namespace {

using Type = TaskStep::Type;

/// `Routine LLM calls`
std::string_view plural_of(Type type) {
  switch (type) {
    case Type::llm_call: return "LLM calls";
    case Type::static_analysis: return "static analyses";
    case Type::test_run: return "test runs";
    case Type::model_switch: return "model switches";
    case Type::reflexion_action: return "actions";
    case Type::user_query: return "queries";
    case Type::other: break;
  }
  return "steps";
}

/// The first remark under a key of `details`, in words; empty: there is none.
std::string remark(const ExplanationRow& row, std::string_view key) {
  const Trace& trace = row.scene.graph.trace();
  const TaskStep& recorded = task_step_of(row.scene.graph, row.node);
  for (uint32_t i = recorded.first_remark; i < recorded.first_remark + recorded.remarks; ++i) {
    const Remark& one = trace.remarks[i];
    if (one.key != key || one.kind == Remark::Kind::payload) continue;
    return one.kind == Remark::Kind::number ? fmt::format("{:g}", one.number)
                                            : std::string(row.scene.names.text(one.text).view());
  }
  return {};
}

std::string operation(const ExplanationRow& row) {
  return std::string(row.scene.names.text(span_of(row.scene.graph, row.node).operation).view());
}

std::string or_else(const std::string& words, const std::string& otherwise) {
  return words.empty() ? otherwise : words;
}

/// ` $ go test ./…`, the only command that a call asks for, as far as it may be seen.
std::string command_words(const ExplanationRow& row, const ToolUse& use) {
  const Question& question = row.scene.question;
  if (question.payloads == nullptr || !question.door.shows_first_words()) return {};
  constexpr size_t kMost = 100;  // as `dag` shows it
  const Door::At at(question.door, row.place());
  const Text words =
      words_of_use(question.door, read_arguments(question, row.node.call, use), kMost);
  return words.empty() ? std::string() : " " + fold_white_space(words.view());
}

/// The tools that a call asked for: `: Read, Bash ×2`, `: Read src/a.cpp`.
std::string tool_words(const ExplanationRow& row) {
  if (!row.node.call) return {};
  Counted<StringId> counts;
  const std::vector<const ToolUse*> uses = row.scene.graph.tool_uses_of(row.node.call);
  for (const ToolUse* use : uses) counts.add(use->name);
  std::string words;
  for (const auto& [name, count] : counts.all()) {
    words += words.empty() ? ": " : ", ";
    words += row.scene.names.text(name).view();
    if (count > 1) words += fmt::format(" ×{}", count);
  }
  if (uses.size() == 1 && has_target(*uses.front()))
    words += " " + short_targets(row.scene.graph.trace(), row.scene.names, *uses.front());
  else if (uses.size() == 1)
    words += command_words(row, *uses.front());
  return words;
}

/// What is the same for all of them; nowhere otherwise.
template <class Member>
auto common(const Story& story, const Summary& summary, Member StoryNode::*member) {
  Member first = story.nodes[summary.first].*member;
  bool all = std::all_of(summary.members.begin(), summary.members.end(),
                         [&](uint32_t at) { return story.nodes[at].*member == first; });
  return all ? std::optional(first) : std::nullopt;
}

/// The worst of two.
StepStatus worse(StepStatus a, StepStatus b) {
  for (StepStatus one : {StepStatus::error, StepStatus::warning, StepStatus::ok})
    if (a == one || b == one) return one;
  return StepStatus::skipped;
}

}  // namespace

ExplanationRow::ExplanationRow(const ExplanationScene& of, ExplanationScene::Shown what,
                               CellArena& on)
    : scene(of), shown(what), node(of.story.nodes[what.node]), arena(on) {
  if (node.done != nullptr) {
    model = node.done->model;
    cost_is_low = node.done->output_is_low;
  }
  if (shown.summary == nullptr) return;
  const Summary& summary = *shown.summary;
  node.type = common(scene.story, summary, &StoryNode::type).value_or(Type::other);
  node.agent = common(scene.story, summary, &StoryNode::agent).value_or(StringId{});
  node.own_status = {};
  node.lacks_partner = false;
  node.cost_spike = 0;
  node.measured = 0;
  node.tokens = Tokens();
  node.cost = kNoCount;
  node.latency = kNoDuration;
  for (uint32_t at : summary.members) {
    const StoryNode& member = scene.story.nodes[at];
    if (member.done == nullptr || member.done->model != model) model = {};
    cost_is_low |= member.done != nullptr && member.done->output_is_low;
    node.status = worse(node.status, member.status);
    errors += member.status == StepStatus::error;
    for (int64_t Tokens::*count :
         {&Tokens::input, &Tokens::output, &Tokens::cache_read, &Tokens::cache_creation})
      node.tokens.*count = sum_of_known({node.tokens.*count, member.tokens.*count});
    node.cost = sum_of_known({node.cost, member.cost});
    total = sum_of_known(total, member.latency);
  }
}

Cell ExplanationRow::cost() const {
  if (node.cost < 0) return {};
  return Dollars{node.cost, cost_is_low ? Dollars::Bound::at_least : Dollars::Bound::exact};
}

std::string words_of(const ExplanationRow& row) {
  if (row.shown.summary != nullptr) return summary_words(row);
  std::string what = operation(row);
  switch (row.node.type) {
    case Type::llm_call: {
      std::string words =
          or_else(std::string(row.scene.names.text(row.model).view()), or_else(what, "model call"));
      return words + tool_words(row);
    }
    case Type::static_analysis: {
      std::string severity = remark(row, "severity");
      std::string rule = or_else(remark(row, "ruleId"), or_else(what, "static analysis"));
      return severity.empty() ? rule : fmt::format("{} ({})", rule, severity);
    }
    case Type::test_run: {
      std::string words = or_else(remark(row, "testSuite"), or_else(remark(row, "testName"), what));
      std::string passed = remark(row, "testsPassed"), failed = remark(row, "testsFailed");
      if (!passed.empty()) words += fmt::format(", {} passed", passed);
      if (!failed.empty()) words += fmt::format(", {} failed", failed);
      return words;
    }
    case Type::model_switch: {
      std::string from = remark(row, "oldModel"), to = remark(row, "newModel");
      return to.empty() ? or_else(what, "model switch")
                        : fmt::format("{} → {}", or_else(from, "?"), to);
    }
    case Type::user_query: return row.node.is_query() ? "user message" : or_else(what, "query");
    case Type::reflexion_action:
    case Type::other: break;
  }
  return or_else(what, std::string(row.scene.id(row.shown).view()));
}

std::vector<Annotation> annotations_of(const ExplanationRow& row) {
  const ExplanationScene& scene = row.scene;
  std::vector<Annotation> all;
  if (scene.annotations.empty()) return all;
  auto add = [&](uint32_t at) {
    auto found = scene.annotations.find(name_of(scene.graph, scene.story.nodes[at]));
    if (found != scene.annotations.end())
      all.insert(all.end(), found->second.begin(), found->second.end());
  };
  if (row.shown.summary == nullptr)
    add(row.shown.node);
  else
    for (uint32_t member : row.shown.summary->members) add(member);
  return all;
}

std::string spike_words(const StoryNode& node) {
  if (node.cost_spike <= 0) return {};
  return std::isfinite(node.cost_spike)
             ? fmt::format("cost spike, {:.0f}× the median", node.cost_spike)
             : "cost spike, most steps of the task are free";
}

std::string notes_of(const ExplanationRow& row) {
  const StoryNode& node = row.node;
  std::string notes(row.scene.names.text(node.own_status).view());
  if (node.lacks_partner) notes = join_notes(std::move(notes), "counterpart missing");
  return join_notes(std::move(notes), spike_words(node));
}

std::string summary_words(const ExplanationRow& row) {
  const Summary& summary = *row.shown.summary;
  size_t count = summary.members.size(), timed = 0;
  for (uint32_t at : summary.members) timed += row.scene.story.nodes[at].latency != kNoDuration;
  std::string average;
  if (timed > 0)
    average = fmt::format(", avg latency {}", format_span(row.total / static_cast<int64_t>(timed)));
  std::string_view first = summary.why == Summary::Why::routine ? "Routine"
                           : summary.why == Summary::Why::depth ? "Deeper"
                           : summary.why == Summary::Why::aged  ? "Past"
                                                                : "Older";
  std::string failed = row.errors > 0 ? ", " + plural(row.errors, "error") : "";
  return fmt::format("{} {} (n={}{}{})", first, plural_of(row.node.type), count, average, failed);
}

}  // namespace xtrace
