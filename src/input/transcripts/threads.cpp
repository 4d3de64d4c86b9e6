#include "input/transcripts/threads.h"

#include <algorithm>
#include <deque>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "facts/rows.h"
#include "input/transcripts/fill_in.h"
#include "input/transcripts/line_order.h"
#include "input/transcripts/originals.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

std::vector<uint32_t> find_followed(const RawTrace& trace, const std::vector<uint32_t>& by_id) {
  std::vector<uint32_t> followed;
  followed.reserve(trace.utterances.size());
  for (const Utterance& said : trace.utterances)
    followed.push_back(said.after ? by_id[said.after.index] : Threads::kNone);
  return followed;
}

/// Those whose agent nothing names: an output of a tool belongs to who asked for it, a piece of an
/// answer to the other pieces, a new answer to who waits longest for one; other words begin a
/// subagent.
class UnnamedUtterances {
 public:
  explicit UnnamedUtterances(RawTrace& trace) : trace_(&trace) {}

  /// Any of its utterances, where known; else the utterance itself, which begins a thread.
  uint32_t first_of(uint32_t i) {
    Utterance& said = trace_->utterances[i];
    uint32_t first =
        said.kind == Utterance::Kind::answered ? asker_of_answer(said, i) : asked(said, i);
    if (said.message)
      for (const ToolUse& use : rows_of(trace_->tool_uses, said.message))
        if (use.id) user_of_.emplace(use.id.index, first);
    return first;
  }

 private:
  uint32_t asked(const Utterance& said, uint32_t i) {
    uint32_t first = i;
    if (said.message)
      for (const ToolResult& result : rows_of(trace_->tool_results, said.message))
        if (auto user = user_of_.find(result.tool_use.index); user != user_of_.end())
          first = user->second;
    if (is_waiting_.insert(first).second) waiting_.push_back(first);
    return first;
  }

  uint32_t asker_of_answer(Utterance& said, uint32_t i) {
    if (auto known = asker_of_.find(said.answer.index); said.answer && known != asker_of_.end())
      return known->second;
    uint32_t first = i;
    if (!waiting_.empty()) {
      said.rivals = static_cast<uint16_t>(std::min<size_t>(waiting_.size() - 1, UINT16_MAX));
      first = waiting_.front();
      waiting_.pop_front();
      is_waiting_.erase(first);
    }
    asker_of_.emplace(said.answer.index, first);
    return first;
  }

  RawTrace* trace_;
  std::deque<uint32_t> waiting_;
  std::unordered_set<uint32_t> is_waiting_;
  std::unordered_map<uint32_t, uint32_t> user_of_, asker_of_;  ///< by tool use, by answer
};

class ThreadSorter {
 public:
  ThreadSorter(RawTrace& trace, const std::vector<bool>& copies,
               const std::vector<uint32_t>& followed)
      : trace_(trace),
        copies_(copies),
        followed_(followed),
        root_(followed.size(), Threads::kNone) {}

  std::vector<Thread> sort() {
    for (uint32_t i = 0; i < root_.size(); ++i) {
      if (copies_[i])
        ++trace_.sources[said(i).source.file].copies;
      else if (!tells_of_agent(said(i)) && said(i).kind != Kind::heading &&
               said(i).kind != Kind::total && said(i).kind != Kind::closing)
        add(i);
    }
    for (Thread& thread : threads_) sort_by_time(thread);
    add_closings();
    for (const Utterance& told : trace_.utterances)
      if (tells_of_agent(told)) tell(told.session, told.agent, told.tool_use, told.agent_type);
    for (const Utterance& told : trace_.utterances) {  // words tell less than records
      if (told.kind != Kind::asked || !told.message) continue;
      for (const ToolResult& result : rows_of(trace_.tool_results, told.message))
        tell(told.session, result.agent, result.tool_use, {});
    }
    return std::move(threads_);
  }

 private:
  enum class By : uint8_t { main, agent, tool_use, prompt, root, order };
  using Key = std::tuple<StringId, By, uint32_t>;  ///< of a session

