#include "input/transcripts/originals.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "input/transcripts/threads.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;
constexpr uint32_t kNone = Threads::kNone;

class OriginalFinder {
 public:
  explicit OriginalFinder(const RawTrace& trace) : trace_(trace), all_(trace.utterances) {
    for (const Utterance& said : all_) {
      Time& end = end_of_.emplace(said.session.index, kNoTime).first->second;
      end = std::max(end, said.time);
    }
    found_.copies.resize(all_.size());
    found_.by_id.resize(trace.strings.size(), kNone);
  }

  Originals find() && {
    find_by_id();
    find_by_answer();
    find_beside_answers();
    return std::move(found_);
  }

 private:
  bool is_before(uint32_t a, uint32_t b) const { return rank(a) < rank(b); }

  std::tuple<bool, Time, std::string_view, bool, bool, uint32_t> rank(uint32_t i) const {
    const Utterance& said = all_[i];
    return {said.is_copy,         end_of_.at(said.session.index),
            trace_[said.session], said.in_subagent,
            !said.after,          i};
  }

  void find_by_id() {
    for (uint32_t i = 0; i < all_.size(); ++i) {
      if (!all_[i].id) continue;
      uint32_t& original = found_.by_id[all_[i].id.index];
      if (original == kNone) {
        original = i;
        continue;
      }
      uint32_t other = original;
      bool says_the_same = all_[i].kind == all_[other].kind &&
                           all_[i].message == all_[other].message &&
                           all_[i].answer == all_[other].answer;
      if (all_[i].source.file == all_[other].source.file && !says_the_same) continue;
      if (is_before(i, other)) original = i;
      found_.copies[original == i ? other : i] = true;
    }
  }

  /// The best of those that say the same at the same time.
  class SameWords {
   public:
    explicit SameWords(const OriginalFinder& of) : of_(of) {}

    void add(uint32_t i) {
      uint32_t& best = best_.try_emplace(key_of(i), i).first->second;
      if (of_.is_before(i, best)) best = i;
    }
    uint32_t best_of(uint32_t i) const {
      const auto found = best_.find(key_of(i));
      return found == best_.end() ? i : found->second;
    }

   private:
    using Key = std::tuple<Utterance::Kind, uint32_t, Time, uint32_t>;
    struct Hash {
      size_t operator()(const Key& key) const {
        const auto [kind, answer, time, message] = key;
        const auto at = static_cast<uint64_t>(time.time_since_epoch().count());
        return chain(chain(at, static_cast<uint64_t>(kind)), uint64_t{answer} << 32 | message);
      }
    };

    Key key_of(uint32_t i) const {
      const Utterance& said = of_.all_[i];
      return {said.kind, said.answer.index, said.time, said.message.index};
    }

    const OriginalFinder& of_;
    std::unordered_map<Key, uint32_t, Hash> best_;
  };

  /// Parts of one answer may stand in files of their own, and what two programs tell of it adds up:
  /// nothing of that is a copy.
  static bool is_taken_along(const Utterance& copy, const Utterance& original) {
    const bool is_of_other = copy.session != original.session || copy.agent != original.agent ||
                             copy.in_subagent != original.in_subagent;
    return is_of_other && copy.tokens == original.tokens && copy.cost == original.cost &&
           copy.model == original.model && copy.stop_reason == original.stop_reason;
  }

  void find_by_answer() {
    if (trace_.sources.size() < 2) return;
    SameWords known(*this);
    const auto may_be_copy = [&](uint32_t i) {
      return !found_.copies[i] && all_[i].kind == Kind::answered && all_[i].answer &&
             all_[i].time != kNoTime;
    };
    for (uint32_t i = 0; i < all_.size(); ++i)
      if (may_be_copy(i)) known.add(i);
    for (uint32_t i = 0; i < all_.size(); ++i) {
      if (!may_be_copy(i)) continue;
      const uint32_t best = known.best_of(i), holder = all_[best].source.file;
      if (holder == all_[i].source.file || !is_taken_along(all_[i], all_[best])) continue;
      add_copy(i, best);
      holds_of_.insert({all_[i].source.file, holder});
      holders_.insert(holder);
    }
  }

  /// What was said between such answers, in files that hold them.
  void find_beside_answers() {
    if (holders_.empty()) return;
    SameWords known(*this);
    const auto may_be_copy = [&](uint32_t i) {
      const Kind kind = all_[i].kind;
      return !found_.copies[i] && all_[i].time != kNoTime &&
             ((kind == Kind::asked && all_[i].message) || kind == Kind::failed ||
              kind == Kind::compacted || kind == Kind::pruned);
    };
    for (uint32_t i = 0; i < all_.size(); ++i)
      if (may_be_copy(i) && holders_.contains(all_[i].source.file)) known.add(i);
    for (uint32_t i = 0; i < all_.size(); ++i) {
      if (!may_be_copy(i)) continue;
      const uint32_t best = known.best_of(i);
      if (holds_of_.contains({all_[i].source.file, all_[best].source.file})) add_copy(i, best);
    }
  }

  /// What follows the copy follows the original.
  void add_copy(uint32_t copy, uint32_t original) {
    found_.copies[copy] = true;
    if (all_[copy].id && found_.by_id[all_[copy].id.index] == copy)
      found_.by_id[all_[copy].id.index] = original;
  }

  const RawTrace& trace_;
  const std::vector<Utterance>& all_;
  std::unordered_map<uint32_t, Time> end_of_;         ///< by session
  std::set<uint32_t> holders_;                        ///< files of which another has copies
  std::set<std::pair<uint32_t, uint32_t>> holds_of_;  ///< files: with copies, of which one
  Originals found_;
};

}  // namespace

Originals find_originals(const RawTrace& trace) {
  return OriginalFinder(trace).find();
}

}  // namespace xtrace
