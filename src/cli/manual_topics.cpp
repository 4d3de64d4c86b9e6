#include "cli/manual_text.h"

namespace xtrace {

const std::string_view kManualTopics = R"(.TP
.BR \-V ", " \-\-version " [" \-\-json ]
prints the version and the build: native (libraries of the system), static (libraries included) or wasm. All
builds write the same bytes for the same input.
.SH FILES AND FOLDERS
Files compressed with gzip or zstd are read like any other, regardless of their names, even from a pipe.
Positions (file:line, file@offset) refer to the uncompressed log. If an archive is damaged or
truncated, the records before the damage are used. Commands that read records again
.RB ( trace ,
and any with
.BR "\-\-level full" )
decompress archives to an unnamed file in
.B TMPDIR
(default /tmp), which is deleted when xtrace exits. Decompression bombs are rejected: beyond the first 64 MB,
an archive may decompress to at most 600 (gzip) or 10,000 (zstd) times its size, and to no more lines than
it has bytes, and a zstd window may have at most 2 GB. Decompress such an archive yourself.
.PP
Databases of OpenCode, Goose, Kiro and Amazon Q are read from a private copy that includes their
write-ahead log; no files are created next to them. Positions in a database are those in an export of it. The database of
GitHub Copilot CLI, session\-store.db, records the usage of each call; if it is read together with the logs
of its sessions, its rows are assigned to the replies in these logs, provided that all rows match.
.PP
Below a folder, xtrace reads the hidden folders in which agents keep their logs (.claude, .codex, .gemini,
\&.local/share/opencode and others) and skips other hidden folders, files without JSON, pipes, sockets,
devices, broken links and unreadable files. A link to a folder is followed unless the folder contains
the link. One line per reason reports the number
of skipped files, also under
.B warnings
with the code
.BR file .
Only unreadable files fail
.BR \-\-strict .
A file with several names is read once.
.PP
Files are read up to their size at the start. An incomplete last line is reported as
.B unfinished
and counted as skipped. If a file is truncated or rewritten while it is read, xtrace uses the records read so far and
prints a warning; a file that is replaced or removed is read to its end. A text is shown only if the
file still contains the same bytes.
.SH LINKS
Every link has a
.BR confidence ,
the
.B method
that found it, its
.B evidence
with file:line of both ends, and
.B alternatives
if other sources would also have fitted.
.TP
.B tool_result
from the call that used a tool to the first later call of each branch of the conversation that reads the
result. Later copies of the result are history and counted in \fBrepeats\fR. 1.0 by id; 0.95 if a proxy lost
the id but the history of the next request contains it.
.TP
.B subagent_spawn
from a tool use that starts a subagent (Task, Agent, spawn_agent, or one that the log identifies) to the
first call of the subagent. 1.0 if the log names the tool use; 0.99 if the first message of the subagent is
the prompt of the tool use, shared among equal candidates that neither text nor time distinguishes; 0.95 if
the tool result is the last text of the subagent; 0.85 to 0.95 by agent type and time, within one hour and
one session. A call that asks about the command of a tool use (Command: ...) is linked to that tool use:
0.99, or less if other tool uses ran the same command at that time.
.TP
.B subagent_report
from the last call of a subagent to the call that reads the result of the tool use that started it, if the
subagent had ended by then. Same confidence as the spawn.
.TP
.B continuation
1.0 if the request begins with the messages and reply of the other call; 0.95 if it begins only with the messages,
because the reply is not recorded. Also 1.0 if the request names the reply that it continues
(previous_response_id), and in transcripts, because these contain the calls of an agent in order. 0.95 if the request ends
with the last messages and reply of the other call, and earlier messages were removed (truncated), replaced by a summary
(summary) or changed (rewritten); \fBdropped_messages\fR is the number of removed messages.
.TP
.B retry
the same request, repeated after a failure.
.TP
.B content_reuse
with
.BR "\-\-with content_reuse" :
the request contains a passage of at least 80 characters that first occurred in a reply of another
conversation. 0.60 to 0.95 by its length, shared with other replies that contain it.
.TP
.B file_handoff
with
.BR "\-\-with file_handoff" ,
within a session, and
.BR "\-\-with session_handoff" ,
between sessions: the call reads a file that a tool use of the other call wrote, before any other tool use wrote it. 1.0 if
it reads the text that was written (\fBcontent\fR), else 0.9 (\fBpath\fR). Shell commands are not searched for files.
.TP
.B sequential
with
.BR "\-\-with sequential" :
the call has no other cause, and a call of the same agent type ended less than five minutes earlier.
0.60 to 0.40 by the gap.
.TP
.B parent
a span names the other span as its parent or predecessor.
.TP
.B causal
no span names the cause. The cause is the only call into the caller that was open at the time, or the most
likely one, judged by this actor's usual behavior; its confidence is then the share of samples in which it
was the cause. A call has no cause if no call into its caller was observed. With
.B \-\-causes nearest
the cause is the latest call that began before, open or not.
.SH COMPARING RUNS
.B xtrace diff
aligns two runs from the top: first the user messages, calls, spans and events that are the same step in both runs;
below each, conversations and subagents, with as many equal steps as possible. Two steps are equal if their
agent, model, model settings, system prompt, tools and arguments, operation, caller and target, user message
and outcome are equal, except fields named with
.BR \-\-ignore .
Ids, times, the order of lines, duration, cost and replies are ignored. Steps that overlap may be in any
order. With
.B \-\-old
and
.BR \-\-new ,
only the named runs or sessions and their paths are compared; to compare two runs of one log, name the log twice.
The first divergence is the first unequal step in causal order; its consequences are the steps to which its edges
lead. In
.BR edges ,
.B from
and
.B to
are ids of the new run, or of the old run if only the old run has the step;
.B paths
are chains of users, agents and resources that only one run has;
.B figures
are aligned steps that differ in duration, tokens or cost. Argument values that are paths or addresses are
shown at any level, others with
.BR "\-\-level full" .
.SH TRACES OF QUERIES
.B xtrace trace
reads queries from step events, from spans whose tags or traces name them, and from turns of a user in logs
of model calls. A step event is an object with
.BR queryId " or " traceId ,
and
.BR node ;
it may have projectId, mode, stepId, parentId, timestamp (of its beginning), endTime, status, error,
attempt, order, metrics (latency_ms, tokens_in, tokens_out, cost_usd, provider, model), params, inputs,
outputs, evidenceRefs (type, doc_id, unit_id, community_id, page, heading, time_range, url, score,
text, sensitivity or classification), subgraph (nodes and edges, or entities, relations, claims, textUnits,
communities, documents), citations, graphVersion, snapshotRef and sensitivity. An event without
.B node
describes its query as a whole.
.PP
Totals are the sum of the steps. A figure that the totals omit is listed under
.B not_counted
with the reason:
.TP
.B within
the time is part of the time of another step
.TP
.B retried
a later step repeats the step: attempts are numbered, or the later step did the same with the same parameters
directly after a failure
.TP
.B told_within
the steps inside this step record the whole figure
.TP
.B told_around
a step that contains this one, and does not call a model itself, records more than the steps inside it
.TP
.B told_elsewhere
another record of the same call counts, but is not a step of this query
.PP
Equal records of one step are merged; their number is in
.BR records .
.PP
.B \-\-clearance
has the ranks public, internal, confidential, restricted and secret; records with a higher or unknown label
are withheld and counted, and so are records without a label unless
.B \-\-unlabelled
states a rank within the clearance. With
.BR \-\-limit\-nodes ,
the subgraph keeps the nodes with the fewest edges between them and the citations, or without citations, the
evidence of the last step.
.PP
.B reproduction.command
is the command that reproduces the trace, with its inputs;
.B \-\-verify
runs it.
.SH REPORTS
.B xtrace report
attributes each call once, so that the rows add up to the total. Rules
.RB ( method ):
.TP
.B stamp
the record of the call names its skill
.TP
.B until_turn_end
the session has no such records; the call follows the instructions of a skill in the same turn
.TP
.B turn
the turn began with the slash command
.TP
.B trigger
a hook sent the agent back to work
.PP
A subagent has the skill, command and hook of the call that started it. The cost of a call is divided equally among the
tools that it requests, for
.BR "\-\-by mcp" ,
.B tool
and
.BR file .
.SH COSTS
The cost of a call is the recorded cost; if the log records none, it is computed from the tokens of the call and the vendors'
list prices
.RB ( "xtrace prices" ).
A model name matches with a date or version appended and the vendor prepended; with any other addition, the name
is another model.
.PP
A price is valid from its first day, in UTC. A call before the earliest price uses the earliest, a call
without a time the newest. Service terms multiply the price:
.BR batch ", " flex ", " priority ", " fast ", " regional
and
.BR peak ,
as stated by the reply, the request, the address, the model's id or the settings in a transcript. Vendors charge
fees for tools that they run.
.PP
If only a part of the cost of a call is known, that part is a lower bound
.RB ( cost_is_partial ,
counted in
.BR partly_priced_calls );
a call with no known part has no cost
.RB ( unpriced_calls ).
In text, such sums are marked
.BR \(>= .
Failed calls without tokens count as neither.
.PP
.B subtree_cost_usd
is the cost of a call, an agent or a session including everything that it spawned, each call counted once. What
an agent does after it was resumed belongs to the call that resumed it.
.B costs
lists the prices that were used.
.PP
.B \-\-prices
reads JSON, which may contain comments. Prices are in dollars per million tokens, fees in dollars per thousand uses,
by model family. A model in the file replaces the prices of that model in the list; only input and output are
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
is the price of all tokens of a call whose prompt, including tokens read from or written to a cache, is longer than
.BR over .
.SH PRIVACY
At
.B \-\-level basic
(the default) no prompt, reply, tool argument, tool result or error text is printed. At both levels,
secrets and personal data are replaced by [REDACTED:rule:n]; equal values have equal numbers.
.B xtrace schema redaction
lists the kinds of secrets that vendors issue, with their forms, invented examples and sources.
.B \-\-no\-redact
turns this off
.RB ( redaction
is off in the output),
.B \-\-keep\-personal
turns it off for personal data
.RB ( secrets_only ),
and
.B \-\-reveal
for one call, span or actor
.RB ( revealed ).
.B redactions
counts the replacements by rule;
.B \-\-audit\-log
writes one line of JSON for each replacement: its rule, number, length in characters and location, never
the hidden value.
.PP
On your own terminal, text output shows the titles of sessions and the start of prompts, redacted like all
output. Output to pipes and files, other formats and output in CI omit them unless
.B \-\-words
is given, and so do terminals with
.B \-\-share
or with
.B ownTerminal
set to false.
.SH REDACTION FILES
.B \-\-redact\-patterns
reads JSON, which may contain comments:
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
All keys are optional. Patterns use RE2 syntax, without lookahead and lookbehind and with at most 1000
repetitions. They match bytes, also inside escaped, base64 and percent-encoded text. The
.B group
of a match is replaced; 0 is the whole match. A pattern with
.B keywords
is applied only where one of them occurs, in upper or lower case.
.B redactionPatterns
is another name for a list of patterns. If
.B redactPII
is false, personal data is shown, as with
.BR \-\-keep\-personal .
The values of
.B fields
are removed (drop) or replaced (mask) where an argument, parameter or input of that name is shown, and
replaced in JSON within texts; names match regardless of case, - and _. Code blocks longer than
.B maxCode
characters are truncated.
.PP
A gitleaks configuration (TOML) also works: its rules with regex, secretGroup, keywords, entropy and
allowlists. Anything unsupported, such as paths, is reported on standard error. A file or rule that cannot
be read is an error that names file:line.
.SH CONFIGURATION
Permanent settings are read from
.IR $XDG_CONFIG_HOME/xtrace/config.json ,
or
.I ~/.config/xtrace/config.json
if the variable is not set, or from the file that
.B \-\-config
names. An empty file, such as /dev/null, configures nothing. The file is JSON, which may contain comments:
.PP
.EX
{
  // how much of a graph to show
  "maxNodesPerTask": 200,
  "redactionPatterns": ["TICKET-\e\ed+"]
}
.EE
.PP
An option takes precedence over
.BR \-\-set ,
.B \-\-set
over the file, and the file over the default. Redaction settings add up:
.B \-\-redact
adds to the patterns of the configuration, which
.B "\-\-set redactionPatterns=[]"
removes. All keys may be inside an object
.BR explainabilityAgent ,
so that other programs can share the file. An unknown key or an invalid value is an error that names
file:line. The keys, with their defaults and equivalent options:
)";

}  // namespace xtrace
