#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "facts/token_sums.h"
#include "input/transcripts/settle_usage.h"

namespace xtrace {

namespace {

using Form = UsageTerms::Form;

bool is_running_count(const Utterance& said) {
  return is_statement(said) && said.usage.form == Form::running && is_about_answer(said);
}
class Streams {
 public:
  explicit Streams(RawTrace& trace) : trace_(trace) {}

  std::unordered_set<uint32_t> take_apart() {
    std::map<std::pair<StringId, StringId>, std::map<uint32_t, Stream>> threads;
    for (uint32_t i = 0; i < trace_.utterances.size(); ++i)
      if (is_running_count(said(i))) {
        Stream& stream = threads[{said(i).session, said(i).agent}][said(i).source.file];
        stream.at.push_back(i);
        stream.sums.push_back(said(i).tokens);
      }
    for (auto& [thread, files] : threads) take_apart(files);
    return std::move(has_no_base_);
  }

 private:
  struct Stream {
    std::vector<uint32_t> at;  ///< utterances
    std::vector<Tokens> sums;
  };
  using Files = std::map<uint32_t, Stream>;

  Utterance& said(uint32_t i) { return trace_.utterances[i]; }

  void take_apart(Files& files) {
    std::vector<std::pair<uint32_t, Tokens>> ends;
    for (const auto& [file, stream] : files)
      if (is_used(said(stream.at.back()))) ends.emplace_back(file, stream.sums.back());
    for (auto& [file, stream] : files) {
      std::optional<Tokens> before = end_before(ends, file, stream.sums.front());
      const Utterance* since = nullptr;
      for (size_t k = 0; k < stream.at.size(); ++k) {
        settle(stream.at[k], before, since);
        before = stream.sums[k];
        since = &said(stream.at[k]);
      }
    }
  }

  void drop(uint32_t i) {
    if (const uint32_t piece = piece_beside(i); piece != kNoUtterance) silence(said(piece));
    silence(said(i));
  }

  /// A thread that goes on in another file: the last total of one is in the first one of the next.
  static std::optional<Tokens> end_before(const std::vector<std::pair<uint32_t, Tokens>>& ends,
                                          uint32_t file, const Tokens& first) {
    std::optional<Tokens> before;
    for (const auto& [other, end] : ends) {
      const bool fits = other != file && is_at_least(first, end) && (end != first || other < file);
      if (fits && (!before || is_at_least(end, *before))) before = end;
    }
    return before;
  }

  /// The statement of the same record about its last call.
  uint32_t piece_beside(uint32_t i) {
    const bool is_there = i + 1 < trace_.utterances.size() &&
                          is_of_record(said(i).source, said(i + 1).source) &&
                          said(i + 1).usage.form == Form::piece;
    return is_there ? i + 1 : kNoUtterance;
  }

  void settle(uint32_t i, const std::optional<Tokens>& before, const Utterance* since) {
    Utterance& sum = said(i);
    const uint32_t piece = piece_beside(i);
    if (!is_used(sum)) return;
    const bool goes_on = before && is_at_least(sum.tokens, *before);
    const Tokens moved = goes_on ? difference(sum.tokens, *before) : sum.tokens;
    if (goes_on && std::max(tokens_sent(moved), moved.output) <= 0) return drop(i);
    if (!before) has_no_base_.insert(piece == kNoUtterance ? i : piece);
    sum.tokens = moved;
    if (piece == kNoUtterance) return;
    if (goes_on && since != nullptr) add_rest(sum, said(piece), *since);
    silence(sum);
  }

  /// The total grew by more than the last call: by that of calls which no record states.
  void add_rest(const Utterance& sum, const Utterance& piece, const Utterance& since) {
    const bool is_more = tokens_sent(sum.tokens) >= tokens_sent(piece.tokens) &&
                         sum.tokens.output >= piece.tokens.output &&
                         !are_equal_counts(sum.tokens, piece.tokens);
    if (!is_more) return;
    UsageStatement& rest = trace_.usage_statements.emplace_back();
    rest.source = sum.source;
    rest.since = since.source;
    rest.session = sum.session;
    rest.agent = sum.agent;
    rest.model = sum.model;
    rest.tokens = sum.tokens;
    rest.time = sum.time;
    rest.scope = UsageStatement::Scope::agent;
    rest.form = UsageStatement::Form::piece;
  }

  RawTrace& trace_;
  std::unordered_set<uint32_t> has_no_base_;
};

}  // namespace

std::unordered_set<uint32_t> take_apart_running_counts(RawTrace& trace) {
  return Streams(trace).take_apart();
}

}  // namespace xtrace
