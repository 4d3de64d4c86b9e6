#pragma once

#include "base/id.h"
#include "facts/block_size.h"
#include "facts/call.h"
#include "facts/record.h"

namespace xtrace {

/// On what terms a record states what was used up. A reader only repeats what its record states;
/// which statements count, and for which call, is settled when all are there: settle_usage().
struct UsageTerms {
  /// What the statement covers.
  enum class Scope : uint8_t {
    call,
    turn,     ///< all calls since the user's last message
    agent,    ///< all calls of the agent that its utterance names; without one, the main agent's
    session,  ///< all calls of the session, those of subagents included
  };
  /// What its counts include of the statements before it.
  enum class Form : uint8_t {
    none,     ///< no statement of usage
    piece,    ///< nothing
    running,  ///< everything since the program started that writes them
    kept,     ///< everything since the session began, in whichever file it was written
    total,    ///< everything, stated once at the end
    missing,  ///< calls that no other record mentions, and nothing else
  };
  /// How a statement of one call or turn finds its answer, where no answer has the name `answer`.
  enum class Place : uint8_t {
    none,    ///< it does not: the call has no record of its own
    before,  ///< the last answer before it
    opens,   ///< it does not, and statements without a name after it are of the same answer
    order,   ///< the answer at the same place among those of its session
    time,    ///< the last answer before its time, where no other statement is as near
  };
  /// What the cost is in: billionths of a dollar, or of a credit that has no public price.
  enum class Unit : uint8_t { dollars, credits };
  Scope scope = Scope::call;
  Form form = Form::none;
  Place place = Place::none;
  Unit unit = Unit::dollars;
  StringId run{};            ///< of running totals: the run that they belong to, if it is known
  int64_t calls = kNoCount;  ///< how many it is of
};

/// What one line of a transcript says. Transcripts do not repeat the conversation with every call,
/// and an answer may take several lines with others in between, so the calls are known only when
/// all lines are there (assemble_calls). All names are as the log has them; nowhere: not given.
struct Utterance {
  enum class Kind : uint8_t {
    asked,      ///< words to the model: a prompt, a tool's output
    answered,   ///< a piece of an answer
    failed,     ///< an attempt that got none
    used,       ///< what was used up, on the terms of `usage`
    pruned,     ///< from here on the client leaves out some tool outputs of before
    compacted,  ///< the conversation goes on with a summary of what was said
    rewound,    ///< it goes on from before what `after` names, or from before the last `turns`;
                ///< from the start if nothing has that id
    silent,     ///< says nothing, but others may name it as what they follow
    heading,    ///< whose words follow it in its file, in which session, by which model
    closing,    ///< the answer that a subagent ended with, as its parent's record shows it: counts
                ///< only where the subagent's own records end before it
  };
  /// In which way its record states it. Where a log has it in several ways, the first one counts.
  enum class Way : uint8_t {
    kept,
    shown,    ///< to the user, next to what was sent
    echoed,   ///< counts only where the file has no words of its kind but such ones; if whole, only
              ///< where its session has no other answer
    printed,  ///< by a run, which may have kept it as well: printed.h
    copied,   ///< from another session; a heading: a copy of what `forked_from` said follows
  };
  /// What it counts for where its file has it several times by one name: `id`, or `item` if begun.
  enum class Version : uint8_t {
    only,
    newer,  ///< replaces the one before
    again,  ///< counts only where none is before
    begun,  ///< counts only where none comes later; a whole answer: its end is not recorded
  };
  /// How much of an answer it is. A failure that is whole is that of a run, which may have called
  /// nobody; a summary is also a `compacted` whose answer before it is one.
  enum class Form : uint8_t {
    piece,
    part,   ///< of a message that is elsewhere by the id `answer`, which shows whose words it has:
            ///< stated as an answer's or a prompt's, or as both
    whole,  ///< by itself, not one of several pieces
    summary,        ///< whole, of what was said before
    aside,          ///< whole, and nobody asked for it: what is pending waits for the next; a
                    ///< failure: the model was not asked again
    aside_summary,  ///< both
  };
  Kind kind = Kind::silent;
  Form form = Form::piece;
  Way way = Way::kept;
  Version version = Version::only;
  bool in_subagent = false;    ///< it was not said in the main conversation
  bool is_chained = false;     ///< `after` shows what it follows, or that it is the first
  bool is_complete = false;    ///< its record is: what was asked and not answered is a call
  bool is_owed = false;        ///< a failure counts only where the model owes an answer; one of a
                               ///< whole answer is then that of what was asked last
  bool begins_step = false;    ///< of its message, with this piece of the answer
  bool is_of_client = false;   ///< in place of an answer: no model worked on it
  bool is_ambiguous = false;   ///< in a line that any log may have: counts only where another line
                               ///< of its file is one of a transcript
  bool output_is_low = false;  ///< the output count is the first one of a stream
  UsageTerms usage;
  uint8_t decimals = 3;
  uint16_t rivals = 0;  ///< other agents that it may have been said by
  Outcome outcome = Outcome::unknown;
  Time time = kNoTime;
  Time place = kNoTime;         ///< of one without a time: when what is around it was said
  Time again_at = kNoTime;      ///< when the client meant to ask again after a failure
  Duration took = kNoDuration;  ///< of a whole answer or a failure: how long the call took that
                                ///< began at `time`
  Extent source;
  MessageId message;  ///< what is said, without a history; nowhere: nothing
  BlockSizeId sizes;  ///< how long it is, where it was measured
  StringId id;
  StringId after;        ///< the utterance it follows
  StringId forked_from;  ///< the thread that goes on in what follows a heading
  StringId session;      ///< explicit
  StringId agent;        ///< the subagent that says it; nowhere: the main one
  StringId answer;       ///< names the answer that this is a piece of, or whose usage it states; a
                         ///< statement of more than one call: the statement itself
  StringId request;      ///< names the request that was answered
  StringId agent_type;
  StringId tool_use;  ///< that started the subagent
  StringId item;      ///< names what is recorded when it begins and when it ends, as a tool's run
  StringId prompt;    ///< hash of what the subagent was told to do
  StringId model;
  StringId provider;  ///< who sells it
  StringId stop_reason;
  StringId error;  ///< the class of the error
  StringId skill;  ///< of an answer: as Call::skill
  Tokens tokens;
  StringId system_prompt;            ///< hash of what instructs the model, 16 hex digits
  TaskStepId task_step;              ///< of an answer: the trace that it is part of
  int64_t cost = kNoCount;           ///< as the log states it, in billionths of a dollar
  int64_t context_limit = kNoCount;  ///< how many tokens fit into the model's window
  int64_t turns = 0;                 ///< that are taken back where the conversation is rewound
  int64_t copied_lines = 0;          ///< from the heading of a copy to the first line that is none
};

inline bool is_whole(const Utterance& said) {
  return said.form >= Utterance::Form::whole;
}
inline bool is_aside(const Utterance& said) {
  return said.form >= Utterance::Form::aside;
}
inline bool sums_up(const Utterance& said) {
  return said.form == Utterance::Form::summary || said.form == Utterance::Form::aside_summary;
}
inline bool is_part(const Utterance& said) {
  return said.form == Utterance::Form::part;
}

}  // namespace xtrace
