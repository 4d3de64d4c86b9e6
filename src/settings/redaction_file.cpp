#include "settings/redaction_file.h"

#include <fmt/format.h>

#include "base/text.h"
#include "settings/settings_file.h"

namespace xtrace {

namespace {

/// A rule is called after its place among all, for a replacement needs a name.
CustomRule nameless(const RedactionSettings& settings) {
  CustomRule rule;
  rule.name = fmt::format("custom_{}", settings.rules.size() + 1);
  return rule;
}

/// `shown`: what a message calls it.
Status add_shown(const std::string& path, const Setting& where, CustomRule rule,
                 RedactionSettings& settings, const std::string& shown) {
  Result<CompiledRule> compiled = CompiledRule::compile(std::move(rule));
  if (!compiled)
    return wrong_setting(path, where, fmt::format("{}: {}", shown, compiled.error().what));
  constexpr size_t kMostEverywhere = 500;  // each costs a search of every text
  settings.sought_everywhere += compiled->is_sought_everywhere();
  if (settings.sought_everywhere > kMostEverywhere)
    return wrong_setting(path, where,
                         fmt::format("{} is one of more than {} rules without keywords or a fixed "
                                     "text of {} characters; add keywords",
                                     shown, kMostEverywhere, kShortestKeyword));
  settings.rules.push_back(*std::move(compiled));
  return {};
}

class OwnFile {
 public:
  OwnFile(const std::string& path, RedactionSettings& settings)
      : path_(path), settings_(settings) {}

  Status read(const Setting& root) {
    Status known = check_keys(path_, root, "the file",
                              {"patterns", "redactionPatterns", "redactPII", "fields", "maxCode"});
    if (!known) return known;
    for (const auto& [key, value] : root.items)
      if (Status read = read_key(key, value); !read) return read;
    return {};
  }

 private:
  Status read_key(const std::string& key, const Setting& value) {
    if (key == "patterns" || key == "redactionPatterns") return read_patterns(key, value);
    if (key == "fields") return read_fields(value);
    if (key == "maxCode") {
      Result<double> most = number_of(path_, value, "maxCode");
      if (!most) return tl::unexpected(most.error());
      settings_.fields.max_code = static_cast<size_t>(std::min(*most, 1e9));
      return {};
    }
    if (value.kind != Setting::Kind::boolean)
      return wrong_setting(path_, value, "redactPII must be true or false");
    settings_.personal = value.truth;
    return {};
  }

  Status read_patterns(const std::string& key, const Setting& list) {
    if (list.kind != Setting::Kind::list)
      return wrong_setting(path_, list, fmt::format("{} must be a list", key));
    for (const auto& [none, item] : list.items)
      if (Status read = read_pattern(item); !read) return read;
    return {};
  }

  Status read_pattern(const Setting& item) {
    if (item.kind == Setting::Kind::text) return add_pattern(path_, item, item.text, settings_);
    CustomRule rule = nameless(settings_);
    Status known = check_keys(path_, item, "a pattern", {"name", "regex", "group", "keywords"});
    if (!known) return known;
    if (item.find("regex") == nullptr) return wrong_setting(path_, item, "a pattern has no regex");
    for (const auto& [key, value] : item.items) {
      if (key == "group") {
        Result<double> group = number_of(path_, value, key);
        if (!group) return tl::unexpected(group.error());
        rule.group = static_cast<int>(std::min(*group, 1000.0));
      } else if (key == "keywords") {
        Result<std::vector<std::string>> words = texts_of(path_, value, key);
        if (!words) return tl::unexpected(words.error());
        rule.keywords = *std::move(words);
      } else {
        Result<std::string> text = text_of(path_, value, key);
        if (!text) return tl::unexpected(text.error());
        (key == "name" ? rule.name : rule.regex) = *std::move(text);
      }
    }
    return add_rule(path_, *item.find("regex"), std::move(rule), settings_);
  }

  Status read_fields(const Setting& fields) {
    if (Status known = check_keys(path_, fields, "fields", {"drop", "mask"}); !known) return known;
    for (const auto& [key, value] : fields.items) {
      Result<std::vector<std::string>> names = texts_of(path_, value, "fields." + key);
      if (!names) return tl::unexpected(names.error());
      for (const std::string& name : *names) {
        std::string plain = plain_key(name);
        if (plain.empty())
          return wrong_setting(path_, value, fmt::format("'{}' is not a field name", name));
        (key == "drop" ? settings_.fields.drop : settings_.fields.mask).push_back(plain);
      }
    }
    return {};
  }

  const std::string& path_;
  RedactionSettings& settings_;
};

}  // namespace

Status add_pattern(const std::string& path, const Setting& where, std::string regex,
                   RedactionSettings& settings) {
  constexpr size_t kLongestShown = 60;  // a pattern may be longer than a screen
  const std::string shown = fmt::format("'{}'", printable(head(regex, kLongestShown)));
  CustomRule rule = nameless(settings);
  rule.regex = std::move(regex);
  return add_shown(path, where, std::move(rule), settings, shown);
}

Status add_rule(const std::string& path, const Setting& where, CustomRule rule,
                RedactionSettings& settings) {
  const std::string shown = fmt::format("rule '{}'", rule.name);
  return add_shown(path, where, std::move(rule), settings, shown);
}

Status read_redaction_file(const std::string& path, RedactionSettings& settings) {
  Result<Setting> root = read_settings(
      path, {"a pattern file", "JSON with the key patterns, or a gitleaks configuration"});
  if (!root) return tl::unexpected(root.error());
  if (root->find("rules") != nullptr || path.ends_with(".toml"))
    return read_gitleaks(path, *root, settings);
  return OwnFile(path, settings).read(*root);
}

}  // namespace xtrace
