#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/why/explain_fields.h"
#include "view/why/source_answer.h"
#include "view/why/source_words.h"

namespace xtrace {

namespace {

struct FileRow {
  const SourceAnswer& answer;
  CellArena& arena;
};
constexpr Field<FileRow> kFile[] = {
    {{"source.path", "the file that was asked about", CellKind::text},
     [](const FileRow& row) { return Cell(row.answer.path()); }},
    {{"source.lines", "lines of the file", CellKind::integer},
     [](const FileRow& row) { return Cell(row.answer.counts().lines); }},
    {{"source.explained", "lines that a recorded edit or an Agent Trace record explains",
      CellKind::integer},
     [](const FileRow& row) { return Cell(row.answer.counts().explained); }},
    {{"source.unexplained", "other lines that are not blank", CellKind::integer},
     [](const FileRow& row) { return Cell(row.answer.counts().unexplained); }},
    {{"source.there_before",
      "unexplained lines that edits show, and that were there before these edits",
      CellKind::integer},
     [](const FileRow& row) { return Cell(row.answer.counts().context); }},
    {{"source.blank", "other lines, which are blank", CellKind::integer},
     [](const FileRow& row) { return Cell(row.answer.counts().blank); }},
    {{"source.edits", "recorded edits of the file", CellKind::integer},
     [](const FileRow& row) {
       return Cell(static_cast<int64_t>(row.answer.writers().edits.size()));
     }},
    {{"source.edits_left", "recorded edits that wrote lines which are still there",
      CellKind::integer},
     [](const FileRow& row) { return Cell(row.answer.counts().edits); }},
    {{"source.edited_paths", "paths of the edited files in the logs; several files may be meant",
      CellKind::texts},
     [](const FileRow& row) {
       Texts paths;
       for (const std::string& path : row.answer.writers().paths)
         paths.push_back(row.answer.scene().names.text(path));
       return some(std::move(paths), row.arena);
     }},
    {{"source.agent_trace_file", "file with Agent Trace records that was read", CellKind::text},
     [](const FileRow& row) {
       const AgentTraces* traces = row.answer.traces();
       return traces == nullptr ? Cell() : Cell(row.answer.scene().names.text(traces->path));
     }},
    {{"source.agent_trace_records", "records in it", CellKind::integer},
     [](const FileRow& row) {
       const AgentTraces* traces = row.answer.traces();
       return traces == nullptr ? Cell() : Cell(static_cast<int64_t>(traces->records));
     }},
    {{"source.agent_trace_damaged", "lines of it that are no such records", CellKind::integer},
     [](const FileRow& row) {
       const AgentTraces* traces = row.answer.traces();
       return traces == nullptr ? Cell() : some(static_cast<int64_t>(traces->damaged));
     }},
};

struct RangeRow {
  const SourceAnswer& answer;
  const SourceRange& range;
  const RecordedEdit* edit;
  const TraceClaim* claim;
};
const Names& names_of(const RangeRow& row) {
  return row.answer.scene().names;
}
constexpr Field<RangeRow> kRanges[] = {
    {{"first_line", "first line of the range, from 1", CellKind::integer, true},
     [](const RangeRow& row) { return Cell(static_cast<int64_t>(row.range.first + 1)); }},
    {{"last_line", "last line of the range", CellKind::integer, true},
     [](const RangeRow& row) { return Cell(static_cast<int64_t>(row.range.last + 1)); }},
    {{"explained", "false: no record explains these lines", CellKind::boolean, true},
     [](const RangeRow& row) { return Cell(row.range.writer.is_known()); }},
    {{"method", kWriterMethodHelp, CellKind::text},
     [](const RangeRow& row) { return known(Door::own(word(row.range.writer.method))); }},
    {{"evidence", kLineEvidenceHelp, CellKind::text},
     [](const RangeRow& row) { return evidence_cell(row.range.writer.evidence); }},
    {{"confidence", "confidence that this edit wrote a line of the range, 0 to 1; measured",
      CellKind::number},
     [](const RangeRow& row) {
       return row.range.writer.is_known() ? Cell(thousandths(row.range.confidence)) : Cell();
     }},
    {{"rivals", "other edits that wrote lines with the same words", CellKind::integer},
     [](const RangeRow& row) { return some(int64_t{row.range.writer.rivals}); }},
    {{"session", "", CellKind::text},
     [](const RangeRow& row) { return known(row.answer.session(row.range.writer)); }},
    {{"turn", "number of the turn, from 1 in each conversation", CellKind::integer},
     [](const RangeRow& row) {
       return row.edit == nullptr ? Cell() : some(int64_t{row.answer.turn(*row.edit)});
     }},
    {{"agent", "agent that made the edit", CellKind::text},
     [](const RangeRow& row) { return row.edit ? Cell(row.answer.agent(*row.edit)) : Cell(); }},
    {{"is_subagent", "true if another agent started that agent", CellKind::boolean},
     [](const RangeRow& row) {
       return if_true(row.edit != nullptr && row.answer.is_subagent(*row.edit));
     }},
    {{"tool", "", CellKind::text},
     [](const RangeRow& row) {
       return row.edit ? known(names_of(row).text(row.edit->use->name)) : Cell();
     }},
    {{"tool_use", "id of the edit", CellKind::text},
     [](const RangeRow& row) {
       return row.edit ? known(names_of(row).text(row.edit->use->id)) : Cell();
     }},
    {{"call", "call that asked for the edit; to explain it, pass it to --node", Role::node},
     [](const RangeRow& row) {
       return row.edit ? Cell(names_of(row).id(row.edit->call)) : Cell();
     }},
    {{"start", "", CellKind::moment},
     [](const RangeRow& row) {
       return row.edit == nullptr || row.edit->start == kNoTime ? Cell()
                                                                : Cell(Moment{row.edit->start, 3});
     }},
    {{"at", "", CellKind::text},
     [](const RangeRow& row) {
       return row.edit ? Cell(names_of(row).at(row.edit->call)) : Cell();
     }},
    {{"prompt", "the user's message of that turn, at level full", CellKind::text},
     [](const RangeRow& row) {
       return row.edit ? known(row.answer.prompt(*row.edit, 0)) : Cell();
     }},
    {{"record", "line of the Agent Trace record that attributes the range", CellKind::text},
     [](const RangeRow& row) { return row.claim ? Cell(row.answer.record(*row.claim)) : Cell(); }},
    {{"conversation", "the conversation that the record names", CellKind::text},
     [](const RangeRow& row) {
       return row.claim ? known(names_of(row).text(row.claim->entry->url)) : Cell();
     }},
    {{"contributor", "human, ai, mixed or unknown, as the record has it", CellKind::text},
     [](const RangeRow& row) {
       return row.claim ? known(names_of(row).text(row.claim->range->contributor)) : Cell();
     }},
};

struct ClaimRow {
  const SourceAnswer& answer;
  const TraceClaim& claim;
  Text text(std::string_view name) const { return answer.scene().names.text(name); }
};
constexpr Field<ClaimRow> kClaims[] = {
    {{"record", "id of the Agent Trace record", CellKind::text, true},
     [](const ClaimRow& row) { return Cell(row.text(row.claim.entry->record)); }},
    {{"at", "", CellKind::text, true},
     [](const ClaimRow& row) { return Cell(row.answer.record(row.claim)); }},
    {{"timestamp", "when it was recorded", CellKind::moment},
     [](const ClaimRow& row) { return known(row.claim.entry->time); }},
    {{"tool", "agent product that wrote it", CellKind::text},
     [](const ClaimRow& row) { return known(row.text(row.claim.entry->tool)); }},
    {{"first_line", "as recorded, in the file as it was then", CellKind::integer, true},
     [](const ClaimRow& row) { return Cell(static_cast<int64_t>(row.claim.range->first)); }},
    {{"last_line", "", CellKind::integer, true},
     [](const ClaimRow& row) { return Cell(static_cast<int64_t>(row.claim.range->last)); }},
    {{"contributor", "", CellKind::text},
     [](const ClaimRow& row) { return known(row.text(row.claim.range->contributor)); }},
    {{"model", "", CellKind::text},
     [](const ClaimRow& row) { return known(row.text(row.claim.range->model)); }},
    {{"conversation", "address of the conversation", CellKind::text},
     [](const ClaimRow& row) { return known(row.text(row.claim.entry->url)); }},
    {{"in_input", "true if the input contains what the record names", CellKind::boolean, true},
     [](const ClaimRow& row) { return Cell(row.claim.is_in_input); }},
    {{"session", "session in the input that it names", CellKind::text},
     [](const ClaimRow& row) {
       const auto& sessions = row.answer.scene().question.graph.sessions();
       return row.claim.session == LineWriter::kNone
                  ? Cell()
                  : Cell(row.answer.scene().names.session(sessions[row.claim.session]));
     }},
    {{"content_hash",
      "fits: the recorded lines have it; moved: other lines have it; fits_edit: what the edit "
      "put in has it; differs: nothing has it; not_checked: hash of an unknown kind",
      CellKind::text},
     [](const ClaimRow& row) { return known(Door::own(word(row.claim.hash))); }},
    {{"lines", "lines of the file that are attributed by it", CellKind::integer, true},
     [](const ClaimRow& row) { return Cell(static_cast<int64_t>(row.claim.lines)); }},
    {{"contradicted", "lines of its range that another recorded edit wrote", CellKind::integer},
     [](const ClaimRow& row) { return some(static_cast<int64_t>(row.claim.contradicted)); }},
};

}  // namespace

void add_source_tables(const SourceAnswer& answer, Document& document) {
  add_preface("xtrace.explain/1", answer.scene().question, answer.scene().names, {}, document,
              Meanings::always, Covers::joined);
  document.add(record_of<kHead>({}, {answer.question(), answer.path(), Text("file")}));
  document.add(record_of<kFile>({}, {answer, document.arena()}));
  Table ranges = table_of<kRanges>("ranges");
  for (const SourceRange& range : answer.ranges())
    add_fields(kRanges,
               {answer, range, answer.edit_of(range.writer), answer.claim_of(range.writer)},
               ranges);
  document.add(std::move(ranges));
  Table claims = table_of<kClaims>("agent_trace");
  for (const TraceClaim& claim : answer.writers().claims)
    add_fields(kClaims, {answer, claim}, claims);
  document.add(std::move(claims));
}

std::vector<Section> shape_of_source_tables() {
  return {Record{table_of<kHead>({})}, Record{table_of<kFile>({})}, table_of<kRanges>("ranges"),
          table_of<kClaims>("agent_trace")};
}

}  // namespace xtrace
