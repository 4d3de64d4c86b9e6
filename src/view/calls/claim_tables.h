#pragma once

#include <span>
#include <string>
#include <vector>

#include "link/claims/reply_claims.h"
#include "view/calls/call_fields.h"

namespace xtrace {

/// A claim in words: `tests pass`.
std::string_view claim_words(ClaimKind kind);
/// Why it has its verdict: `the last test run failed`.
std::string reason_words(const ReplyClaim& claim);

/// `3 claims in replies: 1 contradicted by tool results, 1 not shown by any, 1 supported`
Text claim_counts_line(const CallScene& scene, std::span<const ReplyClaim> claims);
/// The same as one object.
Record claim_counts(std::span<const ReplyClaim> claims);
/// A row for each, in `claims`.
Table claim_table(const CallScene& scene, std::span<const ReplyClaim> claims);
/// Both without rows.
std::vector<Section> claim_sections();

/// Those that tool results do not show, as text: contradicted ones first.
Outline claim_outline(const CallScene& scene, std::span<const ReplyClaim> claims);

/// Text for the instructions of agents that make such claims.
inline constexpr char kClaimInstruction[] =
    "Report that tests pass, a build works, a problem is fixed or work is done only if the last "
    "tool result after your last edit shows it. Otherwise report what failed or was not run.";

}  // namespace xtrace
