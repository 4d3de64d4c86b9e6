#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts/call.h"
#include "facts/record.h"

namespace xtrace {

/// A score that a judge gave (`gen_ai.evaluation.*` of OpenTelemetry's GenAI conventions).
struct Evaluation {
  std::string name;             ///< what was judged: `Relevance`
  std::optional<double> score;  ///< on a scale that the judge knows
  std::string label;            ///< the judge's word for it: `pass`
  Extent at;

  bool operator==(const Evaluation& other) const {
    return name == other.name && score == other.score && label == other.label;
  }
};

/// What a span records that only evaluations need. It is read again from its place; nothing of it
/// has passed the Door.
struct Appraisal {
  std::string conversation;   ///< that it is part of; empty: not given
  int64_t status = kNoCount;  ///< of HTTP, with which it ended
  std::vector<Evaluation> evaluations;
};

}  // namespace xtrace
