#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/hash.h"
#include "base/number.h"
#include "base/one_of.h"
#include "facts/tool_error.h"
#include "input/calls/answer.h"
#include "input/calls/response_item.h"
#include "input/common/json.h"
#include "input/common/json_path.h"
#include "input/common/record_context.h"
#include "input/transcripts/codex_items.h"
#include "input/transcripts/part.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The rollouts of Codex, one line a record:
//
//   {"timestamp", "type", "payload"}
//
//   session_meta   {"id", "cwd", "source", "forked_from_id"}: opens a file. Behind that of a fork
//                  stand the lines of the thread that it goes on from, as that one's file has them.
//                  The source of a subagent, which may be a fork too, is
//                  {"subagent": {"thread_spawn": {"parent_thread_id", "agent_role"}}}, or
//                  {"subagent": "review"} or {"subagent": {"other": "guardian"}}, where
//                  "parent_thread_id" beside it may tell whose. Lines with an "ordinal" below
//                  "subagent_history_start_ordinal" are what its parent said.
//   turn_context   {"model", "service_tier"}, from here on
//   response_item  what the model is told and answers, see read_response_item
//   event_msg      what the user is shown: most texts stand here a second time, in short logs only
//                  here. Also token_count, which may be told again, errors, ends of tools
//                  (codex_items.cpp), sub_agent_activity {"event_id": the call_id of the tool
//                  use, "agent_thread_id", "agent_path", "kind"} or an item_completed with the
//                  like, thread_settings_applied {"thread_settings": {"model", "service_tier"}},
//                  and thread_rolled_back {"num_turns"}: so many turns are taken back
//   compacted      {"message"}: a summary stands for the conversation so far; of newer ones
//                  "compaction_response_id" names the answer that it is
//   token_usage_record  {"response_id", "usage"}: of each call, where newer versions write it; that
//                  of a compaction and of an aborted turn is in no token_count
//
// Until September 2025 items had no envelope, see below.
//
// What sessions are called is in an index beside their folders, a line for each name: {"id",
// "thread_name", "updated_at"}.
//
// Answers have no name: all that the model says until it is told something, or until its tokens are
// counted, is one.

namespace {

// What Codex wrote until September 2025: items of the Responses API as they are, without the
// envelope of later rollouts (codex.cpp).
//
//   {"id", "timestamp", "instructions", "git"}    opens a file
//   {"record_type": "state"}                      says nothing
//   {"type": "message"|"function_call"|…}         an item
//
// Its predecessor in TypeScript wrote one document, {"session": {"id", "timestamp"}, "items": […]}.

/// Does the client say this to the model in the user's place?
bool is_from_client(std::string_view text) {
  constexpr std::string_view kMarks[] = {
      "<environment_context>", "<user_instructions>",     "# AGENTS.md instructions",
      "<turn_aborted>",        "<subagent_notification>", "<skill>",
      "<user_shell_command>",  "<codex_internal_context", "<hook_prompt",
      "<recommended_plugins>", "<goal_context>"};
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](std::string_view mark) { return text.starts_with(mark); });
}

/// What another agent says, named by its path: `Message Type: FINAL_ANSWER\n…Payload:\n…` is its
/// report. Older ones have no such head. When it came tells reports of an agent apart, and those of
/// agents in other sessions that have the same path.
void read_agent_message(json::element item, std::string_view time, Draft& draft) {
  constexpr std::string_view kType = "Message Type: ", kFinal = "Message Type: FINAL_ANSWER",
                             kPayload = "\nPayload:\n";
  if (!read_response_item(item, draft)) return;
  const std::string_view text = draft.blocks.front().text;
  if (text.starts_with(kType) && !text.starts_with(kFinal)) return;
  Block& report = draft.blocks.front();
  draft.blocks.resize(1);
  if (const size_t at = text.find(kPayload); at != std::string_view::npos)
    report.text = text.substr(at + kPayload.size());
  report.kind = Block::Kind::tool_result;
  report.is_report = true;
  report.id = json::text_at(item, "author");
  draft.ids_of = chain(hash_of(time), hash_of(report.text));
}

/// What a text of an event says, as a message.
void read_event_text(json::element payload, Message::Role role, Draft& draft) {
  draft.role = role;
  add_text(json::text_at(payload, "message"), draft);
}

class CodexLine {
 public:
  CodexLine(const Extent& at, RecordContext& context) : context_(context), shard_(context.shard) {
    said_.source = at;
  }

