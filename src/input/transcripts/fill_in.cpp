#include "input/transcripts/fill_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/one_of.h"
#include "facts/rows.h"
#include "facts/tool_error.h"
#include "input/common/raw_trace.h"
#include "input/transcripts/failed_runs.h"
#include "input/transcripts/join_shown.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/teammates.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

class PartDropper {
 public:
  explicit PartDropper(RawTrace& trace) : trace_(trace), said_(trace.utterances) {}

  void drop() {
    for (const Utterance& said : said_)
      if (said.is_part && said.answer) parted_.insert(said.answer.index);
    if (parted_.empty()) return;
    for (const Utterance& said : said_)
      if (tells_whole(said)) whole_.insert(said.id.index);
    for (size_t i = 0; i < said_.size(); ++i)
      if (is_told_again(said_[i])) drop(i);
  }

 private:
  bool tells_whole(const Utterance& said) const {
    const bool is_whole =
        said.is_whole ? said.id == said.answer : said.kind == Kind::asked && said.message;
    return !said.is_part && said.id && is_whole && parted_.contains(said.id.index);
  }

  /// The record of a message whose parts stand elsewhere says nothing by itself.
  bool is_told_again(const Utterance& said) {
    if (said.is_part)
      return whole_.contains(said.answer.index) || (said.id && is_in_other_file(said));
    const bool is_bare = said.kind == Kind::asked ? !said.message : said.kind == Kind::answered;
    return is_bare && !said.is_whole && said.id && whole_.contains(said.id.index);
  }

  bool is_in_other_file(const Utterance& part) {
    const auto [first, is_new] = file_of_.emplace(part.id.index, part.source.file);
    return !is_new && first->second != part.source.file;
  }

  void drop(size_t i) {
    Utterance& said = said_[i];
    // A text is told as a prompt's and as an answer's.
    if (!said.is_part || said.kind != Kind::asked) ++trace_.sources[said.source.file].copies;
    if (i + 1 < said_.size() && gave(said, said_[i + 1])) silence(said_[i + 1]);
    silence(said);
  }

  /// What a tool gave stands behind its part.
  bool gave(const Utterance& part, const Utterance& next) const {
    return part.is_part && part.kind == Kind::answered && part.id && next.kind == Kind::asked &&
           !next.is_part && next.id && next.source.file == part.source.file &&
           trace_[next.id].starts_with(trace_[part.id]);
  }

  static void silence(Utterance& said) {
    said.kind = Kind::silent;
    said.id = said.answer = {};
    said.is_part = false;
  }

  RawTrace& trace_;
  std::vector<Utterance>& said_;
  std::unordered_set<uint32_t> parted_, whole_;     ///< messages, by id
  std::unordered_map<uint32_t, uint32_t> file_of_;  ///< by id of a part
};

/// Parts of messages that were kept one by one may be on record twice, or beside their message as a
/// whole: files that were left behind when a program moved them to its database, an export. An id
/// counts once: the message that is whole before its parts, a part where it was read first. Parts
/// have to know the message that they are of.
void drop_parts_told_again(RawTrace& trace) {
  PartDropper(trace).drop();
}

bool begins_step(const Utterance& said) {
  return said.kind == Kind::answered && said.is_awaited;
}
bool ends_step(const Utterance& said) {
  return said.kind == Kind::answered && !said.is_awaited &&
         (said.tokens != Tokens{} || said.cost != kNoCount || said.stop_reason);
}

/// A message, by its name.
struct PartedMessage {
  Utterance* told = nullptr;      ///< the record of the message itself, where there is one
  std::vector<uint32_t> parts{};  ///< in the order in which they are told
};

class StepTeller {
 public:
  explicit StepTeller(RawTrace& trace) : trace_(trace) {}

  void tell() {
    std::map<uint32_t, PartedMessage> messages;  // by name
    for (const Utterance& said : trace_.utterances)
      if (begins_step(said) && said.answer) messages.try_emplace(said.answer.index);
    if (messages.empty()) return;
    for (uint32_t i = 0; i < trace_.utterances.size(); ++i) {
      Utterance& said = trace_.utterances[i];
      const auto message = messages.find(said.answer.index);
      if (!said.answer || message == messages.end()) continue;
      if (said.kind == Kind::answered && said.id == said.answer && !said.is_part)
        message->second.told = &said;
      else
        message->second.parts.push_back(i);
    }
    for (auto& [name, message] : messages) take_apart(message);
  }

 private:
  Utterance& said(uint32_t i) { return trace_.utterances[i]; }

