#include "cypher_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace xtrace {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kLabels[] = {
    "Call",   "Agent",    "Principal", "Resource", "Span",     "Query",     "Step",     "Evidence",
    "Entity", "Citation", "Relation",  "Claim",    "TextUnit", "Community", "Document", "Other"};

bool is_label(std::string_view word) {
  return std::find(std::begin(kLabels), std::end(kLabels), word) != std::end(kLabels);
}
bool is_type(std::string_view word) {
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return c == '_' || (c >= 'A' && c <= 'Z'); });
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void append_utf8(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

/// Reads a script from its beginning; each function takes what it is called after, or throws.
class Reader {
 public:
  explicit Reader(std::string_view script) : script_(script) {}

  bool done() const { return at_ == script_.size(); }
  bool sees(std::string_view text) const { return script_.substr(at_).starts_with(text); }
  bool take_if(std::string_view text) {
    if (!sees(text)) return false;
    at_ += text.size();
    return true;
  }
  void take(std::string_view text) {
    if (!take_if(text)) fail(fmt::format("expected '{}'", text));
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(fmt::format("{} at byte {}: {}", what, at_, script_.substr(at_, 60)));
  }

  /// A label or a type: bare it is a word of ours, in backticks one of a log.
  template <class Rule>
  std::string take_word(Rule is_ours) {
    bool quoted = take_if("`");
    size_t end = at_;
    auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
    while (end < script_.size() &&
           (script_[end] == '_' || is_letter(script_[end]) || (quoted && is_digit(script_[end]))))
      ++end;
    std::string word(script_.substr(at_, end - at_));
    if (word.empty() || !is_letter(word[0]) || word.size() > 64) fail("no such word");
    if (!quoted && !is_ours(word)) fail("no word of ours");
    at_ = end;
    if (quoted) take("`");
    return word;
  }

  std::string take_name() {
    size_t end = at_;
    while (end < script_.size() && (script_[end] == '_' || is_digit(script_[end]) ||
                                    (script_[end] >= 'a' && script_[end] <= 'z')))
      ++end;
    std::string name(script_.substr(at_, end - at_));
    if (name.empty() || is_digit(name[0])) fail("expected a name");
    at_ = end;
    return name;
  }

  Json take_value() {
    if (sees("\"")) return take_text();
    if (sees("[")) return take_list();
    if (sees("{")) return take_map();
    if (take_if("true")) return true;
    if (take_if("false")) return false;
    return take_number();
  }

  Json take_map() {
    Json map = Json::object();
    take("{");
    while (!take_if("}")) {
      if (!map.empty()) take(", ");
      std::string name = take_name();
      take(": ");
      if (!map.emplace(name, take_value()).second) fail("a name given twice: " + name);
    }
    return map;
  }

 private:
  Json take_list() {
    Json list = Json::array();
    take("[");
    while (!take_if("]")) {
      if (!list.empty()) take(", ");
      list.push_back(take_value());
      auto is_number = [](const Json& value) { return value.is_number_integer(); };
      if (list.back().is_structured() || is_number(list.back()) != is_number(list.front()))
        fail("a list that no property can be");
    }
    return list;
  }

  Json take_number() {
    size_t end = script_.find_first_not_of("-0123456789.e", at_);
    std::string number(script_.substr(at_, end - at_));
    Json value = Json::parse(number, nullptr, false);
    if (!value.is_number()) fail("expected a value");
    at_ += number.size();
    return value;
  }

  std::string take_text() {
    std::string text;
    take("\"");
    while (!take_if("\"")) {
      if (done()) fail("a text without an end");
      if (!take_if("\\")) {
        text += script_[at_++];
        continue;
      }
      char letter = done() ? '\0' : script_[at_++];
      switch (letter) {
        case '\\':
        case '"':
        case '\'': text += letter; break;
        case 'n': text += '\n'; break;
        case 'r': text += '\r'; break;
        case 't': text += '\t'; break;
        case 'u': append_utf8(text, take_character()); break;
        default: fail("no such escape");
      }
    }
    return text;
  }

  uint32_t take_unit() {
    std::string digits(script_.substr(at_, 4));
    if (digits.size() < 4 || digits.find_first_not_of("0123456789abcdef") != std::string::npos)
      fail("no such escape");
    at_ += 4;
    return static_cast<uint32_t>(std::stoul(digits, nullptr, 16));
  }
  uint32_t take_character() {
    uint32_t unit = take_unit();
    if (unit < 0xd800 || unit > 0xdfff) return unit;
    if (unit > 0xdbff || !take_if("\\u")) fail("half a character");
    uint32_t low = take_unit();
    if (low < 0xdc00 || low > 0xdfff) fail("half a character");
    return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
  }

  std::string_view script_;
  size_t at_ = 0;
};

}  // namespace

void CypherBase::run(std::string_view script) {
  Reader reader(script);
  reader.take(
      "CREATE CONSTRAINT xtrace_node_key IF NOT EXISTS FOR (n:XtraceNode) REQUIRE n.key IS "
      "UNIQUE;\n");
  while (!reader.done()) {
    std::vector<Json> rows;
    reader.take("UNWIND [\n  ");
    do rows.push_back(reader.take_map());
    while (reader.take_if(",\n  "));
    reader.take("\n] AS row\n");
    if (reader.take_if("MERGE (n:XtraceNode {key: row.key})\nSET n:")) {
      std::string label = reader.take_word(is_label);
      reader.take(", n += row.properties;\n");
      for (const Json& row : rows) {
        Json& node = nodes[row.at("key")];
        node["labels"][label] = true;
        node.update(row.at("properties"));
      }
    } else {
      reader.take(
          "MATCH (a:XtraceNode {key: row.from})\nMATCH (b:XtraceNode {key: row.to})\nMERGE "
          "(a)-[r:");
      std::string type = reader.take_word(is_type);
      reader.take(" {");
      bool has_type = reader.take_if("type: row.type, ");
      reader.take("number: row.number}]->(b)\nSET r += row.properties;\n");
      if (has_type != (type == "RELATED")) reader.fail("a type given twice, or not at all");
      for (const Json& row : rows) {
        std::string from = row.at("from"), to = row.at("to");
        if (!nodes.contains(from) || !nodes.contains(to)) reader.fail("an edge to nowhere");
        std::string told = has_type ? row.at("type").get<std::string>() : "";
        Json& edge =
            edges[{from, has_type ? fmt::format("{} {}", type, told) : type, to, row.at("number")}];
        if (edge.is_null()) edge = has_type ? Json{{"type", told}} : Json::object();
        edge.update(row.at("properties"));
      }
    }
    ++statements;
    most_rows = std::max(most_rows, rows.size());
  }
}

std::string with_escapes_replaced(std::string_view script) {
  std::string replaced;
  for (size_t at = 0; at < script.size();) {
    if (script.substr(at).starts_with("\\u") && at + 6 <= script.size()) {
      uint32_t unit =
          static_cast<uint32_t>(std::stoul(std::string(script.substr(at + 2, 4)), nullptr, 16));
      at += 6;
      if (unit >= 0xd800 && unit <= 0xdbff) {
        uint32_t low =
            static_cast<uint32_t>(std::stoul(std::string(script.substr(at + 2, 4)), nullptr, 16));
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        at += 6;
      }
      append_utf8(replaced, unit);
    } else {
      replaced += script[at++];
    }
  }
  return replaced;
}

}  // namespace xtrace
