#include <optional>
#include <string>

#include "base/hash.h"
#include "base/hex.h"
#include "input/calls/message_draft.h"
#include "input/common/record_context.h"
#include "input/transcripts/cline_shown.h"
#include "input/transcripts/cline_text_tools.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

// The sessions of Cline: one a document since 2026,
//
//   {"version", "agent", "sessionId", "messages": [
//     {"id", "role", "content": [blocks as Anthropic has them], "ts": milliseconds,
//      "modelInfo": {"id", "provider"}, "metrics": {"inputTokens", "outputTokens",
//      "cacheReadTokens", "cacheWriteTokens", "cost"}, "metadata": {"kind"}}]}
//
// that of a subagent with {"origin": {"parentThreadId", "subagent"}} and an id that begins with its
// parent's: `PARENT__AGENT`, or `PARENT__teamtask__AGENT__RUN` of a teammate, who goes on from one
// run to the next with what was said before. The tool `team_run_task` starts these,
//
// and before that, as in Roo Code, the list of messages alone (`api_conversation_history.json`),
// most with `ts`, in which `modelInfo` has `modelId` and `metrics` its counts in `tokens`; there
// models may call tools in their text: cline_text_tools.h. What the user saw of that is beside it:
// cline_shown.cpp.

namespace {

/// What the program puts behind what a user says.
bool is_put_in_by_cline(const Block& block) {
  return block.kind == Block::Kind::text && block.text.starts_with("<environment_details>");
}

/// What a tool gave, told as text; of tools that nobody knows here too.
bool gives_result(const Block& block) {
  return block.kind == Block::Kind::text && block.text.starts_with('[') &&
         block.text.substr(0, block.text.find('\n')).find("] Result:") != std::string_view::npos;
}

void strip_cline(Draft& draft) {
  std::erase_if(draft.blocks, is_put_in_by_cline);
  for (Block& block : draft.blocks) {
    constexpr std::string_view kBegin = "<task>\n", kEnd = "\n</task>";
    if (block.text.starts_with(kBegin) && block.text.ends_with(kEnd)) {
      block.text.remove_prefix(kBegin.size());
      block.text.remove_suffix(kEnd.size());
    }
  }
}

/// Messages of the list count what went through a cache beside the prompt, read and written as one.
constexpr UsageShape kListCounts = {
    .input = "tokens/prompt", .output = "tokens/completion", .cache_read = "tokens/cached"};

/// When a message was sent; where it does not tell, a name for what it says.
std::string stamp_of(json::element message) {
  json::element content;
  std::string time = json::text_on(message, "ts");
  if (!time.empty() || !json::find(message, "content", content)) return time;
  return hex(hash_of(simdjson::minify(content)));
}

void adjust_cline(json::element message, Utterance& said, Draft& draft) {
  json::element counted;
  strip_cline(draft);
  if (said.kind == Utterance::Kind::answered) {
    read_text_tools(stamp_of(message), draft);
    if (json::follow(message, "metrics/tokens", counted) && json::find(message, "metrics", counted))
      said.tokens = read_usage(counted, kListCounts);
    if (said.cost == 0) said.cost = kNoCount;  // no price is known
  } else {
    const bool is_told =
        !draft.blocks.empty() && (gives_result(draft.blocks.front()) || gives_text_results(draft));
    if (is_told || json::is_true_on(message, "isSummary")) draft.role = Message::Role::other;
  }
}

void adjust_text_results(json::element message, Utterance&, Draft& draft) {
  strip_cline(draft);
  read_text_results(stamp_of(message), draft);
}

constexpr MessageShape kClineMessages = {
    .id = "id",
    .model = "modelInfo/id|modelInfo/modelId",
    .provider = "modelInfo/provider|modelInfo/providerId",
    .time = "ts",
    .cost = "metrics/cost",
    .usage = "metrics",
    .counts = {.input = "inputTokens",
               .output = "outputTokens",
               .cache_read = "cacheReadTokens",
               .cache_write = "cacheWriteTokens",
               .input_has_cache = true},
    .adjust = adjust_cline,
};

constexpr MessageShape kClineTextResults = {.time = "ts", .adjust = adjust_text_results};

bool tells_text_results(json::element message) {
  Draft draft;
  if (json::text_at(message, "role") != "user") return false;
  say_message(message, kClineMessages, draft);
  strip_cline(draft);
  return gives_text_results(draft);
}

/// Does it show that the list is Cline's?
bool is_in_words_of_cline(json::element message) {
  json::element content;
  bool is = false;
  if (json::text_at(message, "role") != "user" || !json::find(message, "content", content))
    return false;
  json::items(content, [&](json::element block) {
    const std::string_view text = json::text_at(block, "text");
    is |= text.starts_with("<task>") || text.starts_with("<environment_details>");
  });
  return is;
}

bool is_summary(json::element message) {
  return json::text_on(message, "metadata/kind") == "compaction_summary" ||
         json::is_true_on(message, "isSummary");
}

void read_one(json::element message, const Part& part, MessageReader& messages,
              RecordContext& context) {
  Shard& shard = context.shard;
  if (is_summary(message)) {
    Utterance compacted = messages.common;
    compacted.kind = Utterance::Kind::compacted;
    compacted.source = part.at;
    read_time_on(message, "ts", compacted);
    shard.add(compacted);
  }
  if (tells_text_results(message)) {
    MessageReader results(kClineTextResults, context);
    results.common = messages.common;
    results.common.way = Utterance::Way::shown;
    results.read(message, part);
  }
  messages.read(message, part);
}

/// Messages without a time are Cline's only where one of their file is in its words.
void head_undated(json::element message, Utterance& common, const Part& whole, Shard& shard) {
  common.is_ambiguous = true;
  if (!is_in_words_of_cline(message)) return;
  Utterance heading;
  heading.kind = Utterance::Kind::heading;
  heading.source = whole.at;
  shard.add(heading);
}

/// Whose a subagent's document is, and who that is.
struct Subagent {
  std::string session, agent, type;
};

constexpr std::string_view kTeamTask = "__teamtask__";

/// Nothing: it is a session by itself.
std::optional<Subagent> subagent_of(json::element record, const std::string& id) {
  Subagent found;
  found.session = json::text_on(record, "origin/parentThreadId");
  found.type = json::text_on(record, "origin/subagent");
  const size_t run = id.rfind(kTeamTask);
  const bool is_named = !found.session.empty() && id.starts_with(found.session + "__");
  if (run == id.npos && !is_named) return std::nullopt;
  if (found.session.empty()) found.session = id;
  found.session = found.session.substr(0, found.session.find(kTeamTask));  // subagents have some
  found.agent = id;
  if (run == id.npos) return found;
  const size_t name = run + kTeamTask.size(), end = id.rfind("__");
  if (end > name) found.agent = id.substr(0, end);
  if (found.type.empty()) found.type = found.agent.substr(name);
  return found;
}

/// Which teammates were told to do something, by the names that their own documents have.
void name_teammates(json::element message, const Part& part, const Utterance& common,
                    std::string_view id, Shard& shard) {
  json::element blocks;
  if (!json::find(message, "content", blocks)) return;
  json::items(blocks, [&](json::element block) {
    const std::string name = json::text_on(block, "input/agentId");
    if (name.empty() || json::text_at(block, "name") != "team_run_task") return;
    AgentRelation about = relation_of(common, AgentRelation::Kind::started);
    about.source = part.at;
    about.agent = shard.intern(std::string(id).append(kTeamTask).append(name));
    about.agent_type = shard.intern(name);
    about.tool_use = shard.intern(json::text_at(block, "id"));
    shard.add(about);
  });
}

void read_cline_dated(const RecordMatcher& record, const Part& whole, Utterance&,
                      RecordContext& context) {
  MessageReader messages(kClineMessages, context);
  read_one(record, whole, messages, context);
}

void read_cline_undated(const RecordMatcher& record, const Part& whole, Utterance&,
                        RecordContext& context) {
  MessageReader messages(kClineMessages, context);
  head_undated(record, messages.common, whole, context.shard);
  read_one(record, whole, messages, context);
}

void read_cline_session(const RecordMatcher& record, const Part& whole, Utterance&,
                        RecordContext& context) {
  MessageReader messages(kClineMessages, context);
  const std::string id = json::text_on(record, "sessionId");
  const std::optional<Subagent> subagent = subagent_of(record, id);
  Utterance& common = messages.common;
  messages.keep_apart(subagent ? subagent->agent : id);
  common.session = context.shard.intern(subagent ? subagent->session : id);
  if (subagent) {
    common.in_subagent = true;
    common.agent = context.shard.intern(subagent->agent);
    common.agent_type = context.shard.intern(subagent->type);
  }
  each_item(record, whole, "messages", [&](json::element message, const Part& part) {
    read_one(message, part, messages, context);
    name_teammates(message, part, common, id, context.shard);
  });
}

void say_cline(json::element part, Draft& said) {
  if (json::is_string(part)) return say_shown(part, said);
  say_message(part, kClineMessages, said);
  const std::string stamp = stamp_of(part);
  if (said.role == Message::Role::assistant) return read_text_tools(stamp, said);
  if (tells_text_results(part)) {
    strip_cline(said);
    read_text_results(stamp, said);
  }
}

constexpr RecordShape kClineRecords[] = {
    {.when = "sessionId:text messages:array agent:text",
     .read = read_cline_session,
     .say = say_cline},
    {.when = "say:text ts:number type=say", .read = read_shown, .say = say_shown},
    {.when = "ask:text ts:number type=ask", .read = read_shown, .say = say_shown},
    // Messages of a list are known by the name of their time; others may give them no id.
    {.when = "role=user|assistant content:array ts:number !type",
     .read = read_cline_dated,
     .say = say_cline},
    // Any program may keep messages without a time.
    {.when = "role=user|assistant content:array "
             "{role|content|modelInfo|metrics|isSummary|condenseId}",
     .read = read_cline_undated,
     .say = say_cline},
};

}  // namespace

extern constinit const Format kCline = format_of_shapes<kClineRecords>(
    "cline",
    "sessions of Cline and Roo Code: messages.json, api_conversation_history.json, "
    "ui_messages.json",
    "api_conversation_history|ui_messages");

}  // namespace xtrace
