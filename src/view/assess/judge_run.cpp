#include "view/assess/judge_run.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "view/common/hidden_names.h"

namespace xtrace {

namespace {

/// Names of which a piece is hidden in the input itself, by the name that replaces them.
using HiddenInInput = std::map<std::string, std::set<std::string>, std::less<>>;

/// Finds what is new to a baseline. A hidden name may or may not have been learned, so it is
/// undecided.
class Novelty {
 public:
  explicit Novelty(const HiddenInInput& hidden) : hidden_(hidden) {}

  /// Of an entry that is not among the learned ones: is it certainly none of them?
  template <class Entries, class Entry, class Fits>
  bool is_new(const Entries& learned, const Entry& entry, Fits may_be) {
    names_.clear();
    if (hidden_.empty()) return true;
    for (const auto& [one, of] : learned)
      if (may_be(one, entry)) {
        unsure_.insert(names_.begin(), names_.end());
        return false;
      }
    return true;
  }
  bool is_new(const std::map<EdgeName, Profile::Edge>& learned, const EdgeName& edge) {
    return is_new(learned, edge, [&](const EdgeName& one, const EdgeName& other) {
      return one.kind == other.kind && may_be(one.from, other.from) && may_be(one.to, other.to);
    });
  }
  bool is_new(const std::map<PathName, int64_t>& learned, const PathName& path) {
    return is_new(learned, path, [&](const PathName& one, const PathName& other) {
      return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                        [&](const std::string& a, const std::string& b) { return may_be(a, b); });
    });
  }
  template <class Of>
  bool is_new(const std::map<std::string, Of>& learned, const std::string& name) {
    return is_new(learned, name, [&](const std::string& one, const std::string& other) {
      return may_be(one, other);
    });
  }

  std::vector<std::string> unsure() const { return {unsure_.begin(), unsure_.end()}; }

 private:
  bool may_be(const std::string& learned, const std::string& name) {
    if (learned == name) return true;
    const std::set<std::string>* hidden = hidden_as(name);
    if (hidden == nullptr) return false;
    const bool may = std::any_of(hidden->begin(), hidden->end(),
                                 [&](const std::string& one) { return may_be_same(learned, one); });
    if (may) names_.insert(name);
    return may;
  }
  /// nullptr: nothing of it is hidden. One name is held against all that was learned.
  const std::set<std::string>* hidden_as(const std::string& name) {
    const auto [known, is_new] = looked_up_.try_emplace(&name, nullptr);
    if (!is_new) return known->second;
    if (const auto hidden = hidden_.find(name); hidden != hidden_.end())
      known->second = &hidden->second;
    return known->second;
  }

