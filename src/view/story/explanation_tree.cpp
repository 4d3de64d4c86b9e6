#include <fmt/format.h>

#include <algorithm>

#include "base/lower.h"
#include "view/common/words.h"
#include "view/story/explanation.h"

namespace xtrace {

namespace {

/// More than this is more than anyone reads; the rest is counted.
constexpr size_t kLinesShown = 400;

class Tree {
 public:
  Tree(const ExplanationScene& scene, CellArena& arena)
      : scene_(scene), door_(scene.question.door), arena_(arena) {}

  Outline draw() {
    outline_.columns = {{"start", false, false, 2},  {"what", false, true},
                        {"type", false, false, 3},   {"in", Role::input, 4},
                        {"out", Role::output, 5},    {"cost", Role::cost},
                        {"took", Role::duration},    {"", false},
                        {"at", true, false, 1, true}};
    size_t left_out = 0;
    StringId task;
    bool any = false;
    for (uint32_t node : scene_.folded.order) {
      ExplanationScene::Shown shown = scene_.shown_at(node);
      // A summary takes the place of the first of its members in this order.
      if (shown.summary != nullptr && shown.summary->members.front() != node) continue;
      if (outline_.lines.size() >= kLinesShown) {
        ++left_out;
        continue;
      }
      ExplanationRow row(scene_, shown, arena_);
      if (!any || row.node.task != task) add_task(row.node);
      any = true;
      task = row.node.task;
      add(scene_.folded.depth[node] + 1, row);
    }
    add_foot(left_out);
    return std::move(outline_);
  }

 private:
  Text composed(std::string text) const { return door_.composed(std::move(text)); }

  void add_task(const StoryNode& node) {
    std::string title = fmt::format("task {}", scene_.names.text(scene_.story.task(node)).view());
    if (!node.task) title = "no task";
    if (node.start != kNoTime) title += " " + door_.zone().day(node.start);
    outline_.lines.push_back({0, Tone::heading, {Cell(), composed(std::move(title))}});
  }

  void add(uint32_t depth, const ExplanationRow& row) {
    const StoryNode& node = row.node;
    Door::At at(door_, row.place());
    std::string agent(scene_.names.text(scene_.story.agent(node)).view());
    std::string what = words_of(row);
    if (!agent.empty() && !node.is_query()) what = fmt::format("{}: {}", agent, what);
    std::string note;
    if (node.status != StepStatus::ok) note = lower(word(node.status));
    note = join_notes(std::move(note), notes_of(row));
    Tone tone = node.status == StepStatus::error ? Tone::error
                : row.shown.summary != nullptr   ? Tone::quiet
                : node.is_query()                ? Tone::agent
                                                 : Tone::plain;
    Cell when = node.start == kNoTime ? Cell() : Cell(start_of(scene_.graph, node));
    Duration took = row.shown.summary != nullptr ? row.total : node.latency;
    outline_.lines.push_back(
        {depth,
         tone,
         {when, composed(std::move(what)), Door::own(word(node.type)),
          known(tokens_sent(node.tokens)), known(node.tokens.output), row.cost(), known(took),
          known(composed(std::move(note))), scene_.names.at(place_of(scene_.graph, node))}});
    add_thought(depth, row);
    for (const Annotation& one : annotations_of(row)) add_annotation(depth, one);
    const std::string own = name_of(scene_.graph, scene_.story.nodes[row.shown.node]);
    for (const auto& [ends, notes] : scene_.annotations)
      if (row.shown.summary == nullptr && notes.front().to == own)
        for (const Annotation& one : notes) add_annotation(depth, one);
  }

  /// `question, ada: why gpt-4o?`; at level basic only that there is one.
  void add_annotation(uint32_t depth, const Annotation& one) {
    std::string text(scene_.names.text(std::string_view(one.kind)).view());
    if (one.node.empty())
      text +=
          fmt::format(" on the edge from {}", scene_.names.text(std::string_view(one.from)).view());
    if (!one.author.empty())
      text += fmt::format(", {}", scene_.names.text(std::string_view(one.author)).view());
    if (Text note = door_.payload(one.note); !note.empty())
      text += fmt::format(": {}", note.view());
    Outline::Line line{depth + 1, Tone::spawn, {Cell(), composed(std::move(text))}};
    line.is_prose = true;
    outline_.lines.push_back(std::move(line));
  }

  /// The chain of thought below its step, as far as --max-text lets it.
  void add_thought(uint32_t depth, const ExplanationRow& row) {
    const StoryNode& node = row.node;
    if (!node.call || !scene_.graph.trace()[node.call].is_thought) return;
    Text said = door_.payload(said_in(row));
    if (said.empty()) return;
    Outline::Line line{depth + 1, Tone::quiet, {Cell(), said}};
    line.is_prose = true;
    outline_.lines.push_back(std::move(line));
  }

  void add_foot(size_t left_out) {
    if (left_out > 0)
      outline_.foot.push_back(
          door_.say("{} more; -f json shows all", plural(static_cast<int64_t>(left_out), "node")));
    int64_t folded = 0, lacking = 0;
    for (const Summary& summary : scene_.folded.summaries)
      folded += static_cast<int64_t>(summary.members.size());
    for (const StoryNode& node : scene_.story.nodes) lacking += node.lacks_partner;
    if (folded > 0)
      outline_.foot.push_back(
          door_.say("{} of {} are folded into {}; --show raw shows all steps, --expand ID those "
                    "of one summary",
                    folded, plural(static_cast<int64_t>(scene_.story.nodes.size()), "step"),
                    scene_.folded.summaries.size() == 1
                        ? "1 summary"
                        : fmt::format("{} summaries", scene_.folded.summaries.size())));
    if (lacking > 0)
      outline_.foot.push_back(
          door_.say("{} without a counterpart in another log", plural(lacking, "step")));
    if (scene_.annotations_elsewhere > 0)
      outline_.foot.push_back(door_.say("{} for nodes or edges that are not in the input",
                                        plural(scene_.annotations_elsewhere, "annotation")));
    add_hidden(scene_.hidden, "step", "edge", door_, outline_.foot);
  }

  const ExplanationScene& scene_;
  Door& door_;
  CellArena& arena_;
  Outline outline_;
};

}  // namespace

Outline explanation_tree(const ExplanationScene& scene, CellArena& arena) {
  return Tree(scene, arena).draw();
}

}  // namespace xtrace
