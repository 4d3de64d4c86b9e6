#include "input/transcripts/forks.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "input/transcripts/fill_in.h"
#include "input/transcripts/printed.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;
/// Of utterances of one thread in one file, by index.
using Items = std::vector<uint32_t>;
/// Of a copy, what it is a copy of.
using Copies = std::vector<std::pair<uint32_t, uint32_t>>;

StringId thread_of(const Utterance& said) {
  return said.agent ? said.agent : said.session;
}

bool begins_fork(const Utterance& said) {
  return said.kind == Kind::heading && said.is_copy && !is_printed(said) && said.after;
}

bool is_item(const Utterance& said) {
  return said.kind == Kind::asked || said.kind == Kind::answered || said.kind == Kind::failed ||
         said.kind == Kind::counted || said.kind == Kind::compacted;
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
    if (parent_of_.empty()) return {};
    collect();
    for (const auto& [thread, parent] : parent_of_)
      if (const auto forks = items_.find(thread); forks != items_.end())
        if (const StringId known = known_parent(thread))
          for (const auto& [file, items] : forks->second) match(items, items_[known]);
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

  /// The next one up that is on record: a fork of a fork holds what both took over. In a circle
  /// nothing is a fork of anything.
  StringId known_parent(StringId thread) const {
    constexpr int kHighest = 100;
    StringId known, at = thread;
    for (int height = 0; height < kHighest; ++height) {
      const auto found = parent_of_.find(at);
      if (found == parent_of_.end()) return known;
      at = found->second;
      if (at == thread) return {};
      if (!known && items_.contains(at)) known = at;
    }
    return {};
  }

  void match(const Items& fork, const std::map<uint32_t, Items>& parents) {
    Copies best;
    for (const auto& [file, parent] : parents)
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

  /// From the first on, each the next equal one there. What is asked last may be asked in both by
  /// chance, unless the fork ends with that.
  Copies copies_in(const Items& fork, const Items& parent) const {
    Copies copies;
    size_t at = 0;
    for (uint32_t i : fork) {
      while (at < parent.size() && !say_the_same(said_[i], said_[parent[at]])) ++at;
      if (at == parent.size()) break;
      copies.emplace_back(i, parent[at++]);
    }
    if (copies.size() < fork.size())
      while (!copies.empty() && !is_telling(said_[copies.back().first])) copies.pop_back();
    return copies;
  }

  /// Hidden thoughts and what was asked do not tell by themselves whose they are.
  static bool is_telling(const Utterance& said) {
    return said.kind == Kind::counted || (said.kind == Kind::answered && said.message);
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

  uint32_t original(uint32_t i) const {
    for (auto found = copy_of_.find(i); found != copy_of_.end(); found = copy_of_.find(i))
      i = found->second;
    return i;
  }

  RawTrace& trace_;
  std::vector<Utterance>& said_;
  std::map<StringId, StringId> parent_of_;
  std::map<StringId, std::map<uint32_t, Items>> items_;  ///< by thread and file
  std::unordered_map<uint32_t, uint32_t> copy_of_;
  std::vector<std::pair<uint32_t, uint32_t>> ranges_, goes_on_;
};

}  // namespace

ForkedFrom drop_forked(RawTrace& trace) {
  return ForkFinder(trace).drop();
}

}  // namespace xtrace
