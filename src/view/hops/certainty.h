#pragma once

#include <optional>
#include <span>

#include "view/hops/hop_scene.h"

namespace xtrace {

/// How far a chain of delegation can be believed.
struct Certainty {
  double confidence = 1;       ///< that all its links are right
  std::optional<Rule> method;  ///< of the link that is the least sure
  double least = 1;            ///< how sure that is
  bool is_incomplete = false;  ///< what made an agent begin it is not in the input
  bool is_told = false;        ///< neither is the call of its principal, whom a span names

  void add_link(const Hop& hop);
  /// Of several chains: takes over what makes the less sure one less sure.
  void weaken(const Certainty& other);
};

// The fields in which answers tell it.

inline constexpr Column kChainConfidence = {
    "confidence", "that all links of the chain are right, of the least sure of its calls",
    CellKind::number, true};
inline constexpr Column kChainMethod = {
    "method",
    "the rule that found the least sure link of the chain: parent, follows_from and linked are on "
    "record; only_one, call_pattern and nearest are found by time; of a model call, the rule of "
    "the link that leads to it",
    CellKind::text};
inline constexpr Column kChainIncomplete = {
    "incomplete", "what made the first agent of the chain act is not in the input",
    CellKind::boolean};
inline constexpr Column kChainTold = {
    "told",
    "that the chain begins with this principal is what a span says; the principal's own call is "
    "not in the input",
    CellKind::boolean};
Cell method(const Certainty& certainty);

inline constexpr Column kRetries = {"retries", "of these calls, those that tried again what failed",
                                    CellKind::integer};

inline constexpr Column kOtherCauses[] = {
    {"span_id", "of the call", CellKind::text, true},
    {"source", "another hop it could have come from", CellKind::text, true},
    {"confidence", "", CellKind::number, true},
};
inline constexpr Column kChainAlternatives = {"alternatives",
                                              "other hops that could have led to these calls",
                                              CellKind::rows, false, kOtherCauses};
/// What else could have caused some hops.
Cell other_causes(const HopScene& scene, std::span<const HopId> hops, CellArena& arena);

}  // namespace xtrace
