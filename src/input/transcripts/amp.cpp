#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/one_of.h"
#include "input/calls/message_draft.h"
#include "input/common/format.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/session_notes.h"
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
// An answer that does not tell what it used up may have it in the ledger: what an event counts went
// into the message that it leads to. Its credits are no dollars. Events that lead to no message of
// the thread (its title, searches, what was asked and thrown away) are part of what it used up in
// all.
//
// Its messages are numbered in each thread anew, so that the numbers name nothing.

namespace {

bool amp_tool_failed(json::element piece) {
  json::element code;
  int64_t exit = 0;
  // A command that ran is done, however it ended.
  if (json::follow(piece, "run/result/exitCode", code) && !code.get_int64().get(exit) && exit != 0)
    return true;
  return is_one_of(json::text_on(piece, "run/status"), {"error", "cancelled", "rejected-by-user"});
}

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
     .failed = amp_tool_failed},
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

/// What answers used up that do not tell it themselves.
class Ledger {
 public:
  Ledger(json::element thread, RecordContext& context) : context_(context) {
    json::element events, messages;
    if (!json::follow(thread, "usageLedger/events", events)) return;
    if (json::find(thread, "messages", messages))
      json::items(messages, [&](json::element message) { note_message(message); });
    std::vector<json::element> others;
    json::items(events, [&](json::element event) {
      const std::string work = json::text_on(event, "operationType");
      const std::string message = json::text_on(event, "toMessageId");
      if (answers_.contains(message) && (work.empty() || work == "inference"))
        note_event(message, event);
      else
        others.push_back(event);
    });
    for (const auto& [message, tokens] : told_) unclaimed_.emplace(tokens.input, tokens.output);
    for (json::element event : others) note_other(event);
  }

  /// What the thread used up, model by model, where some of it went into no message.
  void add_totals(const Utterance& common, const Extent& at) const {
    if (uncounted_ > 0)
      context_.shard.complain(
          Complaint::Kind::field, at,
          fmt::format("events of the ledger that lead to no message and count nothing: {}",
                      uncounted_));
    if (others_ == 0) return;
    for (const auto& [model, tokens] : used_) {
      Utterance total = common;
      total.kind = Utterance::Kind::total;
      total.source = at;
      total.model = context_.shard.intern(model);
      total.tokens = tokens;
      context_.shard.add(total);
    }
  }

  /// Lays down what is known of this message, where nothing in it tells otherwise.
  void read(json::element message, Utterance& common) const {
    const auto found = events_.find(json::text_on(message, "messageId"));
    if (found == events_.end() || json::text_at(message, "role") != "assistant") return;
    for (json::element event : found->second) {
      json::element value;
      if (json::find(event, "timestamp", value)) read_time(value, common);
      if (const StringId model = context_.shard.intern(json::text_at(event, "model")))
        common.model = model;
      if (!json::find(event, "tokens", value)) continue;
      const Tokens tokens = read_usage(value, kLedgerCounts);
      for (int64_t Tokens::*count :
           {&Tokens::input, &Tokens::output, &Tokens::cache_read, &Tokens::cache_creation})
        common.tokens.*count = sum_of_known({common.tokens.*count, tokens.*count});
    }
  }

 private:
  /// What the answer used up, as it tells itself.
  void note_message(json::element message) {
    json::element usage;
    if (json::text_at(message, "role") != "assistant") return;
    const std::string id = json::text_on(message, "messageId");
    // No event leads to an answer without an id; one that tells no message is none of its.
    if (!id.empty()) answers_.emplace(id, false);
    if (!json::find(message, "usage", usage) || !json::is_object(usage)) return;
    const Tokens tokens = read_usage(usage, kAmpMessages.counts);
    if (tokens == Tokens{}) return;
    count(json::text_at(usage, "model"), tokens);
    if (id.empty()) {
      unclaimed_.emplace(tokens.input, tokens.output);
      return;
    }
    answers_[id] = true;
    told_.emplace(id, tokens);
  }

  /// Of the answer that it leads to.
  void note_event(const std::string& message, json::element event) {
    json::element value;
    events_[message].push_back(event);
    // Where the answer tells it as well, that was counted.
    if (told_.erase(message) == 0 && !answers_.at(message) && json::find(event, "tokens", value))
      count(json::text_at(event, "model"), read_usage(value, kLedgerCounts));
  }

  /// It may count what an answer tells that nothing leads to.
  void note_other(json::element event) {
    json::element value;
    const Tokens tokens =
        json::find(event, "tokens", value) ? read_usage(value, kLedgerCounts) : Tokens{};
    if (tokens == Tokens{}) {
      ++uncounted_;
      return;
    }
    if (const auto same = unclaimed_.find({tokens.input, tokens.output});
        same != unclaimed_.end()) {
      unclaimed_.erase(same);
      return;
    }
    ++others_;
    count(json::text_at(event, "model"), tokens);
  }

  void count(std::string_view model, const Tokens& tokens) {
    Tokens& sum = used_[std::string(model)];
    for (int64_t Tokens::*count :
         {&Tokens::input, &Tokens::output, &Tokens::cache_read, &Tokens::cache_creation})
      sum.*count = sum_of_known({sum.*count, tokens.*count});
  }

  RecordContext& context_;
  std::map<std::string, bool> answers_;  ///< whether they tell what they used up
  std::map<std::string, std::vector<json::element>> events_;  ///< by the message that they lead to
  std::map<std::string, Tokens> told_;  ///< by answers to which no event leads, …
  std::multiset<std::pair<int64_t, int64_t>> unclaimed_;  ///< … input and output
  std::map<std::string, Tokens> used_;                    ///< by model
  int64_t others_ = 0, uncounted_ = 0;                    ///< events that lead to no answer
};

bool fits_amp(json::element record) {
  json::element value;
  return json::text_at(record, "id").starts_with("T-") &&
         json::follow(record,
                      "messages/0/messageId|usageLedger/events|messages/0/usage/inputTokens|"
                      "messages/1/usage/inputTokens",
                      value);
}

void read_amp(json::element record, std::string_view text, const Extent& at,
              RecordContext& context) {
  context.shard.count_record();
  MessageReader messages(kAmpMessages, context);
  const std::string id = json::text_on(record, "id");
  messages.keep_apart(id);
  messages.common.session = context.shard.intern(id);
  note_session(context.shard, SessionNote::Kind::project, at, messages.common.session,
               json::text_on(record, "env/initial/trees/0/uri"));
  note_session(context.shard, SessionNote::Kind::ai_title, at, messages.common.session,
               json::text_at(record, "title"));
  const Ledger ledger(record, context);
  const Utterance common = messages.common;
  each_item(record, {text, at}, "messages", [&](json::element message, const Part& part) {
    messages.common = common;
    ledger.read(message, messages.common);
    messages.read(message, part);
  });
  ledger.add_totals(common, at);
}

void say_amp(json::element part, Draft& said) {
  say_message(part, kAmpMessages, said);
}

}  // namespace

extern constinit const Format kAmp = {
    .name = "amp",
    .summary = "threads of Amp",
    .fits = fits_amp,
    .needs = "id messages",
    .read = read_amp,
    .say = say_amp,
};

}  // namespace xtrace
