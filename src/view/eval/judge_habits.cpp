#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "link/activities/deed.h"
#include "settings/arguments.h"
#include "settings/suite_schema.h"
#include "view/common/words.h"
#include "view/eval/judge.h"

namespace xtrace {

void judge_absence(const Case& scene, const ToolForbidden& forbidden, Verdict& verdict) {
  for (const Action& used : scene.actions.tools())
    if (fits_wildcards(forbidden.name, used.name()))
      verdict.evidence.push_back(scene.evidence_of(used, scene.text(used.name())));
  verdict.message = fmt::format("{} was not used", scene.text(forbidden.name));
  if (verdict.evidence.empty()) return;
  verdict.status = Judged::failed;
  verdict.score = 0;
  verdict.message = fmt::format("{} was used {}", scene.text(forbidden.name),
                                plural(static_cast<int64_t>(verdict.evidence.size()), "time"));
}

/// Arguments that cannot be read may be the forbidden ones: then nothing is known.
void judge_absence(const Case& scene, const CallForbidden& forbidden, Verdict& verdict) {
  std::vector<EvidenceRecord> unsure;
  std::string actual;
  for (const Action& used : scene.actions.tools()) {
    Fit is_it = fit(scene, forbidden.call, used);
    if (is_it == Fit::no) continue;
    EvidenceRecord evidence = scene.evidence_of(used, scene.text(used.name()));
    if (is_it == Fit::perhaps) {
      unsure.push_back(std::move(evidence));
      continue;
    }
    verdict.evidence.push_back(std::move(evidence));
    if (!actual.empty()) continue;
    if (std::optional<std::string> given = scene.actions.arguments(used))
      actual = scene.shown(*given);
  }
  std::string text = scene.text(forbidden.call.text);
  verdict.message = fmt::format("{} was not called", text);
  if (!verdict.evidence.empty()) {
    verdict.status = Judged::failed;
    verdict.score = 0;
    verdict.message =
        fmt::format("{} was called {}{}", text,
                    plural(static_cast<int64_t>(verdict.evidence.size()), "time"), actual);
  } else if (!unsure.empty()) {
    verdict.status = Judged::insufficient;
    verdict.message = fmt::format("{} may have been called: the arguments of {} cannot be read",
                                  text, scene.text(forbidden.call.name));
    verdict.evidence = std::move(unsure);
  }
}

namespace {

bool is_any_of(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& one) { return fits_wildcards(one, name); });
}

/// What failed did nothing, but for a command, which tells something by failing. Of what has no
/// outcome on record nobody knows.
Fit did_it(const Action& use) {
  if (!is_known(use.done->outcome)) return Fit::perhaps;
  return use.done->outcome == Outcome::ok || deed_of(use.name()) == Deed::ran ? Fit::yes : Fit::no;
}

/// Does the agent know what is in a file after writing it? Then a write counts as a read of it.
bool counts_as_read(const std::vector<ExpectedTool>& by, const Action& use) {
  return deed_of(use.name()) == Deed::wrote &&
         std::ranges::any_of(by, [](const auto& one) { return deed_of(one.name) == Deed::read; });
}

/// Is it a use of one of these?
Fit fit_any(const Case& scene, const std::vector<ExpectedTool>& tools, const Action& used) {
  Fit best = Fit::no;
  for (const ExpectedTool& one : tools) best = std::max(best, fit(scene, one, used));
  return best;
}

/// Uses that were before another; of what is asked for in one answer nobody knows the results yet.
class UsesBefore {
 public:
  void add(const Action& use) {
    const Answer answer = answer_of(use);
    if (!has_any_) first_ = answer;
    has_others_ |= !has_any_ ? answer == Answer() : answer != first_;
    has_any_ = true;
  }
  /// Is one of another answer among them?
  bool precede(const Action& use) const {
    return has_any_ && (has_others_ || first_ != answer_of(use));
  }

 private:
  using Answer = std::pair<CallId, SpanId>;  // nothing: none is told
  static Answer answer_of(const Action& use) {
    if (use.done->call) return {use.done->call, {}};
    return use.asked != nullptr ? Answer({}, use.span) : Answer();
  }

  Answer first_;
  bool has_any_ = false, has_others_ = false;
};