  const Utterance& said(uint32_t i) const { return trace_.utterances[i]; }

  void add(uint32_t i) {
    Key key = key_of(i);
    auto [place, is_new] = places_.emplace(key, threads_.size());
    if (is_new) threads_.emplace_back().session = said(i).session;
    Thread& thread = threads_[place->second];
    thread.is_subagent = said(i).in_subagent;
    thread.said.push_back(i);
    auto take = [](StringId& known, StringId told) { known = known ? known : told; };
    if (thread.is_subagent) take(thread.agent, said(i).agent);
    take(thread.tool_use, said(i).tool_use);
    take(thread.prompt, said(i).prompt);
    take(thread.agent_type, said(i).agent_type);
  }

  Key key_of(uint32_t i) {
    const Utterance& at = said(i);
    if (!at.in_subagent) return {at.session, By::main, 0};
    if (at.agent) return {at.session, By::agent, at.agent.index};
    if (at.tool_use) return {at.session, By::tool_use, at.tool_use.index};
    if (at.prompt) return {at.session, By::prompt, at.prompt.index};
    if (at.is_chained) return {at.session, By::root, root_of(i)};
    return {at.session, By::order,
            unnamed_.try_emplace(at.session, trace_).first->second.first_of(i)};
  }

  /// The first of the subagent's chain, as far as it can be followed.
  uint32_t root_of(uint32_t i) {
    std::vector<uint32_t> way;
    uint32_t at = i;
    while (root_[at] == Threads::kNone) {
      root_[at] = at;  // of a circle: where it is met again
      way.push_back(at);
      uint32_t before = followed_[at];
      if (before != Threads::kNone && said(before).in_subagent) at = before;
    }
    for (uint32_t passed : way) root_[passed] = root_[at];
    return root_[at];
  }

  void sort_by_time(Thread& thread) {
    uint32_t file = said(thread.said.front()).source.file;
    bool in_one = std::all_of(thread.said.begin(), thread.said.end(),
                              [&](uint32_t i) { return said(i).source.file == file; });
    if (in_one) return;
    const auto place = [&](uint32_t i) {
      return said(i).time == kNoTime ? said(i).place : said(i).time;
    };
    std::stable_sort(thread.said.begin(), thread.said.end(),
                     [&](uint32_t a, uint32_t b) { return place(a) < place(b); });
  }

  /// A subagent of which nothing else is on record has no thread, and gets none.
  void add_closings() {
    for (uint32_t i = 0; i < root_.size(); ++i) {
      if (said(i).kind != Kind::closing) continue;
      auto place = places_.find(Key{said(i).session, By::agent, said(i).agent.index});
      // A stream tells of its subagents by what started them.
      if (place == places_.end())
        place = places_.find(Key{said(i).session, By::tool_use, said(i).tool_use.index});
      if (place != places_.end()) threads_[place->second].closings.push_back(i);
    }
  }

  void tell(StringId session, StringId agent, StringId tool_use, StringId type) {
    auto place = places_.find(Key{session, By::agent, agent.index});
    if (!agent || place == places_.end()) return;
    Thread& thread = threads_[place->second];
    if (!thread.tool_use) thread.tool_use = tool_use;
    if (!thread.agent_type) thread.agent_type = type;
  }

  RawTrace& trace_;
  const std::vector<bool>& copies_;
  const std::vector<uint32_t>& followed_;
  std::vector<uint32_t> root_;                     ///< by utterance, as far as it was asked for
  std::map<StringId, UnnamedUtterances> unnamed_;  ///< by session
  std::map<Key, size_t> places_;
  std::vector<Thread> threads_;
};

}  // namespace

Threads find_threads(RawTrace& trace) {
  order_lines(trace);
  const ForkedFrom forked_from = fill_in(trace);
  Originals originals = find_originals(trace);
  Threads threads;
  threads.followed = find_followed(trace, originals.by_id);
  for (const auto& [own, before] : forked_from) threads.followed[own] = before;
  threads.all = ThreadSorter(trace, originals.copies, threads.followed).sort();
  return threads;
}

}  // namespace xtrace
