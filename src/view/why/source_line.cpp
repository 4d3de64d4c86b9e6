#include "view/why/source_line.h"

#include <fmt/format.h>

#include "base/text.h"
#include "view/common/field.h"
#include "view/common/words.h"
#include "view/why/explain_call.h"
#include "view/why/source_words.h"

namespace xtrace {

namespace {

struct LineRow {
  Text at, commit, tool, tool_use, record;
  Cell committed;
  const LineWriter& writer;
  int64_t edits;
};
// Answers about anything else have none of them.
constexpr Field<LineRow> kLine[] = {
    {{"source_line.at", "the line that was asked about", CellKind::text}, member<&LineRow::at>},
    {{"source_line.commit", "its commit, by git blame", CellKind::text},
     [](const LineRow& row) { return known(row.commit); }},
    {{"source_line.committed", "time of that commit; later edits are no candidates",
      CellKind::moment},
     member<&LineRow::committed>},
    {{"source_line.tool", "tool that wrote the line", CellKind::text}, member<&LineRow::tool>},
    {{"source_line.tool_use", "its id", CellKind::text},
     [](const LineRow& row) { return known(row.tool_use); }},
    {{"source_line.method", kWriterMethodHelp, CellKind::text},
     [](const LineRow& row) { return Cell(Door::own(word(row.writer.method))); }},
    {{"source_line.evidence", kLineEvidenceHelp, CellKind::text},
     [](const LineRow& row) { return evidence_cell(row.writer.evidence); }},
    {{"source_line.confidence", "confidence that this edit wrote the line, 0 to 1; measured",
      CellKind::number},
     [](const LineRow& row) { return Cell(thousandths(row.writer.confidence)); }},
    {{"source_line.record", "line of the Agent Trace record that agrees", CellKind::text},
     [](const LineRow& row) { return known(row.record); }},
    {{"source_line.edits", "recorded edits of the file", CellKind::integer},
     member<&LineRow::edits>},
    {{"source_line.rivals", "other edits that wrote a line with the same words", CellKind::integer},
     [](const LineRow& row) { return Cell(int64_t{row.writer.rivals}); }},
};

Text words_of(const LineRow& row, const HopScene& scene, CallId call) {
  return scene.question.door.say(
      "{} was written by {} at {} ({}, {:.2f}{})", row.at.view(), row.tool.view(),
      scene.names.shown_at(call).view(), words_of_method(row.writer.method), row.writer.confidence,
      row.writer.rivals > 0
          ? fmt::format("; {} wrote such a line", plural(row.writer.rivals, "other edit"))
          : "");
}

/// Why no edit is explained: with what a record says, if one is about the line.
tl::unexpected<Error> no_edit(const HopScene& scene, const std::string& place,
                              const LineWriters& writers, const LineWriter& line) {
  std::string why =
      fmt::format("no recorded edit wrote {}: {} of the file recorded", printable(place),
                  plural(static_cast<int64_t>(writers.edits.size()), "edit"));
  if (line.claim != LineWriter::kNone) {
    const Error words{Exit::no, words_of_claim(writers.claims[line.claim])};
    return scene.question.door.pass(
        {Exit::no, fmt::format("{}; an Agent Trace record says that {}", why, words.what)});
  }
  if (line.is_context)
    why += ", and what they show of it was there before them";
  else if (!writers.edits.empty())
    why += ", none with this line";
  return fail(Exit::no, why);
}

}  // namespace

Record shape_of_source_line() {
  return Record{table_of<kLine>({})};
}

Result<Document> explain_source_line(const HopScene& scene, const SourceFile& file, size_t number,
                                     const AgentTraces* traces, const Listing& listing) {
  const Question& question = scene.question;
  if (question.payloads == nullptr)
    return fail(Exit::input, "--source-line: the input does not contain what edits were given");
  const LineWriters writers = find_line_writers(question, file, traces);
  const LineWriter& writer = writers.lines[number - 1];
  const std::string place = fmt::format("{}:{}", file.path, number);
  if (writer.edit == LineWriter::kNone) return no_edit(scene, place, writers, writer);
  const RecordedEdit& edit = writers.edits[writer.edit];
  const BlamedLine& blamed = file.blamed(number - 1);
  const LineRow row{
      .at = question.door.name(place),
      .commit = question.door.name(blamed.commit),
      .tool = scene.names.text(edit.use->name),
      .tool_use = scene.names.text(edit.use->id),
      .record = writer.claim == LineWriter::kNone || traces == nullptr
                    ? Text()
                    : place_of_record(question.door, *traces, *writers.claims[writer.claim].entry),
      .committed = known(Moment{blamed.committed, 0}),
      .writer = writer,
      .edits = static_cast<int64_t>(writers.edits.size())};
  Document document = explain_call(scene, edit.call, {}, listing);
  if (question.face == Face::tables) document.add(record_of<kLine>({}, row));
  if (question.face == Face::outline)
    if (Outline* outline = std::get_if<Outline>(&document.section(0)))
      outline->head.insert(outline->head.begin(), {words_of(row, scene, edit.call), Text()});
  return document;
}

}  // namespace xtrace
