#include "link/activities/asked_tools.h"

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/lower.h"
#include "facts/trace.h"
#include "link/activities/same_use.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// The tools that have spans. Each records one use, which one of those takes that ask for tools.
/// Whoever asks comes in order of time.
class ToolSpans {
 public:
  explicit ToolSpans(const Trace& trace) : trace_(trace) {}

  /// In order of time.
  void add(const Span& span);

  /// Of the tools that are asked for, those with an id that a span has take that. Ids come again in
  /// some logs, so that each takes one; but of two models' spans that overlap in time, which record
  /// one call, the second takes what the first has.
  bool take_by_id(const Span& model, std::string_view id);
  /// Others take the next of their name that nobody asked for by its id.
  bool take_by_name(const Span& model, std::string_view name);
  /// Likewise where one of the names has more before it.
  bool take_by_ending(const Span& model, std::string_view name);

 private:
  struct ToolSpan {
    const Span* span;
    bool is_taken = false;
  };
  using Queue = std::deque<size_t>;
  struct Asked {
    Queue spans, early;          ///< nobody asked for; and began before whoever asks next
    const Span* last = nullptr;  ///< that asked for one of them
  };
  using Queues = std::map<std::pair<StringId, std::string>, Queue>;  // by trace and name

  static Queue* queue(Queues& queues, const Span& model, const std::string& name);
  bool take_first(const Span& model, const std::vector<Queue*>& queues);

  const Trace& trace_;
  std::vector<ToolSpan> spans_;
  std::map<std::pair<StringId, std::string_view>, Asked> by_id_;
  Queues by_name_, by_ending_;
};

/// Names of one tool differ in form: `Search Tool`, `search_tool`; and servers of tools put their
/// names before it: `mcp__github__search`, `github.search`.
std::string folded_name(std::string_view name) {
  std::string folded;
  for (char c : lower(name)) {
    const bool is_mark = std::string_view(" _.-/:").find(c) != std::string_view::npos;
    if (!is_mark)
      folded += c;
    else if (!folded.empty() && folded.back() != '_')
      folded += '_';
  }
  if (folded.ends_with('_')) folded.pop_back();
  return folded;
}

/// What such a name may be without what servers put before it, the longest first; without itself.
std::vector<std::string_view> endings(std::string_view folded) {
  constexpr size_t kMost = 6;  // servers and folders before a name
  std::vector<std::string_view> all;
  for (size_t at = folded.find('_'); at != folded.npos && all.size() < kMost;
       at = folded.find('_', at + 1))
    all.push_back(folded.substr(at + 1));
  return all;
}

void ToolSpans::add(const Span& span) {
  const GenAi& told = trace_[span.gen_ai];
  const std::string name = folded_name(trace_[told.tool]);
  const size_t at = spans_.size();
  spans_.push_back({&span});
  if (told.tool_call) by_id_[{span.trace, trace_[told.tool_call]}].spans.push_back(at);
  if (name.empty()) return;
  by_name_[{span.trace, name}].push_back(at);
  for (std::string_view ending : endings(name))
    by_ending_[{span.trace, std::string(ending)}].push_back(at);
}

bool ToolSpans::take_by_id(const Span& model, std::string_view id) {
  auto found = id.empty() ? by_id_.end() : by_id_.find({model.trace, id});
  if (found == by_id_.end()) return false;
  Asked& asked = found->second;
  if (asked.last != nullptr && asked.last != &model && SameUse(*asked.last).overlaps(model))
    return true;
  while (!asked.spans.empty() && spans_[asked.spans.front()].span->start < model.start) {
    asked.early.push_back(asked.spans.front());
    asked.spans.pop_front();
  }
  Queue& queue = asked.spans.empty() ? asked.early : asked.spans;  // early: clocks differ
  if (queue.empty()) return false;
  spans_[queue.front()].is_taken = true;
  queue.pop_front();
  asked.last = &model;
  return true;
}

bool ToolSpans::take_by_name(const Span& model, std::string_view name) {
  return take_first(model, {queue(by_name_, model, folded_name(name))});
}

bool ToolSpans::take_by_ending(const Span& model, std::string_view name) {
  const std::string folded = folded_name(name);
  std::vector<Queue*> queues = {queue(by_ending_, model, folded)};
  for (std::string_view ending : endings(folded))
    queues.push_back(queue(by_name_, model, std::string(ending)));
  return take_first(model, queues);
}

ToolSpans::Queue* ToolSpans::queue(Queues& queues, const Span& model, const std::string& name) {
  auto found = queues.find({model.trace, name});
  return found == queues.end() ? nullptr : &found->second;
}

