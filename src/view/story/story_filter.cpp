#include "view/story/story_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/lower.h"
#include "base/text.h"
#include "view/common/field.h"
#include "view/story/step_names.h"

namespace xtrace {

namespace {

/// Of a story that goes on, what nothing is called may still come.
Status find_names(const char* what, const std::set<std::string>& names, bool is_live,
                  std::vector<std::string>& wanted, std::vector<PartOfNames>& part_names) {
  std::vector<std::string> all;
  for (const std::string& word : wanted) {
    Result<std::vector<std::string>> meant = names_meant(what, {word}, names, {}, part_names);
    if (!meant && !is_live) return tl::unexpected(meant.error());
    if (!meant) meant = std::vector{word};
    all.insert(all.end(), meant->begin(), meant->end());
  }
  wanted = std::move(all);
  return {};
}

bool fits_status(const StoryFilter& filter, const FilteredStep& step) {
  if (filter.statuses.empty()) return true;
  return std::ranges::any_of(filter.statuses, [&](const std::string& wanted) {
    const bool is_open =
        wanted == word(Outcome::unknown) && (step.own_status == word(Outcome::unanswered) ||
                                             step.own_status == word(Outcome::unfinished));
    return is_open || lower(wanted) == lower(word(step.status)) || wanted == step.own_status;
  });
}

bool fits_run(const StoryFilter& filter, const FilteredStep& step) {
  if (filter.runs.empty()) return true;
  return (!step.task.empty() && any_of(filter.runs, step.task)) ||
         (!step.session.empty() && any_of(filter.runs, step.session));
}

class StoryNodeFilter {
 public:
  StoryNodeFilter(const Graph& graph, const Story& story, const StoryOptions& options)
      : graph_(graph), story_(story), options_(options) {}

  Result<std::vector<bool>> choose(std::vector<PartOfNames>& part_names, const Zone& zone) {
    StoryNameSets names;
    std::vector<std::string> sessions;
    sessions.reserve(story_.nodes.size());
    for (const StoryNode& node : story_.nodes) {
      sessions.push_back(node.call ? session_name(graph_.trace(), graph_.session_of(node.call))
                                   : std::string());
      names.add(step_of(node, sessions.back()));
    }
    Result<StoryFilter> meant = find_meant(options_.filter, names, options_.is_live, part_names);
    if (!meant) return tl::unexpected(meant.error());
    Result<StoryBounds> bounds = read_bounds(options_.filter, story_.nodes, zone);
    if (!bounds) return tl::unexpected(bounds.error());
    std::vector<bool> chosen;
    chosen.reserve(story_.nodes.size());
    for (size_t i = 0; i < story_.nodes.size(); ++i) {
      const StoryNode& node = story_.nodes[i];
      chosen.push_back(fits(*meant, step_of(node, sessions[i])) && bounds->hold(node));
    }
    if (options_.focus.empty()) return chosen;
    std::vector<bool> matters = focus();
    if (!options_.is_live && std::find(matters.begin(), matters.end(), true) == matters.end())
      return fail(Exit::no,
                  fmt::format("--focus: nothing matches '{}'; use errors, cost or part of a name",
                              printable(options_.focus)));
    spread(matters);
    for (size_t i = 0; i < chosen.size(); ++i) chosen[i] = chosen[i] && matters[i];
    return chosen;
  }

 private:
  FilteredStep step_of(const StoryNode& node, std::string_view session) const {
    return {story_.agent(node), story_.task(node), session,
            node.own_status,    node.type,         node.status};
  }

  std::vector<bool> focus() const {
    if (options_.focus == "cost") return most_expensive();
    std::vector<bool> matters;
    std::string wanted = lower(options_.focus);
    for (const StoryNode& node : story_.nodes) {
      bool failed = node.status == StepStatus::error || node.status == StepStatus::warning;
      matters.push_back(options_.focus == "errors" ? failed : bears(node, wanted));
    }
    return matters;
  }

