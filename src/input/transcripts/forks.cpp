#include "input/transcripts/forks.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "input/transcripts/fill_in.h"
#include "input/transcripts/printed.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;
/// Of utterances of one thread in one file, by index.
using Items = std::vector<uint32_t>;
struct Indexed {
  Items items;
  std::unordered_map<uint64_t, std::vector<size_t>> places{};  ///< by hash of what is said
};
/// Of a copy, what it is a copy of.
using Copies = std::vector<std::pair<uint32_t, uint32_t>>;

StringId thread_of(const Utterance& said) {
  return said.agent ? said.agent : said.session;
}

bool begins_fork(const Utterance& said) {
  return said.kind == Kind::heading && said.is_copy && !is_printed(said) && said.after;
}

/// Not when: forks may date anew what they take over.
bool say_the_same(const Utterance& a, const Utterance& b) {
  return a.kind == b.kind && a.is_echo == b.is_echo && a.message == b.message &&
         a.answer == b.answer && a.tokens == b.tokens && a.error == b.error;
}

class ForkFinder {
 public:
  explicit ForkFinder(RawTrace& trace) : trace_(trace), said_(trace.utterances) {}

  ForkedFrom drop() {
    for (const Utterance& said : said_)
      if (begins_fork(said)) parent_of_.emplace(thread_of(said), said.after);
    break_circles();
    if (parent_of_.empty()) return {};
    collect();
    for (const auto& [thread, parent] : parent_of_)
      if (const auto forks = items_.find(thread); forks != items_.end())
        if (const StringId known = known_parent(thread))
          for (const auto& [file, items] : forks->second) match(items, index_of(known));
    add_told_copies();
    for (const auto& [first, last] : ranges_) silence(first, last);
    ForkedFrom forked_from;
    for (const auto& [own, copied] : goes_on_) forked_from.emplace(own, original(copied));
    return forked_from;
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

  /// A file that says all that another one does stands in for it.
  const std::vector<Indexed>& index_of(StringId thread) {
    const auto [known, is_new] = indexed_.try_emplace(thread);
    if (!is_new) return known->second;
    std::unordered_map<uint64_t, std::vector<const Items*>> by_hash;
    for (const auto& entry : items_[thread]) {
      const Items& items = entry.second;
      uint64_t of = 0;
      for (uint32_t i : items) of = chain(of, hash(said_[i]));
      std::vector<const Items*>& alike = by_hash[of];
      if (std::ranges::any_of(alike, [&](const Items* other) { return are_same(*other, items); }))
        continue;
      alike.push_back(&items);
      Indexed& one = known->second.emplace_back(Indexed{items});
      for (size_t i = 0; i < items.size(); ++i) one.places[hash(said_[items[i]])].push_back(i);
    }
    return known->second;
  }

  bool are_same(const Items& some, const Items& others) const {
    return std::ranges::equal(
        some, others, [&](uint32_t a, uint32_t b) { return say_the_same(said_[a], said_[b]); });
  }

  static uint64_t hash(const Utterance& said) {
    uint64_t of = chain(static_cast<uint64_t>(said.kind), said.message.index);
    of = chain(chain(of, said.answer.index), static_cast<uint64_t>(said.tokens.input));
    return chain(of, static_cast<uint64_t>(said.tokens.output));
  }

  void match(const Items& fork, const std::vector<Indexed>& parents) {
    Copies best;
    for (const Indexed& parent : parents)
      if (Copies copies = copies_in(fork, parent); copies.size() > best.size())
        best = std::move(copies);
    if (best.empty()) return;
    ranges_.emplace_back(fork.front(), best.back().first);
    copy_of_.insert(best.begin(), best.end());
    const auto own =
        std::find_if(fork.begin() + static_cast<std::ptrdiff_t>(best.size()), fork.end(),
                     [&](uint32_t i) { return said_[i].kind != Kind::counted; });
    const auto last = std::find_if(best.rbegin(), best.rend(), [&](const auto& copy) {
      return said_[copy.second].kind == Kind::answered && !said_[copy.second].is_echo;
    });
    if (own != fork.end() && last != best.rend()) goes_on_.emplace_back(*own, last->second);
  }

  /// Where the parent says the same next, at or behind `at`.
  size_t next(const Indexed& parent, const Utterance& said, size_t at) const {
    const auto found = parent.places.find(hash(said));
    if (found == parent.places.end()) return parent.items.size();
    auto place = std::lower_bound(found->second.begin(), found->second.end(), at);
    while (place != found->second.end() && !say_the_same(said, said_[parent.items[*place]]))
      ++place;
    return place == found->second.end() ? parent.items.size() : *place;
  }

  /// From the first on, each the next equal one there. What is asked last may be asked in both by
  /// chance, unless the fork ends with that; so may one answer in the middle be given, or one that
  /// counts otherwise.
  Copies copies_in(const Items& fork, const Indexed& parent) const {
    Copies copies;
    size_t at = 0, answers = 0;
    for (uint32_t i : fork) {
      const size_t place = next(parent, said_[i], at);
      if (place == parent.items.size()) break;
      copies.emplace_back(i, parent.items[place]);
      if (said_[i].kind == Kind::answered && said_[i].message) ++answers;
      at = place + 1;
    }
    if (copies.size() == fork.size() || copies.empty()) return copies;
    const bool counts_otherwise = said_[fork[copies.size()]].kind == Kind::counted &&
                                  at < parent.items.size() &&
                                  said_[parent.items[at]].kind == Kind::counted;
    const auto drop_until = [&](auto is_last) {
      while (!copies.empty() && !is_last(said_[copies.back().first])) copies.pop_back();
    };
    if (counts_otherwise) {
      drop_until([](const Utterance& said) { return said.kind == Kind::answered; });
      if (!copies.empty()) copies.pop_back();
      --answers;
    }
    drop_until(is_telling);
    const bool begins_alike = !copies.empty() && copies.front().second == parent.items.front();
    return begins_alike || answers > 1 ? copies : Copies{};
  }

  /// The heading that opens a file tells what the file took over; others were taken over with that.
  void add_told_copies() {
    std::vector<bool> is_opened(trace_.sources.size());
    for (uint32_t i = 0; i < said_.size(); ++i) {
      const uint32_t file = said_[i].source.file;
      if (!begins_fork(said_[i]) || is_opened[file]) continue;
      is_opened[file] = true;
      ranges_.emplace_back(i, last_copied(i));
    }
  }

  /// The last one that the log itself tells to be copied behind this heading; where there is none,
  /// the heading. Where no line is told at which it ends, and nothing of the parent's is on record,
  /// a subagent said nothing before it was made.
  uint32_t last_copied(uint32_t heading) {
    const Utterance& fork = said_[heading];
    const bool is_told = fork.calls > 0;
    const bool is_older =
        fork.in_subagent && fork.time != kNoTime && !known_parent(thread_of(fork));
    bool has_heading = is_told;
    uint32_t last = heading;
    for (uint32_t i = heading + 1; i < said_.size() && (is_told || is_older); ++i) {
      const Utterance& said = said_[i];
      const bool is_in = is_told ? int64_t{said.source.line} - fork.source.line < fork.calls
                                 : said.time == kNoTime || said.time < fork.time;
      if (said.source.file != fork.source.file || !is_in) break;
      has_heading |= said.kind == Kind::heading && thread_of(said) == fork.after;
      last = i;
    }
    return has_heading ? last : heading;
  }

  /// Hidden thoughts and what was asked do not tell by themselves whose they are.
  static bool is_telling(const Utterance& said) {
    return said.kind == Kind::counted ||
           (said.kind == Kind::answered && (said.message || said.tokens != Tokens{}));
  }

  /// With what the copy tells of subagents, which are the parent's.
  void silence(uint32_t first, uint32_t last) {
    const uint32_t file = said_[first].source.file;
    for (uint32_t i = first; i <= last; ++i) {
      Utterance& said = said_[i];
      if (said.source.file != file || !(is_item(said) || tells_of_agent(said))) continue;
      if (is_item(said)) ++trace_.sources[file].copies;
      if (tells_of_agent(said)) said.agent = {}, said.in_subagent = false;
      said.kind = Kind::silent;
      said.id = said.after = {};
    }
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
  std::map<StringId, StringId> parent_of_;
  std::map<StringId, std::map<uint32_t, Items>> items_;  ///< by thread and file
  std::map<StringId, StringId> known_parent_;
  std::map<StringId, std::vector<Indexed>> indexed_;  ///< by thread: each of its files
  std::unordered_map<uint32_t, uint32_t> copy_of_;
  std::vector<std::pair<uint32_t, uint32_t>> ranges_, goes_on_;
};

}  // namespace

ForkedFrom drop_forked(RawTrace& trace) {
  return ForkFinder(trace).drop();
}

}  // namespace xtrace