bool ToolSpans::take_first(const Span& model, const std::vector<Queue*>& queues) {
  size_t first = spans_.size();
  for (Queue* one : queues) {
    if (one == nullptr) continue;
    while (!one->empty() &&
           (spans_[one->front()].is_taken || spans_[one->front()].span->start < model.start))
      one->pop_front();
    if (!one->empty()) first = std::min(first, one->front());
  }
  if (first == spans_.size()) return false;
  return spans_[first].is_taken = true;
}

class AskedToolFinder {
 public:
  AskedToolFinder(const Graph& graph, const DistinctSpans& spans, const QuotesOf& quotes_of)
      : trace_(graph.trace()), spans_(spans), quotes_of_(quotes_of), told_(trace_) {
    for (SpanId tool : spans.tools) told_.add(trace_[tool]);
  }

  std::vector<AskedTool> find() {
    for (SpanId model : spans_.models) {
      const std::vector<Quote>& told = quotes_of_(model);
      bring_results(model, told);
      ask(model, told);
    }
    // Each takes the tool of just its name first, if there is one.
    std::erase_if(left_, [&](const AskedTool& one) {
      return told_.take_by_name(trace_[one.asked.span], one.name);
    });
    std::erase_if(left_, [&](const AskedTool& one) {
      return told_.take_by_ending(trace_[one.asked.span], one.name);
    });
    return std::move(left_);
  }

 private:
  /// What several spans record about one use: trace, id, name and arguments.
  using Key = std::tuple<StringId, std::string, std::string, uint64_t>;

  /// What was asked for before, and is told now. A request tells all there were of an id that came
  /// again; the last is what is new.
  void bring_results(SpanId model, const std::vector<Quote>& told) {
    std::map<std::string_view, size_t> last;
    for (size_t i = 0; i < told.size(); ++i)
      if (!told[i].is_answer && told[i].kind == Quote::Kind::tool_result && !told[i].text.empty())
        last[told[i].tool_use] = i;
    for (const auto& [id, piece] : last) {
      const auto waiting = waiting_.find({trace_[model].trace, std::string(id)});
      if (waiting == waiting_.end()) continue;
      for (size_t asked : waiting->second) left_[asked].result = QuotePlace{model, piece};
      waiting_.erase(waiting);
    }
  }

  void ask(SpanId model, const std::vector<Quote>& told) {
    const Span& span = trace_[model];
    std::vector<std::pair<size_t, Key>> uses;
    for (size_t i = 0; i < told.size(); ++i)
      if (told[i].is_answer && told[i].kind == Quote::Kind::tool_use && !told[i].tool.empty())
        uses.emplace_back(i, key(span, told[i]));
    const bool asks_anew =
        std::ranges::any_of(uses, [&](const auto& use) { return !seen_.contains(use.second); });
    for (const auto& [i, of] : uses) {
      const Quote& piece = told[i];
      bool is_restated = false;
      if (!piece.tool_use.empty()) {
        auto [at, is_new] = seen_.try_emplace(of, span);
        if (!is_new && at->second.is_joined_by(span)) continue;
        // Some logs record in an answer of all before it, too. Where an id comes again for the
        // same, it is a short one, and all that is asked for.
        constexpr size_t kMadeUp = 16;  // letters of ids that never come again
        is_restated = !is_new && (asks_anew || uses.size() > 1 || piece.tool_use.size() >= kMadeUp);
      }
      if (told_.take_by_id(span, piece.tool_use) || is_restated) continue;
      if (!piece.tool_use.empty()) waiting_[{span.trace, piece.tool_use}].push_back(left_.size());
      left_.push_back({{model, i}, piece.tool, piece.tool_use, {}});
    }
  }

  static Key key(const Span& span, const Quote& piece) {
    return {span.trace, piece.tool_use, piece.tool, hash_of(piece.text)};
  }

  const Trace& trace_;
  const DistinctSpans& spans_;
  const QuotesOf& quotes_of_;
  ToolSpans told_;
  std::map<Key, SameUse> seen_;
  /// Which of `left_` have no result yet, by trace and id.
  std::map<std::pair<StringId, std::string>, std::vector<size_t>> waiting_;
  std::vector<AskedTool> left_;
};

}  // namespace

std::vector<AskedTool> find_asked_tools(const Graph& graph, const DistinctSpans& spans,
                                        const QuotesOf& quotes_of) {
  return AskedToolFinder(graph, spans, quotes_of).find();
}

std::vector<AskedTool> find_asked_tools(const Graph& graph, const Payloads& payloads) {
  const Trace& trace = graph.trace();
  const std::vector<SpanId> spans = uncovered_spans(graph);
  if (spans.empty()) return {};
  std::vector<Quote> read;
  return find_asked_tools(
      graph, distinct_spans(graph, spans),
      [&](SpanId id) -> const std::vector<Quote>& { return read = payloads.quotes(trace[id]); });
}

}  // namespace xtrace