  void read(json::element line) {
    std::optional<json::element> payload;
    std::string_view type;
    json::fields(line, [&](std::string_view key, json::element value) {
      if (key == "type")
        type = json::text(value);
      else if (key == "payload")
        payload = value;
      else if (key == "timestamp")
        timestamp_ = json::text(value), read_time(value, said_);
      else if (key == "ordinal")
        ordinal_ = json::count(value, 0);
    });
    if (!payload) return type.empty() ? read_session(line) : read_bare(line);
    if (type == "session_meta") return read_session(*payload);
    if (type == "turn_context") return read_turn(*payload);
    if (type == "response_item") return read_item(*payload);
    if (type == "event_msg") return read_event(*payload);
    if (type == "compacted") return read_summary(*payload);
    if (type == "token_usage_record") return read_bill(*payload);
    add();
  }

  void read_session(json::element meta) {
    said_.kind = Utterance::Kind::heading;
    said_.session = text_at(meta, "id");
    said_.forked_from = text_at(meta, "forked_from_id");
    if (said_.forked_from) said_.way = Utterance::Way::copied;
    if (json::element subagent; json::follow(meta, "source/subagent", subagent))
      read_subagent(meta, subagent);
    note_session(shard_, SessionNote::Kind::project, said_.source, said_.session,
                 json::text_at(meta, "cwd"));
    add();
  }

 private:
  StringId text_at(json::element from, std::string_view key) {
    return shard_.intern(json::text_at(from, key));
  }

  void add() { shard_.add(said_); }

  /// Whatever its parent had said may stand in the file of a subagent, and only newer ones tell up
  /// to where.
  void read_subagent(json::element meta, json::element subagent) {
    said_.in_subagent = true;
    said_.agent = said_.session;
    const std::string role =
        json::text_on(subagent, "thread_spawn/agent_role|other");  // or the word itself
    said_.agent_type = shard_.intern(json::is_string(subagent) ? json::text(subagent) : role);
    const StringId parent = shard_.intern(
        json::text_on(meta, "source/subagent/thread_spawn/parent_thread_id|parent_thread_id"));
    if (!parent) return;
    said_.session = parent;
    if (!said_.forked_from) said_.forked_from = parent;
    said_.way = Utterance::Way::copied;
    const int64_t own =
        number_of<int64_t>(json::text_on(meta, "subagent_history_start_ordinal")).value_or(0);
    if (ordinal_ >= 0 && own > ordinal_) said_.copied_lines = own - ordinal_;
  }

  void read_turn(json::element turn) {
    said_.kind = Utterance::Kind::heading;
    said_.model = text_at(turn, "model");
    said_.tokens.terms = terms_stated("service_tier", json::text_at(turn, "service_tier"));
    if (const std::string_view policy = json::text_at(turn, "approval_policy"); !policy.empty())
      note_leave(said_, policy == "never" ? AsksLeave::never : AsksLeave::always, shard_);
    add();
  }

  /// A snapshot of all settings: one that is not in it is not set.
  void read_settings(json::element settings) {
    said_.kind = Utterance::Kind::heading;
    said_.model = text_at(settings, "model");
    said_.tokens.terms = terms_stated("service_tier", json::text_at(settings, "service_tier"))
                             .over({ServiceTier::standard});
    add();
  }

  void read_item(json::element item) {
    Draft& draft = cleared(context_.draft);
    if (json::text_at(item, "type") == "agent_message") return read_agent(item);
    if (!read_response_item(item, draft)) return add();
    if (draft.role == Message::Role::assistant) {
      said_.kind = Utterance::Kind::answered;
      said_.outcome = Outcome::ok;
      bool is_hidden = draft.blocks.front().kind == Block::Kind::hidden;
      return is_hidden ? add() : add_utterance(said_, draft, context_);
    }
    const Block& first = draft.blocks.front();
    if (first.kind == Block::Kind::text && is_from_client(first.text))
      draft.role = Message::Role::other;
    said_.kind = Utterance::Kind::asked;
    add_utterance(said_, draft, context_);
    if (first.kind == Block::Kind::tool_result && !said_.is_ambiguous) read_spawned(first);
  }

  /// An item without an envelope is Codex's only where a line of Codex's opened the file.
  void read_bare(json::element item) {
    said_.is_ambiguous = true;
    read_item(item);
  }

  /// What another agent says: the model goes on with it, but no turn of the user's begins.
  void read_agent(json::element item) {
    Draft& draft = cleared(context_.draft);
    read_agent_message(item, timestamp_, draft);
    said_.kind = Utterance::Kind::asked;
    if (draft.blocks.empty() || draft.blocks.front().kind != Block::Kind::tool_result ||
        draft.blocks.front().id.empty())
      return add();
    add_utterance(said_, draft, context_);
  }