  bool bears(const StoryNode& node, const std::string& wanted) const {
    auto has = [&](std::string_view name) { return lower(name).find(wanted) != std::string::npos; };
    return has(name_of(graph_, node)) || has(story_.agent(node)) || has(story_.task(node)) ||
           (node.done != nullptr && has(node.done->model)) ||
           std::ranges::any_of(names_in_record(graph_, node), has);
  }

  /// Those that are conspicuous in their task; if there are none, the most expensive ones.
  std::vector<bool> most_expensive() const {
    struct Costs {
      int64_t most = 0;
      bool has_spike = false;
    };
    std::map<uint32_t, Costs> of_task;
    for (const StoryNode& node : story_.nodes) {
      Costs& costs = of_task[node.task.index];
      costs.most = std::max(costs.most, node.cost);
      costs.has_spike |= node.cost_spike > 0;
    }
    std::vector<bool> matters;
    for (const StoryNode& node : story_.nodes) {
      const Costs& costs = of_task[node.task.index];
      matters.push_back(costs.has_spike ? node.cost_spike > 0
                                        : node.cost > 0 && node.cost == costs.most);
    }
    return matters;
  }

  /// Adds what led to those marked, and what came of them.
  void spread(std::vector<bool>& marked) const {
    std::vector<std::vector<uint32_t>> causes(marked.size()), effects(marked.size());
    for (const StoryEdge& edge : story_.edges) {
      causes[edge.to].push_back(edge.from);
      effects[edge.from].push_back(edge.to);
    }
    std::vector<bool> both = marked;
    for (const auto* next : {&causes, &effects}) {
      std::vector<bool> seen = marked;
      std::vector<uint32_t> open;
      for (uint32_t i = 0; i < seen.size(); ++i)
        if (seen[i]) open.push_back(i);
      while (!open.empty()) {
        uint32_t at = open.back();
        open.pop_back();
        for (uint32_t other : (*next)[at])
          if (!seen[other]) {
            seen[other] = both[other] = true;
            open.push_back(other);
          }
      }
    }
    marked = both;
  }

  const Graph& graph_;
  const Story& story_;
  const StoryOptions& options_;
};

}  // namespace

void StoryNameSets::add(const FilteredStep& step) {
  agents.emplace(step.agent);
  for (const std::string_view run : {step.task, step.session})
    if (!run.empty()) runs.emplace(run);
}

Result<StoryFilter> find_meant(StoryFilter filter, const StoryNameSets& names, bool is_live,
                               std::vector<PartOfNames>& part_names) {
  Status known = find_names("agent", names.agents, is_live, filter.agents, part_names);
  if (known) known = find_names("run", names.runs, is_live, filter.runs, part_names);
  if (!known) return tl::unexpected(known.error());
  return filter;
}

bool fits(const StoryFilter& meant, const FilteredStep& step) {
  return any_of(meant.agents, step.agent) && any_of(meant.types, word(step.type)) &&
         fits_status(meant, step) && fits_run(meant, step);
}

Result<StoryBounds> read_bounds(const StoryFilter& filter, std::span<const StoryNode> nodes,
                                const Zone& zone) {
  Time newest = kNoTime;
  for (const StoryNode& node : nodes) newest = std::max(newest, node.start);
  Result<Period> period = read_period(filter.since, filter.until, newest, zone);
  if (!period) return tl::unexpected(period.error());
  Result<int64_t> min_cost = read_min_cost(filter.min_cost);
  if (!min_cost) return tl::unexpected(min_cost.error());
  return StoryBounds{*period, *min_cost};
}

Result<std::vector<bool>> choose(const Graph& graph, const Story& story,
                                 const StoryOptions& options, std::vector<PartOfNames>& part_names,
                                 const Zone& zone) {
  return StoryNodeFilter(graph, story, options).choose(part_names, zone);
}

}  // namespace xtrace
