#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "view/query/trace_scene.h"

namespace xtrace {

/// What databases get of a query beside its steps: the query, its citations and the evidence of
/// its steps, and the documents, text units and communities that these refer to, which are nodes
/// of the visited graph where it was there that the query met them:
///
///   (Query)-[HAS_STEP]->(Step)-[USED]->(Evidence)-[REFERS_TO]->(TextUnit)-[PART_OF]->(Document)
///   (Query)-[CITES]->(Citation)-[REFERS_TO]->(TextUnit)    (Query)-[RESTS_ON]->(TextUnit)
///   (Step)-[VISITED]->(Claim)-[DRAWN_FROM]->(TextUnit)
class TraceGraph {
 public:
  TraceGraph(const TraceScene& scene, Drawing& drawing);

  /// Of the query, which no other has.
  Text query() const { return query_; }

  /// Makes the drawn node of the visited one, which is not shared if it is withheld.
  Drawing::Node visited(size_t at) const;
  /// The visited node at this index.
  void set_place(size_t node, uint32_t place);

  /// After all that was visited, to be one with what is already there.
  void add(const std::vector<uint32_t>& steps);

 private:
  uint32_t add_node(Drawing::Node node);
  void connect(uint32_t from, uint32_t to, Text relation, Entries properties = {});
  uint32_t add_query();
  uint32_t add_evidence(const EvidenceRef& ref);
  uint32_t add_citation(const EvidenceRef& ref, size_t order);
  /// What a reference refers to, made if need be; kNone: it is withheld, or names none.
  uint32_t target_of(const EvidenceRef& ref);
  /// The node of the graph with that id; `label` is what a reference takes it for.
  uint32_t node_of(const std::string& id, std::string_view label);
  /// The visited node with that id, if it may be such a thing; else kNone.
  uint32_t visited_as(const std::string& id, std::string_view label);
  void add_sources();

  const TraceScene& scene_;
  Door& door_;
  Drawing& drawing_;
  Text query_;
  std::map<std::pair<std::string, std::string_view>, uint32_t> nodes_;  ///< by id and label
  std::map<std::string, size_t> visited_;                               ///< those that are shown
  std::map<size_t, uint32_t> places_;                                   ///< of these
  std::map<uint32_t, std::string_view> taken_as_;                       ///< what references say
  std::map<std::string, uint32_t> evidence_;                            ///< by its words
  std::set<std::tuple<uint32_t, uint32_t, std::string_view>> joined_;
};

}  // namespace xtrace
