#include "settings/setting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"

namespace xtrace {

using Kind = Setting::Kind;

const Setting* Setting::find(std::string_view key) const {
  for (const auto& [name, value] : items)
    if (name == key) return &value;
  return nullptr;
}

tl::unexpected<Error> wrong_setting(const std::string& path, size_t line, std::string_view what) {
  if (line == 0) return fail(Exit::usage, fmt::format("{}: {}", printable(path), printable(what)));
  return fail(Exit::usage, fmt::format("{}:{}: {}", printable(path), line, printable(what)));
}

tl::unexpected<Error> wrong_setting(const std::string& path, const Setting& where,
                                    const std::string& what) {
  return wrong_setting(path, where.line, what);
}

Result<std::string> text_of(const std::string& path, const Setting& setting,
                            std::string_view what) {
  if (setting.kind == Kind::text && !setting.text.empty()) return setting.text;
  return wrong_setting(path, setting, fmt::format("{} must be a non-empty string", what));
}

Result<std::vector<std::string>> texts_of(const std::string& path, const Setting& setting,
                                          std::string_view what) {
  if (setting.kind != Kind::list)
    return wrong_setting(path, setting, fmt::format("{} must be a list of strings", what));
  std::vector<std::string> texts;
  for (const auto& [key, item] : setting.items) {
    Result<std::string> text = text_of(path, item, fmt::format("each item of {}", what));
    if (!text) return tl::unexpected(text.error());
    texts.push_back(*std::move(text));
  }
  return texts;
}

Result<double> number_of(const std::string& path, const Setting& setting, std::string_view what) {
  if (setting.kind == Kind::number && setting.number >= 0) return setting.number;
  return wrong_setting(path, setting, fmt::format("{} must be a number of at least 0", what));
}

Status check_keys(const std::string& path, const Setting& setting, std::string_view what,
                  const std::vector<std::string_view>& known) {
  if (setting.kind != Kind::table) {
    constexpr size_t kMostNamed = 8;  // more do not fit into a line
    const std::string keys =
        known.size() > kMostNamed ? "" : fmt::format(" with the keys {}", fmt::join(known, ", "));
    return wrong_setting(path, setting, fmt::format("{} must be an object{}", what, keys));
  }
  for (const auto& [key, value] : setting.items) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string meant =
        key.size() < 2 ? "" : did_you_mean(key, known);  // all contain a letter
    return wrong_setting(path, value,
                         fmt::format("unknown key '{}' in {}{}{} keys: {}", key, what, meant,
                                     meant.empty() ? ";" : "", fmt::join(known, ", ")));
  }
  return {};
}

}  // namespace xtrace
