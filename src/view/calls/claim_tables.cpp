#include "view/calls/claim_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "view/calls/tree_frame.h"
#include "view/common/evidence.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

/// What a kind of claim is called, and what decides it.
struct ClaimWords {
  std::string_view claim, decided_by;
};
constexpr ClaimWords kClaimWords[kClaimKinds] = {
    {"tests pass", "test run"},    {"build passes", "build"}, {"types check", "type check"},
    {"lint is clean", "lint run"}, {"checks pass", "check"},  {"no errors", "run of a command"},
    {"fixed", "test or run"},      {"implemented", "change"}, {"done", "change"},
    {"committed", "commit"},       {"pushed", "push"},        {"pull request opened", "request"},
};

const ClaimWords& words_of(const ReplyClaim& claim) {
  return kClaimWords[static_cast<size_t>(claim.kind)];
}

using ByVerdict = std::array<int64_t, kClaimVerdicts>;

ByVerdict count(std::span<const ReplyClaim> claims) {
  ByVerdict counts{};
  for (const ReplyClaim& one : claims) ++counts[static_cast<size_t>(one.verdict)];
  return counts;
}

template <ClaimVerdict kVerdict>
Cell count_of(const ByVerdict& counts) {
  return Cell(counts[static_cast<size_t>(kVerdict)]);
}
constexpr Field<ByVerdict> kCounts[] = {
    {{"supported", "claims that the last tool result that decides them shows", CellKind::integer,
      true},
     count_of<ClaimVerdict::supported>},
    {{"contradicted", "claims whose last deciding tool use failed", CellKind::integer, true},
     count_of<ClaimVerdict::contradicted>},
    {{"not_shown", "claims that no tool result shows or contradicts", CellKind::integer, true},
     count_of<ClaimVerdict::not_shown>},
};

struct ClaimRow {
  const CallScene& scene;
  const ReplyClaim& claim;
};
using ClaimOf = const ClaimRow&;

Table evidence_of_claim(ClaimOf r) {
  std::vector<Verdicts::Evidence> evidence;
  const Trace& trace = r.scene.graph.trace();
  for (const ClaimEvidence& one : r.claim.evidence) {
    evidence.push_back(
        evidence_of(r.scene.names, trace, one.at, one.use, one.call, Door::own(one.what)));
  }
  return evidence_table(evidence);
}

Text sentence_of(const CallScene& scene, const ReplyClaim& claim) {
  Door::At at(scene.question.door, scene.names.place(claim.reply));
  return scene.question.door.payload(claim.sentence);
}

constexpr Field<ClaimRow> kClaims[] = {
    {{"kind",
      "tests_pass, build_passes, types_check, lint_clean, checks_pass, no_errors, fixed, "
      "implemented, done, "
      "committed, "
      "pushed or request_opened",
      CellKind::text, true},
     [](ClaimOf r) -> Cell { return Door::own(word(r.claim.kind)); }},
    {{"verdict", "supported, contradicted or not_shown", CellKind::text, true},
     [](ClaimOf r) -> Cell { return Door::own(word(r.claim.verdict)); }},
    {{"reason",
      "passed, failed, edited_after, never_run, no_change, no_result or unclear: what the tool "
      "results before the claim show",
      CellKind::text, true},
     [](ClaimOf r) -> Cell { return Door::own(word(r.claim.reason)); }},
    {{"message", "the reason in words", CellKind::text, true},
     [](ClaimOf r) -> Cell { return r.scene.question.door.composed(reason_words(r.claim)); }},
    {{"sentence", "sentence with the claim; only at level full", CellKind::text},
     [](ClaimOf r) -> Cell { return known(sentence_of(r.scene, r.claim)); }},
    {{"agent", "", CellKind::text, true},
     [](ClaimOf r) -> Cell { return r.scene.names.agent(r.scene.graph.agent_of(r.claim.reply)); }},
    {{"session", "", CellKind::text, true},
     [](ClaimOf r) -> Cell {
       return r.scene.names.session(r.scene.graph.session_of(r.claim.reply));
     }},
    {{"at", "location of the claim", CellKind::text, true},
     [](ClaimOf r) -> Cell { return r.scene.names.at(r.claim.evidence.back().at); }},
    {{"evidence", "the tool results that decide it and the claim, in order of time", CellKind::rows,
      true, kEvidence},
     [](ClaimOf r) -> Cell { return some(evidence_of_claim(r), r.scene.arena); }},
};

}  // namespace

