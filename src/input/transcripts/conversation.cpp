#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "base/hex.h"
#include "base/one_of.h"
#include "input/calls/answer.h"
#include "input/calls/error_word.h"
#include "input/calls/request.h"
#include "input/common/format.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/conversation_parts.h"
#include "input/transcripts/part.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The conversations that chat applications save, one a record:
//
//   {"id", "system_prompt", "created_at",
//    "metadata": {"provider", "model", "trace_id" or "trace_ids", …},
//    "messages": [{"role": "user"|"assistant"|"system"|"tool", "content", "timestamp",
//      "metadata": {"model", "provider", "cost", "input_tokens", "output_tokens",
//        "tool_calls": [{"id", "name", "arguments", "timestamp"}],
//        "tool_results": [{"tool_call_id", "content", "success", "timestamp",
//                          "metadata": {"execution_time": seconds, "error"}}]}}]}
//
// or a list of messages and nothing else: `[{"role", "content"}, …]`.
//
// What is in a message's metadata may be in the message itself. Results are in a message of the
// user, in that of the model which asked for them, or are one of role `tool` each. They are read as
// an utterance of their own, so that what a user says beside them begins a turn.

namespace {

using namespace conversation_parts;

class Conversation {
 public:
  Conversation(json::element record, const Part& whole, RecordContext& context)
      : context_(context),
        shard_(context.shard),
        whole_(whole),
        name_(name_of(record, whole, made_name_)) {
    session_ = shard_.intern(name_);
    provider_ = shard_.intern(text_of(record, "provider"));
    model_ = shard_.intern(text_of(record, "model"));
    trace_ = trace_of(record);
    json::element value;
    if (find_of(record, "system_prompt", value)) {
      instructions_ = hash_instructions(value, 0);
      has_own_instructions_ = instructions_ != 0;
    }
    if (find_of(record, "created_at", value)) read_time(value, created_);
    // Many applications count the ids of tool calls from one in each conversation, and messages are
    // distinguished by them: what begins this one keeps its messages apart from others'.
    const uint64_t key = chain(hash_of("conversation"), hash_of(name_));
    last_ = shard_.find_message(key);
    if (!last_) last_ = shard_.add_message({{}, 1, key, Message::Role::other});
  }

  void read(json::element messages, const std::vector<Part>& parts) {
    size_t nth = 0;
    json::items(messages, [&](json::element message) {
      const Part& part = nth < parts.size() ? parts[nth] : whole_;
      read_message(message, part, ++nth);
    });
    if (has_messages_ && !has_time_)
      shard_.complain(Complaint::Kind::field, whole_.at,
                      "no usable timestamps; messages are read in list order");
  }

 private:
  /// One that has no name is named by all that it says: what is saved again is the same one.
  static std::string_view name_of(json::element record, const Part& whole, std::string& made) {
    const std::string_view own = name_of_session(record);
    if (own.empty()) made = "conversation-" + hex(hash_of(whole.text)).substr(0, 12);
    return own.empty() ? std::string_view(made) : own;
  }

  /// `nth` counts from 1.
  void read_message(json::element message, const Part& part, size_t nth) {
    if (!json::is_object(message))
      return shard_.complain(Complaint::Kind::damaged, part.at,
                             fmt::format("message {} is not an object", nth));
    const std::string_view role = json::text_at(message, "role");
    if (!is_role(role))
      return shard_.complain(
          Complaint::Kind::damaged, part.at,
          fmt::format("message {} has no known role (user, assistant, system or tool)", nth));
    check_content(message, part, nth);
    check_list(message, "tool_calls", part, nth);
    check_list(message, "tool_results", part, nth);
    has_messages_ = true;
    if (is_system(role)) return read_instructions(message);
    Utterance said = begin(message, part, nth);
    if (role == "assistant") read_answer(message, said);
    if (role == "tool" && !tool_of(message).empty())
      add_results(message, said);
    else if (role != "assistant")
      add_asked(message, part, said);
    if (role == "assistant") add_results_of(message, part, said);
  }

  void read_instructions(json::element message) {
    json::element content;
    if (!has_own_instructions_ && find_of(message, "content", content))
      instructions_ = hash_instructions(content, instructions_);
  }

