#include <fmt/format.h>

#include <map>
#include <set>

#include "base/one_of.h"
#include "facts/rows.h"
#include "facts/tool_targets.h"
#include "settings/arguments.h"
#include "view/diff/run_steps.h"

namespace xtrace {

namespace {

using Kind = Trait::Kind;

/// A number distinguishes the uses of one tool by one step, and the name too if there are several
/// tools.
class UseNames {
 public:
  explicit UseNames(size_t uses) : uses_(uses) {}
  /// The prefix of argument names for the next use; empty if there is only one.
  std::string next(std::string_view tool) {
    int nth = ++seen_[tool];
    if (uses_ <= 1) return {};
    return nth == 1 ? fmt::format("{}.", tool) : fmt::format("{}#{}.", tool, nth);
  }

 private:
  size_t uses_;
  std::map<std::string_view, int> seen_;
};

void add(std::vector<Trait>& traits, std::string_view field, std::string_view value,
         Kind kind = Kind::name, bool is_argument = false) {
  if (!value.empty()) traits.push_back({std::string(field), std::string(value), kind, is_argument});
}

/// `D10 U77 p. 4, D55 U220`
std::string ids_of(const std::vector<EvidenceRef>& refs) {
  std::string ids;
  for (const EvidenceRef& ref : refs) {
    std::string own;
    auto add = [&](std::string_view id) {
      if (!id.empty()) own += fmt::format("{}{}", own.empty() ? "" : " ", id);
    };
    for (const std::string* id : {&ref.doc_id, &ref.unit_id, &ref.community_id, &ref.url}) add(*id);
    if (ref.page >= 0) add(fmt::format("p. {}", ref.page));
    add(ref.time_range);
    if (!own.empty()) ids += fmt::format("{}{}", ids.empty() ? "" : ", ", own);
  }
  return ids;
}

/// Whatever the order in which it was visited.
std::string visited_by(const StepRecord& step) {
  std::set<std::string> parts;
  for (const VisitedNode& node : step.nodes) parts.insert(node.id);
  for (const VisitedEdge& edge : step.edges)
    parts.insert(fmt::format("{} {} {}", edge.from, edge.type, edge.to));
  return fmt::format("{}", fmt::join(parts, "\n"));
}

/// What a step of a query was asked, and what it rests on.
void add_query_traits(const StepRecord& step, std::vector<Trait>& traits) {
  for (const Parameter& param : step.params) {
    const std::string* text = std::get_if<std::string>(&param.value);
    std::string value =
        text != nullptr
            ? *text
            : std::visit([](const auto& given) { return fmt::format("{}", given); }, param.value);
    add(traits, param.name, value, text != nullptr ? Kind::payload : Kind::name, true);
  }
  add(traits, "mode", step.mode);
  add(traits, "graph_version", step.graph_version);
  add(traits, "evidence", ids_of(step.evidence));
  add(traits, "citations", ids_of(step.citations));
  add(traits, "subgraph", visited_by(step), Kind::hash);
}

/// What a user says to the model in the last of the messages (`gen_ai.input.messages`), or all of
/// `inputs` where they are no messages. Empty: what was said last is the result of a tool. Earlier
/// messages are in earlier steps, and the ids in them differ from run to run.
std::string prompt_in(const std::string& inputs) {
  const Arguments messages(inputs);
  if (!messages.is_json() || !messages.find("0.role")) return inputs;
  size_t last = 0;
  while (messages.find(fmt::format("{}.role", last + 1))) ++last;
  if (messages.find(fmt::format("{}.role", last)) != "user") return {};
  if (std::optional<std::string> text = messages.find(fmt::format("{}.content", last));
      text && !messages.holds(fmt::format("{}.content", last)))
    return *text;
  std::string said;
  for (std::string_view list : {"parts", "content"})
    for (size_t i = 0; messages.find(fmt::format("{}.{}.{}", last, list, i)); ++i)
      for (std::string_view key : {"content", "text"})
        if (std::optional<std::string> text =
                messages.find(fmt::format("{}.{}.{}.{}", last, list, i, key)))
          said += (said.empty() ? "" : "\n") + *text;
  return said;
}

}  // namespace

/// Arguments if they were kept while reading, else the names and hashes that every use of a tool
/// has. Numbers distinguish several uses of one tool, because their ids differ from run to run.
void RunSteps::add_call_traits(const StoryNode& node, std::vector<Trait>& traits) const {
  const Trace& trace = graph_.trace();
  const Timeline& timeline = graph_.timeline();
  const Call& call = timeline[node.call];
  std::vector<const ToolUse*> uses = graph_.tool_uses_of(node.call);
  std::string tools;
  for (const ToolUse* use : uses) {
    if (!tools.empty()) tools += ", ";
    tools += trace[use->name];
  }
  add(traits, "tools", tools);
  UseNames names(uses.size());
  for (const ToolUse* use : uses) {
    std::string before = names.next(trace[use->name]);
    std::span<const ToolUse> beside = timeline.uses_in(use->message);
    size_t place = static_cast<size_t>(use - beside.data());
    const std::span<const Argument> given = compared_ == Compared::all
                                                ? rows_of_use(trace.arguments, use->message, place)
                                                : std::span<const Argument>();
    for (const Argument& argument : given) {
      // Paths and addresses are names, which the Door lets out at any level.
      bool is_name = argument.value == use->target || argument.value == use->subagent_type;
      add(traits, argument.name ? before + std::string(trace[argument.name]) : before + "arguments",
          trace[argument.value], is_name ? Kind::name : Kind::payload, true);
    }
    if (!given.empty()) continue;
    add(traits, before + "target", trace[use->target], Kind::name, true);
    const std::vector<StringId> targets = targets_of(trace, *use);
    for (size_t i = 1; i < targets.size(); ++i)
      add(traits, fmt::format("{}targets.{}", before, i + 1), trace[targets[i]], Kind::name, true);
    add(traits, before + "subagent_type", trace[use->subagent_type], Kind::name, true);
    if (compared_ != Compared::all) continue;
    add(traits, before + "command", trace[use->command], Kind::hash, true);
    add(traits, before + "prompt", trace[use->prompt], Kind::hash, true);
  }
  add(traits, "stop_reason", trace[call.stop_reason]);
  add(traits, "error", trace[call.error]);
}

void RunSteps::add_span_traits(const StoryNode& node, std::vector<Trait>& traits) const {
  const Trace& trace = graph_.trace();
  const Hop& hop = graph_.hops()[node.hop];
  if (!hop.span) return;
  const Span& span = trace[hop.span];
  add(traits, "operation", trace[span.operation]);
  if (hop.from) add(traits, "source", graph_.hops()[hop.from].id);
  if (hop.to) add(traits, "target", graph_.hops()[hop.to].id);
  if (span.query && payloads_ != nullptr) add_query_traits(payloads_->step(span), traits);
  if (!span.gen_ai) return;
  if (payloads_ != nullptr && trace[span.gen_ai].role != GenAi::Role::tool)
    add(traits, "prompt", prompt_in(payloads_->step(span).inputs), Kind::payload);
  if (trace[span.gen_ai].role != GenAi::Role::tool) return;
  add(traits, "tools", trace[trace[span.gen_ai].tool]);
  if (payloads_ == nullptr) return;
  const std::string inputs = payloads_->step(span).inputs;
  std::vector<std::pair<std::string, std::string>> members = members_of(inputs);
  for (const auto& [name, value] : members) add(traits, name, value, Kind::payload, true);
  if (members.empty()) add(traits, "arguments", inputs, Kind::payload, true);
}

/// What a model was asked otherwise than by the tools and the history before.
void RunSteps::add_asked(const StoryNode& node, std::vector<Trait>& traits) const {
  const Trace& trace = graph_.trace();
  const Timeline& timeline = graph_.timeline();
  const Call& call = timeline[node.call];
  add(traits, "system_prompt", trace[call.system_prompt], Kind::hash);
  if (call.temperature >= 0) add(traits, "temperature", fmt::format("{:g}", call.temperature));
  if (call.max_tokens >= 0) add(traits, "max_tokens", fmt::format("{}", call.max_tokens));
  if (compared_ != Compared::all || has_query_[node.call.index] || !call.request) return;
  // What a client says beside the results of tools is its own.
  if (timeline[call.request].role != Message::Role::user ||
      !timeline.results_in(call.request).empty())
    return;
  std::string said;
  for (const Prompt& prompt : timeline.prompts_in(call.request))
    if (!prompt.is_beginning) said += trace[prompt.hash];
  add(traits, "prompt", said, Kind::hash);
}

std::vector<Trait> RunSteps::traits(uint32_t step) const {
  std::vector<Trait> traits = all_traits(step);
  std::erase_if(traits, [&](const Trait& trait) { return is_one_of(trait.field, ignored_); });
  return traits;
}

/// The agent of a step; compared with a stored graph, without a number, `Explore` of `Explore#2`,
/// as a graph of calls names agents and a log their types.
std::string_view RunSteps::agent_of(std::string_view name) const {
  const size_t number = is_with_stored(compared_) ? name.rfind('#') : name.npos;
  const bool is_number = number != name.npos && number + 1 < name.size() &&
                         name.find_first_not_of("0123456789", number + 1) == name.npos;
  return is_number ? name.substr(0, number) : name;
}

/// `ERROR timeout`. A stored call states whether it failed itself; that a tool failed, only its
/// links state. A stored span whose outcome is unknown has no other one.
std::string RunSteps::outcome_of(const StoryNode& node) const {
  std::string_view status = word(node.status), own = node.own_status;
  if (is_with_stored(compared_)) {
    if (node.call && graph_.timeline()[node.call].outcome == Outcome::ok)
      return std::string(word(StepStatus::ok));
    if (own == word(Outcome::unknown)) status = {};
  }
  std::string outcome(status);
  if (!own.empty()) outcome += fmt::format("{}{}", status.empty() ? "" : " ", own);
  return outcome;
}

/// What no run shares with another, such as ids, times, tokens and cost, is not one of them: two
/// runs of the same thing are to be equal.
std::vector<Trait> RunSteps::all_traits(uint32_t step) const {
  const Trace& trace = graph_.trace();
  const StoryNode& node = story_.nodes[step];
  std::vector<Trait> traits;
  add(traits, "agent", agent_of(story_.agent(node)));
  if (node.is_query()) {
    std::string said;
    const Call& call = graph_.timeline()[node.call];
    for (const Prompt& prompt : graph_.timeline().prompts_in(call.request))
      said += trace[prompt.hash];
    if (compared_ == Compared::all) add(traits, "prompt", said, Kind::hash);
    return traits;
  }
  add(traits, "model", node.done->model);
  if (is_with_stored(compared_)) {
    if (type_of(node) != TaskStep::Type::llm_call)
      add(traits, "operation", trace[span_of(graph_, node).operation]);
  } else if (node.call) {
    add_asked(node, traits);
    add_call_traits(node, traits);
  } else {
    add_span_traits(node, traits);
  }
  add(traits, "outcome", outcome_of(node));
  const TaskStep& recorded = task_step_of(graph_, node);
  for (uint32_t i = recorded.first_remark; i < recorded.first_remark + recorded.remarks; ++i) {
    const Remark& remark = trace.remarks[i];
    if (remark.kind == Remark::Kind::name) add(traits, remark.key, trace[remark.text]);
    if (remark.kind == Remark::Kind::number)
      add(traits, remark.key, fmt::format("{:g}", remark.number));
  }
  return traits;
}

}  // namespace xtrace
