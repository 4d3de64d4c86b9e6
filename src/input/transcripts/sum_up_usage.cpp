#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "facts/token_sums.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/settle_usage.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;
using Scope = UsageTerms::Scope;
using Form = UsageTerms::Form;
using Fate = UsageStatement::SetAside;

/// Counts of answers, as far as a file states them.
struct Between {
  int64_t answers = 0, output = 0, tokens = 0;
};

/// What one record states of an agent or a session, a row for each model and one of all that it
/// states of no model, and of the turn that it ends.
struct Record {
  std::vector<const Utterance*> rows;
  std::map<StringId, const Utterance*> by_model{};  ///< the first of them
  const Utterance* turn = nullptr;
  Utterance* answer = nullptr;      ///< that the record holds as well
  Between before;                   ///< what its file states of answers before it
  const Record* since = nullptr;    ///< the earlier totals that these include
  const Record* rest_of = nullptr;  ///< totals of tokens, which this one of money goes on from
  Fate fate = Fate::no;

  const Utterance& first() const { return rows.empty() ? *turn : *rows.front(); }
  const Utterance* of_model(StringId model) const {
    const auto row = by_model.find(model);
    return row == by_model.end() ? nullptr : row->second;
  }
  void add_row(const Utterance& row) {
    rows.push_back(&row);
    by_model.emplace(row.model, &row);
  }
  int64_t sum_of(auto count) const {
    int64_t sum = kNoCount;
    for (const Utterance* row : rows) sum = sum_of_known({sum, count(*row)});
    return sum;
  }
  int64_t tokens() const {
    return sum_of([](const Utterance& row) { return total_of(row.tokens); });
  }
  int64_t output() const {
    return sum_of([](const Utterance& row) { return row.tokens.output; });
  }
  int64_t calls() const {
    return sum_of([](const Utterance& row) { return row.usage.calls; });
  }
  int64_t cost() const {
    const Utterance* all = of_model({});
    return all != nullptr && all->cost >= 0 ? all->cost
                                            : sum_of([](const Utterance& row) { return row.cost; });
  }
  int64_t of_turn() const { return turn == nullptr ? kNoCount : total_of(turn->tokens); }
};

/// Can the later totals include the earlier ones, model by model?
bool is_at_least(const Record& later, const Record& earlier) {
  return later.cost() >= earlier.cost() &&
         std::ranges::all_of(earlier.rows, [&](const Utterance* row) {
           if (row->tokens == Tokens{}) return true;
           const Utterance* grown = later.of_model(row->model);
           return grown != nullptr && is_at_least(grown->tokens, row->tokens) &&
                  grown->cost >= row->cost;
         });
}

/// Does a total that may include the earlier one? A program that started anew counts from nothing,
/// and may come to more all the same: totals of both include what was used in between.
bool goes_on(const Record& later, const Record& earlier) {
  if (!is_at_least(later, earlier)) return false;
  const auto grew_by = [](int64_t sum, int64_t before, int64_t at_least) {
    return sum < 0 || before < 0 || sum - before >= at_least;
  };
  const Between &end = later.before, &begin = earlier.before;
  const int64_t turn = later.of_turn();
  if (later.tokens() < 0 && turn > 0) return later.cost() > earlier.cost();
  return grew_by(later.tokens(), at_least_none(earlier.tokens()),
                 turn >= 0 ? turn : end.tokens - begin.tokens) &&
         grew_by(later.output(), earlier.output(), turn >= 0 ? 0 : end.output - begin.output) &&
         grew_by(later.calls(), earlier.calls(), end.answers - begin.answers);
}

/// Makes rows of what turns, agents and sessions used up.
class Sums {
 public:
  Sums(RawTrace& trace, const std::vector<bool>& copies) : trace_(trace), copies_(copies) {}

