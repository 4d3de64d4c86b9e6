#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "link/lines/line_confidence.h"
#include "settings/agent_trace.h"
#include "view/common/view.h"
#include "view/why/source_file.h"

namespace xtrace {

/// A recorded edit of the file.
struct RecordedEdit {
  CallId call;
  const ToolUse* use = nullptr;
  Time start = kNoTime;
  std::vector<std::string> texts{};  ///< that it put in, only if there are records to compare them
};

/// How the writer of a line is known.
enum class WriterMethod : uint8_t {
  nothing,        ///< it is not
  patch_content,  ///< by what edits were given
  id,             ///< an Agent Trace record names the edit, or its session, and the contents agree
  content_hash,   ///< a record's hash is that of what an edit put in, or of the lines
  revision,       ///< a record is of the commit of the line, and of its number there
  position,       ///< a record has the number of the line; it may have moved since
};
std::string_view word(WriterMethod method);

/// Who wrote a line.
struct LineWriter {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t edit = kNone;   ///< index into LineWriters::edits
  uint32_t claim = kNone;  ///< index into LineWriters::claims, of the record that says so
  WriterMethod method = WriterMethod::nothing;
  std::optional<LineEvidence> evidence;  ///< of the edit
  double confidence = 0;
  uint32_t rivals = 0;
  bool is_context = false;  ///< edits show that it was there before them

  bool is_known() const { return method != WriterMethod::nothing; }
};

/// What a range of an Agent Trace record says of the file, and what came of it.
struct TraceClaim {
  const AgentTraceEntry* entry = nullptr;
  const AttributedRange* range = nullptr;
  /// `moved`: other lines of the file have it; `edit`: what the edit put in has it, and no lines of
  /// the file.
  enum class Hash : uint8_t { none, unknown_kind, fits, moved, edit, differs };
  Hash hash = Hash::none;
  uint32_t edit = LineWriter::kNone;     ///< that it names
  uint32_t session = LineWriter::kNone;  ///< index into Graph::sessions()
  bool is_in_input = false;              ///< is what it names?
  size_t lines = 0;                      ///< that are attributed by it
  size_t contradicted = 0;               ///< that edits of others wrote
};
std::string_view word(TraceClaim::Hash hash);

/// Who wrote the lines of a file.
struct LineWriters {
  std::vector<RecordedEdit> edits;  ///< in order
  std::vector<std::string> paths;   ///< of what they changed, as the logs have them
  std::vector<LineWriter> lines;    ///< by line
  std::vector<TraceClaim> claims;   ///< in order of the records
  size_t late = 0;                  ///< edits after the commits of all lines that they may be of
};

/// Requires: payloads. `traces`: nullptr: there are none.
LineWriters find_line_writers(const Question& question, const SourceFile& file,
                              const AgentTraces* traces);

/// Adds what records of Agent Trace say (agent_claims.cpp).
void apply_claims(const Graph& graph, const SourceFile& file, const AgentTraces& traces,
                  LineWriters& writers);

}  // namespace xtrace