  /// What `spawn_agent` gives back: `{"agent_id": "…"}`; newer ones `{"task_name": "…"}`, where an
  /// event tells the thread.
  void read_spawned(const Block& result) {
    constexpr size_t kLongest = 1000;
    json::element output;
    if (!result.text.starts_with("{") || result.text.size() > kLongest ||
        !context_.parsers.parse(result.text, output))
      return;
    add_spawned(text_at(output, "agent_id"), shard_.intern(result.id), {});
  }

  /// That a subagent was started; others show that it was written to, or is done.
  void read_activity(json::element activity, std::string_view tool_use) {
    const std::string_view kind = json::text_at(activity, "kind");
    if (kind.empty() || kind == "started")
      add_spawned(text_at(activity, "agent_thread_id"), text_at(activity, tool_use),
                  text_at(activity, "agent_path"));
  }

  /// `path`: by which its messages name it.
  void add_spawned(StringId agent, StringId tool_use, StringId path) {
    AgentRelation about = relation_of(said_, AgentRelation::Kind::started, agent);
    about.tool_use = tool_use;
    about.path = path;
    if (agent) shard_.add(about);
  }

  void read_event(json::element event) {
    std::string_view type = json::text_at(event, "type");
    Draft& draft = cleared(context_.draft);
    if (type == "user_message") {
      said_.kind = Utterance::Kind::asked;
      said_.way = Utterance::Way::echoed;
      read_event_text(event, Message::Role::user, draft);
      return add_utterance(said_, draft, context_);
    }
    if (type == "agent_message" || type == "agent_reasoning") {
      said_.kind = Utterance::Kind::answered;
      said_.outcome = Outcome::ok;
      said_.way = Utterance::Way::echoed;
      if (type == "agent_reasoning") return add();
      read_event_text(event, Message::Role::assistant, draft);
      return add_utterance(said_, draft, context_);
    }
    if (type == "thread_name_updated")
      note_session(shard_, SessionNote::Kind::ai_title, said_.source, text_at(event, "thread_id"),
                   json::text_at(event, "thread_name"));
    if (json::element settings;
        type == "thread_settings_applied" && json::find(event, "thread_settings", settings))
      return read_settings(settings);
    if (type == "token_count") return read_count(event);
    read_tool_end(event, said_.source, shard_);
    if (type == "collab_agent_spawn_end") return read_report(event);
    if (type == "sub_agent_activity") read_activity(event, "event_id");
    if (json::element item; type == "item_completed" && json::find(event, "item", item) &&
                            json::text_at(item, "type") == "SubAgentActivity")
      read_activity(item, "id");
    if (type == "thread_rolled_back") {
      said_.turns = json::count_on(event, "num_turns", 0);
      if (said_.turns > 0) said_.kind = Utterance::Kind::rewound;
    }
    if (type == "error" || type == "stream_error") {
      said_.kind = Utterance::Kind::failed;
      const std::string error = error_of(event);
      said_.error = shard_.intern(error.empty() ? type : error);
    }
    add();
  }

  /// A word, or an object of that name that may know the status of the answer.
  static std::string error_of(json::element event) {
    json::element told;
    if (!json::find(event, "codex_error_info", told)) return {};
    std::string error(json::text(told));
    json::fields(told, [&](std::string_view name, json::element more) {
      const int64_t status = json::count_on(more, "http_status_code", 0);
      error = status > 0 ? fmt::format("http_{}", status) : std::string(name);
    });
    return error;
  }

  /// Zeros in the last call's counts show how full the context is, by the client's own reckoning.
  void read_count(json::element event) {
    json::element info, counts, window;
    if (!json::find(event, "info", info)) info = event;
    Utterance used =
        usage_of(said_, {.form = UsageTerms::Form::running, .place = UsageTerms::Place::before});
    if (json::is_object(info) && json::find(info, "model_context_window", window))
      used.context_limit = json::count(window, kNoCount);
    bool is_stated = false;
    const auto read = [&](json::element from, UsageTerms::Form form) {
      used.usage.form = form;
      used.tokens = read_codex_usage(from);
      if (sum_of_known({used.tokens.input, used.tokens.output, used.tokens.cache_read}) <= 0)
        return;
      is_stated = true;
      shard_.add(used);
    };
    if (json::is_object(info) && json::find(info, "total_token_usage", counts))
      read(counts, UsageTerms::Form::running);
    else
      read(info, UsageTerms::Form::running);
    if (json::is_object(info) && json::find(info, "last_token_usage", counts))
      read(counts, UsageTerms::Form::piece);
    if (!is_stated) add();
  }

