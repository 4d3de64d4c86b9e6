#include "cli/manual_text.h"

namespace xtrace {

const std::string_view kManualHead =
    R"(.SH NAME
xtrace \- what AI agents did, from the logs they leave behind
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
reads logs of model calls, step events of query pipelines and traces of OpenTelemetry, Jaeger and Zipkin, links what belongs
together (tool use to tool result,
parent to subagent, one turn to the next, retries to what failed, hops to what caused them) and
answers questions about it. It works offline: no
network, no server, nothing is kept.
.PP
.I FILE
may be a file, a folder (all logs below it, in the order of their names) or
.B \-
for standard input; several are read as one log. A pattern (quoted, or where the shell leaves it alone)
stands for the files it fits. The format is found by looking at the content.
Damaged records are named as file:line, counted and survived.
.PP
A session of one's own needs no file: agents keep them in known folders, such as ~/.claude/projects,
~/.codex/sessions, ~/.gemini/tmp and ~/.pi/agent/sessions.
.B xtrace list
lists them all, newest first. In place of
.I FILE
other commands take the number it gives, the beginning of an id, or
.B last
for the newest; on a terminal that is also what a command is about where nothing is named. A file or folder of that
name goes before.
.B .
is the newest session that was held in the current folder, if no record lies in that. A file in place of
.I COMMAND
means
.BR "dag FILE" .
.PP
Spans that tell of agents and tools, in the words of OpenTelemetry's GenAI conventions, OpenInference, OpenLLMetry, Monocle, MLflow or Langfuse, are hops:
a user calls an agent, an agent calls another one or uses a tool. Log records and exemplars of OTLP that name a span are counted with it;
.B trace
lists them, and at level full what they say.
)";

const std::string_view kManualCommon = R"(.SH COMMON OPTIONS
These mean the same in every command that reads a log. An answer that cannot be drawn comes as text
or json alone.
)";

const std::string_view kManualTail = R"(.TP
.B \-h, \-\-help
what the command does and takes.
.SH OTHER COMMANDS
)";

