#include "link/activities/untold_tools.h"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "facts/payloads.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// Servers of tools put their names before those of their tools: `mcp__github__search`.
std::string_view last_part(std::string_view name) {
  const size_t mark = name.find_last_of("_.-/:");
  return mark == name.npos ? name : name.substr(mark + 1);
}

/// Which uses of tools have spans: by the id of the use where both have one, else one of the same
/// name in the same trace for each.
class ToldTools {
 public:
  explicit ToldTools(const Graph& graph) : trace_(graph.trace()) {
    for (const Activity& done : graph.activities().all) {
      if (done.kind != Activity::Kind::tool_run || !done.hop || done.same_as) continue;
      const Span& span = trace_[graph.hops()[done.hop].span];
      if (!span.gen_ai) continue;
      const StringId id = trace_[span.gen_ai].tool_call;
      if (id) by_id_.emplace(std::pair(span.trace, trace_[id]), last_part(done.tool));
      ++by_name_[{span.trace, last_part(done.tool)}];
    }
  }

  bool has(StringId trace, std::string_view id) const { return by_id_.contains({trace, id}); }
  /// Whose id is asked for is not there for another one.
  void take(StringId trace, std::string_view id) {
    const auto found = by_id_.find({trace, id});
    if (found != by_id_.end()) --by_name_[{trace, found->second}];
  }
  bool take_named(StringId trace, std::string_view name) {
    const auto found = by_name_.find({trace, last_part(name)});
    if (found == by_name_.end() || found->second <= 0) return false;
    --found->second;
    return true;
  }

 private:
  const Trace& trace_;
  std::map<std::pair<StringId, std::string_view>, std::string_view> by_id_;  ///< its name
  std::map<std::pair<StringId, std::string_view>, int64_t> by_name_;
};

}  // namespace

int64_t count_untold_tools(const Graph& graph, const Payloads& payloads) {
  const Trace& trace = graph.trace();
  ToldTools told(graph);
  // A use with an id is asked for once, however many spans tell of the call that did.
  std::set<std::tuple<StringId, std::string, std::string>> seen;
  std::vector<std::pair<StringId, std::string>> left;  // trace and name
  for (const Activity& done : graph.activities().all) {
    if (done.kind != Activity::Kind::model_call || !done.hop || done.same_as || done.attempt_at)
      continue;
    const Span& span = trace[graph.hops()[done.hop].span];
    for (Quote& said : payloads.quotes(span)) {
      if (!said.is_answer || said.kind != Quote::Kind::tool_use) continue;
      if (!said.tool_use.empty()) {
        if (!seen.emplace(span.trace, said.tool_use, said.tool).second) continue;
        if (told.has(span.trace, said.tool_use)) {
          told.take(span.trace, said.tool_use);
          continue;
        }
      }
      left.emplace_back(span.trace, std::move(said.tool));
    }
  }
  int64_t count = 0;
  for (const auto& [in, name] : left) count += !told.take_named(in, name);
  return count;
}

}  // namespace xtrace
