#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "settings/arguments.h"
#include "view/common/words.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

/// A text in which something was decided, and the action that says it.
struct Decision {
  std::optional<std::string> text;
  const Action* by = nullptr;
  std::string what;  ///< it is called, in words
};

/// Reads it, or says in the verdict why that cannot be. A tool that was never used is a decision
/// that was not made, and fails; unless the log ends with a request without an answer, or holds no
/// requests: then it may have been used.
Decision read(const Case& scene, const DecisionSource& from, Verdict& verdict) {
  Decision decision;
  decision.what = from.tool.empty() ? "the answer"
                  : from.argument.empty()
                      ? scene.text(from.tool)
                      : fmt::format("{} of {}", scene.text(from.argument), scene.text(from.tool));
  auto cannot = [&](Judged status, std::string why) {
    verdict.status = status;
    verdict.score = 0;
    verdict.message = std::move(why);
    return decision;
  };
  if (from.tool.empty()) {
    decision.text = scene.actions.answer(decision.by);
    if (!decision.text) return cannot(Judged::insufficient, "no answer is on record");
  } else {
    for (const Action& used : scene.actions.tools())
      if (fits_wildcards(from.tool, used.name)) decision.by = &used;
    if (decision.by == nullptr) {
      const Action* torn = scene.actions.torn();
      if (!scene.actions.models().empty())
        verdict.evidence.push_back(
            scene.evidence_of(scene.actions.models().back(), "the last request"));
      bool is_known = torn == nullptr && !scene.actions.models().empty();
      return cannot(
          is_known ? Judged::failed : Judged::insufficient,
          fmt::format("{} was never used, so there is no decision{}", scene.text(from.tool),
                      torn == nullptr ? "" : "; the last request has no answer on record"));
    }
    std::optional<std::string> given = scene.actions.arguments(*decision.by);
    verdict.evidence.push_back(scene.evidence_of(*decision.by, scene.text(decision.by->name)));
    if (!given)
      return cannot(Judged::insufficient,
                    fmt::format("the arguments of {} cannot be read", scene.text(from.tool)));
    decision.text = Arguments(*given).find(from.argument);
    if (!decision.text) return cannot(Judged::failed, fmt::format("{} is missing", decision.what));
    return decision;
  }
  verdict.evidence.push_back(scene.evidence_of(*decision.by, decision.what));
  return decision;
}

/// The numbers in a text, by where they stand.
std::vector<std::string_view> numbers_in(std::string_view text) {
  std::vector<std::string_view> numbers;
  auto is_digit = [&](size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  for (size_t at = 0; at < text.size();) {
    if (!is_digit(at)) {
      ++at;
      continue;
    }
    size_t end = at;
    while (is_digit(end) ||
           (end < text.size() && (text[end] == '.' || text[end] == ',') && is_digit(end + 1)))
      ++end;
    numbers.push_back(text.substr(at, end - at));
    at = end;
  }
  return numbers;
}

/// `1,234.5`; nothing where it is more than a number, such as `2.1.0`.
std::optional<double> value_of(std::string_view number) {
  std::string digits;
  for (char digit : number)
    if (digit != ',') digits += digit;
  double value = 0;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  bool is_one = error == std::errc() && end == digits.data() + digits.size();
  return is_one ? std::optional(value) : std::nullopt;
}

/// The numbers that were told; 2% is told where 0.02 is, and 1.2 s where 1200 ms are.
class KnownNumbers {
 public:
  explicit KnownNumbers(std::string_view text) : text_(text) {
    for (std::string_view number : numbers_in(text))
      if (std::optional<double> value = value_of(number)) values_.push_back(*value);
    std::sort(values_.begin(), values_.end());
  }

  bool has(std::string_view number) const {
    std::optional<double> value = value_of(number);
    if (!value) return text_.find(number) != std::string_view::npos;
    for (double factor : {1.0, 0.01, 100.0, 1000.0, 0.001})
      if (has(*value * factor)) return true;
    return false;
  }

 private:
  bool has(double value) const {
    double close = std::abs(value) * 1e-9 + 1e-12;
    auto at = std::lower_bound(values_.begin(), values_.end(), value - close);
    return at != values_.end() && *at <= value + close;
  }

  std::string_view text_;
  std::vector<double> values_;
};

}  // namespace

void judge_decision(const Case& scene, const DecisionExpected& expected, Verdict& verdict) {
  Decision decision = read(scene, expected.from, verdict);
  if (!decision.text) return;
  std::string what = missed(scene, expected.must, *decision.text, verdict.score);
  verdict.message = fmt::format("{} is as expected", decision.what);
  if (what.empty()) return;
  verdict.status = Judged::failed;
  verdict.message = fmt::format("{} {}{}", decision.what, what, scene.shown(*decision.text));
}

/// What was told before the decision is all that it can rest on: tool results and prompts. Claims
/// that a pattern finds must stand there as they are; numbers count as equal whatever their form,
/// so that `2%` rests on `0.02`. The evidence is what the tools told, in their order.
void judge_grounds(const Case& scene, const Grounded& grounded, Verdict& verdict) {
  Decision decision = read(scene, grounded.from, verdict);
  if (!decision.text) return;
  std::vector<std::string> claims;
  if (grounded.claims) {
    for (size_t at = 0; at <= decision.text->size();)
      if (std::string_view claim = grounded.claims->next(*decision.text, at); !claim.empty())
        claims.emplace_back(claim);
  } else {
    for (std::string_view number : numbers_in(*decision.text)) claims.emplace_back(number);
  }
  std::string told = scene.actions.told_before(*decision.by);
  if (told.empty() && !claims.empty()) {
    verdict.status = Judged::insufficient;
    verdict.message = "what it rests on cannot be read";
    return;
  }
  KnownNumbers known(told);
  size_t found = 0;
  std::string invented;
  for (const std::string& claim : claims) {
    bool is_told = grounded.claims ? told.find(claim) != std::string::npos : known.has(claim);
    found += is_told;
    if (!is_told) invented += scene.shown(claim);
  }
  size_t lacking = claims.size() - found;
  std::string_view noun = grounded.claims ? "claim" : "number";
  verdict.message = fmt::format("{} in {}, and the tools or prompts tell all of them",
                                plural(static_cast<int64_t>(claims.size()), noun), decision.what);
  if (lacking == 0) return;
  verdict.status = Judged::failed;
  verdict.score = static_cast<double>(found) / static_cast<double>(claims.size());
  verdict.message = fmt::format("{} of {} in {} {} in no tool result or prompt{}", lacking,
                                plural(static_cast<int64_t>(claims.size()), noun), decision.what,
                                lacking == 1 ? "stands" : "stand", invented);
  for (const Action& tool : scene.actions.tools())
    if (tool.outcome != Outcome::unknown && tool.start < decision.by->start)
      verdict.evidence.insert(
          verdict.evidence.begin(),
          scene.evidence_of(tool, fmt::format("what {} told", scene.text(tool.name))));
}

}  // namespace xtrace
