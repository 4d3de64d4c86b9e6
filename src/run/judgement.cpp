#include "run/judgement.h"

#include <fmt/format.h>
#include <unistd.h>

#include <ostream>

#include "base/json_writer.h"
#include "base/text.h"
#include "doc/verdicts.h"
#include "keep/output.h"
#include "run/beside.h"
#include "run/request.h"
#include "settings/suite_file.h"
#include "settings/suite_words.h"
#include "view/eval/eval.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

constexpr std::string_view kSchema = "xtrace.baseline/1";

const EvalOptions& options_of(const Request& request) {
  return dynamic_cast<const Eval&>(*request.view).options();
}

Status read_scenario(const SuiteWords& words, const Setting& from, BaselineScenario& into) {
  std::vector<std::string_view> known = {"status", "score"};
  known.insert(known.end(), std::begin(kDimensionWords), std::end(kDimensionWords));
  if (Status checked = words.keys(from, "a scenario of a baseline", known); !checked)
    return checked;
  const Setting* status = from.find("status");
  if (status == nullptr) return words.wrong(from, "a scenario of a baseline needs a status");
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
  return {};
}

/// Of a baseline that knows none of them, nothing could be worse.
Status check_kinship(const SuiteWords& words, const Setting& scenarios, const std::string& of,
                     const Suite& suite) {
  for (const Scenario& one : suite.scenarios)
    if (scenarios.find(one.id) != nullptr) return {};
  return words.wrong(scenarios,
                     fmt::format("this baseline has no scenario of the suite '{}'{}", suite.name,
                                 of.empty() ? "" : fmt::format("; it is of '{}'", of)));
}

Result<Baseline> read_baseline(const std::string& path, const Suite& suite) {
  Result<Setting> root = read_settings(path);
  if (!root) return tl::unexpected(root.error());
  SuiteWords words(path);
  if (Status known = words.keys(*root, "a baseline", {"schema", "id", "suite", "scenarios"});
      !known)
    return tl::unexpected(known.error());
  const Setting *schema = root->find("schema"), *id = root->find("id"),
                *scenarios = root->find("scenarios");
  if (schema == nullptr || schema->text != kSchema)
    return words.wrong(schema == nullptr ? *root : *schema,
                       fmt::format("this is no baseline of eval: schema must be {}", kSchema));
  if (id == nullptr || scenarios == nullptr || scenarios->kind != Setting::Kind::table)
    return words.wrong(*root, "a baseline needs an id, and scenarios as an object");
  Baseline baseline;
  if (Status read = words.read_text(*id, "id", baseline.id); !read)
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
  json.open_object("scenarios", JsonLayout::lines(4));
  for (const Verdicts::Subject& scenario : verdicts.subjects) {
    json.open_object(scenario.id.view(), JsonLayout::lines(6));
    json.field("status", word(scenario.status));
    add_score("score", scenario.score);
    for (size_t i = 0; i < verdicts.dimensions.size(); ++i)
      add_score(verdicts.dimensions[i], scenario.scores[i]);
    json.close();
  }
  json.close();
  json.close();
  return text += '\n';
}

}  // namespace

BaselineToSave baseline_to_save(const Request& request) {
  if (!request.entry->takes_suite) return {};
  std::string_view text = options_of(request).save_baseline;
  size_t equals = text.find('=');
  if (equals == std::string_view::npos) return {text, {}};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

Status take_suite(Request& request) {
  Eval& eval = dynamic_cast<Eval&>(*request.view);
  const EvalOptions& options = eval.options();
  std::string path = request.inputs.front();
  if (path == "-")
    return fail(Exit::usage,
                "eval: name a suite, and then what it is about: xtrace eval suite.yaml logs/");
  request.inputs.erase(request.inputs.begin());
  if (request.inputs.empty() && isatty(STDIN_FILENO))
    return fail(Exit::usage, fmt::format("eval: '{}' is the suite; name a file or folder to judge",
                                         printable(path)));
  if (request.inputs.empty()) request.inputs.emplace_back("-");
  BaselineToSave save = baseline_to_save(request);
  if (!options.save_baseline.empty() && (save.id.empty() || save.path.empty()))
    return fail(Exit::usage, fmt::format("--save-baseline: '{}' is no ID=FILE, such as v1=v1.json",
                                         printable(options.save_baseline)));
  Result<Suite> suite = read_suite(path);
  if (!suite) return tl::unexpected(suite.error());
  request.settings.push_back(path);
  if (!options.scores.empty()) {
    if (Status read = read_scores(options.scores, *suite); !read) return read;
    request.settings.push_back(options.scores);
  }
  std::optional<Baseline> baseline;
  if (!options.baseline.empty()) {
    Result<Baseline> read = read_baseline(options.baseline, *suite);
    if (!read) return tl::unexpected(read.error());
    baseline = *std::move(read);
    // It may be replaced by what there is now.
    if (save.path != options.baseline) request.settings.push_back(options.baseline);
  }
  eval.judge_by(*std::move(suite), std::move(baseline));
  return {};
}

Status save_baseline(const Answered& answered) {
  const BaselineToSave save = baseline_to_save(answered.request);
  const Verdicts* verdicts = answered.document.verdicts();
  if (save.path.empty() || verdicts == nullptr) return {};
  return write_answer(std::string(save.path),
                      [&](std::ostream& out) { out << baseline_text(save.id, *verdicts); });
}

}  // namespace xtrace