  Utterance begin(json::element message, const Part& part, size_t nth) {
    Utterance said;
    said.kind = Utterance::Kind::asked;
    said.is_complete = true;
    said.source = part.at;
    said.session = session_;
    said.model = model_;
    said.provider = provider_;
    std::string_view own = json::text_at(message, "id"), time;
    json::element value;
    if (find_of(message, "timestamp", value) || find_of(message, "created_at", value)) {
      read_time(value, said);
      time = json::text(value);
      if (said.time == kNoTime)
        shard_.complain(Complaint::Kind::field, part.at,
                        fmt::format("message {} has an invalid timestamp", nth));
    }
    if (said.time == kNoTime && !has_time_) {
      said.time = created_.time;
      said.decimals = created_.decimals;
    }
    has_time_ |= said.time != kNoTime;
    const std::string number = own.empty() ? std::to_string(nth) : std::string(own);
    said.request = shard_.intern(fmt::format("{}:{}", name_, number));
    // A conversation that is saved again counts once; one that only has the same name does not.
    id_ = fmt::format("{}:{}@{}", name_, number, time);
    said.id = shard_.intern(id_);
    if (instructions_ != 0) said.system_prompt = shard_.intern(hex(instructions_));
    said.task_step = step_in(trace_of(message));
    return said;
  }

  /// The only trace that it names; of several nobody knows which.
  StringId trace_of(json::element from) {
    json::element value;
    if (std::string_view id = text_of(from, "trace_id"); !id.empty()) return shard_.intern(id);
    if (!find_of(from, "trace_ids", value)) return {};
    if (json::is_string(value)) return shard_.intern(json::text(value));
    std::string_view only;
    bool is_only = true;
    json::items(value, [&](json::element id) {
      is_only &= only.empty() || only == json::text(id);
      only = json::text(id);
    });
    return is_only ? shard_.intern(only) : StringId{};
  }

  /// One for each trace, as all of its calls say the same.
  TaskStepId step_in(StringId own) {
    TaskStep step;
    step.type = TaskStep::Type::llm_call;
    step.trace = own ? own : trace_;
    if (!step.trace) return {};
    auto [known, is_new] = steps_.try_emplace(step.trace.index);
    if (is_new) known->second = shard_.add(step, {});
    return known->second;
  }

  void read_answer(json::element message, Utterance said) {
    said.kind = Utterance::Kind::answered;
    said.form = Utterance::Form::whole;
    said.outcome = Outcome::ok;
    if (StringId own = shard_.intern(text_of(message, "model"))) said.model = own;
    if (StringId own = shard_.intern(text_of(message, "provider"))) said.provider = own;
    said.tokens = tokens_of(message);
    said.cost = cost_of(message);
    for (std::string_view key : {"stop_reason", "finish_reason"})
      if (!said.stop_reason) said.stop_reason = shard_.intern(text_of(message, key));
    Draft& draft = cleared(context_.draft);
    read_said(message, draft);
    note_calls(message, said.time);
    if (json::element error; find_of(message, "error", error))
      if (const std::string word = error_word(error); !word.empty()) {
        said.outcome = Outcome::error;
        said.error = shard_.intern(word);
        if (draft.blocks.empty()) said.kind = Utterance::Kind::failed, said.is_owed = true;
      }
    if (said.time != kNoTime) answered_at_ = said.time;
    add(said, draft);
  }

  /// Since when its tools run.
  void note_calls(json::element message, Time answered) {
    json::element calls;
    if (!find_of(message, "tool_calls", calls)) return;
    json::items(calls, [&](json::element call) {
      const Time asked = time_of(call);
      if (std::string_view id = json::text_at(call, "id"); !id.empty())
        asked_at_[id] = asked != kNoTime ? asked : answered;
    });
  }

  void add_asked(json::element message, const Part& part, Utterance said) {
    add_results_of(message, part, said);
    Draft& draft = cleared(context_.draft);
    read_said(message, draft);
    if (!draft.blocks.empty()) add(said, draft);
  }

  /// Those that a message holds beside what it says.
  void add_results_of(json::element message, const Part& part, Utterance said) {
    json::element results;
    if (!find_of(message, "tool_results", results)) return;
    said.source = place_of_results(part);
    said.id = shard_.intern(id_ + "/results");
    if (json::text_at(message, "role") == "assistant") said.time = kNoTime;
    add_results(results, said);
  }

  /// A list of results, or a message that is one.
  void add_results(json::element results, Utterance& said) {
    Draft& draft = cleared(context_.draft);
    draft.role = Message::Role::user;
    Time last = kNoTime;
    Duration longest = kNoDuration;
    const auto read_one = [&](json::element result) {
      if (!json::is_object(result)) return;
      Block block = result_of(result);
      const Time ended = time_of(result), known = ended != kNoTime ? ended : said.time;
      if (auto asked = asked_at_.find(block.id); asked != asked_at_.end() && !block.id.empty()) {
        const Duration passed = elapsed(asked->second, known);
        if (block.took == kNoDuration && passed >= Duration{0}) block.took = passed;
      }
      last = std::max(last, ended);
      longest = std::max(longest, block.took);
      draft.blocks.push_back(block);
    };
    if (json::is_object(results)) read_one(results);
    json::items(results, read_one);
    if (draft.blocks.empty()) return;
    if (last != kNoTime) said.time = last;
    has_time_ |= last != kNoTime;
    if (said.time == kNoTime && answered_at_ != kNoTime)
      said.time = after(answered_at_, std::max(longest, Duration{0}));
    add(said, draft);
  }

