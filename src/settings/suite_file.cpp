#include "settings/suite_file.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/sha256.h"
#include "base/text.h"
#include "settings/setting.h"
#include "settings/settings_file.h"
#include "settings/suite_parts.h"
#include "settings/suite_words.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;

/// Expectations that suites name by a key of a scenario, each read by a function.
class SuiteFile : public SuiteWords {
 public:
  explicit SuiteFile(const std::string& path) : SuiteWords(path) {}

  Result<Suite> read(const Setting& root) {
    if (Status known = keys(root, "the suite", {"name", "scenarios", "weights", "pass", "fail_if"});
        !known)
      return tl::unexpected(known.error());
    Suite suite;
    suite.name = path();
    if (const Setting* name = root.find("name"))
      if (Status read = read_text(*name, "name", suite.name); !read)
        return tl::unexpected(read.error());
    if (Status read = read_weighing(root, base_); !read) return tl::unexpected(read.error());
    const Setting* scenarios = root.find("scenarios");
    if (scenarios == nullptr || scenarios->kind != Kind::list || scenarios->items.empty())
      return wrong(scenarios == nullptr ? root : *scenarios,
                   "scenarios must be a non-empty list of scenarios");
    std::set<std::string> ids;
    for (const auto& [none, item] : scenarios->items) {
      Scenario scenario = base_;
      scenario.at = place(item);
      if (Status read = read_scenario(item, scenario); !read) return tl::unexpected(read.error());
      if (!ids.insert(scenario.id).second)
        return wrong(item, fmt::format("duplicate scenario '{}'", scenario.id));
      suite.scenarios.push_back(std::move(scenario));
    }
    return suite;
  }

 private:
  Status read_scenario(const Setting& from, Scenario& scenario) {
    Status known = keys(from, "a scenario",
                        {"id", "description", "match", "each", "pass_rate", "tools", "forbidden",
                         "preceded", "confirm", "declared_arguments", "errors", "limits", "claims",
                         "decision", "weights", "pass", "fail_if"});
    if (!known) return known;
    const Setting* id = from.find("id");
    if (id == nullptr) return wrong(from, "a scenario needs an id");
    if (Status read = read_text(*id, "id", scenario.id); !read) return read;
    if (const Setting* text = from.find("description"))
      if (Status read = read_text(*text, "description", scenario.description); !read) return read;
    if (Status read = read_weighing(from, scenario); !read) return read;
    if (Status read = read_match(from, scenario.match); !read) return read;
    if (Status read = read_each(from, scenario); !read) return read;
    if (Status read = read_tools(*this, from, scenario); !read) return read;
    if (Status read = read_forbidden(*this, from, scenario); !read) return read;
    if (Status read = read_habits(*this, from, scenario); !read) return read;
    if (Status read = read_errors(from, scenario); !read) return read;
    if (Status read = read_limits(from, scenario); !read) return read;
    if (Status read = read_claims(*this, from, scenario); !read) return read;
    if (Status read = read_decisions(*this, from, scenario); !read) return read;
    if (scenario.expectations.empty())
      return wrong(from, fmt::format("scenario '{}' expects nothing; add tools, forbidden, errors, "
                                     "limits, claims or decision",
                                     scenario.id));
    return {};
  }

  /// `weights` and `pass`, of the suite or of a scenario.
  Status read_weighing(const Setting& from, Scenario& scenario) {
    std::vector<std::string_view> words(std::begin(kDimensionWords), std::end(kDimensionWords));
    if (const Setting* weights = from.find("weights")) {
      if (Status known = some_keys(*weights, "weights", words); !known) return known;
      if (Status read = read_by_dimension(*weights, 1e6, scenario.weights); !read) return read;
    }
    if (Status read = read_fail_if(from, scenario); !read) return read;
    const Setting* pass = from.find("pass");
    if (pass == nullptr) return {};
    if (pass->kind == Kind::number) {
      if (Status read = read_number(*pass, "pass", 1, scenario.mark); !read) return read;
      scenario.marks.fill(0);
      return {};
    }
    words.push_back("overall");
    if (Status known = some_keys(*pass, "pass", words); !known) return known;
    if (const Setting* overall = pass->find("overall"))
      if (Status read = read_number(*overall, "overall", 1, scenario.mark); !read) return read;
    return read_by_dimension(*pass, 1, scenario.marks);
  }

