#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace xtrace {

/// How fast a vendor served a call, where that changes the price: `batch` and `flex` wait for idle
/// machines, `priority` (OpenAI, Google), `fast` (Anthropic, OpenAI) and `ultrafast` (OpenAI) do
/// not, and `free` is a router's offer. What vendors call `default`, `on_demand`, `scale` and
/// `reserved` is `standard`.
enum class ServiceTier : uint8_t {
  unstated,
  standard,
  batch,
  flex,
  priority,
  fast,
  ultrafast,
  free,
};
inline constexpr std::string_view kServiceTierWords[] = {
    "", "standard", "batch", "flex", "priority", "fast", "ultrafast", "free"};
constexpr std::string_view word(ServiceTier tier) {
  return kServiceTierWords[static_cast<size_t>(tier)];
}

/// Where a vendor served a call: anywhere, or in one region or geography, as it was asked to.
enum class Residency : uint8_t {
  unstated,
  global,
  regional,
  unclear,  ///< something decides it that the log only names, as a profile of Bedrock's does
};
inline constexpr std::string_view kResidencyWords[] = {"", "global", "regional", "unclear"};
constexpr std::string_view word(Residency residency) {
  return kResidencyWords[static_cast<size_t>(residency)];
}

/// The terms on which a call was served, as far as its price depends on them.
struct Terms {
  ServiceTier tier = ServiceTier::unstated;
  Residency residency = Residency::unstated;

  /// Takes in what the same record states as well: `standard` gives way to any other tier.
  void add(Terms also) {
    tier = std::max(tier, also.tier);
    residency = std::max(residency, also.residency);
  }
  /// These, and where they state nothing, those of a weaker record.
  Terms over(Terms weaker) const {
    return {tier == ServiceTier::unstated ? weaker.tier : tier,
            residency == Residency::unstated ? weaker.residency : residency};
  }
  /// These, with those that the model's name states: a tier in a name is an offer of its own,
  /// which answers call standard.
  Terms with_name(Terms named) const { return {std::max(tier, named.tier), over(named).residency}; }
  bool operator==(const Terms&) const = default;
};

/// The tier where it is not the usual one, which answers do not show.
constexpr std::string_view unusual_tier(Terms terms) {
  return terms.tier == ServiceTier::standard ? std::string_view{} : word(terms.tier);
}

/// What a log states by a word at a key of a request, an answer, its counts, its headers or a
/// settings line; nothing for any other key or word. `usage.service_tier` is Anthropic's.
Terms terms_stated(std::string_view key, std::string_view word);
/// What the name of a model states: the geography of a profile of Bedrock's (`us.anthropic.…`), its
/// ARN, a region in the path, `:free` of OpenRouter. `-fast` is a price's affair, as models of that
/// name exist.
Terms terms_of_model(std::string_view name);
/// What the address of a request states: a region of Google's Vertex, a host of OpenAI's or xAI's
/// that serves one geography.
Terms terms_of_address(std::string_view address);

/// Those who sell in Bedrock and whose models go by the makers' own names.
inline constexpr std::string_view kBedrockMakers[] = {"anthropic.", "mistral.", "deepseek.",
                                                      "amazon.", "openai."};
/// What Bedrock puts before a maker's name: the geography of a profile.
struct Geography {
  std::string_view prefix;
  Residency residency = Residency::regional;
};
inline constexpr Geography kGeographies[] = {{"global.", Residency::global},
                                             {"us."},
                                             {"eu."},
                                             {"apac."},
                                             {"jp."},
                                             {"au."},
                                             {"ca."},
                                             {"us-gov."},
                                             {"sa."},
                                             {"in."}};
/// `us-east-1`, `europe-west4`
bool is_region(std::string_view word);

}  // namespace xtrace
