#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "asked_input.h"
#include "base/text.h"
#include "render/html/static_part.h"

using namespace xtrace;
using Json = nlohmann::json;

// What the text of an answer names, its page without scripts and its picture name, too.

namespace {

void add_text(const Json& row, const char* key, std::set<std::string>& words) {
  if (const auto found = row.find(key); found != row.end() && found->is_string())
    words.insert(found->get<std::string>());
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
  // What is ok need not be named, and calls without a tool are `reply`.
  for (const char* plain : {"ok", "OK", "success", "completed"}) words.erase(plain);
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

/// What is missing, a line each.
std::string missing(const std::string& path) {
  const AskedInput dag(path);
  const std::string json = dag.in("json", {"dag"});
  if (json.empty()) return {};
  const Json answered = Json::parse(json);
  if (!answered.contains("nodes")) return {};
  const std::string text = dag.in("text", {"dag"}), svg = dag.in("svg", {"dag"}),
                    titles = titles_of(svg);
  const std::string rows =
      shown_by(dag.in("html", {"dag"}), "<section id=\"static\"", "</section>");
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

}  // namespace

TEST_CASE("pages without scripts and pictures name what the text names", "[slow]") {
  std::vector<std::string> paths = {XTRACE_SOURCE_DIR "/fixtures/story",
                                    XTRACE_SOURCE_DIR "/fixtures/claude-code"};
  for (const auto& entry : std::filesystem::directory_iterator(XTRACE_SOURCE_DIR "/fixtures"))
    if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    INFO(path);
    CHECK(missing(path) == "");
  }
}
