#include <fmt/format.h>

#include <algorithm>

#include "view/stats/stats_fields.h"

namespace xtrace {

namespace {

constexpr Column kErrors[] = {
    {"of", "model, tool, agent, retrieval or other", CellKind::text, true},
    {"class",
     "model: authentication (401, 403), rate_limit (429), validation (400, 404, 413, 422), network "
     "(no connection or timeout), provider (other 5xx, overloaded), cancelled (the user did not "
     "wait for the reply); tool: not_found (no such tool), invalid_arguments (do not match the "
     "tool's schema), execution, timeout, denied (by the user or a rule), cancelled (stopped, e.g. "
     "because another tool failed); other: not recorded",
     CellKind::text, true},
    {"error",
     "the three most frequent error names in the log, followed by the number of other names",
     CellKind::text},
    {"times", "", CellKind::integer, true},
    {"share", "share of all failures", CellKind::number, true},
};

constexpr Column kAsked[] = {
    {"attempt", "number of the attempt; 2 is the first retry", CellKind::integer, true},
    {"asked_ms", "wait requested in the reply to the previous attempt", CellKind::milliseconds,
     true},
    {"waited_ms", "actual wait since the end of the previous attempt", CellKind::milliseconds},
};

constexpr Column kRetries[] = {
    {"call",
     "the first attempt; because spans do not record requests, a span counts as a retry if its "
     "caller, target, name and cause are the same",
     CellKind::text, true},
    {"at", "", CellKind::text, true},
    {"model", "model; for spans, also the tool or the name of the span", CellKind::text},
    {"attempts", "number of attempts, including the first", CellKind::integer, true},
    {"status", "outcome of the last attempt", CellKind::text, true},
    {"errors", "errors of the failed attempts, in order", CellKind::texts},
    {"back_offs_ms",
     "waits from the end of an attempt to the start of the next, in whole milliseconds",
     CellKind::integers},
    {"asked_to_wait", "waits that reply headers requested: retry-after, exhausted rate limits",
     CellKind::rows, false, kAsked},
};

constexpr Column kRepeated[] = {
    {"of", "model or tool", CellKind::text, true},
    {"name", "name of the model or tool", CellKind::text},
    {"same",
     "what is equal: the request, including model, system prompt and parameters; for tools, within "
     "a session, all arguments, or only the command or the target; for spans, caller, target, name "
     "and route within a run",
     CellKind::text, true},
    {"target", "file or URL", CellKind::text},
    {"times", "", CellKind::integer, true},
    {"first", "the first call", CellKind::text, true},
    {"at", "location of the first call", CellKind::text, true},
    {"cost_usd", "cost of the repetitions, without the first call", CellKind::number},
    {"tokens", "tokens of the repetitions, without the first call", CellKind::integer},
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
  Table table{"errors", kErrors};
  std::vector<ErrorCount> errors = errors_of(stats);
  int64_t all = 0;
  for (const ErrorCount& error : errors) all += error.times;
  for (const ErrorCount& error : errors)
    table.add({Door::own(error.of), Door::own(word(error.error_class)),
               known(words_of(error, stats)), error.times, rate(error.times, all)});
  return table;
}

Table retry_table(const Stats& stats) {
  Table table{"retries", kRetries};
  for (const RetryChain& chain : stats.retries) {
    Texts errors;
    Integers waits;
    Table asked{{}, kAsked};
    for (size_t i = 0; i < chain.attempts.size(); ++i) {
      const RetryChain::Attempt& attempt = chain.attempts[i];
      if (attempt.outcome != Outcome::ok) {
        Text error = stats.name(attempt.error);
        errors.push_back(error.empty() ? Door::own(word(attempt.outcome)) : error);
      }
      if (attempt.waited != kNoDuration)
        waits.push_back(std::chrono::floor<std::chrono::milliseconds>(attempt.waited).count());
      if (attempt.was_asked != kNoDuration)
        asked.add({static_cast<int64_t>(i + 1), attempt.was_asked, known(attempt.waited)});
    }
    const RetryChain::Attempt& first = chain.attempts.front();
    table.add({stats.id(first.node), stats.at(first.node), known(stats.name(chain.name)),
               static_cast<int64_t>(chain.attempts.size()), Door::own(word(chain.ended)),
               some(std::move(errors), stats.arena), stats.arena.keep(std::move(waits)),
               some(std::move(asked), stats.arena)});
  }
  return table;
}

Table repeated_table(const Stats& stats) {
  Table table{"repeated", kRepeated};
  for (const Repeated& same : stats.repeated) {
    bool is_model = same.same == Repeated::Same::request;
    const Usage again = stats.again(same);
    table.add({is_model ? Text("model") : Text("tool"), known(stats.name(same.name)),
               Door::own(kSameWords[static_cast<size_t>(same.same)]),
               same.target ? known(stats.name(stats.question.graph.trace()[same.target])) : Cell(),
               static_cast<int64_t>(same.times), stats.id({same.first, {}}),
               stats.at({same.first, {}}), is_model ? dollars(again.cost) : Cell(),
               is_model ? known(total_of(again.tokens)) : Cell()});
  }
  return table;
}

std::vector<Section> failure_sections() {
  return {Table{"errors", kErrors}, Table{"retries", kRetries}, Table{"repeated", kRepeated}};
}

}  // namespace xtrace
