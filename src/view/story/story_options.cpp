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
  std::optional<Number> parsed = number_of<Number>(text);
  if (parsed && *parsed >= 0 && *parsed < Number(1e15)) {
    number = *parsed;
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
  options.add(
      "--show", show, "HOW",
      "with --view explanation: summary folds routine steps (default), raw shows every step",
      {"summary", "raw"});
  options.add("--expand", expand, "ID",
              "show the steps in this summary; `all` opens every summary (repeatable)");
  options.add("--focus", focus, "WHAT",
              "show only matching steps with their causes and effects: errors, cost (unusually "
              "expensive steps), an id, or part of the name of a test, rule or agent");
  options.add("--max-depth", max_depth, "N", "fold steps nested more than N levels deep (5)");
  options.add("--fold-latency", fold_latency, "MS",
              "fold routine steps that took less than MS milliseconds (50)");
  options.add("--fold-cost", fold_cost, "USD",
              "fold routine steps that cost less than USD dollars (0.0001)");
  options.add("--max-nodes", max_nodes, "N",
              "if a task has more than N steps, fold the oldest ones (500)");
  options.add(
      "--node-ttl", node_ttl, "MINUTES",
      "fold steps that ended more than MINUTES minutes before the newest step (default: never)");
  options.add("--hints", hints, "add color, tooltip and size to each node");
}

void StoryOptions::declare_annotations(Options& options) {
  options.add("--annotations", annotation_files, "FILE",
              "show notes from FILE with --view explanation, as written by `xtrace annotate` "
              "(repeatable)");
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
  options.add("--type", filter.types, "TYPE", "filter by step type, with --view explanation",
              words_of(kStepTypeWords));
}

void StoryOptions::declare_filters(Options& options) {
  declare_types(options);
  options.add("--agent", filter.agents, "NAME", "filter by agent");
  options.add("--status", filter.statuses, "STATUS", "filter by status",
              {"ok", "error", "warning", "skipped"});
  options.add("--since", filter.since, "T", "start of the period");
  options.add("--until", filter.until, "T", "end of the period");
  options.add("--min-cost", filter.min_cost, "USD",
              "filter by cost: steps that cost at least this much");
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
