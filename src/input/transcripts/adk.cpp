#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "input/calls/message_draft.h"
#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"

namespace xtrace {

// The sessions of Google's Agent Development Kit, one a document, with the keys in either spelling:
//
//   {"id", "appName", "userId", "state", "lastUpdateTime", "events": [{"id", "invocationId",
//    "author": "user" or an agent, "timestamp": seconds, "content": {"role", "parts": [as Google's
//    API has them]}, "partial", "errorCode", "finishReason", "modelVersion", "usageMetadata":
//    {"promptTokenCount" with "cachedContentTokenCount", …}}]}
//
// or an event a line. A tool's result is an event of the agent that asked for it. All agents of an
// application share the session: the first one that speaks is the main one, and another one is its
// subagent, started by the use of `transfer_to_agent` that names it. Agents of a workflow are
// started by no tool. The user speaks to the agent that answers next.

namespace {

constexpr PieceShape kAdkPieces[] = {
    kGoogleToolUse,
    google_tool_result(
        {.there = "functionResponse/response/error|function_response/response/error"}),
    {.type = "text", .says = PieceShape::Says::text, .text = "text", .unless = "thought"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kAdkAnswers = {
    .model = "modelVersion|model_version",
    .time = "timestamp",
    .role = "",
    .spoken_by = Message::Role::assistant,
    .content = "content/parts",
    .type = "",
    .pieces = kAdkPieces,
    .stop_reason = "finishReason|finish_reason",
    .error = "errorCode|error_code",
    .usage = "usageMetadata|usage_metadata",
    .counts = {.input = "promptTokenCount|prompt_token_count",
               .tools = "toolUsePromptTokenCount|tool_use_prompt_token_count",
               .output = "candidatesTokenCount|candidates_token_count",
               .cache_read = "cachedContentTokenCount|cached_content_token_count",
               .reasoning = "thoughtsTokenCount|thoughts_token_count",
               .total = "totalTokenCount|total_token_count",
               .input_has_cache = true,
               .output_has_reasoning = false}};

/// Reads the user's words and the results of tools.
constexpr MessageShape kAdkInput = {.time = "timestamp",
                                    .role = "",
                                    .spoken_by = Message::Role::user,
                                    .content = "content/parts",
                                    .type = "",
                                    .pieces = kAdkPieces};

bool brings_adk_results(json::element event) {
  json::element parts;
  bool found = false;
  if (json::follow(event, "content/parts", parts))
    json::items(parts, [&](json::element part) {
      json::element value;
      found |= json::follow(part, "functionResponse|function_response", value);
    });
  return found;
}

bool is_adk_input(json::element event) {
  return json::text_at(event, "author") == "user" || brings_adk_results(event);
}

/// An event may also be only a change of the state.
bool is_adk_answer(json::element event) {
  json::element value;
  return !json::is_true_on(event, "partial") &&
         json::follow(event, "content/parts/0|usageMetadata|usage_metadata|errorCode|error_code",
                      value);
}

class AdkSession {
 public:
  AdkSession(json::element session, const Part& whole, RecordContext& context) : context_(context) {
    common_.source = whole.at;
    common_.session = context.shard.intern(json::text_on(session, "id"));
    each_item(session, whole, "events", [&](json::element event, const Part& part) {
      events_.push_back({event, part, json::text_at(event, "author")});
    });
    name_listeners();
  }

  void read() {
    for (const Event& event : events_) {
      if (is_adk_input(event.element))
        read(event, kAdkInput);
      else if (is_adk_answer(event.element))
        read(event, kAdkAnswers);
      note_transfers(event.element);
    }
  }

 private:
  struct Event {
    json::element element;
    Part part;
    std::string_view agent;
  };

  void name_listeners() {
    std::string_view next;
    for (auto event = events_.rbegin(); event != events_.rend(); ++event)
      if (event->agent == "user")
        event->agent = next;
      else
        next = event->agent;
    for (Event& event : events_)  // not answered
      next = event.agent.empty() ? event.agent = next : event.agent;
    if (!events_.empty()) main_ = events_.front().agent;
  }

  void read(const Event& event, const MessageShape& shape) {
    MessageReader messages(shape, context_);
    messages.common = common_;
    Utterance& said = messages.common;
    said.agent_type = context_.shard.intern(event.agent);
    if (event.agent != main_) {
      said.agent = said.agent_type;
      said.in_subagent = true;
      if (const auto started = started_by_.find(event.agent); started != started_by_.end())
        said.tool_use = started->second;
    }
    messages.read(event.element, event.part);
  }

  void note_transfers(json::element event) {
    json::element parts;
    if (!json::follow(event, "content/parts", parts)) return;
    json::items(parts, [&](json::element part) {
      json::element call;
      if (json::follow(part, "functionCall|function_call", call) &&
          json::text_at(call, "name") == "transfer_to_agent")
        started_by_.emplace(json::text_on(call, "args/agent_name|args/agentName"),
                            context_.shard.intern(json::text_at(call, "id")));
    });
  }

  RecordContext& context_;
  Utterance common_;
  std::vector<Event> events_;
  std::string_view main_;                                    ///< agent
  std::map<std::string, StringId, std::less<>> started_by_;  ///< tool use, by agent
};

void read_adk(const RecordMatcher& record, const Part& whole, Utterance&, RecordContext& context) {
  AdkSession(record, whole, context).read();
}

void read_adk_event(const RecordMatcher& event, const Part& whole, Utterance&,
                    RecordContext& context) {
  if (is_adk_input(event))
    MessageReader(kAdkInput, context).read(event, whole);
  else if (is_adk_answer(event))
    MessageReader(kAdkAnswers, context).read(event, whole);
}

void say_adk(json::element part, Draft& said) {
  say_message(part, is_adk_input(part) ? kAdkInput : kAdkAnswers, said);
}

constexpr RecordShape kAdkRecords[] = {
    // The time follows the events and is lost in a document that is cut off.
    {.when = "appName|app_name userId|user_id events:array id "
             "events/0/author|lastUpdateTime|last_update_time",
     .session = {.id = "id"},
     .read = read_adk,
     .say = say_adk},
    {.when = "invocationId|invocation_id:text author:text timestamp:number content|actions",
     .read = read_adk_event,
     .say = say_adk},
};

}  // namespace

extern constinit const Format kAdk = format_of_shapes<kAdkRecords>(
    "adk", "sessions of Google's Agent Development Kit, or their events");

}  // namespace xtrace
