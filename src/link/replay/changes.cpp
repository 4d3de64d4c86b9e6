#include "link/replay/changes.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "prices/model_name.h"

namespace xtrace {

namespace {

using Kind = ReplayChange::Kind;
using Target = ReplayChange::Target;

bool is_own_work(const ReplayStep& step) {
  return step.kind == ReplayStep::Kind::work;
}

bool is_model_work(const ReplayStep& step) {
  return is_own_work(step) && part_of(step) == ReplayPart::model;
}

bool is_agent(const Replay& replay, const ReplayStep& step, std::string_view name) {
  if (step.agent == ReplayStep::kNone) return false;
  const ReplayAgent& agent = replay.agents[step.agent];
  return agent.type == name || agent.name == name;
}

/// Finds the steps that a change names; compares each name of a model once.
class StepMatcher {
 public:
  StepMatcher(const Replay& replay, const ReplayChange& change)
      : replay_(replay), change_(change) {}

  bool matches(const ReplayStep& step) const {
    switch (change_.kind) {
      case Kind::remove:
      case Kind::speed: return is_target(step);
      case Kind::no_retries: return step.is_retried || step.part == PathPart::retry_wait;
      case Kind::no_waiting:
        return part_of(step) == ReplayPart::person || part_of(step) == ReplayPart::permission;
      case Kind::price: return is_own_work(step) && has_model(step);
      case Kind::parallel:
      case Kind::cache: break;
    }
    return false;
  }

 private:
  bool is_target(const ReplayStep& step) const {
    const bool is_removed = change_.kind == Kind::remove;
    switch (change_.target) {
      case Target::tool: return step.tool == change_.name;
      // A removed agent is all that it did; a faster one has faster model calls.
      case Target::agent:
        return (is_removed ? step.kind == ReplayStep::Kind::agent : is_model_work(step)) &&
               is_agent(replay_, step, change_.name);
      case Target::model:
        return (is_removed ? is_call_of_model(step) : is_model_work(step)) && has_model(step);
      case Target::node:
        if (change_.use != nullptr) return step.use == change_.use;
        return change_.hop ? step.hop == change_.hop && step.kind != ReplayStep::Kind::wait
                           : is_own_work(step) && step.call == change_.call;
      case Target::none: break;
    }
    return false;
  }

  bool has_model(const ReplayStep& step) const {
    const auto [known, is_new] = models_.try_emplace(step.model, false);
    if (is_new) known->second = is_model(step.model, change_.name);
    return known->second;
  }

  const Replay& replay_;
  const ReplayChange& change_;
  mutable std::unordered_map<std::string_view, bool> models_;
};

void add(const ReplayChange& change, ReplayEffect& effect) {
  if (change.kind != Kind::speed) {
    effect.is_removed = true;
  } else if (change.fixed != kNoDuration) {
    effect.fixed = change.fixed;
  } else if (effect.fixed != kNoDuration) {
    effect.fixed =
        Duration(std::llround(static_cast<double>(effect.fixed.count()) / change.factor));
  } else {
    effect.factor *= change.factor;
  }
}

/// By step, how long the span took whose own time it is.
std::vector<Duration> lengths_of_spans(const Replay& replay) {
  std::vector<Duration> lengths(replay.steps.size(), Duration{0});
  for (const ReplayNode& node : replay.nodes)
    lengths[node.step] = replay.moments[node.end].at - replay.moments[node.start].at;
  return lengths;
}

/// By step, the outermost span that a change names and it is a part of.
std::vector<uint32_t> wholes_of(const Replay& replay, const ReplayChange& change) {
  const StepMatcher matcher(replay, change);
  std::vector<uint32_t> wholes(replay.steps.size(), ReplayStep::kNone);
  for (uint32_t i = 0; i < wholes.size(); ++i) {
    if (!matcher.matches(replay.steps[i])) continue;
    const uint32_t within = replay.steps[i].within;
    const bool is_part = within != ReplayStep::kNone && wholes[within] != ReplayStep::kNone;
    wholes[i] = is_part ? wholes[within] : i;
  }
  return wholes;
}

/// A span that is to take a given time shortens all that is a part of it alike.
ReplayChange scale_span(ReplayChange change, Duration length) {
  const auto fixed = static_cast<double>(change.fixed.count());
  change.fixed = kNoDuration;
  if (fixed <= 0) change.kind = Kind::remove;
  if (fixed > 0 && length > Duration{0})
    change.factor = static_cast<double>(length.count()) / fixed;
  return change;
}

}  // namespace

bool is_call_of_model(const ReplayStep& step) {
  if (!is_own_work(step) || step.model.empty()) return false;
  return part_of(step) == ReplayPart::model || step.is_failed;
}

int64_t count_matches(const Replay& replay, const ReplayChange& change) {
  if (change.kind == Kind::parallel)
    return std::ranges::count(replay.arcs, ReplayArc::Kind::serial, &ReplayArc::kind);
  if (change.kind == Kind::no_retries)
    return std::ranges::count_if(replay.steps, &ReplayStep::is_retried);
  const StepMatcher matcher(replay, change);
  // What is below a matching span is a part of it.
  return std::ranges::count_if(replay.steps, [&](const ReplayStep& step) {
    return matcher.matches(step) && (!step.hop || step.within == ReplayStep::kNone ||
                                     !matcher.matches(replay.steps[step.within]));
  });
}

bool is_model(std::string_view logged, std::string_view meant) {
  if (logged.empty() || meant.empty()) return false;
  if (logged == meant) return true;
  const std::string plain = plain_model(logged), wanted = plain_model(meant);
  return !wanted.empty() && plain.starts_with(wanted) &&
         is_decoration(std::string_view(plain).substr(wanted.size()));
}

ReplayEffects effects_of(const Replay& replay, const std::vector<ReplayChange>& changes) {
  ReplayEffects effects;
  if (changes.empty()) return effects;
  effects.of_step.resize(replay.steps.size());
  std::vector<Duration> lengths;
  for (const ReplayChange& change : changes) {
    if (change.kind == Kind::parallel) effects.is_parallel = true;
    if (change.kind == Kind::price || change.kind == Kind::cache) continue;
    const StepMatcher matcher(replay, change);
    std::vector<uint32_t> wholes;
    if (change.fixed != kNoDuration) {
      wholes = wholes_of(replay, change);
      lengths = lengths_of_spans(replay);
    }
    for (size_t i = 0; i < replay.steps.size(); ++i) {
      if (!matcher.matches(replay.steps[i])) continue;
      if (change.fixed == kNoDuration || !replay.steps[i].hop)
        add(change, effects.of_step[i]);
      else
        add(scale_span(change, lengths[wholes[i]]), effects.of_step[i]);
    }
  }
  for (size_t i = 0; i < replay.steps.size(); ++i)  // the outer one precedes
    if (const uint32_t within = replay.steps[i].within; within != ReplayStep::kNone)
      effects.of_step[i].is_removed |= effects.of_step[within].is_removed;
  return effects;
}

}  // namespace xtrace
