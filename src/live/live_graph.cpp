#include "live/live_graph.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <unordered_set>

#include "base/hash.h"
#include "base/text.h"
#include "input/bytes/inputs.h"
#include "input/file_payloads.h"
#include "input/transcripts/assemble.h"
#include "link/calls/session_names.h"
#include "link/graph/graph.h"
#include "run/answer.h"
#include "view/story/explanation.h"

namespace xtrace {

namespace {

std::unique_ptr<Door> door_for(const Request& request) {
  auto door =
      std::make_unique<Door>(request.redaction, request.level, request.max_text, request.fields);
  admit_audience(request, *door);
  return door;
}

/// Of all, whatever of it is shown: an update that shows nothing any more has its time, too.
Moment newest_event(const Graph& graph) {
  Moment newest;
  for (const StoryNode& node : graph.story()->nodes)
    if (node.start > newest.time) newest = start_of(graph, node);
  return newest;
}

uint64_t hash_of_members(const std::vector<std::string>& members) {
  uint64_t hash = members.size();
  for (const std::string& member : members) hash = chain(hash, hash_of(member));
  return hash;
}

}  // namespace

LiveGraph::LiveGraph(const Request& request, const StoryOptions& story, WriteRow write,
                     const Generations& generations)
    : request_(request),
      story_(story),
      write_(std::move(write)),
      generations_(generations),
      records_(request.loading),
      door_(door_for(request)) {
  story_.is_live = true;
}

/// `part` is the one that the trace is of; nullptr: all.
Result<GraphRows> LiveGraph::rows_of_graph(Trace trace, const Parts::Part* part) {
  LinkOptions linking = request_.link_options();
  linking.elsewhere.thoughts = part != nullptr && !is_alone_ && parts_.has_thoughts_beside(*part);
  linking.elsewhere.call_spans =
      part != nullptr && !is_alone_ && parts_.has_call_spans_beside(*part);
  Graph graph = link(std::move(trace), linking);
  std::unique_ptr<const Payloads> payloads = file_payloads(graph.trace());
  Question question{graph, *door_, Face::tables, payloads.get()};
  size_t mark = door_->composed_so_far();
  Result<Document> document = explanation(question, story_);
  if (!document) return door_->pass(document.error());
  GraphRows rows = rows_of(*document, write_);
  rows.newest = newest_event(graph);
  if (part == nullptr) sessions_.clear();
  note_sessions(graph);
  if (part == nullptr && !request_.graph.snapshot.empty()) {
    std::ostringstream json;
    write_json(*document, request_.paper, json);
    whole_ = std::move(json).str();
  }
  door_->forget_composed(mark);
  return rows;
}

Result<GraphRows> LiveGraph::rows_of_part(const Parts::Part& part, size_t records) {
  std::vector<RecordAt> own(part.records.begin(),
                            part.records.begin() + static_cast<std::ptrdiff_t>(records));
  std::sort(own.begin(), own.end(),
            [&](const RecordAt& a, const RecordAt& b) { return generations_.before(a, b); });
  Result<SomeRecords> some = records_.read(own, generations_);
  if (!some) return tl::unexpected(some.error());
  drop_ambiguous_lines(some->trace);
  note_messages(some->trace);
  return rows_of_graph(complete(std::move(some->trace)), &part);
}

/// Remembers the graph of the first so many records of a part.
Status LiveGraph::learn(Parts::Part& part, size_t records, GraphRows& rows) {
  Result<GraphRows> read = rows_of_part(part, records);
  if (!read) return tl::unexpected(read.error());
  rows = *std::move(read);
  part.nodes.clear();
  part.edges.clear();
  part.summaries.clear();
  for (const GraphRows::Node& node : rows.nodes) part.nodes[node.id] = hash_of(node.row);
  for (const GraphRows::Edge& edge : rows.edges) part.edges[edge.ends] = hash_of(edge.row);
  for (const GraphRows::Summary& summary : rows.summaries)
    part.summaries[summary.id] = hash_of_members(summary.members);
  part.is_known = true;
  part.told = records;
  return {};
}

/// What is new in the graph of a part, against its own of before: a reading of everything may have
/// found better, which stays where the part has nothing new to say.
Status LiveGraph::add_changes(Parts::Part& part, GraphDelta& delta) {
  GraphRows rows;
  if (!part.is_known)
    if (Status learned = learn(part, part.told, rows); !learned) return learned;
  std::unordered_map<std::string, uint64_t> nodes = std::move(part.nodes);
  std::map<Ends, uint64_t> edges = std::move(part.edges);
  std::map<std::string, uint64_t> summaries = std::move(part.summaries);
  if (Status learned = learn(part, part.records.size(), rows); !learned) return learned;
  note_newest(rows.newest);
  auto is_new = [](auto& before, const auto& key, uint64_t hash) {
    auto known = before.find(key);
    bool changed = known == before.end() || known->second != hash;
    if (known != before.end()) before.erase(known);
    return changed;
  };
  for (GraphRows::Node& node : rows.nodes)
    if (is_new(nodes, node.id, part.nodes[node.id])) delta.nodes.push_back(std::move(node));
  for (GraphRows::Edge& edge : rows.edges)
    if (is_new(edges, edge.ends, part.edges[edge.ends])) delta.edges.push_back(std::move(edge));
  for (GraphRows::Summary& summary : rows.summaries)
    if (is_new(summaries, summary.id, part.summaries[summary.id]))
      delta.summaries.push_back(std::move(summary));
  for (const auto& [id, hash] : nodes) delta.gone.push_back(id);
  for (const auto& [ends, hash] : edges) delta.gone_edges.push_back(ends);
  for (const auto& [id, hash] : summaries) delta.gone_summaries.push_back(id);
  return {};
}

Result<GraphChange> LiveGraph::update() {
  GraphDelta delta;
  for (Parts::Part* part : parts_.touched())
    if (Status added = add_changes(*part, delta); !added) return tl::unexpected(added.error());
  std::sort(delta.gone.begin(), delta.gone.end());
  return shown_.apply(std::move(delta));
}

Result<GraphChange> LiveGraph::update_all(bool alone) {
  parts_.touch_all();
  is_alone_ = alone;
  Result<GraphChange> change = update();
  is_alone_ = false;
  return change;
}

Result<GraphChange> LiveGraph::reread(const Generations& generations) {
  Progress unseen;
  Found found = found_in(generations);
  Trace trace;
  if (!found.inputs.empty()) {
    Result<Trace> read = load(std::move(found), request_.loading, unseen);
    if (!read) return tl::unexpected(read.error());
    trace = *std::move(read);
  }
  // What is redacted gets its numbers in the order of the input, as in any other answer.
  std::unique_ptr<Door> before = std::exchange(door_, door_for(request_));
  Result<GraphRows> rows = rows_of_graph(std::move(trace), nullptr);
  if (!rows) {
    door_ = std::move(before);
    return tl::unexpected(rows.error());
  }
  parts_.note_all_shown();
  newest_ = rows->newest;
  return shown_.become(*rows);
}

Result<GraphChange> LiveGraph::choose(StoryOptions story) {
  std::swap(story_, story);
  Result<GraphChange> change = reread();
  if (!change) std::swap(story_, story);
  return change;
}

GraphRows LiveGraph::rows() const {
  GraphRows rows = shown_.rows();
  rows.newest = newest_;
  return rows;
}

void LiveGraph::note_messages(const RawTrace& trace) {
  std::unordered_set<uint32_t> spoken;
  for (const Prompt& prompt : trace.prompts)
    if (!prompt.is_command_output) spoken.insert(prompt.message.index);
  for (const Utterance& said : trace.utterances) {
    const bool is_users = said.kind == Utterance::Kind::asked && said.message &&
                          !said.in_subagent && said.session && said.time != kNoTime &&
                          trace[said.message].role == Message::Role::user &&
                          spoken.contains(said.message.index);
    if (!is_users) continue;
    Time& last = asked_.try_emplace(std::string(trace[said.session]), kNoTime).first->second;
    last = std::max(last, said.time);
  }
}

/// What identifies a session keeps its records in one part, so that a part knows all of it.
void LiveGraph::note_sessions(const Graph& graph) {
  const SessionStates states(graph);
  const Trace& trace = graph.trace();
  for (const Session& session : graph.sessions()) {
    if (!session.id || session.calls.empty()) continue;
    constexpr size_t kShownId = 8;  // as `list` shows it
    LiveSession& shown = sessions_[session_name(trace, session)];
    shown.label = door_->name(source_of(trace, session)).view();
    for (const std::string_view name : {door_->name(last_folder(trace[session.project])).view(),
                                        head(door_->name(trace[session.id]).view(), kShownId)})
      if (!name.empty()) shown.label += (shown.label.empty() ? "" : " ") + std::string(name);
    shown.state = states.of(session);
    shown.tool = door_->name(shown.state.tool).view();
    shown.state.tool = {};  // belongs to the graph
    const auto asked = asked_.find(trace[session.id]);
    if (asked == asked_.end() || shown.state.doing != Doing::user) continue;
    if (asked->second <= shown.state.since) continue;
    shown.state = {Doing::model, asked->second, {}};
    shown.tool = "your message";
  }
}

void LiveGraph::note_newest(Moment newest) {
  if (newest.time == kNoTime) return;
  if (newest_.time == kNoTime || newest_.time < newest.time) newest_ = newest;
}

}  // namespace xtrace
