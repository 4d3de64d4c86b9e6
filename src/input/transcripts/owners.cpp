#include "input/transcripts/owners.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/digits.h"
#include "base/one_of.h"
#include "facts/made_id.h"
#include "facts/rows.h"
#include "input/transcripts/fill_in.h"
#include "input/transcripts/printed.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

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
                 (said.session == whole || (is_echo(said) && whole_of(said.session) == whole))) {
        said.place = before;
      }
    }
  }

  RawTrace& trace_;
  std::unordered_map<uint32_t, StringId> whole_of_;  ///< by portion
  std::unordered_map<uint32_t, Time> end_of_;        ///< likewise
};

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

std::string_view stem_of(std::string_view file) {
  return file.substr(0, file.find('.'));
}

/// Has every file of its kind this name?
bool is_common_name(std::string_view stem) {
  constexpr std::string_view kCommonNames[] = {"api_conversation_history",
                                               "base_state",
                                               "chat_history",
                                               "conversation",
                                               "events",
                                               "history_item",
                                               "messages",
                                               "session",
                                               "transcript",
                                               "transcript_full",
                                               "ui_messages"};
  return is_one_of(stem, kCommonNames);
}

/// What a session is called that its file does not name: as the file is, or as its folder where
/// every file of its kind has the same name, or the one above where a file holds an event. Empty:
/// of what came through a pipe.
std::string_view name_of_file(std::string_view path) {
  std::string_view whole = path;
  const std::string_view file = cut_last(path), stem = stem_of(file);
  if ((stem.starts_with("event-") || are_digits(stem)) && path.ends_with("/events")) {
    cut_last(path);
    return cut_last(path);
  }
  constexpr std::string_view kBranches = "/branches";
  if (path.ends_with(kBranches)) {  // `SESSION/branches/BRANCH`: branches of many have one name
    whole.remove_suffix(file.size() - stem.size());
    return whole.substr(path.substr(0, path.size() - kBranches.size()).rfind('/') + 1);
  }
  if (!is_common_name(stem)) return stem == "-" ? std::string_view{} : stem;
  std::string_view folder = cut_last(path);
  while (is_one_of(folder, {".system_generated", "logs"}) && !path.empty()) folder = cut_last(path);
  return folder.empty() ? stem : folder;
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
    if (is_about_subagent(said)) return;
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

/// `…/SESSION/subagents/ID.jsonl`, of Kiro `sub-executions`, where nothing in the file tells it.
/// Empty: it is none.
SubagentFile named_by_folder(std::string_view path) {
  SubagentFile found;
  const std::string_view file = cut_last(path);
  if (!is_one_of(cut_last(path), {"subagents", "sub-executions"}) || path.empty()) return {};
  found.agent = file.substr(0, file.find('.'));
  found.session = cut_last(path);
  if (found.session == "sessions") return {};  // the folder of all of them names none
  return found;
}

/// Finds the session of files whose name all files of their kind have: the only one that other
/// files of the same folder and format name. By file; `named`: the session that each names.
std::vector<StringId> named_beside(const RawTrace& trace, const std::vector<StringId>& named) {
  std::map<std::pair<std::string_view, std::string_view>, StringId> of_folder;  // nowhere: several
  const auto folder_of = [&](size_t i) {
    std::string_view folder = trace.sources[i].path;
    cut_last(folder);
    return std::pair(folder, std::string_view(trace.sources[i].format));
  };
  for (size_t i = 0; i < named.size(); ++i) {
    if (!named[i]) continue;
    const auto [known, is_new] = of_folder.try_emplace(folder_of(i), named[i]);
    if (!is_new && known->second != named[i]) known->second = {};
  }
  std::vector<StringId> names(named.size());
  for (size_t i = 0; i < named.size() && !of_folder.empty(); ++i) {
    std::string_view path = trace.sources[i].path;
    if (named[i] || !is_common_name(stem_of(cut_last(path)))) continue;
    if (const auto known = of_folder.find(folder_of(i)); known != of_folder.end())
      names[i] = known->second;
  }
  return names;
}

}  // namespace

void join_portions(RawTrace& trace) {
  Portions(trace).join();
}

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

void name_starts(RawTrace& trace) {
  const Utterance *answer = nullptr, *told = nullptr;  // told: with results
  size_t results = 0;                                  // since that answer
  for (Utterance& said : trace.utterances) {
    if (answer != nullptr && answer->source.file != said.source.file) answer = told = nullptr;
    if (said.kind == Kind::answered && said.message) {
      answer = &said, told = nullptr, results = 0;
    } else if (said.kind == Kind::asked && said.message) {
      told = &said;
      results += rows_of(trace.tool_results, said.message).size();
    }
    const bool is_start = said.kind == Kind::agent && said.agent && !said.tool_use && told &&
                          answer && said.source.offset == told->source.offset && results > 0;
    if (!is_start) continue;
    const std::span<ToolUse> uses = rows_to_change(trace.tool_uses, answer->message);
    const std::span<ToolResult> given = rows_to_change(trace.tool_results, told->message);
    if (results > uses.size() || given.size() != 1) continue;
    ToolUse& use = uses[results - 1];
    if (!use.id && !given[0].tool_use)
      use.id = given[0].tool_use =
          trace.strings.intern(std::string(kByOrder).append(trace.strings[said.agent]));
    if (use.id == given[0].tool_use) said.tool_use = use.id;
  }
}

void take_over(RawTrace& trace) {
  std::vector<SubagentFile> files;
  for (const Source& source : trace.sources) files.push_back(subagent_file(source.path));
  std::unordered_map<std::string_view, StringId> starter_of;  // by run of a workflow
  for (const Utterance& said : trace.utterances)
    if (said.kind == Kind::agent && said.agent && said.tool_use)
      starter_of.emplace(trace.strings[said.agent], said.tool_use);
  std::vector<Heading> headings(trace.sources.size());
  for (Utterance& said : trace.utterances) {
    const SubagentFile& file = files[said.source.file];
    if (said.in_subagent && !said.tool_use && !file.run.empty())
      if (const auto found = starter_of.find(file.run); found != starter_of.end())
        said.tool_use = found->second;
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

void name_sessions(RawTrace& trace) {
  std::vector<StringId> named(trace.sources.size());  // what the file names first
  for (const Utterance& said : trace.utterances)
    if (!named[said.source.file] && !said.in_subagent) named[said.source.file] = said.session;
  std::vector<bool> is_named(trace.sources.size());
  for (const Utterance& said : trace.utterances)
    if (said.session) is_named[said.source.file] = true;
  std::vector<StringId> names = named_beside(trace, named);
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
  for (SessionNote& note : trace.session_notes)
    if (!note.session) note.session = names[note.source.file];
}

void join_sessions(RawTrace& trace) {
  std::unordered_map<uint32_t, StringId> part_of;
  for (const Utterance& said : trace.utterances)
    if (said.agent && said.session && said.agent != said.session &&
        (is_about_subagent(said) || said.in_subagent))
      part_of.emplace(said.agent.index, said.session);
  if (part_of.empty()) return;
  constexpr int kDeepest = 100;  // further down, or in a circle, nothing is a subagent of anything
  for (Utterance& said : trace.utterances)
    for (int depth = 0; depth < kDeepest && said.session; ++depth) {
      auto found = part_of.find(said.session.index);
      if (found == part_of.end()) break;
      if (!said.agent && !is_about_subagent(said)) {
        said.agent = said.session;
        said.in_subagent = true;
      }
      said.session = found->second;
    }
}

}  // namespace xtrace