const std::string_view kManualBehindCommands = R"(.TP
.B \-V, \-\-version
prints the version.
.SH FILES AND FOLDERS
Files packed with gzip or zstd are read as if they were not, whatever their names, also as they come out
of a pipe. Places in them (file:line, file@offset) are those of the unpacked log; of an archive that is
damaged or cut off, what stands before the damage is used. With
.B \-\-level full
and in
.BR trace ,
which go back to records, they are unpacked to a nameless file in
.B TMPDIR
(else /tmp) that is gone with the process.
Beyond its first 64 MB, an archive is refused if it unpacks to more than 600 (gzip) or 10,000 (zstd)
times its size, or to more lines than it has bytes, as bombs do and logs do not: unpack it yourself. So
is a zstd window of more than 2 GB.
.PP
The databases in which OpenCode, Goose, Kiro and Amazon Q keep sessions are read from a private copy, with
what stands in the log beside them; places in them count what an export would hold. Nothing is made beside
them. That of GitHub Copilot CLI, session\-store.db, tells what each call used up; beside the logs of its
sessions its rows are those of the answers there where all of them fit.
.PP
Below a folder those hidden folders are read in which agents keep their logs (.claude, .codex, .gemini,
\&.local/share/opencode and others). What else is hidden is left out, and so are files without JSON, pipes, sockets, devices,
links to folders, links that lead nowhere, and what cannot be read; each reason is told in one line with
the number of files, and under
.B warnings
with the code
.BR file .
What cannot be read, unlike the others, fails
.BR \-\-strict .
A file that is met again under another name is read once.
.PP
Of a file that grows, what was there at first is read. A last line that is not finished is told as
.B unfinished
and counted among the skipped. What was read of a file that
becomes shorter or is rewritten meanwhile is used, and a line says so; one that is replaced or removed is
read to its end. A text is shown only while what was read still stands where it stood.
.SH LINKS
Every link says its
.BR confidence ,
the
.B method
that found it, its
.B evidence
with file:line of both ends, and, where others would have fitted,
.BR alternatives .
.TP
.B tool_result
the call whose answer asked for a tool, and the first later call of each branch of the conversation
that reads the result. Later copies of the result are history and counted in \fBrepeats\fR. 1.0 by id; 0.95 where a proxy lost the id and
the next request's history still has it.
.TP
.B subagent_spawn
a tool use that starts a subagent (Task, Agent, spawn_agent, or one that the log says did) and the
first call of the subagent. 1.0 where the log names the tool use;
0.99 where the subagent's first message is the prompt of the tool use, shared among twins that neither
what they said nor their time tells apart; 0.95 where the result is what a subagent said in the end;
0.85 to 0.95 by agent type and time, within one hour and one session. A call that asks about the command of a tool use (Command: …)
is spawned by that tool use: 0.99, less where others ran the same command at the time.
.TP
.B subagent_report
the last call of a subagent and the call that reads the result of the tool use that started it, where
the subagent had ended by then. As sure as the spawn.
.TP
.B continuation
the request begins with the messages of the other call and its answer: 1.0; only with its messages,
since the answer is not on record: 0.95. Also 1.0 where the request names the answer it goes on from
(previous_response_id), and in transcripts, which have the calls of an agent in order. 0.95 where it
ends with the other's last messages and its answer, and older ones went (truncated), stand summed up
(summary) or were changed (rewritten); \fBdropped_messages\fR says how many went.
.TP
.B retry
the same request again after it failed.
.TP
.B content_reuse
with
.BR "\-\-with content_reuse" :
the request brings a passage of at least 80 characters that the answer of another conversation said
first. 0.60 to 0.95 by its length, shared with others that said it too.
.TP
.B sequential
with
.BR "\-\-with sequential" :
nothing leads to the call but that one of the same type of agent ended less than five minutes before
it. 0.60 to 0.40 by the gap.
.TP
.B parent
a span names the other as its parent, or as the one it follows.
.TP
.B causal
no span names its cause. Of the calls into the caller that were open at the time, the only one; or
the likeliest by how this actor calls at other times, with the share of samples in which it was the
one as confidence. A call whose caller's caller nobody saw has no cause. With
.B \-\-causes nearest
the latest call that began before, whatever was open.
.SH COMPARING RUNS
.B xtrace diff
aligns two runs from the top: users' words, calls, spans and events that are one step in both; below each, conversations and
subagents side by side, and in them as many equal steps as there can be. Two steps are equal when
agent, model, its settings and system prompt, tools and their arguments, operation, caller and target, what a user says and the
outcome are, but for fields named with
.BR \-\-ignore ;
ids, times, the order of lines,
what a step took, cost and what a model answered do not count. Steps that overlap may come in any order.
With
.B \-\-old
and
.B \-\-new
only those runs or sessions of either side are compared, and their paths; they may be of one log, named twice.
The first divergence is the first unequal step in causal order; what follows from it is what its edges lead to. In
.BR edges ,
.B from
and
.B to
are ids of the new run, or of the old one where only that has the step;
.B paths
are chains of users, agents and resources that one run alone has;
.B figures
are aligned steps that took another time, other tokens or another cost. Values of arguments that are paths or addresses
are shown at any level, others at
.BR "\-\-level full" .
.SH TRACES OF QUERIES
.B xtrace trace
takes its queries from step events, from spans whose tags or traces name them, and from turns of a
user in logs of model calls. A step event is an object with
.BR queryId " or " traceId ,
and
.BR node ;
it may have projectId, mode, stepId, parentId, timestamp (of its beginning), endTime, status, error,
attempt, order, metrics (latency_ms, tokens_in, tokens_out, cost_usd, provider, model), params, inputs,
outputs, evidenceRefs (type, doc_id, unit_id, community_id, page, heading, time_range, url, score,
text, sensitivity), subgraph (nodes and edges, or entities, relations, claims, textUnits,
communities, documents), citations, graphVersion, snapshotRef and sensitivity. One without
.B node
tells of its query as a whole.
.PP
Totals are the sum of the steps. A figure that is left out of them stands under
.BR not_counted :
.B within
the time of another step,
.B retried
as a later step (attempts are numbered, or the same was done again with the same parameters right behind
a failure),
.B told_within
the steps it is made of, if those tell of all of it, or
.B told_around
by a step that calls no model itself and tells of more than the steps it is made of. Equal records of one step are one step, with their number in
.BR records .
.PP
.B \-\-clearance
knows the labels public, internal, confidential, restricted and secret; what bears a higher one, or one
of another name, is withheld and counted. With
.B \-\-limit\-nodes
those nodes of the subgraph stay that are the fewest edges away from what the answer cites, or where it
cites nothing, from what the last step rests on.
.PP
.B reproduction.command
is the command that makes the trace again, with the inputs behind it;
.B \-\-verify
runs it.
.SH COSTS
The cost of a call is what the log records; else it is computed from the call's tokens at the makers' list
prices
.RB ( "xtrace prices" ).
A model is found by its name with a date or version after it and its maker before it; any other addition is
another model.
.PP
A price holds from its first day on, in UTC; a call before the earliest takes the earliest, and a call
without a time the newest. Terms of service multiply it:
.BR batch ", " flex ", " priority ", " fast ", " regional
and
.BR peak ,
as the reply, the request, the address, the model's id or the settings in a transcript state them. Uses of tools
that the vendor runs cost fees.
.PP
A call of which only a part of the cost is known costs at least that
.RB ( cost_is_partial ,
counted in
.BR partly_priced_calls );
a call with no known part has no cost
.RB ( unpriced_calls ).
As text, such sums have
.BR \(>= .
Calls that failed and name no tokens count as neither.
.PP
.B subtree_cost_usd
is the cost of a call, an agent or a session with all that it spawned, each call counted once. What an
agent does after it was resumed belongs to the call that resumed it.
.B costs
names the prices that were used.
.PP
.B \-\-prices
takes JSON; comments are allowed. Prices are dollars for a million tokens, fees dollars for a thousand uses
by families of models. A model in the file replaces the list's prices of it; only input and output are
required.
.PP
.EX
{
  "models": {
    "our-model": {"input": 3, "output": 15, "cache_read": 0.3, "cache_creation": 3.75,
                  "cache_creation_1h": 6, "fast": 2, "regional": 1.1,
                  "long_prompt": {"over": 200000, "input": 6, "output": 22.5}},
    "our-other-model": [{"input": 5, "output": 30},
                        {"from": "2026-08-21", "input": 4, "output": 20}]
  },
  "fees": {"our": {"web_search": 10, "code_execution": {"per_call": 30}}}
}
.EE
.PP
.B from
is the first day of a price;
.B long_prompt
the price of all tokens of a call whose prompt, including what was read from or written to a cache, is longer.
.SH PRIVACY
At
.B \-\-level basic
(the default) no prompt, answer, tool argument, result or error text is printed. At both levels
secrets and personal data are replaced by [REDACTED:rule:n]; equal values bear equal numbers.
.B \-\-no\-redact
lifts that, and the answer says so: its
.B redaction
is off;
.B \-\-keep\-personal
lifts it for personal data
.RB ( secrets_only ),
.B \-\-reveal
for one call, span or actor
.RB ( revealed ).
.B redactions
counts by rule what was replaced;
.B \-\-audit\-log
writes a line of JSON for each replacement: its rule, number, length in characters and place, and
nothing of what it hides.
.PP
On a terminal of one's own, in text, sessions have the titles that their logs give them, or the first words of their
first prompts, redacted as everything is. They stay out of pipes, of files, of other formats and of CI, and with
.B \-\-share
or
.B ownTerminal
false out of terminals too.
.SH REDACTION FILES
.B \-\-redact\-patterns
takes JSON, in which comments may stand:
.PP
.EX
{
  "patterns": [
    {"name": "ticket", "regex": "TICKET-\e\ed+", "group": 0, "keywords": ["ticket-"]},
    "another-\e\ew+"
  ],
  "redactPII": true,
  "fields": {"drop": ["ssn"], "mask": ["customer_name"]},
  "maxCode": 400
}
.EE
.PP
Everything may be left out. Patterns are written as RE2 has them: without looking ahead or behind, and
with no more than 1000 repetitions; they match bytes, also in what is escaped, base64 or percent
encoded. Of a match the
.B group
is replaced, 0 is all of it; a pattern with
.B keywords
is looked for only where one of them stands, in any case.
.B redactionPatterns
is another name for a list of patterns. With
.B redactPII
false personal data are shown, as with
.BR \-\-keep\-personal .
The values of
.B fields
are left out or replaced wherever an argument, parameter or input of that name is shown, and are
replaced wherever JSON stands in a text; neither case nor - and _ matter in a name. Blocks of code
longer than
.B maxCode
characters are cut.
.PP
A configuration of gitleaks (TOML) will do as well: its rules with regex, secretGroup, keywords,
entropy and allowlists. What of it is not heeded, such as paths, is said on standard error. A file or
a rule that cannot be read is an error that names file:line.
.SH CONFIGURATION
What is to hold for every command may stand in
.IR $XDG_CONFIG_HOME/xtrace/config.json ,
with
.I ~/.config
for a variable that is not set; or in the file that
.B \-\-config
names; one that is empty, such as /dev/null, configures nothing. It is JSON, in which comments may stand:
.PP
.EX
{
  // how much of a graph to show
  "maxNodesPerTask": 200,
  "redactionPatterns": ["TICKET-\e\ed+"]
}
.EE
.PP
An option goes before
.BR \-\-set ,
that before the file, and the file before the default. What is to be hidden adds up:
.B \-\-redact
adds to the patterns of the configuration, and
.B "\-\-set redactionPatterns=[]"
takes those away. All keys may stand in an object
.BR explainabilityAgent ;
then others may stand beside it and belong to other programs. A key that nobody knows, or a value that does
not fit, is an error that names file:line. The keys, with their defaults and the options that say the same
in commands that have them:
)";

