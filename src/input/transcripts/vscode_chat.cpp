#include <string>
#include <unordered_map>
#include <vector>

#include "input/calls/error_word.h"
#include "input/calls/message_draft.h"
#include "input/common/record_context.h"
#include "input/transcripts/record_shape.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The chats of Visual Studio Code with Copilot, one a document, also as they are exported; of the
// log of its changes unpack_vscode_chat_log() makes such documents.
//
//   {"sessionId", "customTitle", "computedTitle", "workingDirectory", "responderUsername",
//    "requests": [
//     {"requestId", "timestamp", "message": text or {"text"}, "modelId", "isCanceled",
//      "modelState": {"value": 2: cancelled, 3: failed, "completedAt"}, "response": [parts],
//      "result": {"errorDetails": {"code", "message"}, "metadata": {"resolvedModel",
//       "promptTokens" with those of a cache, "outputTokens", "toolCallRounds": [{"id", "response",
//       "toolCalls": [{"id", "name", "arguments"}], "timestamp", "modelId", "summary"}],
//       "toolCallResults": {ID: {"content": [{"value"}]}}}}}]}
//
// A request is a prompt of the user, and each of its rounds a call. The tokens are those of the
// last round, and newer versions repeat them in the request. A tool use is a part of the response,
//
//   {"kind": "toolInvocationSerialized", "toolId", "toolCallId", "isConfirmed": false or {"type":
//    0} if denied, "resultDetails": {"output", "isError"}, "resultError", "toolSpecificData":
//    {"kind": "terminal", "terminalCommandState": {"exitCode", "duration"}, …} or {"kind":
//    "subagent", "agentName", "prompt", "result"}, "subAgentInvocationId": of one in a subagent}
//
// Older versions record no rounds: their requests are one call each.

namespace {

constexpr json::Path kRounds = "result/metadata/toolCallRounds";
constexpr json::Path kResults = "result/metadata/toolCallResults";

bool is_tool_part(json::element part) {
  return json::text_at(part, "kind") == "toolInvocationSerialized";
}
bool is_in_subagent(json::element part) {
  return !json::text_on(part, "subAgentInvocationId").empty() ||
         json::is_true_on(part, "fromSubAgent");
}

bool vscode_tool_failed(json::element part) {
  json::element value;
  if (json::is_true_on(part, "resultDetails/isError") || json::follow(part, "resultError", value) ||
      json::count_on(part, "isConfirmed/type", 1) == 0)
    return true;
  if (json::find(part, "isConfirmed", value) && value.is_bool()) return !json::is_true(value);
  return json::count_on(part, "toolSpecificData/terminalCommandState/exitCode", 0) != 0;
}

constexpr PieceShape kVsCodeRound[] = {
    kPlainToolUse,
    {.type = "response", .says = PieceShape::Says::text, .text = "response"},
    {.says = PieceShape::Says::nothing},
};

constexpr MessageShape kVsCodeRounds = {.id = "id",
                                        .model = "modelId",
                                        .time = "timestamp",
                                        .role = {},
                                        .spoken_by = Message::Role::assistant,
                                        .content = ".",
                                        .calls = "toolCalls",
                                        .type = "",
                                        .pieces = kVsCodeRound};

constexpr UsageShape kVsCodeCounts = {
    .input = "result/metadata/promptTokens|usage/promptTokens|promptTokens",
    .output = "result/metadata/outputTokens|usage/completionTokens|completionTokens",
    .input_has_cache = true};

/// Reads the result of a tool: an item of the results, or its part of the response.
void say_result(json::element part, Draft& said) {
  said.role = Message::Role::user;
  add_block(Block::Kind::tool_result, part,
            "content|resultDetails/output|toolSpecificData/terminalCommandOutput/text|"
            "toolSpecificData/result|toolSpecificData/output|resultError|pastTenseMessage",
            said)
      .id = json::text_at(part, "toolCallId");
}

/// Reads a response by itself: its texts and tool uses.
void say_response(json::element parts, Draft& said) {
  said.role = Message::Role::assistant;
  json::items(parts, [&](json::element part) {
    json::element value;
    if (is_tool_part(part) && !is_in_subagent(part)) {
      Block& use = said.blocks.emplace_back();
      use.kind = Block::Kind::tool_use;
      use.id = json::text_at(part, "toolCallId");
      use.name = json::text_at(part, "toolId");
      use.has_body = json::follow(part, "toolSpecificData/rawInput|toolSpecificData", use.body);
      return;
    }
    const std::string_view kind = json::text_at(part, "kind");
    if ((kind.empty() || kind == "markdownContent") &&
        json::follow(part, "content/value|value", value))
      add_text(json::text(value), said);
  });
}

void say_vscode(json::element part, Draft& said) {
  json::element value;
  if (json::is_array(part)) return say_response(part, said);
  if (json::find(part, "requestId", value)) {
    said.role = Message::Role::user;
    if (json::follow(part, "message/text|message", value)) add_text(json::text(value), said);
  } else if (json::find(part, "toolCalls", value)) {
    say_message(part, kVsCodeRounds, said);
  } else {
    say_result(part, said);
  }
}

/// One request of a chat, and the calls that it led to.
class VsCodeRequest {
 public:
  VsCodeRequest(json::element request, const Part& part, const Utterance& common,
                RecordContext& context)
      : request_(request), part_(part), common_(common), context_(context) {
    common_.model = name_on("result/metadata/resolvedModel|usage/actualModelId|modelId");
  }

