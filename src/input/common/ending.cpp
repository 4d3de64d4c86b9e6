#include "input/common/ending.h"

#include <algorithm>
#include <iterator>

#include "base/digits.h"
#include "base/number.h"
#include "base/word_table.h"

namespace xtrace {

namespace {

/// By Folded: the words of OpenTelemetry, LangSmith, Langfuse, MLflow, Weave, Logfire, Sentry,
/// gRPC, A2A, the Responses API and pipelines. A word that is missing here states nothing.
constexpr WordRow<Outcome> kStatuses[] = {
    {Outcome::ok,
     {"ok", "success", "succeeded", "successful", "completed", "complete", "done", "ended",
      "finished", "cached", "skipped", "pass", "passed"}},
    // Weave: only what it called failed
    {Outcome::ok, {"descendanterror"}},
    {Outcome::error,
     {"error",    "errored",        "fail",     "failed",   "failure",    "fatal",
      "critical", "exception",      "timeout",  "timedout", "canceled",   "cancelled",
      "aborted",  "interrupted",    "killed",   "stopped",  "terminated", "crashed",
      "expired",  "upstreamfailed", "rejected", "denied",   "declined"}},
    // Of gRPC, and of Sentry, which has them for spans; https://grpc.io/docs/guides/status-codes
    {Outcome::error,
     {"unknownerror", "invalidargument", "deadlineexceeded", "notfound", "alreadyexists",
      "permissiondenied", "resourceexhausted", "failedprecondition", "outofrange", "unimplemented",
      "internal", "internalerror", "unavailable", "dataloss", "unauthenticated"}},
    // It has not ended:
    {Outcome::unfinished,
     {"pending",      "pendingspan",    "queued",           "scheduled",  "waiting",
      "paused",       "suspended",      "submitted",        "validating", "inputrequired",
      "authrequired", "requiresaction", "awaitingapproval", "started",    "running",
      "working",      "processing",     "executing",        "inprogress", "unfinished"}},
    // Of our own answers:
    {Outcome::unanswered, {"unanswered"}},
    {Outcome::unrecorded, {"notrecorded"}},
};

/// Words that state nothing, and of which that is known.
constexpr std::string_view kSilent[] = {"",     "unset",   "none", "null",  "unknown",
                                        "info", "default", "warn", "debug", "warning"};

/// Small letters and digits without what OpenTelemetry puts before them: `STATUS_CODE_ERROR`,
/// `StatusCode.ERROR` and `Error` are `error`.
class Folded {
 public:
  explicit Folded(std::string_view status) {
    for (char c : status) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
      if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9')) continue;
      if (length_ == sizeof(room_)) {
        is_long_ = true;
        return;
      }
      room_[length_++] = c;
    }
  }
  bool is_long() const { return is_long_; }
  std::string_view word() const {
    std::string_view word(room_, length_);
    for (std::string_view prefix : {"statuscode", "spanstatus"})
      if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
    return word;
  }

 private:
  char room_[32];
  size_t length_ = 0;
  bool is_long_ = false;  ///< no status is
};

/// OpenTelemetry counts unset, ok and error; larger ones are those of HTTP.
Outcome outcome_of_code(int64_t code) {
  if (code == 1 || (code >= 100 && code < 400)) return Outcome::ok;
  if (code == 2 || (code >= 400 && code < 600)) return Outcome::error;
  return Outcome::unknown;
}

/// Returns unknown for a word that states nothing.
Outcome find_status(std::string_view folded) {
  return find_meaning(kStatuses, folded, Outcome::unknown);
}

/// A word, a code, or an object that holds one.
void read_status(json::element value, Ending& ending) {
  if (json::is_string(value)) {
    ending.state(outcome_named(json::text(value)));
    ending.is_odd |= is_odd_status(json::text(value));
  }
  ending.state(outcome_of_code(json::count(value, 0)));
  json::fields(value, [&](std::string_view key, json::element part) {
    if (is_one_of(key, {"code", "status_code", "statusCode"}) && !json::is_object(part))
      read_status(part, ending);
  });
}

/// Is there an error at all? Some write an empty one where there is none.
bool is_error(json::element value) {
  if (json::is_string(value)) return !is_one_of(json::text(value), {"", "false", "0"});
  bool any = json::is_true(value) || json::count(value, 0) != 0;  // Datadog counts: 0 or 1
  json::fields(value, [&](std::string_view, json::element) { any = true; });
  return any;
}

/// How a field states it.
enum class States : uint8_t {
  status,
  level,  ///< of a log: one of an error states that, and no other states anything
  error,  ///< what went wrong
  failed_if_true,
  failed_if_false,
  open_if_true,
  open_if_false,
};
struct Field {
  std::string_view key;
  States states;
};
constexpr Field kFields[] = {
    {"status", States::status},
    {"status_code", States::status},           // Phoenix, MLflow
    {"statusCode", States::status},            // spans of one's own
    {"otel_status_code", States::status},      // Logfire
    {"level", States::level},                  // Langfuse, Logfire
    {"error", States::error},                  // LangSmith, the Agents SDK, inspect_ai
    {"is_exception", States::failed_if_true},  // Logfire
    {"error_info", States::error},             // Opik
    {"failed", States::failed_if_true},        // inspect_ai
    {"fault", States::failed_if_true},         // X-Ray, as the next ones
    {"throttle", States::failed_if_true},
    {"in_progress", States::open_if_true},
    {"is_error", States::failed_if_true},
    {"isError", States::failed_if_true},  // MCP
    {"success", States::failed_if_false},
    {"pending", States::open_if_true},  // inspect_ai
    {"ended", States::open_if_false},   // OpenTelemetry's JavaScript
};

}  // namespace

