#include <fmt/format.h>

#include <algorithm>

#include "settings/arguments.h"
#include "view/common/hidden_names.h"
#include "view/common/words.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

/// Does something that the tool worked on fit?
template <class Fits>
bool any_target(const Case& scene, const Action& used, Fits fits) {
  return std::ranges::any_of(scene.actions.targets(used), fits);
}
bool works_on(const Case& scene, const Action& used, const Pattern& target) {
  return any_target(scene, used, [&](std::string_view name) { return target.is_in(name); });
}

/// The same where the input hides some of the names.
bool may_work_on(const Case& scene, const Action& used, const Pattern& target) {
  return any_target(scene, used,
                    [&](std::string_view name) { return may_match_hidden(target, name); });
}

class ToolMatcher {
 public:
  ToolMatcher(const Case& scene, const ToolsExpected& expected)
      : scene_(scene), expected_(expected), used_(scene.actions.tools()) {
    for (const ExpectedTool& tool : expected.tools) {
      std::vector<Fit>& row = fits_.emplace_back();
      for (const Action& used : used_) row.push_back(fit(scene, tool, used));
    }
  }

  /// Expected tools that are met, and which use meets each; kNone: none does.
  static constexpr size_t kNone = SIZE_MAX;
  size_t meet(Fit least, std::vector<size_t>& use_of) const {
    bool ordered = expected_.order == ToolsExpected::Order::exact ||
                   expected_.order == ToolsExpected::Order::in_order;
    return ordered ? meet_in_order(least, use_of) : meet_in_any(least, use_of);
  }

  double score(size_t met) const {
    size_t n = expected_.tools.size(), m = used_.size();
    bool all = expected_.order == ToolsExpected::Order::exact ||
               expected_.order == ToolsExpected::Order::same;
    size_t most = all ? std::max(n, m) : n;
    return most == 0 ? 1 : static_cast<double>(met) / static_cast<double>(most);
  }

  /// Why no use meets an expected tool: the argument that is wrong, if that is all.
  std::string why(const ExpectedTool& tool, std::vector<EvidenceRecord>& evidence) const {
    for (const Action& used : used_) {
      if (!fits_wildcards(tool.name, used.name())) continue;
      std::string name = scene_.text(used.name());
      if (tool.target && !works_on(scene_, used, *tool.target)) {
        evidence.push_back(scene_.evidence_of(used, name));
        return fmt::format("{} works on '{}', which does not match {}", name,
                           scene_.text(scene_.actions.targets(used).front()),
                           scene_.text(tool.target->text()));
      }
      std::optional<std::string> given = scene_.actions.arguments(used);
      if (!given) return fmt::format("the arguments of {} cannot be read", name);
      Arguments arguments(*given);
      for (const ArgumentRequirement& argument : tool.arguments) {
        std::optional<JsonValue> value = arguments.value_at(argument.name);
        double share = 0;
        std::string what = value ? missed(scene_, argument.must, *value, share) : "is missing";
        if (what.empty()) continue;
        evidence.push_back(scene_.evidence_of(used, name));
        return fmt::format("argument {} of {} {}{}", scene_.text(argument.name), name, what,
                           value ? scene_.shown(value->text) : "");
      }
      if (!tool.schema) continue;
      if (std::optional<SchemaViolation> found = find_violation(*tool.schema, *given)) {
        evidence.push_back(scene_.evidence_of(used, name));
        std::string of = found->path.empty()
                             ? "the input of " + name
                             : fmt::format("argument {} of {}", scene_.text(found->path), name);
        return fmt::format("{} {}{}", of, scene_.text(found->what),
                           found->value.empty() ? "" : scene_.shown(found->value));
      }
    }
    return {};
  }

  std::string expected_words() const {
    std::string words;
    for (const ExpectedTool& tool : expected_.tools)
      words += (words.empty() ? "" : " → ") + scene_.text(tool.name);
    return words.empty() ? "no tool" : words;
  }

  std::string used_words() const {
    constexpr size_t kMost = 12;  // of a message in one line; the evidence has all that count
    std::string words;
    for (size_t i = 0; i < std::min(used_.size(), kMost); ++i)
      words += (words.empty() ? "" : " → ") + scene_.text(used_[i].name());
    if (used_.size() > kMost) words += fmt::format(" → {} more", used_.size() - kMost);
    return words.empty() ? "no tool" : words;
  }

 private:
  /// The longest common subsequence.
  size_t meet_in_order(Fit least, std::vector<size_t>& use_of) const {
    size_t n = fits_.size(), m = used_.size();
    std::vector<std::vector<uint32_t>> best(n + 1, std::vector<uint32_t>(m + 1));
    for (size_t i = n; i-- > 0;)
      for (size_t k = m; k-- > 0;)
        best[i][k] = fits_[i][k] >= least ? best[i + 1][k + 1] + 1
                                          : std::max(best[i + 1][k], best[i][k + 1]);
    use_of.assign(n, kNone);
    for (size_t i = 0, k = 0; i < n && k < m;) {
      if (fits_[i][k] >= least && best[i][k] == best[i + 1][k + 1] + 1)
        use_of[i++] = k++;
      else if (best[i + 1][k] >= best[i][k + 1])
        ++i;
      else
        ++k;
    }
    return best[0][0];
  }

