#pragma once

#include <map>
#include <utility>
#include <vector>

#include "view/calls/call_fields.h"

namespace xtrace {

/// How much of a trace is folded: as far as text folds one of its length, or at least so far.
enum class Folding : uint8_t {
  none,
  by_length,
  runs,    ///< of routine calls
  agents,  ///< and what a subagent did, and a turn
};

/// Which calls of a long trace stand together in one line, since there is nothing remarkable about
/// them.
class Fold {
 public:
  Fold(const CallScene& scene, Folding folding);

  /// Does a shown subagent come of it?
  bool spawns(CallId id) const;
  /// Went it well, first time, with all its tools, and started it no subagent? And is it none of
  /// those that cost most or took longest?
  bool is_routine(CallId id) const;
  /// Did it fail, or a tool that it asked for?
  bool failed(CallId id) const;
  /// How many calls at the front of `calls` fold into one line; 0: the first has its own.
  size_t run(std::span<const CallId> calls) const;
  /// Is a subagent that made these calls one line?
  bool takes_agent(std::span<const CallId> calls) const;
  /// Is a turn that started no subagent one box of a picture?
  bool takes_turn(std::span<const CallId> calls) const { return takes_agent(calls); }
  /// By type of agent, the only calls of those of the conversations `roots` (their numbers) that
  /// fold: titles, quota checks.
  std::map<std::string_view, std::vector<CallId>> singles(std::span<const uint32_t> roots) const;

 private:
  void note_largest(std::vector<std::pair<int64_t, CallId>> figures);
  bool is_largest(CallId id) const { return !largest_.empty() && largest_[id.index]; }

  const CallScene& scene_;
  bool calls_, agents_;
  std::vector<bool> largest_;  ///< by call, in text: of those that cost most and took longest
  size_t fewest_singles_;
};

}  // namespace xtrace
