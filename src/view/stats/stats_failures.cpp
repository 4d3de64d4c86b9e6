#include <fmt/format.h>

#include <algorithm>

#include "view/stats/stats_fields.h"

namespace xtrace {

namespace {

struct ErrorRow {
  const Stats& stats;
  const ErrorCount& error;
  int64_t all;  ///< failures of every kind
};

constexpr Field<ErrorRow> kErrors[] = {
    {{"of", "model, tool, agent, retrieval or other", CellKind::text, true},
     [](const ErrorRow& row) { return Cell(Door::own(row.error.of)); }},
    {{"class",
      "model: authentication (401, 403), rate_limit (429), validation (400, 404, 413, 422), "
      "network "
      "(no connection or timeout), provider (other 5xx, overloaded), cancelled (the user did not "
      "wait for the reply); tool: not_found (no such tool), invalid_arguments (do not match the "
      "tool's schema), execution, timeout, denied (by the user or a rule), cancelled (stopped, "
      "e.g. "
      "because another tool failed); other: not recorded",
      CellKind::text, true},
     [](const ErrorRow& row) { return Cell(Door::own(word(row.error.error_class))); }},
    {{"error",
      "the three most frequent error names in the log, followed by the number of other names",
      CellKind::text},
     [](const ErrorRow& row) { return known(words_of(row.error, row.stats)); }},
    {{"times", "", CellKind::integer, true},
     [](const ErrorRow& row) { return Cell(row.error.times); }},
    {{"share", "share of all failures", CellKind::number, true},
     [](const ErrorRow& row) { return rate(row.error.times, row.all); }},
};

struct AskedRow {
  size_t number;
  const RetryChain::Attempt& attempt;
};

constexpr Field<AskedRow> kAsked[] = {
    {{"attempt", "number of the attempt; 2 is the first retry", CellKind::integer, true},
     [](const AskedRow& row) { return Cell(static_cast<int64_t>(row.number)); }},
    {{"asked_ms", "wait requested in the reply to the previous attempt", CellKind::milliseconds,
      true},
     [](const AskedRow& row) { return Cell(row.attempt.was_asked); }},
    {{"waited_ms", "actual wait since the end of the previous attempt", Role::waited},
     [](const AskedRow& row) { return known(row.attempt.waited); }},
};

struct RetryRow {
  const Stats& stats;
  const RetryChain& chain;
  CellArena& arena;