  const HiddenInInput& hidden_;
  std::set<std::string> names_;  ///< of the entry at hand
  std::set<std::string> unsure_;
  std::unordered_map<const std::string*, const std::set<std::string>*> looked_up_;
};

/// All that a run did decides a figure; its first calls are where to begin to look.
std::vector<HopId> first_hops(const RunTraits& run) {
  HopId first;
  for (const auto& [edge, hops] : run.edges)
    if (!first || hops.front() < first) first = hops.front();
  return {first};
}

/// The first use of the tool that a hop records.
std::vector<HopId> first_use(const RunTraits& run, const std::string& tool) {
  auto found = run.first_uses.find(tool);
  return found == run.first_uses.end() ? first_hops(run) : std::vector<HopId>{found->second};
}

struct FigureRule {
  std::string_view figure, rule;
  int64_t weight;
  double least_step;  ///< less is no difference: a cent, a call
};
constexpr FigureRule kFigureRules[] = {
    {kCostFigure, "cost_exceeded", 15, 0.01},
    {kCallsFigure, "calls_exceeded", 15, 1},
    {kFailuresFigure, "failures_exceeded", 15, 0.5},
};
constexpr FigureRule kToolRule = {kToolFigure, "tool_calls_exceeded", 15, 1};

void judge_figure(const FigureRule& by, double value, const Figure& learned, std::string tool,
                  const RunTraits& run, std::vector<Reason>& reasons) {
  if (!learned.is_exceeded_by(value, by.least_step)) return;
  int64_t weight =
      value > 3 * std::max(learned.bound.most, by.least_step) ? 2 * by.weight : by.weight;
  reasons.push_back(
      {by.rule, weight, {}, {}, value, learned.bound, first_hops(run), learned, std::move(tool)});
}

void judge_figures(const RunTraits& run, const Profile& baseline, Novelty& novelty,
                   std::vector<Reason>& reasons) {
  if (baseline.figures.empty()) return;  // none were learned
  for (const FigureRule& by : kFigureRules) {
    auto value = run.figures.find(by.figure);
    auto learned = baseline.figures.find(by.figure);
    if (value != run.figures.end() && learned != baseline.figures.end())
      judge_figure(by, value->second, learned->second, {}, run, reasons);
  }
  for (const auto& [tool, count] : run.tools) {
    auto learned = baseline.tools.find(tool);
    if (learned != baseline.tools.end())
      judge_figure(kToolRule, count, learned->second, tool, run, reasons);
    else if (novelty.is_new(baseline.tools, tool))
      reasons.push_back({"novel_tool", 10, {}, {}, count, {}, first_use(run, tool), {}, tool});
  }
}

std::vector<Reason> reasons_of(const RunTraits& run, const Profile& baseline, Novelty& novelty) {
  std::vector<Reason> reasons;
  for (const auto& [edge, hops] : run.edges) {
    auto known = baseline.edges.find(edge);
    double calls = static_cast<double>(hops.size());
    if (known == baseline.edges.end()) {
      if (novelty.is_new(baseline.edges, edge))
        reasons.push_back({"novel_edge", 15, edge, {}, -1, {}, hops});
    } else if (known->second.calls.is_exceeded_by(calls)) {
      reasons.push_back({"retry_storm", 15, edge, {}, calls, known->second.calls, hops});
    }
  }
  for (const auto& [resource, hops] : run.resources)
    if (!baseline.resources.contains(resource) && novelty.is_new(baseline.resources, resource))
      reasons.push_back({"novel_resource_access", 20, {{}, resource, {}}, {}, -1, {}, hops});
  for (const auto& [path, hops] : run.paths)
    if (!baseline.paths.contains(path) && novelty.is_new(baseline.paths, path))
      reasons.push_back({"novel_path", 10, {}, path, -1, {}, hops});
  if (double depth = static_cast<double>(run.depth); baseline.depth.is_exceeded_by(depth))
    reasons.push_back({"depth_exceeded", 10, {}, {}, depth, baseline.depth, run.deepest});
  for (const auto& [agent, targets] : run.targets) {
    auto known = baseline.fan_out.find(agent);
    double called = static_cast<double>(targets.size());
    if (known == baseline.fan_out.end() || !known->second.is_exceeded_by(called)) continue;
    Reason reason{"fanout_exceeded", 10, {{}, agent, {}}, {}, called, known->second, {}};
    for (const auto& [edge, hops] : run.edges)
      if (edge.from == agent) reason.hops.insert(reason.hops.end(), hops.begin(), hops.end());
    std::sort(reason.hops.begin(), reason.hops.end());
    reasons.push_back(std::move(reason));
  }
  judge_figures(run, baseline, novelty, reasons);
  return reasons;
}

/// Does it, if one knew what is hidden of whom it called?
bool may_declare(const AgentCard& card, std::string_view actor) {
  return is_hidden(actor) &&
         std::any_of(card.may_use.begin(), card.may_use.end(), [&](const std::string& declared) {
           return AgentCard::is_name_of(declared, actor, may_be_same);
         });
}

}  // namespace

RunJudge::RunJudge(const Profile& baseline) : baseline_(baseline), learned_(names_in(baseline)) {}

RunDeviations RunJudge::judge(const RunTraits& run) const {
  std::map<std::string, std::string> names;
  std::set<std::string> alike;
  HiddenInInput hidden;
  bool hides_alike = false;
  for (const auto& [name, shown] : run.replaced) {
    // A baseline that was learned without redaction has the names themselves.
    if (learned_.contains(name)) continue;
    names.emplace(name, shown);
    const bool is_hidden_there = is_hidden(name);
    if (is_hidden_there) hidden[shown].insert(name);
    if (!learned_.contains(shown)) continue;
    alike.insert(shown);
    hides_alike |= is_hidden_there;
  }
  for (const auto& [tool, count] : run.tools)
    if (is_hidden(tool)) hidden[tool].insert(tool);
  Novelty novelty(hidden);
  std::vector<Reason> reasons = reasons_of(renamed(run, names), baseline_, novelty);
  return {std::move(reasons), {alike.begin(), alike.end()}, hides_alike, novelty.unsure()};
}

int64_t score_of(const std::vector<Reason>& reasons) {
  int64_t score = 0;
  for (const Reason& reason : reasons) score += reason.weight;
  return std::min<int64_t>(score, 100);
}

std::string_view level_of(int64_t score) {
  return score <= kOk ? "ok" : score <= kWarn ? "warn" : "high";
}

std::vector<CardVerdict> align(const RunTraits& run, const std::vector<AgentCard>& cards) {
  std::vector<CardVerdict> alignments;
  for (const auto& [agent, targets] : run.targets) {
    CardVerdict& alignment = alignments.emplace_back();
    alignment.agent = agent;
    std::string_view label = std::string_view(agent).substr(agent.find(':') + 1);
    auto card = std::find_if(cards.begin(), cards.end(), [&, &agent = agent](const AgentCard& one) {
      return one.agent == agent || one.agent == label;
    });
    if (card == cards.end()) continue;
    alignment.line = card->line;
    for (const auto& [edge, hops] : run.edges) {
      if (edge.from != agent || card->may(edge.to)) continue;
      if (may_declare(*card, edge.to))
        alignment.unsure.insert(edge.to);
      else
        alignment.violations.emplace_back(edge, hops);
    }
    alignment.verdict = !alignment.violations.empty() ? CardVerdict::Verdict::overreach
                        : !alignment.unsure.empty()   ? CardVerdict::Verdict::unknown
                                                      : CardVerdict::Verdict::aligned;
  }
  return alignments;
}

}  // namespace xtrace