  void take_apart(const PartedMessage& message) {
    std::vector<std::vector<uint32_t>> steps(1);
    bool is_over = false;
    for (uint32_t i : message.parts) {
      if (is_over && begins_step(said(i))) steps.emplace_back();
      is_over = !begins_step(said(i)) && (is_over || ends_step(said(i)));
      steps.back().push_back(i);
    }
    if (steps.size() < 2) return;
    const Utterance whole = message.told != nullptr ? *message.told : Utterance{};
    latest_ = whole.time;
    for (size_t nth = 0; nth < steps.size(); ++nth) name_step(steps[nth], nth, whole);
    Utterance &last = said(steps.back().front()), &end = said(steps.back().back());
    if (message.told == nullptr) return;
    end_step(last, whole.is_begun ? last.time : std::max(latest_, after(whole.time, whole.took)));
    if (whole.outcome == Outcome::error) last.outcome = whole.outcome, last.error = whole.error;
    if (whole.stop_reason) end.stop_reason = whole.stop_reason;
    // The message itself stands for its first step, before the parts of that.
    Utterance& told = *message.told;
    const Utterance& first = said(steps.front().front());
    told.took = first.took;
    told.is_begun = first.is_begun;
    told.outcome = first.outcome;
    told.error = told.stop_reason = {};
    told.tokens = {};
    told.cost = kNoCount;
  }

  void name_step(const std::vector<uint32_t>& parts, size_t nth, const Utterance& whole) {
    const Time began = latest_;
    Time spoken = began;
    const StringId message = said(parts.front()).answer;
    const StringId name =
        nth == 0 ? message : trace_.strings.intern(fmt::format("{}/{}", trace_[message], nth + 1));
    for (uint32_t i : parts) {
      Utterance& part = said(i);
      part.answer = part.kind == Kind::failed ? StringId{} : name;
      if (!part.model) part.model = whole.model;
      if (!part.provider) part.provider = whole.provider;
      if (part.time == kNoTime) part.time = spoken;
      if (!part.session) part.session = whole.session;
      spoken = std::max(spoken, part.time);
      latest_ = std::max(latest_, spoken);
      if (gave_something(i)) latest_ = std::max(latest_, said(i + 1).time);
    }
    if (whole.time == kNoTime) return;  // of what is printed every part has a time of its own
    said(parts.front()).time = began;
    end_step(said(parts.front()), spoken);
  }

  /// What a tool gave stands behind its part.
  bool gave_something(uint32_t i) {
    if (i + 1 == trace_.utterances.size()) return false;
    const Utterance &part = said(i), &next = said(i + 1);
    return next.kind == Kind::asked && !next.is_part && !next.answer &&
           next.source.file == part.source.file && part.kind == Kind::answered && next.id &&
           part.id && trace_[next.id].starts_with(trace_[part.id]);
  }

  /// Where nothing tells when it ended, nobody knows how long it took.
  static void end_step(Utterance& first, Time end) {
    const Duration took = elapsed(first.time, end);
    first.is_begun = took <= Duration{0};
    first.took = first.is_begun ? kNoDuration : took;
  }

  RawTrace& trace_;
  Time latest_ = kNoTime;  ///< by then something was said or given in the message
};

/// A message in parts may hold the answers of several calls: steps that each begin with a part
/// which says so (`is_awaited`) and end with one that counts what it used up. Each becomes an
/// answer by itself; what the message counts is that of its last step, or of all of them. What the
/// tools of one step gave was there before the next one began.
void tell_steps_apart(RawTrace& trace) {
  StepTeller(trace).tell();
}

class Portions {
 public:
  explicit Portions(RawTrace& trace) : trace_(trace) {
    for (const Utterance& said : trace.utterances)
      if (said.kind == Kind::portion) whole_of_.emplace(said.after.index, said.session);
  }

  void join() {
    if (whole_of_.empty()) return;
    place_portions();
    place_between();
    for (Utterance& said : trace_.utterances) {
      said.session = whole_of(said.session);
      if (said.kind != Kind::portion) continue;
      said.kind = Kind::silent;
      said.after = {};
    }
  }

 private:
  bool is_portion(StringId session) const { return whole_of_.contains(session.index); }
  StringId whole_of(StringId session) const {
    auto found = whole_of_.find(session.index);
    return found == whole_of_.end() ? session : found->second;
  }

  /// In a file of a portion, what has no time was said before what is next.
  void place_portions() {
    Time next = kNoTime;
    uint32_t file = UINT32_MAX;
    for (size_t i = trace_.utterances.size(); i-- > 0;) {
      Utterance& said = trace_.utterances[i];
      if (!is_portion(said.session)) continue;
      if (said.source.file != std::exchange(file, said.source.file)) next = kNoTime;
      Time& end = end_of_.emplace(said.session.index, kNoTime).first->second;
      end = std::max({end, said.time, after(said.time, said.took)});
      if (said.time == kNoTime)
        said.place = next;
      else
        next = said.time;
    }
  }

