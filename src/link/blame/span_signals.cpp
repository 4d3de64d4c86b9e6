#include <algorithm>

#include "base/hash.h"
#include "link/blame/search.h"

namespace xtrace {

namespace {

/// Of the values in the last reply: so many of them first appear at a step that it comes from.
constexpr double kMostOfReply = 1.0 / 3;
/// In a run in which no step brings more new values than that, none stands out.
constexpr size_t kFewestNew = 3;

/// A span of a run: somebody spoke, or a tool ran.
struct Turn {
  uint32_t step = kNoStep;
  const Activity* done = nullptr;
  bool is_model = false, is_tool = false;
  bool has_code = false, is_hedged = false;
  std::unordered_set<uint64_t> values;
  size_t unseen = 0;  ///< values that nothing before it contains
};

class RunReader {
 public:
  explicit RunReader(BlameSearch& search) : search_(search) {}

  /// The steps of one run, in order of time.
  void read(std::span<const uint32_t> steps) {
    turns_.clear();
    seen_.clear();
    asked_.clear();
    has_model_ = false;
    for (uint32_t step : steps) read(step);
    find_director();
    find_errors();
    find_most_new();
    find_final_value();
    for (const Turn& turn : turns_) {
      if (!turn.is_model) continue;
      if (turn.has_code) search_.add({BlameSignal::wrote_code, turn.step});
      if (turn.is_hedged && director_.empty()) search_.add({BlameSignal::hedged, turn.step});
      if (!director_.empty() && turn.done->agent.name != director_)
        search_.add({BlameSignal::assigned, turn.step});
    }
  }

 private:
  void read(uint32_t step) {
    const Graph& graph = search_.graph;
    const SpanId id = graph.joined_hops()[search_.step(step).hop].span;
    if (!id) return;
    Turn turn;
    turn.step = step;
    turn.done = &graph.activities().of(id);
    turn.is_model = turn.done->kind == Activity::Kind::model_call;
    turn.is_tool = turn.done->kind == Activity::Kind::tool_run;
    if (search_.from.payloads != nullptr) read_texts(graph.trace()[id], turn);
    has_model_ |= turn.is_model;
    turns_.push_back(std::move(turn));
  }

  void read_texts(const Span& span, Turn& turn) {
    std::string own;
    for (const Quote& quote : search_.from.payloads->quotes(span)) {
      if (quote.is_answer && quote.kind != Quote::Kind::thought) own += quote.text + '\n';
      // What comes in was said before, or is what a user asked for.
      if (!quote.is_answer) hear(values_in(quote.text), !has_model_);
    }
    if (turn.is_tool) {
      const StepRecord record = search_.from.payloads->step(span);
      own += record.outputs;
      search_.missing_results += record.outputs.empty();
    }
    search_.unread_calls += turn.is_model && own.empty();
    const TextValues said = values_in(own);
    for (uint64_t value : said.values) turn.unseen += !seen_.contains(value);
    turn.values = said.values;
    turn.has_code = own.find("```") != std::string::npos;
    turn.is_hedged = turn.is_model && is_hedged(own);
    hear(said, !turn.is_model && !turn.is_tool && !has_model_);
  }

  void hear(const TextValues& said, bool is_task) {
    for (const auto* each : {&said.values, &said.words}) {
      seen_.insert(each->begin(), each->end());
      if (is_task) asked_.insert(each->begin(), each->end());
    }
  }

  /// The agent that directs all others: it speaks more often than they do together, and each of
  /// them mostly right after it. Others then do what it asks for, and what they say is what they
  /// found: new values and doubts are those of their sources.
  void find_director() {
    constexpr double kMostly = 0.9;
    director_ = {};
    std::vector<std::string_view> spoke;
    std::unordered_map<std::string_view, size_t> often;
    for (const Turn& turn : turns_)
      if (turn.is_model) ++often[spoke.emplace_back(turn.done->agent.name)];
    if (often.size() < 2) return;
    std::string_view first;
    for (std::string_view name : spoke)
      if (often[name] * 2 > spoke.size()) first = name;
    if (first.empty()) return;
    size_t others = 0, after = 0;
    for (size_t i = 1; i < spoke.size(); ++i) {
      if (spoke[i] == first) continue;
      ++others;
      after += spoke[i - 1] == first;
    }
    if (others > 0 && static_cast<double>(after) >= kMostly * static_cast<double>(others))
      director_ = first;
  }

