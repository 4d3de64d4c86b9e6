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

/// Settles what the records of one file state of the same thing.
void settle_records(RawTrace& trace) {
  read_ends_of_tools(trace);
  settle_versions(trace);
}

/// Drops what is on record twice. What an echo states of a run that failed is read before the echo
/// is dropped.
void drop_repeats(RawTrace& trace, ForkedFrom& forked_from) {
  forked_from = drop_copies(trace);
  drop_printed(trace);
  settle_failed_runs(trace);
  drop_echoes(trace);
}

/// What holds of all utterances, which passes require and ensure.
enum Fact : uint8_t {
  kVersions = 1 << 0,  ///< of a record that was written again one version counts
  kParts = 1 << 1,     ///< parts of messages have the session, time and side of their message
  kOwners = 1 << 2,    ///< each names its session and agent, as its own file does, and relations
                       ///< name the tool uses that started agents
  kOnce = 1 << 3,      ///< nothing counts that is a copy, or that a run printed of what was kept
  kShown = 1 << 4,     ///< nothing counts that the user saw of what was also sent
  kFamilies = 1 << 5,  ///< subagents are agents of the session of the one that nobody started
};

struct Pass {
  void (*run)(RawTrace& trace, ForkedFrom& forked_from);
  uint8_t needs = 0, ensures = 0;  ///< facts
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
    {kRun<settle_records>, 0, kVersions},
    {kRunOfAgents<AgentPass::When::before_owners>, kVersions, kParts},
    {kRun<name_owners>, kParts, kOwners},
    // Files are compared as they are, before families are joined.
    {drop_repeats, kOwners, kOnce},
    {kRunOfAgents<AgentPass::When::after_copies>, kOwners | kOnce, kShown},
    {kRun<join_sessions>, kOwners | kOnce, kFamilies},
    {kRunOfAgents<AgentPass::When::last>, kOnce | kFamilies},
};

consteval bool is_in_order(std::span<const Pass> passes) {
  uint8_t known = 0;
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
