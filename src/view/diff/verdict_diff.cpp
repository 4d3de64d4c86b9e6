#include "view/diff/verdict_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/text.h"
#include "settings/settings_file.h"
#include "view/common/field.h"
#include "view/common/names.h"
#include "view/common/preface.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

using Change = VerdictChange::Kind;

/// Does it begin as an answer of eval does? A log may be too big to be read for that.
bool begins_as_eval(const std::string& path) {
  std::ifstream file(path);
  std::string head(256, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(file.gcount()));
  std::erase_if(head, [](char byte) { return byte == ' ' || byte == '\n' || byte == '\r'; });
  return head.starts_with(R"({"schema":"xtrace.eval/)");
}

Change kind_of(const JudgedSuite::Scenario* before, const JudgedSuite::Scenario* now) {
  if (before == nullptr) return Change::added;
  if (now == nullptr) return Change::missing;
  const bool did_pass = before->status == "passed", passes = now->status == "passed";
  if (did_pass != passes) return passes ? Change::newly_passing : Change::newly_failing;
  return before->status == now->status && before->score == now->score ? Change::equal
                                                                      : Change::changed;
}

Tone tone_of(Change kind) {
  switch (kind) {
    case Change::newly_failing:
    case Change::missing: return Tone::removed;
    case Change::newly_passing:
    case Change::added: return Tone::added;
    case Change::changed: return Tone::changed;
    case Change::equal: break;
  }
  return Tone::plain;
}

int64_t count_of(const std::vector<VerdictChange>& changes, Change kind) {
  return std::count_if(changes.begin(), changes.end(),
                       [&](const VerdictChange& change) { return change.kind == kind; });
}

Text status_of(const JudgedSuite::Scenario* scenario, Door& door) {
  return scenario == nullptr ? Text() : door.name_once(scenario->status);
}
Cell score_of(const JudgedSuite::Scenario* scenario) {
  return scenario == nullptr || !scenario->score ? Cell() : Cell(thousandths(*scenario->score));
}

/// Two answers of eval, and what became of their scenarios.
struct JudgedPair {
  const JudgedSuite &before, &now;
  const std::vector<VerdictChange>& changes;
  Door& door;
};
using PairRow = const JudgedPair&;

constexpr Field<JudgedPair> kCompared[] = {
    {{"old", "the older output of eval", CellKind::text, true},
     [](PairRow r) -> Cell { return r.door.name_once(r.before.path); }},
    {{"new", "the newer output of eval", CellKind::text, true},
     [](PairRow r) -> Cell { return r.door.name_once(r.now.path); }},
    {{"newly_failing", "scenarios that passed before and no longer do", CellKind::integer, true},
     [](PairRow r) -> Cell { return count_of(r.changes, Change::newly_failing); }},
    {{"newly_passing", "", CellKind::integer, true},
     [](PairRow r) -> Cell { return count_of(r.changes, Change::newly_passing); }},
    {{"missing", "scenarios that the newer output does not contain", CellKind::integer, true},
     [](PairRow r) -> Cell { return count_of(r.changes, Change::missing); }},
    {{"added", "scenarios that the older output does not contain", CellKind::integer, true},
     [](PairRow r) -> Cell { return count_of(r.changes, Change::added); }},
};

struct VerdictChangeRow {
  PairRow of;
  const VerdictChange& change;

  Cell at(const JudgedSuite& suite, const JudgedSuite::Scenario* scenario) const {
    if (scenario == nullptr) return {};
    return of.door.say("{}:{}", of.door.name_once(suite.path).view(), scenario->line);
  }
};
using VerdictRow = const VerdictChangeRow&;

constexpr Field<VerdictChangeRow> kVerdicts[] = {
    {{"scenario", "", CellKind::text, true},
     [](VerdictRow r) -> Cell { return r.of.door.name_once(r.change.scenario); }},
    {{"change", "newly_failing, missing, newly_passing, changed (status or score), added or equal",
      CellKind::text, true},
     [](VerdictRow r) -> Cell { return Door::own(word(r.change.kind)); }},
    {{"old_status", "passed, failed or insufficient_evidence", CellKind::text},
     [](VerdictRow r) { return known(status_of(r.change.before, r.of.door)); }},
    {{"new_status", "", CellKind::text},
     [](VerdictRow r) { return known(status_of(r.change.now, r.of.door)); }},
    {{"old_score", "", CellKind::number}, [](VerdictRow r) { return score_of(r.change.before); }},
    {{"new_score", "", CellKind::number}, [](VerdictRow r) { return score_of(r.change.now); }},
    {{"old_at", "location in the older output", CellKind::text},
     [](VerdictRow r) { return r.at(r.of.before, r.change.before); }},
    {{"new_at", "", CellKind::text}, [](VerdictRow r) { return r.at(r.of.now, r.change.now); }},
};