  void read_report(json::element event) {
    AgentRelation report =
        relation_of(said_, AgentRelation::Kind::reported, text_at(event, "new_thread_id"));
    report.agent_type = text_at(event, "new_agent_role");
    report.tool_use = text_at(event, "call_id");
    if (std::string_view prompt = json::text_at(event, "prompt"); !prompt.empty())
      report.prompt = shard_.intern(prompt_hash(prompt));
    if (report.agent) shard_.add(report);  // else it was not started
    add();
  }

  void read_bill(json::element payload) {
    json::element usage;
    Utterance used = usage_of(said_, kOfCallBefore);
    used.answer = text_at(payload, "response_id");
    if (json::find(payload, "usage", usage)) used.tokens = read_codex_usage(usage);
    shard_.add(used.answer && used.tokens != Tokens{} ? used : said_);
  }

  void read_summary(json::element payload) {
    Utterance summary = said_;
    if (const StringId answer = text_at(payload, "compaction_response_id")) {
      said_.kind = Utterance::Kind::answered;
      said_.answer = answer;
      said_.outcome = Outcome::ok;
      said_.form = Utterance::Form::aside_summary;
      add();
      said_ = summary;
    }
    said_.kind = Utterance::Kind::compacted;
    add();
    said_ = summary;
    said_.kind = Utterance::Kind::asked;
    Draft& draft = cleared(context_.draft);
    read_event_text(payload, Message::Role::other, draft);
    if (!draft.blocks.empty()) add_utterance(said_, draft, context_);
  }

  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
  std::string_view timestamp_;
  int64_t ordinal_ = 0;  ///< of the line among those of its file
};

/// What the predecessor of Codex in Rust wrote in one document.
void read_bare_document(const RecordMatcher& document, const Part& whole, Utterance&,
                        RecordContext& context) {
  json::element session;
  if (json::find(document, "session", session)) CodexLine(whole.at, context).read_session(session);
  each_item(document, whole, "items",
            [&](json::element item, const Part& part) { CodexLine(part.at, context).read(item); });
}

void read_codex_line(const RecordMatcher& record, const Part& whole, Utterance&,
                     RecordContext& context) {
  CodexLine(whole.at, context).read(record);
}

void say_codex_line(json::element line, Draft& said) {
  json::element payload;
  if (!json::find(line, "payload", payload)) return;
  std::string_view type = json::text_at(line, "type");
  if (type == "response_item" && json::text_at(payload, "type") == "agent_message")
    read_agent_message(payload, json::text_at(line, "timestamp"), said);
  else if (type == "response_item")
    read_response_item(payload, said);
  else if (std::string_view event = json::text_at(payload, "type");
           type == "compacted" || event == "user_message")
    read_event_text(payload, Message::Role::user, said);
  else if (event == "agent_message")
    read_event_text(payload, Message::Role::assistant, said);
}

void say_codex_item(json::element item, Draft& said) {
  read_response_item(item, said);
}

constexpr RecordShape kCodexRecords[] = {
    {.when = "type=session_meta|turn_context|response_item|event_msg|compacted|world_state|"
             "token_usage_record|inter_agent_communication|inter_agent_communication_metadata|"
             "realtime_item|security_risk_score payload:object",
     .read = read_codex_line,
     .say = say_codex_line},
    {.when = "type=thread.started|turn.started|turn.completed|turn.failed|item.started|"
             "item.updated|item.completed !data !payload",
     .read = read_codex_exec,
     .say = say_codex_exec},
    {.when = "type=error message:text {type|message}", .read = read_codex_exec},
    {.when = "thread_name updated_at id:text", .session = {.id = "id", .ai_title = "thread_name"}},
    // Any log of that API may have such items; the record that opens the file identifies the agent.
    {.when = "type=message role:text content/0/type=input_text|output_text|input_image",
     .read = read_codex_line,
     .say = say_codex_item},
    {.when = "type=reasoning summary:array", .read = read_codex_line, .say = say_codex_item},
    {.when = "type=function_call|function_call_output|custom_tool_call|custom_tool_call_output|"
             "local_shell_call|local_shell_call_output call_id|id",
     .read = read_codex_line,
     .say = say_codex_item},
    {.when = "type=web_search_call id", .read = read_codex_line, .say = say_codex_item},
    {.when = "instructions:known id:text timestamp:text {id|timestamp|instructions|git}",
     .read = read_codex_line},
    {.when = "record_type=state"},
    {.when = "session/id:text items/0/type=message|reasoning|function_call|local_shell_call",
     .read = read_bare_document,
     .say = say_codex_item},
};

}  // namespace

extern constinit const Format kCodex = format_of_shapes<kCodexRecords>(
    "codex", "sessions (rollouts) of Codex and its subagents; output of `codex exec --json`");

}  // namespace xtrace
