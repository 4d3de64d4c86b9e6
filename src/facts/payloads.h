#pragma once

#include <string>
#include <vector>

#include "facts/appraisal.h"
#include "facts/record.h"
#include "facts/span.h"
#include "facts/step.h"

namespace xtrace {

// What stands in the input beside the facts, read again from where it stands. Nothing of it has
// passed the Door.

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
  bool is_answer = false;            ///< the model said it; else it was told
  std::string tool_use;              ///< the id of the one it is, or is about
  std::string tool;                  ///< of a tool use, its name
  std::string text;                  ///< of a tool use its arguments, as JSON
  std::vector<std::string> targets;  ///< of a tool use that a span tells, what it works on
  size_t image_bytes = 0;  ///< of its images, as BlockSize counts them; `text` does not have them
};

/// A tool that a request offers to the model.
struct DeclaredTool {
  std::string name;
  std::string description;  ///< what the model is told of it
  std::string schema;       ///< of its arguments, as JSON; empty: none is declared

  bool operator==(const DeclaredTool&) const = default;
};

/// What a request tells the model of who it is and what it may use.
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
  /// What the span of a model's call tells was said: what came in that the model did not say
  /// itself, and its answer.
  virtual std::vector<Quote> quotes(const Span&) const { return {}; }
  /// What the request of a call tells beside what was said.
  virtual Instructions instructions(const Call&) const { return {}; }
  /// What a span says of itself as a step of a query.
  virtual StepRecord step(const Span& span) const = 0;
  /// How a span was judged.
  virtual Appraisal appraisal(const Span& span) const = 0;
  /// The paths of inputs in which something else stands by now, so that it was not told.
  virtual std::vector<std::string> changed() const { return {}; }
};

}  // namespace xtrace