  Status read_fail_if(const Setting& from, Scenario& scenario) {
    const Setting* given = from.find("fail_if");
    if (given == nullptr) return {};
    std::vector<std::string_view> words(std::begin(kThresholdWords), std::end(kThresholdWords));
    if (Status known = some_keys(*given, "fail_if", words); !known) return known;
    for (const auto& [metric, bound] : given->items) {
      std::string text = bound.kind == Kind::number ? fmt::format("{}", bound.number) : bound.text;
      Result<Threshold> read = read_threshold(metric, text);
      if (!read) return wrong(bound, read.error().what);
      set_bound(scenario.fail_if, *std::move(read));
    }
    return {};
  }

  Status read_by_dimension(const Setting& from, double most, ByDimension& into) {
    for (size_t i = 0; i < kDimensions; ++i)
      if (const Setting* one = from.find(kDimensionWords[i]))
        if (Status read = read_number(*one, kDimensionWords[i], most, into[i]); !read) return read;
    return {};
  }

  Status read_match(const Setting& from, Match& match) {
    const Setting* given = from.find("match");
    if (given == nullptr) return {};
    const std::pair<std::string_view, std::string Match::*> kParts[] = {
        {"session", &Match::session},
        {"run", &Match::run},
        {"query", &Match::query},
        {"agent", &Match::agent},
        {"file", &Match::file}};
    std::vector<std::string_view> words;
    for (const auto& [key, member] : kParts) words.push_back(key);
    if (Status known = some_keys(*given, "match", words); !known) return known;
    for (const auto& [key, member] : kParts)
      if (const Setting* one = given->find(key))
        if (Status read = read_text(*one, key, match.*member); !read) return read;
    return {};
  }

  /// A pattern that several may fit asks for each of them.
  Status read_each(const Setting& from, Scenario& scenario) {
    const std::pair<const std::string&, Each> kPatterns[] = {
        {scenario.match.query, Each::query},
        {scenario.match.run, Each::run},
        {scenario.match.session, Each::session},
        {scenario.match.file, Each::file}};
    for (const auto& [pattern, each] : kPatterns)
      if (scenario.each == Each::once && pattern.find('*') != std::string::npos)
        scenario.each = each;
    if (const Setting* each = from.find("each")) {
      size_t word = 0;
      if (Status read = read_word(*each, "each", kEachWords, word); !read) return read;
      scenario.each = static_cast<Each>(word);
    }
    const Setting* rate = from.find("pass_rate");
    if (rate == nullptr) return {};
    if (scenario.each == Each::once)
      return wrong(*rate, "pass_rate needs several trials; add each: session, run, query or file");
    return read_number(*rate, "pass_rate", 1, scenario.pass_rate);
  }

  Status read_errors(const Setting& from, Scenario& scenario) {
    const Setting* given = from.find("errors");
    if (given == nullptr) return {};
    if (Status known = some_keys(*given, "errors", {"handled", "no_retry_of", "retries"}); !known)
      return known;
    auto add = [&](const Setting& at, auto what) {
      scenario.expectations.push_back(
          {Dimension::error_handling, 1, false, place(at), std::move(what)});
    };
    if (const Setting* handled = given->find("handled")) {
      bool wanted = false;
      if (Status read = read_truth(*handled, "handled", wanted); !read) return read;
      if (wanted) add(*handled, FailuresHandled());
    }
    if (const Setting* list = given->find("no_retry_of")) {
      NoRetryOf none;
      if (list->kind == Kind::boolean) {
        if (list->truth) none.statuses = {400, 401, 403, 404};
      } else if (list->kind == Kind::list && !list->items.empty()) {
        for (const auto& [key, item] : list->items) {
          double status = 0;
          if (Status read = read_count(item, "an HTTP status", status); !read) return read;
          if (status < 400 || status > 599)
            return wrong(item, "an HTTP status here must be an error, 400 to 599");
          none.statuses.push_back(static_cast<int>(status));
        }
      } else {
        return wrong(*list, "no_retry_of must be a list of statuses, or true: 400, 401, 403, 404");
      }
      if (!none.statuses.empty()) add(*list, std::move(none));
    }
    const Setting* given_retries = given->find("retries");
    if (given_retries == nullptr) return {};
    Retries retries;
    if (Status read = read_retries(*given_retries, retries); !read) return read;
    add(*given_retries, retries);
    return {};
  }

