#include "link/story/story_edges.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <unordered_map>

#include "base/union_find.h"
#include "base/walk_up.h"
#include "facts/row_or_empty.h"
#include "link/graph/graph.h"
#include "link/graph/queries.h"

namespace xtrace {

namespace {

using Type = TaskStep::Type;

/// The word of an ExplanationGraph, or of a link between model calls or spans.
Relation read_relation(std::string_view word) {
  for (size_t i = 0; i < std::size(kRelationWords); ++i)
    if (word == kRelationWords[i]) return static_cast<Relation>(i);
  for (size_t i = 0; i < std::size(kLinkWords); ++i)
    if (word == kLinkWords[i]) return kLinkKinds[i].in_story;
  return word == "parent" ? Relation::next_step : Relation::other;
}

class StoryEdgeBuilder {
 public:
  StoryEdgeBuilder(const Graph& graph, const StoryIndex& index, Story& story)
      : graph_(graph), trace_(graph.trace()), index_(index), story_(story), nodes_(story.nodes) {}

  void connect() {
    index_names();  // that what is told below goes by
    add_links();
    add_causes();
    add_queries();
    add_triggers();
    add_told();
    merge_pairs();
    nest();
    inherit_tasks();
    if (graph_.elsewhere().tasks)
      story_.places = places();
    else
      add_task_order();
    find_parts(story_);
  }

 private:
  const TaskStep& told_of(const StoryNode& node) const { return task_step_of(graph_, node); }

  void add(StoryEdge edge) {
    if (edge.from != StoryNode::kNone && edge.to != StoryNode::kNone && edge.from != edge.to)
      story_.edges.push_back(std::move(edge));
  }

  /// How sure an edge on record is, of which nobody looked at the clock yet.
  double by_clock(uint32_t from, uint32_t to, double recorded) const {
    if (from == StoryNode::kNone || to == StoryNode::kNone) return recorded;
    const Time effect = nodes_[to].start;
    const bool is_early = effect != kNoTime && effect < nodes_[from].start;
    return is_early ? std::min(recorded, kMostAgainstTheClock) : recorded;
  }

  /// Names another node that may have led to where the edge leads. A call and its span are one
  /// node, so that two rivals may be one.
  static void add_rival(uint32_t from, double confidence, StoryEdge& edge) {
    const auto is_same = [&](const Rival<uint32_t>& known) { return known.from == from; };
    if (from == edge.from || from == edge.to || std::ranges::any_of(edge.rivals, is_same)) return;
    edge.rivals.push_back({from, confidence});
  }

  void add_links() {
    for (const Link& link : graph_.links()) {
      StoryEdge edge{{index_.of_event[link.from.index], index_.of_event[link.to.index], link.rule},
                     row_of(link.kind).in_story,
                     confidence(link),
                     link.key};
      for (const Alternative& other : graph_.alternatives(link))
        add_rival(index_.of_event[other.from.index], other.confidence, edge);
      add(std::move(edge));
    }
  }

  /// What an event, or a step with a type (TaskStep::Type), is to what led to it.
  Relation relation_to(const StoryNode& node) const {
    const TaskStep& told = told_of(node);
    std::string_view name = trace_[span_of(graph_, node).operation];
    if (node.type == Type::user_query) return Relation::user_action;
    if (node.type == Type::model_switch) return Relation::reflected;
    if (name.find("Escalat") != name.npos || name.find("escalat") != name.npos)
      return Relation::escalated;
    if (node.type == Type::reflexion_action)
      return name.find("Retry") != name.npos ? Relation::reflected : Relation::triggered;
    return told.trigger ? Relation::triggered : Relation::next_step;
  }

  void add_causes() {
    for (const HopEdge& edge : graph_.hops().edges) {
      const uint32_t to = index_.of_hop[edge.to.index];
      const TaskStep& told = told_of(nodes_[to]);
      const Hop& hop = graph_.hops()[edge.to];
      const bool names_id = hop.span && edge.is_recorded();
      StoryEdge found{{index_.of_hop[edge.from.index], to, edge.rule},
                      told.is_event ? relation_to(nodes_[to]) : Relation::next_step,
                      edge.confidence,
                      names_id ? graph_.hops()[edge.from].id : StringId{}};
      if (edge.from == hop.cause)
        for (const Rival<HopId>& other : graph_.hops().alternatives_of(hop))
          add_rival(index_.of_hop[other.from.index], other.confidence, found);
      add(std::move(found));
    }
  }

  void add_queries() {
    for (size_t i = 0; i < index_.query_of_event.size(); ++i)
      if (uint32_t query = index_.query_of_event[i]; query != StoryNode::kNone)
        add({{query, index_.of_event[i], Rule::turn}, Relation::user_action, 1, {}});
  }

