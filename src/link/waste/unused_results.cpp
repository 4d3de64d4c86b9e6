#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/parallel.h"
#include "link/waste/waste_search.h"
#include "link/waste/word_set.h"

namespace xtrace {

namespace {

constexpr std::string_view kWords =
    "able about above across active actually added adds after again against alias almost "
    "alone along already also although always among another answer answers anything anyway "
    "apart append args argument arguments around array aside asked assert async attribute "
    "available await away back base based basic became because become been before began "
    "begin behind being believe below besides best better between beyond body bool boolean "
    "both bottom branch break bring build built byte bytes cache call called calling calls "
    "came cannot care case cases catch cause certain change changed changes changing char "
    "check checked checking checks class clean clear clearly close code come comes coming "
    "command commands comment commit common complete completely concern condition config "
    "configuration confirm consider const constant contain contained contains content "
    "context continue copy correct correctly could count couple course cover covered "
    "covers create created creates creating current currently data deal debug decide deep "
    "default define defined definition delete deleted detail details dict different "
    "directly directory disable disabled display document does doesn doing done down "
    "during each earlier early easily easy either elif else empty enable enabled enough "
    "ensure entire entries entry enum error errors especially even event ever every "
    "everything exact exactly example except exception execute execution exist existing "
    "exists exit expect expected explain export extend extra fact fail failed fails fall "
    "false fast field fields file filename files filter final finally find finding fine "
    "first fixed fixes flag float folder follow following follows form format found from "
    "full fully function functions further gave general gets getting give given gives "
    "giving global goes going gone good great half hand handle handled handles handling "
    "happen happens hard have having head help helper helpful helps hence here high hold "
    "hook hooks however idea immediately implement import important imported imports "
    "include index info init initial initialize input inputs inside instance instead "
    "integer interface internal into issue issues item items itself json just keep keeps "
    "kept keyword kind know known label large last later least leave left length less "
    "level library like likely limit line lines list little live load loaded loading local "
    "lock logic long longer look looking looks loop made main make makes making many match "
    "matches matter maybe mean means meant message messages method methods might mind miss "
    "missing mode model module modules more most move moved much must name named namely "
    "names near nearly need needed needs never newer next nice none note nothing notice "
    "null number numbers object objects obvious occur often okay once ones only open "
    "operation option optional options order original other others otherwise output "
    "outputs over overall override package param parameter parameters params parent parse "
    "parser part particular parts pass passed passes passing password past patch path "
    "pattern perfect perform perhaps pipe place plain please point pointer points possible "
    "possibly potential potentially prefer prefix present pretty previous previously print "
    "private probably problem problems process processing product program project prompt "
    "proper properly properties property provide provided provides public purpose push "
    "query question queue quick quickly quite raise random range rather read reading ready "
    "real really reason recent reference regex register related release remain remains "
    "remove removed removes removing replace report request requests require required "
    "requires reset response rest result resulting results return returned returning "
    "returns right root route rule rules runs same save saved says script search section "
    "seem seems seen select self sense separate sequence sequential server session setting "
    "settings setup several shall short should show showing shown shows side similar "
    "simple simply since single size skip slightly small some something sometimes soon "
    "sorry sort source space specific split stack stand standard start started starting "
    "starts state static status stay step steps still stop store stream string strings "
    "struct structure style such suffix suggest summary super support sure switch syntax "
    "system table take taken takes taking target task tell tells temp template test tested "
    "testing tests text than thank thanks that their them themselves then there therefore "
    "these they thing things think this those though thread three through throw thus time "
    "times title together token tokens told took tool tools total toward trace tree tried "
    "true truly tuple turn turns twice type typeof typical uint undefined under understand "
    "unique unit unknown unless until update updated updates updating upon used useful "
    "user users uses using usual usually valid validate value values variable variables "
    "various verify version very view void wait want wants warn warning watch week well "
    "went were what whatever when where whether which while whole whose will wish with "
    "within without wonder word words work worked working works worth would write writes "
    "writing written wrong year yield your ";

/// Is it, by the name that for_each_word() gives, a word that is in any English text or in any
/// program? That it comes up again says little.
bool is_common(uint64_t word) {
  static const WordSet common = [] {
    std::vector<uint64_t> names;
    add_words(kWords, names);
    return WordSet(std::move(names));
  }();
  return common.contains(word);
}

constexpr int64_t kHuge = 4000;       // tokens
constexpr size_t kFewestNew = 50;     // words that nobody said before
constexpr size_t kEnoughAnswers = 3;  // that could have used it

struct UnusedResult {
  uint32_t step = 0;
  size_t answers = 0;  ///< that could have used it
};

/// Of one conversation, by words: a result that brings in words nobody said before, and of which
/// none of these comes up again in what the model says, thinks or asks for, nor any made-up name,
/// said before or not.
///
/// Almost all results are used, and most by a name that the next answers take up, so what is said
/// later is looked at first: records are read again for it, and for most results few. All that was
/// said before a result is read only where nothing else decides.
class UseFinder {
 public:
  UseFinder(const WasteSearch& search, const Conversation& conversation)
      : search_(search),
        calls_(conversation.calls),
        last_to_use_(calls_.size()),
        replies_(calls_.size()) {
    for (size_t i = calls_.size(), last = calls_.size() - 1; i-- > 0;) {
      last_to_use_[i] = last;
      if (is_cut(i)) last = i;
    }
    for (uint32_t i : search_.steps.by_conversation()[conversation.number - 1])
      if (is_huge(i)) huge_[search_.steps[i].done->reader].push_back(i);
  }

