#include "input/transcripts/cline_shown.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/one_of.h"
#include "facts/made_id.h"
#include "input/calls/error_word.h"
#include "input/calls/message_draft.h"
#include "input/common/graph_parts.h"
#include "input/common/parsers.h"
#include "input/common/record_context.h"
#include "input/transcripts/message_shape.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// An item for each thing that a user saw:
//
//   {"ts": milliseconds, "type": "say"|"ask", "say" or "ask": what it is, "text", "modelInfo"}
//
//   api_req_started  JSON in the text: {"tokensIn", "tokensOut", "cacheWrites", "cacheReads",
//                    "cost", "cancelReason", "apiProtocol"}, filled in when the answer is there
//   api_req_finished older versions tell the counts in it, behind the answer
//   text, tool, command, use_mcp_server, …  what was answered, until the next request
//   command_output   what a command put out, in one item or several
//   task, user_feedback                     what the user said; in Roo Code the first text
//   error_retry, api_req_failed, api_req_retry_delayed  an attempt that failed: of the request
//                    before it, if nothing of that one's answer was shown yet
//   condense_context, compaction            the conversation goes on with a summary, which a call
//                    made: {"contextCondense": {"cost"}}
//   deleted_api_reqs JSON: what requests used up that are no longer there, together
//   subtask_result   what a task that `newTask` started gave back
//   subagent         JSON: {"status", "items": [{"index", "status", "inputTokens", "totalCost",
//   …}]}
//
// No item names another one, and tools have no ids: outputs are those of the command before them,
// where there is but one (kClineSides). Roo Code notes beside it (`history_item.json`)
// which tasks a task started: {"id", "parentTaskId", "childIds", "task", "tokensIn", "tokensOut",
// "totalCost"}. Its sums are those of the requests; whether they include what went through a cache
// is not on record there.

namespace {

constexpr UsageShape kUsage = {.input = "tokensIn",
                               .output = "tokensOut",
                               .cache_read = "cacheReads",
                               .cache_write = "cacheWrites"};

/// Who counts the cache as part of the prompt, and is passed on by Cline as it counts.
constexpr std::string_view kCountsCache[] = {"doubao", "fireworks", "litellm", "lmstudio",
                                             "openai", "qwen",      "xai",     "zai"};
/// When Roo Code 3.29.5 was released: since then `tokensIn` is all input with every vendor, before
/// with all but Anthropic. Kilo Code followed.
constexpr Time kTotalsSince{std::chrono::sys_days{std::chrono::November / 1 / 2025}};

constexpr std::string_view kPrompts[] = {"task", "user_feedback"},
                           kTexts[] = {"text", "completion_result", "followup",
                                       "plan_mode_respond"},
                           kFailures[] = {"error_retry", "api_req_failed", "api_req_retry_delayed"},
                           kSummaries[] = {"condense_context", "compaction"},
                           kOutputs[] = {"command_output", "subtask_result"},
                           kShownTools[] = {"tool", "command", "use_mcp_server",
                                            "browser_action_launch", "browser_action"};

std::string_view kind_of(json::element item) {
  return json::text_at(item, json::text_at(item, "type"));
}

/// JSON that the text of an item is.
class Inner {
 public:
  bool read(json::element item, json::element& value) {
    const simdjson::padded_string text(json::text_at(item, "text"));
    return !parser_.parse(text).get(value) && json::is_object(value);
  }

 private:
  simdjson::dom::parser parser_;
};

void read_tool(json::element item, std::string_view kind, Draft& draft) {
  Block use;
  use.kind = Block::Kind::tool_use;
  use.text = json::text_at(item, "text");
  use.name = kind;
  Inner inner;
  json::element told;
  const std::string name = std::string(kByOrder) + json::text_on(item, "ts");
  if (kind == "command") {
    use.name = "execute_command";
    use.id = draft.keep(name);
  } else if (kind == "browser_action_launch" || kind == "browser_action") {
    use.name = "browser_action";
  } else if (!inner.read(item, told)) {
    return;
  } else if (kind == "tool") {
    use.name = draft.keep(std::string(json::text_at(told, "tool")));
    if (use.name == kShownStart) use.id = draft.keep(name);
  } else {
    use.name = draft.keep(qualified(std::string("mcp__").append(json::text_at(told, "serverName")),
                                    json::text_at(told, "toolName")));
  }
  draft.blocks.push_back(use);
}

/// An item, or its text alone, which is a prompt.
void read_cline_shown_said(json::element item, Draft& draft) {
  if (json::is_string(item)) {
    draft.role = Message::Role::user;
    return add_text(json::text(item), draft);
  }
  const std::string_view kind = kind_of(item);
  draft.role = is_one_of(kind, kPrompts) ? Message::Role::user : Message::Role::assistant;
  if (is_one_of(kind, kOutputs)) {
    draft.role = Message::Role::user;
    Block& output = draft.blocks.emplace_back();
    output.kind = Block::Kind::tool_result;
    output.id = draft.keep("output-" + json::text_on(item, "ts"));
    output.text = json::text_at(item, "text");
  } else if (is_one_of(kind, kPrompts) || is_one_of(kind, kTexts))
    add_text(json::text_at(item, "text"), draft);
  else if (is_one_of(kind, kShownTools))  // a request is the answer's as well, and holds JSON too
    read_tool(item, kind, draft);
}

class Item {
 public:
  Item(const Part& whole, RecordContext& context)
      : part_(whole), context_(context), shard_(context.shard) {
    said_.source = whole.at;
    said_.way = Utterance::Way::shown;
  }

