#include "view/story/follow.h"

#include "view/story/explanation.h"

namespace xtrace {

void FollowOptions::declare(Options& options) {
  options.add("--view", view, "VIEW",
              "what to follow; explanation: the graph of what led to what; trace: the audit trace "
              "of --query, again whenever it changes",
              {"explanation", "trace"});
  options.add("--query", query, "ID", "with --view trace: the query to follow");
  story.declare_filters(options);
  story.declare(options);
  options.add("--window", window, "MS",
              "how long an event waits for earlier ones that come late (100)");
  options.add("--max-queued", max_queued, "N",
              "how many changes a slow reader gets as one difference; of more, the whole graph "
              "again (100)");
  options.add(
      "--resume", resume, "TIME",
      "go on for a reader that was told all before TIME, which is the timestamp of the last "
      "line it applied: the updates since, each of which may be applied twice, or "
      "snapshotNeeded and the whole graph where they cannot be told");
  options.add("--until-end", until_end, "answer what is there now, and end");
  options.add("--idle", idle, "SECONDS", "end when nothing came for so long");
}

Result<Document> Follow::answer(const Question& question) const {
  return explanation(question, options_.story);
}

namespace {

constexpr Column kSubscription[] = {
    {"subscriptionId", "sub-1, or the id that the reader requested", CellKind::text, true},
};
constexpr Column kSnapshot[] = {
    {"lastUpdated", "time of the newest event, shown or not", CellKind::moment},
};
constexpr Column kUpdate[] = {
    {"removedNodeIds", "nodes to remove first, with their edges", CellKind::texts, true},
    {"timestamp", "time of the newest event, shown or not; 1970 if no event has a time",
     CellKind::moment, true},
};
constexpr Column kEvent[] = {
    {"event",
     "snapshotNeeded: changes were missed because nobody was reading; the whole graph follows",
     CellKind::text, true},
};
constexpr Column kEnds[] = {
    {"from", "", CellKind::text, true},
    {"to", "", CellKind::text, true},
};
constexpr Column kSummary[] = {
    {"id", "id of the summary node", CellKind::text, true},
    {"members", "members of the summary", CellKind::texts, true},
};
constexpr Column kRegrouped[] = {
    {"id", "id of the summary node", CellKind::text, true},
    {"added", "new members of the summary", CellKind::texts, true},
    {"removed", "members no longer in the summary", CellKind::texts, true},
};
constexpr Column kMayRegroup[] = {
    {"summaries", "summaries whose members changed", CellKind::rows, false, kRegrouped},
};

/// Of its lines: the whole graph, a change, a notice.
std::vector<Shape> shapes() {
  static const std::vector<Section> kWhole = {
      Record{{{}, kSubscription}}, Table{"nodes", explanation_columns()},
      Table{"edges", story_edge_columns()}, Table{"summaries", kSummary}, Record{{{}, kSnapshot}}};
  static const std::vector<Section> kChange = {Record{{{}, kSubscription}},
                                               Table{"removedEdgeIds", kEnds},
                                               Table{"addedNodes", explanation_columns()},
                                               Table{"addedEdges", story_edge_columns()},
                                               Record{{{}, kMayRegroup}},
                                               Record{{{}, kUpdate}}};
  static const std::vector<Section> kNotice = {Record{{{}, kSubscription}}, Record{{{}, kEvent}}};
  return {kWhole, kChange, kNotice};
}

}  // namespace

extern constinit const ViewEntry kFollowView = {
    .name = "follow",
    .summary = "the explanation graph, live, as updates",
    .about =
        "Reads files while they grow and says what changes in the graph of `dag --view "
        "explanation`: first all of it, then one line for each change, as JSON, with the "
        "nodes and edges to take out and those to put in. Whoever does so always has the "
        "graph that `dag` would show of the files. Events of several files that come in a "
        "wrong order wait for each other a moment. A file may be rotated, cut short or "
        "not be there yet. Lines of JSON on standard input change the filters "
        "({\"filters\": {\"agentNames\": [\"CoderAgent\"]}}); what is sent then is the "
        "difference. A slow reader loses nothing.",
    .examples = R"(  xtrace follow calls.jsonl spans.jsonl              each change as it happens
  xtrace follow logs/ -f text                        for people: the newest at the bottom
  xtrace follow logs.jsonl --status error            failures only
  xtrace follow steps.jsonl --view trace --query Q-17   one query's audit trace, as it grows
  xtrace follow logs/ --until-end                    what is there now, for scripts
)",
    .make = make_view<Follow>,
    .shapes = shapes,
    .is_live = true,
    .keeps_graph = true,
};

}  // namespace xtrace
