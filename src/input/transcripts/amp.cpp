#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The threads of Amp, one a document:
//
//   {"v", "id": "T-…", "created", "title", "env": {"initial": {"trees": [{"uri"}]}}, "messages": [
//     {"role", "messageId", "content": [text, thinking, {"type": "tool_use", "id", "name", "input"}
//        or {"type": "tool_result", "toolUseID", "run": {"status", "result", "error"}}],
//      "state": {"type": "complete"|"cancelled"|"error", "stopReason"},
//      "usage": {"model", "inputTokens", "outputTokens", "cacheCreationInputTokens",
//                "cacheReadInputTokens", "timestamp"}}],
//    "usageLedger": {"events": [{"timestamp", "model", "operationType", "toMessageId",
//                                "tokens": {"input", "output", …}}]}}
//
// An event of the ledger is a call, of the message that it leads to; its credits are no dollars.
// One that leads to no message of the thread (its title, searches, what was asked and thrown away)
// is a call by itself.
//
// Its messages are numbered in each thread anew, so that the numbers name nothing.

namespace {

constexpr PieceShape kAmpPieces[] = {
    {.type = "text", .says = PieceShape::Says::text, .text = "text"},
    {.type = "thinking", .says = PieceShape::Says::thought},
    {.type = "redacted_thinking", .says = PieceShape::Says::thought},
    {.type = "tool_use",
     .says = PieceShape::Says::tool_use,
     .id = "id",
     .name = "name",
     .arguments = "input"},
    {.type = "tool_result",
     .says = PieceShape::Says::tool_result,
     .id = "toolUseID",
     .output = "run/result|run/error/message|run/error|run/status",
     .failed = {.exit_code = "run/result/exitCode",  // a command that ran is done, however it ended
                .word = "run/status",
                .words = "error|cancelled|rejected-by-user"}},
};

/// A tool that still ran when this was written gave nothing.
void drop_running(json::element message, Draft& draft) {
  json::element content;
  if (!json::find(message, "content", content)) return;
  std::set<std::string_view> running;
  json::items(content, [&](json::element piece) {
    if (json::text_on(piece, "run/status") == "in-progress")
      running.insert(json::text_at(piece, "toolUseID"));
  });
  std::erase_if(draft.blocks, [&](const Block& block) {
    return block.kind == Block::Kind::tool_result && running.contains(block.id);
  });
}

/// A thread that was cancelled or broke off ends with what had come until then.
void adjust_amp(json::element message, Utterance& said, Draft& draft) {
  drop_running(message, draft);
  if (said.kind != Utterance::Kind::answered) return;
  if (!is_one_of(json::text_on(message, "state/type"), {"cancelled", "error"})) {
    said.outcome = Outcome::ok;
    said.error = {};
  } else if (draft.blocks.empty()) {
    said.kind = Utterance::Kind::failed;
  }
}

constexpr MessageShape kAmpMessages = {
    .model = "usage/model",
    .time = "meta/sentAt|usage/timestamp",
    .pieces = kAmpPieces,
    .stop_reason = "state/stopReason|state/type",
    .error = "state/error|state/type",
    .usage = "usage",
    .counts = {.input = "inputTokens",
               .output = "outputTokens",
               .cache_read = "cacheReadInputTokens",
               .cache_write = "cacheCreationInputTokens"},
    .adjust = adjust_amp,
};

constexpr UsageShape kLedgerCounts = {.input = "input",
                                      .output = "output",
                                      .cache_read = "cacheReadInput|cacheReadInputTokens",
                                      .cache_write = "cacheCreationInput|cacheCreationInputTokens"};

/// The calls that a thread counts, by the message that they led to.
class Ledger {
 public:
  Ledger(json::element thread, const Part& whole, RecordContext& context) : context_(context) {
    json::element ledger;
    if (json::find(thread, "usageLedger", ledger))
      each_item(ledger, whole.field("usageLedger"), "events",
                [&](json::element event, const Part& part) {
                  note({event, part.at});
                });
  }