  void read(json::element item) {
    const std::string_view kind = kind_of(item);
    read_time_on(item, "ts", said_);
    said_.model = shard_.intern(json::text_on(item, "modelInfo/modelId"));
    said_.provider = shard_.intern(json::text_on(item, "modelInfo/providerId"));
    if (kind == "api_req_started") return read_request(item);
    if (kind == "api_req_finished") return read_finished(item);
    if (is_one_of(kind, kFailures)) return read_failure(item);
    if (is_one_of(kind, kSummaries)) return read_summary(item);
    if (kind == "subagent") return read_subagents(item);
    if (is_one_of(kind, kPrompts)) return add(Utterance::Kind::asked, item);
    if (is_one_of(kind, kOutputs)) return add(Utterance::Kind::asked, item);
    if (kind == "deleted_api_reqs") return read_deleted(item);
    if (kind == "text") add_as_prompt(item);
    if (is_one_of(kind, kTexts) || is_one_of(kind, kShownTools))
      return add(Utterance::Kind::answered, item);
    shard_.add(said_);
  }

 private:
  void add(Utterance::Kind kind, json::element item) {
    said_.kind = kind;
    said_.outcome = Outcome::ok;
    Draft& draft = cleared(context_.draft);
    draft.ids_of = hash_of(part_.text);  // several commands may come in one millisecond
    read_cline_shown_said(item, draft);
    if (!draft.blocks.empty()) add_utterance(said_, draft, context_);
  }

  /// Which it is shows where it is.
  void add_as_prompt(json::element item) {
    json::element text;
    Utterance prompt = said_;
    prompt.kind = Utterance::Kind::asked;
    prompt.source = part_.field("text").at;
    Draft& draft = cleared(context_.draft);
    if (json::find(item, "text", text)) read_cline_shown_said(text, draft);
    if (!draft.blocks.empty()) add_utterance(prompt, draft, context_);
  }

  /// Only Roo Code names the protocol. A cache that is more than the input is never part of it.
  bool counts_cache(json::element told) const {
    const std::string_view protocol = json::text_at(told, "apiProtocol");
    if (protocol.empty()) return is_one_of(shard_[said_.provider], kCountsCache);
    return protocol == "openai" || (said_.time != kNoTime && said_.time >= kTotalsSince);
  }

  void read_spent(json::element told, Utterance& used) const {
    UsageShape shape = kUsage;
    json::element value;
    shape.input_has_cache = counts_cache(told);
    used.tokens = read_usage(told, shape);
    // 0 where no price is known.
    if (json::find(told, "cost", value) && read_dollars(value) > 0) used.cost = read_dollars(value);
  }

  /// A call that nobody asked for made the summary. Only its cost is on record.
  void read_summary(json::element item) {
    json::element cost;
    Utterance made = usage_of(said_, kOfCall);
    if (json::follow(item, "contextCondense/cost", cost)) made.cost = read_dollars(cost);
    made.outcome = Outcome::ok;
    made.form = Utterance::Form::summary;
    if (made.cost > 0) shard_.add(made);
    said_.kind = Utterance::Kind::compacted;
    shard_.add(said_);
  }

  void read_deleted(json::element item) {
    json::element told;
    Utterance gone =
        usage_of(said_, {.scope = UsageTerms::Scope::session, .form = UsageTerms::Form::missing});
    gone.model = gone.provider = {};
    if (context_.parsers.parse(json::text_at(item, "text"), told)) read_spent(told, gone);
    shard_.add(states_usage(gone) ? gone : said_);
  }

