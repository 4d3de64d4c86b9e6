#include "cli/manual_text.h"

namespace xtrace {

const std::string_view kManualHead =
    R"(.SH NAME
xtrace \- analyze AI agent logs: what happened, what it cost, and why
.SH SYNOPSIS
.B xtrace
.I COMMAND
.RI [ FILE ...]
.RI [ OPTIONS ]
.br
.B xtrace
.RI [ FILE ...]
.RI [ OPTIONS ]
.br
.B xtrace eval
.I SUITE
.RI [ FILE ...]
.RI [ OPTIONS ]
.br
.B xtrace diff
.I OLD NEW
.RI [ OPTIONS ]
.br
.B xtrace
.BR \-\-help | \-\-version
.SH DESCRIPTION
.B xtrace
reads logs of model calls, step events of query pipelines, and traces of OpenTelemetry, Jaeger and
Zipkin. It links related records (tool results to tool uses, subagents to what spawned them, turns
to earlier turns, retries to failures, hops to their causes) and answers questions about them. It
works offline: it uses no network and no server, and stores nothing.
.PP
.I FILE
is a file, a folder (all logs below it, in the order of their names) or
.B \-
for standard input; several are read as one log. A pattern, quoted or not expanded by the shell,
matches files. The format is detected by content. Damaged records are skipped, counted and reported
as file:line.
.PP
Local sessions need no file: agents store them in known folders, such as ~/.claude/projects,
~/.codex/sessions, ~/.gemini/tmp and ~/.pi/agent/sessions.
.B xtrace list
lists them all, newest first. Instead of
.IR FILE ,
other commands accept the number of a session in this list, the beginning of its id, or
.B last
for the newest one, which is also the default on a terminal. A file or folder of that name takes
precedence. The argument
.B .
selects the newest session of the current folder if the folder contains no log records. A file instead of
.I COMMAND
means
.BR "dag FILE" .
.PP
Output is text, also in pipes and files. The option
.B \-f
selects another format, such as JSON; so does the ending of
.BR "\-o FILE" ,
such as .json or .html, which a note on standard error reports. The updates of
.B follow
are JSON unless they go to a terminal.
.PP
Spans of agents and tools are hops if they follow the conventions of OpenTelemetry's GenAI, OpenInference, OpenLLMetry,
Monocle, MLflow or Langfuse: a user calls an agent, an agent calls another agent or uses a tool. OTLP log records and
exemplars that name a span count as part of the span;
.B trace
lists them, and with
.B \-\-level full
also their texts.
)";

const std::string_view kManualCommon = R"(.SH FILTERS
Filters apply after linking and choose what is shown; the output counts the hidden records. Several
filters must all match; a repeated filter matches any of its values.
.PP
.B \-\-since
and
.B \-\-until
accept a time (2026-01-10T12:00:00Z), a time of the latest day in the log (21:37), a day (2026-01-10,
today, yesterday, friday), a length of time before the newest record (5m, 2h), or a number of days before
now (7d). Days and times without Z are in the time zone of the output: local on a terminal, otherwise UTC.
.PP
.B \-\-status
accepts these outcomes:
.TP
.BR ok ", " error
the log records success, or failure
.TP
.B tool_error
the call used a tool that failed
.TP
.B unanswered
no reply is recorded
.TP
.B unfinished
no end is recorded
.TP
.B unknown
no outcome is recorded; includes unanswered and unfinished
.TP
.B not_recorded
a subagent that is known only from its report
.TP
.BR warning ", " skipped
only with
.B \-\-view explanation
.SH COMMON OPTIONS
These options have the same meaning in every command that reads a log. Output that is not a graph has
no picture formats.
)";

const std::string_view kManualTail = R"(.TP
.B \-h, \-\-help
help for the command.
.SH OTHER COMMANDS
)";

const std::string_view kManualEnd = R"(.SH EXIT STATUS
.TP
.B 0
success
.TP
.B 1
negative result: not found, check failed, anomaly, or runs differ
.RB ( \-\-exit\-code )
.TP
.B 2
usage error
.TP
.B 3
unreadable or unsupported input; with
.BR \-\-strict ,
also any skipped record
.TP
.B 4
cannot write the output
.TP
.B 70
internal error in xtrace
.TP
.B 130
interrupted; no partial file remains
.SH FILES
Each file is written completely or not at all, and never over an input, settings or a key of the same command.
Only you can read (mode 0600) snapshots, audit logs, parts, indexes, the cache of
.BR status ,
the page of
.B \-\-open
without
.BR \-\-output ,
and any output with
.BR "\-\-level full" ", " \-\-words ", " \-\-no\-redact ", " \-\-keep\-personal " or " \-\-reveal ;
for other files, the umask decides, or the permissions of the file that is replaced.
.SH ENVIRONMENT
.TP
.B NO_COLOR
if set, text has no color
.TP
.BR XDG_CONFIG_HOME ", " HOME
location of the configuration
.TP
.BR XDG_CACHE_HOME ", " HOME
location of the index of
.BR status ", " list ", " report " and " stats
.TP
.B XTRACE_CACHE
off: neither use nor write the index
.TP
.B XTRACE_LOGS
locations of your sessions, separated by colons, instead of all folders of agents
.TP
.BR CLAUDE_CONFIG_DIR ", " CODEX_HOME ", " GEMINI_CLI_HOME ", " PI_CODING_AGENT_DIR ", " XDG_DATA_HOME " and others of the agents"
locations of the sessions of these agents
.TP
.B CI
if set, text at level basic shows no titles and no prompts, even on a terminal
.TP
.BR XTRACE_PAGER ", " PAGER
pager for long output on a terminal (default less)
.TP
.B COLUMNS
width of text output on a terminal
.TP
.B TMPDIR
folder for copies of piped and compressed input while xtrace runs
.SH EXAMPLES
)";

}  // namespace xtrace
