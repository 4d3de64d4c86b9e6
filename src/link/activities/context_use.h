#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "facts/call.h"

namespace xtrace {

class Graph;
class CallSizeMeter;
class Payloads;

/// Something that fills the context of a call.
struct ContextPart {
  enum class Kind : uint8_t {
    system_prompt,
    tool_definitions,  ///< of one MCP server, or of all other tools
    not_recorded,      ///< system prompt and tool definitions, where the log has neither
    memory,            ///< files of instructions that the client adds: CLAUDE.md and the like
    prompts,           ///< all else that was said to the model
    replies,           ///< of the model, with the arguments of tools
    thinking,          ///< of the model, before its replies, as far as the log has its text
    tool_results,      ///< of one tool
    images,            ///< in prompts and in results of tools, by their width and height
    summary,           ///< represents what was said before a compaction
    unattributed,
  };
  Kind kind = Kind::unattributed;
  std::string name;  ///< of the tool or the MCP server, as the log has it; else empty
  int64_t tokens = 0;
  bool is_estimated = false;  ///< divided by the lengths of texts, or counted by them
};

inline constexpr std::string_view kContextPartWords[] = {
    "system_prompt", "tool_definitions", "not_recorded", "memory",  "prompts",     "replies",
    "thinking",      "tool_results",     "images",       "summary", "unattributed"};
constexpr std::string_view word(ContextPart::Kind kind) {
  return kContextPartWords[static_cast<size_t>(kind)];
}

/// What fills the context of a call, the largest part first: all together are what the call sent,
/// as its log counts it. Empty: the log has no count.
///
/// What a call sent beyond the one before it in its conversation is the reply in between and what
/// came with the call. Where several things came at once, they are divided by their lengths; of the
/// first call, all are.
std::vector<ContextPart> find_context(const Graph& graph, CallSizeMeter& sizes,
                                      const Payloads* payloads, CallId call);

}  // namespace xtrace