  void read() {
    Utterance asked = begin(Utterance::Kind::asked, part_);
    asked.id = name_on("requestId");
    read_time_on(request_, "timestamp", asked);
    add(asked, request_);
    index_tools();
    json::element rounds;
    if (json::follow(request_, kRounds, rounds) && json::is_array(rounds) &&
        json::follow(rounds, "0", rounds))
      read_rounds();
    else
      read_response();
    read_failure();
    add_subagents();
  }

 private:
  StringId name_on(json::Path path) const {
    return context_.shard.intern(json::text_on(request_, path));
  }

  StringId name_of_result(std::string_view tool_use) const {
    return context_.shard.intern(std::string(tool_use) + "/result");
  }

  Utterance begin(Utterance::Kind kind, const Part& part) const {
    Utterance said = common_;
    said.kind = kind;
    said.source = part.text.empty() ? part_.at : part.at;
    if (kind != Utterance::Kind::answered) said.model = {};
    return said;
  }

  void add(Utterance& said, json::element part) {
    Draft& draft = cleared(context_.draft);
    say_vscode(part, draft);
    add_utterance(said, draft, context_);
  }

  void count(Utterance& answer) const { answer.tokens = read_usage(request_, kVsCodeCounts); }

  void read_rounds() {
    json::element rounds, value;
    if (!json::follow(request_, kRounds, rounds)) return;
    const Part metadata = part_.field("result").field("metadata");
    size_t left = 0;
    json::items(rounds, [&](json::element) { ++left; });
    each_item_of(
        rounds, metadata.field("toolCallRounds"), part_, [&](json::element round, const Part& at) {
          Utterance answer = begin(Utterance::Kind::answered, at);
          answer.outcome = Outcome::ok;
          answer.form = Utterance::Form::whole;
          answer.answer = answer.id = context_.shard.intern(json::text_at(round, "id"));
          if (const StringId own = context_.shard.intern(json::text_at(round, "modelId")))
            answer.model = own;
          if (json::find(round, "timestamp", value)) read_time(value, answer);
          if (--left == 0) count(answer);
          add(answer, round);
          if (json::find(round, "toolCalls", value))
            json::items(value, [&](json::element use) { add_result(json::text_at(use, "id")); });
          if (!json::text_at(round, "summary").empty()) {
            Utterance compacted = begin(Utterance::Kind::compacted, at);
            context_.shard.add(compacted);
          }
        });
  }

  /// A use may be shown several times while it goes on; the last one counts.
  void index_tools() {
    json::element response, results;
    if (json::find(request_, "response", response))
      each_item_of(response, part_.field("response"), part_,
                   [&](json::element part, const Part& at) {
                     if (!is_tool_part(part) || is_in_subagent(part)) return;
                     shown_[json::text_at(part, "toolCallId")] = tools_.size();
                     tools_.push_back({part, at});
                   });
    if (!json::follow(request_, kResults, results)) return;
    json::fields(results,
                 [&](std::string_view id, json::element result) { kept_[id].element = result; });
    const Part metadata = part_.field("result").field("metadata");
    for (const auto& [id, place] : metadata.field("toolCallResults").members())
      if (const auto known = kept_.find(id); known != kept_.end()) known->second.place = place;
  }

  /// Only commands state when they began and how long they ran.
  static void date_command(json::element part, Block& block, Utterance& told) {
    json::element state, began;
    if (!json::follow(part, "toolSpecificData/terminalCommandState", state)) return;
    const int64_t took = json::count_on(state, "duration", kNoCount);
    if (took == kNoCount) return;
    block.took = std::chrono::milliseconds(took);
    if (json::find(state, "timestamp", began)) read_time(began, told);
    if (told.time != kNoTime) told.time = block.ended = after(told.time, block.took);
  }