  void sum_up(const std::vector<OpenStatement>& open) {
    for (const Utterance& said : trace_.utterances)
      if (is_used(said) && said.usage.form == Form::running && !is_about_answer(said))
        has_totals_.insert(said.source.file);
    gather();
    for (auto& [stream, records] : running_) follow_running(records);
    for (auto& [session, records] : kept_) follow_kept(records);
    for (Record& record : records_) add(record);
    add_open(open);
    finish_rows();
  }

 private:
  void gather() {
    for (uint32_t i = 0; i < trace_.utterances.size(); ++i) {
      Utterance& at = trace_.utterances[i];
      note(at);
      const bool is_of_last =
          !records_.empty() && is_of_record(at.source, records_.back().first().source);
      if (is_of_last && at.kind == Kind::answered) records_.back().answer = &at;
      if (!is_used(at) || is_about_answer(at) || copies_[i]) continue;
      if (!is_of_last || records_.back().first().session != at.session)
        records_.emplace_back().before = between_[key_of(at)];
      if (at.usage.scope == Scope::turn)
        records_.back().turn = &at;
      else
        records_.back().add_row(at);
    }
    for (Record& record : records_) {
      const Utterance& first = record.first();
      if (first.usage.form == Form::kept)
        kept_[{first.session, first.agent}].push_back(&record);
      else if (first.usage.form == Form::running || record.turn != nullptr)
        running_[{first.source.file, first.session, first.agent}].push_back(&record);
    }
  }

  static uint64_t key_of(const Utterance& said) {
    return pair_of(said.source.file, said.session.index);
  }

  /// Each piece of an answer states what it used up by then.
  void note(const Utterance& said) {
    if (said.kind != Kind::answered || is_echo(said) || sums_up(said) ||
        !has_totals_.contains(said.source.file))
      return;
    const int64_t output = at_least_none(said.tokens.output);
    const int64_t tokens = at_least_none(total_of(said.tokens));
    Between none, &sum = between_[key_of(said)];
    Between& known = said.answer ? known_[pair_of(said.source.file, said.answer.index)] : none;
    sum.answers += 1 - known.answers;
    sum.output += std::max<int64_t>(output - known.output, 0);
    sum.tokens += std::max<int64_t>(tokens - known.tokens, 0);
    known = {1, std::max(output, known.output), std::max(tokens, known.tokens)};
  }

  /// Totals of one program after another, in the order of their file. Some state only the money,
  /// now and then: what that is more than before counts until a total of all includes it.
  void follow_running(const std::vector<Record*>& records) {
    Record *last = nullptr, *rest = nullptr;
    for (Record* record : records) {
      const Utterance& first = record->first();
      if (first.answer)
        if (const auto [same, is_new] = named_.try_emplace({first.session, first.answer}, record);
            !is_new) {
          record->fate = Fate::repeated;
          last = same->second;
          continue;
        }
      const bool is_same_run =
          last != nullptr && first.usage.run && first.usage.run == last->first().usage.run;
      if (last != nullptr && last->tokens() >= 0 && record->tokens() < 0 &&
          record->turn == nullptr && record->cost() >= last->cost()) {
        if (rest != nullptr) rest->fate = Fate::superseded;
        record->rest_of = last;
        rest = record;
        continue;
      }
      const bool has_rest = rest == nullptr || record->cost() >= rest->cost();
      if (rest != nullptr && has_rest) rest->fate = Fate::superseded;
      if (last != nullptr && (is_same_run || (has_rest && goes_on(*record, *last))))
        include(*last, *record);
      rest = nullptr;
      last = record;
    }
  }

  static void include(Record& earlier, Record& later) {
    earlier.fate = Fate::superseded;
    later.since = &earlier;
  }

