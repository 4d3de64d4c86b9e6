#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "facts/token_sums.h"
#include "input/transcripts/fill_in.h"
#include "input/transcripts/threads.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;
constexpr uint32_t kNoOriginal = Threads::kNone;

class OriginalFinder {
 public:
  explicit OriginalFinder(RawTrace& trace) : trace_(trace), all_(trace.utterances) {
    range_of_.resize(trace.sources.size());
    for (uint32_t i = 0; i < all_.size(); ++i) {
      const Utterance& said = all_[i];
      Time& end = end_of_.emplace(said.session.index, kNoTime).first->second;
      end = std::max(end, said.time);
      Range& range = range_of_[said.source.file];
      if (range.end == 0) range.begin = i;
      range.end = i + 1;
    }
    found_.copies.resize(all_.size());
    found_.by_id.resize(trace.strings.size(), kNoOriginal);
  }

  Originals find() && {
    find_by_id();
    find_by_answer();
    find_beside_answers();
    find_by_name();
    return std::move(found_);
  }

 private:
  bool is_before(uint32_t a, uint32_t b) const { return rank(a) < rank(b); }

  std::tuple<bool, Time, std::string_view, bool, bool, uint32_t> rank(uint32_t i) const {
    const Utterance& said = all_[i];
    return {said.way >= Utterance::Way::printed,
            end_of_.at(said.session.index),
            trace_[said.session],
            said.in_subagent,
            !said.after,
            i};
  }

  void find_by_id() {
    for (uint32_t i = 0; i < all_.size(); ++i) {
      if (!all_[i].id) continue;
      uint32_t& original = found_.by_id[all_[i].id.index];
      if (original == kNoOriginal) {
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

  /// Names that vendors make up name one answer wherever they are found.
  bool is_made_by_vendor(StringId name) const {
    constexpr std::string_view kSigns[] = {"msg_", "resp_", "chatcmpl-", "gen-"};
    return std::ranges::any_of(
        kSigns, [&](std::string_view sign) { return trace_[name].starts_with(sign); });
  }

  /// A copy may be dated anew, with ids of its own, and still names its answers as the vendor did.
  /// Relays give every answer the same name: one that names answers of other counts in one file is
  /// no name, and others than vendors' need a second one that both files have.
  void find_by_name() {
    if (trace_.sources.size() < 2) return;
    std::unordered_set<uint32_t> shared_names;
    const auto is_counted = [&](uint32_t i) {
      return !found_.copies[i] && all_[i].kind == Kind::answered && all_[i].answer &&
             tokens_sent(all_[i].tokens) > 0;
    };
    const auto is_named = [&](uint32_t i) {
      return is_counted(i) && shared_names.contains(all_[i].answer.index);
    };
    std::unordered_map<uint32_t, uint32_t> file_of;  // by name
    for (uint32_t i = 0; i < all_.size(); ++i)
      if (is_counted(i) &&
          file_of.try_emplace(all_[i].answer.index, all_[i].source.file).first->second !=
              all_[i].source.file)
        shared_names.insert(all_[i].answer.index);
    if (shared_names.empty()) return;
    std::map<std::pair<StringId, uint32_t>, int64_t> sent;  // by name and file
    std::map<StringId, bool> is_name;
    std::unordered_map<uint64_t, uint32_t> best;  // by name and words
    const auto key_of = [&](uint32_t i) {
      return chain(all_[i].answer.index, chain(all_[i].message.index, all_[i].model.index));
    };
    for (uint32_t i = 0; i < all_.size(); ++i) {
      if (!is_named(i)) continue;
      const int64_t tokens = tokens_sent(all_[i].tokens);
      const StringId name = all_[i].answer;
      is_name.try_emplace(name, true).first->second &=
          sent.try_emplace({name, all_[i].source.file}, tokens).first->second == tokens;
      uint32_t& first = best.try_emplace(key_of(i), i).first->second;
      if (is_before(i, first)) first = i;
    }
    struct Shared {
      std::set<StringId> names;
      std::vector<std::pair<uint32_t, uint32_t>> copies;  ///< and their originals
    };
    std::map<std::pair<uint32_t, uint32_t>, Shared> files;  // by copy's and original's
    for (uint32_t i = 0; i < all_.size(); ++i) {
      if (!is_named(i) || !is_name.at(all_[i].answer)) continue;
      const uint32_t first = best.at(key_of(i));
      if (all_[first].source.file == all_[i].source.file ||
          all_[first].session == all_[i].session ||
          tokens_sent(all_[first].tokens) != tokens_sent(all_[i].tokens))
        continue;
      Shared& shared = files[{all_[i].source.file, all_[first].source.file}];
      shared.names.insert(all_[i].answer);
      shared.copies.emplace_back(i, first);
    }
    for (const auto& [pair, shared] : files) {
      const bool is_known = shared.names.size() > 1 || is_made_by_vendor(*shared.names.begin());
      if (!is_known) continue;
      for (const auto& [copy, original] : shared.copies) add_dated_anew(copy, original);
      find_beside(shared.copies.back().first, pair.second);
    }
  }

  /// The copy may have been written when more of the answer was counted.
  void add_dated_anew(uint32_t copy, uint32_t original) {
    add_copy(copy, original);
    Utterance& first = all_[original];
    if (all_[copy].tokens.output <= first.tokens.output) return;
    first.tokens = best_count(first.tokens, all_[copy].tokens);
    first.output_is_low = all_[copy].output_is_low;
  }

  /// What was said before the last copied answer, or right behind it, and is in the original's file
  /// as well.
  void find_beside(uint32_t end, uint32_t holder) {
    const auto is_words = [&](uint32_t i) {
      const Kind kind = all_[i].kind;
      return !found_.copies[i] && ((kind == Kind::asked && all_[i].message) ||
                                   kind == Kind::failed || kind == Kind::compacted);
    };
    std::map<std::pair<Kind, MessageId>, std::vector<uint32_t>> originals;  // the last one first
    const Range& original = range_of_[holder];
    for (uint32_t i = original.end; i-- > original.begin;)
      if (is_words(i) && all_[i].source.file == holder)
        originals[{all_[i].kind, all_[i].message}].push_back(i);
    const uint32_t file = all_[end].source.file;
    for (uint32_t i = range_of_[file].begin; i < range_of_[file].end; ++i) {
      if (!is_words(i) || all_[i].source.file != file) continue;
      const auto found = originals.find({all_[i].kind, all_[i].message});
      const bool is_there = found != originals.end() && !found->second.empty();
      if (!is_there && i > end) break;
      if (!is_there) continue;
      add_copy(i, found->second.back());
      found->second.pop_back();
    }
  }

  /// What follows the copy follows the original.
  void add_copy(uint32_t copy, uint32_t original) {
    found_.copies[copy] = true;
    if (all_[copy].id && found_.by_id[all_[copy].id.index] == copy)
      found_.by_id[all_[copy].id.index] = original;
  }

  /// The utterances of a file.
  struct Range {
    uint32_t begin = 0, end = 0;
  };

  RawTrace& trace_;
  std::vector<Utterance>& all_;
  std::vector<Range> range_of_;                       ///< by file
  std::unordered_map<uint32_t, Time> end_of_;         ///< by session
  std::set<uint32_t> holders_;                        ///< files of which another has copies
  std::set<std::pair<uint32_t, uint32_t>> holds_of_;  ///< files: with copies, of which one
  Originals found_;
};

}  // namespace

Originals find_originals(RawTrace& trace) {
  return OriginalFinder(trace).find();
}

}  // namespace xtrace