const std::string_view kManualEnd = R"(.SH EXIT STATUS
.TP
.B 0
answered
.TP
.B 1
the answer is no: there is nothing of that name
.TP
.B 2
wrong usage
.TP
.B 3
the input cannot be read or holds nothing usable; with
.BR \-\-strict ,
also when a record was skipped
.TP
.B 4
the answer cannot be written
.TP
.B 70
a fault in xtrace itself
.TP
.B 130
interrupted; no half-written file stays
.SH ENVIRONMENT
.TP
.B NO_COLOR
if set, no colour
.TP
.BR XDG_CONFIG_HOME ", " HOME
where the configuration is
.TP
.B XTRACE_LOGS
where one's own sessions are, with colons between paths, in place of all folders of agents
.TP
.BR CLAUDE_CONFIG_DIR ", " CODEX_HOME ", " GEMINI_CLI_HOME ", " PI_CODING_AGENT_DIR ", " XDG_DATA_HOME " and others of agents' own"
where these keep their sessions
.TP
.B CI
if set, a terminal is nobody's own: no titles and no words of prompts at level basic
.TP
.B COLUMNS
width of text output on a terminal
.TP
.B TMPDIR
where to keep what comes out of pipes and archives, for as long as xtrace runs
.SH EXAMPLES
)";

}  // namespace xtrace