  /// A failure counts for the step that asked for what failed: a model that a link leads from, else
  /// the last one before the tool. Later failures are mostly attempts to mend the first.
  void find_errors() {
    bool is_charged = false;
    for (size_t i = 0; i < turns_.size(); ++i) {
      const Turn& turn = turns_[i];
      if (turn.done->outcome != Outcome::error) continue;
      if (turn.is_model) search_.add({BlameSignal::error, turn.step});
      if (!turn.is_tool || is_charged) continue;
      search_.add({BlameSignal::error, asker_of(i), turn.step});
      is_charged = true;
    }
  }

  uint32_t asker_of(size_t tool) const {
    const CauseGraph& causes = search_.from.steps.causes;
    uint32_t asker = kNoStep;
    for (size_t i = 0; i < tool; ++i) {
      if (!turns_[i].is_model) continue;
      asker = turns_[i].step;
    }
    for (uint32_t link : causes.causes_of(turns_[tool].step)) {
      const uint32_t from = causes[link].from;
      for (const Turn& turn : turns_)
        if (turn.is_model && turn.step == from) return from;
    }
    return asker == kNoStep ? turns_[tool].step : asker;
  }

  void find_most_new() {
    if (!director_.empty()) return;
    size_t most = 0;
    bool is_opening = true;  // it states the task, and so much is new
    for (const Turn& turn : turns_) {
      if (!turn.is_model && !turn.is_tool) continue;
      if (turn.is_model && !is_opening) most = std::max(most, turn.unseen);
      is_opening = false;
    }
    for (const Turn& turn : turns_)
      if (turn.is_model && most >= kFewestNew && turn.unseen == most)
        search_.add({BlameSignal::most_new,
                     turn.step,
                     kNoStep,
                     {},
                     std::nullopt,
                     static_cast<uint32_t>(most)});
  }

  /// Where the last reply comes from. Only of those who do what is asked for: one who directs
  /// others, or speaks for itself, repeats its own answer.
  void find_final_value() {
    if (director_.empty()) return;
    std::unordered_set<uint64_t> reply;
    for (auto turn = turns_.rbegin(); turn != turns_.rend() && reply.empty(); ++turn)
      if (turn->is_model)
        for (uint64_t value : turn->values)
          if (!asked_.contains(value)) reply.insert(value);
    std::unordered_set<uint64_t> before;
    for (const Turn& turn : turns_) {
      size_t shared = 0;
      for (uint64_t value : turn.values)
        shared += before.insert(value).second && reply.contains(value);
      if (turn.is_model && turn.done->agent.name != director_ && !reply.empty() &&
          static_cast<double>(shared) >= kMostOfReply * static_cast<double>(reply.size()))
        search_.add({BlameSignal::final_value,
                     turn.step,
                     kNoStep,
                     {},
                     std::nullopt,
                     static_cast<uint32_t>(shared)});
    }
  }

  BlameSearch& search_;
  std::vector<Turn> turns_;
  std::unordered_set<uint64_t> seen_, asked_;  ///< values and words: of all, of the task
  std::string_view director_;
  bool has_model_ = false;  ///< somebody spoke: what is heard before is the task
};

}  // namespace

void find_span_signals(BlameSearch& search) {
  const Hops& hops = search.graph.joined_hops();
  std::vector<uint32_t> run;
  RunReader reader(search);
  for (uint32_t at = 0; at < search.size(); ++at) {
    run.push_back(at);
    const bool is_last = at + 1 == search.size() ||
                         hops[search.step(at + 1).hop].run != hops[search.step(at).hop].run;
    if (!is_last) continue;
    reader.read(run);
    run.clear();
  }
}

}  // namespace xtrace
