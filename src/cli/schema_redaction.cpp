#include "cli/schema_redaction.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/parts.h"
#include "base/text.h"
#include "redact/redact_rules.h"

namespace xtrace {

namespace {

using Ordered = nlohmann::ordered_json;
constexpr const char* kUnsourced = "not checked";

std::string_view word_of(SecretKind::Check check) {
  switch (check) {
    case SecretKind::Check::none: return "none";
    case SecretKind::Check::digit: return "digit";
    case SecretKind::Check::random: return "random";
    case SecretKind::Check::token: return "token";
  }
  return "";
}

Ordered row_of(const SecretKind& kind) {
  Ordered row = {{"name", kind.name}, {"begins", Ordered::array()}};
  for_each_part(kind.begins, '|', [&](std::string_view one) { row["begins"].push_back(one); });
  row["is_assigned"] = kind.is_named;
  row["follows"] = kind.follows;
  row["check"] = word_of(kind.check);
  row["is_bounded"] = kind.is_bounded;
  row["example"] = example_of(kind);
  row["source"] = kind.source.empty() ? Ordered() : Ordered(kind.source);
  row["source_date"] = kind.day.empty() ? Ordered() : Ordered(kind.day);
  return row;
}

/// Names of rules that are no kinds of a vendor, in their order.
std::vector<std::string_view> other_rules(Sensitive kind) {
  std::set<std::string_view> seen;
  for (const SecretKind& one : secret_kinds()) seen.insert(one.name);
  std::vector<std::string_view> names;
  for (const RedactRule& rule : redact_rules())
    if (rule.kind == kind && seen.insert(rule.name).second) names.push_back(rule.name);
  return names;
}

}  // namespace

std::string redaction_kinds_json(std::span<const SecretKind> kinds) {
  Ordered answer = {
      {"title", "xtrace redaction"},
      {"description",
       "Kinds of values that redaction replaces by [REDACTED:name:number]. kinds: secrets that "
       "vendors issue; begins is followed by follows, or with is_assigned names the secret. In "
       "follows, <alnum>, <word>, <base64>, <hex>, <lower>, <upper>, <digit> and <uuid> are "
       "classes "
       "of characters. Examples are invented. source: a page that lists the kind; null if none was "
       "checked. secrets, personal: names of the other rules."},
      {"kinds", Ordered::array()}};
  for (const SecretKind& kind : kinds) answer["kinds"].push_back(row_of(kind));
  if (kinds.size() < secret_kinds().size()) return answer.dump(2) + "\n";
  answer["secrets"] = other_rules(Sensitive::secret);
  answer["personal"] = other_rules(Sensitive::personal);
  return answer.dump(2) + "\n";
}

std::string redaction_kinds_text(std::span<const SecretKind> kinds) {
  constexpr size_t kColumns = 80, kIndent = 2, kExample = kColumns - kIndent;
  size_t name = 0;
  std::vector<std::string_view> sources;
  for (const SecretKind& kind : kinds) name = std::max(name, kind.name.size());
  const auto short_of = [](const std::string& text, size_t most) {
    return text.size() <= most ? text : text.substr(0, most - 3) + "...";
  };
  const auto number_of = [&](std::string_view source) {
    auto found = std::find(sources.begin(), sources.end(), source);
    if (found == sources.end()) found = sources.insert(found, source);
    return found - sources.begin() + 1;
  };
  std::string out =
      fmt::format("{:{}}  form, [source]; below: an invented example\n", "name", name);
  for (const SecretKind& kind : kinds) {
    const std::string source =
        kind.source.empty() ? kUnsourced : fmt::format("[{}]", number_of(kind.source));
    out += fmt::format("{:{}}  {}  {}\n{:{}}{}\n", kind.name, name,
                       short_of(form_of(kind), kColumns - name - 4 - source.size()), source, "",
                       kIndent, short_of(example_of(kind), kExample));
  }
  if (!sources.empty()) out += '\n';
  for (size_t i = 0; i < sources.size(); ++i) out += fmt::format("[{}] {}\n", i + 1, sources[i]);
  if (kinds.size() < secret_kinds().size()) return out;
  for (const auto& [title, rules] : {std::pair("other secrets: ", Sensitive::secret),
                                     std::pair("personal data: ", Sensitive::personal)})
    out += fmt::format(
        "\n{}\n", wrapped(fmt::format("{}{}", title, fmt::join(other_rules(rules), ", ")), kIndent,
                          kColumns));
  return out;
}

}  // namespace xtrace
