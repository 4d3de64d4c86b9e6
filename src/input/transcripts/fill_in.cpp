#include "input/transcripts/fill_in.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/one_of.h"
#include "facts/rows.h"
#include "input/transcripts/bills_in_order.h"
#include "input/transcripts/copied_files.h"
#include "input/transcripts/counts_alone.h"
#include "input/transcripts/ends_of_tools.h"
#include "input/transcripts/failed_runs.h"
#include "input/transcripts/join_shown.h"
#include "input/transcripts/message_steps.h"
#include "input/transcripts/name_reporters.h"
#include "input/transcripts/parted_messages.h"
#include "input/transcripts/portions.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/running_counts.h"
#include "input/transcripts/running_totals.h"
#include "input/transcripts/streamed_counts.h"
#include "input/transcripts/teammates.h"
#include "input/transcripts/unnamed_forks.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// Takes off what stands behind the last slash.
std::string_view cut_last(std::string_view& path) {
  const size_t at = path.rfind('/');
  const std::string_view last = path.substr(at + 1);  // npos + 1 is 0
  path = at == std::string_view::npos ? std::string_view{} : path.substr(0, at);
  return last;
}

/// `…/SESSION/subagents/agent-ID.jsonl`, and `.meta.json` beside it; of an agent of a workflow
/// `…/SESSION/subagents/workflows/RUN/agent-ID.jsonl`.
struct SubagentFile {
  std::string_view session, agent, run;
};