  /// Nodes by the names that others may call them: of calls, requests, spans and events.
  void index_names() {
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      const StoryNode& node = nodes_[i];
      if (node.is_query()) continue;
      if (node.call) {
        const Call& call = graph_.timeline()[node.call];
        for (StringId name : {trace_[node.call].id, call.response}) note_name(name, i);
        if (call.task_step) note_name(trace_[call.task_step].request, i);
      }
      if (node.hop)
        for (SpanId span : graph_.hops().observations_of(graph_.hops()[node.hop]))
          note_name(trace_[span].id, i);
    }
    // What a check says of a request is not the request, unless nothing else is.
    for (uint32_t i = 0; i < nodes_.size(); ++i)
      if (!nodes_[i].is_query() && !told_of(nodes_[i]).is_event)
        note_name(told_of(nodes_[i]).request, i);
  }
  void note_name(StringId name, uint32_t node) {
    if (name) by_name_.try_emplace(name.index, node);
  }
  uint32_t find(StringId name) const {
    auto found = by_name_.find(name.index);
    return found == by_name_.end() ? StoryNode::kNone : found->second;
  }

  void add_triggers() {
    const auto add_recorded = [&](StringId cause, uint32_t effect, Relation relation, Rule rule) {
      const uint32_t from = find(cause);
      add({{from, effect, rule}, relation, by_clock(from, effect, 1), cause});
    };
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      const TaskStep& told = told_of(nodes_[i]);
      if (nodes_[i].is_query()) continue;
      if (told.trigger) add_recorded(told.trigger, i, relation_to(nodes_[i]), Rule::trigger);
      if (nodes_[i].call && told_of_call(nodes_[i]).parent)
        add_recorded(told_of_call(nodes_[i]).parent, i, Relation::next_step, Rule::parent);
      // A check that names the request whose answer it looks at comes of it.
      else if (told.request && !told.trigger && find(told.request) != i)
        add_recorded(told.request, i, Relation::triggered, Rule::request_id);
    }
  }
  const TaskStep& told_of_call(const StoryNode& node) const {
    return row_or_empty(trace_, graph_.timeline()[node.call].task_step);
  }

  /// What goes on while the step that it comes after does is inside it.
  void add_told() {
    if (trace_.graph_edges.empty()) return;
    told_above_.assign(nodes_.size(), StoryNode::kNone);
    for (const GraphEdge& edge : trace_.graph_edges) {
      const uint32_t from = find(edge.from), to = find(edge.to);
      const Relation relation = read_relation(trace_[edge.relation]);
      add({{from, to, Rule::told},
           relation,
           by_clock(from, to, static_cast<double>(edge.confidence)),
           {}});
      if (from == StoryNode::kNone || to == StoryNode::kNone || from >= to ||
          relation != Relation::next_step)
        continue;
      const StoryNode& around = nodes_[from];
      if (around.latency != kNoDuration && nodes_[to].start < around.end()) told_above_[to] = from;
    }
  }

  /// Of several edges between two nodes the most telling one stays, and the surest.
  void merge_pairs() {
    std::vector<StoryEdge>& edges = story_.edges;
    std::stable_sort(edges.begin(), edges.end(), [](const StoryEdge& a, const StoryEdge& b) {
      return std::tuple(a.from, a.to, b.relation, b.confidence) <
             std::tuple(b.from, b.to, a.relation, a.confidence);
    });
    edges.erase(std::unique(edges.begin(), edges.end(),
                            [](const StoryEdge& a, const StoryEdge& b) {
                              return a.from == b.from && a.to == b.to;
                            }),
                edges.end());
  }

  // --- what is inside what ------------------------------------------------------------------

  void nest() {
    for (uint32_t i = 0; i < nodes_.size(); ++i) nodes_[i].above = above(i);
    break_circles();
  }

  uint32_t above(uint32_t at) const {
    const StoryNode& node = nodes_[at];
    if (node.is_query()) return StoryNode::kNone;
    if (told_of(node).is_graph_node && !told_above_.empty()) return told_above_[at];
    if (node.hop && graph_.hops()[node.hop].cause)
      return index_.of_hop[graph_.hops()[node.hop].cause.index];
    const TaskStep& told = told_of(node);
    if (!node.call)  // an event is beside what set it off
      return told.trigger && find(told.trigger) < at ? nodes_[find(told.trigger)].above
                                                     : StoryNode::kNone;
    if (told_of_call(node).parent) return find(told_of_call(node).parent);
    if (uint32_t query = index_.query_of_event[node.call.index]; query != StoryNode::kNone)
      return query;
    const Link* cause = cause_in_turn(graph_, node.call);
    if (cause == nullptr) return StoryNode::kNone;
    uint32_t before = index_.of_event[cause->from.index];
    if (cause->kind == LinkKind::subagent_spawn) return before;
    return before < at ? nodes_[before].above
                       : StoryNode::kNone;  // who goes on is beside the one before
  }

