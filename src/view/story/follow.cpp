#include "view/story/follow.h"

#include "view/story/explanation.h"

namespace xtrace {

void FollowOptions::declare(Options& options) {
  options.add(
      "--view", view, "VIEW",
      "explanation: follow the graph; trace: print the audit trace of --query whenever it changes",
      {"explanation", "trace"});
  options.add("--query", query, "ID", "query to follow, with --view trace");
  story.declare_filters(options);
  story.declare(options);
  options.add("--window", window, "MS",
              "reorder events that arrive up to MS milliseconds late (100)");
  options.add("--max-queued", max_queued, "N",
              "if the reader is slow, merge up to N waiting updates; beyond that, resend the whole "
              "graph (100)");
  options.add("--resume", resume, "TIME",
              "resume after TIME, the timestamp of the last update applied; if later updates are "
              "unavailable, resend the whole graph");
  options.add("--open", open, "show a live page in the browser, like `xtrace serve --open`");
  options.add("--port", port, "PORT", "with --open: port of the page (0: one that is free)");
  options.add("--until-end", until_end, "print the current state and exit");
  options.add("--idle", idle, "SECONDS", "exit after SECONDS without new input");
}

Result<Document> Follow::answer(const Question& question) const {
  return explanation(question, options_.story);
}

namespace {

// Columns without what fills them: src/live/update_line.cpp writes these lines by key, from rows
// that renderers made, and no Document holds them.

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
    {"event", "snapshotNeeded: the reader missed changes; the whole graph follows", CellKind::text,
     true},
};
constexpr Column kEnds[] = {
    {"from", "", CellKind::text, true},
    {"to", "", CellKind::text, true},
};
constexpr Column kSummaryId{"id", "id of the summary node", CellKind::text, true};
constexpr Column kSummary[] = {
    kSummaryId,
    {"members", "members of the summary", CellKind::texts, true},
};
constexpr Column kRegrouped[] = {
    kSummaryId,
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
    .summary = "watch logs as they grow",
    .about =
        "Reads logs as they grow and reports how the graph of `dag --view explanation` changes: "
        "first the whole graph, then the nodes and edges to remove and to add, as JSON lines. "
        "Applied in order, they reproduce the graph. Lines of JSON on standard input change the "
        "filters ({\"filters\": {\"agentNames\": [\"CoderAgent\"]}}). Without an input, it follows "
        "local sessions of the last ten minutes, and others as they grow.",
    .examples =
        R"(  xtrace follow                                      what your sessions are doing now
  xtrace follow calls.jsonl spans.jsonl              each change as it happens
  xtrace follow logs/ -f text                        as text, newest at the bottom
  xtrace follow logs.jsonl --status error            failures only
  xtrace follow steps.jsonl --view trace --query Q-17   one query's audit trace, as it grows
  xtrace follow last --open                          a page that renews itself
  xtrace follow logs/ --until-end                    current state, for scripts
)",
    .make = make_view<Follow>,
    .shapes = shapes,
    .is_live = true,
    .keeps_graph = true,
};

}  // namespace xtrace
