#include "link/activities/duplicate_calls.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/lower.h"
#include "prices/model_maker.h"
#include "prices/model_name.h"

namespace xtrace {

namespace {

/// A span of a model call, and what it tells of that.
struct ToldCall {
  const Span& span;
  const GenAi& gen_ai;
};

/// Does it ask for vectors, as names tell?
bool embeds(const Trace& trace, const ToldCall& call) {
  for (StringId name : {call.span.operation, call.gen_ai.model})
    if (lower(trace[name]).find("embed") != std::string::npos) return true;
  return false;
}

/// Does a model's name go on with nothing that makes it another one?
bool is_edition(std::string_view rest) {
  return is_decoration(rest) || rest.starts_with("-preview") || rest.starts_with("-exp");
}

/// One may name what was asked for, the other what answered, and gateways have names of their own:
/// only the names of two models that are known tell that these differ.
bool may_be_one_model(std::string_view one, std::string_view other) {
  if (one == other || maker_of(one).empty() || maker_of(other).empty()) return true;
  const std::string a = plain_model(one), b = plain_model(other);
  auto is_word_end = [](const std::string& name, size_t at) {
    return at == name.size() || std::string_view("-@:[").find(name[at]) != std::string_view::npos;
  };
  size_t same = 0;
  while (same < std::min(a.size(), b.size()) && a[same] == b[same]) ++same;
  while (same > 0 && !(is_word_end(a, same) && is_word_end(b, same))) --same;
  return is_edition(std::string_view(a).substr(same)) &&
         is_edition(std::string_view(b).substr(same));
}

/// Does what is inside tell of the call that is around it, and not of one that was made for it?
bool is_same_call(const Trace& trace, const ToldCall& inner, const ToldCall& outer) {
  // Unless the outer one counts the attempts itself.
  const bool was_got_over = inner.span.outcome == Outcome::error &&
                            outer.span.outcome != Outcome::error && outer.gen_ai.retries == 0;
  if (was_got_over || embeds(trace, inner) != embeds(trace, outer)) return false;
  return tell_same_counts(inner.gen_ai.tokens, outer.gen_ai.tokens) ||
         may_be_one_model(trace[inner.gen_ai.model], trace[outer.gen_ai.model]);
}

}  // namespace

bool tell_same_counts(const Tokens& one, const Tokens& other) {
  return one.output == other.output && tokens_sent(one) == tokens_sent(other) &&
         total_of(one) != kNoCount;
}

namespace {

/// What is inside of a tool's run and names the same tool carries it to a server, unless its log
/// gives it an id of its own.
bool is_same_run(const GenAi& inner, const GenAi& outer) {
  return inner.tool && inner.tool == outer.tool &&
         (!inner.tool_call || inner.tool_call == outer.tool_call);
}

class DuplicateFinder {
 public:
  DuplicateFinder(const Trace& trace, const Hops& hops)
      : trace_(trace), hops_(hops), stands_for_(hops.all.size()) {}

  std::vector<HopId> find() {
    for (size_t i = 0; i < stands_for_.size(); ++i) visit(HopId(i));
    for (const auto& [outer, inner] : carried_by_)
      if (inner.size() == 1) stands_for_[inner.front().index] = outer;
    return std::move(stands_for_);
  }

 private:
  void visit(HopId id) {
    const GenAi* inner = told_by(id);
    if (inner == nullptr) return;
    if (inner->role != GenAi::Role::model && inner->role != GenAi::Role::tool) return;
    const HopId around = told_around(id);
    // A tool or an agent asks for itself.
    if (!around || told_by(around)->role != inner->role) return;
    const GenAi& outer = *told_by(around);
    if (inner->role == GenAi::Role::tool) {
      if (is_same_run(*inner, outer)) carried_by_[around].push_back(id);
      return;
    }
    if (!is_same_call(trace_, {span_of(id), *inner}, {span_of(around), outer})) return;
    const bool inner_counts = inner->tokens != Tokens() || outer.tokens == Tokens();
    if (inner_counts)
      stands_for_[around.index] = id;
    else
      stands_for_[id.index] = around;
  }

  /// The nearest one around it that has a role.
  HopId told_around(HopId at) const {
    constexpr int kFurthest = 8;  // a request over HTTP and the like may stand between
    for (int step = 0; step < kFurthest && hops_[at].cause; ++step) {
      if (hops_[at].rule == Rule::follows_from) return {};  // it comes after that, no part of it
      at = hops_[at].cause;
      const GenAi* outer = told_by(at);
      if (outer != nullptr && outer->role != GenAi::Role::other) return at;
    }
    return {};
  }

  const Span& span_of(HopId id) const { return trace_[hops_[id].span]; }
  const GenAi* told_by(HopId id) const {
    const SpanId span = hops_[id].span;
    return span && trace_[span].gen_ai ? &trace_[trace_[span].gen_ai] : nullptr;
  }

  const Trace& trace_;
  const Hops& hops_;
  std::vector<HopId> stands_for_;
  std::map<HopId, std::vector<HopId>> carried_by_;  ///< tools, by the run that is around them
};

}  // namespace

std::vector<HopId> duplicate_calls(const Trace& trace, const Hops& hops) {
  return DuplicateFinder(trace, hops).find();
}

}  // namespace xtrace
