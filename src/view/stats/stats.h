#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "facts/error_class.h"
#include "link/activities/context_use.h"
#include "link/activities/repeated.h"
#include "link/waste/waste.h"
#include "view/calls/tree_frame.h"
#include "view/stats/repeats.h"
#include "view/stats/tally.h"

namespace xtrace {

/// How many findings of waste it shows; `advise` has all of them.
constexpr size_t kFirstWaste = 3;

/// Everything that an answer of `stats` is made from.
struct Stats {
  const Question& question;
  const Names& names;
  CellArena& arena;
  WorkLog log;
  StatsBy by = StatsBy::nothing;
  const CallScene* calls = nullptr;      ///< nullptr: the input contains spans only
  const CallAccount* account = nullptr;  ///< of calls
  const HopScene* spans = nullptr;       ///< that no call covers; nullptr: there are none
  std::vector<RetryChain> retries;
  std::vector<Repeated> repeated;
  std::vector<Waste> waste;            ///< of calls
  CallId context_call{};               ///< the one of `context`
  std::vector<ContextPart> context{};  ///< what fills it
  bool is_context_chosen = false;      ///< by its user; else it is the fullest
  std::optional<CallPlaces> places{};  ///< of calls, for the text

  Text name(std::string_view name) const { return names.text(name); }
  /// The same of a group of `--by`.
  Text group_name(std::string_view name) const {
    return row_of(by).is_shown ? question.door.composed(std::string(name)) : names.text(name);
  }
  Text turn(const CallTurn& turn) const { return question.door.composed(account->name(turn)); }
  /// What all but the first of such model calls cost.
  Usage again(const Repeated& same) const;
  Text id(const CallOrHop& node) const;
  Text at(const CallOrHop& node) const;
  /// The same for the text, with the title that it has there.
  Text place(const CallOrHop& node) const {
    return places && node.call ? places->of(node.call) : at(node);
  }
  Outline::Column place_column(Text at, Text line) const;
  /// What may run at the same time: model calls, or if spans record none, all spans with nothing
  /// below them.
  Parallel at_once(const Tally& models) const;
};

/// A row of a table of groups: by what it is one, and its work.
struct Grouped {
  std::string_view name;  ///< empty: not known
  Tally models, tools;    ///< model calls, tool uses
  std::vector<const AgentLife*> lives;
  // Where calls are attributed to what set them off:
  Usage by_subagents{};     ///< of calls that subagents made
  Usage guessed{};          ///< of calls that are attributed with a confidence below 1
  double confidence = 1;    ///< of the least certain of them
  Rule rule = Rule::stamp;  ///< by which that one is attributed; with any guess only
  int64_t hook_runs = kNoCount;
  void add(const Work& work);
  void add(const AgentLife& life);
  int64_t instances() const;
  int64_t spawned() const;
  int64_t unrecorded() const;
  std::vector<Duration> lifetimes(bool of_spawned) const;
  bool is_empty() const {
    return models.is_empty() && tools.sum.calls == 0 && lives.empty() && hook_runs < 0;
  }
};

/// All that is shown.
Grouped all_of(const Stats& stats);
/// What tables of `stats` have a row for.
enum class StatsAxis : uint8_t { model, provider, agent, tool, operation };
/// Returns the groups of an axis, the one with most calls (or uses) first. All of an operation is
/// in `models`, whatever it was.
std::vector<Grouped> group_by(const Stats& stats, StatsAxis axis);
/// Groups of `--by`, in the order that people look for them; what belongs to none is last.
std::vector<Grouped> by_group(const Stats& stats);

/// What went wrong how often.
struct ErrorCount {
  std::string_view of;  ///< model or tool, …
  ErrorClass error_class = ErrorClass::other;
  /// The log's words for it and how often each, the most frequent first; empty: it gives none.
  std::vector<std::pair<std::string_view, int64_t>> words;
  int64_t times = 0;
};
/// A row for each class, the most frequent first.
std::vector<ErrorCount> errors_of(const Stats& stats);
/// The log's words for it as one text; empty: it gives none.
Text words_of(const ErrorCount& error, const Stats& stats);
std::string_view word(Work::Kind kind);

/// How what was tried again went, in all.
struct RetrySum {
  int64_t requests = 0, recovered = 0, most_attempts = 0;
  int64_t asked = 0, too_early = 0;  ///< attempts that were to wait, and that did not as long
  std::vector<Duration> back_offs;
};
RetrySum retry_sum(const Stats& stats);

/// The table `groups`, and the same without rows.
Table group_table(const Stats& stats);
Table empty_group_table();

/// The table `statements`: every record that states usage and is no call that counts, and why it is
/// in no sum, or in sums only with what it states beyond its calls (link/ledger).
Table statements_table(const Graph& graph, const Names& names);
std::span<const Column> statements_columns();

/// The sections of the answer as tables, and as text.
void add_stats_tables(const Stats& stats, Document& document);
void add_stats_outlines(const Stats& stats, std::vector<Text> foot, Document& document);

/// Of the tables alone, without their rows.
enum class StatsOf : uint8_t { calls, spans };
std::vector<Section> stats_sections(StatsOf of);

}  // namespace xtrace
