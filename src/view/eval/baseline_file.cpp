#include "view/eval/baseline_file.h"

#include <fmt/format.h>

#include "base/json_writer.h"
#include "settings/settings_file.h"
#include "settings/suite_words.h"

namespace xtrace {

namespace {

constexpr std::string_view kSchema = "xtrace.baseline/1";

Status read_scenario(const SuiteWords& words, const Setting& from, BaselineScenario& into) {
  std::vector<std::string_view> known = {"status", "score"};
  known.insert(known.end(), std::begin(kDimensionWords), std::end(kDimensionWords));
  known.push_back("figures");
  if (Status checked = words.keys(from, "a scenario in a baseline", known); !checked)
    return checked;
  const Setting* status = from.find("status");
  if (status == nullptr) return words.wrong(from, "a scenario in a baseline needs a status");
  size_t word = 0;
  if (Status read = words.read_word(*status, "status", kJudgedWords, word); !read) return read;
  into.status = kJudgedWords[word];
  auto read_score = [&](std::string_view key, std::optional<double>& score) -> Status {
    const Setting* one = from.find(key);
    return one == nullptr ? Status() : words.read_number(*one, key, 1, score.emplace());
  };
  if (Status read = read_score("score", into.score); !read) return read;
  for (size_t i = 0; i < kDimensions; ++i)
    if (Status read = read_score(kDimensionWords[i], into.scores[i]); !read) return read;
  const Setting* figures = from.find("figures");
  if (figures == nullptr) return {};
  if (Status checked = words.keys(*figures, "metrics in a baseline",
                                  {std::begin(kThresholdWords), std::end(kThresholdWords)});
      !checked)
    return checked;
  constexpr double kMost = 1e15;
  for (size_t i = 0; i < std::size(kThresholdWords); ++i)
    if (const Setting* one = figures->find(kThresholdWords[i]))
      if (Status read =
              words.read_number(*one, kThresholdWords[i], kMost, into.figures[i].emplace());
          !read)
        return read;
  return {};
}

/// Of a baseline that knows none of them, nothing could be worse.
Status check_kinship(const SuiteWords& words, const Setting& scenarios, const std::string& of,
                     const Suite& suite) {
  for (const Scenario& one : suite.scenarios)
    if (scenarios.find(one.id) != nullptr) return {};
  return words.wrong(
      scenarios, fmt::format("the baseline contains no scenario of suite '{}'{}", suite.name,
                             of.empty() ? "" : fmt::format("; it was made with suite '{}'", of)));
}

}  // namespace

Result<Baseline> read_baseline(const std::string& path, const Suite& suite) {
  Result<Setting> root = read_settings(
      path, {"a baseline", "create one: xtrace eval SUITE RUNS --save-baseline ID=FILE"});
  if (!root) return tl::unexpected(root.error());
  SuiteWords words(path);
  const Setting *schema = root->find("schema"), *id = root->find("id"),
                *scenarios = root->find("scenarios");
  if (schema == nullptr || schema->text != kSchema)
    return words.wrong(
        schema == nullptr ? *root : *schema,
        fmt::format("not a baseline of eval, whose schema is {}; xtrace eval SUITE RUNS "
                    "--save-baseline ID=FILE writes one",
                    kSchema));
  if (Status known =
          words.keys(*root, "a baseline", {"schema", "id", "suite", "newest", "scenarios"});
      !known)
    return tl::unexpected(known.error());
  if (id == nullptr || scenarios == nullptr || scenarios->kind != Setting::Kind::table)
    return words.wrong(*root, "a baseline needs id, and scenarios as an object");
  Baseline baseline;
  if (Status read = words.read_text(*id, "id", baseline.id); !read)
    return tl::unexpected(read.error());
  if (const Setting* newest = root->find("newest"))
    if (Status read = words.read_text(*newest, "newest", baseline.newest); !read)
      return tl::unexpected(read.error());
  std::string of;
  if (const Setting* name = root->find("suite"))
    if (Status read = words.read_text(*name, "suite", of); !read)
      return tl::unexpected(read.error());
  if (Status kin = check_kinship(words, *scenarios, of, suite); !kin)
    return tl::unexpected(kin.error());
  for (const auto& [name, value] : scenarios->items) {
    BaselineScenario& one = baseline.scenarios.emplace_back();
    one.id = name;
    if (Status read = read_scenario(words, value, one); !read) return tl::unexpected(read.error());
  }
  return baseline;
}

std::string baseline_text(std::string_view id, const Verdicts& verdicts) {
  std::string text;
  JsonWriter json(text);
  auto add_score = [&](std::string_view name, std::optional<double> score) {
    if (!score) return;
    json.key(name);
    json.fraction(*score);
  };
  json.open_object(JsonLayout::lines(2));
  json.field("schema", kSchema);
  json.field("id", id);
  json.field("suite", verdicts.suite.view());
  if (!verdicts.newest.empty()) json.field("newest", verdicts.newest);
  json.open_object("scenarios", JsonLayout::lines(4));
  for (const Verdicts::Subject& scenario : verdicts.subjects) {
    json.open_object(scenario.id.view(), JsonLayout::lines(6));
    json.field("status", word(scenario.status));
    add_score("score", scenario.score);
    for (size_t i = 0; i < verdicts.dimensions.size(); ++i)
      add_score(verdicts.dimensions[i], scenario.scores[i]);
    json.open_object("figures");
    for (size_t i = 0; i < scenario.figures.size(); ++i)
      add_score(verdicts.metrics[i], scenario.figures[i]);
    json.close();
    json.close();
  }
  json.close();
  json.close();
  return text += '\n';
}

}  // namespace xtrace
