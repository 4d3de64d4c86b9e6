#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "settings/suite_parts.h"

namespace xtrace {

namespace {

using Kind = Setting::Kind;

Status read_source(const SuiteWords& words, const Setting& from, DecisionSource& into) {
  const Setting *tool = from.find("tool"), *argument = from.find("argument"),
                *answer = from.find("answer");
  if (answer != nullptr) {
    bool wanted = false;
    if (Status read = words.read_truth(*answer, "answer", wanted); !read) return read;
    if (!wanted || tool != nullptr)
      return words.wrong(*answer,
                         "answer must be true and excludes tool; use answer: true for the last "
                         "reply, or tool for a tool use");
    return {};
  }
  if (tool == nullptr)
    return words.wrong(from,
                       "a decision needs a source: {tool: …, argument: …} for a tool use, or "
                       "{answer: true} for the last reply");
  if (Status read = words.read_text(*tool, "tool", into.tool); !read) return read;
  return argument == nullptr ? Status() : words.read_text(*argument, "argument", into.argument);
}

Status read_rubric(const SuiteWords& words, const Setting& from, Expectation& into) {
  if (Status known = words.keys(from, "a rubric", {"rubric", "at_least", "of", "label", "weight"});
      !known)
    return known;
  RubricExpected rubric;
  if (Status read = words.read_text(*from.find("rubric"), "rubric", rubric.name); !read)
    return read;
  if (const Setting* of = from.find("of")) {
    if (Status read = words.read_number(*of, "of", 1e6, rubric.of); !read) return read;
    if (rubric.of <= 0)
      return words.wrong(*of, "of is the best possible score and must be greater than 0");
  }
  if (const Setting* least = from.find("at_least"))
    if (Status read = words.read_number(*least, "at_least", rubric.of, rubric.at_least); !read)
      return read;
  if (const Setting* label = from.find("label"))
    if (Status read = words.read_texts(*label, "label", rubric.labels); !read) return read;
  into.what = std::move(rubric);
  return {};
}

Status read_decision(const SuiteWords& words, const Setting& from, Expectation& into) {
  if (from.find("rubric") != nullptr) return read_rubric(words, from, into);
  std::vector<std::string_view> known = {
      "tool", "argument", "answer", "grounded", "may_claim_nothing", "rubric", "weight"};
  known.insert(known.end(), std::begin(kDemandWords), std::end(kDemandWords));
  if (Status checked = words.keys(from, "a decision", known); !checked) return checked;
  DecisionSource source;
  if (Status read = read_source(words, from, source); !read) return read;
  bool demands = std::any_of(std::begin(kDemandWords), std::end(kDemandWords),
                             [&](std::string_view word) { return from.find(word) != nullptr; });
  const Setting* grounded = from.find("grounded");
  if (demands == (grounded != nullptr))
    return words.wrong(from, fmt::format("a decision needs either grounded, or one of: {}",
                                         fmt::join(kDemandWords, ", ")));
  if (grounded == nullptr) {
    DecisionExpected decision{std::move(source), {}};
    if (Status read = words.read_demands(from, decision.must); !read) return read;
    into.what = std::move(decision);
    return {};
  }
  Grounded claims{std::move(source), {}, false};
  if (const Setting* none = from.find("may_claim_nothing"))
    if (Status read = words.read_truth(*none, "may_claim_nothing", claims.may_be_none); !read)
      return read;
  if (grounded->kind == Kind::text) {
    if (Status read = words.read_pattern(*grounded, "grounded", claims.claims); !read) return read;
  } else if (grounded->kind != Kind::boolean || !grounded->truth) {
    return words.wrong(*grounded, "grounded must be true, or a pattern for the claims to check");
  }
  into.what = std::move(claims);
  return {};
}

}  // namespace

Status read_claims(const SuiteWords& words, const Setting& scenario, Scenario& into) {
  const Setting* given = scenario.find("claims");
  if (given == nullptr) return {};
  Expectation expectation{Dimension::decision_quality, 1, false, words.place(*given),
                          ClaimsChecked()};
  ClaimsChecked claims;
  const Setting* demand = given;
  if (given->kind == Kind::table) {
    if (Status known = words.keys(*given, "claims", {"are", "kinds", "weight"}); !known)
      return known;
    demand = given->find("are");
    if (demand == nullptr)
      return words.wrong(*given, "claims needs are: supported or not_contradicted");
    if (Status read = words.read_weight(*given, expectation); !read) return read;
    std::vector<std::string> kinds;
    if (const Setting* some = given->find("kinds")) {
      if (Status read = words.read_texts(*some, "kinds", kinds); !read) return read;
      for (const std::string& kind : kinds) {
        const auto* known = std::ranges::find(kClaimKindWords, kind);
        if (known == std::end(kClaimKindWords))
          return words.wrong(*some, fmt::format("'{}' is no kind of claim; kinds: {}",
                                                printable(kind), fmt::join(kClaimKindWords, ", ")));
        claims.kinds.push_back(static_cast<ClaimKind>(known - std::begin(kClaimKindWords)));
      }
    }
  }
  size_t word = 0;
  if (Status read = words.read_word(*demand, "claims", kClaimDemandWords, word); !read) return read;
  claims.demand = static_cast<ClaimsChecked::Demand>(word);
  expectation.what = std::move(claims);
  into.expectations.push_back(std::move(expectation));
  return {};
}

Status read_decisions(const SuiteWords& words, const Setting& scenario, Scenario& into) {
  const Setting* list = scenario.find("decision");
  if (list == nullptr) return {};
  if (list->kind != Kind::list || list->items.empty())
    return words.wrong(*list, "decision must be a list: [{tool: …, argument: …, is: high}]");
  for (const auto& [none, item] : list->items) {
    Expectation expectation{Dimension::decision_quality, 1, false, words.place(item),
                            RubricExpected()};
    if (Status read = read_decision(words, item, expectation); !read) return read;
    if (Status read = words.read_weight(item, expectation); !read) return read;
    into.expectations.push_back(std::move(expectation));
  }
  return {};
}

}  // namespace xtrace
