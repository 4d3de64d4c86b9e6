#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "facts/token_sums.h"
#include "input/transcripts/repeats.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

class OriginalFinder {
 public:
  explicit OriginalFinder(RawTrace& trace) : trace_(trace), all_(trace.utterances) {
    for (const Utterance& said : all_) {
      Time& end = end_of_.emplace(said.session.index, kNoTime).first->second;
      end = std::max(end, said.time);
    }
    found_.copies.resize(all_.size());
    found_.by_id.resize(trace.strings.size(), kNoUtterance);
  }

  Originals find() && {
    find_by_id();
    if (trace_.sources.size() > 1) {
      find_by_time();
      find_by_name();
      find_beside_answers();
    }
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
      if (original == kNoUtterance) {
        original = i;
        continue;
      }
      constexpr uint16_t kWords = kStatedMessage | kStatedAnswer;
      if (all_[i].source.file == all_[original].source.file &&
          hash_of(all_[i], kWords) != hash_of(all_[original], kWords))
        continue;
      const uint32_t other = std::exchange(original, is_before(i, original) ? i : original);
      found_.copies[original == i ? other : i] = true;
    }
  }

  /// Parts of one answer may stand in files of their own, and what two programs tell of it adds up:
  /// nothing of that is a copy.
  static bool is_taken_along(const Utterance& copy, const Utterance& original) {
    const bool is_of_other = copy.session != original.session || copy.agent != original.agent ||
                             copy.in_subagent != original.in_subagent;
    return is_of_other && copy.tokens == original.tokens && copy.cost == original.cost &&
           copy.model == original.model && copy.stop_reason == original.stop_reason;
  }

  /// Of those that are no copies yet.
  void find_repeated_answers(uint16_t fields, auto is_candidate, auto found) {
    const auto may_be_copy = [&](uint32_t i) {
      return !found_.copies[i] && all_[i].kind == Kind::answered && all_[i].answer &&
             is_candidate(i);
    };
    find_repeated(
        all_, fields, may_be_copy, may_be_copy,
        [&](uint32_t a, uint32_t b) { return is_before(a, b); },
        [&](uint32_t i, uint32_t best) {
          if (all_[i].source.file != all_[best].source.file) found(i, best);
        });
  }

  void find_by_time() {
    find_repeated_answers(
        kStatedTime | kStatedMessage | kStatedAnswer,
        [&](uint32_t i) { return all_[i].time != kNoTime; },
        [&](uint32_t i, uint32_t best) {
          if (is_taken_along(all_[i], all_[best])) add_answer(i, best);
        });
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
    struct Name {
      uint32_t file = kNoUtterance;
      int64_t sent = kNoCount;  ///< in that file, with which others are compared
      bool is_shared = false, is_one = true;
    };
    const auto is_counted = [&](uint32_t i) {
      return !found_.copies[i] && all_[i].kind == Kind::answered && all_[i].answer &&
             tokens_sent(all_[i].tokens) > 0;
    };
    std::unordered_map<uint32_t, Name> names;
    for (uint32_t i = 0; i < all_.size(); ++i) {
      if (!is_counted(i)) continue;
      Name& name = names[all_[i].answer.index];
      const int64_t sent = tokens_sent(all_[i].tokens);
      name.is_shared |= name.file != kNoUtterance && name.file != all_[i].source.file;
      // The utterances of a file follow one another.
      name.is_one &= name.file != all_[i].source.file || name.sent == sent;
      name.file = all_[i].source.file;
      name.sent = sent;
    }
    std::erase_if(names,
                  [](const auto& name) { return !name.second.is_shared || !name.second.is_one; });
    if (names.empty()) return;
    struct Shared {
      std::set<StringId> names;
      std::vector<std::pair<uint32_t, uint32_t>> copies;  ///< and their originals
    };
    std::map<std::pair<uint32_t, uint32_t>, Shared> files;  // by copy's and original's
    find_repeated_answers(
        kStatedAnswer | kStatedMessage | kStatedModel,
        [&](uint32_t i) { return is_counted(i) && names.contains(all_[i].answer.index); },
        [&](uint32_t i, uint32_t first) {
          if (all_[first].session == all_[i].session ||
              tokens_sent(all_[first].tokens) != tokens_sent(all_[i].tokens))
            return;
          Shared& shared = files[{all_[i].source.file, all_[first].source.file}];
          shared.names.insert(all_[i].answer);
          shared.copies.emplace_back(i, first);
        });
    for (const auto& [pair, shared] : files)
      if (shared.names.size() > 1 || is_made_by_vendor(*shared.names.begin()))
        for (const auto& [copy, original] : shared.copies) add_answer(copy, original);
  }

  /// The copy may have been written when more of the answer was counted.
  void add_answer(uint32_t copy, uint32_t original) {
    add_copy(copy, original);
    original_of_.emplace(copy, original);
    Utterance& first = all_[original];
    if (all_[copy].tokens.output <= first.tokens.output) return;
    first.tokens = best_count(first.tokens, all_[copy].tokens);
    first.output_is_low = all_[copy].output_is_low;
  }

  bool is_input(uint32_t i) const {
    const Kind kind = all_[i].kind;
    return !found_.copies[i] && ((kind == Kind::asked && all_[i].message) || kind == Kind::failed ||
                                 kind == Kind::compacted || kind == Kind::pruned);
  }
  uint64_t key_of(uint32_t i, uint32_t file, bool is_dated) const {
    return chain(hash_of(all_[i], kStatedMessage | (is_dated ? kStatedTime : 0)), file);
  }

  /// What was said before a copied answer, or right after the last one of its file, and is in the
  /// original's file as well: at the same time, if the answers are.
  void find_beside_answers() {
    if (original_of_.empty()) return;
    std::unordered_set<uint32_t> holders;
    for (const auto& [copy, original] : original_of_) holders.insert(all_[original].source.file);
    std::unordered_map<uint64_t, std::vector<uint32_t>> inputs;  // of holders
    for (uint32_t i = 0; i < all_.size(); ++i)
      if (const uint32_t file = all_[i].source.file; holders.contains(file) && is_input(i))
        for (const bool is_dated : {false, true}) inputs[key_of(i, file, is_dated)].push_back(i);
    // Those that state the same as an input next to a copied answer.
    const auto alike = [&](uint32_t i, uint32_t answer, uint32_t original) {
      return std::span(
          inputs[key_of(i, all_[original].source.file, all_[answer].time == all_[original].time)]);
    };
    uint32_t next = kNoUtterance;  // copied answer
    for (uint32_t i = static_cast<uint32_t>(all_.size()); i-- > 0;) {
      if (next != kNoUtterance && all_[next].source.file != all_[i].source.file)
        next = kNoUtterance;
      if (const auto copied = original_of_.find(i); copied != original_of_.end()) {
        uint32_t last = copied->second;
        for (uint32_t k = i + 1;
             next == kNoUtterance && k < all_.size() && all_[k].source.file == all_[i].source.file;
             ++k) {
          if (!is_input(k)) continue;
          const auto same = alike(k, i, copied->second);
          const auto later = std::ranges::upper_bound(same, last);
          if (later == same.end()) break;
          add_copy(k, last = *later);
        }
        next = i;
      } else if (next != kNoUtterance && is_input(i)) {
        const auto same = alike(i, next, original_of_.at(next));
        const auto later = std::ranges::lower_bound(same, original_of_.at(next));
        if (later != same.begin()) add_copy(i, *(later - 1));
      }
    }
  }

  /// What follows the copy follows the original.
  void add_copy(uint32_t copy, uint32_t original) {
    found_.copies[copy] = true;
    if (all_[copy].id && found_.by_id[all_[copy].id.index] == copy)
      found_.by_id[all_[copy].id.index] = original;
  }

  RawTrace& trace_;
  std::vector<Utterance>& all_;
  std::unordered_map<uint32_t, Time> end_of_;           ///< by session
  std::unordered_map<uint32_t, uint32_t> original_of_;  ///< by answer that is a copy in a file
  Originals found_;
};

}  // namespace

Originals find_originals(RawTrace& trace) {
  return OriginalFinder(trace).find();
}

}  // namespace xtrace
