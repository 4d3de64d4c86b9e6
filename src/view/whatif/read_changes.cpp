#include "view/whatif/read_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "base/number.h"
#include "base/text.h"
#include "view/common/selector.h"
#include "view/whatif/whatif_answer.h"

namespace xtrace {

namespace {

using Kind = ReplayChange::Kind;
using Target = ReplayChange::Target;

constexpr Target kNamedTargets[] = {Target::tool, Target::agent, Target::model, Target::node};

tl::unexpected<Error> refuse(std::string_view option, std::string_view text,
                             std::string_view expected) {
  return fail(Exit::usage,
              fmt::format("{}: '{}' is not of the form {}", option, printable(text), expected));
}

Result<ReplayChange> read_target(Kind kind, std::string_view option, std::string_view text,
                                 std::string_view expected) {
  for (Target target : kNamedTargets) {
    const std::string prefix = fmt::format("{}:", word(target));
    if (!text.starts_with(prefix) || text.size() == prefix.size()) continue;
    if (kind == Kind::speed && target == Target::node) break;
    ReplayChange change;
    change.kind = kind;
    change.target = target;
    change.name = text.substr(prefix.size());
    return change;
  }
  return refuse(option, text, expected);
}

Result<ReplayChange> read_speed(const std::string& text) {
  constexpr std::string_view kForm = "tool:NAME=2x, agent:NAME=2x or model:NAME=500ms";
  const size_t at = text.rfind('=');
  if (at == std::string::npos) return refuse("--speed", text, kForm);
  Result<ReplayChange> change =
      read_target(Kind::speed, "--speed", std::string_view(text).substr(0, at), kForm);
  if (!change) return change;
  std::string_view value = std::string_view(text).substr(at + 1);
  if (value.ends_with('x')) {
    value.remove_suffix(1);
    // A thousand times slower is a mistake, and a million times faster is none at all.
    constexpr double kLeast = 0.001, kMost = 1e6;
    const std::optional<double> factor = number_of<double>(value);
    if (!factor || !(*factor >= kLeast && *factor <= kMost)) return refuse("--speed", text, kForm);
    change->factor = *factor;
    return change;
  }
  const std::optional<Duration> fixed = parse_span(value);
  if (!fixed || *fixed < Duration{0}) return refuse("--speed", text, kForm);
  change->fixed = *fixed;
  return change;
}

Result<ReplayChange> read_price(const std::string& text) {
  const size_t at = text.find('=');
  if (at == std::string::npos || at == 0 || at + 1 == text.size())
    return refuse("--price", text, "MODEL=OTHER_MODEL");
  ReplayChange change;
  change.kind = Kind::price;
  change.target = Target::model;
  change.name = text.substr(0, at);
  change.to = text.substr(at + 1);
  return change;
}

/// What of a kind there is, for someone who typed another name.
std::string other_names(const Replay& replay, const ReplayChange& change) {
  std::set<std::string_view> names;
  for (const ReplayStep& step : replay.steps) {
    if (change.target == Target::tool) names.insert(step.tool);
    if (change.target == Target::model) names.insert(step.model);
    if (change.target == Target::agent && step.agent != ReplayStep::kNone)
      names.insert(replay.agents[step.agent].type);
  }
  names.erase("");
  const std::vector<std::string_view> known(names.begin(), names.end());
  if (std::string near = did_you_mean(change.name, known); !near.empty()) return near;
  if (known.empty()) return {};
  constexpr size_t kNamed = 8;
  return fmt::format("; there is {}", name_some(known, kNamed, [](std::string_view name) {
                       return fmt::format("'{}'", printable(name));
                     }));
}

void find_node(const WhatIf& what, ReplayChange& change) {
  const Graph& graph = what.question.graph;
  const Trace& trace = graph.trace();
  if (what.hops != nullptr) {
    change.hop = what.hops->find(trace, change.name);
    return;
  }
  for (const ToolUse& use : trace.tool_uses)
    if (trace[use.id] == change.name) change.use = &use;
  if (change.use != nullptr) return;
  const std::vector<CallId> calls = find_calls(graph, change.name, NameOf::calls, &what.names);
  if (calls.size() == 1) change.call = calls.front();
}

}  // namespace

void ChangeOptions::declare(Options& options) {
  options.add("--remove", remove, "TARGET",
              "without this: tool:NAME, agent:NAME (with its subagents), model:NAME or node:ID "
              "(repeatable)");
  options.add("--speed", speed, "TARGET=CHANGE",
              "faster or slower: tool:Bash=2x, agent:Explore=1.5x, model:NAME=500ms (repeatable)");
  options.add("--no-retries", no_retries,
              "no failed attempts that were retried, and no waits before the retries");
  options.add("--no-waiting", no_waiting,
              "you answer at once, and approve tools at once (permission prompts)");
  options.add("--parallel", parallel,
              "start together what was requested together but ran one after another");
  options.add("--price", price, "MODEL=OTHER",
              "same tokens at the prices of another model (repeatable)");
  options.add("--cache", cache, "each request finds the previous one of its conversation cached");
}

Result<std::vector<ReplayChange>> read_changes(const ChangeOptions& options) {
  constexpr std::string_view kForm = "tool:NAME, agent:NAME, model:NAME or node:ID";
  std::vector<ReplayChange> changes;
  for (const std::string& text : options.remove) {
    Result<ReplayChange> change = read_target(Kind::remove, "--remove", text, kForm);
    if (!change) return tl::unexpected(change.error());
    changes.push_back(*std::move(change));
  }
  for (const std::string& text : options.speed) {
    Result<ReplayChange> change = read_speed(text);
    if (!change) return tl::unexpected(change.error());
    changes.push_back(*std::move(change));
  }
  for (const auto& [is_given, kind] : {std::pair(options.no_retries, Kind::no_retries),
                                       {options.no_waiting, Kind::no_waiting},
                                       {options.parallel, Kind::parallel}}) {
    if (is_given) changes.emplace_back().kind = kind;
  }
  for (const std::string& text : options.price) {
    Result<ReplayChange> change = read_price(text);
    if (!change) return tl::unexpected(change.error());
    changes.push_back(*std::move(change));
  }
  if (options.cache) changes.emplace_back().kind = Kind::cache;
  return changes;
}

Status find_names(WhatIf& what) {
  for (ReplayChange& change : what.changes) {
    if (change.target == Target::node) find_node(what, change);
    const bool is_found =
        change.target != Target::node || change.call || change.hop || change.use != nullptr;
    const int64_t matched =
        !is_found ? 0
        : change.kind == Kind::cache
            ? std::ranges::count_if(what.billed,
                                    [](const BilledStep& one) { return one.reused > 0; })
            : count_matches(what.replay, change);
    if (matched == 0 && change.target != Target::none)
      return fail(Exit::no, fmt::format("there is no {} '{}'{}", word(change.target),
                                        printable(change.name), other_names(what.replay, change)));
    if (change.kind == Kind::price &&
        what.question.graph.prices().find(change.to).history == nullptr)
      return fail(Exit::no,
                  fmt::format("--price: the price of '{}' is not known; --prices FILE can "
                              "add it, and `xtrace prices` lists all",
                              printable(change.to)));
    what.matched.push_back(matched);
  }
  return {};
}

}  // namespace xtrace
