#include "settings/taint_rules.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "base/sha256.h"
#include "settings/settings_file.h"
#include "settings/suite_words.h"
#include "settings/yaml.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;

constexpr std::string_view kBuiltIn =
    R"(# Rules of xtrace taint. The first rule that fits decides; in names, * matches anything. A rule is about
# the tools that it names, and about the tools of known agents that do one of: read, searched, wrote,
# edited, ran (a command), fetched (a page), started (a subagent).
sources:   # text that others wrote
  - {kind: web, does: [fetched], tools: [WebSearch, websearch, "*web_search*", "*web_fetch*", "fetch_*", "browser_*"]}
  - {kind: mcp, tools: ["mcp__*"]}
  - {kind: mail, tools: ["*read*mail*", "*search*mail*", "*get*mail*", "*list*mail*", "*inbox*"]}
  - {kind: message, tools: ["read_*message*", "get_*message*", "*_channel_messages"]}
  - {kind: file, does: [read], paths: {outside: project}}
  - {kind: issue, result_matches: "(?i)^(issue|pull request|title:.*\nstate:) ?#?[0-9A-Z]"}
private:   # what must not leave
  - {kind: secret, paths: ["**/.env", "**/.env.*", "~/.ssh/**", "~/.aws/**", "**/*.pem", "**/id_rsa"]}
sinks:     # where text acts
  - {kind: shell, does: [ran], tools: ["run_*command*", run_in_terminal]}
  - {kind: network, does: [fetched], arguments: [url]}
  - {kind: mail, tools: ["send_*mail*", "*__send_*mail*"]}
  - {kind: message, tools: ["send_*message*", "*__send_message*", "*_post_message*"]}
  - {kind: transfer, tools: ["send_money", "*transfer_funds*", "*create_payment*"]}
  - {kind: file, does: [wrote, edited], paths: {outside: project}}
  - {kind: agent, does: [started]}
memory:    # tools that keep text in the file that the argument `file` names; files are built in
  write: [remember, save_memory]
  read: [recall, load_memory]
)";

constexpr WantedFile kWanted = {"rules of taint", "`xtrace taint --print-rules` prints some"};

class TaintRulesFile : public SuiteWords {
 public:
  using SuiteWords::SuiteWords;

  Result<TaintRules> read(const Setting& root) {
    TaintRules rules;
    if (Status known =
            some_keys(root, "the rules", {"sources", "private", "sinks", "trusted", "memory"});
        !known)
      return tl::unexpected(known.error());
    const auto read_parts = [&]() -> Status {
      if (Status read = read_rules(root, "sources", Of::source, rules.sources); !read) return read;
      if (Status read = read_rules(root, "private", Of::source, rules.secrets); !read) return read;
      if (Status read = read_rules(root, "sinks", Of::sink, rules.sinks); !read) return read;
      if (Status read = read_lists(root, "trusted", {"hosts", rules.trusted_hosts},
                                   {"tools", rules.trusted_tools});
          !read)
        return read;
      return read_lists(root, "memory", {"write", rules.memory_write}, {"read", rules.memory_read});
    };
    if (Status read = read_parts(); !read) return tl::unexpected(read.error());
    if (root.find("sinks") == nullptr) return wrong(root, "the rules need sinks: where text acts");
    if (root.find("sources") == nullptr && root.find("private") == nullptr)
      return wrong(root, "the rules need sources or private: which text must not act or leave");
    return rules;
  }

 private:
  enum class Of : uint8_t { source, sink };
  struct List {
    std::string_view key;
    std::vector<std::string>& into;
  };

  Status read_lists(const Setting& root, std::string_view name, List first, List second) const {
    const Setting* const given = root.find(name);
    if (given == nullptr) return {};
    if (Status known = some_keys(*given, name, {first.key, second.key}); !known) return known;
    for (const List& list : {first, second})
      if (const Setting* const one = given->find(list.key))
        if (Status read = read_texts(*one, list.key, list.into); !read) return read;
    return {};
  }

