#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace xtrace {

/// The evidence that decided whether the input count of a span includes tokens read from a cache
/// and written to one. Programs that write spans differ in that; the counts alone do not always
/// say.
enum class TokenRule : uint8_t {
  none,           ///< nothing came from a cache, or no input count is there
  uncached_told,  ///< it says as well what was in no cache
  cache_exceeds,  ///< more came from the cache than it counts: it does not hold that
  total,          ///< its total adds up in one way alone
  emitter,        ///< what is known of the program that wrote the span
  convention,     ///< no evidence; OpenTelemetry's and OpenInference's conventions include it
};
inline constexpr std::array<std::string_view, 6> kTokenRuleWords = {
    "", "uncached_told", "cache_exceeds_input", "total", "emitter", "convention"};
constexpr std::string_view word(TokenRule rule) {
  return kTokenRuleWords[static_cast<size_t>(rule)];
}

}  // namespace xtrace
