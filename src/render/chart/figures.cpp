#include <array>

#include "render/chart/chart.h"

namespace xtrace {

namespace {

using Figures = Chart::Figures;

// The nature, a head of two bytes, whose lowest bits say which of these are known, then those in
// this order: seven bits a byte, the lowest first, the sign lowest of all.
constexpr std::array kNumbers = {
    &Figures::waited_us, &Figures::cost_nusd, &Figures::in_all_nusd,   &Figures::turn,
    &Figures::input,     &Figures::cached,    &Figures::cache_written, &Figures::output,
    &Figures::total,     &Figures::place};
constexpr unsigned kOffsetBit = kNumbers.size(), kWaitBits = kOffsetBit + 1;

void append(std::string& bytes, int64_t number) {
  uint64_t left = static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);
  for (; left > 0x7f; left >>= 7) bytes += static_cast<char>(left | 0x80);
  bytes += static_cast<char>(left);
}

int64_t take(const char*& bytes) {
  uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint8_t byte = static_cast<uint8_t>(*bytes++);
    number |= uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) break;
  }
  return static_cast<int64_t>(number >> 1 ^ (0 - (number & 1)));
}

}  // namespace

void Chart::keep(uint32_t nature, const Figures& figures, Mark& mark) {
  mark.rest = static_cast<uint32_t>(rests_.size());
  append(rests_, nature);
  unsigned head = unsigned{figures.has_offset} << kOffsetBit |
                  static_cast<unsigned>(figures.waited_for) << kWaitBits;
  for (size_t i = 0; i < kNumbers.size(); ++i)
    if (figures.*kNumbers[i] != kUnknown) head |= 1U << i;
  rests_ += static_cast<char>(head);
  rests_ += static_cast<char>(head >> 8);
  for (auto number : kNumbers)
    if (figures.*number != kUnknown) append(rests_, figures.*number);
}

bool Chart::costs_more(const Mark& mark) const {
  if (mark.output_is_low || mark.cost_is_partial) return true;
  const Figures known = figures(mark);
  return known.cost_nusd == kUnknown && known.total != kUnknown && nature(mark).model;
}

const Chart::Nature& Chart::nature(const Mark& mark) const {
  const char* bytes = rests_.data() + mark.rest;
  return natures[static_cast<size_t>(take(bytes))];
}

Figures Chart::figures(const Mark& mark) const {
  const char* bytes = rests_.data() + mark.rest;
  take(bytes);
  const unsigned low = static_cast<uint8_t>(*bytes++);
  const unsigned head = low | static_cast<unsigned>(static_cast<uint8_t>(*bytes++)) << 8;
  Figures figures;
  for (size_t i = 0; i < kNumbers.size(); ++i)
    if ((head & 1U << i) != 0) figures.*kNumbers[i] = take(bytes);
  figures.has_offset = (head & 1U << kOffsetBit) != 0;
  figures.waited_for = static_cast<Wait>(head >> kWaitBits);
  return figures;
}

}  // namespace xtrace
