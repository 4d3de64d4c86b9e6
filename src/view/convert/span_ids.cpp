#include "view/convert/span_ids.h"

#include <algorithm>

#include "base/digits.h"
#include "base/hash.h"

namespace xtrace {

namespace {

/// The number that at most 32 digits are; false: they are none, or all zeros.
bool read_hex(std::string_view digits, size_t most, TraceKey& key) {
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  if (digits.empty() || digits.size() > most) return false;
  key = {};
  for (char c : digits) {
    int digit = hex_digit(c);
    if (digit < 0) return false;
    key[0] = key[0] << 4 | key[1] >> 60;
    key[1] = key[1] << 4 | static_cast<uint64_t>(digit);
  }
  return key != TraceKey{};
}

/// `8-4-4-4-12` digits without the separators; anything else as it is.
std::string without_dashes(std::string_view name) {
  std::string digits(name);
  constexpr size_t kLength = 36;  // of a UUID
  if (name.size() == kLength && name[8] == '-' && name[13] == '-' && name[18] == '-' &&
      name[23] == '-')
    std::erase(digits, '-');
  return digits;
}

}  // namespace

TraceKey trace_key_of(std::string_view name) {
  TraceKey key{};
  if (read_hex(without_dashes(name), 32, key)) return key;
  uint64_t made = hash_of(name);
  return {made, std::max<uint64_t>(chain(made, 1), 1)};
}

uint64_t span_key_of(std::string_view name) {
  TraceKey key{};
  if (read_hex(name, 16, key)) return key[1];
  return std::max<uint64_t>(hash_of(name), 1);
}

std::string hex(const TraceKey& trace) {
  return hex(trace[0]) + hex(trace[1]);
}

uint64_t SpanKeys::give(const TraceKey& trace, std::string_view name) {
  const uint64_t key = span_key_of(name);
  if (taken_.emplace(trace, key).second) return key;
  const uint64_t step = hash_of(name);
  uint64_t& last = last_.try_emplace({trace, step}, key).first->second;
  do last = std::max<uint64_t>(chain(last, step), 1);
  while (!taken_.emplace(trace, last).second);
  return last;
}

}  // namespace xtrace
