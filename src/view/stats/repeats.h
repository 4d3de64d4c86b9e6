#pragma once

#include <vector>

#include "view/hops/hop_scene.h"
#include "view/stats/work.h"

namespace xtrace {

/// Something that was done: a call, or where spans tell of all, a hop.
struct CallOrHop {
  CallId call;
  HopId hop;
};

/// A call that was made again after it failed or was not answered, and how that went on.
struct RetryChain {
  struct Attempt {
    CallOrHop node;
    Outcome outcome = Outcome::unknown;
    std::string_view error;            ///< its class
    Duration waited = kNoDuration;     ///< since the end of the attempt before
    Duration was_asked = kNoDuration;  ///< what that one's answer asked to wait
    bool too_early() const {
      return waited != kNoDuration && was_asked != kNoDuration && waited < was_asked;
    }
  };
  std::string_view name;          ///< the model, or what else was asked
  std::vector<Attempt> attempts;  ///< the first one first
};
/// Those of which a retry is shown, in order of time.
std::vector<RetryChain> retry_chains(const CallScene& scene);
/// The same of spans, see find_span_retries().
std::vector<RetryChain> retry_chains(const HopScene& scene);

/// The same tool given the same, asked of the same target or with the same command, or the same
/// request made, several times.
struct Repeated {
  enum class Same : uint8_t { request, arguments, command, target };
  Same same = Same::request;  ///< what is equal in all: of tools all arguments, or only these
  CallOrHop first;            ///< of a tool, the call that asks for it
  size_t times = 0;
  std::string_view name;  ///< the model or the tool
  StringId target;        ///< of a tool
  Usage again;            ///< of model calls: what all but the first cost
};
inline constexpr std::string_view kSameWords[] = {"request", "arguments", "command", "target"};

/// Model calls of one model with one request, parameters and system prompt, and within a session
/// uses of one tool with one command, or where it runs none, on one file or address, or where it
/// names none, with the same arguments: the most frequent ones first.
std::vector<Repeated> repeated_calls(const CallScene& scene);
}  // namespace xtrace
