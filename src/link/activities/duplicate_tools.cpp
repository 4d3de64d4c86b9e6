#include "link/activities/duplicate_tools.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "base/walk_up.h"
#include "link/activities/same_use.h"

namespace xtrace {

namespace {

/// Is one name the other behind that of a server? An agent names the tools of a server with a
/// prefix, `mcp__garden__weigh` or `garden.weigh`; the request to the server has the tool's own.
/// Single `_` and `-` are also parts of words, so that they join a prefix in such a request alone.
bool names_same_tool(std::string_view name, std::string_view own, bool is_request) {
  if (name == own) return true;
  if (own.empty() || name.size() <= own.size() || !name.ends_with(own)) return false;
  const std::string_view prefix = name.substr(0, name.size() - own.size());
  return prefix.ends_with("__") ||
         std::string_view("./:").find(prefix.back()) != std::string_view::npos ||
         (is_request && std::string_view("_-").find(prefix.back()) != std::string_view::npos);
}

class DuplicateFinder {
 public:
  DuplicateFinder(const Trace& trace, const Hops& hops)
      : trace_(trace), hops_(hops), stands_for_(hops.all.size()), above_(hops.all.size()) {}

  std::vector<HopId> find() {
    visit_top_down(
        above_.size(), [&](size_t i) -> size_t { return encloser_of(i).index; },
        [&](size_t i) {
          const HopId encloser = encloser_of(i);
          above_[i] = encloser && !has_role(encloser) ? above_[encloser.index] : encloser;
        });
    for (size_t i = 0; i < stands_for_.size(); ++i) visit(HopId(i));
    for (auto& [outer, inner] : carried_by_)
      if (follow_each_other(inner))
        for (HopId id : inner) stands_for_[id.index] = outer;
    return std::move(stands_for_);
  }

 private:
  void visit(HopId id) {
    const GenAi* inner = gen_ai_of(id);
    if (inner == nullptr || inner->role != GenAi::Role::tool) return;
    const HopId around = above_[id.index];
    const GenAi* outer = around ? gen_ai_of(around) : nullptr;
    if (outer != nullptr && outer->role == GenAi::Role::tool && is_same_run(id, *inner, *outer))
      carried_by_[around].push_back(id);
  }

  /// A span inside a tool's run that names the same tool carries it to a server, unless its log
  /// gives it an id of its own.
  bool is_same_run(HopId id, const GenAi& inner, const GenAi& outer) const {
    // https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/ (2026-11-28) names such spans.
    const bool is_request = trace_[trace_[hops_[id].span].operation].starts_with("tools/call");
    return inner.tool && outer.tool && (!inner.tool_call || inner.tool_call == outer.tool_call) &&
           names_same_tool(trace_[outer.tool], trace_[inner.tool], is_request);
  }

  /// One span, or the tries of one use: none begins before the one ahead of it ended.
  bool follow_each_other(std::vector<HopId>& inner) const {
    std::ranges::stable_sort(inner, {}, [&](HopId id) { return hops_[id].start; });
    return std::ranges::adjacent_find(inner, [&](HopId one, HopId next) {
             return SameUse(trace_[hops_[one].span]).overlaps(trace_[hops_[next].span]);
           }) == inner.end();
  }

  /// Returns its cause, unless it only follows that.
  HopId encloser_of(size_t i) const {
    return hops_.all[i].rule == Rule::follows_from ? HopId() : hops_.all[i].cause;
  }
  bool has_role(HopId id) const {
    const GenAi* told = gen_ai_of(id);
    return told != nullptr && told->role != GenAi::Role::other;
  }

  const GenAi* gen_ai_of(HopId id) const {
    const SpanId span = hops_[id].span;
    return span && trace_[span].gen_ai ? &trace_[trace_[span].gen_ai] : nullptr;
  }

  const Trace& trace_;
  const Hops& hops_;
  std::vector<HopId> stands_for_;
  std::vector<HopId> above_;                        ///< by hop, the nearest span around with a role
  std::map<HopId, std::vector<HopId>> carried_by_;  ///< by the run that is around them
};

}  // namespace

std::vector<HopId> duplicate_tools(const Trace& trace, const Hops& hops) {
  return DuplicateFinder(trace, hops).find();
}

}  // namespace xtrace
