#include "link/reuse/span_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "link/activities/asked_tools.h"

namespace xtrace {

namespace {

using Piece = SpanCalls::Piece;
using PieceId = std::pair<uint32_t, size_t>;  ///< span, quote

/// Makes the facts of one input, session by session.
class CallMaker {
 public:
  CallMaker(const Graph& spans, const Payloads& payloads, std::vector<std::vector<Piece>>& pieces)
      : graph_(spans), spans_(spans.trace()), payloads_(payloads), pieces_(pieces) {
    made_.sources = spans_.sources;
    made_.complaints = spans_.complaints;
    made_.unread = spans_.unread;
    made_.repaired = spans_.repaired;
  }

  Trace make() {
    const DistinctSpans distinct = distinct_spans(graph_, uncovered_spans(graph_));
    is_tool_.resize(spans_.spans.size());
    for (const SpanId tool : distinct.tools) is_tool_[tool.index] = true;
    std::vector<Quote> read;
    const std::vector<AskedTool> asked =
        find_asked_tools(graph_, distinct, [&](SpanId id) -> const std::vector<Quote>& {
          return read = payloads_.quotes(spans_[id]);
        });
    for (const AskedTool& one : asked) {
      const std::string id =
          unused_id(one.id, spans_[one.asked.span], '.' + std::to_string(one.asked.piece));
      asked_.emplace(PieceId(one.asked.span.index, one.asked.piece), id);
      if (one.result) brought_.emplace(PieceId(one.result->span.index, one.result->piece), id);
    }
    // By session, in the order in which they begin.
    std::vector<SpanId> all = distinct.models;
    all.insert(all.end(), distinct.tools.begin(), distinct.tools.end());
    std::ranges::stable_sort(all, {}, [&](SpanId id) { return spans_[id].start; });
    std::map<uint32_t, std::vector<SpanId>> sessions;
    std::vector<uint32_t> order;
    for (const SpanId id : all) {
      std::vector<SpanId>& of = sessions[session_of(spans_[id]).index];
      if (of.empty()) order.push_back(session_of(spans_[id]).index);
      of.push_back(id);
    }
    for (const uint32_t session : order) make_session(sessions.at(session));
    return std::move(made_);
  }

  size_t tools_with_texts() const { return with_texts_; }

 private:
  /// A result that no call has read yet.
  struct Pending {
    Time end;
    Piece piece;
  };

  static StringId session_of(const Span& span) { return span.session ? span.session : span.trace; }
  StringId copied(StringId id) { return id ? made_.strings.intern(spans_[id]) : StringId(); }

  /// Ids come again in some logs; those of spans do not.
  std::string unused_id(std::string_view wanted, const Span& span, const std::string& ending) {
    std::string id(wanted);
    if (id.empty() || ids_.contains(id)) id = std::string(spans_[span.shown_id()]) + ending;
    ids_.insert(id);
    return id;
  }

  void make_session(const std::vector<SpanId>& spans) {
    last_ = {};
    seen_.clear();
    by_id_.clear();
    pending_.clear();
    const auto first = std::ranges::find_if(spans, [&](SpanId id) { return !is_tool_[id.index]; });
    const std::string_view speaker = first == spans.end() ? std::string_view() : agent_of(*first);
    for (const SpanId id : spans) {
      const Span& span = spans_[id];
      begin_call(span);
      read_pending(span.start);
      if (is_tool_[id.index])
        run_tool(id);
      else
        ask_model(id, agent_of(id) == speaker);
    }
    if (pending_.empty()) return;
    begin_call(spans_[pending_.back().piece.span]);  // what is read last
    made_.calls.back().is_dispatch = true;
    made_.calls.back().start = pending_.back().end;
    made_.calls.back().duration = kNoDuration;
    read_pending(Time::max());
  }

  std::string_view agent_of(SpanId span) const {
    return graph_.activities().of(span).agent.agent();
  }

  void begin_call(const Span& span) {
    Call call;
    call.start = span.start;
    call.duration = span.duration;
    call.source = span.source;
    call.outcome = span.outcome;
    call.id = copied(span.shown_id());
    call.session = copied(session_of(span));
    const auto at = static_cast<size_t>(&span - spans_.spans.data());
    const Activity& done = graph_.activities().of(SpanId(at));
    if (!done.agent.agent().empty()) call.agent_type = made_.strings.intern(done.agent.agent());
    if (!done.model.empty()) call.model = made_.strings.intern(done.model);
    call.first_place = static_cast<uint32_t>(pieces_.size());
    call.request = last_ = add_message(Message::Role::user);
    pieces_.emplace_back();
    made_.calls.push_back(call);
  }

  MessageId add_message(Message::Role role) {
    Message message;
    message.before = last_;
    message.depth = last_ ? made_.messages[last_.index].depth + 1 : 1;
    message.role = role;
    message.key = chain(last_ ? made_.messages[last_.index].key : 1, made_.messages.size() + 1);
    made_.messages.push_back(message);
    return MessageId(made_.messages.size() - 1);
  }

  /// Results of tools that had ended by then.
  void read_pending(Time now) {
    std::erase_if(pending_, [&](Pending& one) {
      if (one.end > now) return false;
      add_result(std::move(one.piece));
      return true;
    });
  }

  void add_result(Piece piece) {
    ToolResult result;
    result.message = made_.calls.back().request;
    result.tool_use = made_.strings.intern(piece.tool_use);
    made_.tool_results.push_back(result);
    pieces_.back().push_back(std::move(piece));
  }

