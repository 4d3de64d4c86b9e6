#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "facts/call.h"

namespace xtrace {

class Graph;
class Payloads;

/// Why the prompt cache no longer held what the call before had read or written, by evidence: the
/// surest first, and of those that hold the one that alone would have been enough.
enum class RebuildCause : uint8_t {
  model_switch,      ///< another model answered: each has a cache of its own
  pause,             ///< since the call before passed more than the cache's life
  compaction,        ///< a summary represents what was said before, or is asked for
  micro_compaction,  ///< the client left out some tool outputs of before
  changed_prompt,    ///< another system prompt, which precedes all that was said
  changed_tools,     ///< other tools are offered, or the same ones otherwise, or none
  changed_history,   ///< what was said before was changed or cut
  resume,            ///< the client was left and started again
  unknown,           ///< no record says
};
inline constexpr std::string_view kRebuildCauseWords[] = {
    "model_switch",  "pause",           "compaction", "micro_compaction", "changed_prompt",
    "changed_tools", "changed_history", "resume",     "unknown"};
constexpr std::string_view word(RebuildCause cause) {
  return kRebuildCauseWords[static_cast<size_t>(cause)];
}

/// A call that paid anew for what a cache had held: of the tokens that the call before it in its
/// conversation read from the cache or wrote to it, it paid at least kFewestRebuilt and a tenth of
/// all again. A first call has no call before it; what is new behind what was read is growth; and
/// providers now and then find a block or two less of a cache that is still there.
///
///     before   read 130k  written 2k        the cache holds 132k
///     call     read  30k  written 80k       80k of the 102k that it did not read were paid anew
struct CacheRebuild {
  CallId call, before;
  RebuildCause cause = RebuildCause::unknown;
  std::vector<RebuildCause> causes;  ///< all that hold, `cause` first; empty: unknown
  int64_t held = 0;                  ///< tokens that the call before had read or written
  int64_t read = 0;                  ///< of these, what this one read at most
  int64_t written = 0;               ///< paid anew for the cache
  int64_t sent = 0;                  ///< paid anew as input, where caches are not written to
  int64_t paid = kNoCount;           ///< for these, in billionths of a dollar; -1: not known (Bill)
  int64_t cost = kNoCount;           ///< of that, what reading them would not have cost
  Duration pause = kNoDuration;      ///< since the call before began, which kept the cache alive
  Duration life = kNoDuration;       ///< of the cache: as written for an hour, else five minutes
  /// No request wrote to it: the provider caches of its own accord, and may drop what it likes.
  bool is_of_provider = false;

  int64_t tokens() const { return written + sent; }
};

/// The shortest prompt that providers cache; what is less is no cache lost.
inline constexpr int64_t kFewestRebuilt = 1024;

/// All of them, in order of time. `payloads`: where a client was started again is known by its
/// words alone, and which tools are offered by the requests; nullptr: neither is looked for.
std::vector<CacheRebuild> find_cache_rebuilds(const Graph& graph, const Payloads* payloads);

}  // namespace xtrace
