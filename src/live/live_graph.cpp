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
Moment newest_event(const Graph& graph, const Story& story) {
  Moment newest;
  for (const StoryNode& node : story.nodes)
    if (node.start > newest.time) newest = start_of(graph, node);
  return newest;
}

/// Names that were kept of steps.
class SaidNames final : public StoryNames {
 public:
  SaidNames(const TaskSteps::SaidEdge& said, Door& door) : said_(said), door_(door) {}
  Text id_of(uint32_t step) const override { return door_.composed(said_.said(step).id); }
  Text place_of(uint32_t step) const override { return door_.composed(said_.said(step).place); }
  Text key_of(const StoryEdge& edge) const override {
    return door_.composed(said_.said(edge.to).key);
  }
  Cell notes_of(const StoryEdge& /*edge*/, CellArena& /*arena*/) const override { return {}; }

 private:
  const TaskSteps::SaidEdge& said_;
  Door& door_;
};

}  // namespace

LiveGraph::LiveGraph(const Request& request, const StoryOptions& story, WriteRow write,
                     const Generations& generations, SharedLinks* links)
    : request_(request),
      story_(story),
      write_(std::move(write)),
      generations_(generations),
      links_(links),
      records_(request.loading),
      door_(door_for(request)) {
  story_.is_live = true;
  nothing_ = std::make_unique<const Graph>(link(Trace(), request_.link_options()));
}

Result<Linked> LiveGraph::link_records(std::vector<RecordAt> records, const Parts::Counts& counts,
                                       bool tasks_go_on) {
  linked_records_ += records.size();
  std::ranges::sort(
      records, [&](const RecordAt& a, const RecordAt& b) { return generations_.before(a, b); });
  LinkOptions linking = request_.link_options();
  linking.elsewhere.thoughts = !is_alone_ && parts_.has_thoughts_beside(counts);
  linking.elsewhere.call_spans = !is_alone_ && parts_.has_call_spans_beside(counts);
  linking.elsewhere.tasks = tasks_go_on;
  if (links_ == nullptr) return read_and_link(records, linking);
  uint64_t key = linking.elsewhere.thoughts + 2U * linking.elsewhere.call_spans + 4U * tasks_go_on;
  for (const RecordAt& record : records)
    key = chain(key, chain(record.offset, pair_of(record.generation, record.length)));
  if (std::optional<Linked> known = links_->find(key)) return *std::move(known);
  Result<Linked> linked = read_and_link(records, linking);
  return linked ? links_->keep(key, *std::move(linked)) : std::move(linked);
}

Result<Linked> LiveGraph::read_and_link(const std::vector<RecordAt>& records,
                                        const LinkOptions& linking) {
  Result<SomeRecords> some = records_.read(records, generations_);
  if (!some) return tl::unexpected(some.error());
  drop_ambiguous_lines(some->trace);
  note_messages(some->trace);
  Linked linked;
  linked.graph = std::make_shared<const Graph>(link(complete(std::move(some->trace)), linking));
  linked.payloads = file_payloads(linked.graph->trace());
  linked.generations = std::move(some->generations);
  if (linking.elsewhere.tasks)
    linked.story = std::make_shared<Story>(xtrace::tell_story(*linked.graph));
  note_sessions(*linked.graph);
  return linked;
}

Result<GraphRows> LiveGraph::rows_of_story(const Linked& linked,
                                           const std::shared_ptr<const Story>& story,
                                           const StoryOptions& options, bool with_edges) {
  const size_t mark = door_->composed_so_far();
  const Question question{*linked.graph, *door_, Face::tables, linked.payloads.get()};
  Result<Document> document = explanation(question, options, story);
  if (!document) return door_->pass(document.error());
  GraphRows rows = rows_of(*document, write_, with_edges);
  rows.newest = newest_event(*linked.graph, *story);
  door_->forget_composed(mark);
  return rows;
}

/// All that stands in these, as any other answer reads it.
Result<Linked> LiveGraph::link_all(const Generations& generations) {
  constexpr uint64_t kAll = 0;  // no hash of records
  if (links_ != nullptr)
    if (std::optional<Linked> known = links_->find(kAll)) return *std::move(known);
  Progress unseen;
  Found found = found_in(generations);
  Trace trace;
  if (!found.inputs.empty()) {
    Result<Trace> read = load(std::move(found), request_.loading, unseen);
    if (!read) return tl::unexpected(read.error());
    trace = *std::move(read);
  }
  Linked all;
  all.graph = std::make_shared<const Graph>(link(std::move(trace), request_.link_options()));
  all.payloads = file_payloads(all.graph->trace());
  return links_ != nullptr ? links_->keep(kAll, std::move(all)) : std::move(all);
}