  void add(Utterance& said, const Draft& draft) {
    if (!draft.blocks.empty())
      last_ = said.message = add_message(last_, draft, context_.parsers, shard_);
    shard_.add(said);
  }

  void check_content(json::element message, const Part& part, size_t nth) {
    json::element content;
    if (!json::find(message, "content", content) || says_nothing(content)) return;
    bool is_sound = json::is_string(content) || json::is_object(content);
    json::items(content, [&](json::element piece) {
      is_sound = json::is_string(piece) || json::is_object(piece);
    });
    if (!is_sound)
      shard_.complain(
          Complaint::Kind::field, part.at,
          fmt::format("the content of message {} is neither text nor a list of blocks", nth));
  }

  void check_list(json::element message, std::string_view key, const Part& part, size_t nth) {
    json::element list;
    if (!find_of(message, key, list)) return;
    bool is_sound = json::is_array(list);
    json::items(list, [&](json::element item) { is_sound &= json::is_object(item); });
    if (!is_sound)
      shard_.complain(Complaint::Kind::field, part.at,
                      fmt::format("{} of message {} is not a list of objects", key, nth));
  }

  RecordContext& context_;
  Shard& shard_;
  const Part& whole_;
  std::string made_name_;
  std::string_view name_;
  StringId session_, provider_, model_, trace_;
  Utterance created_;  ///< when
  uint64_t instructions_ = 0;
  bool has_own_instructions_ = false;  ///< those of the conversation, which no message adds to
  bool has_messages_ = false, has_time_ = false;
  MessageId last_;
  std::string id_;  ///< of the message at hand
  Time answered_at_ = kNoTime;
  std::unordered_map<std::string_view, Time> asked_at_;  ///< by tool call
  std::unordered_map<uint32_t, TaskStepId> steps_;       ///< by trace
};

/// Is it a message as APIs of chats have them, and nothing more?
bool is_message_of_chat(json::element message) {
  json::element said;
  return is_role(json::text_at(message, "role")) &&
         (json::find(message, "content", said) || json::find(message, "tool_calls", said));
}

/// What may be many things by its keys: messages of Amp's threads are numbered, and say all else by
/// other names.
bool fits_conversation(json::element record) {
  bool has_id = false, is_told = false, is_other = false, has_list = false, has_roles = false;
  bool has_messages = false, is_empty = true;
  json::fields(record, [&](std::string_view key, json::element value) {
    has_id |= (key == "id" || key == "conversation_id") && !json::text(value).empty();
    is_told |= key == "system_prompt" || key == "conversation_id";
    is_other |= key == "request" || key == "response" || key == "body" || key == "choices";
    if (key != "messages") return;
    has_messages = true;
    has_list = json::is_array(value);
    json::items(value, [&](json::element message) {
      is_empty = false;
      has_roles = has_roles || is_role(json::text_at(message, "role"));
      json::fields(message,
                   [&](std::string_view name, json::element) { is_other |= name == "messageId"; });
    });
  });
  if (!has_id || !has_messages || is_other) return false;
  return has_roles || is_told || (has_list && is_empty && record_is_dated(record));
}

void read_conversation(json::element record, std::string_view text, const Extent& at,
                       RecordContext& context) {
  const Part whole{text, at};
  json::element messages = record;
  if (!json::is_array(record) &&
      (!json::find(record, "messages", messages) || !json::is_array(messages)))
    return context.shard.complain(Complaint::Kind::damaged, at,
                                  "the messages of a conversation are not a list");
  context.shard.count_record();
  const Part list = json::is_array(record) ? whole : whole.field("messages");
  Conversation(record, whole, context).read(messages, list.items());
}

}  // namespace

extern constinit const Format kConversation = {
    .name = "conversation",
    .summary =
        "conversations of chat applications: id, system_prompt, messages, or a list of messages",
    .fits = fits_conversation,
    .needs = "messages id|conversation_id",
    .begins_list = is_message_of_chat,
    .read = read_conversation,
    .say = say_part,
};

}  // namespace xtrace
