#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/zone.h"
#include "doc/document.h"

namespace xtrace {

/// Two nodes that an edge joins: from, to. There is one edge for a pair at most.
using Ends = std::pair<std::string, std::string>;

/// A graph as it is sent: each node and edge as the text of its row. The answer of a view without
/// the view, so that two of them can be compared.
struct GraphRows {
  struct Node {
    std::string id, row;
    Time start = kNoTime;
    std::string place = {};  ///< of its record; known of rows that were just made
  };
  struct Edge {
    Ends ends;
    std::string row;
    uint64_t hash = 0;  ///< of what its row says, where that is written only if it changed
  };
  struct Summary {
    std::string id;
    std::vector<std::string> members;
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  std::vector<Summary> summaries;
  Moment newest;  ///< event, shown or not; kNoTime: none is known
};

/// How the row of a node is put into words.
using WriteRow = std::function<void(std::string& out, std::span<const Column> columns,
                                    std::span<const Cell> cells)>;

/// Of an explanation, Face::tables. The newest event is not among them; nor are edges without
/// `with_edges`.
GraphRows rows_of(const Document& document, const WriteRow& write, bool with_edges = true);

/// Writes a node as a line for people, an edge as its two ends:
/// `12:00:01 turn 2 CoderAgent gpt-4o: Read 1.2s $0.0042`. Times are those of the zone;
/// `names_sessions`: the beginning of the session's id follows the time.
WriteRow text_rows(Zone zone, bool names_sessions = false);

}  // namespace xtrace
