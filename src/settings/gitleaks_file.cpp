#include <fmt/format.h>

#include <algorithm>

#include "base/one_of.h"
#include "base/text.h"
#include "settings/redaction_file.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;

/// The rules of gitleaks, which looks through files of a repository; texts of a log have neither
/// path nor commit.
class Gitleaks {
 public:
  Gitleaks(const std::string& path, RedactionSettings& settings)
      : path_(path), settings_(settings) {}

  Status read(const Setting& root) {
    Status known = check_keys(
        path_, root, "a gitleaks file",
        {"title", "description", "minVersion", "extend", "allowlist", "allowlists", "rules"});
    if (!known) return known;
    if (const Setting* extend = root.find("extend"))
      if (Status read = read_extend(*extend); !read) return read;
    for (std::string_view key : {"allowlist", "allowlists"})
      if (const Setting* list = root.find(key))
        if (Status read = read_allowlists(*list, global_); !read) return read;
    const Setting* rules = root.find("rules");
    if (rules == nullptr || rules->kind != Kind::list || rules->items.empty())
      return wrong_setting(path_, root, "no [[rules]] in the file");
    for (const auto& [none, rule] : rules->items)
      if (Status read = read_rule(rule); !read) return read;
    return {};
  }

 private:
  struct Allowed {
    CustomRule::Allowed what;
    std::vector<std::string> rules;  ///< to which it applies; empty: to all
  };

  void warn(const Setting& where, std::string_view what) {
    settings_.warnings.push_back(
        fmt::format("{}:{}: {}", printable(path_), where.line, printable(what)));
  }

  /// Its own rules are not ours to read, but ours know the same secrets.
  Status read_extend(const Setting& extend) {
    Status known =
        check_keys(path_, extend, "extend", {"useDefault", "path", "url", "disabledRules"});
    if (!known) return known;
    for (std::string_view key : {"path", "url"})
      if (const Setting* other = extend.find(key))
        return wrong_setting(
            path_, *other,
            fmt::format("[extend] {} is not followed; pass that file to --redact-patterns as well",
                        key));
    if (extend.find("useDefault") != nullptr)
      warn(extend,
           "[extend] useDefault: xtrace's built-in rules are used instead of those of gitleaks");
    if (const Setting* disabled = extend.find("disabledRules"))
      warn(*disabled, "[extend] disabledRules: xtrace's built-in rules remain active");
    return {};
  }

  Status read_allowlists(const Setting& lists, std::vector<Allowed>& allowed) {
    if (lists.kind == Kind::table) return read_allowlist(lists, allowed);
    for (const auto& [none, list] : lists.items)
      if (Status read = read_allowlist(list, allowed); !read) return read;
    return {};
  }

  Status read_allowlist(const Setting& list, std::vector<Allowed>& allowed) {
    Status known = check_keys(path_, list, "an allowlist",
                              {"id", "description", "condition", "commits", "paths", "regexTarget",
                               "regexes", "stopwords", "targetRules"});
    if (!known) return known;
    Allowed one;
    for (const auto& [key, value] : list.items) {
      if (key == "regexes" || key == "stopwords" || key == "targetRules") {
        Result<std::vector<std::string>> texts = texts_of(path_, value, key);
        if (!texts) return tl::unexpected(texts.error());
        (key == "regexes"     ? one.what.regexes
         : key == "stopwords" ? one.what.stopwords
                              : one.rules) = *std::move(texts);
      } else if (key == "regexTarget") {
        if (value.text != "secret" && value.text != "match" && value.text != "line")
          return wrong_setting(path_, value, "regexTarget must be secret, match or line");
        if (value.text == "match") one.what.target = CustomRule::Allowed::Target::match;
        if (value.text == "line") one.what.target = CustomRule::Allowed::Target::line;
      }
    }
    const Setting* condition = list.find("condition");
    const bool needs_all =
        condition != nullptr &&
        (condition->text == "AND" || condition->text == "and" || condition->text == "&&");
    const bool has_place = list.find("paths") != nullptr || list.find("commits") != nullptr;
    if (has_place)
      warn(list, "allowlist: paths and commits are ignored, because texts of a log have neither");
    if (needs_all && has_place) return {};  // it can never apply
    one.what.needs_both = needs_all && !one.what.regexes.empty() && !one.what.stopwords.empty();
    if (!one.what.regexes.empty() || !one.what.stopwords.empty()) allowed.push_back(std::move(one));
    return {};
  }

  Status read_rule(const Setting& setting) {
    Status known =
        check_keys(path_, setting, "a rule",
                   {"id", "description", "regex", "path", "secretGroup", "entropy", "keywords",
                    "tags", "allowlist", "allowlists", "required", "skipReport"});
    if (!known) return known;
    CustomRule rule;
    rule.group = CustomRule::kFirstGroup;
    rule.name = fmt::format("custom_{}", settings_.rules.size() + 1);
    for (const auto& [key, value] : setting.items)
      if (Status read = read_key(key, value, rule); !read) return read;
    if (rule.regex.empty()) {
      if (setting.find("path") == nullptr)
        return wrong_setting(path_, setting, fmt::format("rule '{}' has no regex", rule.name));
      warn(setting, fmt::format("rule '{}' matches only paths and is ignored", rule.name));
      return {};
    }
    if (setting.find("path") != nullptr)
      warn(setting, fmt::format("rule '{}' is limited to some paths; here it applies to all texts",
                                rule.name));
    if (setting.find("required") != nullptr)
      warn(setting,
           fmt::format("rule '{}' requires other rules; here it applies on its own", rule.name));
    if (setting.find("skipReport") != nullptr)
      warn(setting, fmt::format("rule '{}' is marked as not reported; here it redacts its matches",
                                rule.name));
    std::vector<Allowed> allowed;
    for (std::string_view key : {"allowlist", "allowlists"})
      if (const Setting* lists = setting.find(key))
        if (Status read = read_allowlists(*lists, allowed); !read) return read;
    allowed.insert(allowed.end(), global_.begin(), global_.end());
    for (Allowed& one : allowed)
      if (one.rules.empty() || is_one_of(rule.name, one.rules))
        rule.allowed.push_back(std::move(one.what));
    return add_rule(path_, *setting.find("regex"), std::move(rule), settings_);
  }

  Status read_key(const std::string& key, const Setting& value, CustomRule& rule) {
    if (key == "id" || key == "regex") {
      Result<std::string> text = text_of(path_, value, key);
      if (!text) return tl::unexpected(text.error());
      (key == "id" ? rule.name : rule.regex) = *std::move(text);
    } else if (key == "keywords") {
      Result<std::vector<std::string>> words = texts_of(path_, value, key);
      if (!words) return tl::unexpected(words.error());
      rule.keywords = *std::move(words);
    } else if (key == "secretGroup" || key == "entropy") {
      Result<double> number = number_of(path_, value, key);
      if (!number) return tl::unexpected(number.error());
      if (key == "entropy")
        rule.entropy = *number;
      else if (*number > 0)
        rule.group = static_cast<int>(std::min(*number, 1000.0));
    }
    return {};
  }

  const std::string& path_;
  RedactionSettings& settings_;
  std::vector<Allowed> global_;
};

}  // namespace

Status read_gitleaks(const std::string& path, const Setting& root, RedactionSettings& settings) {
  return Gitleaks(path, settings).read(root);
}

}  // namespace xtrace
