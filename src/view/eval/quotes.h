#pragma once

#include <string>
#include <vector>

#include "facts/appraisal.h"
#include "facts/event.h"
#include "facts/span.h"

namespace xtrace {

/// Payloads that can tell the words of a call block by block; see Payloads.
class Quotes {
 public:
  /// A block of what is said in a call.
  struct Piece {
    enum class Kind : uint8_t { text, tool_use, tool_result };
    Kind kind = Kind::text;
    bool is_answer = false;  ///< the model said it; else it was told
    std::string tool_use;    ///< the id of the one it is, or is about
    std::string text;        ///< of a tool use its arguments, as JSON
  };
  virtual ~Quotes() = default;
  /// What was said since the last answer of the model, and the answer.
  virtual std::vector<Piece> pieces(const Event& event) const = 0;
};

/// Payloads that can tell how spans were judged; see Payloads.
class Appraisals {
 public:
  virtual ~Appraisals() = default;
  virtual Appraisal appraisal(const Span& span) const = 0;
};

}  // namespace xtrace
