#include "render/cypher_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/hash.h"
#include "base/text.h"
#include "render/cypher_text.h"

namespace xtrace {

namespace {

// An index takes about eight thousand bytes.
constexpr size_t kKeyBytes = 1000;

// Of what was recorded; no node of a log's own graph may pass for one of these.
constexpr std::string_view kRecorded[] = {"Call",  "Agent", "Principal", "Resource", "Span",
                                          "Query", "Step",  "Evidence",  "Citation", "XtraceNode"};
// Of graphs that logs tell of.
constexpr std::string_view kTold[] = {"Entity",    "Relation", "Claim", "TextUnit",
                                      "Community", "Document", "Other"};
constexpr std::string_view kOther = "Other";

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string letters(std::string_view text) {
  std::string small;
  for (char c : text)
    if (c != '_') small += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return small;
}

/// `TextUnit` of `text_unit`; empty: it is not one of them.
template <class List>
std::string_view one_of(const List& list, std::string_view word) {
  std::string wanted = letters(word);
  auto found = std::find_if(std::begin(list), std::end(list),
                            [&](std::string_view known) { return letters(known) == wanted; });
  return found == std::end(list) ? std::string_view() : *found;
}

std::string literal(std::string_view name) {
  std::string text;
  append_cypher(text, name);
  return text;
}

}  // namespace

bool is_cypher_name(std::string_view word) {
  constexpr size_t kLongest = 64;
  return !word.empty() && word.size() <= kLongest && is_letter(word.front()) &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return is_letter(c) || c == '_' || (c >= '0' && c <= '9'); });
}

std::string cypher_label(const Drawing::Node& node) {
  std::string_view word = node.type.empty() ? node.kind.view() : node.type.view();
  if (std::string_view known = one_of(kTold, word); !known.empty()) return std::string(known);
  std::string_view recorded = one_of(kRecorded, word);
  if (!node.told) return std::string(recorded.empty() ? kOther : recorded);
  if (!recorded.empty() || !is_cypher_name(word)) return std::string(kOther);
  return fmt::format("`{}`", word);
}

std::string cypher_type(const Drawing::Edge& edge) {
  std::string_view word = edge.relation.view();
  // Its own RELATED would be one of those with a type.
  if (!is_cypher_name(word) || word == kUnnamedType) return std::string(kUnnamedType);
  return edge.told ? fmt::format("`{}`", word) : std::string(word);
}

std::string CypherKeys::key(const Drawing& drawing, const Drawing::Node& node,
                            std::string_view label) {
  Text scope = node.scope.empty() ? drawing.title : node.scope;
  std::string name = fmt::format("{}|{}|", view_, label);
  std::erase(name, '`');
  for (char c : scope.view())
    name += c == '|' || c == '%' ? fmt::format("%{:02X}", c) : std::string(1, c);
  (name += '|') += node.id.view();
  if (name.size() > kKeyBytes)
    name = fmt::format("{}…{:016x}", head(name, kKeyBytes), hash_of(name));
  if (!node.told) return unused(name);
  auto [known, is_new] = told_.try_emplace(name);
  if (is_new) known->second = unused(name);
  return known->second;
}

std::string CypherKeys::unused(const std::string& name) {
  std::string base = literal(name), key = base;
  for (size_t copy = 2; !taken_.emplace(key, 2).second;
       key = literal(fmt::format("{}~{}", name, copy)))
    copy = taken_[base]++;
  return key;
}

}  // namespace xtrace
