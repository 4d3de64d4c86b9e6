#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/hex.h"

namespace xtrace {

/// 128 bits that name a trace.
using TraceKey = std::array<uint64_t, 2>;

/// The id that a name is, if it is one (hexadecimal digits, or a UUID), else one made of the name.
/// Never all zeros, which tracing systems refuse.
TraceKey trace_key_of(std::string_view name);
uint64_t span_key_of(std::string_view name);

/// As OTLP and Jaeger write it: 32 digits.
std::string hex(const TraceKey& trace);

/// Gives each span an id that no other span of its trace has.
class SpanKeys {
 public:
  /// The id that the name is, or is made of; if that is taken, another one.
  uint64_t give(const TraceKey& trace, std::string_view name);

 private:
  std::set<std::pair<TraceKey, uint64_t>> taken_;
  /// By the hash of a name whose id was taken, the last one given in its place: all before are
  /// taken.
  std::map<std::pair<TraceKey, uint64_t>, uint64_t> last_;
};

}  // namespace xtrace
