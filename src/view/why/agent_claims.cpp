#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "view/why/line_writers.h"

namespace xtrace {

namespace {

/// Where the lines of a claim are now, and how that is known.
struct ClaimedLines {
  size_t first = 0, last = 0;   ///< from 0; last < first: nowhere
  std::vector<size_t> apart{};  ///< in place of these, where git names each line
  WriterMethod method = WriterMethod::nothing;

  bool has(size_t line) const {
    if (!apart.empty()) return std::ranges::find(apart, line) != apart.end();
    return method != WriterMethod::nothing && line >= first && line <= last;
  }
};

class ClaimReader {
 public:
  ClaimReader(const Graph& graph, const SourceFile& file, const AgentTraces& traces,
              LineWriters& writers)
      : graph_(graph), file_(file), traces_(traces), writers_(writers) {
    const Trace& trace = graph.trace();
    for (size_t i = 0; i < writers.edits.size(); ++i)
      edits_.emplace(trace[writers.edits[i].use->id], static_cast<uint32_t>(i));
    edits_.erase("");
    for (const ToolUse& use : trace.tool_uses)
      if (use.id) others_.emplace(trace[use.id], LineWriter::kNone);
    for (const Session& session : graph.sessions()) {
      const uint32_t index = session.number - 1;
      if (session.id) sessions_.emplace(trace[session.id], index);
      for (const CallId call : session.calls) {
        others_.emplace(trace[trace[call].id], index);
        if (trace[call].response) others_.emplace(trace[trace[call].response], index);
        if (trace[call].agent) others_.emplace(trace[trace[call].agent], index);
      }
    }
  }

  void apply() {
    for (const AgentTraceEntry& entry : traces_.entries)
      for (const AttributedRange& range : entry.ranges) apply(entry, range);
  }

 private:
  void apply(const AgentTraceEntry& entry, const AttributedRange& range) {
    TraceClaim claim{.entry = &entry, .range = &range};
    find_named(claim);
    const ClaimedLines where = find_lines(claim);
    const auto number = static_cast<uint32_t>(writers_.claims.size());
    const bool by_text = claim.edit == LineWriter::kNone && find_by_text(claim);
    if (claim.edit != LineWriter::kNone) confirm_edit(number, claim, where, by_text);
    if (claim.hash == TraceClaim::Hash::differs && claim.edit != LineWriter::kNone &&
        std::ranges::any_of(writers_.edits[claim.edit].texts, [&](const std::string& text) {
          return has_content_hash(text, range.content_hash) == true;
        }))
      claim.hash = TraceClaim::Hash::edit;
    if (!where.apart.empty())
      for (const size_t line : where.apart) attribute(line, number, where.method, claim);
    else if (where.method != WriterMethod::nothing)
      for (size_t line = where.first; line <= where.last; ++line)
        attribute(line, number, where.method, claim);
    writers_.claims.push_back(claim);
  }

  /// What its ids name: an edit of the file before a session.
  void find_named(TraceClaim& claim) const {
    for (const std::string& id : claim.entry->ids) {
      if (const auto edit = edits_.find(id); edit != edits_.end()) claim.edit = edit->second;
      if (const auto session = sessions_.find(id); session != sessions_.end())
        claim.session = session->second;
      if (const auto other = others_.find(id); other != others_.end()) {
        claim.is_in_input = true;
        if (claim.session == LineWriter::kNone) claim.session = other->second;
      }
    }
    if (claim.edit != LineWriter::kNone)
      claim.session = graph_.session_of(writers_.edits[claim.edit].call).number - 1;
    claim.is_in_input |= claim.session != LineWriter::kNone;
  }

  /// Without an id, the hash of what an edit put in names it.
  bool find_by_text(TraceClaim& claim) const {
    if (claim.range->content_hash.empty()) return false;
    for (size_t i = writers_.edits.size(); i-- > 0;)
      for (const std::string& text : writers_.edits[i].texts)
        if (has_content_hash(text, claim.range->content_hash) == true) {
          const uint32_t session = graph_.session_of(writers_.edits[i].call).number - 1;
          if (claim.session != LineWriter::kNone && claim.session != session) continue;
          claim.edit = static_cast<uint32_t>(i);
          claim.session = session;
          claim.is_in_input = true;
          return true;
        }
    return false;
  }

  std::string text_of(size_t first, size_t last) const {
    std::string text;
    for (size_t i = first; i <= last; ++i) text += file_.lines[i] + '\n';
    return text;
  }