Result<GraphRows> LiveGraph::rows_of_all(const Linked& all) {
  const Graph& graph = *all.graph;
  const size_t mark = door_->composed_so_far();
  const Question question{graph, *door_, Face::tables, all.payloads.get()};
  Result<Document> document = explanation(question, story_);
  if (!document) return door_->pass(document.error());
  GraphRows rows = rows_of(*document, write_);
  rows.newest = newest_event(graph, *graph.story());
  sessions_.clear();
  note_sessions(graph);
  if (!request_.graph.snapshot.empty()) {
    std::ostringstream json;
    write_json(*document, request_.paper, json);
    whole_ = std::move(json).str();
  }
  door_->forget_composed(mark);
  return rows;
}

/// Do the parts of a group need no more than to have their steps put in order? What is in focus,
/// and what people noted, may stand in any of them.
bool LiveGraph::is_told_by_part(const Parts::Group& group) const {
  return group.is_joined_by_order() && story_.focus.empty() && story_.annotations.empty();
}

/// Says what is new in the graph of some records, against their own of before: a reading of
/// everything may have found better, which stays where they have nothing new to say.
Status LiveGraph::add_changes(Parts::Touched& touched, GraphDelta& delta) {
  Parts::Group& group = *touched.group;
  GraphDelta unseen;
  if (!is_told_by_part(group)) {
    if (!group.rows.is_known)
      if (Status told = tell_as_one(group, true, unseen); !told) return told;
    return tell_as_one(group, false, delta);
  }
  std::vector<uint32_t> unknown;
  for (uint32_t part : group.parts)
    if (!parts_[part].rows.is_known) unknown.push_back(part);
  std::ranges::sort(unknown);
  if (!unknown.empty())
    if (Status told = tell_parts(group, unknown, true, unseen); !told) return told;
  return tell_parts(group, touched.parts, false, delta);
}

/// All parts of a group; `before`: as they were when they were told last.
Status LiveGraph::tell_as_one(Parts::Group& group, bool before, GraphDelta& delta) {
  std::vector<RecordAt> records;
  for (uint32_t i : group.parts) {
    Parts::Part& part = parts_[i];
    if (!before) part.shown = part.records.size();
    records.insert(records.end(), part.records.begin(),
                   part.records.begin() + static_cast<std::ptrdiff_t>(part.shown));
    part.rows.forget();
  }
  group.steps = {};
  group.story = {};
  Result<Linked> linked = link_records(std::move(records), group.counts, false);
  if (!linked) return tl::unexpected(linked.error());
  Result<GraphRows> rows = rows_of_story(*linked, linked->graph->story(), story_, true);
  if (!rows) return tl::unexpected(rows.error());
  if (!before) note_newest(rows->newest);
  group.rows.become(*std::move(rows), delta);
  return {};
}

/// Links a part as far as it was told, and adds what its steps cost.
Status LiveGraph::link_part(uint32_t i, std::vector<Linked>& linked,
                            std::vector<TaskSteps::Priced>& priced) {
  const Parts::Part& part = parts_[i];
  std::vector<RecordAt> records(part.records.begin(),
                                part.records.begin() + static_cast<std::ptrdiff_t>(part.shown));
  Result<Linked> one = link_records(std::move(records), part.counts, true);
  if (!one) return tl::unexpected(one.error());
  one->part = i;
  for (const StoryNode& node : one->story->nodes)
    if (node.cost >= 0)
      priced.push_back({i, words_.pool->intern(one->story->task(node)).index, node.cost, 0});
  linked.push_back(*std::move(one));
  return {};
}

/// Some parts of a group, named in order, each alone, and the order of all its steps.
Status LiveGraph::tell_parts(Parts::Group& group, const std::vector<uint32_t>& parts, bool before,
                             GraphDelta& delta) {
  if (std::exchange(group.has_joined, false)) {
    const auto find = [&](uint32_t part) { return parts_.find(part); };
    group.steps.rename(find);
    group.story.rename(find);
  }
  group.rows.forget();
  std::vector<Linked> linked;
  std::vector<TaskSteps::Priced> priced;
  for (uint32_t i : parts) {
    if (!before) parts_[i].shown = parts_[i].records.size();
    if (Status added = link_part(i, linked, priced); !added) return added;
  }
  group.steps.replace(parts, std::exchange(priced, {}));
  std::vector<uint32_t> all = parts;
  const std::vector<uint32_t> others = group.steps.parts_with_other_spikes();
  for (uint32_t i : others)
    if (Status added = link_part(i, linked, priced); !added) return added;
  group.steps.replace(others, std::move(priced));
  all.insert(all.end(), others.begin(), others.end());
  std::ranges::sort(all);
  if (!shows_all()) {
    if (Status put = replace_in_story(group, all, linked, !before); !put) return put;
    return tell_story(group, !before, delta);
  }
  std::vector<TaskSteps::Step> steps;
  for (const Linked& one : linked)
    if (Status told = tell_part(group, one, !before, delta, steps); !told) return told;
  group.steps.replace(all, std::move(steps));
  group.steps.order(delta, [&](const TaskSteps::SaidEdge& edge) { return write_edge(edge); });
  return {};
}

