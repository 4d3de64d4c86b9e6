#include "view/why/source_answer.h"

#include <algorithm>
#include <set>
#include <utility>

#include "link/graph/queries.h"
#include "view/why/source_words.h"

namespace xtrace {

namespace {

/// Are all lines from one to before another?
bool are_blank(const SourceFile& file, size_t begin, size_t end) {
  while (begin < end && file.is_blank(begin)) ++begin;
  return begin == end;
}

bool is_same_writer(const LineWriter& a, const LineWriter& b) {
  return a.is_known() == b.is_known() && a.edit == b.edit && a.claim == b.claim &&
         a.method == b.method;
}

/// Blank lines that nothing explains belong to the range before them where that goes on behind.
std::vector<SourceRange> ranges_in(const SourceFile& file, const LineWriters& writers) {
  std::vector<SourceRange> ranges;
  std::vector<size_t> explained;  // lines, by range
  for (size_t i = 0; i < writers.lines.size(); ++i) {
    const LineWriter& line = writers.lines[i];
    SourceRange* range = ranges.empty() ? nullptr : &ranges.back();
    if (range != nullptr && is_same_writer(range->writer, line)) {
      range->last = i;
    } else if (range != nullptr && !range->writer.is_known() && ranges.size() > 1 &&
               is_same_writer(ranges[ranges.size() - 2].writer, line) &&
               are_blank(file, range->first, i)) {
      ranges.pop_back();
      explained.pop_back();
      range = &ranges.back();
      range->last = i;
    } else {
      ranges.push_back({i, i, line, 0});
      explained.push_back(0);
      range = &ranges.back();
    }
    if (!line.is_known() || file.is_blank(i)) continue;
    range->confidence += line.confidence;
    ++explained.back();
    if (explained.back() == 1 || line.confidence < range->writer.confidence) {
      range->writer.confidence = line.confidence;
      range->writer.evidence = line.evidence;
    }
    range->writer.rivals = std::max(range->writer.rivals, line.rivals);
  }
  for (size_t i = 0; i < ranges.size(); ++i)
    if (explained[i] > 0) ranges[i].confidence /= static_cast<double>(explained[i]);
  return ranges;
}

SourceCounts count(const SourceFile& file, const LineWriters& writers) {
  SourceCounts counts;
  std::set<uint32_t> edits;
  for (size_t i = 0; i < writers.lines.size(); ++i) {
    const LineWriter& line = writers.lines[i];
    ++counts.lines;
    if (line.is_known())
      ++counts.explained;
    else if (file.is_blank(i))
      ++counts.blank;
    else
      ++counts.unexplained;
    counts.context += !line.is_known() && line.is_context && !file.is_blank(i);
    if (line.edit != LineWriter::kNone) edits.insert(line.edit);
  }
  counts.edits = static_cast<int64_t>(edits.size());
  return counts;
}

}  // namespace

SourceAnswer::SourceAnswer(const HopScene& scene, const SourceFile& file, const AgentTraces* traces,
                           LineWriters writers)
    : scene_(scene),
      graph_(scene.question.graph),
      door_(scene.question.door),
      names_(scene.names),
      file_(file),
      traces_(traces),
      writers_(std::move(writers)),
      ranges_(ranges_in(file, writers_)),
      counts_(count(file, writers_)) {}

Text SourceAnswer::session(const LineWriter& writer) const {
  if (const RecordedEdit* edit = edit_of(writer))
    return names_.session(graph_.session_of(edit->call));
  const TraceClaim* claim = claim_of(writer);
  return claim == nullptr || claim->session == LineWriter::kNone
             ? Text()
             : names_.session(graph_.sessions()[claim->session]);
}

Text SourceAnswer::prompt(const RecordedEdit& edit, size_t most) const {
  if (most > 0 ? !door_.shows_first_words() : !scene_.question.shows_payload()) return {};
  const CallId begin = beginning_of_turn(edit.call);
  if (!begin || !answers_a_user(graph_, begin)) return {};
  Door::At at(door_, names_.place(begin));
  const Excerpt said = scene_.question.payloads->read(graph_.trace()[begin]);
  return most > 0 ? door_.first_words(said.prompt, most) : door_.payload(said.prompt);
}

Text SourceAnswer::record(const TraceClaim& claim) const {
  return place_of_record(door_, *traces_, *claim.entry);
}

CallId SourceAnswer::beginning_of_turn(CallId call) const {
  const CallTurn turn = graph_.call_turns()[call.index];
  const auto [known, is_new] = beginnings_.try_emplace(turn.conversation);
  if (is_new) {
    const Conversation& conversation = graph_.conversations()[turn.conversation];
    const std::vector<uint32_t> numbers = number_turns(graph_, conversation);
    for (size_t i = 0; i < numbers.size(); ++i)
      known->second.emplace(numbers[i], conversation.calls[i]);
  }
  const auto found = known->second.find(turn.number);
  return found == known->second.end() ? CallId() : found->second;
}

}  // namespace xtrace
