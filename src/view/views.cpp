#include "view/assess/assess.h"
#include "view/diff/diff.h"
#include "view/eval/eval.h"
#include "view/stats/stats.h"
#include "view/story/follow.h"

namespace xtrace {

std::span<const ViewEntry> views() {
  static constexpr ViewEntry kViews[] = {
      {{.draws = true},
       "dag",
       "what happened, and what led to what",
       "Links the calls of the input: tool results to the calls that asked for them, subagents to "
       "the tool uses "
       "that started them, each request to the one whose conversation it goes on with, retries to "
       "what failed. "
       "Every link says how sure it is, by which rule, and where both ends stand. Calls, spans and "
       "events of agents that are given together become one story (--view explanation): records of "
       "one call are one node, steps that went well, fast and cheaply fold into one, and an event "
       "leads back to what set it off.",
       "  xtrace dag logs.jsonl                      a tree on the terminal, JSON in a pipe\n"
       "  xtrace dag logs.jsonl --session s2         one session (`xtrace list` names them)\n"
       "  xtrace dag logs.jsonl --since 5m           the last five minutes of the log\n"
       "  xtrace dag logs.jsonl -f dot | dot -Tsvg   a picture\n"
       "  xtrace dag calls.jsonl spans.jsonl events.jsonl   one story of several sources\n"
       "  xtrace dag logs/ --view explanation --focus errors   what went wrong, and around it\n"
       "  cat logs.jsonl | xtrace dag -f json -      from a pipe, for programs\n",
       make_dag,
       shapes_of_dag},
      {{.draws = true},
       "explain",
       "why did this happen: every chain that led to it",
       "Follows every call into an actor, or one span, back to the user on whose behalf it was "
       "made, "
       "and groups the calls by the chain of delegation they came through. Causes that spans "
       "record "
       "are followed; where none are recorded, the likeliest is found by when things happened, "
       "with "
       "how sure that is.",
       "  xtrace explain run.json --node resource:mock-database   who reached the database, and "
       "why\n"
       "  xtrace explain run.json --node database                 a unique part of a name will do\n"
       "  xtrace explain run.json --node 7e59e0c13ee01236         one span\n"
       "  xtrace explain run.json --node database -f mermaid      the chains as a picture\n",
       make_explain,
       shapes_of_explain},
      {{.draws = true, .tells_order = true},
       "trust",
       "every hop in causal order, each with the whole chain that led to it",
       "Lists who called whom in the order in which one thing led to another. Hops from one source "
       "to one target through the same chain of delegation are one event; through two chains they "
       "are two.",
       "  xtrace trust run.json                   the hops, numbered\n"
       "  xtrace trust run.json -f json           the same for programs\n"
       "  xtrace trust run.json -f sequence       a Mermaid sequence diagram\n",
       make_trust,
       shapes_of_trust},
      {{.draws = true, .is_kept = true},
       "trace",
       "what exactly one query did: an audit trace that may be published",
       "Lays one query open: its steps in order with what each took and rests on, the part of the "
       "graph that they visited, what the answer cites, and totals that are the sum of the steps. "
       "A "
       "query is what the log calls one (queryId in step events and span tags); else a trace, or "
       "in "
       "a log of model calls one turn of the user with everything it caused. Nothing that people "
       "said is shown below --level full, and secrets and personal data never.",
       "  xtrace trace steps.jsonl --query Q-17               one query, for people\n"
       "  xtrace trace steps.jsonl --query Q-17 -f both       JSON with the picture in it\n"
       "  xtrace trace calls.jsonl --query calls.jsonl:12     the turn that line 12 belongs to\n"
       "  xtrace trace logs/ --all --output-dir audit         a file for each query\n",
       make_trace,
       shapes_of_trace},
      {{},
       "stats",
       "how often, how long, how dear, how many failed: graph, model, agent and tool metrics",
       "Adds up model calls by model, provider, agent and kind of error, and tools by name: how "
       "long "
       "they took (median, p95, p99), what they sent, got and cost, what failed and was tried "
       "again, "
       "how full the context window was, how many calls were open at once, what was asked twice. A "
       "percentile is a length that occurred (nearest rank). What is not known is left out, and in "
       "no sum. Errors are told in the classes of providers (authentication, rate_limit, "
       "validation, network, provider) and of tools (not_found, invalid_arguments, execution, "
       "timeout) where the log's own word for them tells.",
       "  xtrace stats logs.jsonl                        for people, with bars\n"
       "  xtrace stats logs/ --by day                    a line for each day as well\n"
       "  xtrace stats logs.jsonl --agent Explore        of one type of agent\n"
       "  xtrace stats logs.jsonl -f csv --table tools   a table for a spreadsheet\n"
       "  xtrace stats logs.jsonl -f markdown            all tables for a report\n",
       make_stats,
       shapes_of_stats},
      {{},
       "list",
       "which sessions and agents are in here",
       "Names the sessions of the input with their agents, or the runs of spans, one line each: "
       "the names that --session, --agent and --run take.",
       "  xtrace list logs.jsonl           sessions and agents, with counts and times\n"
       "  xtrace list logs/ -f json        the same for programs\n"
       "  xtrace list logs.jsonl --queries what `trace --query` takes: a user's turns, named "
       "queries\n",
       make_list,
       shapes_of_list},
      {{.takes_suite = true, .gives_verdicts = true},
       "eval",
       "did the agents behave as a suite expects; what got worse",
       "Judges recorded runs by a suite of scenarios, JSON or YAML: which tools are used, in which "
       "order and with which arguments; tools and chains of delegation that are forbidden; what is "
       "done about failures; how much it may take; what is decided, and on what grounds. Each "
       "verdict is passed, failed or insufficient evidence, with the records that decided it. With "
       "a baseline, what got worse is a regression. The exit status is 1 if anything failed, got "
       "worse or could not be judged.",
       "  xtrace eval suite.yaml logs/                    the verdicts, for people\n"
       "  xtrace eval suite.yaml logs/ -f junit -o r.xml  for a build server\n"
       "  xtrace eval suite.yaml logs/ -f sarif           for code scanning\n"
       "  xtrace eval suite.yaml logs/ --save-baseline v1=v1.json   keep the scores\n"
       "  xtrace eval suite.yaml logs/ --baseline v1.json           and compare with them\n",
       make_eval,
       shapes_of_eval},
      {{.draws = true, .compares = true},
       "diff",
       "what changed between two runs, and where they first part",
       "Puts two runs side by side as they came about, whatever their ids, times and the order of "
       "the lines are: the first step in which they part, what follows from it, which steps, edges "
       "and paths of delegation came, went or changed, and in which field. What steps took, cost "
       "and said is told, and is by itself no difference. Values of arguments other than paths are "
       "shown at --level full.",
       "  xtrace diff monday.jsonl tuesday.jsonl           where two runs part\n"
       "  xtrace diff log.jsonl log.jsonl --old s1 --new s2  two sessions of one log\n"
       "  xtrace diff old/ new/ -f json                    the same for programs\n"
       "  xtrace diff old.json new.json --exit-code -q     1 if they differ, for CI\n"
       "  xtrace diff old.json new.json -f dot | dot -Tsvg green came, red went, yellow changed\n",
       make_diff,
       shapes_of_diff},
      {{.is_live = true},
       "follow",
       "the explanation graph, live, as updates",
       "Reads files while they grow and says what changes in the graph of `dag --view "
       "explanation`: "
       "first all of it, then one line for each change, as JSON, with the nodes and edges to take "
       "out and those to put in. Whoever does so always has the graph that `dag` would show of the "
       "files. Events of several files that come in a wrong order wait for each other a moment. A "
       "file may be rotated, cut short or not be there yet. Lines of JSON on standard input change "
       "the filters ({\"filters\": {\"agentNames\": [\"CoderAgent\"]}}); what is sent then is the "
       "difference. A slow reader loses nothing.",
       "  xtrace follow calls.jsonl spans.jsonl              each change as it happens\n"
       "  xtrace follow logs/ -f text                        for people: the newest at the bottom\n"
       "  xtrace follow logs.jsonl --status error            failures only\n"
       "  xtrace follow steps.jsonl --view trace --query Q-17   one query's audit trace, as it "
       "grows\n"
       "  xtrace follow logs/ --until-end                    what is there now, for scripts\n",
       make_follow,
       shapes_of_follow},
      {{.gives_verdicts = true},
       "assess",
       "is this run normal, and within what its agents declare",
       "Holds runs against others that were learned: calls between two that never called each "
       "other, resources and chains of delegation that are new, more calls, more others called and "
       "longer paths than 95 of 100 runs had. Each reason has a weight and names the spans that "
       "decided it; and against the cards of agents: whom they may call and what they may use. "
       "Exits with 1 where a run is not ok or oversteps a card; --fail-on says from which level "
       "on. "
       "Who is hidden by redaction cannot be told from another, and that is said.",
       "  xtrace assess --learn runs/ -f json -o baseline.json    what is normal\n"
       "  xtrace assess run.json --baseline baseline.json         is this run like those?\n"
       "  xtrace assess run.json --cards agents.json              did agents do what they "
       "declare?\n"
       "  xtrace assess run.json --baseline baseline.json -f sarif   for code scanning; junit for "
       "build servers\n",
       make_assess,
       shapes_of_assess},
      {{.converts = true},
       "convert",
       "the same facts for other tools: OTLP, Jaeger, ATIF",
       "Writes what was read and what was found out as spans (OpenTelemetry's OTLP, or the JSON "
       "that "
       "Jaeger opens) or as trajectories of agents (ATIF). A cause that is recorded or sure is a "
       "parent; one that is not is a link with its confidence. What these formats have no words "
       "for "
       "stands in attributes xtrace.*, so that reading spans back gives the same graph.",
       "  xtrace convert logs.jsonl --to otlp > spans.jsonl    for Tempo, Phoenix, the collector\n"
       "  xtrace convert run.json --to jaeger -o jaeger.json   for Jaeger's user interface\n"
       "  xtrace convert logs.jsonl --to atif > runs.jsonl     a trajectory a line\n"
       "  xtrace convert logs.jsonl | xtrace dag -             the same graph as of logs.jsonl\n",
       make_convert,
       shapes_of_convert},
  };
  return kViews;
}

}  // namespace xtrace