/// All steps of a part, whatever of them is shown.
Result<SaidPart> LiveGraph::say_part(const Parts::Group& group, const Linked& linked) {
  Story& story = *linked.story;
  for (size_t i = 0; i < story.nodes.size(); ++i) {
    StoryNode& node = story.nodes[i];
    const uint32_t task = words_.pool->intern(story.task(node)).index;
    if (node.cost >= 0) node.cost_spike = group.steps.spike_of(task, node.cost);
    story.places[i].task = task;
  }
  StoryOptions options = story_;
  options.show = "raw";
  options.filter = {};
  Result<GraphRows> rows = rows_of_story(linked, linked.story, options, false);
  if (!rows) return tl::unexpected(rows.error());
  std::vector<TaskSteps::Said> said = said_of(linked, *rows, *door_);
  return SaidPart{linked, generations_, *std::move(rows), std::move(said)};
}

Status LiveGraph::tell_part(const Parts::Group& group, const Linked& linked, bool is_new,
                            GraphDelta& delta, std::vector<TaskSteps::Step>& steps) {
  Result<SaidPart> part = say_part(group, linked);
  if (!part) return tl::unexpected(part.error());
  const Story& story = *linked.story;
  add_edges(*part);
  for (size_t i = 0; i < story.nodes.size(); ++i)
    if (story.places[i].counts()) steps.push_back(task_step(*part, i));
  if (is_new) note_newest(part->rows.newest);
  const PartNames names(*part, *door_);
  const auto write = [&](size_t i) { return write_edge(names, story.edges[i]); };
  parts_[linked.part].rows.become(std::move(part->rows), delta, write);
  return {};
}

/// `parts`: those that are linked, in order.
Status LiveGraph::replace_in_story(Parts::Group& group, const std::vector<uint32_t>& parts,
                                   const std::vector<Linked>& linked, bool is_new) {
  std::vector<GroupStory::PartStory> stories;
  for (const Linked& one : linked) {
    Result<SaidPart> part = say_part(group, one);
    if (!part) return tl::unexpected(part.error());
    if (is_new) note_newest(part->rows.newest);
    parts_[one.part].rows = {};
    stories.push_back(part_story(*part, words_, *door_));
  }
  group.story.replace(parts, std::move(stories));
  return {};
}

/// What folds, or is filtered, of a group whose parts are linked each alone.
Status LiveGraph::tell_story(Parts::Group& group, bool is_seen, GraphDelta& delta) {
  const GroupStory::Telling telling{story_, *door_, *nothing_, write_, words_};
  for (;;) {
    Result<std::vector<uint32_t>> lacking = group.story.tell(telling, is_seen, delta);
    if (!lacking) return door_->pass(lacking.error());
    if (lacking->empty()) return {};
    std::vector<Linked> linked;
    std::vector<TaskSteps::Priced> known;
    for (const uint32_t part : *lacking)
      if (Status added = link_part(part, linked, known); !added) return added;
    if (Status put = replace_in_story(group, *lacking, linked, is_seen); !put) return put;
  }
}

std::string LiveGraph::write_edge(const StoryNames& names, const StoryEdge& edge) const {
  std::string row;
  const size_t mark = door_->composed_so_far();
  const Stream::Write write = [&](std::span<const Cell> cells) {
    write_(row, story_edge_columns(), cells);
  };
  Rows<StoryEdgeRow> rows(story_edge_fields(), *door_, write);
  rows.write({names, edge, rows.arena()});
  door_->forget_composed(mark);
  return row;
}

std::string LiveGraph::write_edge(const TaskSteps::SaidEdge& said) const {
  StoryEdge edge;
  edge.from = said.edge.from;
  edge.to = said.edge.to;
  edge.rule = said.edge.rule;
  edge.relation = said.edge.relation;
  edge.confidence = said.edge.confidence;
  edge.rivals = said.edge.rivals;
  return write_edge(SaidNames(said, *door_), edge);
}

Result<GraphChange> LiveGraph::update() {
  GraphDelta delta;
  for (Parts::Touched& touched : parts_.touched())
    if (Status added = add_changes(touched, delta); !added) return tl::unexpected(added.error());
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
  const Result<Linked> all = link_all(generations);
  if (!all) return tl::unexpected(all.error());
  // What is redacted gets its numbers in the order of the input, as in any other answer.
  std::unique_ptr<Door> before = std::exchange(door_, door_for(request_));
  Result<GraphRows> rows = rows_of_all(*all);
  if (!rows) {
    door_ = std::move(before);
    return tl::unexpected(rows.error());
  }
  parts_.note_all_shown();
  // What was replaced may have other numbers now.
  if (!before->redactor().counts().empty() || !door_->redactor().counts().empty()) parts_.forget();
  newest_ = rows->newest;
  return shown_.become(*rows);
}

Result<GraphChange> LiveGraph::choose(StoryOptions story) {
  std::swap(story_, story);
  Result<GraphChange> change = reread();
  if (change)
    parts_.forget();
  else
    std::swap(story_, story);
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
  const auto is_named = [](const Session& session) { return static_cast<bool>(session.id); };
  if (std::ranges::none_of(graph.sessions(), is_named)) return;
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