  /// Totals of one session, wherever they are written. Undated ones are later states, or backups.
  static void follow_kept(std::vector<Record*>& records) {
    std::ranges::stable_sort(records, {}, [](const Record* record) {
      const Time time = record->first().time;
      return std::tuple(time == kNoTime, time, record->tokens(), record->cost());
    });
    Record* last = nullptr;
    for (Record* record : records) {
      const bool is_undated = record->first().time == kNoTime;
      const bool has_last = last == nullptr || is_at_least(*record, *last);
      if (last != nullptr && has_last && is_at_least(*last, *record))
        record->fate = Fate::repeated;
      else if (!has_last && is_undated)
        record->fate = Fate::superseded;
      if (record->fate != Fate::no) continue;
      if (last != nullptr && has_last) include(*last, *record);
      last = record;
    }
  }

  static int64_t growth(int64_t sum, const Record* since, auto before) {
    return sum < 0 ? kNoCount : sum - (since == nullptr ? 0 : at_least_none(before(*since)));
  }

  /// A turn of one call is that call's, and so are the model and the cost of the only row that grew
  /// by as much.
  static void give(const Record& record, Utterance& answer) {
    answer.tokens = record.turn->tokens;
    const Utterance* fit = nullptr;
    size_t models = 0, fits = 0;
    for (const Utterance* row : record.rows) {
      if (row->tokens == Tokens{}) continue;
      ++models;
      const Utterance* before = record.since ? record.since->of_model(row->model) : nullptr;
      const Tokens grown = before ? difference(row->tokens, before->tokens) : row->tokens;
      if (are_equal_counts(grown, answer.tokens)) ++fits, fit = row;
    }
    if (fits == 1 && !answer.model) answer.model = fit->model;
    if (models == 0 || (models == 1 && fits == 1 && fit->cost < 0))
      answer.cost = growth(record.cost(), record.since, [](const Record& r) { return r.cost(); });
    else if (fits == 1)
      answer.cost = growth(fit->cost, record.since, [&](const Record& r) {
        const Utterance* before = r.of_model(fit->model);
        return before == nullptr ? 0 : before->cost;
      });
  }

  UsageStatement& add_row(const Utterance& said, Fate fate) {
    const Form form = said.usage.form;
    UsageStatement& row = rows_.emplace_back();
    row.source = said.source;
    row.session = said.session;
    row.agent = said.agent;
    row.model = said.model;
    row.tokens = said.tokens;
    (said.usage.unit == UsageTerms::Unit::credits ? row.credits : row.cost) = said.cost;
    row.calls = said.usage.calls;
    row.time = said.time;
    row.set_aside = fate;
    row.scope = said.usage.scope == Scope::turn    ? UsageStatement::Scope::turn
                : said.usage.scope == Scope::agent ? UsageStatement::Scope::agent
                                                   : UsageStatement::Scope::session;
    row.form = form == Form::total                           ? UsageStatement::Form::total
               : form == Form::missing                       ? UsageStatement::Form::rest
               : form == Form::running || form == Form::kept ? UsageStatement::Form::running
                                                             : UsageStatement::Form::piece;
    row.is_unpriced = form == Form::missing && row.cost < 0;
    return row;
  }

  /// Totals that come to as much include the tokens of the turn, but not how many calls it took.
  /// If they come to less, only their money counts.
  void add(const Record& record) {
    const bool has_turn = record.tokens() >= record.of_turn();
    if (record.turn != nullptr && record.answer != nullptr && record.turn->usage.calls == 1)
      give(record, *record.answer);
    for (const Utterance* stated : record.rows) {
      UsageStatement& row = add_row(*stated, record.fate);
      if (!has_turn) row.tokens = {};
      if (record.rest_of == nullptr || row.model) continue;
      row.cost -= at_least_none(record.rest_of->cost());
      row.form = UsageStatement::Form::piece;
    }
    if (record.turn == nullptr || (has_turn && record.turn->usage.calls < 0)) return;
    UsageStatement& turn =
        add_row(*record.turn, record.fate == Fate::repeated ? Fate::repeated : Fate::no);
    if (has_turn) turn.tokens = {};
  }

