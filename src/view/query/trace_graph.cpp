#include "view/query/trace_graph.h"

#include <fmt/format.h>

#include "view/query/trace_fields.h"

namespace xtrace {

namespace {

constexpr uint32_t kNone = Drawing::kNone;
constexpr std::string_view kUnit = "TextUnit", kDocument = "Document", kCommunity = "Community";

/// `TextUnit` of `text_unit`; empty: a word of the log's own.
std::string_view graph_word(std::string_view label) {
  std::string letters;
  for (char c : label)
    if (c != '_') letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return letters == "textunit"    ? kUnit
         : letters == "document"  ? kDocument
         : letters == "community" ? kCommunity
         : letters == "entity"    ? "Entity"
         : letters == "relation"  ? "Relation"
         : letters == "claim"     ? "Claim"
                                  : std::string_view();
}

}  // namespace

TraceGraph::TraceGraph(const TraceScene& scene, Drawing& drawing)
    : scene_(scene), door_(scene.question.door), drawing_(drawing) {
  query_ =
      door_.say("{}/{}", scene.project().view(), scene.names.text(scene.trace.query.id).view());
  // A stand-in must not reveal which of the ids shown elsewhere it replaces.
  const std::vector<Visited::Node>& nodes = scene.trace.visited.nodes();
  for (size_t i = 0; i < nodes.size(); ++i)
    if (scene.shown[i] && !scene.withholds_node(i)) visited_.emplace(nodes[i].node.id, i);
}

Drawing::Node TraceGraph::visited(size_t at) const {
  const VisitedNode& visited = scene_.trace.visited.nodes()[at].node;
  Drawing::Node node;
  node.id = scene_.node_id(at);
  node.told = true;
  node.type = visited.label.empty() ? Text("Other") : scene_.text(visited.label);
  node.scope = scene_.withholds_node(at) ? query_ : scene_.project();
  node.properties = node_properties(scene_, at);
  return node;
}

void TraceGraph::set_place(size_t node, uint32_t place) {
  places_[node] = place;
}

void TraceGraph::add(const std::vector<uint32_t>& steps) {
  // The log may record itself what is part of what.
  for (const Drawing::Edge& edge : drawing_.edges)
    if (edge.told) joined_.emplace(edge.from, edge.to, edge.relation.view());
  uint32_t query = add_query();
  for (uint32_t step : steps) connect(query, step, "HAS_STEP");
  const QueryTrace& trace = scene_.trace;
  size_t resting = trace.resting_step();
  auto rest_on = [&](uint32_t target) {
    if (target != kNone) connect(query, target, "RESTS_ON");
  };
  for (size_t i = 0; i < steps.size(); ++i)
    for (const EvidenceRef* ref : scene_.evidence_of(trace.steps[i])) {
      Entries properties;
      if (ref->score && !scene_.withholds(*ref)) properties.add("score", *ref->score);
      connect(steps[i], add_evidence(*ref), "USED", std::move(properties));
      if (i == resting) rest_on(target_of(*ref));
    }
  for (size_t i = 0; i < trace.citations.size(); ++i) {
    connect(query, add_citation(trace.citations[i], i + 1), "CITES");
    if (resting == Step::kNone) rest_on(target_of(trace.citations[i]));
  }
  add_sources();
}

uint32_t TraceGraph::add_node(Drawing::Node node) {
  drawing_.nodes.push_back(std::move(node));
  return static_cast<uint32_t>(drawing_.nodes.size() - 1);
}

void TraceGraph::connect(uint32_t from, uint32_t to, Text relation, Entries properties) {
  if (!joined_.emplace(from, to, relation.view()).second) return;
  Drawing::Edge edge;
  edge.from = from;
  edge.to = to;
  edge.relation = relation;
  edge.properties = std::move(properties);
  drawing_.edges.push_back(std::move(edge));
}

uint32_t TraceGraph::add_query() {
  Drawing::Node node;
  node.id = scene_.names.text(scene_.trace.query.id);
  node.lines = {query_};
  node.kind = node.type = "Query";
  node.scope = scene_.project();
  node.properties = query_properties(scene_);
  return add_node(std::move(node));
}

uint32_t TraceGraph::add_evidence(const EvidenceRef& ref) {
  std::string words = evidence_words(scene_, ref);
  auto [place, is_new] = evidence_.emplace(words, kNone);
  if (!is_new) return place->second;
  Drawing::Node node;
  node.id = door_.say("evidence {}", words);
  node.lines = {door_.composed(std::move(words))};
  node.kind = node.type = "Evidence";
  node.scope = query_;
  node.properties = evidence_properties(scene_, ref);
  // One node for all steps that used it, however well it fitted each of them: USED says that.
  std::erase_if(node.properties.items, [](const auto& item) { return item.first == "score"; });
  place->second = add_node(std::move(node));
  if (uint32_t target = target_of(ref); target != kNone)
    connect(place->second, target, "REFERS_TO");
  return place->second;
}

uint32_t TraceGraph::add_citation(const EvidenceRef& ref, size_t order) {
  Drawing::Node node;
  node.id = door_.say("citation {}", order);
  node.lines = {door_.composed(evidence_words(scene_, ref))};
  node.kind = node.type = "Citation";
  node.scope = query_;
  node.properties = evidence_properties(scene_, ref);
  uint32_t at = add_node(std::move(node));
  if (uint32_t target = target_of(ref); target != kNone) connect(at, target, "REFERS_TO");
  return at;
}

uint32_t TraceGraph::target_of(const EvidenceRef& ref) {
  if (scene_.withholds(ref)) return kNone;
  // A page of the web has no other id.
  const std::string& document = ref.doc_id.empty() ? ref.url : ref.doc_id;
  uint32_t whole = document.empty() ? kNone : node_of(document, kDocument);
  if (ref.unit_id.empty())
    return ref.community_id.empty() ? whole : node_of(ref.community_id, kCommunity);
  uint32_t unit = node_of(ref.unit_id, kUnit);
  if (whole != kNone && whole != unit) connect(unit, whole, "PART_OF");
  return unit;
}

uint32_t TraceGraph::node_of(const std::string& id, std::string_view label) {
  auto [known, is_new] = nodes_.try_emplace({id, label}, kNone);
  if (!is_new) return known->second;
  if (uint32_t place = visited_as(id, label); place != kNone) return known->second = place;
  Drawing::Node node;
  node.id = scene_.text(id);
  node.lines = {node.id};
  node.kind = node.type = Door::own(label);
  node.scope = scene_.project();
  node.told = true;
  return known->second = add_node(std::move(node));
}

uint32_t TraceGraph::visited_as(const std::string& id, std::string_view label) {
  auto met = visited_.find(id);
  if (met == visited_.end()) return kNone;
  uint32_t place = places_.at(met->second);
  std::string_view own = graph_word(scene_.trace.visited.nodes()[met->second].node.label);
  if (own.empty()) {
    // Another query may know it by its reference alone: they meet where both call it the same.
    auto [taken, is_first] = taken_as_.emplace(place, label);
    if (is_first) drawing_.nodes[place].type = Door::own(label);
    own = taken->second;
  }
  // A document and its only unit may have one id.
  bool is_other = own != label && (own == kUnit || own == kDocument || own == kCommunity);
  return is_other ? kNone : place;
}

/// What the nodes that were visited were drawn from.
void TraceGraph::add_sources() {
  for (auto [i, place] : places_) {
    if (scene_.withholds_node(i)) continue;
    for (const std::string& unit : scene_.trace.visited.nodes()[i].node.evidence) {
      if (unit.empty() || scene_.withheld.contains(unit)) continue;
      auto met = visited_.find(unit);  // a claim may rest on another claim
      uint32_t source = met == visited_.end() ? node_of(unit, kUnit) : places_.at(met->second);
      if (source != place) connect(place, source, "DRAWN_FROM");
    }
  }
}

}  // namespace xtrace