  Status read_rules(const Setting& root, std::string_view name, Of of,
                    std::vector<TaintRule>& into) const {
    const Setting* const given = root.find(name);
    if (given == nullptr) return {};
    if (given->kind != Kind::list || given->items.empty())
      return wrong(*given, fmt::format("{} must be a non-empty list of rules", name));
    for (const auto& [none, item] : given->items)
      if (Status read = read_rule(item, name, of, into.emplace_back()); !read) return read;
    return {};
  }

  Status read_rule(const Setting& from, std::string_view list, Of of, TaintRule& rule) const {
    std::vector<std::string_view> words = {"kind", "tools", "does", "paths"};
    if (of == Of::sink)
      words.insert(words.end(), {"arguments", "forbidden"});
    else
      words.emplace_back("result_matches");
    if (Status known = some_keys(from, fmt::format("a rule of {}", list), words); !known)
      return known;
    const Setting* const kind = from.find("kind");
    if (kind == nullptr) return wrong(from, fmt::format("a rule of {} needs a kind", list));
    if (Status read = read_kind(*kind, rule.kind); !read) return read;
    if (const Setting* const tools = from.find("tools"))
      if (Status read = read_texts(*tools, "tools", rule.tools); !read) return read;
    if (const Setting* const does = from.find("does"))
      if (Status read = read_deeds(*does, rule.deeds); !read) return read;
    if (const Setting* const arguments = from.find("arguments"))
      if (Status read = read_texts(*arguments, "arguments", rule.arguments); !read) return read;
    if (const Setting* const forbidden = from.find("forbidden"))
      if (Status read = read_truth(*forbidden, "forbidden", rule.is_forbidden); !read) return read;
    if (const Setting* const pattern = from.find("result_matches"))
      if (Status read = read_pattern(*pattern, "result_matches", rule.result_matches); !read)
        return read;
    if (const Setting* const paths = from.find("paths"))
      if (Status read = read_paths(*paths, rule.paths.emplace()); !read) return read;
    if (rule.tools.empty() && rule.deeds.empty() && !rule.paths && !rule.result_matches)
      return wrong(from, fmt::format("a rule of {} needs at least one of: tools, does, paths{}",
                                     list, of == Of::sink ? "" : ", result_matches"));
    return {};
  }

  Status read_deeds(const Setting& from, std::vector<Deed>& into) const {
    if (from.kind != Kind::list) return wrong(from, "does must be a list, such as [ran]");
    for (const auto& [none, item] : from.items) {
      size_t word = 0;
      if (Status read = read_word(item, "does", kDeedWords, word); !read) return read;
      into.push_back(static_cast<Deed>(word));
    }
    return {};
  }

  /// A word that answers print at every level, so that no text gets into them by it.
  Status read_kind(const Setting& from, std::string& into) const {
    constexpr size_t kLongest = 20;
    if (Status read = read_text(from, "kind", into); !read) return read;
    const bool is_word =
        into.size() <= kLongest &&
        into.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
    if (is_word) return {};
    return wrong(from, "kind must be a word of at most 20 small letters, such as web or shell");
  }

  /// A list of patterns, or `{outside: project}`.
  Status read_paths(const Setting& from, TaintPaths& into) const {
    if (from.kind != Kind::table) return read_texts(from, "paths", into.globs);
    if (Status known = some_keys(from, "paths", {"outside"}); !known) return known;
    size_t word = 0;
    constexpr std::string_view kProject[] = {"project"};
    into.is_outside_project = true;
    return read_word(*from.find("outside"), "outside", kProject, word);
  }
};

}  // namespace

std::string_view built_in_taint_rules() {
  return kBuiltIn;
}

Result<TaintRules> read_taint_rules(const std::string& path) {
  const bool is_built_in = path.empty();
  const std::string name = is_built_in ? "built-in rules" : path;
  Result<Setting> root =
      is_built_in ? read_yaml(name, std::string(kBuiltIn)) : read_settings(path, kWanted);
  if (!root) return tl::unexpected(root.error());
  Result<TaintRules> rules = TaintRulesFile(name).read(*root);
  if (!rules) return rules;
  std::string text(kBuiltIn);
  if (!is_built_in) {
    std::ifstream file(path, std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  rules->from = is_built_in ? "built-in" : path;
  rules->digest = sha256_of(text);
  return rules;
}

}  // namespace xtrace
