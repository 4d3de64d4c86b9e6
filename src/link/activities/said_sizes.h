#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "facts/call.h"

namespace xtrace {

class Payloads;
struct Trace;

/// How many bytes were said in a call.
struct SaidSizes {
  size_t answered = 0, thought = 0;  ///< by the model: texts, names and arguments of tools
  size_t asked = 0;                  ///< since its last answer, tool results included
  std::unordered_map<uint64_t, size_t> results{};  ///< by the hash of the tool use's id

  /// Of the tool's result; 0: none was said.
  size_t of_result(std::string_view tool_use) const;
};

/// Measures what was said in calls, each once however many ask: where nobody did while reading, it
/// has to be read again for that.
class SaidSizesOf {
 public:
  /// Without payloads nothing is known to be said.
  SaidSizesOf(const Trace& trace, const Payloads* payloads) : trace_(trace), payloads_(payloads) {}

  bool is_known() const { return payloads_ != nullptr; }
  const SaidSizes& operator[](CallId call);

 private:
  bool measured_when_read(const Call& call, SaidSizes& sizes) const;

  const Trace& trace_;
  const Payloads* payloads_;
  std::unordered_map<uint32_t, SaidSizes> known_;
};

}  // namespace xtrace