  std::vector<UnusedResult> find() {
    for (size_t i = 0; i < calls_.size() && !huge_.empty(); ++i)
      if (auto read_here = huge_.find(calls_[i]); read_here != huge_.end() && is_closed(i))
        look_behind(i, read_here->second);
    strike_said();
    std::vector<UnusedResult> unused;
    for (const Result& one : open_)
      if (one.words.size() >= kFewestNew && !one.is_used())
        unused.push_back({one.step, one.answers});
    return unused;
  }

 private:
  /// One of which it takes all that was said before it to show whether it was used.
  struct Result {
    uint32_t step = 0;
    size_t reader = 0;               ///< index into calls_
    size_t answers = 0;              ///< that could have used it
    WordSet words{};                 ///< those of its words that nobody said before
    std::vector<uint64_t> taken_up;  ///< those of its words that come up again

    /// That a common word comes up again among many says nothing, and little where few could use
    /// it.
    bool is_used() const {
      return std::any_of(taken_up.begin(), taken_up.end(), [&](uint64_t word) {
        return words.contains(word) && !(answers >= kEnoughAnswers && is_common(word));
      });
    }
  };

  /// The words by which a call can show that it uses what was said before it.
  struct Reply {
    std::vector<uint64_t> words;
    bool is_answer = false;
  };

  /// What is replied from a call on to the last one that is sent what was read before.
  struct Heard {
    size_t begin = 0, end = 0;
    std::unordered_map<uint64_t, size_t> last;  ///< by word: the last call that replies it
    std::vector<size_t> answers_from;           ///< from each call on

    bool comes_up(uint64_t word, size_t from) const {
      const auto known = last.find(word);
      return known != last.end() && known->second >= from;
    }
    size_t answers(size_t from) const { return answers_from[from - begin]; }
  };

  bool is_huge(uint32_t i) const {
    const ToolStep& step = search_.steps[i];
    const CarriedResult* one = search_.carried(step.id);
    return one != nullptr && one->tokens >= kHuge && one->reader == step.done->reader &&
           search_.shows(i) && !search_.is_claimed(i) && step.went_well() &&
           !search_.steps.is_check(i);  // whether it went well is all that some want to know
  }

  /// Is what was said before sent no more from here on?
  bool is_cut(size_t i) const {
    const Call& call = search_.graph.trace()[calls_[i]];
    return call.is_compacted || call.is_pruned;
  }

  /// Is it on record how it went on with what is read here? Where the last thing on record is a
  /// question to a tool, the end is not.
  bool is_closed(size_t reader) const {
    const size_t last = last_to_use_[reader];
    return (last > reader && is_cut(last)) ||
           search_.graph.activities().tools_of(calls_.back()).empty();
  }

