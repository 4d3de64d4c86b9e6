#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "link/graph/graph.h"
#include "link/reach/cause_graph.h"

namespace xtrace {

/// What shows that one step affected another, the weakest first.
enum class StepEvidence : uint8_t {
  inferred,  ///< from times: nothing records it
  seen,      ///< it was in the history that the step received
  recorded,  ///< a span names it as its cause
  asked,     ///< the reply of the call asks for the tool
  spawned,   ///< it started the subagent
  reused,    ///< the step repeats its text
  written,   ///< the step reads the file that it wrote
  read,      ///< the step reads its result or its report
};
inline constexpr std::string_view kStepEvidenceWords[] = {"inferred", "seen",   "recorded", "asked",
                                                          "spawned",  "reused", "written",  "read"};
static_assert(std::size(kStepEvidenceWords) == static_cast<size_t>(StepEvidence::read) + 1);
constexpr std::string_view word(StepEvidence evidence) {
  return kStepEvidenceWords[static_cast<size_t>(evidence)];
}

/// The type of the link from a call to a tool use that it asks for, which no graph shows.
inline constexpr std::string_view kAskedWord = "tool_use";

/// A node of the graph of steps: a call, a tool use, or a hop.
struct GraphStep {
  enum class Kind : uint8_t { call, tool_use, hop };
  Kind kind = Kind::call;
  CallId call{};                   ///< itself, or the one that asked for the tool
  StringId use{};                  ///< id of the tool use
  const Activity* tool = nullptr;  ///< nullptr: only a link names the tool use
  HopId hop{};                     ///< of Graph::joined_hops()
  uint32_t nth = 0;                ///< of the tool uses of its call, from 1
};

/// Where a link of the graph of steps comes from.
struct StepLink {
  const Link* link = nullptr;     ///< between calls
  const HopEdge* edge = nullptr;  ///< between hops; neither: a call asks for a tool

  std::string_view type() const;
  /// The rule by which it was found; empty: nothing had to be found.
  std::string_view method() const;
  StepEvidence evidence() const;
};

/// Steps and what led to what. A tool use is a step of its own below its call; a link that is about
/// one leads through it. A report leads from the subagent's last call to the call that reads it.
struct StepGraph {
  std::vector<GraphStep> steps;  ///< calls in order of time, each before its tool uses; or hops
  std::vector<StepLink> links;   ///< by CauseLink::row; the first one: a call asks for a tool
  std::vector<CauseRival> rivals;
  CauseGraph causes;

  const StepLink& operator[](const CauseLink& link) const { return links[link.row]; }
};

/// The steps of the calls that are shown, and these links, which `adjusted` completes.
StepGraph steps_of_calls(const Graph& graph, const std::vector<bool>& shown,
                         std::span<const uint32_t> links, std::span<const Link> adjusted = {});
/// The same of hops, and of their edges.
StepGraph steps_of_hops(const Hops& hops, const std::vector<bool>& shown,
                        const std::vector<bool>& edges);

}  // namespace xtrace