  Status read_retries(const Setting& from, Retries& retries) {
    Status known = some_keys(
        from, "retries",
        {"max_attempts", "initial_delay", "max_delay", "backoff_factor", "jitter", "expected"});
    if (!known) return known;
    double attempts = -1;
    if (const Setting* one = from.find("max_attempts"))
      if (Status read = read_count(*one, "max_attempts", attempts); !read) return read;
    if (attempts >= 0) retries.max_attempts = std::llround(attempts);
    if (const Setting* one = from.find("initial_delay"))
      if (Status read = read_length(*one, "initial_delay", retries.initial); !read) return read;
    if (const Setting* one = from.find("max_delay"))
      if (Status read = read_length(*one, "max_delay", retries.most); !read) return read;
    if (const Setting* one = from.find("backoff_factor"))
      if (Status read = read_number(*one, "backoff_factor", 1000, retries.factor); !read)
        return read;
    if (const Setting* one = from.find("jitter"))
      if (Status read = read_number(*one, "jitter", 1, retries.jitter); !read) return read;
    if (const Setting* one = from.find("expected"))
      return read_truth(*one, "expected", retries.expected);
    return {};
  }

  Status read_limits(const Setting& from, Scenario& scenario) {
    const Setting* given = from.find("limits");
    if (given == nullptr) return {};
    std::vector<std::string_view> words(std::begin(kLimitWords), std::end(kLimitWords));
    if (Status known = some_keys(*given, "limits", words); !known) return known;
    for (size_t i = 0; i < words.size(); ++i) {
      const Setting* one = given->find(words[i]);
      if (one == nullptr) continue;
      Limit limit{static_cast<Limit::Of>(i), 0};
      Duration length{};
      if (limit.of == Limit::Of::time) {
        if (Status read = read_length(*one, "time", length); !read) return read;
        limit.most = std::chrono::duration<double>(length).count();
      } else if (Status read = read_number(*one, words[i], 1e15, limit.most); !read) {
        return read;
      }
      scenario.expectations.push_back({Dimension::limits, 1, false, place(*one), limit});
    }
    return {};
  }

  Scenario base_;  ///< what the suite says for all of them
};

/// Of what it says, however it is laid out.
std::string digest_of(const Setting& root) {
  Sha256 digest;
  auto add = [&](const auto& self, const Setting& one) -> void {
    digest.add(
        fmt::format("{} {} {} {}\n", static_cast<int>(one.kind), one.truth, one.number, one.text));
    for (const auto& [key, value] : one.items) {
      digest.add(key + '\n');
      self(self, value);
    }
    digest.add("end\n");
  };
  add(add, root);
  return digest.hex();
}

}  // namespace

void set_bound(std::vector<Threshold>& bounds, Threshold bound) {
  std::erase_if(bounds, [&](const Threshold& one) { return one.of == bound.of; });
  bounds.push_back(std::move(bound));
}

Result<Suite> read_suite(const std::string& path) {
  const std::string hint =
      fmt::format("the suite comes before the logs: xtrace eval SUITE {}", printable(path));
  Result<Setting> root = read_settings(path, {"a suite", hint});
  if (!root) return tl::unexpected(root.error());
  SuiteFile file(path);
  Result<Suite> suite = is_eval_set(*root) ? suite_of_eval_set(file, *root) : file.read(*root);
  if (suite) suite->digest = digest_of(*root);
  return suite;
}

namespace {

/// On the scale that the suite names.
double best_score(const Suite& suite, std::string_view scenario, std::string_view rubric) {
  for (const Scenario& one : suite.scenarios)
    for (const Expectation& expectation : one.expectations)
      if (const RubricExpected* expected = std::get_if<RubricExpected>(&expectation.what);
          expected != nullptr && one.id == scenario && expected->name == rubric)
        return expected->of;
  return 1;
}

}  // namespace

Status read_scores(const std::string& path, Suite& suite) {
  Result<Setting> root =
      read_settings(path, {"a scores file", R"({"scenario": {"rubric": 0.8}} is one)"});
  if (!root) return tl::unexpected(root.error());
  std::vector<std::string_view> ids;
  for (const Scenario& scenario : suite.scenarios) ids.push_back(scenario.id);
  if (Status known = check_keys(path, *root, "the scores file", ids); !known) return known;
  SuiteWords words(path);
  for (const auto& [id, scores] : root->items) {
    if (scores.kind != Kind::table)
      return wrong_setting(
          path, scores,
          fmt::format(R"(scores of '{}' must be an object, such as {{"reasoning": 0.8}})", id));
    for (const auto& [name, score] : scores.items)
      if (Status read =
              words.read_number(score, name, best_score(suite, id, name), suite.scores[id][name]);
          !read)
        return read;
  }
  return {};
}

}  // namespace xtrace
