#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "link/activities/cache_rebuild.h"
#include "link/activities/carried.h"
#include "link/activities/critical_path.h"
#include "link/activities/time_account.h"
#include "link/waste/worked.h"

namespace xtrace {

/// What agents waste.
enum class WasteKind : uint8_t {
  loop,           ///< the same over and over, with the same result each time
  failing_retry,  ///< a tool used again as it had failed, with nothing changed, failed again; or
                  ///< otherwise on the same file, and was refused for the same reason
  reread,         ///< a file read again that had not changed and was still in the context
  repeated_call,  ///< another tool used again in the same way, with nothing changed
  redone_work,    ///< a subagent did again what another one had done
  unused_result,  ///< a huge result of which nothing came up again
  cache_rebuild,  ///< what a cache had held was paid anew (CacheRebuild)
  full_context,   ///< a context window that was nearly full
  unused_tools,   ///< tools that each request offered, and that were never used
};
inline constexpr std::string_view kWasteKindWords[] = {
    "loop",          "failing_retry", "reread",       "repeated_call", "redone_work",
    "unused_result", "cache_rebuild", "full_context", "unused_tools"};
inline constexpr size_t kWasteKinds = std::size(kWasteKindWords);
constexpr std::string_view word(WasteKind kind) {
  return kWasteKindWords[static_cast<size_t>(kind)];
}

/// What took most of a pause that a cache did not outlive.
enum class PauseFor : uint8_t {
  person,   ///< what to say, or leave to let a tool run
  work,     ///< of tools or subagents
  answer,   ///< the model wrote it for so long
  unknown,  ///< no record says
};

/// A record that shows a waste.
struct WasteEvidence {
  CallId call;
  ToolUseId use;          ///< that it asks for; nowhere: it is about the call
  std::string_view what;  ///< words of our own
};

/// Something wasted, and what it cost, as far as that can be reckoned.
struct Waste {
  WasteKind kind = WasteKind::loop;
  std::vector<WasteEvidence> evidence;  ///< in order of time: what it began with first
  int64_t times = 0;                    ///< how often it was wasted; the first time was not
  /// How often such a finding is right, 0 to 1: judged by hand on sessions of several agents.
  double confidence = 0;
  std::string_view tool;  ///< as the log has it; empty: of several, or of none
  StringId target;        ///< the file or address that all of it is about
  /// Of the conversation; of what was redone, that of the later agent.
  CallId at() const { return evidence.front().call; }

  // No token and no cost is in two of them, so that these add up.
  int64_t tokens = kNoCount;    ///< that went to models wasted, each time they were sent
  int64_t cost = kNoCount;      ///< in billionths of a dollar
  Duration time = kNoDuration;  ///< of tools and models, in all that `worked`
  std::vector<Worked> worked;   ///< when; of several findings that may be the same time
  bool is_estimated = false;    ///< tokens and cost are: by lengths of texts

  // Of some kinds:
  uint32_t period = 1;       ///< of a loop: the steps of one round
  bool is_reworded = false;  ///< a failing retry was given something else than before
  bool is_polling = false;   ///< it waits for something, and asks again
  RebuildCause cause = RebuildCause::unknown;
  PauseFor pause_for = PauseFor::unknown;
  bool hour_would_do = false;      ///< of a pause: a cache that is kept for an hour outlives it
  bool is_parallel = false;        ///< of redone work: both agents were at it at the same time
  CallId other;                    ///< of redone work: the first call of who did it first
  double share = 0;                ///< of the context window, at the fullest
  std::vector<std::string> tools;  ///< never used, in the order in which they were offered
};

/// What it is looked for in. The lists are those of find_paid_again().
struct WasteSources {
  const Graph& graph;
  const Payloads* payloads;  ///< nullptr: what texts alone tell is not looked for
  const ShownCalls& shown;
  std::span<const CarriedResult> carried;
  std::span<const CacheRebuild> rebuilds;
  unsigned jobs = 1;  ///< threads; they change nothing but the time
  const TimeAccount* time =
      nullptr;  ///< of the shown calls; nullptr: it is made where it is needed
};

/// All that is found, the most expensive first.
std::vector<Waste> find_waste(const WasteSources& sources);

/// What they add up to; kNoCount, kNoDuration: none of them tells.
struct WasteSum {
  int64_t cost = kNoCount;
  Duration time = kNoDuration;
  bool is_estimated = false;  ///< some of the costs are
};
WasteSum sum_of(std::span<const Waste> found);

}  // namespace xtrace