SubagentFile subagent_file(std::string_view path) {
  constexpr std::string_view kBegin = "agent-";
  SubagentFile found;
  found.agent = cut_last(path);
  if (!found.agent.starts_with(kBegin)) return {};
  found.agent = found.agent.substr(kBegin.size());
  found.agent = found.agent.substr(0, found.agent.find('.'));
  std::string_view folder = cut_last(path);
  if (folder != "subagents") {
    found.run = folder;
    if (cut_last(path) != "workflows" || cut_last(path) != "subagents") return {};
  }
  found.session = cut_last(path);
  return found;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// What a session is called that its file does not name: as the file is, or as its folder where
/// every file of its kind has the same name, or the one above where a file holds an event. Empty:
/// of what came through a pipe.
std::string_view name_of_file(std::string_view path) {
  constexpr std::string_view kCommonNames[] = {"api_conversation_history",
                                               "base_state",
                                               "events",
                                               "history_item",
                                               "messages",
                                               "session",
                                               "transcript",
                                               "ui_messages"};
  const std::string_view file = cut_last(path), stem = file.substr(0, file.find('.'));
  if ((stem.starts_with("event-") || is_number(stem)) && path.ends_with("/events")) {
    cut_last(path);
    return cut_last(path);
  }
  if (!is_one_of(stem, kCommonNames)) return stem == "-" ? std::string_view{} : stem;
  const std::string_view folder = cut_last(path);
  return folder.empty() ? stem : folder;
}

/// An attempt took from when the answer was asked for until it failed; then the next one began.
void begin_after(Utterance& attempt, Utterance& answer) {
  const Duration took = elapsed(answer.time, attempt.time);
  attempt.answer = {};
  attempt.model = answer.model;
  if (took < Duration{0}) return;
  attempt.took = took;
  std::swap(attempt.time, answer.time);
  if (answer.took != kNoDuration) answer.took = std::max(answer.took - took, Duration{0});
}

/// Parts of messages learn from these whose they are, when they were said, in which session. One
/// that does not name its message stands in the folder that does.
void join_parts(RawTrace& trace) {
  for (Utterance& said : trace.utterances) {
    if (!said.is_part || said.answer) continue;
    std::string_view path = trace.sources[said.source.file].path;
    cut_last(path);
    said.answer = trace.strings.intern(cut_last(path));
  }
  drop_parts_told_again(trace);
  tell_steps_apart(trace);
  if (std::none_of(trace.utterances.begin(), trace.utterances.end(),
                   [](const Utterance& said) { return said.is_part; }))
    return;
  std::unordered_map<uint32_t, Utterance*> message_of;  // by id
  for (Utterance& said : trace.utterances)
    if (!said.is_part && said.id) message_of.emplace(said.id.index, &said);
  const auto message_with = [&](const Utterance& part) {
    const auto found = message_of.find(part.answer.index);
    return found == message_of.end() ? nullptr : found->second;
  };
  for (Utterance& said : trace.utterances) {
    if (!said.is_part) continue;
    Utterance* message = message_with(said);
    if (said.kind == Kind::failed && message != nullptr) begin_after(said, *message);
  }
  for (Utterance& said : trace.utterances) {
    if (!said.is_part || said.kind == Kind::failed) continue;
    const Utterance* message = message_with(said);
    const Kind kind = message == nullptr ? Kind::answered : message->kind;
    if (message != nullptr && said.time == kNoTime) said.time = message->time;
    if (message != nullptr && !said.session) said.session = message->session;
    if (said.kind == kind) continue;
    said.kind = Kind::silent;
    said.id = said.answer = {};
  }
}

/// A tool that began is told again when it is done, by the same name.
void drop_begun(RawTrace& trace) {
  std::unordered_map<uint64_t, Utterance*> begun;  // by file and name
  for (Utterance& said : trace.utterances) {
    if (!said.item) continue;
    const uint64_t key = uint64_t{said.source.file} << 32 | said.item.index;
    if (said.is_begun) {
      begun[key] = &said;
    } else if (const auto found = begun.find(key); found != begun.end()) {
      found->second->kind = Kind::silent;
      begun.erase(found);
    }
  }
}

/// A session of a subagent that does not name the one it is part of: that is the only one in which
/// a tool was told what it is told first.
void find_parents(RawTrace& trace) {
  const auto is_lost = [](const Utterance& said) {
    return said.kind == Kind::agent && said.agent && !said.session && !said.tool_use &&
           said.in_subagent;
  };
  std::unordered_map<uint32_t, StringId> prompt_of;  // by session, of the lost ones
  for (const Utterance& said : trace.utterances)
    if (is_lost(said)) prompt_of.emplace(said.agent.index, StringId{});
  if (prompt_of.empty()) return;
  std::unordered_map<uint32_t, std::set<StringId>> sessions_of;  // by prompt of a tool
  for (const Utterance& said : trace.utterances) {
    if (!said.message || !said.session) continue;
    for (const ToolUse& use : rows_of(trace.tool_uses, said.message))
      if (use.prompt) sessions_of[use.prompt.index].insert(said.session);
    const auto lost = prompt_of.find(said.session.index);
    if (lost == prompt_of.end() || lost->second) continue;
    for (const Prompt& prompt : rows_of(trace.prompts, said.message)) lost->second = prompt.hash;
  }
  for (Utterance& said : trace.utterances) {
    if (!is_lost(said)) continue;
    const auto told = sessions_of.find(prompt_of[said.agent.index].index);
    const bool is_known = told != sessions_of.end() && told->second.size() == 1 &&
                          *told->second.begin() != said.agent;
    if (is_known)
      said.session = *told->second.begin();
    else
      said.kind = Kind::silent;
  }
}

/// What is known of all that follows in a file.
struct Heading {
  StringId session, agent, agent_type, model;
  Terms terms;                ///< on which its model is asked
  std::set<StringId> before;  ///< the threads that it goes on from
  bool in_subagent = false;

  void read(const Utterance& said) {
    StringId thread = said.agent ? said.agent : said.session;
    // A thread that goes on from another one may have that one's heading copied behind its own, and
    // with it those of the threads that that one goes on from.
    if (thread && !before.contains(thread)) {
      session = said.session;
      agent = said.agent;
      agent_type = said.agent_type;
      before.clear();
      terms = {};
      in_subagent = said.in_subagent;
    }
    if (thread && said.after) before.insert(said.after);
    if (said.model) model = said.model;
    terms = said.tokens.terms.over(terms);
  }

  void fill_in(Utterance& said) const {
    if (!said.session) said.session = session;
    if (said.tokens != Tokens{}) said.tokens.terms = said.tokens.terms.over(terms);
    if (tells_of_agent(said)) return;
    if (!said.agent && agent) {
      said.agent = agent;
      said.in_subagent = in_subagent;
    }
    if (!said.agent_type) said.agent_type = agent_type;
    if (said.kind == Kind::answered && !said.model) said.model = model;
  }
};

void take_over(RawTrace& trace) {
  std::vector<SubagentFile> files;
  for (const Source& source : trace.sources) files.push_back(subagent_file(source.path));
  std::vector<Heading> headings(trace.sources.size());
  for (Utterance& said : trace.utterances) {
    const SubagentFile& file = files[said.source.file];
    if (said.in_subagent && !file.agent.empty()) {
      said.session = trace.strings.intern(file.session);
      if (!said.agent) said.agent = trace.strings.intern(file.agent);
    }
    Heading& heading = headings[said.source.file];
    if (said.kind == Kind::heading) {
      heading.read(said);
      continue;
    }
    if (said.session) heading.session = said.session;
    heading.fill_in(said);
  }
}

/// The agents of a workflow were started by the tool use that tells its run.
void join_workflows(RawTrace& trace) {
  std::unordered_map<std::string_view, StringId> tool_use_of;  // by run
  for (const Utterance& said : trace.utterances)
    if (said.kind == Kind::agent && said.agent && said.tool_use)
      tool_use_of.emplace(trace.strings[said.agent], said.tool_use);
  std::vector<StringId> tool_uses;
  for (const Source& source : trace.sources) {
    const std::string_view run = subagent_file(source.path).run;
    auto found = run.empty() ? tool_use_of.end() : tool_use_of.find(run);
    tool_uses.push_back(found == tool_use_of.end() ? StringId{} : found->second);
  }
  for (Utterance& said : trace.utterances)
    if (said.in_subagent && !said.tool_use) said.tool_use = tool_uses[said.source.file];
}

/// `…/SESSION/subagents/ID.jsonl`, of Kiro `sub-executions`, where nothing in the file tells it.
/// Empty: it is none.
SubagentFile named_by_folder(std::string_view path) {
  SubagentFile found;
  const std::string_view file = cut_last(path);
  if (!is_one_of(cut_last(path), {"subagents", "sub-executions"}) || path.empty()) return {};
  found.agent = file.substr(0, file.find('.'));
  found.session = cut_last(path);
  return found;
}

/// A file in which nothing names a session is one by itself, or that of a subagent.
void name_sessions(RawTrace& trace) {
  std::vector<bool> is_named(trace.sources.size());
  for (const Utterance& said : trace.utterances)
    if (said.session) is_named[said.source.file] = true;
  std::vector<StringId> names(trace.sources.size());
  for (Utterance& said : trace.utterances) {
    const uint32_t file = said.source.file;
    if (is_named[file]) continue;
    const SubagentFile subagent = named_by_folder(trace.sources[file].path);
    if (!names[file])
      names[file] = trace.strings.intern(
          subagent.agent.empty() ? name_of_file(trace.sources[file].path) : subagent.session);
    said.session = names[file];
    if (subagent.agent.empty()) continue;
    if (!said.agent) said.agent = trace.strings.intern(subagent.agent);
    said.in_subagent = true;
  }
}

/// What an answer used up may be told elsewhere. An answer of which nothing else is on record is a
/// call all the same, of the agent that it was billed to.
void settle_bills(RawTrace& trace) {
  const auto is_bill = [](const Utterance& said) { return said.kind == Kind::billed; };
  if (std::none_of(trace.utterances.begin(), trace.utterances.end(), is_bill)) return;
  std::map<std::pair<StringId, StringId>, size_t> answers;  // the last piece, by session and name
  for (size_t i = 0; i < trace.utterances.size(); ++i)
    if (const Utterance& said = trace.utterances[i]; said.kind == Kind::answered && said.answer)
      answers[{said.session, said.answer}] = i;
  for (Utterance& bill : trace.utterances) {
    if (!is_bill(bill)) continue;
    const auto found = answers.find({bill.session, bill.answer});
    if (found == answers.end() && bill.is_echo) {
      bill.kind = Kind::silent;
      continue;
    }
    if (found == answers.end()) {
      bill.kind = Kind::answered;
      bill.outcome = Outcome::ok;
      bill.is_whole = true;
      bill.in_subagent = bool{bill.agent};
      bill.agent_type = bill.agent;
      continue;
    }
    Utterance& answer = trace.utterances[found->second];
    answer.tokens = bill.tokens;
    answer.cost = bill.cost;
    if (bill.model) answer.model = bill.model;
    bill.kind = Kind::silent;
    bill.agent = {};
  }
}

/// A session that another one names as its subagent is part of that one, and so are the subagents
/// below it: all are told apart by agent, in the session of the one that nobody started.
void join_sessions(RawTrace& trace) {
  std::unordered_map<uint32_t, StringId> part_of;
  for (const Utterance& said : trace.utterances)
    if (said.agent && said.session && said.agent != said.session &&
        (tells_of_agent(said) || said.in_subagent))
      part_of.emplace(said.agent.index, said.session);
  if (part_of.empty()) return;
  constexpr int kDeepest = 100;  // further down, or in a circle, nothing is a subagent of anything
  for (Utterance& said : trace.utterances)
    for (int depth = 0; depth < kDeepest && said.session; ++depth) {
      auto found = part_of.find(said.session.index);
      if (found == part_of.end()) break;
      if (!said.agent && !tells_of_agent(said)) {
        said.agent = said.session;
        said.in_subagent = true;
      }
      said.session = found->second;
    }
}

/// Where a file tells the same texts twice, as part of the conversation and beside it, one telling
/// counts; likewise where the end of a run, or an attempt that failed in it, is told and, in
/// whichever file, its session.
void drop_echoes(RawTrace& trace) {
  struct TextSources {
    bool by_user = false, by_model = false, answered = false;
  };
  std::unordered_set<uint32_t> failed;  // sessions
  if (std::none_of(trace.utterances.begin(), trace.utterances.end(),
                   [](const Utterance& said) { return said.is_echo; }))
    return;
  std::vector<TextSources> sources_of_file(trace.sources.size());
  std::unordered_set<uint32_t> answered;  // sessions
  auto is_asked = [&](const Utterance& said) {
    return said.kind == Kind::asked && said.message &&
           !rows_of(trace.prompts, said.message).empty();
  };
  for (const Utterance& said : trace.utterances) {
    if (said.is_echo && !is_printed(said)) continue;
    TextSources& file = sources_of_file[said.source.file];
    file.by_user |= is_asked(said);
    if (said.kind == Kind::failed) failed.insert(said.session.index);
    if (said.kind != Kind::answered) continue;
    file.answered = true;
    answered.insert(said.session.index);
    file.by_model |= said.message && rows_of(trace.tool_uses, said.message).empty();
  }
  for (Utterance& said : trace.utterances) {
    if (!said.is_echo || is_printed(said)) continue;
    const TextSources& file = sources_of_file[said.source.file];
    bool again = said.kind == Kind::failed  ? failed.contains(said.session.index)
                 : said.is_whole            ? answered.contains(said.session.index)
                 : said.kind == Kind::asked ? file.by_user
                 : said.message             ? file.by_model
                                            : file.answered;
    if (again) said.kind = Kind::silent;
  }
}

/// Some programs write a record again when it has become longer, or with all others when they save:
/// the last version stands where the first one stood.
void replace_versions(RawTrace& trace) {
  std::unordered_map<uint64_t, size_t> places;
  for (size_t i = 0; i < trace.utterances.size(); ++i) {
    Utterance& said = trace.utterances[i];
    if (!said.id || !(said.is_newer || said.is_again)) continue;
    const uint64_t key = uint64_t{said.source.file} << 32 | said.id.index;
    const auto [known, is_new] = places.emplace(key, i);
    if (is_new) continue;
    if (said.is_newer) trace.utterances[known->second] = said;
    said.kind = Kind::silent;
    said.id = {};
  }
}

}  // namespace

ForkedFrom fill_in(RawTrace& trace) {
  settle_streamed_counts(trace);
  read_ends_of_tools(trace);
  replace_versions(trace);
  join_parts(trace);
  drop_begun(trace);
  find_parents(trace);
  tell_calls_of_counts(trace);
  take_over(trace);
  join_workflows(trace);
  name_sessions(trace);
  join_teammates(trace);
  take_apart_running_counts(trace);
  join_running_totals(trace);
  drop_copied_files(trace);
  ForkedFrom forked_from = drop_forked(trace);
  drop_taken_over(trace, forked_from);
  name_bills_in_order(trace);
  settle_bills(trace);
  join_shown(trace);
  join_sessions(trace);
  name_reporters(trace);
  drop_printed(trace);
  settle_failed_runs(trace);
  drop_echoes(trace);
  join_portions(trace);
  return forked_from;
}

}  // namespace xtrace
