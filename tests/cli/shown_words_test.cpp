#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "asked_input.h"
#include "base/dollars.h"
#include "base/one_of.h"
#include "base/text.h"
#include "page_columns.h"
#include "reading.h"
#include "render/html/static_part.h"

using namespace xtrace;
using Json = nlohmann::json;

// What the text of an answer names, its page without scripts and its picture name, too.

namespace {

void add_text(const Json& row, const char* key, std::set<std::string>& words) {
  if (const auto found = row.find(key); found != row.end() && found->is_string())
    words.insert(found->get<std::string>());
}

/// Success need not be named.
bool is_plain(const std::string& word) {
  return is_one_of(word, {"ok", "OK", "success", "completed"});
}

/// Names, statuses, errors and notes of a node, as JSON has them.
std::set<std::string> words_of(const Json& node) {
  std::set<std::string> words;
  for (const char* key :
       {"label", "name", "note", "status", "error", "error_text", "type", "agent"})
    add_text(node, key, words);
  if (const auto agent = node.find("agent"); agent != node.end() && agent->is_object())
    add_text(*agent, "name", words);
  for (const Json& use : node.value("tool_uses", Json::array()))
    for (const char* key : {"name", "error", "error_text"}) add_text(use, key, words);
  std::erase_if(words, is_plain);
  return words;
}

std::string shown_by(const std::string& output, const char* begin, const char* end) {
  const size_t from = output.find(begin), to = output.find(end, from);
  return from == std::string::npos ? "" : output.substr(from, to - from);
}
std::string titles_of(const std::string& svg) {
  static const std::regex kTitle("<(?:title|desc|text)[^>]*>([^<]*)");
  std::string titles;
  for (std::sregex_iterator at(svg.begin(), svg.end(), kTitle), end; at != end; ++at)
    titles += (*at)[1].str() + '\n';
  return titles;
}

/// Costs and confidences, each in the ways in which outputs write it.
using Spellings = std::vector<std::string>;
void add_number(const Json& row, const std::string& key, std::set<Spellings>& numbers) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number()) return;
  const double value = found->get<double>();
  if (key.ends_with("cost_usd") && value > 0)
    numbers.insert({show_dollars({std::llround(value * 1e9)})});
  if (key.ends_with("confidence") && value < 0.95)
    numbers.insert(
        {fmt::format("{:.2f}", value), fmt::format("{:.3f}", value), fmt::format("{}", value)});
}
/// Of an answer, wherever they are, but for its head.
void gather(const Json& part, std::set<std::string>& words, std::set<Spellings>& numbers) {
  if (part.is_array())
    for (const Json& item : part) gather(item, words, numbers);
  if (!part.is_object()) return;
  for (const char* key :
       {"label", "name", "note", "status", "error", "error_text", "verdict", "reason", "action",
        "description", "message", "detail", "summary", "level", "by", "change"})
    add_text(part, key, words);
  for (const auto& [key, value] : part.items()) {
    add_number(part, key, numbers);
    static const std::set<std::string> kHead = {"inputs",   "warnings", "generator", "metrics",
                                                "sessions", "filtered", "costs"};
    if (!kHead.contains(key)) gather(value, words, numbers);
  }
}

bool has_one(const std::string& output, const Spellings& spellings) {
  return std::any_of(spellings.begin(), spellings.end(),
                     [&](const std::string& one) { return output.find(one) != std::string::npos; });
}
/// As text shows a number: not as a part of a longer one.
bool says_one(const std::string& text, const Spellings& spellings) {
  return std::any_of(spellings.begin(), spellings.end(), [&](const std::string& one) {
    const auto is_digit = [&](size_t at) {
      return at < text.size() &&
             (std::isdigit(static_cast<unsigned char>(text[at])) != 0 || text[at] == '.');
    };
    for (size_t at = text.find(one); at != std::string::npos; at = text.find(one, at + 1))
      if ((at == 0 || !is_digit(at - 1)) && !is_digit(at + one.size())) return true;
    return false;
  });
}

/// Words, costs and confidences that the text of an answer shows and its page, with scripts or
/// without, does not, a line each.
std::string missing_of(const AskedInput& input, const AskedInput::Words& command) {
  const std::string json = input.in("json", command);
  if (json.empty()) return {};
  const std::string text = input.in("text", command), page = input.in("html", command);
  if (page.empty()) return {};
  const std::string rows = shown_by(page, "<section id=\"static\"", "</section>");
  const PageData data(page);
  // Cut off, as a page without scripts shows some rows alone.
  if (data.head["nodes"].get<size_t>() > 200) return {};
  const std::string with_scripts = data.texts + data.head.dump();
  std::set<std::string> words, lines;
  std::set<Spellings> numbers;
  gather(Json::parse(json), words, numbers);
  const std::string about = fmt::format("{}", fmt::join(command, " "));
  for (const std::string& word : words) {
    // Long ones are cut everywhere, and each format escapes in its own way.
    if (word.size() < 3 || clip(word, 40) != word || text.find(word) == std::string::npos) continue;
    if (is_plain(word)) continue;
    if (rows.find(for_markup(word)) == std::string::npos)
      lines.insert(fmt::format("{}: the page without scripts is without {}", about, word));
    if (with_scripts.find(Json(word).dump().substr(1, word.size() - 1)) == std::string::npos)
      lines.insert(fmt::format("{}: the page is without {}", about, word));
  }
  for (const Spellings& spellings : numbers)
    if (says_one(text, spellings) && !has_one(rows, {for_markup(spellings.front())}) &&
        !has_one(rows, spellings))
      lines.insert(
          fmt::format("{}: the page without scripts is without {}", about, spellings.front()));
  return fmt::format("{}", fmt::join(lines, "\n"));
}