  void break_circles() {
    std::vector<uint32_t> seen(nodes_.size(), StoryNode::kNone);
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      uint32_t at = i;
      while (at != StoryNode::kNone && seen[at] == StoryNode::kNone) {
        seen[at] = i;
        if (uint32_t up = nodes_[at].above; up != StoryNode::kNone && seen[up] == i)
          nodes_[at].above = StoryNode::kNone;
        at = nodes_[at].above;
      }
    }
  }

  // --- tasks ----------------------------------------------------------------------------------

  /// A node is of the task of what is around it; where nothing names one, the run or the session
  /// represents it.
  void inherit_tasks() {
    explicit_.resize(nodes_.size());
    for (uint32_t i = 0; i < nodes_.size(); ++i) explicit_[i] = static_cast<bool>(nodes_[i].task);
    visit_top_down(
        nodes_.size(), [this](size_t i) { return nodes_[i].above; },
        [this](size_t i) {
          StoryNode& node = nodes_[i];
          if (node.task) return;
          if (node.above != StoryNode::kNone) node.task = nodes_[node.above].task;
          if (node.above != StoryNode::kNone) explicit_[i] = explicit_[node.above];
          if (!node.task) node.task = own_task(node);
        });
  }

  StringId own_task(const StoryNode& node) {
    std::string_view name;
    if (!node.call)
      name = graph_.hops().runs[graph_.hops()[node.hop].run].id;
    else if (StringId trace = told_of_call(node).trace)
      name = trace_[trace];
    else if (StringId session = graph_.session_of(node.call).id)
      name = trace_[session];
    return name.empty() ? StringId{} : story_.words->intern(name);
  }

  bool answers_to_failure(const StoryNode& node) const {
    return node.type == Type::model_switch || node.type == Type::reflexion_action ||
           relation_to(node) == Relation::escalated;
  }

  std::vector<TaskPlace> places() const {
    std::vector<TaskPlace> places(nodes_.size());
    for (const StoryEdge& edge : story_.edges) places[edge.to].is_led_to = true;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      const StoryNode& node = nodes_[i];
      TaskPlace& place = places[i];
      place.is_top = node.above == StoryNode::kNone;
      place.start = node.start;
      if (!node.task) continue;
      const TaskStep& told = told_of(node);
      place.end = node.end();
      place.task = node.task.index;
      place.is_explicit = explicit_[i];
      place.is_graph_node = told.is_graph_node;
      if (node.is_query()) continue;
      place.key = told.task;
      place.is_event = told.is_event;
      if (told.is_event) place.relation = relation_to(node);
      place.failed = node.status == StepStatus::error && !told.is_graph_node;
      place.reacts = told.is_event && !told.is_graph_node && !told.trigger && !place.is_led_to &&
                     node.start != kNoTime && answers_to_failure(node);
    }
    for (const StoryEdge& edge : story_.edges)
      places[edge.from].leads_on |= places[edge.from].is_top && places[edge.to].is_top;
    return places;
  }

  void add_task_order() {
    const std::vector<TaskPlace> all = places();
    TaskOrder order = order_tasks(all);
    for (const auto& [node, beside] : order.beside) nodes_[node].above = nodes_[beside].above;
    for (TaskEdge& edge : order.edges)
      add({{edge.from, edge.to, edge.rule},
           edge.relation,
           edge.confidence,
           all[edge.to].key,
           0,
           std::move(edge.rivals)});
    if (!order.edges.empty()) merge_pairs();
  }

  const Graph& graph_;
  const Trace& trace_;
  const StoryIndex& index_;
  Story& story_;
  std::vector<StoryNode>& nodes_;
  std::unordered_map<uint32_t, uint32_t> by_name_;
  std::vector<uint32_t> told_above_;  ///< of nodes of a graph that was given as one
  std::vector<bool> explicit_;        ///< by node: the log names its task
};

}  // namespace

void find_parts(Story& story) {
  std::vector<StoryNode>& nodes = story.nodes;
  UnionFind joined(nodes.size());
  std::unordered_map<uint32_t, uint32_t> first;  // by task
  for (const StoryEdge& edge : story.edges) joined.join(edge.from, edge.to);
  for (uint32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].above != StoryNode::kNone) joined.join(i, nodes[i].above);
    if (!nodes[i].task) continue;
    const bool goes_on = i > 0 && nodes[i].task == nodes[i - 1].task;  // mostly
    joined.join(i, goes_on ? i - 1 : first.try_emplace(nodes[i].task.index, i).first->second);
  }
  for (uint32_t i = 0; i < nodes.size(); ++i) nodes[i].part = joined.find(i);
}

void connect(const Graph& graph, const StoryIndex& index, Story& story) {
  StoryEdgeBuilder(graph, index, story).connect();
}

}  // namespace xtrace
