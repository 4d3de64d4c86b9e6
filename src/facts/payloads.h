#pragma once

#include <string>
#include <vector>

#include "facts/appraisal.h"
#include "facts/record.h"
#include "facts/span.h"
#include "facts/step.h"

namespace xtrace {

// The contents of the input in addition to the facts, read again from their places. Nothing of them
// has passed the Door.

/// What was said in one call.
struct Excerpt {
  std::string prompt;                         ///< the last thing the user (or a tool) said
  std::string answer;                         ///< the text of the model's answer
  std::string error;                          ///< what the vendor said went wrong
  std::vector<ToolArguments> tool_arguments;  ///< of the tools that the answer asks for
};

/// A block of what is said in a call.
struct Quote {
  enum class Kind : uint8_t {
    text,
    tool_use,
    tool_result,
    thought,  ///< what the model thought before its answer, as far as the log kept it
  };
  Kind kind = Kind::text;
  bool is_answer = false;            ///< by the model; else to the model
  std::string tool_use;              ///< the id of the one it is, or is about
  std::string tool;                  ///< of a tool use, its name
  std::string text;                  ///< of a tool use its arguments, as JSON
  std::vector<std::string> targets;  ///< of a tool use that a span records, what it works on
  size_t image_bytes = 0;  ///< of its images, as BlockSize counts them; `text` does not have them
};

/// A tool that a request offers to the model.
struct DeclaredTool {
  std::string name;
  std::string description;  ///< its description for the model
  std::string schema;       ///< of its arguments, as JSON; empty: none is declared

  bool operator==(const DeclaredTool&) const = default;
};

/// The instructions and tools that a request gives to the model.
struct Instructions {
  std::string system_prompt;  ///< its texts, a line each
  std::vector<DeclaredTool> tools;
};

/// Goes back to records, for those who know no files. What cannot be read again is empty. Several
/// threads may ask at once.
class Payloads {
 public:
  virtual ~Payloads() = default;
  virtual Excerpt read(const Call& call) const = 0;
  /// What was said since the last answer of the model, and the answer, in order.
  virtual std::vector<Quote> quotes(const Call& call) const = 0;
  /// The messages that the span of a model call records: what came in from others than the model,
  /// and its answer.
  virtual std::vector<Quote> quotes(const Span&) const { return {}; }
  /// The contents of the request of a call in addition to the messages.
  virtual Instructions instructions(const Call&) const { return {}; }
  /// What a span says of itself as a step of a query.
  virtual StepRecord step(const Span& span) const = 0;
  /// How a span was judged.
  virtual Appraisal appraisal(const Span& span) const = 0;
  /// The paths of inputs whose contents have changed, so that they were not shown.
  virtual std::vector<std::string> changed() const { return {}; }
};

}  // namespace xtrace
