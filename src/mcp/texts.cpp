#include "mcp/texts.h"

namespace xtrace::mcp {

const std::string_view kInstructions =
    R"(xtrace answers questions about past and running sessions of coding agents on this machine (Claude Code, Codex, Gemini CLI and others) from the logs that they write. Use it instead of reading those logs: they are large, and it has already linked tool results, subagents, retries and costs.

Use it when the user asks what a session did or cost, why a file was changed, which tool failed, where a run went wrong, what was wasted, what would have been faster, or which session touched something. Start with `sessions` if you do not know the session; otherwise ask `cost`, `explain`, `impact`, `blame`, `waste` or `whatif` with "last" or an ID. "last" may be the session that you are in now.

Answers are short tables, the most important first, cut at max_tokens. If the last line has a cursor and you need more, pass that cursor. In the tables, ≥ marks a lower bound, ~ an estimate, ? an unknown value; times are UTC. Prompts, replies and arguments are left out unless the owner of the server has allowed them.)";

const std::string_view kAgentsText = R"(## Questions about agent sessions: xtrace

`xtrace` reads the logs of coding agents on this machine (Claude Code, Codex, Gemini CLI and others).
Use it instead of reading the logs, which are large. It is read-only and works offline.

| question | command |
|---|---|
| which sessions are there | `xtrace list ~/.claude/projects` (or another folder of logs) |
| what did the last session cost, which tools failed | `xtrace stats last` |
| what was wasted, and how to avoid it | `xtrace advise last` |
| which claims (tests pass, fixed) do tool results not show | `xtrace advise last` |
| what would have been faster or cheaper | `xtrace whatif last` |
| where did a failed run first look odd | `xtrace blame last` |
| why was a file changed | `xtrace explain last --node FILE` |
| the effects of a tool use, a turn or a subagent | `xtrace impact last --node ID` |
| what did turn 9 or a subagent do | `xtrace explain last --node 'turn 9'`, `--node Explore#2` |
| what happened, step by step | `xtrace dag last` |

Instead of `last`, pass the beginning of a session ID or the path of a log. In tables, ≥ marks a lower
bound, ~ an estimate, ? an unknown value. Pipe long answers through `head -60`: the most important
comes first. `xtrace mcp` serves the same as tools: `claude mcp add xtrace -- xtrace mcp`.
)";

}  // namespace xtrace::mcp
