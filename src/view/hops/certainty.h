#pragma once

#include <optional>
#include <span>

#include "view/common/field.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// How far a chain of delegation can be believed.
struct Certainty {
  double confidence = 1;         ///< that all its links are right
  std::optional<Rule> method{};  ///< of the link that is the least sure
  double least = 1;              ///< how sure that is
  bool is_incomplete = false;    ///< what made an agent begin it is not in the input
  bool is_told = false;          ///< neither is the call of its principal, whom a span names

  void add_link(const Hop& hop);
  /// Of several chains: takes over what makes the less sure one less sure.
  void weaken(const Certainty& other);
};

/// Hops that an answer lists as one, such as all calls through one chain of actors.
struct HopGroup {
  std::vector<HopId> hops;               ///< in the order in which they were added
  Time first = kNoTime, last = kNoTime;  ///< the earliest start and the latest, where known
  Duration total = kNoDuration;          ///< sum over the hops
  int64_t errors = 0;                    ///< hops that failed
  Certainty certainty;                   ///< of the least certain

  void add(const Hops& all, HopId id);
};

// The fields in which answers tell it.

inline constexpr Column kChainConfidence = {
    "confidence",
    "confidence that all links of the chain are right, taken from the least certain of its calls",
    CellKind::number, true};
inline constexpr Column kChainMethod = {
    "method",
    "rule of the least certain link in the chain: parent, follows_from and linked are recorded; "
    "only_one, call_pattern and nearest are inferred from time; for a model call, the rule of its "
    "incoming link",
    CellKind::text};
inline constexpr Column kChainIncomplete = {
    "incomplete", "true if the cause of the chain's first agent is not in the input",
    CellKind::boolean};
inline constexpr Column kChainTold = {"told",
                                      "true if a span names this principal as the start of the "
                                      "chain, but the principal's own call is not in the input",
                                      CellKind::boolean};
Cell method(const Certainty& certainty);

inline constexpr Column kRetries = {"retries", "calls that retry a failed one", CellKind::integer};

/// What else could have caused a call.
struct OtherCause {
  Text span_id, source;
  double confidence;
};
inline constexpr Field<OtherCause> kOtherCauses[] = {
    {{"span_id", "span id of the call", CellKind::text, true}, member<&OtherCause::span_id>},
    {{"source", "alternative source: another hop that would have fitted", CellKind::text, true},
     member<&OtherCause::source>},
    {{"confidence", "", CellKind::number, true},
     [](const OtherCause& row) { return Cell(thousandths(row.confidence)); }},
};
inline constexpr Column kChainAlternatives = {"alternatives",
                                              "other hops that could have caused these calls",
                                              CellKind::rows, false, columns_of<kOtherCauses>()};
/// What else could have caused some hops.
Cell other_causes(const HopScene& scene, std::span<const HopId> hops, CellArena& arena);

}  // namespace xtrace
