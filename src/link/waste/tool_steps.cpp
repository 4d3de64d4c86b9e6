#include "link/waste/tool_steps.h"

#include <algorithm>
#include <unordered_map>

#include "base/lower.h"
#include "facts/steady_output.h"
#include "facts/tool_targets.h"
#include "link/graph/queries.h"
#include "link/waste/command_words.h"
#include "link/waste/error_words.h"

namespace xtrace {

namespace {

/// Among more steps than this nobody looks for a change: there is one.
constexpr size_t kFurthest = 1000;

/// Those of `steps`, which are in order, between two.
std::span<const uint32_t> those_between(std::span<const uint32_t> steps, uint32_t earlier,
                                        uint32_t later) {
  const auto begin = std::upper_bound(steps.begin(), steps.end(), earlier);
  return {begin, std::lower_bound(begin, steps.end(), later)};
}

std::string_view last_part(std::string_view path) {
  const size_t at = path.find_last_of("/\\");
  return at == std::string_view::npos ? path : path.substr(at + 1);
}

bool are_one_file(std::string_view a, std::string_view b) {
  if (a.size() < b.size()) std::swap(a, b);
  return !b.empty() && a.ends_with(b) &&
         (a.size() == b.size() || b.front() == '/' || a[a.size() - b.size() - 1] == '/');
}

}  // namespace

ToolSteps::ToolSteps(const Graph& graph, const Payloads* payloads)
    : graph_(graph),
      payloads_(payloads),
      by_conversation_(graph.conversations().size()),
      by_session_(graph.sessions().size()) {
  std::unordered_map<std::string_view, ToolNameTraits> traits_of;
  for (CallId call : graph.timeline().in_order())
    for (const Activity& done : graph.activities().tools_of(call)) {
      ToolStep step;
      step.done = &done;
      const auto [named, is_new] = traits_of.try_emplace(done.tool);
      if (is_new) named->second = classify_tool_name(done.tool);
      step.named = named->second;
      step.id = graph.timeline().id_of(*done.use);
      step.session = graph.session_of(call).number - 1;
      step.conversation = graph.conversation_of(call).number - 1;
      const auto at = static_cast<uint32_t>(all_.size());
      by_conversation_[step.conversation].push_back(at);
      by_session_[step.session].push_back(at);
      all_.push_back(step);
    }
  doing_.resize(all_.size());
  note_results();
  note_histories();
}

void ToolSteps::note_results() {
  const Trace& trace = graph_.trace();
  using Told = std::unordered_map<uint32_t, uint64_t>;  // by the id of a use, what its result says
  std::unordered_map<uint32_t, Told> told_in;           // by message
  for (ToolStep& step : all_) {
    if (!step.done->reader || !step.use().id) continue;
    for (MessageId at = trace[step.done->reader].request; at; at = trace[at].before) {
      const auto [told, is_new] = told_in.try_emplace(at.index);
      if (is_new)
        for (const ToolResult& result : graph_.timeline().results_in(at))
          told->second.try_emplace(result.tool_use.index, result.said);
      const auto result = told->second.find(step.use().id.index);
      step.is_told = result != told->second.end();
      if (step.is_told) step.said = result->second;
      if (step.is_told || trace[at].role == Message::Role::assistant) break;
    }
  }
}

/// Histories are trees: a call has in its own what stands on the way up from it.
void ToolSteps::note_histories() {
  const Trace& trace = graph_.trace();
  histories_.resize(trace.calls.size());
  before_.resize(trace.calls.size());
  std::vector<std::vector<CallId>> after(trace.calls.size());
  std::vector<CallId> open;
  for (CallId id : graph_.timeline().in_order()) {  // what is before it precedes it
    History& own = histories_[id.index];
    const CallId from = before_[id.index] = graph_.previous_of(id);
    if (from) own = histories_[from.index];
    const Call& call = trace[id];
    own.cuts += call.is_compacted || call.is_pruned;
    own.users += answers_a_user(graph_, id);
    if (from)
      after[from.index].push_back(id);
    else
      open.push_back(id);
  }
  // Each way down is a stretch of numbers, within that of what is above it.
  uint32_t number = 0;
  std::vector<CallId> closing;
  while (!open.empty()) {
    const CallId id = open.back();
    open.pop_back();
    while (!closing.empty() && before_[id.index] != closing.back()) {
      histories_[closing.back().index].end = number;
      closing.pop_back();
    }
    histories_[id.index].begin = number++;
    closing.push_back(id);
    open.insert(open.end(), after[id.index].rbegin(), after[id.index].rend());
  }
  for (CallId id : closing) histories_[id.index].end = number;
}

StepsBetween ToolSteps::between(uint32_t earlier, uint32_t later) const {
  const History& from = histories_[all_[earlier].call().index];
  const History& to = histories_[all_[later].call().index];
  StepsBetween found;
  found.is_known = from.begin <= to.begin && to.begin < from.end;
  found.is_cut = to.cuts > from.cuts;
  found.has_user = to.users > from.users;
  return found;
}

bool ToolSteps::may_have_changed(uint32_t earlier, uint32_t later) const {
  const auto between = those_between(by_session_[all_[earlier].session], earlier, later);
  return between.size() > kFurthest || std::any_of(between.begin(), between.end(),
                                                   [&](uint32_t step) { return is_change(step); });
}

bool ToolSteps::may_have_changed_file(uint32_t earlier, uint32_t later) const {
  const auto between = those_between(by_session_[all_[earlier].session], earlier, later);
  if (between.size() > kFurthest) return true;
  for (uint32_t at : between) {
    const ToolStep& step = all_[at];
    const bool edits = step.named.edits || step.use().patches;
    if (edits && step.use().target && share_a_file(step, all_[earlier])) return true;
    if (step.named.edits && step.use().target) continue;  // a shell may do more than it patches
    if (doing(at).rewrites) return true;
    const bool may_have = is_change(at) && (edits || (step.use().command && !doing(at).checks));
    if (may_have && names_a_file(step, all_[earlier])) return true;
  }
  return false;
}

bool ToolSteps::may_have_changed_unnamed(uint32_t earlier, uint32_t later) const {
  const auto between = those_between(by_session_[all_[earlier].session], earlier, later);
  return between.size() > kFurthest || std::any_of(between.begin(), between.end(), [&](auto at) {
           const bool names_it = all_[at].named.edits && all_[at].use().target;
           return is_change(at) && !names_it && !is_check(at);
         });
}

bool ToolSteps::share_a_file(const ToolStep& step, const ToolStep& of) const {
  const Trace& trace = graph_.trace();
  const std::vector<StringId> files = targets_of(trace, of.use());
  const std::vector<StringId> touched = targets_of(trace, step.use());
  return std::any_of(files.begin(), files.end(), [&](StringId file) {
    return std::any_of(touched.begin(), touched.end(),
                       [&](StringId other) { return are_one_file(trace[other], trace[file]); });
  });
}

bool ToolSteps::names_a_file(const ToolStep& step, const ToolStep& of) const {
  const std::string given = arguments(step);
  const std::vector<StringId> files = targets_of(graph_.trace(), of.use());
  return std::any_of(files.begin(), files.end(), [&](StringId file) {
    return given.find(last_part(graph_.trace()[file])) != std::string::npos;
  });
}

bool ToolSteps::was_looked_at(uint32_t earlier, uint32_t later) const {
  const auto between = those_between(by_conversation_[all_[earlier].conversation], earlier, later);
  const auto near = between.first(std::min(between.size(), kFurthest));
  return std::any_of(near.begin(), near.end(), [&](uint32_t at) {
    return all_[at].went_well() && share_a_file(all_[at], all_[earlier]);
  });
}

bool ToolSteps::was_asked_for(uint32_t earlier, uint32_t later) const {
  constexpr size_t kMostTurns = 16;  // of which words are read; after more it may be for any reason
  const std::string file = lower(last_part(graph_.trace()[all_[earlier].use().target]));
  CallId call = all_[later].call();
  size_t seen = 0, turns = 0;
  for (; call && call != all_[earlier].call(); call = before_[call.index]) {
    if (++seen > kFurthest) return true;
    if (!answers_a_user(graph_, call)) continue;
    if (++turns > kMostTurns) return true;
    bool has_words = false;  // else nobody knows what was asked for
    for (const Quote& quote : said(call)->quotes) {
      if (quote.is_answer || quote.kind != Quote::Kind::text) continue;
      has_words = true;
      const std::string words = lower(quote.text);
      for (std::string_view word :
           {std::string_view(file), std::string_view("again"), std::string_view("changed"),
            std::string_view("edited"), std::string_view("updated"), std::string_view("fixed")})
        if (words.find(word) != words.npos) return true;
    }
    if (!has_words) return true;
  }
  return false;
}

bool ToolSteps::is_told_unchanged(uint32_t i) const {
  return all_[i].said != 0 && payloads_ != nullptr &&
         result(all_[i]).starts_with("File unchanged since last read");
}

bool ToolSteps::waited_between(uint32_t earlier, uint32_t later) const {
  const auto between = those_between(by_conversation_[all_[earlier].conversation], earlier, later);
  const auto near = between.last(std::min(between.size(), kFurthest));
  return std::any_of(near.begin(), near.end(), [&](uint32_t at) { return doing(at).waits; });
}

bool ToolSteps::same_result(uint32_t earlier, uint32_t later) const {
  const ToolStep &a = all_[earlier], &b = all_[later];
  if (payloads_ != nullptr && a.said != 0 && b.said != 0 && a.said != b.said && is_check(earlier))
    return remove_varying_parts(result(a)) == remove_varying_parts(result(b));
  // A command that puts nothing out says nothing; other tools may have given a picture.
  const bool is_known =
      a.said != 0 || (payloads_ != nullptr && a.use().command && a.is_told && b.is_told);
  if (!is_known || a.said != b.said) return false;
  if (payloads_ == nullptr) return true;
  const std::string first = result(a), second = result(b);
  std::string room, other_room;
  return steady_output(first, room) == steady_output(second, other_room);
}

bool ToolSteps::same_error(const ToolStep& a, const ToolStep& b) const {
  if (a.said == b.said && payloads_ == nullptr) return true;
  return payloads_ != nullptr && remove_varying_parts(result(a)) == remove_varying_parts(result(b));
}

bool ToolSteps::is_file_read(uint32_t i) const {
  const ToolStep& step = all_[i];
  return step.use().target && step.named.reads_files && !is_change(i);
}

double ToolSteps::confidence_if_repeated(uint32_t i) const {
  const Doing& doing = this->doing(i);
  if (doing.polls) return 0.4;
  if (all_[i].failed() || doing.checks || !doing.changes) return 0.9;
  return all_[i].use().command ? 0.4 : 0;  // a command that nobody knows
}

const ToolSteps::Doing& ToolSteps::doing(uint32_t i) const {
  Doing& doing = doing_[i];
  if (doing.is_asked) return doing;
  doing.is_asked = true;
  const ToolStep& step = all_[i];
  // Editors of one name for all they do say what in a word: `view`.
  doing.changes = step.named.changes && !(step.named.edits && step.failed());
  doing.polls = step.named.polls;
  doing.waits = step.named.waits;
  if (!step.use().command || payloads_ == nullptr) return doing;
  const CommandTraits traits = classify_command(command_in(arguments(step)));
  doing.changes = traits.changes;
  doing.checks = traits.checks;
  doing.polls |= traits.polls;
  doing.waits |= traits.waits;
  doing.rewrites = traits.rewrites;
  return doing;
}

std::shared_ptr<const ToolSteps::Said> ToolSteps::said(CallId call) const {
  constexpr size_t kMost = 64;  // steps that are compared are near to each other
  {
    std::lock_guard lock(said_mutex_);
    if (auto found = said_.find(call); found != said_.end()) return found->second;
  }
  auto said = std::make_shared<Said>();
  if (payloads_ != nullptr) said->quotes = payloads_->quotes(graph_.trace()[call]);
  for (const Quote& quote : said->quotes) {
    if (quote.kind == Quote::Kind::tool_result) said->results.try_emplace(quote.tool_use, &quote);
    if (quote.kind != Quote::Kind::tool_use || !quote.is_answer) continue;
    said->by_use.try_emplace(quote.tool_use, &quote);
    said->uses.push_back(&quote);
  }
  std::lock_guard lock(said_mutex_);
  if (said_.size() == kMost) said_.clear();
  said_[call] = said;
  return said;
}

std::string ToolSteps::arguments(const ToolStep& step) const {
  const std::shared_ptr<const Said> said = this->said(step.call());
  if (step.use().id) {
    const auto use = said->by_use.find(graph_.trace()[step.use().id]);
    return use == said->by_use.end() ? std::string() : use->second->text;
  }
  const std::span<const Activity> uses = graph_.activities().tools_of(step.call());
  const size_t nth = static_cast<size_t>(step.done - uses.data());
  return nth < said->uses.size() ? said->uses[nth]->text : std::string();
}

std::string ToolSteps::result(const ToolStep& step) const {
  if (!step.done->reader || !step.use().id) return {};
  const std::shared_ptr<const Said> said = this->said(step.done->reader);
  const auto result = said->results.find(graph_.trace()[step.use().id]);
  return result == said->results.end() ? std::string() : result->second->text;
}

}  // namespace xtrace