bool is_truth(json::element value, bool wanted) {
  bool truth = false;
  if (!value.get_bool().get(truth)) return truth == wanted;
  const std::string_view word = json::text(value);
  return wanted ? is_one_of(word, {"true", "True"}) : is_one_of(word, {"false", "False"});
}

Outcome outcome_named(std::string_view status) {
  if (are_digits(status)) return outcome_of_code(number_of<int64_t>(status).value_or(0));
  const Folded folded(status);
  return folded.is_long() ? Outcome::unknown : find_status(folded.word());
}

bool is_odd_status(std::string_view status) {
  if (are_digits(status)) return false;
  const Folded folded(status);
  return folded.is_long() ||
         (find_status(folded.word()) == Outcome::unknown && !is_one_of(folded.word(), kSilent));
}

Outcome outcome_of_grpc(json::element code, bool is_served) {
  // In the order of their codes; what a server answers for is marked.
  constexpr struct {
    std::string_view word;
    bool is_of_server;
  } kCodes[] = {{"ok", false},
                {"cancelled", false},
                {"unknown", true},
                {"invalidargument", false},
                {"deadlineexceeded", true},
                {"notfound", false},
                {"alreadyexists", false},
                {"permissiondenied", false},
                {"resourceexhausted", false},
                {"failedprecondition", false},
                {"aborted", false},
                {"outofrange", false},
                {"unimplemented", true},
                {"internal", true},
                {"unavailable", true},
                {"dataloss", true},
                {"unauthenticated", false}};
  const std::string_view text = json::text(code);
  int64_t number = are_digits(text) ? number_of<int64_t>(text).value_or(-1) : json::count(code, -1);
  const Folded folded(text);
  for (size_t i = 0; number < 0 && i < std::size(kCodes); ++i)
    if (kCodes[i].word == folded.word()) number = static_cast<int64_t>(i);
  if (number < 0 || number >= static_cast<int64_t>(std::size(kCodes))) return Outcome::unknown;
  if (number == 0) return Outcome::ok;
  return !is_served || kCodes[number].is_of_server ? Outcome::error : Outcome::unknown;
}

Outcome Ending::outcome() const {
  if (stated != Outcome::unknown) return stated;
  if (is_odd) return Outcome::unknown;
  return has_end ? Outcome::ok : Outcome::unfinished;
}

bool read_ending(std::string_view key, json::element value, Ending& ending) {
  const Field* field = std::find_if(std::begin(kFields), std::end(kFields),
                                    [&](const Field& one) { return one.key == key; });
  if (field == std::end(kFields)) return false;
  bool failed = false;
  switch (field->states) {
    case States::status: read_status(value, ending); break;
    case States::level: failed = outcome_named(json::text(value)) == Outcome::error; break;
    case States::error: failed = is_error(value); break;
    case States::failed_if_true: failed = is_truth(value, true); break;
    case States::failed_if_false: failed = is_truth(value, false); break;
    case States::open_if_true:
    case States::open_if_false:
      if (is_truth(value, field->states == States::open_if_true)) ending.state(Outcome::unfinished);
      break;
  }
  if (failed) ending.state(Outcome::error);
  return true;
}

}  // namespace xtrace