  /// What the whole tells behind a portion was said after it, if only by the shortest time.
  void place_between() {
    StringId whole;
    Time before = kNoTime;
    for (Utterance& said : trace_.utterances) {
      if (said.kind == Kind::portion) {
        if (said.session != std::exchange(whole, said.session)) before = kNoTime;
        if (auto end = end_of_.find(said.after.index); end != end_of_.end())
          before = std::max(before, after(end->second, Duration{1}));
      } else if (whole &&
                 (said.session == whole || (said.is_echo && whole_of(said.session) == whole))) {
        said.place = before;
      }
    }
  }

  RawTrace& trace_;
  std::unordered_map<uint32_t, StringId> whole_of_;  ///< by portion
  std::unordered_map<uint32_t, Time> end_of_;        ///< likewise
};

/// A session of which another one tells that it is a part of it (Utterance::Kind::portion) becomes
/// that one. What is told of it without a time gets its place among what is told with one.
void join_portions(RawTrace& trace) {
  Portions(trace).join();
}

/// A message in which an agent reports names it by its path; what tells of the agent knows both its
/// path and its id. Every utterance has to know its session.
void name_reporters(RawTrace& trace) {
  std::map<std::pair<StringId, StringId>, StringId> agents;  // by session and path
  for (const Utterance& said : trace.utterances)
    if (said.item && said.kind == Utterance::Kind::agent)
      agents.try_emplace({said.session, said.item}, said.agent);
  const auto is_report = [](const Utterance& said) {
    return said.item && said.message && said.kind == Utterance::Kind::asked;
  };
  for (const Utterance& said : trace.utterances) {
    if (!is_report(said)) continue;
    const auto found = agents.find({said.session, said.item});
    for (ToolResult& row : rows_to_change(trace.tool_results, said.message)) {
      row.tool_use = {};
      row.agent = found == agents.end() ? said.item : found->second;
    }
  }
}

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
    const bool is_of_call =
        said.kind == Kind::answered || (said.kind == Kind::used && is_item(said));
    if (is_of_call && !said.model) said.model = model;
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

/// What a tool gave may say in words alone that it failed, and an event of its file that it did, or
/// how long it ran.
void read_ends_of_tools(RawTrace& trace) {
  struct End {
    const Utterance* failed = nullptr;
    Duration took = kNoDuration;
    Time began = kNoTime;  ///< by a record of its being at work
  };
  std::map<std::pair<uint32_t, StringId>, End> ends;  // by file and tool use
  for (const Utterance& said : trace.utterances) {
    if (said.kind != Kind::silent || !said.item) continue;
    const bool failed = said.outcome == Outcome::error;
    if (!failed && said.took == kNoDuration) continue;
    End& end = ends[{said.source.file, said.item}];
    if (failed && end.failed == nullptr) end.failed = &said;
    if (said.is_aside && said.time != kNoTime) {
      const Time began = after(said.time, -said.took);
      end.began = end.began == kNoTime ? began : std::min(end.began, began);
    } else if (end.took == kNoDuration) {
      end.took = said.took;
    }
  }
  if (ends.empty()) return;
  for (const Utterance& said : trace.utterances) {
    if (said.kind != Kind::asked || !said.message) continue;
    for (ToolResult& result : rows_to_change(trace.tool_results, said.message)) {
      const auto found = ends.find({said.source.file, result.tool_use});
      if (found == ends.end()) continue;
      const End& end = found->second;
      // One that was left to run on in the background gave its result before its end.
      if (result.took == kNoDuration) result.took = end.took;
      if (const Duration worked = elapsed(end.began, said.time);
          result.took == kNoDuration && worked > Duration{0})
        result.took = worked;
      if (result.is_error || end.failed == nullptr) continue;
      if (end.failed->is_awaited && end.failed->source.offset > said.source.offset) continue;
      result.is_error = true;
      result.error = tool_error_named(trace[end.failed->error]);
    }
  }
}

}  // namespace

ForkedFrom fill_in(RawTrace& trace) {
  read_ends_of_tools(trace);
  replace_versions(trace);
  join_parts(trace);
  drop_begun(trace);
  find_parents(trace);
  take_over(trace);
  join_workflows(trace);
  name_sessions(trace);
  join_teammates(trace);
  ForkedFrom forked_from = drop_copies(trace);
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
