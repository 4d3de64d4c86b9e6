#include "cli/verify_recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/sha256.h"
#include "base/text.h"
#include "cli/reproduction.h"
#include "run/request.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;

/// Programs differ in which of two equal keys they believe, and so might readers.
class EqualKeys {
 public:
  bool operator()(int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) open_.emplace_back();
    if (event == Json::parse_event_t::object_end) open_.pop_back();
    if (event == Json::parse_event_t::key && !open_.back().insert(parsed.get<std::string>()).second)
      found_ = true;
    return true;
  }
  bool found() const { return found_; }

 private:
  std::vector<std::set<std::string>> open_;
  bool found_ = false;
};

/// Puts the patterns that the verifier hides things by in place of their digests.
Status find_patterns(std::vector<std::string>& words, const Request& request) {
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != kPatternOption) continue;
    auto is_wanted = [&](const std::string& pattern) {
      return recorded(kPatternOption, pattern) == words[i + 1];
    };
    auto found = std::find_if(request.patterns.begin(), request.patterns.end(), is_wanted);
    if (found == request.patterns.end())
      return fail(Exit::input,
                  fmt::format("it was made with the redaction pattern {}; pass that pattern with "
                              "{}, or its configuration file with --config",
                              printable(words[i + 1]), kPatternOption));
    words[++i] = *found;
  }
  return {};
}

/// Puts the files that the verifier names in place of their digests.
Status find_files(std::vector<std::string>& words, const Request& request) {
  for (size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != kRulesOption && words[i] != kPricesOption) continue;
    const std::string wanted = std::exchange(words[i + 1], {});
    for (const std::string& file : request.settings)
      if (Result<std::string> digest = sha256_of_file(file, UINT64_MAX);
          digest && std::string(kDigestPrefix) + *digest == wanted)
        words[i + 1] = file;
    if (words[i + 1].empty())
      return fail(Exit::input, fmt::format("it was made with the {} {}; pass their file with {}",
                                           words[i] == kRulesOption ? "redaction rules" : "prices",
                                           printable(wanted), words[i]));
  }
  return {};
}

}  // namespace

std::optional<Json> parse_strict(const std::string& bytes, bool* has_equal_keys) {
  EqualKeys keys;
  Json parsed = Json::parse(bytes, std::ref(keys), false);
  if (parsed.is_discarded()) return {};
  if (has_equal_keys != nullptr) *has_equal_keys = keys.found();
  return keys.found() ? std::nullopt : std::optional(std::move(parsed));
}

Status restore_recorded(std::vector<std::string>& words, const Request& request) {
  Status found = find_files(words, request);
  return found ? find_patterns(words, request) : found;
}

}  // namespace xtrace
