#pragma once

#include <vector>

#include "facts/call.h"
#include "facts/message.h"
#include "input/common/json.h"

namespace xtrace {

struct RecordContext;

/// What a request says. All ids are those of the shard at hand.
struct Asked {
  /// What is known after one more message.
  struct Step {
    MessageId last;       ///< the path so far; system messages are no part of it
    uint64_t system = 0;  ///< hash of the system messages so far
  };
  std::vector<Step> steps;
  StringId model, user, session;
  StringId follows;     ///< the answer that it goes on from, whose messages it does not repeat
  uint64_t system = 0;  ///< hash of the system prompt beside the messages; 0: none
  double temperature = -1;
  int64_t max_tokens = kNoCount;
  uint64_t tools = 0;  ///< names the tools that it offers; 0: it offers none
  Terms terms;         ///< on which it asks to be served

  /// How the conversation begins.
  MessageId first() const {
    for (const Step& step : steps)
      if (step.last) return step.last;
    return {};
  }
  MessageId last() const { return steps.empty() ? MessageId{} : steps.back().last; }
  /// Hash of all that instructs the model; 0: nothing does.
  uint64_t system_prompt() const {
    return system == 0 && !steps.empty() ? steps.back().system : system;
  }
};

/// Hash of the texts that instruct a model, a text or a list of them, behind what `hash` is of.
uint64_t hash_instructions(json::element value, uint64_t hash);

/// Reads the body of a request, Anthropic's, one of OpenAI's two, or Google's, behind what `asked`
/// already knows of it.
void read_request(json::element body, RecordContext& context, Asked& asked);

}  // namespace xtrace
