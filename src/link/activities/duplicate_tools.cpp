#include "link/activities/duplicate_tools.h"

#include <map>

namespace xtrace {

namespace {

/// A span inside a tool's run that names the same tool carries it to a server, unless its log gives
/// it an id of its own.
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
    const GenAi* inner = gen_ai_of(id);
    if (inner == nullptr || inner->role != GenAi::Role::tool) return;
    const HopId around = tool_around(id);
    if (around && is_same_run(*inner, *gen_ai_of(around))) carried_by_[around].push_back(id);
  }

  /// The nearest span around it that has a role, if that is a tool's.
  HopId tool_around(HopId at) const {
    constexpr int kFurthest = 8;  // a request over HTTP and the like may be between
    for (int step = 0; step < kFurthest && hops_[at].cause; ++step) {
      if (hops_[at].rule == Rule::follows_from) return {};  // it comes after that, no part of it
      at = hops_[at].cause;
      const GenAi* outer = gen_ai_of(at);
      if (outer != nullptr && outer->role != GenAi::Role::other)
        return outer->role == GenAi::Role::tool ? at : HopId();
    }
    return {};
  }

  const GenAi* gen_ai_of(HopId id) const {
    const SpanId span = hops_[id].span;
    return span && trace_[span].gen_ai ? &trace_[trace_[span].gen_ai] : nullptr;
  }

  const Trace& trace_;
  const Hops& hops_;
  std::vector<HopId> stands_for_;
  std::map<HopId, std::vector<HopId>> carried_by_;  ///< by the run that is around them
};

}  // namespace

std::vector<HopId> duplicate_tools(const Trace& trace, const Hops& hops) {
  return DuplicateFinder(trace, hops).find();
}

}  // namespace xtrace
