#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "input/transcripts/repeats.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// Of utterances of one thread in one file, by index.
using Items = std::vector<uint32_t>;
struct Indexed {
  Items items{};
  std::unordered_map<uint64_t, std::vector<size_t>> places{};  ///< by what is said
};
/// Of a copy, what it is a copy of.
using Copies = std::vector<std::pair<uint32_t, uint32_t>>;

StringId thread_of(const Utterance& said) {
  return said.agent ? said.agent : said.session;
}

bool begins_fork(const Utterance& said) {
  return said.kind == Kind::heading && said.way == Utterance::Way::copied && said.forked_from;
}

/// Not when: forks may date anew what they take over.
constexpr uint16_t kTakenOver =
    kStatedEcho | kStatedMessage | kStatedAnswer | kStatedTokens | kStatedError;

/// Copies in forks whose heading names the thread that they go on from.
class NamedForks {
 public:
  NamedForks(RawTrace& trace, ForkedFrom& forked_from)
      : trace_(trace), said_(trace.utterances), forked_from_(forked_from) {}

  void drop() {
    for (const Utterance& said : said_)
      if (begins_fork(said)) parent_of_.emplace(thread_of(said), said.forked_from);
    break_circles();
    if (parent_of_.empty()) return;
    collect();
    for (const auto& [thread, parent] : parent_of_)
      if (const auto forks = items_.find(thread); forks != items_.end())
        if (const StringId known = known_parent(thread))
          for (const auto& [file, items] : forks->second) match(items, index_of(known));
    std::vector<bool> is_matched(trace_.sources.size());
    for (const auto& [first, last] : ranges_) is_matched[said_[first].source.file] = true;
    add_told_copies(is_matched);
    CopyDropper dropper(trace_);
    for (const auto& [first, last] : ranges_) silence(first, last, dropper);
    dropper.drop_relations();
    for (const auto& [own, copied] : goes_on_) forked_from_.emplace(own, original(copied));
  }

 private:
  void collect() {
    std::map<StringId, bool> is_wanted;
    for (const auto& [thread, parent] : parent_of_) is_wanted[thread] = is_wanted[parent] = true;
    for (uint32_t i = 0; i < said_.size(); ++i)
      if (is_item(said_[i]) && is_wanted.contains(thread_of(said_[i])))
        items_[thread_of(said_[i])][said_[i].source.file].push_back(i);
  }

  /// In a circle nothing is a fork of anything.
  void break_circles() {
    std::map<StringId, size_t> walk_of;
    std::vector<StringId> circles;
    for (const auto& [thread, parent] : parent_of_) {
      const size_t walk = walk_of.size() + 1;
      StringId at = thread;
      while (parent_of_.contains(at) && walk_of.try_emplace(at, walk).second) at = parent_of_[at];
      if (!parent_of_.contains(at) || walk_of[at] != walk) continue;
      const StringId first = at;
      do circles.push_back(std::exchange(at, parent_of_[at]));
      while (at != first);
    }
    for (StringId thread : circles) parent_of_.erase(thread);
  }

  /// The next one up that is on record: a fork of a fork holds what both took over.
  StringId known_parent(StringId thread) {
    std::vector<StringId> passed;
    StringId at = thread;
    do {
      passed.push_back(at);
      const auto found = parent_of_.find(at);
      at = found == parent_of_.end() ? StringId() : found->second;
      if (const auto known = known_parent_.find(at); known != known_parent_.end() && !has(at))
        at = known->second;
    } while (at && !has(at));
    for (StringId below : passed) known_parent_[below] = at;
    return at;
  }
  bool has(StringId thread) const { return items_.contains(thread); }

  /// What the files of a thread say, one after the other.
  const Indexed& index_of(StringId thread) {
    const auto [known, is_new] = indexed_.try_emplace(thread);
    Indexed& one = known->second;
    if (!is_new) return one;
    for (const auto& [file, items] : items_[thread])
      for (uint32_t i : items) {
        one.places[hash_of(said_[i], kTakenOver)].push_back(one.items.size());
        one.items.push_back(i);
      }
    return one;
  }

  void match(const Items& fork, const Indexed& parent) {
    const Copies copies = copies_in(fork, parent);
    if (copies.empty()) return;
    ranges_.emplace_back(fork.front(), copies.back().first);
    copy_of_.insert(copies.begin(), copies.end());
    const auto own =
        std::find_if(fork.begin() + static_cast<std::ptrdiff_t>(copies.size()), fork.end(),
                     [&](uint32_t i) { return said_[i].kind != Kind::used; });
    const auto last = std::find_if(copies.rbegin(), copies.rend(), [&](const auto& copy) {
      return said_[copy.second].kind == Kind::answered && !is_echo(said_[copy.second]);
    });
    if (own != fork.end() && last != copies.rend()) goes_on_.emplace_back(*own, last->second);
  }

  /// Where the parent says the same next, at or behind `at`.
  size_t next(const Indexed& parent, uint32_t i, size_t at) const {
    const auto found = parent.places.find(hash_of(said_[i], kTakenOver));
    if (found == parent.places.end()) return parent.items.size();
    const auto place = std::ranges::lower_bound(found->second, at);
    return place == found->second.end() ? parent.items.size() : *place;
  }

