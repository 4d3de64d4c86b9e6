#pragma once

#include <vector>

#include "view/work.h"

namespace xtrace {

/// A call that was made again after it failed or was not answered, and how that went on.
struct RetryChain {
  std::vector<EventId> attempts;    ///< the first one first
  std::vector<Duration> back_offs;  ///< between one's end and the next one's start
};
/// Those of which a retry is shown, in order of time.
std::vector<RetryChain> retry_chains(const Scene& scene);

/// The same asked several times, though no time failed.
struct Repeated {
  enum class Same : uint8_t { request, command, target };
  Same same = Same::request;   ///< what is equal in all
  std::vector<EventId> calls;  ///< in order of time; of a tool, those that ask for it
  std::string_view name;       ///< the model or the tool
  StringId target;             ///< of a tool
  Spent again;                 ///< of model calls: what all but the first cost
};
inline constexpr std::string_view kSameWords[] = {"request", "command", "target"};

/// Model calls of one model with one request, parameters and system prompt, and within a session
/// uses of one tool with one command, or where it runs none, on one file or address: the most
/// frequent ones first.
std::vector<Repeated> repeated_calls(const Scene& scene);

}  // namespace xtrace
