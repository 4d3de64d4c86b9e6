#include "view/story/story_options.h"

#include <fmt/format.h>

#include "base/number.h"
#include "base/one_of.h"
#include "base/text.h"
#include "link/story/story.h"

namespace xtrace {

namespace {

std::vector<std::string_view> words_of(std::span<const std::string_view> words) {
  return {words.begin(), words.end()};
}

template <class Number>
Status read_number(std::string_view option, const std::string& text, Number& number) {
  if (text.empty()) return {};
  std::optional<Number> told = number_of<Number>(text);
  if (told && *told >= 0 && *told < Number(1e15)) {
    number = *told;
    return {};
  }
  return fail(Exit::usage, fmt::format("{}: '{}' is not a number >= 0", option, printable(text)));
}

}  // namespace

std::string_view StoryOptions::only_of_stories(const std::vector<std::string>& given) {
  constexpr std::string_view kOnly[] = {
      "--annotations", "--show",      "--expand",   "--focus", "--max-depth", "--fold-latency",
      "--fold-cost",   "--max-nodes", "--node-ttl", "--hints", "--type"};
  for (std::string_view option : given)
    if (is_one_of(option, kOnly)) return option;
  return {};
}

void StoryOptions::declare(Options& options) {
  options.add("--show", show, "HOW",
              "of --view explanation; summary: steps that went well, fast and cheaply fold into "
              "one, the default; raw: each step",
              {"summary", "raw"});
  options.add("--expand", expand, "ID",
              "show the steps of this summary; all: of each; may be given several times");
  options.add("--focus", focus, "WHAT",
              "only what matters, with what led to it and came of it; errors, cost (what "
              "stands out in each task), or part of a name: of a test, a rule, an agent, an id");
  options.add("--max-depth", max_depth, "N", "fold steps that are nested deeper (5)");
  options.add("--fold-latency", fold_latency, "MS", "fold what takes less (50)");
  options.add("--fold-cost", fold_cost, "USD", "fold what costs less (0.0001)");
  options.add("--max-nodes", max_nodes, "N", "of a task with more steps fold the oldest (500)");
  options.add(
      "--node-ttl", node_ttl, "MINUTES",
      "fold what ended so long before the newest step; without it nothing folds for its age");
  options.add("--hints", hints, "add what a picture needs: label, color, tooltip, size");
}

void StoryOptions::declare_annotations(Options& options) {
  options.add(
      "--annotations", annotation_files, "FILE",
      "of --view explanation, notes about its steps to show with them, as `xtrace annotate` "
      "writes them; may be given several times");
}

Status StoryOptions::read_annotation_files() {
  for (const std::string& path : annotation_files) {
    Result<std::vector<Annotation>> read = read_annotations(path);
    if (!read) return tl::unexpected(read.error());
    annotations.insert(annotations.end(), read->begin(), read->end());
  }
  return {};
}

void StoryOptions::declare_types(Options& options) {
  options.add("--type", filter.types, "TYPE", "of --view explanation, only steps of this type",
              words_of(kStepTypeWords));
}

void StoryOptions::declare_filters(Options& options) {
  declare_types(options);
  options.add("--agent", filter.agents, "NAME", "only steps of this agent");
  options.add("--status", filter.statuses, "STATUS", "only steps that ended so",
              {"ok", "error", "warning", "skipped"});
  options.add("--since", filter.since, "T", "only steps that start at T or later");
  options.add("--until", filter.until, "T", "only steps that start at T or earlier");
  options.add("--min-cost", filter.min_cost, "USD", "only steps that cost at least so much");
}

Result<StoryLimits> StoryOptions::limits() const {
  StoryLimits limits;
  double latency = -1, minutes = -1;
  if (Status read = read_number("--max-depth", max_depth, limits.depth); !read)
    return tl::unexpected(read.error());
  if (Status read = read_number("--max-nodes", max_nodes, limits.nodes); !read)
    return tl::unexpected(read.error());
  if (Status read = read_number("--fold-latency", fold_latency, latency); !read)
    return tl::unexpected(read.error());
  if (latency >= 0) limits.latency = Duration(static_cast<int64_t>(std::min(latency, 1e12) * 1e6));
  if (Status read = read_number("--node-ttl", node_ttl, minutes); !read)
    return tl::unexpected(read.error());
  if (minutes >= 0) limits.age = Duration(static_cast<int64_t>(std::min(minutes, 1e8) * 60e9));
  if (fold_cost.empty()) return limits;
  std::optional<Dollars> cost = parse_dollars(fold_cost);
  if (!cost)
    return fail(Exit::usage,
                fmt::format("--fold-cost: '{}' is not an amount in dollars, such as 0.0001",
                            printable(fold_cost)));
  limits.cost = cost->billionths;
  return limits;
}

Result<StoryFilter> story_filter_of(const Filter& filter) {
  if (!filter.tools.empty())
    return fail(Exit::usage, "--tool: not available for --view explanation; use --focus NAME");
  if (filter.chooses_edges())
    return fail(Exit::usage,
                "--edge: not available for --view explanation, whose edges have relations instead "
                "of link types");
  StoryFilter of{filter.runs,     filter.agents, {},           filter.statuses,
                 filter.min_cost, filter.since,  filter.until, filter.min_confidence};
  of.runs.insert(of.runs.end(), filter.sessions.begin(), filter.sessions.end());
  return of;
}

}  // namespace xtrace
