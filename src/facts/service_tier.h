#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xtrace {

/// How a vendor served a call, where it asks for another price than usual: `batch` and `flex` wait
/// for idle machines, `priority` (OpenAI) and `fast` (Anthropic's `speed`) do not wait behind
/// others. What vendors call `default`, `standard`, `auto` and `scale` is of the list.
enum class ServiceTier : uint8_t { standard, batch, flex, priority, fast };
inline constexpr std::string_view kServiceTierWords[] = {"standard", "batch", "flex", "priority",
                                                         "fast"};
constexpr std::string_view word(ServiceTier tier) {
  return kServiceTierWords[static_cast<size_t>(tier)];
}

/// By its word; any other is `standard`.
constexpr ServiceTier service_tier(std::string_view said) {
  for (size_t i = 0; i < std::size(kServiceTierWords); ++i)
    if (kServiceTierWords[i] == said) return static_cast<ServiceTier>(i);
  return ServiceTier::standard;
}

}  // namespace xtrace
