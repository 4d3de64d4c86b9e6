#include "facts/terms.h"

#include "base/one_of.h"

namespace xtrace {

namespace {

struct StatedTerms {
  std::string_view key;
  std::string_view word;  ///< `*`: any other name of a place
  Terms terms;
};

constexpr Terms kStandard{ServiceTier::standard}, kBatch{ServiceTier::batch},
    kFlex{ServiceTier::flex}, kPriority{ServiceTier::priority}, kFast{ServiceTier::fast};
constexpr Terms in(Residency residency) {
  return {ServiceTier::unstated, residency};
}

constexpr StatedTerms kStated[] = {
    // https://developers.openai.com/api/docs/guides/flex-processing, …/guides/fast-mode; of a
    // request, `auto` leaves it to the project. Others took the key over: Groq, Bedrock
    // (https://docs.aws.amazon.com/bedrock/latest/userguide/service-tiers-inference.html), Google.
    {"service_tier", "default", kStandard},
    {"service_tier", "standard", kStandard},
    {"service_tier", "standard_only", kStandard},
    {"service_tier", "on_demand", kStandard},
    {"service_tier", "scale", kStandard},     // paid before
    {"service_tier", "reserved", kStandard},  // likewise
    {"service_tier", "batch", kBatch},
    {"service_tier", "flex", kFlex},
    {"service_tier", "priority", kPriority},
    {"service_tier", "fast", kFast},
    {"service_tier", "ultrafast", {ServiceTier::ultrafast}},
    // https://platform.claude.com/docs/en/api/service-tiers: what is `priority` was paid before,
    // and
    // neither that nor `standard` states a speed.
    {"usage.service_tier", "standard", {}},
    {"usage.service_tier", "priority", {}},
    {"usage.service_tier", "batch", kBatch},
    // https://platform.claude.com/docs/en/build-with-claude/fast-mode
    {"speed", "fast", kFast},
    {"speed", "standard", kStandard},
    // https://platform.claude.com/docs/en/build-with-claude/data-residency
    {"inference_geo", "global", in(Residency::global)},
    {"inference_geo", "not_available", {}},
    {"inference_geo", "*", in(Residency::regional)},
    // What `convert` writes.
    {"service_tier", "free", {ServiceTier::free}},
    {"residency", "global", in(Residency::global)},
    {"residency", "regional", in(Residency::regional)},
    {"residency", "unclear", in(Residency::unclear)},
    // https://cloud.google.com/vertex-ai/generative-ai/docs/flex-paygo, …/priority-paygo
    {"trafficType", "ON_DEMAND", kStandard},
    {"trafficType", "PROVISIONED_THROUGHPUT", kStandard},  // paid before
    {"trafficType", "ON_DEMAND_FLEX", kFlex},
    {"trafficType", "ON_DEMAND_PRIORITY", kPriority},
};

/// Other names of a key, and what headers call it, in small letters.
constexpr std::string_view kSameKey[][2] = {
    {"serviceTier", "service_tier"},
    {"x-gemini-service-tier", "service_tier"},
    {"x-amzn-bedrock-service-tier", "service_tier"},
    {"x-vertex-ai-llm-shared-request-type", "service_tier"},
    {"traffic_type", "trafficType"},
    {"inferenceGeo", "inference_geo"},
};

/// A log that was made safe to share has other things there.
bool is_name_of_place(std::string_view word) {
  return !word.empty() &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string_view::npos;
}

bool begins_with_maker(std::string_view name) {
  return std::any_of(std::begin(kBedrockMakers), std::end(kBedrockMakers),
                     [&](std::string_view maker) { return name.starts_with(maker); });
}

}  // namespace

bool is_region(std::string_view word) {
  return word.size() > 5 && word.back() >= '0' && word.back() <= '9' &&
         word[word.size() - 2] == '-' && std::count(word.begin(), word.end(), '-') >= 2;
}

Terms terms_stated(std::string_view key, std::string_view word) {
  for (const auto& [other, name] : kSameKey)
    if (key == other) key = name;
  for (const StatedTerms& one : kStated)
    if (one.key == key && (one.word == word || (one.word == "*" && is_name_of_place(word))))
      return one.terms;
  return {};
}

Terms terms_of_model(std::string_view name) {
  constexpr std::string_view kFree = ":free";
  if (name.ends_with(kFree)) return {ServiceTier::free};
  const size_t end_of_path = name.rfind('/') + 1;  // npos + 1 is 0
  const std::string_view path = name.substr(0, end_of_path), last = name.substr(end_of_path);
  for (const Geography& geography : kGeographies)
    if (last.starts_with(geography.prefix) &&
        begins_with_maker(last.substr(geography.prefix.size())))
      return in(geography.residency);
  if (path.ends_with("application-inference-profile/")) return in(Residency::unclear);
  if (begins_with_maker(last)) return in(Residency::regional);  // in the region that was asked
  return {};
}

Terms terms_of_address(std::string_view address) {
  // `https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/publishers/
  // anthropic/models/…`; `global` is in both places.
  constexpr std::string_view kLocations = "/locations/", kPublishers = "/publishers/";
  if (const size_t at = address.find(kLocations); at != address.npos) {
    std::string_view location = address.substr(at + kLocations.size());
    location = location.substr(0, location.find('/'));
    if (address.find(kPublishers, at) != address.npos)
      return in(location == "global" ? Residency::global : Residency::regional);
  }
  std::string_view host = address;
  if (const size_t scheme = host.find("://"); scheme != host.npos) host.remove_prefix(scheme + 3);
  host = host.substr(0, host.find_first_of("/:?"));
  constexpr std::string_view kVertex = "aiplatform.googleapis.com";
  if (host == kVertex) return in(Residency::global);
  if (host.ends_with(kVertex) || host.ends_with(".rep.googleapis.com"))
    return in(Residency::regional);
  // https://developers.openai.com/api/docs/guides/your-data, https://docs.x.ai/developers/regions:
  // `eu.api.openai.com`, `us-east-1.api.x.ai`.
  for (std::string_view maker : {".api.openai.com", ".api.x.ai"})
    if (host.ends_with(maker) && host.size() > maker.size()) return in(Residency::regional);
  return {};
}

}  // namespace xtrace