  void answer() {
    made_.calls.back().answer = last_ = add_message(Message::Role::assistant);
    uses_ = 0;
  }

  void add_use(std::string_view name, Piece piece, const std::vector<std::string>& targets) {
    ToolUse use;
    use.message = last_;
    use.id = made_.strings.intern(piece.tool_use);
    use.name = made_.strings.intern(name);
    if (!targets.empty()) use.target = made_.strings.intern(targets.front());
    for (size_t i = 1; i < targets.size(); ++i)
      made_.tool_targets.push_back({last_, uses_, made_.strings.intern(targets[i])});
    made_.tool_uses.push_back(use);
    ++uses_;
    pieces_.back().push_back(std::move(piece));
  }

  void run_tool(SpanId id) {
    const Span& span = spans_[id];
    const StepRecord step = payloads_.step(span);
    with_texts_ += !step.inputs.empty() || !step.outputs.empty();
    const std::string use = unused_id(step.tool_call, span, "");
    if (!step.tool_call.empty() && !step.outputs.empty()) by_id_.insert(step.tool_call);
    made_.calls.back().is_dispatch = true;
    answer();
    std::string_view name = graph_.activities().of(id).tool;
    if (name.empty()) name = spans_[span.operation];
    Piece given{id, Piece::From::inputs, true, Quote::Kind::tool_use, 0, use};
    if (step.inputs.empty()) given.span = {};
    add_use(name, std::move(given), step.targets);
    if (!step.outputs.empty())
      pending_.push_back({after(span.start, span.duration),
                          {id, Piece::From::outputs, false, Quote::Kind::tool_result, 0, use}});
  }

  void ask_model(SpanId id, bool speaks_first) {
    const std::vector<Quote> quotes = payloads_.quotes(spans_[id]);
    for (size_t i = 0; i < quotes.size(); ++i) {
      const Quote& quote = quotes[i];
      // Requests repeat what was said before.
      const uint64_t key = chain(hash_of(quote.tool_use), hash_of(quote.text));
      const bool is_new = !quote.text.empty() && seen_.insert(key).second;
      if (quote.is_answer || !is_new) continue;
      Piece piece{id, Piece::From::quote, false, quote.kind, static_cast<uint32_t>(i), {}};
      if (quote.kind == Quote::Kind::tool_result) {
        if (by_id_.contains(quote.tool_use)) continue;  // its span has it
        const auto brought = brought_.find(PieceId(id.index, i));
        piece.tool_use = brought == brought_.end() ? quote.tool_use : brought->second;
        add_result(std::move(piece));
      } else {
        piece.is_answer = !speaks_first;
        pieces_.back().push_back(std::move(piece));
      }
    }
    answer();
    for (size_t i = 0; i < quotes.size(); ++i) {
      const Quote& quote = quotes[i];
      if (!quote.is_answer) continue;
      Piece piece{id, Piece::From::quote, true, quote.kind, static_cast<uint32_t>(i), {}};
      const auto asked = asked_.find(PieceId(id.index, i));
      if (quote.kind != Quote::Kind::tool_use) {
        pieces_.back().push_back(std::move(piece));
      } else if (asked != asked_.end()) {
        piece.tool_use = asked->second;
        with_texts_ += !quote.text.empty();
        add_use(quote.tool, std::move(piece), quote.targets);
      }
    }
  }

  const Graph& graph_;
  const Trace& spans_;
  const Payloads& payloads_;
  std::vector<std::vector<Piece>>& pieces_;
  Trace made_;
  std::vector<bool> is_tool_;
  std::map<PieceId, std::string> asked_, brought_;  ///< ids of uses that have no span
  std::set<std::string, std::less<>> ids_;
  size_t with_texts_ = 0;
  // Of the session at hand:
  MessageId last_;
  uint32_t uses_ = 0;  ///< of the last answer
  std::unordered_set<uint64_t> seen_;
  std::set<std::string, std::less<>> by_id_;  ///< ids that models gave to uses whose span is there
  std::vector<Pending> pending_;
};

}  // namespace

SpanCalls::SpanCalls(const Graph& spans, const Payloads& payloads, unsigned jobs)
    : spans_(spans.trace()), payloads_(payloads) {
  CallMaker maker(spans, payloads, pieces_);
  Trace made = maker.make();
  tools_with_texts_ = maker.tools_with_texts();
  LinkOptions linking;
  linking.jobs = jobs;
  linking.prices = &spans.prices();
  graph_ = std::make_unique<const Graph>(link(std::move(made), linking));
}

std::vector<Quote> SpanCalls::quotes(const Call& call) const {
  std::vector<Quote> said;
  SpanId known;
  std::vector<Quote> read;
  for (const Piece& piece : pieces_[call.first_place]) {
    Quote quote;
    if (piece.from == Piece::From::quote) {
      if (known != piece.span) read = payloads_.quotes(spans_[known = piece.span]);
      if (piece.quote < read.size()) quote = read[piece.quote];
    } else if (piece.span) {
      StepRecord step = payloads_.step(spans_[piece.span]);
      quote.text =
          piece.from == Piece::From::inputs ? std::move(step.inputs) : std::move(step.outputs);
    }
    // A tool whose arguments are not on record is none of what can be read.
    if (quote.text.empty() && piece.kind == Quote::Kind::tool_use) continue;
    quote.kind = piece.kind;
    quote.is_answer = piece.is_answer;
    quote.tool_use = piece.tool_use;
    said.push_back(std::move(quote));
  }
  return said;
}

}  // namespace xtrace
