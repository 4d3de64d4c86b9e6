#include "view/view.h"

namespace xtrace {

std::span<const ViewEntry> views() {
  static constexpr ViewEntry kViews[] = {
      {"dag", "what happened, and what led to what",
       "Links the calls of the input: tool results to the calls that asked for them, subagents to "
       "the tool uses "
       "that started them, each request to the one whose conversation it goes on with, retries to "
       "what failed. "
       "Every link says how sure it is, by which rule, and where both ends stand.",
       "  xtrace dag logs.jsonl                      a tree on the terminal, JSON in a pipe\n"
       "  xtrace dag logs.jsonl --session s2         one session (`xtrace list` names them)\n"
       "  xtrace dag logs.jsonl --since 5m           the last five minutes of the log\n"
       "  xtrace dag logs.jsonl -f dot | dot -Tsvg   a picture\n"
       "  cat logs.jsonl | xtrace dag -f json -      from a pipe, for programs\n",
       true, make_dag, shape_of_dag},
      {"list", "which sessions and agents are in here",
       "Names the sessions of the input with their agents, one line each: the names that --session "
       "and --agent take.",
       "  xtrace list logs.jsonl           sessions and agents, with counts and times\n"
       "  xtrace list logs/ -f json        the same for programs\n",
       false, make_list, shape_of_list},
  };
  return kViews;
}

}  // namespace xtrace
