#include <algorithm>

#include "base/hash.h"
#include "base/one_of.h"
#include "facts/tool_targets.h"
#include "view/diff/run_steps.h"

namespace xtrace {

namespace {

/// Which every level shows, of a log as of a part of it.
constexpr std::string_view kSeen[] = {"agent",       "model",     "temperature", "max_tokens",
                                      "tools",       "operation", "source",      "target",
                                      "stop_reason", "error",     "outcome"};

}  // namespace

void RunSteps::mark(uint32_t step) {
  const StoryNode& node = story_.nodes[step];
  StepHashes& hashes = hashes_[step];
  uint64_t role = 0;
  if (!is_with_stored(compared_) && node.hop && !node.call && graph_.hops()[node.hop].span) {
    const Span& span = graph_.trace()[graph_.hops()[node.hop].span];
    if (span.gen_ai) role = 1 + static_cast<uint64_t>(graph_.trace()[span.gen_ai].role);
  }
  const bool is_query = node.is_query() && compared_ != Compared::graph;
  hashes.kind = chain(static_cast<uint64_t>(type_of(node)) * 2 + is_query, role);
  hashes.whole = hashes.kind;
  for (const Trait& trait : all_traits(step)) {
    fields_.insert(trait.field);
    if (is_one_of(trait.field, ignored_)) continue;
    uint64_t mark = chain(hash_of(trait.field), hash_of(trait.value));
    std::string_view field = trait.field;
    uint64_t& of = trait.is_argument  ? hashes.given
                   : field == "agent" ? hashes.agent
                   : field == "model" || field == "system_prompt" || field == "temperature" ||
                           field == "max_tokens"
                       ? hashes.model
                   : field == "tools" || field == "operation" || field == "prompt" ||
                           field == "source" || field == "target"
                       ? hashes.what
                       : hashes.outcome;
    of = chain(of, mark);
    hashes.whole = chain(hashes.whole, mark);
  }
}

uint64_t RunSteps::shown_mark(uint32_t step, Redactor& redactor) {
  uint64_t shown = hashes_[step].kind;
  auto add = [&](std::string_view field, std::string_view value) {
    if (value.empty()) return;
    std::string seen =
        redactor.clean(value) ? std::string(value) : without_numbers(redactor.redact(value));
    shown = chain(shown, chain(hash_of(field), hash_of(seen)));
    if (field == "operation" || field == "tools") labels_[step] = std::move(seen);
  };
  for (const Trait& trait : all_traits(step))
    if (trait.kind == Trait::Kind::name && !trait.is_argument && is_one_of(trait.field, kSeen))
      add(trait.field, trait.value);
  const StoryNode& node = story_.nodes[step];
  if (!node.call || node.is_query() || is_with_stored(compared_)) return shown;
  const Trace& trace = graph_.trace();
  for (const ToolUse* use : graph_.tool_uses_of(node.call)) {
    for (StringId target : targets_of(trace, *use)) add("use", trace[target]);
    add("subagent", trace[use->subagent_type]);
  }
  return shown;
}

std::string_view RunSteps::id_of(uint32_t step) const {
  const Trace& trace = graph_.trace();
  const StoryNode& node = story_.nodes[step];
  if (node.call) return trace[graph_.timeline()[node.call].id];
  return node.hop ? trace[graph_.hops()[node.hop].id] : std::string_view();
}

bool RunSteps::goes_before(const RunSteps& other) const {
  if (shown_key_ != other.shown_key_) return shown_key_ < other.shown_key_;
  auto in_order = [](const RunSteps& run) {
    std::vector<std::string_view> ids;
    for (uint32_t step : run.order_) ids.push_back(run.id_of(step));
    return ids;
  };
  const std::vector<std::string_view> own = in_order(*this), others = in_order(other);
  return own != others ? own < others : key_ < other.key_;
}

TaskStep::Type RunSteps::type_of(const StoryNode& node) const {
  const bool may_ask = is_with_stored(compared_) && node.type == TaskStep::Type::other;
  return may_ask && !node.done->model.empty() ? TaskStep::Type::llm_call : node.type;
}

Compared RunSteps::comparable_in(const Graph& graph, const Story& story) {
  const auto is_of_graph = [&](const StoryNode& node) {
    return task_step_of(graph, node).is_graph_node;
  };
  const auto is_stored_span = [&](const StoryNode& node) {
    if (node.call || !node.hop || !graph.hops()[node.hop].span) return false;
    const Trace& trace = graph.trace();
    return trace.sources[trace[graph.hops()[node.hop].span].source.file].format == "graph";
  };
  const auto is_of_export = [&](const StoryNode& node) {
    return node.call && graph.timeline()[node.call].is_converted;
  };
  if (std::ranges::any_of(story.nodes, is_of_graph)) return Compared::graph;
  if (std::ranges::any_of(story.nodes, is_stored_span)) return Compared::stored_spans;
  return std::ranges::any_of(story.nodes, is_of_export) ? Compared::without_texts : Compared::all;
}

}  // namespace xtrace
