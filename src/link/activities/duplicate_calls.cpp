#include "link/activities/duplicate_calls.h"

#include <algorithm>
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

std::vector<HopId> duplicate_calls(const Trace& trace, const Hops& hops) {
  std::vector<HopId> stands_for(hops.all.size());
  auto told_by = [&](HopId id) -> const GenAi* {
    const SpanId span = hops[id].span;
    return span && trace[span].gen_ai ? &trace[trace[span].gen_ai] : nullptr;
  };
  for (size_t i = 0; i < stands_for.size(); ++i) {
    const GenAi* inner = told_by(HopId(i));
    if (inner == nullptr || inner->role != GenAi::Role::model) continue;
    constexpr int kFurthest = 8;  // a request over HTTP and the like may stand between
    HopId at(i);
    for (int step = 0; step < kFurthest && hops[at].cause; ++step) {
      if (hops[at].rule == Rule::follows_from) break;  // it comes after that and is no part of it
      at = hops[at].cause;
      const GenAi* outer = told_by(at);
      if (outer == nullptr || outer->role == GenAi::Role::other) continue;
      if (outer->role != GenAi::Role::model) break;  // a tool or an agent asks for itself
      if (!is_same_call(trace, {trace[hops.all[i].span], *inner}, {trace[hops[at].span], *outer}))
        break;
      bool inner_counts = inner->tokens != Tokens() || outer->tokens == Tokens();
      if (inner_counts)
        stands_for[at.index] = HopId(i);
      else
        stands_for[i] = at;
      break;
    }
  }
  return stands_for;
}

}  // namespace xtrace