  /// From the first on, each the next equal one there. What is asked last may be asked in both by
  /// chance, unless the fork ends with that; so may one answer in the middle be given, or one that
  /// counts otherwise.
  Copies copies_in(const Items& fork, const Indexed& parent) const {
    Copies copies;
    size_t at = 0, answers = 0;
    for (uint32_t i : fork) {
      const size_t place = next(parent, i, at);
      if (place == parent.items.size()) break;
      copies.emplace_back(i, parent.items[place]);
      if (said_[i].kind == Kind::answered && said_[i].message) ++answers;
      at = place + 1;
    }
    if (copies.size() == fork.size() || copies.empty()) return copies;
    const bool counts_otherwise = said_[fork[copies.size()]].kind == Kind::used &&
                                  at < parent.items.size() &&
                                  said_[parent.items[at]].kind == Kind::used;
    const auto drop_until = [&](auto is_last) {
      while (!copies.empty() && !is_last(said_[copies.back().first])) copies.pop_back();
    };
    if (counts_otherwise) {
      drop_until([](const Utterance& said) { return said.kind == Kind::answered; });
      if (!copies.empty()) copies.pop_back();
      --answers;
    }
    drop_until(is_telling);
    return answers > 1 || (!copies.empty() && begins_file(copies.front().second)) ? copies
                                                                                  : Copies{};
  }

  bool begins_file(uint32_t i) const {
    return items_.at(thread_of(said_[i])).at(said_[i].source.file).front() == i;
  }

  /// The heading that opens a file states what the file took over; others were taken over with
  /// that.
  void add_told_copies(const std::vector<bool>& is_matched) {
    std::vector<bool> is_opened(trace_.sources.size());
    for (uint32_t i = 0; i < said_.size(); ++i) {
      const uint32_t file = said_[i].source.file;
      if (!begins_fork(said_[i]) || is_opened[file]) continue;
      is_opened[file] = true;
      const uint32_t last = said_[i].copied_lines > 0 ? last_stated(i)
                            : is_matched[file]        ? i
                                                      : last_dated(i);
      ranges_.emplace_back(i, last);
      if (last > i && !known_parent(thread_of(said_[i]))) complain(i, last);
    }
  }

  /// The last one before the line at which the log itself states that the copy ends.
  uint32_t last_stated(uint32_t heading) const {
    const Utterance& fork = said_[heading];
    uint32_t last = heading;
    for (uint32_t i = heading + 1; is_within(i, fork); ++i) {
      if (int64_t{said_[i].source.line} - fork.source.line >= fork.copied_lines) break;
      last = i;
    }
    return last;
  }

  /// A fork says nothing before it begins, and no model answers within a moment: what is as old was
  /// copied, with the times of the original or that of the copying. The parent's heading, or an
  /// answer of that moment, shows that there is a copy.
  uint32_t last_dated(uint32_t heading) const {
    constexpr Duration kMoment = std::chrono::seconds(1);
    const Utterance& fork = said_[heading];
    if (fork.time == kNoTime) return heading;
    uint32_t last = heading, older = heading;
    bool has_heading = false;
    Time copied = kNoTime;
    for (uint32_t i = heading + 1; is_within(i, fork); ++i) {
      const Time time = said_[i].time;
      if (time != kNoTime && time >= after(fork.time, kMoment)) break;
      has_heading |= said_[i].kind == Kind::heading && thread_of(said_[i]) == fork.forked_from;
      if (time == kNoTime || time < fork.time) older = i;
      if (is_telling(said_[i]) && time >= fork.time) copied = std::max(copied, time);
      if (copied != kNoTime && time <= copied) last = i;
    }
    return copied != kNoTime ? last : has_heading ? older : heading;
  }

  bool is_within(uint32_t i, const Utterance& fork) const {
    return i < said_.size() && said_[i].source.file == fork.source.file;
  }

  void complain(uint32_t first, uint32_t last) {
    const auto copies = std::count_if(
        said_.begin() + first, said_.begin() + last + 1,
        [](const Utterance& said) { return is_item(said) && said.kind != Kind::used; });
    if (copies > 0)
      trace_.complaints.push_back({said_[first].source,
                                   fmt::format("records copied from the forked session, whose log "
                                               "is not in the input: {}; they are not counted",
                                               copies),
                                   Complaint::Kind::field});
  }

  /// Hidden thoughts and what was asked do not tell by themselves whose they are.
  static bool is_telling(const Utterance& said) {
    return said.kind == Kind::used ||
           (said.kind == Kind::answered && (said.message || said.tokens != Tokens{}));
  }

  /// With what the copy tells of subagents, which are the parent's.
  void silence(uint32_t first, uint32_t last, CopyDropper& dropper) {
    for (uint32_t i = first; i <= last; ++i)
      if (said_[i].source.file == said_[first].source.file)
        is_item(said_[i]) ? dropper.drop(said_[i]) : dropper.note(said_[i]);
  }

  /// Copies may be copied thousands of times, so the way is walked once.
  uint32_t original(uint32_t i) {
    std::vector<uint32_t*> way;
    for (auto found = copy_of_.find(i); found != copy_of_.end(); found = copy_of_.find(i)) {
      i = found->second;
      way.push_back(&found->second);
    }
    for (uint32_t* copied : way) *copied = i;
    return i;
  }

  RawTrace& trace_;
  std::vector<Utterance>& said_;
  ForkedFrom& forked_from_;
  std::map<StringId, StringId> parent_of_;
  std::map<StringId, std::map<uint32_t, Items>> items_;  ///< by thread and file
  std::map<StringId, StringId> known_parent_;
  std::map<StringId, Indexed> indexed_;  ///< by thread
  std::unordered_map<uint32_t, uint32_t> copy_of_;
  std::vector<std::pair<uint32_t, uint32_t>> ranges_, goes_on_;
};

}  // namespace

void drop_named_forks(RawTrace& trace, ForkedFrom& forked_from) {
  NamedForks(trace, forked_from).drop();
}

}  // namespace xtrace