  /// The time and the model that the ledger has for a message.
  void date(json::element message, Utterance& common) const {
    for (const Event& event : events_of(message)) {
      read_time_on(event.element, "timestamp", common);
      if (const StringId model = context_.shard.intern(json::text_at(event.element, "model")))
        common.model = model;
    }
  }

  /// Adds what the message used up, behind it; further events of it are calls by themselves.
  void add(json::element message, const Utterance& common) {
    UsageTerms::Place place = UsageTerms::Place::before;
    for (const Event& event : events_of(message)) {
      add(event, common, place);
      place = UsageTerms::Place::none;
    }
    events_.erase(json::text_on(message, "messageId"));
  }

  /// Adds the calls that led to no message.
  void add_others(const Utterance& common, const Extent& at) {
    for (const auto& [message, events] : events_)
      for (const Event& event : events) add(event, common, UsageTerms::Place::none);
    for (const Event& event : others_) add(event, common, UsageTerms::Place::none);
    if (uncounted_ > 0)
      context_.shard.complain(
          Complaint::Kind::field, at,
          fmt::format("usage ledger events that match no message and are not counted: {}",
                      uncounted_));
  }

 private:
  struct Event {
    json::element element;
    Extent at;
  };

  void note(const Event& event) {
    const std::string work = json::text_on(event.element, "operationType");
    const std::string message = json::text_on(event.element, "toMessageId");
    const bool is_answer = !message.empty() && (work.empty() || work == "inference");
    (is_answer ? events_[message] : others_).push_back(event);
  }

  std::vector<Event> events_of(json::element message) const {
    const auto found = events_.find(json::text_on(message, "messageId"));
    const bool is_answer = json::text_at(message, "role") == "assistant";
    return found == events_.end() || !is_answer ? std::vector<Event>{} : found->second;
  }

  void add(const Event& event, const Utterance& common, UsageTerms::Place place) {
    json::element value;
    Utterance used = usage_of(common, {.form = UsageTerms::Form::piece, .place = place});
    used.source = event.at;
    used.outcome = Outcome::ok;
    read_time_on(event.element, "timestamp", used);
    used.model = context_.shard.intern(json::text_at(event.element, "model"));
    if (json::find(event.element, "tokens", value)) used.tokens = read_usage(value, kLedgerCounts);
    if (states_usage(used))
      context_.shard.add(used);
    else if (place == UsageTerms::Place::none)
      ++uncounted_;
  }

  RecordContext& context_;
  std::map<std::string, std::vector<Event>> events_;  ///< by the message they lead to
  std::vector<Event> others_;
  int64_t uncounted_ = 0;
};

void read_amp(const RecordMatcher& record, const Part& whole, Utterance&, RecordContext& context) {
  MessageReader messages(kAmpMessages, context);
  const std::string id = json::text_on(record, "id");
  messages.keep_apart(id);
  messages.common.session = context.shard.intern(id);
  Ledger ledger(record, whole, context);
  const Utterance common = messages.common;
  each_item(record, whole, "messages", [&](json::element message, const Part& part) {
    messages.common = common;
    ledger.date(message, messages.common);
    messages.read(message, part);
    ledger.add(message, messages.common);
  });
  ledger.add_others(common, whole.at);
}

void say_amp(json::element part, Draft& said) {
  say_message(part, kAmpMessages, said);
}

constexpr RecordShape kAmpRecords[] = {
    {.when = "id=T-* messages/0/messageId|usageLedger/events|messages/0/usage/inputTokens|"
             "messages/1/usage/inputTokens",
     .session = {.id = "id", .project = "env/initial/trees/0/uri", .ai_title = "title"},
     .read = read_amp,
     .say = say_amp},
};

}  // namespace

extern constinit const Format kAmp = format_of_shapes<kAmpRecords>("amp", "threads of Amp");

}  // namespace xtrace