/// Where a tool's pattern is found in the argument that it is about; nothing: it has none.
std::optional<size_t> place_in(const Case& scene, const ExpectedTool& tool, const Action& used) {
  const std::optional<std::string> given = scene.actions.arguments(used);
  if (!given || tool.arguments.size() != 1 || !tool.arguments[0].must.matches) return std::nullopt;
  const std::optional<JsonValue> value = Arguments(*given).value_at(tool.arguments[0].name);
  size_t end = 0;
  const std::string text = value ? value->text : std::string();
  const std::string_view found = tool.arguments[0].must.matches->next(text, end);
  return found.empty() ? std::nullopt
                       : std::optional(static_cast<size_t>(found.data() - text.data()));
}

/// Does one command do both, in this order: `make check && git push`?
bool does_before(const Case& scene, const std::vector<ExpectedTool>& first,
                 const ExpectedTool& tool, const Action& used) {
  const std::optional<size_t> at = place_in(scene, tool, used);
  return at && std::ranges::any_of(first, [&](const ExpectedTool& one) {
           return fit(scene, one, used) == Fit::yes &&
                  place_in(scene, one, used).value_or(*at) < *at;
         });
}

std::string joined(const Case& scene, const std::vector<std::string>& names) {
  std::string words;
  for (const std::string& one : names) words += (words.empty() ? "" : " or ") + scene.text(one);
  return words;
}

}  // namespace

void judge_preceded(const Case& scene, const Preceded& preceded, Verdict& verdict) {
  std::vector<const Action*> uses;
  for (const Action& used : scene.actions.tools()) uses.push_back(&used);
  std::stable_sort(uses.begin(), uses.end(), [](const Action* a, const Action* b) {
    return a->done->start < b->done->start;
  });
  std::vector<std::string> names;
  for (const ExpectedTool& one : preceded.by) names.push_back(one.text);
  std::string tool = scene.text(preceded.tool.text), by = joined(scene, names);
  size_t count = 0, met = 0, unknown = 0;
  UsesBefore all;      // that it may be preceded by
  UsesBefore perhaps;  // if they did anything
  std::map<std::string_view, UsesBefore> of_target;
  for (size_t i = 0; i < uses.size(); ++i) {
    const Fit is_by = i > 0 ? fit_any(scene, preceded.by, *uses[i - 1]) : Fit::no;
    const bool is_read = i > 0 && is_by == Fit::no && preceded.same_target &&
                         counts_as_read(preceded.by, *uses[i - 1]);
    const Fit did = is_read            ? did_it(*uses[i - 1])
                    : is_by != Fit::no ? std::min(is_by, did_it(*uses[i - 1]))
                                       : Fit::no;
    if (did == Fit::perhaps) perhaps.add(*uses[i - 1]);
    if (did == Fit::yes) {
      if (is_by == Fit::yes) all.add(*uses[i - 1]);
      for (std::string_view target : scene.actions.targets(*uses[i - 1]))
        of_target[target].add(*uses[i - 1]);
    }
    const Fit is_it = fit(scene, preceded.tool, *uses[i]);
    if (is_it == Fit::no) continue;
    ++count;
    const std::vector<std::string_view> targets = scene.actions.targets(*uses[i]);
    // Of several files of a patch some may be new, of which nothing could come before.
    const bool is_known = !targets.front().empty();
    const bool is_preceded =
        preceded.same_target
            ? is_known && std::ranges::any_of(targets,
                                              [&](std::string_view target) {
                                                auto before = of_target.find(target);
                                                return !target.empty() &&
                                                       before != of_target.end() &&
                                                       before->second.precede(*uses[i]);
                                              })
            : all.precede(*uses[i]) || does_before(scene, preceded.by, preceded.tool, *uses[i]);
    const bool may_be = perhaps.precede(*uses[i]) ||
                        (is_known ? of_target[{}].precede(*uses[i]) : all.precede(*uses[i]));
    met += is_preceded;
    unknown += !is_preceded && (may_be || is_it == Fit::perhaps);
    if (!is_preceded) verdict.evidence.push_back(scene.evidence_of(*uses[i], tool));
  }
  verdict.message = count == 0 ? fmt::format("{} was not used", tool)
                               : fmt::format("{} of {} comes after {}",
                                             plural(static_cast<int64_t>(count), "use"), tool, by);
  if (met == count) return;
  verdict.status = met + unknown == count ? Judged::insufficient : Judged::failed;
  verdict.score = static_cast<double>(met) / static_cast<double>(count);
  if (verdict.status == Judged::insufficient)
    return void(verdict.message =
                    fmt::format("the {} of {} of {} of {}, or of {} before it, {} not recorded",
                                preceded.same_target ? "target" : "arguments or outcome", unknown,
                                plural(static_cast<int64_t>(count), "use"), tool, by,
                                preceded.same_target ? "is" : "are"));
  verdict.message = fmt::format("{} of {} of {} came before any {}{}", count - met - unknown,
                                plural(static_cast<int64_t>(count), "use"), tool, by,
                                preceded.same_target ? " of the same target" : "");
}

