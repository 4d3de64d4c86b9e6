#include "view/story/story_filter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/lower.h"
#include "base/text.h"
#include "view/common/field.h"
#include "view/common/wanted.h"
#include "view/story/step_names.h"

namespace xtrace {

namespace {

class StoryNodeFilter {
 public:
  StoryNodeFilter(const Graph& graph, const Story& story, const StoryOptions& options)
      : graph_(graph), story_(story), options_(options), filter_(options.filter) {}

  Result<std::vector<bool>> choose(std::vector<PartOfNames>& part_names, const Zone& zone) {
    if (Status known = find_names(part_names); !known) return tl::unexpected(known.error());
    Time newest = kNoTime;
    for (const StoryNode& node : story_.nodes) newest = std::max(newest, node.start);
    Result<Period> period = read_period(filter_.since, filter_.until, newest, zone);
    if (!period) return tl::unexpected(period.error());
    Result<int64_t> min_cost = read_min_cost(filter_.min_cost);
    if (!min_cost) return tl::unexpected(min_cost.error());
    std::vector<bool> chosen;
    for (const StoryNode& node : story_.nodes)
      chosen.push_back(fits(node) && period->holds(node.start) && node.cost >= *min_cost);
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
  Status find_names(std::vector<PartOfNames>& part_names) {
    std::set<std::string> agents, runs;
    for (const StoryNode& node : story_.nodes) {
      agents.emplace(story_.agent(node));
      if (node.task) runs.emplace(story_.task(node));
      if (node.call) runs.insert(session_name(graph_.trace(), graph_.session_of(node.call)));
    }
    if (Status known = find_names("agent", agents, filter_.agents, part_names); !known)
      return known;
    return find_names("run", runs, filter_.runs, part_names);
  }

  /// Of a story that goes on, what nothing is called may still come.
  Status find_names(const char* what, const std::set<std::string>& names,
                    std::vector<std::string>& wanted, std::vector<PartOfNames>& part_names) const {
    std::vector<std::string> all;
    for (const std::string& word : wanted) {
      Result<std::vector<std::string>> meant = names_meant(what, {word}, names, {}, part_names);
      if (!meant && !options_.is_live) return tl::unexpected(meant.error());
      if (!meant) meant = std::vector{word};
      all.insert(all.end(), meant->begin(), meant->end());
    }
    wanted = std::move(all);
    return {};
  }

  bool fits(const StoryNode& node) const {
    return any_of(filter_.agents, story_.agent(node)) && any_of(filter_.types, word(node.type)) &&
           fits_status(node) && fits_run(node);
  }
  bool fits_status(const StoryNode& node) const {
    if (filter_.statuses.empty()) return true;
    return std::any_of(filter_.statuses.begin(), filter_.statuses.end(), [&](const auto& wanted) {
      const bool is_open =
          wanted == word(Outcome::unknown) && (node.own_status == word(Outcome::unanswered) ||
                                               node.own_status == word(Outcome::unfinished));
      return is_open || lower(wanted) == lower(word(node.status)) || wanted == node.own_status;
    });
  }
  bool fits_run(const StoryNode& node) const {
    if (filter_.runs.empty()) return true;
    if (node.task && any_of(filter_.runs, story_.task(node))) return true;
    return node.call &&
           any_of(filter_.runs, session_name(graph_.trace(), graph_.session_of(node.call)));
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
  StoryFilter filter_;
};

}  // namespace

Result<std::vector<bool>> choose(const Graph& graph, const Story& story,
                                 const StoryOptions& options, std::vector<PartOfNames>& part_names,
                                 const Zone& zone) {
  return StoryNodeFilter(graph, story, options).choose(part_names, zone);
}

}  // namespace xtrace
