#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "facts/call.h"

namespace xtrace {

class Payloads;
struct Trace;

/// Bytes of a tool's result.
struct ResultSize {
  size_t bytes = 0, images = 0;  ///< with images, and of these alone

  bool operator==(const ResultSize&) const = default;
};

/// Bytes of the texts of a call. Images count as long as a text of as many tokens.
struct CallSizes {
  size_t answered = 0, thought = 0;  ///< by the model: texts, names and arguments of tools
  size_t asked = 0;                  ///< since its last answer, tool results included
  size_t images = 0;                 ///< of these: all images, those of tool results included
  std::unordered_map<uint64_t, ResultSize> results{};  ///< by the hash of the tool use's id

  /// Of the tool's result; 0: it is not recorded.
  ResultSize of_result(std::string_view tool_use) const;
};

/// Measures calls, each once. Calls that were not measured while reading are read again.
class CallSizeMeter {
 public:
  /// Without payloads no size is known.
  CallSizeMeter(const Trace& trace, const Payloads* payloads)
      : trace_(trace), payloads_(payloads) {}

  bool is_known() const { return payloads_ != nullptr; }
  const CallSizes& operator[](CallId call);

 private:
  bool measured_when_read(const Call& call, CallSizes& sizes) const;

  const Trace& trace_;
  const Payloads* payloads_;
  std::unordered_map<uint32_t, CallSizes> known_;
};

}  // namespace xtrace
