#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "facts/claim_kind.h"
#include "facts/payloads.h"
#include "link/graph/graph.h"

namespace xtrace {

/// What tool results say of a claim.
enum class ClaimVerdict : uint8_t { supported, contradicted, not_shown };
inline constexpr std::string_view kClaimVerdictWords[] = {"supported", "contradicted", "not_shown"};
inline constexpr size_t kClaimVerdicts = std::size(kClaimVerdictWords);
constexpr std::string_view word(ClaimVerdict verdict) {
  return kClaimVerdictWords[static_cast<size_t>(verdict)];
}

/// Why they say so.
enum class ClaimReason : uint8_t {
  passed,        ///< the last tool use that decides it succeeded
  failed,        ///< it failed, and none succeeded after it
  edited_after,  ///< files were edited after it
  never_run,     ///< no tool use on record decides it
  no_change,     ///< nothing on record changed anything in the turn
  no_result,     ///< the log does not have its result
  unclear,       ///< its result does not show whether it succeeded
};
inline constexpr std::string_view kClaimReasonWords[] = {
    "passed", "failed", "edited_after", "never_run", "no_change", "no_result", "unclear"};
constexpr std::string_view word(ClaimReason reason) {
  return kClaimReasonWords[static_cast<size_t>(reason)];
}

/// A record that decides a claim, or the claim itself.
struct ClaimEvidence {
  Extent at;
  CallId call;            ///< that asks for the tool, or claims
  ToolUseId use;          ///< nowhere: it is the claim
  std::string_view what;  ///< words of our own
};

/// A claim of a reply that ends a turn, and what the tool results before it say of it.
struct ReplyClaim {
  ClaimKind kind = ClaimKind::done;
  ClaimVerdict verdict = ClaimVerdict::not_shown;
  ClaimReason reason = ClaimReason::never_run;
  CallId reply;
  std::string sentence;                 ///< payload
  std::vector<ClaimEvidence> evidence;  ///< in order of time; the claim is last
};

/// All claims of the replies that end turns of agents, in order of time: of an agent that talks to
/// a user, what it answers last before the user says something else; of a subagent, its report.
/// Empty without payloads.
std::vector<ReplyClaim> find_reply_claims(const Graph& graph, const Payloads* payloads);

}  // namespace xtrace