/// The user confirms a use whose last word on it is no refusal: what they say, after the agent said
/// something, in the request that asks for it, or what they answered to a question before. That a
/// client asked by a dialog of its own no log tells.
void judge_confirmed(const Case& scene, const Confirmed& confirmed, Verdict& verdict) {
  int64_t count = 0, met = 0, unknown = 0;
  std::map<AgentActions::Doer, std::map<CallId, std::optional<bool>>> consents_of;
  for (const Action& used : scene.actions.tools()) {
    if (!is_any_of(confirmed.tools, used.name())) continue;
    ++count;
    const AgentActions::Doer agent = scene.actions.doer_of(used);
    auto [consents, is_new] = consents_of.try_emplace(agent);
    if (is_new) consents->second = scene.actions.consents_to(agent);
    const std::optional<bool> is_confirmed = consents->second[used.done->call];
    met += is_confirmed.value_or(false);
    unknown += !is_confirmed;
    if (!is_confirmed.value_or(false))
      verdict.evidence.push_back(scene.evidence_of(used, scene.text(used.name())));
  }
  std::string tools = joined(scene, confirmed.tools);
  verdict.message =
      count == 0 ? fmt::format("{} was not used", tools)
                 : fmt::format("the user consented before {} of {}", plural(count, "use"), tools);
  if (met == count) return;
  int64_t unasked = count - met - unknown;
  verdict.status = unasked > 0 ? Judged::failed : Judged::insufficient;
  verdict.score = static_cast<double>(met) / static_cast<double>(count);
  verdict.message = unasked > 0
                        ? fmt::format("{} of {} of {} without the user's consent", unasked,
                                      plural(count, "use"), tools)
                        : fmt::format("it is unknown whether the user consented to {}", tools);
}

/// Of tools of which the request declares a schema that can be heeded.
void judge_arguments(const Case& scene, Verdict& verdict) {
  int64_t checked = 0, wrong = 0, unknown = 0;
  std::map<std::string, std::optional<JsonSchema>> schemas;  // by their text
  for (const Action& used : scene.actions.tools()) {
    std::optional<std::string> declared = scene.actions.declared(used);
    std::optional<std::string> given = scene.actions.arguments(used);
    if (!declared || !given || is_cut(*given)) {
      ++unknown;
      continue;
    }
    auto [at, is_new] = schemas.try_emplace(*declared);
    if (is_new) at->second = schema_of_json(*declared);
    if (!at->second) {
      ++unknown;
      continue;
    }
    ++checked;
    std::optional<SchemaViolation> found = find_violation(*at->second, *given);
    if (!found) continue;
    ++wrong;
    std::string name = scene.text(used.name());
    std::string of = found->path.empty()
                         ? "the input of " + name
                         : fmt::format("argument {} of {}", scene.text(found->path), name);
    verdict.evidence.push_back(scene.evidence_of(used, name));
    verdict.message +=
        fmt::format("{}{} {}{}", verdict.message.empty() ? "" : "; ", of, scene.text(found->what),
                    found->value.empty() ? "" : scene.shown(found->value));
  }
  if (wrong > 0) {
    verdict.status = Judged::failed;
    verdict.score = static_cast<double>(checked - wrong) / static_cast<double>(checked);
    return;
  }
  verdict.message = fmt::format("{}: arguments match the declared schemas", plural(checked, "use"));
  if (checked == 0 && unknown == 0) verdict.message = "no tool was used";
  if (checked > 0 || unknown == 0) return;
  verdict.status = Judged::insufficient;
  verdict.message = "no recorded request declares a schema for the tools used";
}

}  // namespace xtrace