  void read_finished(json::element item) {
    json::element told;
    Utterance used = usage_of(said_, kOfCallBefore);
    if (context_.parsers.parse(json::text_at(item, "text"), told)) read_spent(told, used);
    shard_.add(states_usage(used) ? used : said_);
  }

  void read_request(json::element item) {
    json::element told;
    if (!context_.parsers.parse(json::text_at(item, "text"), told)) return shard_.add(said_);
    said_.kind = Utterance::Kind::answered;
    said_.request = shard_.intern(json::text_on(item, "ts"));
    said_.outcome = Outcome::ok;
    read_spent(told, said_);
    if (const std::string_view reason = json::text_at(told, "cancelReason"); !reason.empty()) {
      said_.outcome = Outcome::error;
      said_.error = shard_.intern(reason == "user_cancelled" ? "aborted" : reason);
      if (said_.tokens == Tokens{}) said_.kind = Utterance::Kind::failed;
    }
    shard_.add(said_);
  }

  void read_failure(json::element item) {
    json::element told, text;
    std::string error;
    if (context_.parsers.parse(json::text_at(item, "text"), told) &&
        json::follow(told, "errorMessage|message|error", text)) {
      json::element inner;
      error = error_word(context_.parsers.parse(json::text(text), inner) ? inner : text);
    } else if (json::find(item, "text", text)) {
      error = error_word(text);
    }
    said_.kind = Utterance::Kind::failed;
    said_.error = shard_.intern(error.empty() ? "error" : error);
    shard_.add(said_);
  }

  /// What agents used up in all that have no messages of their own.
  void read_subagents(json::element item) {
    json::element told, list;
    if (!context_.parsers.parse(json::text_at(item, "text"), told) ||
        !json::find(told, "items", list) || json::text_at(told, "status") == "running")
      return shard_.add(said_);
    json::items(list, [&](json::element agent) {
      AgentRelation report = relation_of(said_, AgentRelation::Kind::reported);
      report.agent = shard_.intern(
          fmt::format("subagent-{}-{}", json::text_on(item, "ts"), json::text_on(agent, "index")));
      report.tokens = read_usage(agent, {.input = "inputTokens", .output = "outputTokens"});
      json::element cost;
      if (json::find(agent, "totalCost", cost)) report.cost = read_dollars(cost);
      if (json::text_at(agent, "status") == "failed") {
        json::element error;
        report.outcome = Outcome::error;
        report.error =
            shard_.intern(json::find(agent, "error", error) ? error_word(error) : "error");
      }
      shard_.add(report);
    });
  }

  Part part_;
  RecordContext& context_;
  Shard& shard_;
  Utterance said_;
};

void read_history_item(const RecordMatcher& record, const Part& whole, Utterance&,
                       RecordContext& context) {
  Shard& shard = context.shard;
  Utterance task;
  task.source = whole.at;
  task.session = shard.intern(json::text_at(record, "id"));
  AgentRelation about = relation_of(task, AgentRelation::Kind::started, task.session);
  about.session = shard.intern(json::text_at(record, "parentTaskId"));
  if (about.session) shard.add(about);
  json::element children, cost;
  Utterance total = usage_of(task, kAgentSoFar);
  total.way = Utterance::Way::shown;
  total.tokens.output = read_usage(record, {.output = "tokensOut"}).output;
  if (json::find(record, "totalCost", cost) && read_dollars(cost) > 0)
    total.cost = read_dollars(cost);
  if (states_usage(total)) shard.add(total);
  if (!json::find(record, "childIds", children)) return;
  json::items(children, [&](json::element child) {
    const StringId agent = shard.intern(json::text(child));
    if (agent) shard.add(relation_of(task, AgentRelation::Kind::listed, agent));
  });
}

constexpr RecordShape kRooCodeRecords[] = {
    {.when = "task:text number id:text tokensIn", .read = read_history_item},
    {.when = "say:text ts:number type=say !say=task !conversationHistoryIndex !modelInfo",
     .read = read_shown,
     .say = say_shown},
    {.when = "ask:text ts:number type=ask !conversationHistoryIndex !modelInfo",
     .read = read_shown,
     .say = say_shown},
};

}  // namespace

void read_shown(const RecordMatcher& record, const Part& whole, Utterance&,
                RecordContext& context) {
  Item(whole, context).read(record);
}

void say_shown(json::element record, Draft& said) {
  read_cline_shown_said(record, said);
}

extern constinit const Format kRooCode = format_of_shapes<kRooCodeRecords>(
    "roo-code", "tasks of Roo Code: ui_messages.json, history_item.json", "history_item");

}  // namespace xtrace
