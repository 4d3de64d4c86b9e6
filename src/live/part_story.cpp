#include "live/part_story.h"

#include <array>
#include <bit>

#include "base/hash.h"

namespace xtrace {

namespace {

/// The order of what starts together: that of records of calls, and of runs.
std::array<uint64_t, 2> rank_of(const SaidPart& part, const StoryNode& node) {
  const Graph& graph = *part.linked.graph;
  if (node.call) {
    const Extent& at = place_of(graph, node);
    return {part.generations[part.linked.generations[at.file]].rank, at.offset};
  }
  const Run& run = graph.hops().runs[graph.hops()[node.hop].run];
  constexpr size_t kCompared = 8;  // characters of ids, as one number
  uint64_t id = 0;
  for (size_t i = 0; i < kCompared; ++i)
    id = id << 8 | (i < run.id.size() ? static_cast<unsigned char>(run.id[i]) : 0);
  const Time first = graph.hops()[run.hops.front()].start;
  return {static_cast<uint64_t>(first.time_since_epoch().count()), id};
}

uint64_t hash_of_facts(const StoryNode& node) {
  uint64_t hash = chain(static_cast<uint64_t>(node.type), static_cast<uint64_t>(node.status));
  hash = chain(hash, pair_of(node.agent.index, node.task.index));
  hash = chain(hash, static_cast<uint64_t>(reinterpret_cast<uintptr_t>(node.done)));
  for (const int64_t number :
       {node.tokens.input, node.tokens.output, node.tokens.cache_read, node.tokens.cache_creation,
        node.cost, int64_t{node.latency.count()}})
    hash = chain(hash, static_cast<uint64_t>(number));
  return hash;
}

}  // namespace

StringId StoryWords::intern(std::string_view word) {
  return word.empty() ? StringId() : pool->intern(word);
}

const Activity* StoryWords::keep(const Activity* done) {
  if (done == nullptr) return nullptr;
  const StringId model = intern(done->model);
  Activity& kept = done_[{model, done->output_is_low}];
  kept.model = (*pool)[model];
  kept.output_is_low = done->output_is_low;
  return &kept;
}

std::vector<TaskSteps::Said> said_of(const Linked& linked, const GraphRows& rows, Door& door) {
  std::vector<TaskSteps::Said> said;
  said.reserve(rows.nodes.size());
  for (size_t i = 0; i < rows.nodes.size(); ++i)
    said.push_back(
        {rows.nodes[i].id, rows.nodes[i].place,
         std::string(door.name(linked.graph->trace()[linked.story->places[i].key]).view())});
  return said;
}

void add_edges(SaidPart& part) {
  const Story& story = *part.linked.story;
  const Trace& trace = part.linked.graph->trace();
  std::vector<uint64_t> node_hash;
  for (const TaskSteps::Said& one : part.said)
    node_hash.push_back(chain(hash_of(one.id), hash_of(one.place)));
  for (const StoryEdge& edge : story.edges) {
    uint64_t hash = chain(node_hash[edge.from], node_hash[edge.to]);
    hash =
        chain(hash, chain(static_cast<uint64_t>(edge.relation), static_cast<uint64_t>(edge.rule)));
    hash = chain(chain(hash, std::bit_cast<uint64_t>(edge.confidence)), hash_of(trace[edge.key]));
    for (const Rival<uint32_t>& rival : edge.rivals)
      hash = chain(chain(hash, node_hash[rival.from]), std::bit_cast<uint64_t>(rival.confidence));
    part.rows.edges.push_back({{part.said[edge.from].id, part.said[edge.to].id}, {}, hash});
  }
}

TaskSteps::Step task_step(const SaidPart& part, size_t at) {
  const StoryNode& node = part.linked.story->nodes[at];
  TaskSteps::Step step;
  step.place = part.linked.story->places[at];
  step.part = part.linked.part;
  step.is_query = node.is_query();
  step.is_call = static_cast<bool>(node.call);
  step.rank = rank_of(part, node);
  step.nth = static_cast<uint32_t>(at);
  step.said = std::make_unique<TaskSteps::Said>(part.said[at]);
  return step;
}

GroupStory::PartStory part_story(SaidPart& part, StoryWords& words, Door& door) {
  const Graph& graph = *part.linked.graph;
  const Trace& trace = graph.trace();
  const Story& story = *part.linked.story;
  GroupStory::PartStory taken;
  taken.part = part.linked.part;
  for (size_t i = 0; i < story.nodes.size(); ++i) {
    const StoryNode& node = story.nodes[i];
    GroupStory::Step& step = taken.steps.emplace_back();
    static_cast<TaskSteps::Step&>(step) = task_step(part, i);
    step.node = node;
    step.node.agent = words.intern(story.agent(node));
    step.node.task = words.intern(story.task(node));
    step.node.own_status = {};
    step.node.done = words.keep(node.done);
    step.node.call = {};
    step.node.hop = {};
    step.begun = start_of(graph, node);
    step.own_status = words.intern(node.own_status);
    if (node.call)  // others have numbers, which differ from graph to graph
      step.session = words.intern(trace[graph.session_of(node.call).id]);
    step.said_hash = hash_of(*step.said);
    step.name = hash_of("summary-" + name_of(graph, node));
    step.id = hash_of(step.said->id);
    step.facts = hash_of_facts(step.node);
    step.row = std::move(part.rows.nodes[i].row);
    step.row_hash = hash_of(step.row);
  }
  taken.edges = story.edges;
  for (StoryEdge& edge : taken.edges) {
    if (!edge.key) continue;
    const StringId key(taken.keys.size());
    taken.keys.emplace_back(door.name(trace[edge.key]).view());
    edge.key = key;
  }
  return taken;
}

}  // namespace xtrace
