#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "link/activities/critical_path.h"

namespace xtrace {

/// The same tool given the same, asked of the same target or with the same command, or the same
/// request made, several times, for good reasons or none. (What was without effect is said in
/// link/waste.)
struct Repeated {
  enum class Same : uint8_t { request, arguments, command, target };
  Same same = Same::request;  ///< what is equal in all: of tools all arguments, or only these
  CallId first;               ///< of a tool, the call that asks for it
  size_t times = 0;
  std::string_view name;      ///< the model or the tool
  StringId target;            ///< of a tool
  std::vector<CallId> again;  ///< of model calls: all but the first
};
inline constexpr std::string_view kSameWords[] = {"request", "arguments", "command", "target"};

/// Model calls of one model with one request, parameters and system prompt, and within a session
/// uses of one tool with one command, or where it runs none, on one file or address, or where it
/// names none, with the same arguments: the most frequent ones first.
std::vector<Repeated> find_repeated(const Graph& graph, const ShownCalls& shown);

}  // namespace xtrace