  /// Statements of calls that are on record, and nobody knows which, are together the session's.
  /// Each statement of a turn without an answer is a row by itself.
  void add_open(const std::vector<OpenStatement>& open) {
    std::set<StringId> has_sums;
    for (const UsageStatement& row : rows_)
      if (row.counts() && total_of(row.tokens) >= 0) has_sums.insert(row.session);
    std::map<std::tuple<uint32_t, StringId, StringId>, Extent> records;
    std::map<std::tuple<uint32_t, StringId, StringId, StringId>, size_t> sums;
    for (const auto& [i, since] : open) {
      const Utterance& at = trace_.utterances[i];
      if (at.usage.scope == Scope::turn) {
        UsageStatement& row = add_row(at, Fate::no);
        row.form = UsageStatement::Form::piece;
        if (since == kNoUtterance) continue;
        row.since = trace_.utterances[since].source;
        continue;
      }
      const auto [known, is_new] =
          sums.try_emplace({at.source.file, at.session, at.agent, at.model}, rows_.size());
      if (is_new) {
        UsageStatement& row =
            add_row(at, has_sums.contains(at.session) ? Fate::superseded : Fate::no);
        row.source =
            records.try_emplace({at.source.file, at.session, at.agent}, at.source).first->second;
        row.form = UsageStatement::Form::total;
        row.calls = 1;
        continue;
      }
      UsageStatement& row = rows_[known->second];
      add_tokens(row.tokens, at.tokens);
      row.cost = sum_of_known({row.cost, at.cost});
      ++row.calls;
    }
  }

  /// Equal totals in two files are of one run: a copy of a session, or two ways to print it. Each
  /// that counts covers what came after the one before it in its file.
  void finish_rows() {
    const auto place_of = [](const UsageStatement& row) {
      return std::pair(row.source.file, row.source.offset);
    };
    std::ranges::stable_sort(rows_, {}, place_of);
    std::map<std::tuple<StringId, StringId, bool, int64_t>, uint32_t> files;
    struct Stretch {
      Extent at, since;  ///< of the record that was seen last
    };
    std::map<std::tuple<uint32_t, StringId, StringId, UsageStatement::Scope>, Stretch> last;
    for (UsageStatement& row : rows_) {
      if (!row.counts()) continue;
      const int64_t tokens = total_of(row.tokens);
      const auto [known, is_new] = files.try_emplace(
          {row.session, row.model, tokens < 0, tokens < 0 ? row.cost : tokens}, row.source.file);
      if (row.form != UsageStatement::Form::piece && known->second != row.source.file) {
        row.set_aside = Fate::repeated;
        continue;
      }
      if (row.since.length > 0 || row.form == UsageStatement::Form::rest) continue;
      Stretch& stretch = last[{row.source.file, row.session, row.agent, row.scope}];
      if (stretch.at.length > 0 && stretch.at.offset != row.source.offset)
        stretch.since = stretch.at;
      row.since = stretch.since;
      stretch.at = row.source;
    }
    std::vector<UsageStatement>& all = trace_.usage_statements;
    all.insert(all.end(), rows_.begin(), rows_.end());
    std::ranges::stable_sort(all, {}, place_of);
  }

  RawTrace& trace_;
  const std::vector<bool>& copies_;
  std::unordered_set<uint32_t> has_totals_;  ///< files
  std::unordered_map<uint64_t, Between> between_, known_;
  std::deque<Record> records_;
  std::map<std::tuple<uint32_t, StringId, StringId>, std::vector<Record*>> running_;
  std::map<std::pair<StringId, StringId>, std::vector<Record*>> kept_;
  std::map<std::pair<StringId, StringId>, Record*> named_;  ///< by session and name
  std::vector<UsageStatement> rows_;
};

}  // namespace

void sum_up_usage(RawTrace& trace, const std::vector<bool>& copies,
                  const std::vector<OpenStatement>& open) {
  Sums(trace, copies).sum_up(open);
}

}  // namespace xtrace
