#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/digits.h"
#include "base/one_of.h"
#include "facts/rows.h"
#include "input/common/format.h"
#include "input/common/record_pattern.h"
#include "input/transcripts/fill_in.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

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
  return std::ranges::any_of(
      formats(), [&](const Format& format) { return is_word(stem, format.file_names); });
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
    if (thread && said.forked_from) before.insert(said.forked_from);
    if (said.model) model = said.model;
    terms = said.tokens.terms.over(terms);
  }

  void fill_in(Utterance& said) const {
    if (!said.session) said.session = session;
    if (said.tokens != Tokens{}) said.tokens.terms = said.tokens.terms.over(terms);
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

/// `…/SESSION/subagents/ID.jsonl`, of Kiro `sub-executions`, where nothing in the file shows it.
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

/// What a heading of a file states holds for all that follows in it; the name of a subagent's file
/// states its session and agent, or the run of a workflow, which a tool use started.
void take_over(RawTrace& trace) {
  std::vector<SubagentFile> files;
  for (const Source& source : trace.sources) files.push_back(subagent_file(source.path));
  std::unordered_map<std::string_view, StringId> starter_of;  // by run of a workflow
  for (const AgentRelation& relation : trace.relations)
    if (relation.kind == AgentRelation::Kind::started && relation.agent && relation.tool_use)
      starter_of.emplace(trace.strings[relation.agent], relation.tool_use);
  const auto read_path = [&](auto& fact, bool is_of_agent) {
    const SubagentFile& file = files[fact.source.file];
    if (is_of_agent && !fact.tool_use && !file.run.empty())
      if (const auto found = starter_of.find(file.run); found != starter_of.end())
        fact.tool_use = found->second;
    if (file.agent.empty()) return;
    fact.session = trace.strings.intern(file.session);
    if (is_of_agent && !fact.agent) fact.agent = trace.strings.intern(file.agent);
  };
  std::vector<Heading> headings(trace.sources.size());
  const auto take_over = [&](Utterance& said) {
    if (said.in_subagent) read_path(said, true);
    Heading& heading = headings[said.source.file];
    if (said.kind == Kind::heading) return heading.read(said);
    if (said.session) heading.session = said.session;
    heading.fill_in(said);
  };
  for_each_in_order(trace, take_over, [&](AgentRelation& relation) {
    read_path(relation, relation.kind == AgentRelation::Kind::described);
    if (!relation.session && relation.kind != AgentRelation::Kind::unclaimed)
      relation.session = headings[relation.source.file].session;
  });
}

/// A file in which nothing names a session is one by itself, or that of a subagent.
void name_sessions(RawTrace& trace) {
  std::vector<StringId> named(trace.sources.size());  // what the file names first
  for (const Utterance& said : trace.utterances)
    if (!named[said.source.file] && !said.in_subagent) named[said.source.file] = said.session;
  std::vector<bool> is_named(trace.sources.size());
  const auto find_name = [&](const auto& fact) {
    if (fact.session) is_named[fact.source.file] = true;
  };
  for_each_in_order(trace, find_name, find_name);
  std::vector<StringId> names = named_beside(trace, named);
  const auto name = [&](auto& fact) {
    const uint32_t file = fact.source.file;
    if (is_named[file]) return;
    const SubagentFile subagent = named_by_folder(trace.sources[file].path);
    if (!names[file])
      names[file] = trace.strings.intern(
          subagent.agent.empty() ? name_of_file(trace.sources[file].path) : subagent.session);
    fact.session = names[file];
    if constexpr (requires { fact.in_subagent; }) {
      if (subagent.agent.empty()) return;
      if (!fact.agent) fact.agent = trace.strings.intern(subagent.agent);
      fact.in_subagent = true;
    }
  };
  for_each_in_order(trace, name, name);
  for (SessionNote& note : trace.session_notes)
    if (!note.session) note.session = names[note.source.file];
}

/// Requires: agents are those of the session that nobody started.
void name_reporters(RawTrace& trace) {
  std::map<std::pair<StringId, StringId>, StringId> agents;  // by session and path
  for (const AgentRelation& relation : trace.relations)
    if (relation.path && relation.agent)
      agents.try_emplace({relation.session, relation.path}, relation.agent);
  if (agents.empty()) return;
  for (const Utterance& said : trace.utterances) {
    if (said.kind != Kind::asked || !said.message) continue;
    for (ToolResult& row : rows_to_change(trace.tool_results, said.message)) {
      const auto found = agents.find({said.session, row.agent});
      if (row.agent && found != agents.end()) row.agent = found->second;
    }
  }
}

}  // namespace

void name_owners(RawTrace& trace) {
  take_over(trace);
  name_sessions(trace);
  settle_relations(trace);
}

void join_sessions(RawTrace& trace) {
  std::unordered_map<uint32_t, StringId> part_of;
  const auto note = [&](const auto& fact) {
    if (fact.agent && fact.session && fact.agent != fact.session)
      part_of.emplace(fact.agent.index, fact.session);
  };
  for_each_in_order(
      trace, [&](const Utterance& said) { said.in_subagent ? note(said) : void(); },
      [&](const AgentRelation& relation) {
        if (relation.kind != AgentRelation::Kind::portion) note(relation);
      });
  constexpr int kDeepest = 100;  // further down, or in a circle, nothing is a subagent of anything
  const auto join = [&](auto& fact) {
    for (int depth = 0; depth < kDeepest && fact.session; ++depth) {
      auto found = part_of.find(fact.session.index);
      if (found == part_of.end()) break;
      if constexpr (requires { fact.in_subagent; })
        if (!fact.agent) fact.agent = fact.session, fact.in_subagent = true;
      fact.session = found->second;
    }
  };
  if (!part_of.empty()) for_each_in_order(trace, join, join);
  name_reporters(trace);
}

}  // namespace xtrace
