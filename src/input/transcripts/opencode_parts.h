#pragma once

#include <span>

#include "input/common/record_context.h"
#include "input/common/record_pattern.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

// What OpenCode writes down part by part, which is read as its sessions: the files below `storage`
// in which it kept messages until 1.2, and what `opencode run --format json` prints.

/// What answers and their parts count.
inline constexpr UsageShape kOpenCodeCounts = {.input = "input",
                                               .output = "output",
                                               .cache_read = "cache/read",
                                               .cache_write = "cache/write",
                                               .reasoning = "reasoning",
                                               .total = "total"};
// What a message is without its parts, what one of these is, and one that names no message.
inline constexpr RecordPattern
    kOpenCodeInfo = "role=user|assistant time/created:number id:text sessionID:text !content",
    kOpenCodePart =
        "type=text|reasoning|tool|step-start|file|step-finish|patch|snapshot|agent|"
        "subtask|retry|compaction messageID:text id:text",
    kOpenCodeTextPart = "type=text time/start:number id:text text";
/// The parts of its messages, wherever they stand.
std::span<const PieceShape> opencode_pieces();
/// Tells when a session was made: `opencode` forks one under a new id, with new ids of all messages
/// and parts, which keep their times; the fork does not tell of which.
void head_opencode_session(json::element record, json::Path made, const Part& whole,
                           StringId session, Shard& shard);
/// Names that a message sums up what was said, wherever that is told.
StringId opencode_summary_id(std::string_view message, Shard& shard);
/// Where the use of a tool tells of the subagent that it started.
struct OpenCodeTask {
  std::string_view names[2];  ///< of such tools
  json::Path name, id, session, agent_type, began, ended;
};
/// What it is in the parts of messages.
extern const OpenCodeTask kOpenCodePartTask;
/// Adds what the use of a tool tells of the subagent that it started, if it did. `common`: what is
/// known of the session.
void read_opencode_task(json::element tool, const OpenCodeTask& task, const Utterance& common,
                        Shard& shard);

void read_opencode_session(const RecordMatcher& record, const Part& whole, Utterance&,
                           RecordContext& context);
void read_opencode_info(const RecordMatcher& record, const Part& whole, Utterance&,
                        RecordContext& context);
void read_opencode_part(const RecordMatcher& record, const Part& whole, Utterance&,
                        RecordContext& context);
void read_opencode_line(const RecordMatcher& record, const Part& whole, Utterance&,
                        RecordContext& context);
/// Until 1.0 all answers to a prompt were one message, a step each: such a one is read as its parts
/// are, wherever it stands.
bool has_opencode_steps(json::element info, json::element parts);
void read_opencode_steps(json::element message, const Part& whole, RecordContext& context);
/// What a record says; false: it is none of these.
bool say_opencode_parts(json::element record, Draft& said);

}  // namespace xtrace
