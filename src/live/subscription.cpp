#include "live/subscription.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>

#include "base/nearest.h"
#include "base/text.h"
#include "base/time.h"
#include "link/story/story.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;

/// Every key must be one of these. `place`: where the object is, as messages begin with it.
Status check_keys(const Json& object, std::string_view place,
                  std::initializer_list<std::string_view> known) {
  if (!object.is_object()) return fail(Exit::usage, fmt::format("{}not an object", place));
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      return fail(Exit::usage, fmt::format("{}unknown key '{}'{}", place, printable(key),
                                           did_you_mean(key, {known.begin(), known.end()})));
  return {};
}

Status read_texts(const Json& object, const char* key, std::vector<std::string>& texts) {
  Json::const_iterator found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  auto complain = [&] {
    return fail(Exit::usage, fmt::format("{} is not a list of strings", key));
  };
  if (!found->is_array()) return complain();
  for (const Json& text : *found) {
    if (!text.is_string()) return complain();
    texts.push_back(text.get<std::string>());
  }
  return {};
}

/// Each must be one of these words, in capitals or not.
Status check_words(const char* key, const std::vector<std::string>& words,
                   std::span<const std::string_view> known) {
  for (std::string word : words) {
    for (char& c : word)
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c & ~0x20);
    if (std::find(known.begin(), known.end(), word) == known.end())
      return fail(Exit::usage, fmt::format("{}: unknown value '{}'{}", key, printable(word),
                                           did_you_mean(word, known)));
  }
  return {};
}

Status read_time(const Json& range, const char* key, std::string& time) {
  Json::const_iterator found = range.find(key);
  if (found == range.end() || found->is_null()) return {};
  if (!found->is_string() || !parse_time(found->get<std::string>()))
    return fail(Exit::usage,
                fmt::format("timeRange.{} is not a time such as 2026-03-02T09:00:00Z", key));
  time = found->get<std::string>();
  return {};
}

Status read_filters(const Json& filters, StoryFilter& filter) {
  Status checked = check_keys(
      filters, "filters: ", {"agentNames", "nodeTypes", "status", "minCostUsd", "timeRange"});
  if (!checked) return checked;
  if (Status read = read_texts(filters, "agentNames", filter.agents); !read) return read;
  if (Status read = read_texts(filters, "nodeTypes", filter.types); !read) return read;
  if (Status read = read_texts(filters, "status", filter.statuses); !read) return read;
  if (Status known = check_words("nodeTypes", filter.types, kStepTypeWords); !known) return known;
  if (Status known = check_words("status", filter.statuses, kStepStatusWords); !known) return known;
  for (std::string& status : filter.statuses)  // as --status takes them
    for (char& c : status)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  if (auto cost = filters.find("minCostUsd"); cost != filters.end() && !cost->is_null()) {
    if (!cost->is_number() || cost->get<double>() < 0)
      return fail(Exit::usage, "minCostUsd is not a number of dollars");
    filter.min_cost = fmt::format("{:.9f}", cost->get<double>());
  }
  auto range = filters.find("timeRange");
  if (range == filters.end() || range->is_null()) return {};
  if (Status keys = check_keys(*range, "timeRange: ", {"start", "end"}); !keys) return keys;
  if (Status read = read_time(*range, "start", filter.since); !read) return read;
  return read_time(*range, "end", filter.until);
}

}  // namespace

Result<SubscriptionRequest> read_subscription(std::string_view line) {
  Json json = Json::parse(line, nullptr, false);
  if (json.is_discarded()) return fail(Exit::usage, "not valid JSON");
  Status checked = check_keys(json, "", {"subscriptionId", "filters", "expand"});
  if (!checked) return tl::unexpected(checked.error());
  SubscriptionRequest request;
  if (auto id = json.find("subscriptionId"); id != json.end() && !id->is_null()) {
    if (!id->is_string()) return fail(Exit::usage, "subscriptionId is not a string");
    request.id = id->get<std::string>();
  }
  if (auto filters = json.find("filters"); filters != json.end() && !filters->is_null())
    if (Status read = read_filters(*filters, request.filter); !read)
      return tl::unexpected(read.error());
  if (Status read = read_texts(json, "expand", request.expand); !read)
    return tl::unexpected(read.error());
  return request;
}

}  // namespace xtrace