  ClaimedLines find_lines(TraceClaim& claim) const {
    const AttributedRange& range = *claim.range;
    ClaimedLines where{.first = range.first - 1, .last = range.last - 1};
    // As the specification has it: the commit of a line, and its number there.
    for (size_t i = 0; i < file_.blame.size() && !claim.entry->revision.empty(); ++i) {
      const BlamedLine& line = file_.blame[i];
      const bool is_of_commit =
          line.commit == claim.entry->revision || line.previous == claim.entry->revision;
      if (is_of_commit && line.number >= range.first && line.number <= range.last)
        where.apart.push_back(i);
    }
    if (!range.content_hash.empty()) {
      claim.hash = check_hash(range, where);
      if (claim.hash == TraceClaim::Hash::fits || claim.hash == TraceClaim::Hash::moved) {
        where.apart.clear();
        where.method = WriterMethod::content_hash;
        return where;
      }
      if (claim.hash == TraceClaim::Hash::differs && where.apart.empty()) return {};
    }
    if (!where.apart.empty()) {
      where.method = WriterMethod::revision;
    } else if (file_.blame.empty() && where.first < file_.lines.size()) {
      where.last = std::min(where.last, file_.lines.size() - 1);
      where.method = WriterMethod::position;
    }
    return where;
  }

  /// Looks at the lines themselves, then at as many others as there is time for.
  TraceClaim::Hash check_hash(const AttributedRange& range, ClaimedLines& where) const {
    constexpr size_t kMostBytes = 16 << 20;
    const std::optional<bool> known = has_content_hash("", range.content_hash);
    if (!known) return TraceClaim::Hash::unknown_kind;
    const size_t length = range.last - range.first + 1;
    if (length > file_.lines.size()) return TraceClaim::Hash::differs;
    if (range.last <= file_.lines.size() &&
        has_content_hash(text_of(where.first, where.last), range.content_hash) == true)
      return TraceClaim::Hash::fits;
    size_t looked = 0;
    for (size_t first = 0; first + length <= file_.lines.size() && looked < kMostBytes; ++first) {
      const std::string text = text_of(first, first + length - 1);
      looked += text.size();
      if (has_content_hash(text, range.content_hash) != true) continue;
      where.first = first;
      where.last = first + length - 1;
      return TraceClaim::Hash::moved;
    }
    return TraceClaim::Hash::differs;
  }

  /// The record names the edit; which lines that wrote, the contents show. Of those that the record
  /// has too, they are surer.
  void confirm_edit(uint32_t number, TraceClaim& claim, const ClaimedLines& where, bool by_text) {
    for (size_t i = 0; i < writers_.lines.size(); ++i) {
      LineWriter& line = writers_.lines[i];
      if (line.edit != claim.edit || line.method != WriterMethod::patch_content) continue;
      line.method = by_text ? WriterMethod::content_hash : WriterMethod::id;
      line.claim = number;
      if (where.has(i)) line.confidence = std::max(line.confidence, kRecordAgrees);
      ++claim.lines;
    }
  }

  void attribute(size_t at, uint32_t number, WriterMethod method, TraceClaim& claim) {
    LineWriter& line = writers_.lines[at];
    if (line.claim == number) return;
    if (line.edit == LineWriter::kNone) {
      // Of several records the last one is of what is there now.
      const double confidence =
          method == WriterMethod::position ? kRecordByPosition : kRecordByText;
      if (line.confidence > confidence || file_.is_blank(at)) return;
      if (line.claim != LineWriter::kNone) --writers_.claims[line.claim].lines;
      line.method = method;
      line.claim = number;
      line.confidence = confidence;
      line.edit = method == WriterMethod::position ? LineWriter::kNone : claim.edit;
      ++claim.lines;
      return;
    }
    const uint32_t session = graph_.session_of(writers_.edits[line.edit].call).number - 1;
    if (session == claim.session && claim.edit == LineWriter::kNone) {
      if (line.method != WriterMethod::patch_content) return;
      line.method = WriterMethod::id;
      line.claim = number;
      line.confidence = std::max(line.confidence, kRecordAgrees);
      ++claim.lines;
    } else if (line.edit != claim.edit) {
      ++claim.contradicted;
    }
  }

  const Graph& graph_;
  const SourceFile& file_;
  const AgentTraces& traces_;
  LineWriters& writers_;
  std::unordered_map<std::string_view, uint32_t> edits_, sessions_, others_;
};

}  // namespace

void apply_claims(const Graph& graph, const SourceFile& file, const AgentTraces& traces,
                  LineWriters& writers) {
  ClaimReader(graph, file, traces, writers).apply();
}

}  // namespace xtrace