  const CallOrHop& first() const { return chain.attempts.front().node; }
};

Cell errors_in(const RetryRow& row) {
  Texts errors;
  for (const RetryChain::Attempt& attempt : row.chain.attempts) {
    if (attempt.outcome == Outcome::ok) continue;
    const Text error = row.stats.name(attempt.error);
    errors.push_back(error.empty() ? Door::own(word(attempt.outcome)) : error);
  }
  return some(std::move(errors), row.arena);
}

Cell back_offs_in(const RetryRow& row) {
  Integers waits;
  for (const RetryChain::Attempt& attempt : row.chain.attempts)
    if (attempt.waited != kNoDuration)
      waits.push_back(std::chrono::floor<std::chrono::milliseconds>(attempt.waited).count());
  return row.arena.keep(std::move(waits));
}

Cell asked_in(const RetryRow& row) {
  Table asked = table_of<kAsked>({});
  size_t number = 0;
  for (const RetryChain::Attempt& attempt : row.chain.attempts)
    if (++number; attempt.was_asked != kNoDuration) add_fields(kAsked, {number, attempt}, asked);
  return some(std::move(asked), row.arena);
}

constexpr Field<RetryRow> kRetries[] = {
    {{"call",
      "the first attempt; because spans do not record requests, a span counts as a retry if its "
      "caller, target, name and cause are the same",
      CellKind::text, true},
     [](const RetryRow& row) { return Cell(row.stats.id(row.first())); }},
    {{"at", "", CellKind::text, true},
     [](const RetryRow& row) { return Cell(row.stats.at(row.first())); }},
    {{"model", "model; for spans, also the tool or the name of the span", CellKind::text},
     [](const RetryRow& row) { return known(row.stats.name(row.chain.name)); }},
    {{"attempts", "number of attempts, including the first", CellKind::integer, true},
     [](const RetryRow& row) { return Cell(static_cast<int64_t>(row.chain.attempts.size())); }},
    {{"status", "outcome of the last attempt", Role::status, true},
     [](const RetryRow& row) { return Cell(Door::own(word(row.chain.ended))); }},
    {{"errors", "errors of the failed attempts, in order", CellKind::texts}, errors_in},
    {{"back_offs_ms",
      "waits from the end of an attempt to the start of the next, in whole milliseconds",
      CellKind::integers},
     back_offs_in},
    {{"asked_to_wait", "waits that reply headers requested: retry-after, exhausted rate limits",
      CellKind::rows, false, columns_of<kAsked>()},
     asked_in},
};

struct RepeatedRow {
  const Stats& stats;
  const Repeated& same;
  bool is_model = same.same == Repeated::Same::request;
  Usage again = stats.again(same);
};

constexpr Field<RepeatedRow> kRepeated[] = {
    {{"of", "model or tool", CellKind::text, true},
     [](const RepeatedRow& row) { return Cell(row.is_model ? Text("model") : Text("tool")); }},
    {{"name", "name of the model or tool", CellKind::text},
     [](const RepeatedRow& row) { return known(row.stats.name(row.same.name)); }},
    {{"same",
      "what is equal: the request, including model, system prompt and parameters; for tools, "
      "within a session, all arguments, or only the command or the target; for spans, caller, "
      "target, name and route within a run",
      CellKind::text, true},
     [](const RepeatedRow& row) {
       return Cell(Door::own(kSameWords[static_cast<size_t>(row.same.same)]));
     }},
    {{"target", "file or URL", CellKind::text},
     [](const RepeatedRow& row) {
       if (!row.same.target) return Cell();
       return known(row.stats.name(row.stats.question.graph.trace()[row.same.target]));
     }},
    {{"times", "", CellKind::integer, true},
     [](const RepeatedRow& row) { return Cell(static_cast<int64_t>(row.same.times)); }},
    {{"first", "the first call", CellKind::text, true},
     [](const RepeatedRow& row) {
       return Cell(row.stats.id({row.same.first, {}}));
     }},
    {{"at", "location of the first call", CellKind::text, true},
     [](const RepeatedRow& row) {
       return Cell(row.stats.at({row.same.first, {}}));
     }},
    {{"cost_usd", "cost of the repetitions, without the first call", Role::cost},
     [](const RepeatedRow& row) { return row.is_model ? dollars(row.again.cost) : Cell(); }},
    {{"tokens", "tokens of the repetitions, without the first call", Role::tokens},
     [](const RepeatedRow& row) {
       return row.is_model ? known(total_of(row.again.tokens)) : Cell();
     }},
};

}  // namespace

Text words_of(const ErrorCount& error, const Stats& stats) {
  constexpr size_t kMost = 3;  // a log that calls each failure something else would fill the page
  std::string words;
  for (size_t i = 0; i < std::min(kMost, error.words.size()); ++i) {
    const Text word = stats.name(error.words[i].first);
    if (word.empty()) continue;
    words += words.empty() ? "" : ", ";
    words += word.view();
  }
  if (error.words.size() > kMost) words += fmt::format(" and {} more", error.words.size() - kMost);
  return stats.question.door.composed(std::move(words));
}

Table error_table(const Stats& stats) {
  Table table = table_of<kErrors>("errors");
  std::vector<ErrorCount> errors = errors_of(stats);
  int64_t all = 0;
  for (const ErrorCount& error : errors) all += error.times;
  for (const ErrorCount& error : errors) add_fields(kErrors, {stats, error, all}, table);
  return table;
}

Table retry_table(const Stats& stats) {
  Table table = table_of<kRetries>("retries");
  for (const RetryChain& chain : stats.retries)
    add_fields(kRetries, {stats, chain, stats.arena}, table);
  return table;
}

Table repeated_table(const Stats& stats) {
  Table table = table_of<kRepeated>("repeated");
  for (const Repeated& same : stats.repeated)
    add_fields(kRepeated, {.stats = stats, .same = same}, table);
  return table;
}

std::vector<Section> failure_sections() {
  return {table_of<kErrors>("errors"), table_of<kRetries>("retries"),
          table_of<kRepeated>("repeated")};
}

}  // namespace xtrace