  /// Adds the result of the tool use with that id, if it is recorded.
  void add_result(std::string_view id) {
    const auto kept = kept_.find(id);
    const auto place_of_shown = shown_.find(id);
    const bool is_kept = kept != kept_.end();
    const Tool* shown = place_of_shown == shown_.end() ? nullptr : &tools_[place_of_shown->second];
    const bool failed = shown != nullptr && vscode_tool_failed(shown->element);
    const bool is_done =
        shown != nullptr && (failed || json::is_true_on(shown->element, "isComplete"));
    if (!is_kept && !is_done) return;
    const Tool& source = is_kept ? kept->second : *shown;
    Draft& draft = cleared(context_.draft);
    say_result(source.element, draft);
    Block& block = draft.blocks.back();
    block.id = id;
    Utterance told = begin(Utterance::Kind::asked, source.place);
    if (shown != nullptr) {
      block.is_error = failed;
      date_command(shown->element, block, told);
    }
    told.id = name_of_result(id);
    add_utterance(told, draft, context_);
  }

  void read_response() {
    json::element response;
    if (!json::find(request_, "response", response)) return;
    Draft& draft = cleared(context_.draft);
    say_response(response, draft);
    const Tokens tokens = read_usage(request_, kVsCodeCounts);
    if (draft.blocks.empty() && tokens == Tokens{}) return;
    Utterance answer = begin(Utterance::Kind::answered, part_.field("response"));
    answer.outcome = Outcome::ok;
    answer.form = Utterance::Form::whole;
    answer.answer = answer.id = name_on("responseId");
    answer.tokens = tokens;
    read_time_on(request_, "modelState/completedAt", answer);
    add_utterance(answer, draft, context_);
    for (const Tool& tool : tools_) add_result(json::text_at(tool.element, "toolCallId"));
  }

  /// Adds a failed call, which counts where the model owes an answer.
  void read_failure() {
    json::element details;
    const bool has_details = json::follow(request_, "result/errorDetails", details);
    const bool is_cancelled = json::is_true_on(request_, "isCanceled") ||
                              json::count_on(request_, "modelState/value", 0) == 2;
    if (!has_details && !is_cancelled) return;
    Utterance failed = begin(Utterance::Kind::failed, part_);
    failed.outcome = Outcome::error;
    failed.is_owed = true;
    failed.model = common_.model;
    failed.id = context_.shard.intern(json::text_at(request_, "requestId").empty()
                                          ? std::string()
                                          : json::text_on(request_, "requestId") + "/failed");
    std::string word = has_details ? std::string(json::text_at(details, "code")) : "";
    if (word.empty() && has_details) word = error_word(details);
    failed.error = context_.shard.intern(is_cancelled && word.empty() ? "canceled" : word);
    read_time_on(request_, "modelState/completedAt", failed);
    context_.shard.add(failed);
  }

  /// The chat contains the tool uses of subagents, but not their calls.
  void add_subagents() {
    for (const auto& [part, place] : tools_) {
      if (json::text_on(part, "toolSpecificData/kind") != "subagent") continue;
      AgentRelation report =
          relation_of(begin(Utterance::Kind::silent, place), AgentRelation::Kind::reported);
      report.tool_use = context_.shard.intern(json::text_at(part, "toolCallId"));
      report.said_with = name_of_result(json::text_at(part, "toolCallId"));
      report.agent_type = context_.shard.intern(json::text_on(part, "toolSpecificData/agentName"));
      context_.shard.add(report);
    }
  }

  /// A tool's part of the response, or its result.
  struct Tool {
    json::element element;
    Part place;
  };

  const json::element request_;
  const Part& part_;
  Utterance common_;
  RecordContext& context_;
  std::vector<Tool> tools_;  ///< of the response, in its order, but those within subagents
  std::unordered_map<std::string_view, size_t> shown_;  ///< the last of them, by tool use
  std::unordered_map<std::string_view, Tool> kept_;     ///< results by tool use
};

/// Returns the folder of `file:///srv/shop`, and any other address unchanged.
std::string folder_of(const std::string& address) {
  constexpr std::string_view kFile = "file://";
  return address.starts_with(kFile) ? address.substr(kFile.size()) : address;
}

void read_chat(const RecordMatcher& record, const Part& whole, Utterance& common,
               RecordContext& context) {
  note_session(context.shard, SessionNote::Kind::project, whole.at, common.session,
               folder_of(json::text_on(record, "workingDirectory/path|workingDirectory")));
  each_item(record, whole, "requests", [&](json::element request, const Part& part) {
    if (json::is_object(request)) VsCodeRequest(request, part, common, context).read();
  });
}

constexpr SessionShape kVsCodeSession = {
    .id = "sessionId", .title = "customTitle", .ai_title = "computedTitle"};

constexpr RecordShape kVsCodeRecords[] = {
    {.when = "requests:array responderUsername|sessionId !conversationId !messages",
     .session = kVsCodeSession,
     .read = read_chat,
     .say = say_vscode},
};

}  // namespace

extern constinit const Format kVsCodeChat = format_of_shapes<kVsCodeRecords>(
    "vscode-chat", "chats of Visual Studio Code with Copilot: sessions, exports, logs of changes");

}  // namespace xtrace
