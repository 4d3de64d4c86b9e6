#include <fmt/format.h>

#include <algorithm>

#include "view/stats/stats_fields.h"

namespace xtrace {

namespace {

constexpr Column kErrors[] = {
    {"of", "model, tool, agent, retrieval or other", CellKind::text, true},
    {"class",
     "of a model: authentication (401, 403), rate_limit (429), validation (400, 404, 413, 422), "
     "network (no connection or no answer in time), provider (other 5xx, overloaded), cancelled "
     "(the user did not wait for the answer); of a tool: not_found (no such tool), "
     "invalid_arguments (not what "
     "it declares), execution, timeout, denied (a user or a rule did not let it run), cancelled "
     "(stopped, as when another one failed); other: the log does not tell, and nothing is guessed",
     CellKind::text, true},
    {"error",
     "the log's own words for it, the most frequent first; of more than three, how many more",
     CellKind::text},
    {"times", "", CellKind::integer, true},
    {"share", "of all that failed", CellKind::number, true},
};

constexpr Column kAsked[] = {
    {"attempt", "2: the first time again", CellKind::integer, true},
    {"asked_ms", "what the answer to the one before asked to wait", CellKind::milliseconds, true},
    {"waited_ms", "from the end of that one", CellKind::milliseconds},
};

constexpr Column kRetries[] = {
    {"call",
     "the first attempt; of spans a later one is of the same caller, called and name below the "
     "same cause, as what is asked is not on record",
     CellKind::text, true},
    {"at", "", CellKind::text, true},
    {"model", "or what else was asked: of spans, the tool or the span's name", CellKind::text},
    {"attempts", "the first one included", CellKind::integer, true},
    {"status", "of the last one", CellKind::text, true},
    {"errors", "of those that failed, in order", CellKind::texts},
    {"back_offs_ms", "from the end of an attempt to the start of the next, whole milliseconds",
     CellKind::integers},
    {"asked_to_wait", "where headers of the answers tell: retry-after, limits that are used up",
     CellKind::rows, false, kAsked},
};

constexpr Column kRepeated[] = {
    {"of", "model or tool", CellKind::text, true},
    {"name", "the model or the tool", CellKind::text},
    {"same",
     "what is equal: the request, with model, system prompt and parameters; of a tool within a "
     "session, all arguments, or else the command or the target alone; of spans, caller, called, "
     "name and route in a run",
     CellKind::text, true},
    {"target", "the file or address", CellKind::text},
    {"times", "", CellKind::integer, true},
    {"first", "the first call", CellKind::text, true},
    {"at", "where it stands", CellKind::text, true},
    {"cost_usd", "of all but the first", CellKind::number},
    {"tokens", "of all but the first", CellKind::integer},
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
