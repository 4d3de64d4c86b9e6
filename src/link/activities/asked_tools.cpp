#include "link/activities/asked_tools.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "link/activities/same_use.h"
#include "link/activities/tool_spans.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

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
  /// What several spans tell of one use: trace, id, name and arguments.
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
        // Some logs tell in an answer of all before it, too. Where an id comes again for the same,
        // it is a short one, and all that is asked for.
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
  std::vector<SpanId> all;
  for (size_t i = 0; i < trace.spans.size(); ++i) all.emplace_back(i);
  std::vector<Quote> read;
  return find_asked_tools(
      graph, distinct_spans(graph, all),
      [&](SpanId id) -> const std::vector<Quote>& { return read = payloads.quotes(trace[id]); });
}

}  // namespace xtrace