  /// As many as can be, each use for one of them.
  size_t meet_in_any(Fit least, std::vector<size_t>& use_of) const {
    std::vector<size_t> taken(used_.size(), kNone);
    size_t met = 0;
    for (size_t i = 0; i < fits_.size(); ++i) {
      std::vector<bool> tried(used_.size());
      met += augment(i, least, taken, tried);
    }
    use_of.assign(fits_.size(), kNone);
    for (size_t k = 0; k < taken.size(); ++k)
      if (taken[k] != kNone) use_of[taken[k]] = k;
    return met;
  }
  bool augment(size_t i, Fit least, std::vector<size_t>& taken, std::vector<bool>& tried) const {
    for (size_t k = 0; k < used_.size(); ++k) {
      if (fits_[i][k] < least || tried[k]) continue;
      tried[k] = true;
      if (taken[k] != kNone && !augment(taken[k], least, taken, tried)) continue;
      taken[k] = i;
      return true;
    }
    return false;
  }

  const Case& scene_;
  const ToolsExpected& expected_;
  const std::vector<Action>& used_;
  std::vector<std::vector<Fit>> fits_;  ///< by expected tool, then by use
};

/// A tool that was used when another one was due, or never.
std::string lack_of(const Case& scene, const std::string& name, const std::vector<size_t>& met,
                    std::vector<EvidenceRecord>& evidence) {
  const std::vector<Action>& used = scene.actions.tools();
  for (size_t k = 0; k < used.size(); ++k) {
    if (!fits_wildcards(name, used[k].name()) || std::find(met.begin(), met.end(), k) != met.end())
      continue;
    evidence.push_back(scene.evidence_of(used[k], scene.text(used[k].name())));
    return fmt::format("{} is out of order", scene.text(name));
  }
  return "missing: " + scene.text(name);
}

}  // namespace

Fit fit(const Case& scene, const ExpectedTool& tool, const Action& used) {
  if (!fits_wildcards(tool.name, used.name())) return Fit::no;
  const bool is_target = !tool.target || works_on(scene, used, *tool.target);
  if (!is_target && !may_work_on(scene, used, *tool.target)) return Fit::no;
  const Fit best = is_target ? Fit::yes : Fit::perhaps;
  if (tool.arguments.empty() && !tool.schema) return best;
  std::optional<std::string> given = scene.actions.arguments(used);
  if (!given) return Fit::perhaps;
  Arguments arguments(*given);
  for (const ArgumentRequirement& argument : tool.arguments) {
    std::optional<JsonValue> value = arguments.value_at(argument.name);
    double share = 0;
    if (value && missed(scene, argument.must, *value, share).empty()) continue;
    return value && is_cut(value->text) ? Fit::perhaps : Fit::no;
  }
  if (!tool.schema || !find_violation(*tool.schema, *given)) return best;
  return is_cut(*given) ? Fit::perhaps : Fit::no;
}

/// Matched twice: with what surely fits, and with all that may, as arguments that cannot be read
/// might be the right ones. Only what fails even at best has failed; and where tools are missing
/// from a run whose last request has no answer on record, they may have been in that answer.
void judge_tools(const Case& scene, const ToolsExpected& expected, Verdict& verdict) {
  const std::vector<Action>& used = scene.actions.tools();
  ToolMatcher matcher(scene, expected);
  std::vector<size_t> use_of, perhaps;
  verdict.score = matcher.score(matcher.meet(Fit::yes, use_of));
  double at_best = matcher.score(matcher.meet(Fit::perhaps, perhaps));
  std::string_view order = kOrderWords[static_cast<size_t>(expected.order)];
  verdict.message = fmt::format("{}: expected {}; used {}", order, matcher.expected_words(),
                                matcher.used_words());
  for (size_t k : use_of)
    if (k != ToolMatcher::kNone)
      verdict.evidence.push_back(scene.evidence_of(used[k], scene.text(used[k].name())));
  if (verdict.score >= 1) return;

  if (at_best >= 1) {
    verdict.status = Judged::insufficient;
    verdict.message += "; their arguments cannot be read";
    return;
  }
  verdict.status = Judged::failed;
  bool is_missing = false;
  for (size_t i = 0; i < use_of.size(); ++i) {
    if (use_of[i] != ToolMatcher::kNone) continue;
    is_missing = true;
    std::string why = matcher.why(expected.tools[i], verdict.evidence);
    if (why.empty()) why = lack_of(scene, expected.tools[i].name, use_of, verdict.evidence);
    verdict.message += "; " + why;
  }
  if (!is_missing)
    for (size_t k = 0; k < used.size(); ++k)
      if (std::find(use_of.begin(), use_of.end(), k) == use_of.end()) {
        verdict.evidence.push_back(scene.evidence_of(used[k], scene.text(used[k].name())));
        verdict.message += "; not expected: " + scene.text(used[k].name());
        break;
      }
  if (const Action* torn = scene.actions.torn(); is_missing && torn != nullptr) {
    verdict.status = Judged::insufficient;
    verdict.message += "; the last request has no recorded reply";
    verdict.evidence.push_back(scene.evidence_of(*torn, "no recorded reply"));
  }
  if (verdict.evidence.empty() && !scene.actions.models().empty())
    verdict.evidence.push_back(
        scene.evidence_of(scene.actions.models().back(), "the last request"));
}

}  // namespace xtrace
