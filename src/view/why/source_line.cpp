#include "view/why/source_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/number.h"
#include "base/parts.h"
#include "base/text.h"
#include "facts/tool_targets.h"
#include "link/activities/deed.h"
#include "settings/arguments.h"
#include "view/common/field.h"
#include "view/common/words.h"
#include "view/why/explain_call.h"

namespace xtrace {

namespace {

/// Lines before and after the one asked about, which distinguish it from others with the same
/// words.
constexpr size_t kAround = 2;

tl::unexpected<Error> bad_line(const std::string& place, std::string_view why) {
  return fail(Exit::usage, fmt::format("--source-line: '{}' {}", printable(place), why));
}

Result<SourceLine> read_line(const std::string& place) {
  const size_t colon = place.rfind(':');
  const auto number = colon == std::string::npos
                          ? std::nullopt
                          : number_of<size_t>(std::string_view(place).substr(colon + 1));
  if (!number || *number == 0) return bad_line(place, "is not FILE:LINE, such as src/a.cpp:12");
  SourceLine line;
  line.place = place;
  line.path = place.substr(0, colon);
  line.number = *number;
  std::ifstream file(line.path, std::ios::binary);
  if (!file) return fail(Exit::input, fmt::format("cannot open '{}'", printable(line.path)));
  for (std::string one; std::getline(file, one);) line.lines.push_back(fold_white_space(one));
  if (line.number > line.lines.size())
    return bad_line(place, fmt::format("is behind the end: the file has {}",
                                       plural(static_cast<int64_t>(line.lines.size()), "line")));
  if (line.text().empty()) return bad_line(place, "is an empty line");
  return line;
}

/// Of the porcelain format: `COMMIT OLD NEW [COUNT]` begins each line of the file, and the first
/// time that a commit is named, its `committer-time` follows.
Status read_blame(const std::string& path, SourceLine& line) {
  std::ifstream file;
  if (path != "-") file.open(path, std::ios::binary);
  if (path != "-" && !file)
    return fail(Exit::input, fmt::format("cannot open '{}'", printable(path)));
  std::istream& in = path == "-" ? std::cin : file;
  std::string commit;
  std::map<std::string, Time> times;
  for (std::string one; std::getline(in, one);) {
    if (one.starts_with('\t')) continue;
    std::vector<std::string_view> words;
    for_each_part(one, ' ', [&](std::string_view word) { words.push_back(word); });
    const bool is_commit = words.size() >= 3 && words[0].size() >= 40 &&
                           words[0].find_first_not_of("0123456789abcdef") == words[0].npos;
    if (is_commit) {
      commit = words[0];
      if (number_of<size_t>(words[2]) == line.number) line.commit = commit;
    } else if (words.size() == 2 && words[0] == "committer-time") {
      if (const auto seconds = number_of<int64_t>(words[1]))
        times[commit] = Time(std::chrono::seconds(*seconds));
    }
  }
  if (line.commit.empty())
    return fail(Exit::input, fmt::format("--blame: '{}' does not name line {}; it takes the output "
                                         "of git blame --porcelain {}",
                                         printable(path), line.number, printable(line.path)));
  constexpr std::string_view kNotCommitted = "0000000";
  if (!line.commit.starts_with(kNotCommitted)) line.committed = times[line.commit];
  return {};
}

/// Is it the same file? One of the paths may be longer: a log has whole paths, a user types short
/// ones.
bool is_same_path(std::string_view a, std::string_view b) {
  while (a.starts_with("./")) a.remove_prefix(2);
  while (b.starts_with("./")) b.remove_prefix(2);
  if (a.size() < b.size()) std::swap(a, b);
  return a == b || (!b.empty() && a.ends_with(b) && a[a.size() - b.size() - 1] == '/');
}

/// How much of the line and of those around it a text writes: 0: not the line.
size_t match_in(const std::string& text, const SourceLine& line) {
  std::vector<std::string> lines;
  for_each_part(text, '\n', [&](std::string_view one) {
    // A patch marks what it adds, and what it takes away does not count.
    const bool is_added = one.starts_with('+');
    lines.push_back(one.starts_with('-') ? std::string()
                                         : fold_white_space(is_added ? one.substr(1) : one));
  });
  size_t best = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] != line.text()) continue;
    size_t score = 1;
    for (size_t k = 1; k <= kAround; ++k) {
      const size_t at = line.number - 1;
      score += at >= k && i >= k && lines[i - k] == line.lines[at - k];
      score +=
          at + k < line.lines.size() && i + k < lines.size() && lines[i + k] == line.lines[at + k];
    }
    best = std::max(best, score);
  }
  return best;
}

/// The same of what a tool was given: what it replaces (`old_string`) does not count.
size_t match_of(const std::string& given, const SourceLine& line) {
  const Arguments arguments(given);
  size_t best = 0;
  for (const auto& [path, value] : arguments.values()) {
    const std::string_view name = std::string_view(path).substr(path.rfind('.') + 1);
    if (name.starts_with("old") || arguments.holds(path)) continue;
    best = std::max(best, match_in(value, line));
  }
  return best;
}