std::string_view claim_words(ClaimKind kind) {
  return kClaimWords[static_cast<size_t>(kind)].claim;
}

std::string reason_words(const ReplyClaim& claim) {
  const std::string_view what = words_of(claim).decided_by;
  switch (claim.reason) {
    case ClaimReason::passed: return fmt::format("the last {} succeeded", what);
    case ClaimReason::failed: return fmt::format("the last {} failed", what);
    case ClaimReason::edited_after: return fmt::format("files were edited after the last {}", what);
    case ClaimReason::never_run: return fmt::format("no {} recorded", what);
    case ClaimReason::no_change: return "no change recorded in this turn";
    case ClaimReason::no_result: return fmt::format("the log has no result of the last {}", what);
    case ClaimReason::unclear: break;
  }
  return fmt::format("the result of the last {} does not show whether it succeeded", what);
}

Text claim_counts_line(const CallScene& scene, std::span<const ReplyClaim> claims) {
  const auto [supported, contradicted, not_shown] = count(claims);
  return scene.question.door.say(
      "{} in replies: {} contradicted by tool results, {} not shown by any, {} supported",
      plural(static_cast<int64_t>(claims.size()), "claim"), contradicted, not_shown, supported);
}

Record claim_counts(std::span<const ReplyClaim> claims) {
  return record_of<kCounts>("claim_counts", count(claims));
}

Table claim_table(const CallScene& scene, std::span<const ReplyClaim> claims) {
  Table table = table_of<kClaims>("claims");
  for (const ReplyClaim& claim : claims) add_fields(kClaims, {scene, claim}, table);
  return table;
}

std::vector<Section> claim_sections() {
  return {Record{table_of<kCounts>("claim_counts")}, table_of<kClaims>("claims")};
}

Outline claim_outline(const CallScene& scene, std::span<const ReplyClaim> claims) {
  constexpr size_t kMostLines = 20;  // more are for programs
  Door& door = scene.question.door;
  Outline outline;
  outline.columns = {{"claim", false, true},
                     {"verdict"},
                     {"why"},
                     {"result", false, false, 1, true},
                     {"claim at", false, false, 0, true}};
  size_t shown = 0;
  for (ClaimVerdict verdict : {ClaimVerdict::contradicted, ClaimVerdict::not_shown})
    for (const ReplyClaim& claim : claims) {
      if (claim.verdict != verdict) continue;
      const bool is_spare = ++shown > kMostLines;
      const ClaimEvidence& first = claim.evidence.front();
      const Text result = first.use ? scene.names.shown_at(first.at) : Text();
      outline.lines.push_back(
          {0,
           Tone::plain,
           {Door::own(claim_words(claim.kind)),
            Door::own(verdict == ClaimVerdict::not_shown ? "not shown" : word(verdict)),
            door.composed(reason_words(claim)), known(result),
            scene.names.shown_at(claim.evidence.back().at)},
           false,
           is_spare});
      if (const Text sentence = sentence_of(scene, claim); !sentence.empty())
        outline.lines.push_back(
            {1, Tone::quiet, {door.composed(std::string(sentence.view()))}, true, is_spare});
    }
  if (outline.lines.empty()) return outline;
  outline.foot.push_back(door.say("for CLAUDE.md or AGENTS.md: {}", kClaimInstruction));
  return outline;
}

}  // namespace xtrace