/// What is missing in the picture of an answer about an input, and in its page without scripts, a
/// line each.
std::string missing(const std::string& path, const std::string& svg, const std::string& page) {
  const AskedInput dag(path);
  const std::string json = dag.in("json", {"dag"});
  if (json.empty()) return {};
  const Json answered = Json::parse(json);
  if (!answered.contains("nodes")) return {};
  const std::string text = dag.in("text", {"dag"}), titles = titles_of(svg),
                    rows = shown_by(page, "<section id=\"static\"", "</section>");
  // A picture that joins marks or has no room for some names the first of them.
  static const std::regex kJoined("combined|collapsed|not drawn \\(|shown|without a time|folded");
  const bool draws_all = !std::regex_search(shown_by(svg, "<desc>", "</desc>"), kJoined);
  constexpr size_t kStaticRows = 200;
  size_t row = 0;
  std::set<std::string> lines;
  for (const Json& node : answered["nodes"]) {
    if (row++ == kStaticRows) break;
    for (const std::string& word : words_of(node)) {
      // Long ones are cut everywhere, and each format escapes in its own way.
      const std::string begin = clip(word, 40);
      if (begin.size() < 3 || begin != word || text.find(word) == std::string::npos) continue;
      if (rows.find(for_markup(word)) == std::string::npos)
        lines.insert(fmt::format("{}: the page without scripts is without {}", path, word));
      if (draws_all && !svg.empty() && titles.find(for_markup(word)) == std::string::npos)
        lines.insert(fmt::format("{}: the picture is without {}", path, word));
    }
  }
  return fmt::format("{}", fmt::join(lines, "\n"));
}

/// The files of the project's fixtures and two folders, in order.
std::vector<std::string> fixtures() {
  std::vector<std::string> paths = {project_path("fixtures/story"),
                                    project_path("fixtures/claude-code")};
  for (const auto& entry : std::filesystem::directory_iterator(project_path("fixtures")))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("pages without scripts and pictures name what the text names", "[slow]") {
  for (const std::string& path : fixtures()) {
    INFO(path);
    const AskedInput dag(path);
    CHECK(missing(path, dag.in("svg", {"dag"}), dag.in("html", {"dag"})) == "");
  }
}

TEST_CASE("pages show the names, costs and confidences that the text of an answer shows",
          "[slow]") {
  for (const std::string& path : fixtures()) {
    INFO(path);
    const AskedInput input(path);
    for (const AskedInput::Words& command :
         std::initializer_list<AskedInput::Words>{{"dag"}, {"trust"}, {"trace"}})
      CHECK(missing_of(input, command) == "");
    // Of each graph, the last node.
    const std::string json = input.in("json", {"dag"});
    if (json.empty()) continue;
    const Json nodes = Json::parse(json).value("nodes", Json::array());
    if (!nodes.empty() && nodes.back().contains("id"))
      CHECK(missing_of(input, {"explain", "--node", nodes.back()["id"].get<std::string>()}) == "");
  }
}

TEST_CASE("pages and pictures of verdicts, differences and figures show what their texts show",
          "[slow]") {
  const std::string fixtures = project_path("fixtures/");
  struct Asked {
    std::string path;
    AskedInput::Words command;
  };
  const Asked all[] = {
      {"release/bad", {"eval", fixtures + "release/suite.yaml"}},
      {"release/good", {"eval", fixtures + "release/suite.yaml"}},
      {"assess/odd.json", {"assess", "--baseline", fixtures + "assess/baseline.json"}},
      {"diff/tuesday.jsonl", {"diff", fixtures + "diff/monday.jsonl"}},
      {"trip.jsonl", {"diff", fixtures + "retries.jsonl"}},
      {"trip.jsonl", {"stats"}},
      {"waste.jsonl", {"stats"}},
      {"trust.json", {"trust"}},
  };
  for (const auto& [path, command] : all) {
    INFO(path << ' ' << command.front());
    const AskedInput input(fixtures + path, command);
    CHECK(missing_of(input, command) == "");
    CHECK(missing(fixtures + path, input.in("svg", command), input.in("html", command)) == "");
  }
}

TEST_CASE("the page and the picture of a report show its rows with their costs", "[slow]") {
  const AskedInput input(project_path("fixtures/trip.jsonl"));
  const AskedInput::Words command = {"report", "--by", "tool"};
  CHECK(missing_of(input, command) == "");
  const std::string bars = titles_of(input.in("svg", command));
  const Json rows = Json::parse(input.in("json", command))["groups"];
  REQUIRE(rows.size() > 5);
  for (const Json& row : rows) {
    const std::string name = row.value("name", row.value("label", ""));
    INFO(name);
    CHECK(bars.find(name) != std::string::npos);
    CHECK(bars.find(fmt::format("${:.4f}", row["cost_usd"].get<double>())) != std::string::npos);
  }
}

TEST_CASE("rows of a page at level full have arguments in the words of the text") {
  const AskedInput::Words command = {"dag", "--level", "full"};
  const AskedInput input(project_path("fixtures/repeats.jsonl"), command);
  const std::string text = input.in("text", command), page = input.in("html", command);
  const PageData data(page);
  const Json nodes = Json::parse(input.in("json", command))["nodes"];
  size_t uses = 0;
  for (const Json& node : nodes)
    for (const Json& use : node.value("tool_uses", Json::array())) {
      const std::string words = use.at("arguments_text");
      INFO(words);
      ++uses;
      CHECK(text.find(words) != std::string::npos);
      // Where there is a target, a row names that.
      CHECK((use.contains("target") || data.texts.find(words) != std::string::npos));
      CHECK(page.find("<pre><bdi>" + for_markup(words)) != std::string::npos);
    }
  CHECK(uses > 3);
}
