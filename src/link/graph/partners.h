#pragma once

#include <string_view>
#include <vector>

#include "link/calls/timeline.h"
#include "link/hops/hops.h"

namespace xtrace {

/// What tells that two records are about the same model call.
enum class PartnerRule : uint8_t {
  none,
  request_id,   ///< both name the request
  span_id,      ///< the call names the span
  parent_span,  ///< the only call to a model inside the span that the call names as its parent
  time,         ///< the only ones at that time that fit each other by model and tokens
};
inline constexpr std::string_view kPartnerWords[] = {"none", "request_id", "span_id", "parent_span",
                                                     "time"};
constexpr std::string_view word(PartnerRule rule) {
  return kPartnerWords[static_cast<size_t>(rule)];
}

/// Logs of model calls, transcripts and spans that were given together tell of the same calls:
/// which record is whose partner. The rules are tried in the order of PartnerRule, the surest
/// first. A record that none of them matches stays, without a partner.
struct Partners {
  struct Partner {
    HopId hop;
    PartnerRule rule = PartnerRule::none;
    float confidence = 1;
  };
  std::vector<CallId> stands_for;  ///< by call: itself, or the one of another log it repeats
  std::vector<Partner> of_call;    ///< by call
  std::vector<CallId> of_hop;      ///< by hop
  // What is in the input at all; whoever asks of a part of it may know more:
  bool has_thoughts = false;    ///< calls of which a log of thoughts tells
  bool has_call_spans = false;  ///< spans that promise a log of the call that they are

  /// Is it the span of a call that another log should tell of as well?
  static bool promises_call(const Trace& trace, const Hop& hop);
};

Partners find_partners(const Timeline& timeline, const Hops& hops);

}  // namespace xtrace
