#include "view/why/source_ranges.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/count.h"
#include "base/text.h"
#include "view/common/add_face.h"
#include "view/common/words.h"
#include "view/why/source_answer.h"
#include "view/why/source_picture.h"
#include "view/why/source_words.h"

namespace xtrace {

namespace {

/// `12 to 14`, or one number.
std::string lines_words(const SourceRange& range) {
  return range.first == range.last ? fmt::format("{}", range.first + 1)
                                   : fmt::format("{}-{}", range.first + 1, range.last + 1);
}

/// What a range is, for people.
Text range_words(const SourceAnswer& answer, const SourceRange& range) {
  constexpr size_t kLongest = 80;
  Door& door = answer.scene().question.door;
  if (!range.writer.is_known())
    return range.writer.is_context ? Text("no recorded edit; there before the edits around it")
                                   : Text("no recorded edit");
  const RecordedEdit* edit = answer.edit_of(range.writer);
  if (edit == nullptr) return door.name(words_of_claim(*answer.claim_of(range.writer)));
  const Text tool = answer.scene().names.text(edit->use->name);
  const Text prompt = answer.prompt(*edit, kLongest);
  return prompt.empty() ? tool : door.say("{}, for “{}”", tool.view(), prompt.view());
}

void add_source_head(const SourceAnswer& answer, Outline& shown) {
  Door& door = answer.scene().question.door;
  const SourceCounts& counts = answer.counts();
  const LineWriters& writers = answer.writers();
  shown.head.push_back(answer.question());
  shown.head.push_back({});
  shown.head.push_back(door.say(
      "{} of {} explained; no record explains {}{}{}", show_count(counts.explained),
      plural(counts.lines, "line"), show_count(counts.unexplained),
      counts.context > 0 ? fmt::format(" ({} there before the edits)", show_count(counts.context))
                         : "",
      counts.blank > 0 ? fmt::format(", and {} blank", plural(counts.blank, "line")) : ""));
  shown.head.push_back(
      door.say("{} of {} left lines that are still there", counts.edits,
               plural(static_cast<int64_t>(writers.edits.size()), "recorded edit")));
  if (writers.paths.size() > 1) {
    std::string paths;
    for (const std::string& path : writers.paths)
      paths +=
          fmt::format("{}{}", paths.empty() ? "" : ", ", answer.scene().names.text(path).view());
    shown.head.push_back(door.say("The edits are of {} paths: {}", writers.paths.size(), paths));
  }
  if (const AgentTraces* traces = answer.traces()) {
    std::set<uint64_t> about;
    for (const AgentTraceEntry& entry : traces->entries) about.insert(entry.line);
    shown.head.push_back(door.say(
        "Agent Trace: {} read from {}, {} of this file{}",
        plural(static_cast<int64_t>(traces->records), "record"),
        answer.scene().names.text(traces->path).view(), about.size(),
        traces->damaged > 0 ? fmt::format("; {} of it not readable as a record, the first at {}",
                                          plural(static_cast<int64_t>(traces->damaged), "line"),
                                          traces->first_damaged)
                            : ""));
  }
}

void add_source_foot(const SourceAnswer& answer, Outline& shown) {
  Door& door = answer.scene().question.door;
  for (const TraceClaim& claim : answer.writers().claims) {
    const std::string lines = fmt::format("{}-{}", claim.range->first, claim.range->last);
    if (claim.hash == TraceClaim::Hash::differs && claim.lines == 0)
      shown.foot.push_back(door.say("{}: lines {} have changed since, by its hash; not used",
                                    answer.record(claim).view(), lines));
    if (claim.contradicted > 0)
      shown.foot.push_back(door.say("{}: another edit wrote {} of its lines {}",
                                    answer.record(claim).view(), claim.contradicted, lines));
  }
}

Outline source_outline(const SourceAnswer& answer, bool unfold) {
  constexpr size_t kShown = 200;  // ranges
  Outline shown;
  add_source_head(answer, shown);
  const bool is_one_session = answer.scene().question.graph.sessions().size() == 1;
  shown.columns = {{"lines", true},
                   {"session", false, false, 3},
                   {"turn", false, false, 2},
                   {"agent", false, false, 4},
                   {"what", false, true},
                   {"by"},
                   {"confidence", Role::confidence},
                   {"at", false, false, 5, true}};
  if (is_one_session) shown.columns.erase(shown.columns.begin() + 1);
  Door& door = answer.scene().question.door;
  for (const SourceRange& range : answer.ranges()) {
    const RecordedEdit* edit = answer.edit_of(range.writer);
    const TraceClaim* claim = answer.claim_of(range.writer);
    Outline::Line line;
    line.tone = range.writer.is_known() ? Tone::plain : Tone::quiet;
    line.cells = {door.say("{}", lines_words(range)),
                  answer.session(range.writer),
                  edit ? door.say("turn {}", answer.turn(*edit)) : Text(),
                  edit ? answer.agent(*edit) : Text(),
                  range_words(answer, range),
                  Door::own(short_word(range.writer.method)),
                  range.writer.is_known() ? Cell(door.say("{:.2f}", range.confidence)) : Cell(),
                  edit    ? Cell(answer.scene().names.shown_at(edit->call))
                  : claim ? Cell(answer.record(*claim))
                          : Cell()};
    if (is_one_session) line.cells.erase(line.cells.begin() + 1);
    shown.lines.push_back(std::move(line));
  }
  if (!unfold && shown.lines.size() > kShown) {
    shown.foot.push_back(
        door.say("{} more; --unfold shows them",
                 plural(static_cast<int64_t>(shown.lines.size() - kShown), "range")));
    shown.lines.resize(kShown);
  }
  add_source_foot(answer, shown);
  return shown;
}

Drawing source_drawing(const SourceAnswer& answer) {
  SourcePicture picture(answer.path());
  Door& door = answer.scene().question.door;
  for (const SourceRange& range : answer.ranges()) {
    const RecordedEdit* edit = answer.edit_of(range.writer);
    if (edit == nullptr) continue;
    picture.add({.id = answer.scene().names.id(edit->call),
                 .tool = answer.scene().names.text(edit->use->name),
                 .agent = answer.agent(*edit),
                 .turn = door.say("turn {}", answer.turn(*edit)),
                 .session = answer.session(range.writer),
                 .lines = lines_words(range),
                 .confidence = range.confidence});
  }
  return picture.take(door);
}

}  // namespace

Result<Document> explain_source(const HopScene& scene, const SourceFile& file,
                                const AgentTraces* traces, bool unfold) {
  if (scene.question.payloads == nullptr)
    return fail(Exit::input, "--source: the input does not contain what edits were given");
  LineWriters writers = find_line_writers(scene.question, file, traces);
  if (writers.edits.empty() && writers.claims.empty())
    return fail(Exit::no,
                fmt::format("no recorded edit of {}{}", printable(file.path),
                            traces == nullptr ? "" : ", and no Agent Trace record of it"));
  const SourceAnswer answer(scene, file, traces, std::move(writers));
  Document document("explain");
  add_face(
      scene.question.face, document, [&] { add_source_tables(answer, document); },
      [&] { return source_drawing(answer); }, [&] { return source_outline(answer, unfold); });
  if (answer.counts().explained == 0) document.say_no();
  return document;
}

}  // namespace xtrace
