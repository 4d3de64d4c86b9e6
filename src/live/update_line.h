#pragma once

#include <string>

#include "live/shown_graph.h"

namespace xtrace {

// What `follow` says, each a line of JSON that names its subscription: the whole graph first, then
// each change. The rows of nodes and edges are in it as they are.

/// The whole graph: ExplanationGraph.
std::string snapshot_line(const std::string& subscription, const GraphRows& rows);
/// GraphUpdate; `newest` is the newest event there is. What is removed stands first.
std::string update_line(const std::string& subscription, const GraphChange& change, Moment newest);
/// So much changed while nobody read it that the whole graph comes next.
std::string snapshot_needed_line(const std::string& subscription);

/// The same for people: a line for each change, `+`, `-` or `~` (changed) before it.
std::string text_lines(const GraphChange& change);
std::string text_lines(const GraphRows& rows);

}  // namespace xtrace
