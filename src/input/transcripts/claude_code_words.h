#pragma once

#include "input/calls/message_draft.h"
#include "input/common/json.h"
#include "input/common/record_pattern.h"
#include "input/common/utterance.h"

namespace xtrace {

class Shard;

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

}  // namespace xtrace
