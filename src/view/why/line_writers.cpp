#include "view/why/line_writers.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/number.h"
#include "base/parts.h"
#include "facts/tool_targets.h"
#include "link/activities/deed.h"
#include "settings/text_edits.h"

namespace xtrace {

namespace {

/// A tool use that is about the file.
struct FileUse {
  CallId call;
  const ToolUse* use;
  size_t nth;  ///< of the tool uses of the call
  bool changes;
};

std::string absolute(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::absolute(path, ignored).lexically_normal().string();
}

/// The uses of the file, in order. Where the very path that is asked about is among them, those of
/// other files with the same end are not: several folders may have one of that name.
std::vector<FileUse> uses_of_file(const Graph& graph, const SourceFile& file,
                                  std::vector<std::string>& paths) {
  const Trace& trace = graph.trace();
  struct Found {
    FileUse use;
    std::string path;
  };
  std::vector<Found> found;
  const std::string whole = absolute(file.path);
  bool has_whole = false;
  for (const CallId id : graph.timeline().in_order()) {
    const std::vector<const ToolUse*> uses = graph.tool_uses_of(id);
    for (size_t i = 0; i < uses.size(); ++i) {
      const ToolUse& use = *uses[i];
      const Deed deed = deed_of(trace[use.name]);
      const bool is_change = use.patches || changes(deed);
      if (!is_change && deed != Deed::read) continue;
      const std::vector<StringId> targets = targets_of(trace, use);
      const auto target =
          std::ranges::find_if(targets, [&](StringId one) { return file.is_named(trace[one]); });
      if (target == targets.end()) continue;
      const ActivityId at =
          graph.activities().of_tool_use[static_cast<size_t>(&use - trace.tool_uses.data())];
      if (at && graph.activities()[at].outcome == Outcome::error) continue;
      found.push_back({{id, &use, i, is_change}, std::string(trace[*target])});
      has_whole |= found.back().path == whole;
    }
  }
  std::vector<FileUse> uses;
  for (const Found& one : found) {
    if (has_whole && one.path != whole && one.path.starts_with('/')) continue;
    uses.push_back(one.use);
    if (one.use.changes && std::ranges::find(paths, one.path) == paths.end())
      paths.push_back(one.path);
  }
  return uses;
}

/// The text of a file in a result that numbers its lines: `   12→text`, `12\ttext`, `00012| text`.
/// What has no number is not of the file. Empty: it numbers none.
std::string without_numbers(std::string_view shown) {
  constexpr std::string_view kMarks[] = {"→", "\t", "| ", "|", ": "};
  std::string text;
  for_each_part(shown, '\n', [&](std::string_view line) {
    const size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos) return;
    size_t end = begin;
    while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
    if (end == begin) return;
    const std::string_view rest = line.substr(end);
    for (const std::string_view mark : kMarks)
      if (rest.starts_with(mark)) {
        text += rest.substr(mark.size());
        text += '\n';
        return;
      }
  });
  return text;
}

/// What a use that reads was answered with, if that is the file.
std::string contents_read(const Question& question, const FileUse& read) {
  const Graph& graph = question.graph;
  for (const uint32_t i : graph.effects_of(read.call)) {
    const Link& link = graph.links()[i];
    if (link.kind != LinkKind::tool_result || link.is_error || link.is_again ||
        link.key != read.use->id)
      continue;
    for (const Quote& said : question.payloads->quotes(graph.trace()[link.to]))
      if (said.kind == Quote::Kind::tool_result && said.tool_use == graph.trace()[read.use->id])
        return without_numbers(said.text);
  }
  return {};
}

std::vector<TextEdit> changes_by(const Question& question, const FileUse& use,
                                 const SourceFile& file) {
  const Trace& trace = question.graph.trace();
  const Excerpt said = question.payloads->read(trace[use.call]);
  const std::string given(arguments_of(said.tool_arguments, trace[use.use->id], use.nth));
  return text_edits_in(given, [&](std::string_view path) { return file.is_named(path); });
}

}  // namespace

std::string_view word(WriterMethod method) {
  constexpr std::string_view kWords[] = {"",         "patch_content", "id", "content_hash",
                                         "revision", "position"};
  return kWords[static_cast<size_t>(method)];
}

std::string_view word(TraceClaim::Hash hash) {
  constexpr std::string_view kWords[] = {"",      "not_checked", "fits",
                                         "moved", "fits_edit",   "differs"};
  return kWords[static_cast<size_t>(hash)];
}

LineWriters find_line_writers(const Question& question, const SourceFile& file,
                              const AgentTraces* traces) {
  LineWriters writers;
  FileHistory history;
  for (const FileUse& use : uses_of_file(question.graph, file, writers.paths)) {
    if (!use.changes) {
      const std::string text = contents_read(question, use);
      text.empty() ? history.note_existing() : history.note_contents(text);
      continue;
    }
    const auto number = static_cast<uint32_t>(writers.edits.size());
    RecordedEdit edit{
        .call = use.call, .use = use.use, .start = question.graph.trace()[use.call].start};
    for (const TextEdit& change : changes_by(question, use, file)) {
      history.apply(number, change);
      if (traces != nullptr && !change.after.empty()) edit.texts.push_back(change.after);
    }
    writers.edits.push_back(std::move(edit));
  }
  // An edit after the commit of a line has not written it.
  const auto accepts = [&](size_t line, uint32_t edit) {
    const Time start = writers.edits[edit].start, committed = file.blamed(line).committed;
    return committed == kNoTime || start == kNoTime || start <= committed;
  };
  const std::vector<std::string_view> lines(file.lines.begin(), file.lines.end());
  const std::vector<LineOrigin> origins = history.origins_of(lines, accepts);
  writers.lines.resize(lines.size());
  for (size_t i = 0; i < lines.size(); ++i) {
    LineWriter& writer = writers.lines[i];
    writer.is_context = origins[i].is_context;
    if (origins[i].edit == LineOrigin::kNone) continue;
    writer.evidence = evidence_of(origins[i]);
    if (!writer.evidence) continue;
    writer.edit = origins[i].edit;
    writer.method = WriterMethod::patch_content;
    writer.confidence = confidence_of(*writer.evidence);
    writer.rivals = origins[i].rivals;
  }
  if (traces != nullptr) apply_claims(question.graph, file, *traces, writers);
  return writers;
}

}  // namespace xtrace
