#include "input/common/needs.h"

#include <simdjson.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/lower.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string plain(std::string_view key) {
  std::string plain = lower(key);
  std::erase(plain, '_');
  return plain;
}

std::vector<std::string> split(const std::string& text, char mark) {
  std::vector<std::string> parts;
  std::istringstream from(text);
  for (std::string part; std::getline(from, part, mark);) parts.push_back(part);
  return parts;
}

/// The record, less all that meets the need.
std::string without(json::element record, const std::string& need) {
  std::set<std::string> keys;
  for (const std::string& key : split(need, '|')) keys.insert(plain(key));
  std::string text;
  json::fields(record, [&](std::string_view key, json::element value) {
    if (keys.count(plain(key)) > 0) return;
    text += text.empty() ? "" : ",";
    text += nlohmann::json(std::string(key)).dump() + ":" + std::string(simdjson::minify(value));
  });
  return "{" + text + "}";
}

template <class Each>
void each_object(json::element value, const Each& each) {
  if (json::is_object(value)) each(value);
  json::fields(value, [&](std::string_view, json::element part) { each_object(part, each); });
  json::items(value, [&](json::element part) { each_object(part, each); });
}

/// All objects that are anywhere in the fixtures, and what these have only among comments or in
/// Markdown.
template <class Each>
void each_object_of_fixtures(const Each& each) {
  const std::filesystem::path root(project_path(""));
  simdjson::dom::parser parser;
  json::element others;
  const std::string elsewhere =
      R"([{"snapshots": [{"graph": {"nodes": [{"id": "n", "type": "OTHER"}], "edges": []}}]},)"
      R"( {"aider": "prompt", "text": "water the beds"}, {"custom_id": "b1", "body": {}},
          {"role": "user", "content": "dig", "sessionId": "s"},
          {"requests": [], "sessionId": "s"}])";
  REQUIRE(!parser.parse(elsewhere).get(others));
  each_object(others, each);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / "fixtures")) {
    if (!entry.is_regular_file()) continue;
    const std::string text = project_file(relative(entry.path(), root).string());
    json::element value;
    if (!parser.parse(text).get(value)) {
      each_object(value, each);
      continue;
    }
    for (const std::string& line : split(text, '\n'))
      if (!parser.parse(line).get(value)) each_object(value, each);
  }
}

}  // namespace

TEST_CASE("no record fits a format without the keys that the format needs") {
  simdjson::dom::parser parser;
  std::set<std::string_view> seen;
  const Needs needs(formats());
  each_object_of_fixtures([&](json::element record) {
    const Needs::Met met = needs.met_by(record);
    for (const Format& format : formats()) {
      if (!fits(format, record)) continue;
      seen.insert(format.name);
      INFO(format.name << " " << simdjson::minify(record));
      REQUIRE(needs.may_fit(format, met));
      for (const std::string& need : split(std::string(format.needs), ' ')) {
        INFO(need);
        json::element rest;
        const std::string text = without(record, need);
        REQUIRE(!parser.parse(text).get(rest));
        REQUIRE_FALSE(fits(format, rest));
      }
    }
  });
  for (const Format& format : formats()) {
    INFO(format.name);
    CHECK(seen.count(format.name) == 1);
  }
}

TEST_CASE("a record is of the first format that fits, whether or not its shape is known") {
  each_object_of_fixtures([&](json::element record) {
    const auto first =
        std::ranges::find_if(formats(), [&](const Format& format) { return fits(format, record); });
    const Format* wanted = first == formats().end() ? nullptr : &*first;
    for (int times = 0; times < 3; ++times) {  // the shape is known from the second or third on
      INFO(simdjson::minify(record));
      REQUIRE(format_of(record) == wanted);
    }
  });
}

TEST_CASE("a key meets a need however it is spelled") {
  const Format made_up[] = {{.name = "both", .needs = "runId|key other_key"}, {.name = "any"}};
  const Needs needs(made_up);
  simdjson::dom::parser parser;
  const auto may_fit = [&](const std::string& record, size_t format) {
    json::element value;
    REQUIRE(!parser.parse(record).get(value));
    return needs.may_fit(made_up[format], needs.met_by(value));
  };
  CHECK(may_fit(R"({"run_id": 1, "otherKey": 2})", 0));
  CHECK(may_fit(R"({"KEY": null, "_OtherKey_": []})", 0));
  CHECK(may_fit(R"({"k\u0065y": 1, "other_key": 2})", 0));
  CHECK_FALSE(may_fit(R"({"runId": 1, "key": 2})", 0));
  CHECK_FALSE(may_fit(R"({"runIds": 1, "other_key": 2})", 0));
  CHECK_FALSE(may_fit(R"({"inside": {"runId": 1, "other_key": 2}, "": 0, "_": 0})", 0));
  CHECK_FALSE(may_fit("[]", 0));
  CHECK(may_fit("{}", 1));
}

TEST_CASE("of more needs than there is room for, those left over keep no format from being asked") {
  std::vector<std::string> keys;
  for (size_t i = 0; i < 300; ++i) keys.push_back("key" + std::to_string(i));
  std::vector<Format> many;
  many.reserve(keys.size());
  for (const std::string& key : keys) many.push_back({.needs = key});
  const Needs needs(many);
  simdjson::dom::parser parser;
  json::element value;
  REQUIRE(!parser.parse(std::string(R"({"key7": 1, "key299": 1})")).get(value));
  const Needs::Met met = needs.met_by(value);
  CHECK(needs.may_fit(many[7], met));
  CHECK_FALSE(needs.may_fit(many[8], met));
  CHECK(needs.may_fit(many[298], met));
  CHECK(needs.may_fit(many[299], met));
}
