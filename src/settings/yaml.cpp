#include "settings/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <unordered_set>

#include "base/number.h"
#include "base/one_of.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;

size_t line_of(const YAML::Mark& mark) {
  return mark.line < 0 ? 1 : static_cast<size_t>(mark.line) + 1;
}

/// What cannot be a setting, and where.
struct Fault {
  size_t line;
  std::string what;
};

/// Makes settings of nodes. A node that is named several times is made as often, so their number
/// has a limit.
class SettingReader {
 public:
  Setting read(const YAML::Node& node, size_t depth) {
    constexpr size_t kDeepest = 20, kMost = 100'000;
    Setting one;
    one.line = line_of(node.Mark());
    if (depth > kDeepest) throw Fault{one.line, "nested too deeply"};
    if (++count_ > kMost) throw Fault{one.line, "too large for a settings file"};
    if (node.IsMap()) return read_map(node, depth, std::move(one));
    if (node.IsSequence()) {
      one.kind = Kind::list;
      for (const YAML::Node& item : node) one.items.push_back({{}, read(item, depth + 1)});
    } else if (node.IsScalar()) {
      read_scalar(node, one);
    }
    return one;
  }

 private:
  Setting read_map(const YAML::Node& node, size_t depth, Setting one) {
    one.kind = Kind::table;
    std::unordered_set<std::string_view> names;
    for (const auto& field : node) {
      const YAML::Node &name = field.first, &value = field.second;
      if (!name.IsScalar()) throw Fault{line_of(name.Mark()), "a key must be a string"};
      if (!names.insert(name.Scalar()).second)
        throw Fault{line_of(name.Mark()), fmt::format("duplicate key '{}'", name.Scalar())};
      Setting read_value = read(value, depth + 1);
      // The place of a key, so that an error in a value of many lines names its beginning.
      read_value.line = line_of(name.Mark());
      one.items.push_back({std::string(name.Scalar()), std::move(read_value)});
    }
    return one;
  }

  /// Plain words are what YAML 1.2's core schema makes of them; what is in quotes is a text.
  static void read_scalar(const YAML::Node& node, Setting& one) {
    one.kind = Kind::text;
    one.text = node.Scalar();
    if (node.Tag() == "!") return;
    if (is_one_of(one.text, {".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf",
                             "+.INF", "-.inf", "-.Inf", "-.INF"}))
      throw Fault{one.line, fmt::format("a number must be finite, not {}", one.text)};
    if (is_one_of(one.text, {"null", "Null", "NULL", "~", ""})) {
      one.kind = Kind::null;
    } else if (is_one_of(one.text, {"true", "True", "TRUE", "false", "False", "FALSE"})) {
      one.kind = Kind::boolean;
      one.truth = one.text[0] == 't' || one.text[0] == 'T';
    } else {
      std::optional<double> number = number_of<double>(one.text);
      one.number = number.value_or(0);
      if (number) one.kind = Kind::number;
    }
  }

  size_t count_ = 0;
};

/// The library speaks of tokens and flows; people see brackets and indentation.
std::string in_words_of_files(const std::string& fault) {
  const std::pair<const char*, const char*> kWords[] = {
      {YAML::ErrorMsg::END_OF_SEQ_FLOW, "a list that begins with [ is not closed with ]"},
      {YAML::ErrorMsg::END_OF_MAP_FLOW, "a map that begins with { is not closed with }"},
      {YAML::ErrorMsg::END_OF_MAP,
       "this line does not fit the map above it; check its indentation"},
      {YAML::ErrorMsg::END_OF_SEQ,
       "this line does not fit the list above it; check its indentation"},
      {YAML::ErrorMsg::MAP_VALUE, "a second ':' in one value; put the value in quotes"},
      {YAML::ErrorMsg::MAP_KEY, "a key inside another value; check the indentation"},
      {YAML::ErrorMsg::BLOCK_ENTRY, "a list item inside another value; check the indentation"},
      {YAML::ErrorMsg::FLOW_END, "a closing bracket without an opening one"},
      {YAML::ErrorMsg::EOF_IN_SCALAR, "a quoted text is not closed"},
      {YAML::ErrorMsg::UNKNOWN_TOKEN, "a character that YAML reserves; put the value in quotes"},
  };
  const auto known = std::ranges::find(kWords, fault, [](const auto& row) { return row.first; });
  return known == std::end(kWords) ? fault : known->second;
}

/// Is there anything in a document?
class Anything : public YAML::EventHandler {
 public:
  bool found() const { return found_; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override { found_ = true; }
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {
    found_ = true;
  }
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    found_ = true;
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    found_ = true;
  }
  void OnMapEnd() override {}

 private:
  bool found_ = false;
};

/// YAML::LoadAll does not end if a text has a brace too many: it then finds endless documents.
bool is_one_document(const std::string& text) {
  std::istringstream from(text);
  YAML::Parser parser(from);
  for (int documents = 0; documents < 2; ++documents) {
    Anything anything;
    if (!parser.HandleNextDocument(anything) || !anything.found()) return documents == 1;
  }
  return false;
}

/// Does a tab indent this line, counted from 1, which is not blank?
bool is_indented_with_tab(std::string_view text, size_t line) {
  for (; line > 1 && !text.empty(); --line)
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  text = text.substr(0, text.find('\n'));
  const size_t begin = text.find_first_not_of(" \t\r");
  return begin != std::string_view::npos &&
         text.substr(0, begin).find('\t') != std::string_view::npos;
}

}  // namespace

Result<Setting> read_yaml(const std::string& path, const std::string& text) {
  constexpr size_t kFirstLine = 1;
  try {
    if (is_one_document(text)) return SettingReader().read(YAML::Load(text), 0);
    return wrong_setting(path, kFirstLine, "the file must contain exactly one YAML document");
  } catch (const Fault& fault) {
    return wrong_setting(path, fault.line, fault.what);
  } catch (const YAML::Exception& error) {
    const size_t last = line_of(error.mark);
    // The reader may notice it in the next line.
    for (size_t line = last; line > 0 && line + 1 >= last; --line)
      if (is_indented_with_tab(text, line))
        return wrong_setting(path, line,
                             "not valid YAML: this line is indented with a tab; use spaces");
    return wrong_setting(path, last,
                         fmt::format("not valid YAML: {}", in_words_of_files(error.msg)));
  }
}

}  // namespace xtrace
