#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "asked_input.h"
#include "base/one_of.h"
#include "effort.h"
#include "json_check.h"
#include "reading.h"

using namespace xtrace;

namespace {

using Words = std::vector<std::string>;

std::string fixture(const std::string& name) {
  return project_path("fixtures/" + name);
}

/// Every log among the fixtures, and the folders that belong together.
Words logs() {
  Words paths = {fixture("claude-code"), fixture("story")};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(fixture(""))) {
    std::string path = entry.path().string();
    bool is_log = entry.path().extension() == ".jsonl" || entry.path().extension() == ".json";
    bool is_other = path.find("/config/") != std::string::npos || path.ends_with("cards.json") ||
                    path.ends_with("prices.json") || path.ends_with("redaction.json") ||
                    path.find("baseline") != std::string::npos || path.ends_with("narrow.json") ||
                    path.ends_with("people-open.json") || path.find("assess/bad") != path.npos;
    if (is_log && !is_other) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// What a view is asked about: a log, and what it needs beside it.
Words inputs_of(const ViewEntry& entry, const std::string& log) {
  if (entry.takes_suite) return {fixture("release/suite.yaml"), log};
  if (entry.compares) return {log, fixture("diff/tuesday.jsonl")};
  if (entry.name == "assess") return {log, "--baseline", fixture("assess/baseline.json")};
  if (entry.name == "explain") return {log, "--node", "main"};
  if (entry.name == "impact") return {log, "--node", ":1"};
  return {log};
}

/// The JSON of a command, made without a process of its own; empty where there is no answer.
std::string json_of(const ViewEntry& entry, const Words& options, const Words& inputs) {
  Words words = {std::string(entry.name), "-q", "-f", "json", "--config", "/dev/null"};
  words.insert(words.end(), options.begin(), options.end());
  words.insert(words.end(), inputs.begin(), inputs.end());
  return printed_by(std::move(words)).value_or("");
}

/// Every option of a view with every value that can be counted up.
std::vector<Words> each_option(const ViewEntry& entry) {
  constexpr std::string_view kSaysNothing[] = {
      "--format", "--color", "--quiet",     "--verbose",
      "--strict", "--from",  "--unlabelled"};  // without a clearance
  std::vector<Words> each;
  Listed listed = list_options(entry);
  for (const OptionSpec& spec : listed.options.specs()) {
    std::string name(spec.long_name());
    if (is_one_of(spec.long_name(), kSaysNothing)) continue;
    if (spec.is_switch()) each.push_back({name});
    for (std::string_view word : spec.words) each.push_back({name, std::string(word)});
  }
  return each;
}

/// Of one answer; true if there is one.
bool check(const ViewEntry& entry, const Words& options, const Words& inputs) {
  CAPTURE(entry.name, options, inputs);
  std::string text = json_of(entry, options, inputs);
  if (text.empty()) return false;
  CHECK_FALSE(has_key_twice(text));
  nlohmann::json answer = nlohmann::json::parse(text);
  CHECK(faults_in(answer, entry.name) == "");
  bool asked = std::find(options.begin(), options.end(), "--describe") != options.end();
  if (asked) CHECK(answer.contains("field_descriptions"));
  return true;
}

/// Those that end, with an answer of our own.
std::vector<const ViewEntry*> views_to_ask() {
  std::vector<const ViewEntry*> some;
  for (const ViewEntry& entry : views())
    if (!entry.is_live && !entry.converts) some.push_back(&entry);
  return some;
}

}  // namespace

TEST_CASE("the JSON of every view, of every log, is as its schema says and has no key twice") {
  constexpr size_t kEachOf = effort(1, 6);  // of the logs each view is asked about, in turn
  const Words paths = logs();
  REQUIRE(paths.size() > 30);
  size_t first = 0;
  for (const ViewEntry* entry : views_to_ask()) {
    size_t answered = 0;
    for (size_t i = first++ % kEachOf; i < paths.size(); i += kEachOf)
      answered += check(*entry, {}, inputs_of(*entry, paths[i]));
    CHECK(answered > 5);
  }
}

TEST_CASE("so it is with every value of every option") {
  constexpr size_t kEachOf = effort(1, 3);
  size_t nth = 0;
  for (const ViewEntry* entry : views_to_ask())
    for (const Words& options : each_option(*entry)) {
      if (nth++ % kEachOf != 0) continue;
      constexpr std::string_view kWithoutJson[] = {"--init",    "--paste",     "--open",
                                                   "--picture", "--direction", "--print-rules"};
      if (is_one_of(options.front(), kWithoutJson)) continue;
      size_t answered = 0;
      for (const char* log : {"trip.jsonl", "agents.jsonl", "story"})
        answered +=
            check(*entry, options,
                  options.front() == "--learn" ? Words{fixture(log)}  // holds nothing against it
                                               : inputs_of(*entry, fixture(log)));
      CAPTURE(entry->name, options);
      CHECK((answered > 0 || options.front() == "--status"));
    }
}