  /// What is said in a call, valid until the next question. Of short conversations all is kept, as
  /// it costs most to read it.
  const std::vector<Quote>& quotes(size_t i) {
    constexpr size_t kMost = 1 << 20;  // bytes
    if (auto kept = kept_.find(i); kept != kept_.end()) return kept->second;
    std::vector<Quote> read = search_.from.payloads->quotes(search_.graph.trace()[calls_[i]]);
    size_t bytes = 0;
    for (const Quote& said : read) bytes += said.text.size();
    if (kept_bytes_ + bytes > kMost) return last_ = std::move(read);
    kept_bytes_ += bytes;
    return kept_[i] = std::move(read);
  }

  static void add_answers(const std::vector<Quote>& quotes, Reply& reply) {
    for (const Quote& said : quotes)
      if (said.is_answer) add_words(said.text, reply.words), reply.is_answer = true;
  }

  /// Of a call behind the one that reads a result. Where what was said is summed up, all counts
  /// that is said there, but no answer.
  const Reply& reply(size_t i) {
    if (replies_[i]) return *replies_[i];
    Reply& reply = replies_[i].emplace();
    const std::vector<Quote>& said = quotes(i);
    if (!is_cut(i))
      add_answers(said, reply);
    else
      for (const Quote& one : said) add_words(one.text, reply.words);
    return reply;
  }

  void look_behind(size_t reader, const std::vector<uint32_t>& steps) {
    constexpr size_t kSoon = 3;  // calls, by which most results are used
    const std::vector<Quote> told = quotes(reader);
    Reply at_once;
    add_answers(told, at_once);
    const size_t end = last_to_use_[reader] + 1;
    std::vector<uint64_t> words = std::move(at_once.words);
    for (size_t i = reader + 1; i < std::min(end, reader + 1 + kSoon); ++i)
      words.insert(words.end(), reply(i).words.begin(), reply(i).words.end());
    std::vector<uint32_t> rest;
    const WordSet soon(std::move(words));
    for (uint32_t step : steps)
      if (words_taken_up(step, told, [&](uint64_t word) { return soon.contains(word); }))
        rest.push_back(step);
    if (rest.empty()) return;
    hear_until(end, reader + 1);
    const size_t answers = at_once.is_answer + heard_.answers(reader + 1);
    if (answers == 0) return;
    const auto comes_up = [&](uint64_t word) {
      return soon.contains(word) || heard_.comes_up(word, reader + 1);
    };
    for (uint32_t step : rest)
      if (auto taken_up = words_taken_up(step, told, comes_up))
        open_.push_back({step, reader, answers, words_of(step, told), *std::move(taken_up)});
  }

  /// All that is replied from `begin` until `end`, where what is read before is sent no more.
  /// Readers ascend, so that what was heard for one is all that is said behind the next one, too.
  void hear_until(size_t end, size_t begin) {
    if (heard_.end == end) return;
    heard_ = {begin, end, {}, std::vector<size_t>(end - begin + 1)};
    for (size_t i = begin; i < end; ++i) reply(i);  // files are read forwards
    for (size_t i = end; i-- > begin;) {
      const Reply& one = reply(i);
      heard_.answers_from[i - begin] = heard_.answers_from[i - begin + 1] + one.is_answer;
      for (uint64_t word : one.words) heard_.last.emplace(word, i);  // the last one comes first
    }
  }

  /// Calls `each(name, word)` for each word of the result of a step until that is false.
  template <class Each>
  void for_each_word_of(uint32_t step, const std::vector<Quote>& told, Each each) const {
    const std::string_view id = search_.graph.trace()[search_.steps[step].use().id];
    for (const Quote& said : told)
      if (said.kind == Quote::Kind::tool_result && said.tool_use == id)
        for_each_word(said.text, each);
  }

  /// The words of a result that come up again. Nothing: one of them is a name that somebody made
  /// up, and not one that the tool was asked with, as that comes up again without the result too.
  template <class ComesUp>
  std::optional<std::vector<uint64_t>> words_taken_up(uint32_t step, const std::vector<Quote>& told,
                                                      ComesUp comes_up) const {
    std::optional<WordSet> asked;
    std::vector<uint64_t> words;
    bool is_used = false;
    for_each_word_of(step, told, [&](uint64_t word, std::string_view said_so) {
      if (is_used || !comes_up(word)) return !is_used;
      words.push_back(word);
      if (!is_made_up(said_so)) return true;
      if (!asked) {
        std::vector<uint64_t> given;
        add_words(search_.steps.arguments(search_.steps[step]), given);
        asked.emplace(std::move(given));
      }
      is_used = !asked->contains(word);
      return !is_used;
    });
    if (is_used) return std::nullopt;
    return words;
  }

