#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "facts/agents.h"
#include "facts/message.h"
#include "facts/record.h"
#include "link/calls/tool_time.h"
#include "link/edge.h"
#include "prices/price.h"

namespace xtrace {

using ToolUseId = Id<ToolUse>;

/// Another source that would have fitted.
struct Alternative : Rival<CallId> {
  ToolUseId tool_use;
};

/// Two calls and why we believe that one led to the other. Linkers supply evidence, never a
/// number: what each rule is worth is decided in confidence().
struct Link : Edge<CallId> {
  LinkKind kind = LinkKind::tool_result;
  bool is_error = false;        ///< the tool reported one
  bool is_open = false;         ///< the tool went on in the background, and no end is on record
  bool is_again = false;        ///< of a result: another branch of the conversation read it before
  bool resumed = false;         ///< the spawn went on with an earlier subagent
  bool joins_sessions = false;  ///< a guess that makes one session of two
  bool starts_early = false;    ///< by the clock, before its cause; known once all is linked
  uint16_t rivals = 0;          ///< other calls that would have fitted as well
  uint16_t twins = 0;           ///< other tool uses of the same call that would have
  uint16_t attempt = 0;         ///< of a retry: 2 is the first
  uint32_t shared = 0;          ///< characters of the longest passage that both ends say
  uint32_t repeats = 0;         ///< later requests that carry the same result as history
  uint32_t dropped = 0;         ///< messages that went from the history, of a continuation
  StringId key;                 ///< the identifier both ends share, if any
  ToolUseId tool_use;           ///< if the link is about one
  /// Of the answer that the log was made of, or of the spawn that a report stands on; -1: what the
  /// rule is worth.
  double given_confidence = -1;
  Duration gap = kNoDuration;      ///< from the end of the cause to the start of the effect
  ToolTime ran;                    ///< of a tool's result
  uint32_t first_alternative = 0;  ///< in Findings::alternatives
  uint16_t alternatives = 0;
  ToolError error = ToolError::none;  ///< what kind of one the tool reported
};

/// Shorter passages are said twice by chance. Characters: about a line of text.
inline constexpr uint32_t kShortestPassage = 80;
/// Calls further apart have nothing to do with one another, as far as time tells.
inline constexpr std::chrono::minutes kLongestGap{5};

/// How often a link with this evidence is right, 0 to 1: both calls, and the tool use.
double confidence(const Link& link);
/// The same of the two calls alone, whichever tool use it was.
double confidence_in_calls(const Link& link);

/// A tool's result whose tool use is nowhere in the input.
struct Orphan {
  CallId at;
  StringId tool_use;
};

/// A tool's result that has the id of one before it, of the same call; both count.
struct Twin {
  CallId at;
  StringId tool_use;
};

/// What was concluded so far. Linkers add to it and change nothing.
struct Findings {
  std::vector<Link> links;
  std::vector<Alternative> alternatives;
  std::vector<Orphan> orphans;
  std::vector<Twin> twins;

  /// Names another source that would have fitted, one of `fitting` equally likely ones; false when
  /// enough of them are named. A link is finished before the next one is begun.
  bool name_rival(Link& link, CallId from, ToolUseId use, size_t fitting) {
    constexpr uint32_t kNamed = 8;
    if (link.alternatives == kNamed) return false;
    if (link.alternatives == 0) link.first_alternative = static_cast<uint32_t>(alternatives.size());
    alternatives.push_back({{from, 1.0 / static_cast<double>(fitting)}, use});
    ++link.alternatives;
    return true;
  }
};

/// How causes are found where none is recorded. `nearest` is exact while no calls into an actor
/// overlap; in TraceWeaver's recordings of a hotel's services it finds 55 % of the causes with 5
/// requests in flight, and 34 % with 25.
enum class Causes : uint8_t {
  best,     ///< learns how each actor calls and weighs all that could have happened
  nearest,  ///< the latest call into the caller that began before
};

/// What the rest of an input holds, where a graph is made of a part of it.
struct Elsewhere {
  bool thoughts = false;    ///< as Partners::has_thoughts
  bool call_spans = false;  ///< as Partners::has_call_spans
  bool tasks = false;       ///< steps of the same tasks, which decide what comes after what in them
};

/// What a user may tell linkers.
struct LinkOptions {
  std::vector<std::string> spawn_tools = list_spawn_tools();  ///< start subagents
  std::vector<std::string> with;                              ///< names of opt_in_linkers() to run
  Causes causes = Causes::best;
  unsigned jobs = 1;  ///< threads; they change nothing but the time
  /// Of what the log itself names no cost of. They outlive the graph.
  const PriceTable* prices = &list_prices();
  Elsewhere elsewhere{};
};

}  // namespace xtrace