Outline outline_of(const std::vector<VerdictChange>& changes, Door& door) {
  Outline outline;
  outline.columns = {{"change", false}, {"scenario", false, true}, {"old", false},
                     {"new", false},    {"score", true},           {"now", true}};
  std::string counts;
  for (size_t i = 0; i < std::size(kVerdictChangeWords); ++i) {
    int64_t count = count_of(changes, static_cast<Change>(i));
    std::string what(kVerdictChangeWords[i]);
    std::replace(what.begin(), what.end(), '_', ' ');
    if (count > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, what);
  }
  for (const VerdictChange& change : changes)
    if (change.kind != Change::equal)
      outline.lines.push_back({0,
                               tone_of(change.kind),
                               {Door::own(word(change.kind)), door.name_once(change.scenario),
                                status_of(change.before, door), status_of(change.now, door),
                                score_of(change.before), score_of(change.now)}});
  outline.foot.push_back(
      door.say("{}: {}", plural(static_cast<int64_t>(changes.size()), "scenario"), counts));
  return outline;
}

}  // namespace

Result<std::optional<JudgedSuite>> read_judged_suite(const std::string& path) {
  if (!begins_as_eval(path)) return std::nullopt;
  Result<Setting> root = read_settings(path, {"output of eval"});
  if (!root) return fail(Exit::input, root.error().what);
  JudgedSuite suite;
  suite.path = path;
  const Setting* list = root->find("scenarios");
  if (list == nullptr || list->kind != Setting::Kind::list)
    return fail(
        Exit::input,
        fmt::format(
            "{}: eval output without scenarios; use a file written by `xtrace eval -f json`",
            printable(path)));
  for (const SettingItem& item : list->items) {
    const Setting *id = item.value.find("id"), *status = item.value.find("status");
    if (id == nullptr || status == nullptr)
      return fail(Exit::input, fmt::format("{}:{}: a scenario without its id or status",
                                           printable(path), item.value.line));
    JudgedSuite::Scenario scenario{status->text, {}, item.value.line};
    if (const Setting* score = item.value.find("score"))
      if (Result<double> number = number_of(path, *score, "score"); number)
        scenario.score = *number;
    suite.scenarios.emplace(id->text, scenario);
  }
  return suite;
}

std::vector<VerdictChange> compare(const JudgedSuite& before, const JudgedSuite& now) {
  std::set<std::string> names;
  for (const JudgedSuite* suite : {&before, &now})
    for (const auto& [name, scenario] : suite->scenarios) names.insert(name);
  auto find = [](const JudgedSuite& suite, const std::string& name) {
    auto found = suite.scenarios.find(name);
    return found == suite.scenarios.end() ? nullptr : &found->second;
  };
  std::vector<VerdictChange> changes;
  for (const std::string& name : names) {
    const JudgedSuite::Scenario *was = find(before, name), *is = find(now, name);
    changes.push_back({name, kind_of(was, is), was, is});
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const VerdictChange& a, const VerdictChange& b) { return a.kind < b.kind; });
  return changes;
}

Result<Document> answer_about(const JudgedSuite& before, const JudgedSuite& now,
                              const Question& question, const std::vector<std::string>& fail_if,
                              bool exit_code) {
  const std::vector<VerdictChange> changes = compare(before, now);
  bool fails =
      exit_code && count_of(changes, Change::equal) != static_cast<int64_t>(changes.size());
  for (const std::string& one : fail_if) {
    if (one != "newly_failing" && one != "missing")
      return fail(Exit::usage,
                  fmt::format("--fail-if: for eval output use newly_failing or missing, not '{}'",
                              printable(one)));
    fails |= count_of(changes, one == "missing" ? Change::missing : Change::newly_failing) > 0;
  }
  if (question.face == Face::drawing)
    return fail(Exit::usage, "eval output cannot be drawn; use -f text or -f json");
  Document document("diff");
  if (fails) document.say_no();
  Door& door = question.door;
  if (question.face == Face::outline) {
    document.add(outline_of(changes, door));
    return document;
  }
  add_preface("xtrace.diff/1", question, Names(question.graph, door), {}, document);
  const JudgedPair pair{.before = before, .now = now, .changes = changes, .door = door};
  document.add(record_of<kCompared>("verdicts_compared", pair));
  Table verdicts = table_of<kVerdicts>("verdicts");
  for (const VerdictChange& change : changes) add_fields(kVerdicts, {pair, change}, verdicts);
  document.add(std::move(verdicts));
  return document;
}

Shape shape_of_verdict_diff() {
  static const std::vector<Section> kShape = shape_of_answer(
      {Record{table_of<kCompared>("verdicts_compared")}, table_of<kVerdicts>("verdicts")});
  return kShape;
}

}  // namespace xtrace