/// The edit that wrote the line.
struct Writer {
  CallId call;
  const ToolUse* use = nullptr;
  size_t score = 0;   ///< of match_of()
  size_t edits = 0;   ///< of the file, on record
  size_t rivals = 0;  ///< earlier edits that fit as well

  /// Priors, until they are measured: a line that one edit alone has written, with the lines around
  /// it, is its; of equal ones the last one replaced what the others wrote; a brace says little.
  double confidence(const SourceLine& line) const {
    constexpr size_t kTelling = 8;  // characters: shorter lines are in many files
    const bool is_telling = score > 1 || line.text().size() >= kTelling;
    return !is_telling ? 0.4 : rivals > 0 ? 0.8 : score > 1 ? 0.98 : 0.95;
  }
};

Writer find_writer(const Question& question, const SourceLine& line) {
  const Graph& graph = question.graph;
  const Trace& trace = graph.trace();
  Writer best;
  for (const CallId id : graph.timeline().in_order()) {
    const std::vector<const ToolUse*> uses = graph.tool_uses_of(id);
    std::optional<Excerpt> said;  // read where one of them may be it
    for (size_t i = 0; i < uses.size(); ++i) {
      const ToolUse& use = *uses[i];
      if (!use.patches && !changes(deed_of(trace[use.name]))) continue;
      const std::vector<StringId> targets = targets_of(trace, use);
      if (std::none_of(targets.begin(), targets.end(),
                       [&](StringId target) { return is_same_path(trace[target], line.path); }))
        continue;
      const ActivityId at =
          graph.activities().of_tool_use[static_cast<size_t>(&use - trace.tool_uses.data())];
      if (at && graph.activities()[at].outcome == Outcome::error) continue;
      ++best.edits;
      const Time start = trace[id].start;
      if (line.committed != kNoTime && start != kNoTime && start > line.committed) continue;
      if (!said) said = question.payloads->read(trace[id]);
      const std::string_view given = arguments_of(said->tool_arguments, trace[use.id], i);
      const size_t score = match_of(std::string(given), line);
      if (score == 0 || score < best.score) continue;
      best.rivals = score == best.score ? best.rivals + 1 : 0;
      best.call = id;
      best.use = &use;
      best.score = score;
    }
  }
  return best;
}

struct LineRow {
  Text at, commit, tool, tool_use;
  Cell committed;
  double confidence;
  int64_t edits, rivals;
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
    {{"source_line.method",
      "patch_content: the edit was given the words of the line, and the lines around it count",
      CellKind::text},
     [](const LineRow&) { return Cell(Text("patch_content")); }},
    {{"source_line.confidence", "confidence that this edit wrote the line, 0 to 1",
      CellKind::number},
     member<&LineRow::confidence>},
    {{"source_line.edits", "recorded edits of the file", CellKind::integer},
     member<&LineRow::edits>},
    {{"source_line.rivals", "earlier edits that fit as well", CellKind::integer},
     member<&LineRow::rivals>},
};

Text words_of(const LineRow& row, const HopScene& scene, CallId call) {
  return scene.question.door.say(
      "{} was written by {} at {} (by what it was given, {:.2f}{})", row.at.view(), row.tool.view(),
      scene.names.at(call).view(), row.confidence,
      row.rivals > 0 ? fmt::format("; {} fit as well", plural(row.rivals, "earlier edit")) : "");
}

}  // namespace

Record shape_of_source_line() {
  return Record{table_of<kLine>({})};
}

Result<SourceLine> read_source_line(const std::string& place, const std::string& blame) {
  Result<SourceLine> line = read_line(place);
  if (!line || blame.empty()) return line;
  Status read = read_blame(blame, *line);
  return read ? std::move(line) : tl::unexpected(read.error());
}

Result<Document> explain_source_line(const HopScene& scene, const SourceLine& line,
                                     const Listing& listing) {
  const Question& question = scene.question;
  if (question.payloads == nullptr)
    return fail(Exit::input, "--source-line: the input does not contain what edits were given");
  const Writer writer = find_writer(question, line);
  if (writer.use == nullptr)
    return fail(Exit::no, fmt::format("no recorded edit wrote {}: {} of the file recorded{}",
                                      printable(line.place),
                                      plural(static_cast<int64_t>(writer.edits), "edit"),
                                      writer.edits > 0 ? ", none with this line" : ""));
  const LineRow row{.at = question.door.name(line.place),
                    .commit = question.door.name(line.commit),
                    .tool = scene.names.text(writer.use->name),
                    .tool_use = scene.names.text(writer.use->id),
                    .committed = known(Moment{line.committed, 0}),
                    .confidence = writer.confidence(line),
                    .edits = static_cast<int64_t>(writer.edits),
                    .rivals = static_cast<int64_t>(writer.rivals)};
  Document document = explain_call(scene, writer.call, {}, listing);
  if (question.face == Face::tables) document.add(record_of<kLine>({}, row));
  if (question.face == Face::outline)
    if (Outline* outline = std::get_if<Outline>(&document.section(0)))
      outline->head.insert(outline->head.begin(), {words_of(row, scene, writer.call), Text()});
  return document;
}

}  // namespace xtrace
