#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "input/transcripts/copy_dropper.h"
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
  return said.kind == Kind::heading && said.way == Utterance::Way::copied && said.forked_from;
}

/// Not when: forks may date anew what they take over.
bool say_the_same(const Utterance& a, const Utterance& b) {
  return a.kind == b.kind && is_echo(a) == is_echo(b) && a.message == b.message &&
         a.answer == b.answer && a.tokens == b.tokens && a.error == b.error;
}

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
                     [&](uint32_t i) { return said_[i].kind != Kind::used; });
    const auto last = std::find_if(best.rbegin(), best.rend(), [&](const auto& copy) {
      return said_[copy.second].kind == Kind::answered && !is_echo(said_[copy.second]);
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
    const bool begins_alike = !copies.empty() && copies.front().second == parent.items.front();
    return begins_alike || answers > 1 ? copies : Copies{};
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
  std::map<StringId, std::vector<Indexed>> indexed_;  ///< by thread: each of its files
  std::unordered_map<uint32_t, uint32_t> copy_of_;
  std::vector<std::pair<uint32_t, uint32_t>> ranges_, goes_on_;
};

bool begins_unnamed_fork(const Utterance& said) {
  return said.kind == Kind::heading && said.way == Utterance::Way::copied && !said.forked_from &&
         said.time != kNoTime && said.session;
}

bool is_dated_item(const Utterance& said) {
  return (said.kind == Kind::asked || said.kind == Kind::answered || said.kind == Kind::failed) &&
         said.time != kNoTime && !said.agent && said.session;
}

/// Ids are new in a fork, and so is what tells its messages from those of other sessions.
bool are_dated_alike(const Utterance& a, const Utterance& b) {
  return a.kind == b.kind && a.time == b.time && a.took == b.took && a.model == b.model &&
         a.tokens == b.tokens && a.cost == b.cost && a.error == b.error &&
         a.stop_reason == b.stop_reason;
}

uint64_t key_of(const Utterance& said) {
  uint64_t key = chain(static_cast<uint64_t>(said.kind),
                       static_cast<uint64_t>(said.time.time_since_epoch().count()));
  key = chain(chain(key, static_cast<uint64_t>(said.took.count())), said.model.index);
  key = chain(key, static_cast<uint64_t>(said.tokens.input));
  key = chain(key, static_cast<uint64_t>(said.tokens.output));
  return chain(key, static_cast<uint64_t>(said.cost));
}

/// Copies in forks that name no parent: what some session had said by then, at the same times.
class UnnamedForks {
 public:
  UnnamedForks(RawTrace& trace, ForkedFrom& forked_from)
      : trace_(trace), said_(trace.utterances), forked_from_(forked_from) {}

  void drop() {
    for (const Utterance& said : said_)
      if (begins_unnamed_fork(said)) made_.emplace(said.session, said.time);
    if (made_.empty()) return;
    for (uint32_t i = 0; i < said_.size(); ++i) {
      if (!is_dated_item(said_[i])) continue;
      if (made_.contains(said_[i].session))
        items_[said_[i].session].push_back(i);
      else
        originals_.emplace(key_of(said_[i]), i);
    }
    std::vector<std::pair<Time, StringId>> forks;
    for (const auto& [session, made] : made_) forks.emplace_back(made, session);
    std::ranges::sort(forks);  // a later one may be a fork of an earlier one
    for (const auto& [made, session] : forks) drop(session, made);
    silence();
  }

 private:
  void drop(StringId session, Time made) {
    const std::vector<uint32_t>& items = items_[session];
    const Utterance* own = nullptr;
    uint32_t last = 0;
    bool has_copies = false;
    const auto& originals = originals_;
    for (uint32_t i : items) {
      const Utterance& said = said_[i];
      const auto found = said.time < made ? originals.find(key_of(said)) : originals.end();
      if (found == originals.end() || !are_dated_alike(said, said_[found->second])) {
        if (own == nullptr || said.time < own->time) own = &said;
        continue;
      }
      copies_.emplace(i, found->second);
      const Utterance& original = said_[found->second];
      if (original.kind != Kind::answered) continue;
      if (!has_copies || original.time >= said_[last].time) last = found->second;
      has_copies = true;
    }
    for (uint32_t i : items)
      if (!copies_.contains(i)) originals_.emplace(key_of(said_[i]), i);
    if (own != nullptr && has_copies)
      forked_from_.emplace(static_cast<uint32_t>(own - said_.data()), last);
  }

  /// What tells of subagents and summaries is behind what was said, and goes with it.
  void silence() {
    std::vector<bool> is_copy(trace_.sources.size());
    CopyDropper dropper(trace_);
    for (uint32_t i = 0; i < said_.size(); ++i) {
      Utterance& said = said_[i];
      const uint32_t file = said.source.file;
      if (is_dated_item(said))
        is_copy[file] = copies_.contains(i);
      else if (said.kind != Kind::compacted)
        continue;
      if (!is_copy[file] || !made_.contains(said.session)) continue;
      dropper.drop(said);
      said.answer = {};
    }
    dropper.drop_relations();
  }

  RawTrace& trace_;
  std::vector<Utterance>& said_;
  ForkedFrom& forked_from_;
  std::map<StringId, Time> made_;                     ///< forks, by session
  std::map<StringId, std::vector<uint32_t>> items_;   ///< of forks
  std::unordered_map<uint64_t, uint32_t> originals_;  ///< by what they say and when
  std::unordered_map<uint32_t, uint32_t> copies_;     ///< what each is a copy of
};

}  // namespace

void drop_forks(RawTrace& trace, ForkedFrom& forked_from) {
  NamedForks(trace, forked_from).drop();
  UnnamedForks(trace, forked_from).drop();
}

}  // namespace xtrace
