#pragma once

#include <string_view>

#include "input/calls/message_draft.h"
#include "input/common/record_context.h"
#include "input/common/record_pattern.h"
#include "input/common/utterance.h"
#include "input/transcripts/part.h"

namespace xtrace {

struct Answer;

// Parts of the reader of Claude Code's transcripts (claude_code.cpp): subagents and teammates
// (claude_code_agents.cpp), words and hooks (claude_code_words.cpp), totals
// (claude_code_totals.cpp).

/// What Claude Code notes of a subagent when its result is there, or when it went to work in the
/// background: `{"agentId", "content", "usage", "totalDurationMs", …}` beside the result of the
/// tool use, in the line that says `said`. `line`: that line; without a text, it is part of
/// a record.
void read_subagent_report(json::element noted, const Part& line, const Utterance& said,
                          StringId tool_use, RecordContext& context);

/// Interns the prompt of a subagent under the name that Prompt gives it.
StringId intern_prompt(std::string_view prompt, Shard& shard);

/// Is the count of the output the one that a stream opens with?
bool has_first_count(const Answer& answer);

// Agents of a team of Claude Code have names, and no result of the tool that started one tells its
// id: `{"status": "teammate_spawned", "agent_id": "NAME@TEAM"}`. Who works in the same process has
// a subagent's file, beside which its name stands; who works in one of its own has a session, each
// line of which tells name and team.

/// Of what a tool's record notes: that it started a teammate.
void note_spawned_teammate(json::element noted, const Utterance& said, StringId tool_use,
                           Shard& shard);
/// That a session is a teammate's, once.
void note_session_of_teammate(const Utterance& said, std::string_view name, std::string_view team,
                              Shard& shard);
/// What stands beside a subagent's file tells its name, and newer versions its team.
StringId teammate_named(json::element about, Shard& shard);

// Whose words they are that Claude Code puts in the user's place.

/// Is it a person's, by the `origin` of a line? All else a program says.
bool is_of_person(json::element origin);
/// Is a line marked as the client's?
bool is_of_client(const RecordMatcher& line);
/// What waited until the model was asked next: words of a person, or of the client. `draft` says
/// whose.
void read_attached(json::element attachment, Draft& draft);
/// Does another agent of the team say it?
bool is_of_teammate(const Draft& draft);
/// Does the client say that the user interrupted it?
bool is_interruption(const Draft& draft);
/// Why a tool did not run, where the line tells that beside its words.
void read_denial(const RecordMatcher& line, Draft& draft);

// Hooks are programs of the user that Claude Code runs at certain events:
//
//   {"type": "progress", "data": {"type": "hook_progress", "hookEvent", "hookName"}}
//   {"type": "attachment", "attachment": {"type": "hook_success", "hookEvent", "hookName"}}
//   {"type": "system", "subtype": "stop_hook_summary", "hookCount"}
//
// One that keeps the agent from ending its turn is quoted to the model in a message that begins
// with `Stop hook feedback:`.

/// Notes the hooks that the `data` of a progress line, or an attachment, states to have run.
void note_hook(json::element told, const Utterance& said, Shard& shard);
/// The same of a summary of the hooks that ran when a turn was to end.
void note_stop_hooks(json::element line, const Utterance& said, Shard& shard);
/// Notes that a hook sends the agent back to work, if that is what the message says.
void note_hook_feedback(const Draft& draft, const Utterance& said, Shard& shard);

// What Claude Code tells of subagents in the background becomes their reports: results of no tool
// use, beside the words that tell of them.

/// Of notices that the client puts in the user's place. Is the text such notices?
bool read_notifications(Draft& draft);
/// Of results of tools by which the model asks for what a subagent said, in place of being told.
void read_task_outputs(Draft& draft);
/// Of what the client notes of a tool beside its output (`toolUseResult`): which command went on in
/// the background, or how one that did has ended.
void read_background_state(json::element noted, Draft& draft);

// What Claude Code states that its calls used up, its own for titles and summaries included. A
// program counts on while it runs: the totals of its last turn include those of all before.

/// Totals name a model with the window that was asked for: `claude-opus-5[1m]`. Answers do not.
std::string_view bare_model(std::string_view model);

/// The end of a turn of `claude -p`: {"num_turns", "usage"} of the main model in this turn, and
/// {"modelUsage", "total_cost_usd"} of the program so far; also the answer of the last call, which
/// may be all that is on record of the calls.
void read_claude_result(const RecordMatcher& line, const Part& whole, Utterance& said,
                        RecordContext& context);
/// How an answer comes in, as a run prints it: its counts when it begins, and when it ends.
void read_claude_streamed(const RecordMatcher& line, const Part& whole, Utterance& said,
                          RecordContext& context);
/// {"type": "cost-state", "modelUsage", "totalCostUSD", "startTime"}: totals, which a session keeps
/// from time to time. `startTime` names the program.
void read_claude_cost_state(const RecordMatcher& line, const Part& whole, Utterance& said,
                            RecordContext& context);

}  // namespace xtrace
