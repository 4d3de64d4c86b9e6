#include "input/transcripts/fill_in.h"

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "facts/rows.h"
#include "facts/tool_error.h"
#include "input/transcripts/agent_pass.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// Some programs write a record again when it has become longer, when a tool is done, or with all
/// others when they save: one version counts.
void settle_versions(RawTrace& trace) {
  std::unordered_map<uint64_t, Utterance*> begun, first;  // by file and name
  for (Utterance& said : trace.utterances) {
    const uint64_t item = pair_of(said.source.file, said.item.index);
    if (said.item && said.version == Utterance::Version::begun)
      begun[item] = &said;
    else if (const auto found = said.item ? begun.find(item) : begun.end(); found != begun.end()) {
      found->second->kind = Kind::silent;
      begun.erase(found);
    }
    if (!said.id ||
        (said.version != Utterance::Version::newer && said.version != Utterance::Version::again))
      continue;
    const auto [known, is_new] = first.emplace(pair_of(said.source.file, said.id.index), &said);
    if (is_new) continue;
    // The last version stands where the first one stood.
    if (said.version == Utterance::Version::newer) *known->second = said;
    said.kind = Kind::silent;
    said.id = {};
  }
}

/// What a tool gave may say in words alone that it failed, and an event of its file that it did, or
/// how long it ran.
void read_ends_of_tools(RawTrace& trace) {
  struct End {
    const ToolRun* failed = nullptr;
    Duration took = kNoDuration;
    Time began = kNoTime;  ///< by a record of its being at work
  };
  std::map<std::pair<uint32_t, StringId>, End> ends;  // by file and tool use
  for (const ToolRun& run : trace.tool_runs) {
    if (!run.tool_use || (!run.error && run.took == kNoDuration)) continue;
    End& end = ends[{run.source.file, run.tool_use}];
    if (run.error && end.failed == nullptr) end.failed = &run;
    if (run.at_work != kNoTime) {
      const Time began = after(run.at_work, -run.took);
      end.began = end.began == kNoTime ? began : std::min(end.began, began);
    } else if (end.took == kNoDuration) {
      end.took = run.took;
    }
  }
  if (ends.empty()) return;
  for (const Utterance& said : trace.utterances) {
    if (said.kind != Kind::asked || !said.message) continue;
    for (ToolResult& result : rows_to_change(trace.tool_results, said.message)) {
      const auto found = ends.find({said.source.file, result.tool_use});
      if (found == ends.end()) continue;
      const End& end = found->second;
      // One that was left to run on in the background gave its result before its end.
      if (result.took == kNoDuration) result.took = end.took;
      if (const Duration worked = elapsed(end.began, said.time);
          result.took == kNoDuration && worked > Duration{0})
        result.took = worked;
      if (result.is_error || end.failed == nullptr) continue;
      if (end.failed->ends_before_output && end.failed->source.offset > said.source.offset)
        continue;
      result.is_error = true;
      result.error = tool_error_named(trace[end.failed->error]);
    }
  }
}

/// What holds of all utterances, which passes require and ensure.
enum Fact : uint16_t {
  kVersions = 1 << 0,  ///< of a record that was written again one version counts
  kParts = 1 << 1,     ///< parts of messages have the session, time and side of their message
  kSessions = 1 << 2,  ///< each names its session and agent, as its own file does
  kStarts = 1 << 3,    ///< relations name the tool uses that started agents
  kCopies = 1 << 4,    ///< nothing counts that a file copied from another one
  kShown = 1 << 5,     ///< nothing counts that the user saw of what was also sent
  kFamilies = 1 << 6,  ///< subagents are agents of the session of the one that nobody started
  kPrinted = 1 << 7,   ///< nothing counts that a run printed of what was also kept
  kFailures = 1 << 8,  ///< a failure is that of a call, or the end of a run that had one
  kEchoes = 1 << 9,    ///< nothing counts that an event repeats of what its session has
};

struct Pass {
  void (*run)(RawTrace& trace, ForkedFrom& forked_from);
  uint16_t needs = 0, ensures = 0;  ///< facts
};

template <void (*kPass)(RawTrace&)>
constexpr auto kRun = [](RawTrace& trace, ForkedFrom&) { kPass(trace); };

template <AgentPass::When kWhen>
constexpr auto kRunOfAgents = [](RawTrace& trace, ForkedFrom&) {
  for (const AgentPass* pass :
       {&kAntigravityShort, &kOpenCodeParts, &kQwenTelemetry, &kClineSides, &kKiroPortions})
    if (pass->when == kWhen) pass->run(trace);
};

constexpr Pass kPasses[] = {
    {kRun<read_ends_of_tools>},
    {kRun<settle_versions>, 0, kVersions},
    {kRunOfAgents<AgentPass::When::before_owners>, kVersions, kParts},
    // Whose each utterance is:
    {kRun<name_owners>, kParts, kSessions},
    {kRun<settle_relations>, kSessions, kStarts},
    // One copy of each, which may need its family: drop_copies() compares files as they are.
    {[](RawTrace& trace, ForkedFrom& forked_from) { forked_from = drop_copies(trace); },
     kSessions | kStarts, kCopies},
    {kRunOfAgents<AgentPass::When::after_copies>, kSessions | kCopies, kShown},
    {kRun<join_sessions>, kSessions | kStarts | kCopies, kFamilies},
    {kRun<drop_printed>, kFamilies | kShown, kPrinted},
    {kRun<settle_failed_runs>, kFamilies | kPrinted, kFailures},
    {kRun<drop_echoes>, kFamilies | kFailures, kEchoes},
    {kRunOfAgents<AgentPass::When::last>, kFamilies | kEchoes},
};

consteval bool is_in_order(std::span<const Pass> passes) {
  uint16_t known = 0;
  for (const Pass& pass : passes) {
    if ((pass.needs & ~known) != 0) return false;
    known |= pass.ensures;
  }
  return true;
}
static_assert(is_in_order(kPasses), "a pass comes before one that ensures what it needs");

}  // namespace

ForkedFrom fill_in(RawTrace& trace) {
  ForkedFrom forked_from;
  for (const Pass& pass : kPasses) pass.run(trace, forked_from);
  return forked_from;
}

}  // namespace xtrace
