#include "link/story/story_edges.h"

#include <algorithm>
#include <iterator>
#include <set>
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
    add_reactions();
    if (add_task_order()) merge_pairs();
    find_parts();
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
    if (!node.call)  // an event stands beside what set it off
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
                       : StoryNode::kNone;  // who goes on stands beside the one before
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
  /// stands for it.
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
    return name.empty() ? StringId{} : story_.words.intern(name);
  }

  /// An event that names no trigger, but is of a kind that answers to something, came of the step
  /// of its task that failed and ended last before it; an escalation also of an earlier reaction.
  /// That is a guess: the more steps it may have been, the less sure.
  void add_reactions() {
    std::vector<bool> is_led_to(nodes_.size());
    for (const StoryEdge& edge : story_.edges) is_led_to[edge.to] = true;
    std::unordered_map<uint32_t, Triggers> of_task;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      StoryNode& node = nodes_[i];
      if (!node.task || node.is_query() || told_of(node).is_graph_node) continue;
      const bool reacts = told_of(node).is_event && !told_of(node).trigger && !is_led_to[i] &&
                          node.start != kNoTime && answers_to_failure(node);
      Triggers& before = of_task[node.task.index];
      if (reacts) react(i, before);
      const bool failed = node.status == StepStatus::error;
      if (failed) before.failed.emplace(node.end(), i);
      if (failed || reacts) before.all.emplace(node.end(), i);
    }
  }

  bool answers_to_failure(const StoryNode& node) const {
    return node.type == Type::model_switch || node.type == Type::reflexion_action ||
           relation_to(node) == Relation::escalated;
  }

  static constexpr size_t kMostTold = 5;  ///< of what might have been it instead

  /// What may have set off a reaction, by when it ended.
  struct Triggers {
    std::set<std::pair<Time, uint32_t>> failed, all;
  };

  void react(uint32_t at, const Triggers& before) {
    constexpr double kAlone = 0.9, kOfSeveral = 0.8;  // shared out among those that fit
    StoryNode& node = nodes_[at];
    const Relation relation = relation_to(node);
    const auto& ends = relation == Relation::escalated ? before.all : before.failed;
    const auto open = ends.upper_bound({node.start, UINT32_MAX});
    const size_t fitting = ends.size() - static_cast<size_t>(std::distance(open, ends.end()));
    if (fitting == 0) return;
    auto one = std::prev(open);
    const uint32_t last = one->second;
    std::vector<uint32_t> others;  // the likeliest last
    while (one != ends.begin() && others.size() < kMostTold) others.push_back((--one)->second);
    std::reverse(others.begin(), others.end());
    // The last one is as likely as all others together.
    const double share = kOfSeveral / 2 / static_cast<double>(fitting);
    StoryEdge edge{{last, at, Rule::task_order},
                   relation,
                   fitting == 1 ? kAlone : kOfSeveral / 2 + share,
                   told_of(node).task};
    add_rivals(others, share, edge);
    add(std::move(edge));
    if (node.above == StoryNode::kNone && last < at) node.above = nodes_[last].above;
  }

  /// Those that might have been it instead, the likeliest first.
  static void add_rivals(const std::vector<uint32_t>& others, double confidence, StoryEdge& edge) {
    for (size_t i = 0; i < std::min(others.size(), kMostTold); ++i)
      add_rival(others[others.size() - 1 - i], confidence, edge);
  }

  /// Within a task that the log names, what nothing else leads to comes after what ended last
  /// before it, of what nothing is around. How sure that is depends on how many ends lay open.
  bool add_task_order() {
    constexpr size_t kMostOpen = 64;
    auto is_top = [&](uint32_t node) { return nodes_[node].above == StoryNode::kNone; };
    std::vector<bool> is_led_to(nodes_.size()), leads_on(nodes_.size());
    for (const StoryEdge& edge : story_.edges) {
      is_led_to[edge.to] = true;
      if (is_top(edge.from) && is_top(edge.to)) leads_on[edge.from] = true;
    }
    std::unordered_map<uint32_t, std::vector<uint32_t>> open;  // by task: what led to nothing yet
    size_t before = story_.edges.size();
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      const StoryNode& node = nodes_[i];
      if (!explicit_[i] || node.start == kNoTime || !is_top(i) || told_of(node).is_graph_node)
        continue;
      std::vector<uint32_t>& ends = open[node.task.index];
      if (!is_led_to[i] && !ends.empty()) {
        auto last = std::max_element(ends.begin(), ends.end(), [&](uint32_t a, uint32_t b) {
          return nodes_[a].end() < nodes_[b].end();
        });
        const bool is_event = !node.is_query() && told_of(node).is_event;
        // No event names what set it off by coming after it.
        constexpr double kSurest = 0.9;
        const double share = 1.0 / static_cast<double>(ends.size());
        StoryEdge edge{{*last, i, Rule::task_order},
                       is_event ? relation_to(node) : Relation::next_step,
                       is_event ? std::min(share, kSurest) : share,
                       node.is_query() ? StringId{} : told_of(node).task};
        ends.erase(last);
        add_rivals(ends, share, edge);
        add(std::move(edge));
      }
      if (leads_on[i]) continue;
      if (ends.size() == kMostOpen) ends.erase(ends.begin());
      ends.push_back(i);
    }
    return story_.edges.size() > before;
  }

  void find_parts() {
    UnionFind joined(nodes_.size());
    std::unordered_map<uint32_t, uint32_t> of_task;
    for (const StoryEdge& edge : story_.edges) joined.join(edge.from, edge.to);
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (nodes_[i].above != StoryNode::kNone) joined.join(i, nodes_[i].above);
      if (nodes_[i].task)
        joined.join(i, of_task.try_emplace(nodes_[i].task.index, i).first->second);
    }
    for (uint32_t i = 0; i < nodes_.size(); ++i) nodes_[i].part = joined.find(i);
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

void connect(const Graph& graph, const StoryIndex& index, Story& story) {
  StoryEdgeBuilder(graph, index, story).connect();
}

}  // namespace xtrace
