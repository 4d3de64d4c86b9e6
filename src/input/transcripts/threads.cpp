#include "input/transcripts/threads.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "facts/rows.h"
#include "input/common/raw_trace.h"
#include "input/transcripts/settle_usage.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// By line of a file, the line of that file which it follows.
std::vector<uint32_t> followed_lines(std::span<const Utterance> said) {
  std::unordered_map<uint32_t, uint32_t> by_id;
  for (uint32_t i = 0; i < said.size(); ++i)
    if (said[i].id) by_id.emplace(said[i].id.index, i);
  std::vector<uint32_t> followed(said.size(), Threads::kNone);
  for (uint32_t i = 0; i < said.size(); ++i)
    if (const auto found = by_id.find(said[i].after.index); said[i].after && found != by_id.end())
      followed[i] = found->second;
  return followed;
}

/// Puts the lines of a file in order by what they follow, and else by their times. A line without a
/// time has the place of the one that it follows.
void put_in_order(const RawTrace& trace, std::span<Utterance> said,
                  const std::vector<uint32_t>& followed) {
  using Line = std::tuple<Time, std::string_view, uint32_t>;  // with its id
  std::priority_queue<Line, std::vector<Line>, std::greater<>> ready;
  const auto add = [&](uint32_t line, Time before) {
    const Time time = said[line].time;
    ready.emplace(time == kNoTime ? before : time, trace[said[line].id], line);
  };
  std::vector<std::vector<uint32_t>> followers(said.size());
  for (uint32_t i = 0; i < said.size(); ++i)
    if (followed[i] == Threads::kNone)
      add(i, kNoTime);
    else
      followers[followed[i]].push_back(i);
  std::vector<bool> is_placed(said.size());
  std::vector<Utterance> ordered;
  ordered.reserve(said.size());
  for (uint32_t circle = 0; ordered.size() < said.size();) {
    while (ready.empty() && is_placed[circle]) ++circle;
    if (ready.empty()) add(circle, kNoTime);
    const auto [time, id, line] = ready.top();
    ready.pop();
    if (is_placed[line]) continue;
    is_placed[line] = true;
    ordered.push_back(said[line]);
    for (uint32_t follower : followers[line]) add(follower, time);
  }
  std::ranges::copy(ordered, said.begin());
}

/// A transcript is written line by line, so its order is that of the conversation. Where a line
/// comes before the one that it follows, something else has rearranged the file. Other files stay
/// as they are: clocks go back more often than files are rearranged. A heading is about what comes
/// after it in the file, wherever that was before.
void order_lines(RawTrace& trace) {
  for (auto begin = trace.utterances.begin(); begin != trace.utterances.end();) {
    const auto end = std::find_if(begin, trace.utterances.end(), [&](const Utterance& said) {
      return said.source.file != begin->source.file;
    });
    const std::span<Utterance> lines(begin, end);
    begin = end;
    const auto follows = [](const Utterance& line) { return line.is_chained && line.after; };
    const auto is_heading = [](const Utterance& line) { return line.kind == Kind::heading; };
    if (std::ranges::none_of(lines, follows) || std::ranges::any_of(lines, is_heading)) continue;
    const std::vector<uint32_t> followed = followed_lines(lines);
    for (uint32_t i = 0; i < lines.size(); ++i)
      if (followed[i] != Threads::kNone && followed[i] > i) {
        put_in_order(trace, lines, followed);
        break;
      }
  }
}

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
      if (copies_[i]) {
        ++trace_.sources[said(i).source.file].copies;
      } else if (said(i).kind != Kind::heading && said(i).kind != Kind::closing &&
                 said(i).usage.form == UsageTerms::Form::none) {
        add(i);
      }
    }
    for (Thread& thread : threads_) sort_by_time(thread);
    add_closings();
    for (const AgentRelation& told : trace_.relations)
      tell(told.session, told.agent, told.tool_use, told.agent_type);
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
    // A summary is made before the conversation goes on with it.
    const auto place = [&](uint32_t i) {
      const bool is_summary = said(i).kind == Kind::answered && sums_up(said(i));
      return std::pair(said(i).time == kNoTime ? said(i).place : said(i).time, !is_summary);
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
  std::erase_if(trace.relations, [&](const AgentRelation& relation) {
    const uint32_t with =
        relation.said_with ? originals.by_id[relation.said_with.index] : Threads::kNone;
    return with != Threads::kNone && trace.utterances[with].session != relation.session;
  });
  settle_usage(trace, originals.copies);
  Threads threads;
  threads.followed = find_followed(trace, originals.by_id);
  for (const auto& [own, before] : forked_from) threads.followed[own] = before;
  threads.all = ThreadSorter(trace, originals.copies, threads.followed).sort();
  return threads;
}

}  // namespace xtrace