  WordSet words_of(uint32_t step, const std::vector<Quote>& told) const {
    std::vector<uint64_t> words;
    for_each_word_of(step, told, [&](uint64_t word, std::string_view) {
      words.push_back(word);
      return true;
    });
    return WordSet(std::move(words));
  }

  /// Strikes the words that were said before the results, from the last one backwards: what is read
  /// once more is mostly read soon after, and then little of what was said is read for it.
  void strike_said() {
    std::vector<uint64_t> words;
    std::unordered_map<uint64_t, std::vector<size_t>> results;  // by word, those that have it still
    for (size_t i = 0; i < open_.size(); ++i)
      for (uint64_t word : open_[i].words.words()) {
        results[word].push_back(i);
        words.push_back(word);
      }
    WordSet unsaid(std::move(words));
    size_t begun = open_.size();  // from here on, what call i says was said before the result
    size_t undecided = 0;         // of these, those that still have enough new words
    for (size_t i = open_.empty() ? 0 : open_.back().reader + 1; i-- > 0;) {
      for (; begun > 0 && is_said_before(i, open_[begun - 1]); --begun)
        undecided += open_[begun - 1].words.size() >= kFewestNew;
      if (undecided == 0) continue;
      for (const Quote& said : quotes(i))
        for_each_word(said.text, [&](uint64_t word, std::string_view) {
          if (!unsaid.contains(word)) return true;
          std::vector<size_t>& having = results[word];
          for (; !having.empty() && having.back() >= begun; having.pop_back()) {
            WordSet& left = open_[having.back()].words;
            left.strike(word);
            undecided -= left.size() + 1 == kFewestNew;
          }
          if (having.empty()) unsaid.strike(word);
          return undecided > 0;
        });
    }
  }

  /// A cut that reads a result sums up what was said, and that is no use of it.
  bool is_said_before(size_t i, const Result& one) const {
    return i < one.reader || (i == one.reader && is_cut(i));
  }

  const WasteSearch& search_;
  const std::vector<CallId>& calls_;
  /// The index of the call that is the last one to be sent what a call reads; of a cut, which may
  /// sum it up.
  std::vector<size_t> last_to_use_;
  std::vector<std::optional<Reply>> replies_;  ///< by call, once it was asked for
  Heard heard_;
  std::map<CallId, std::vector<uint32_t>> huge_;  ///< steps, by who reads their results
  std::vector<Result> open_;
  std::map<size_t, std::vector<Quote>> kept_;
  size_t kept_bytes_ = 0;
  std::vector<Quote> last_;
};

void add(const UnusedResult& unused, WasteSearch& search) {
  const ToolStep& step = search.steps[unused.step];
  Waste waste;
  waste.kind = WasteKind::unused_result;
  waste.times = 1;
  waste.confidence = unused.answers >= kEnoughAnswers ? 0.7 : 0.6;
  waste.tool = step.done->tool;
  waste.target = step.use().target;
  waste.evidence.push_back({step.call(), step.id, "asked for"});
  waste.evidence.push_back({step.done->reader, step.id, "read"});
  search.add_result(std::move(waste), *search.carried(step.id));
}

}  // namespace

/// Conversations know nothing of one another: any thread may look at any.
void find_unused_results(WasteSearch& search) {
  if (search.from.payloads == nullptr) return;
  const std::vector<Conversation>& conversations = search.graph.conversations();
  std::vector<std::vector<UnusedResult>> found(conversations.size());
  for_each_on(search.from.jobs, conversations.size(), [&] {
    return [&](size_t i) { found[i] = UseFinder(search, conversations[i]).find(); };
  });
  for (const std::vector<UnusedResult>& unused : found)
    for (const UnusedResult& one : unused) add(one, search);
}

}  // namespace xtrace
