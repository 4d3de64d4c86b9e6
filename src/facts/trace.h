#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/file.h"
#include "base/string_pool.h"
#include "facts/block_size.h"
#include "facts/call.h"
#include "facts/converted.h"
#include "facts/graph_edge.h"
#include "facts/measurement.h"
#include "facts/message.h"
#include "facts/record.h"
#include "facts/session_note.h"
#include "facts/span.h"
#include "facts/task_step.h"
#include "facts/usage_statement.h"

namespace xtrace {

/// One input and how it fared.
struct Source {
  std::string path;  ///< as the user named it; `-` for standard input
  std::string_view format;
  uint64_t bytes = 0;  ///< that were read, as they are on disk; what is appended meanwhile is not
  std::optional<uint64_t> unpacked_bytes;  ///< that came out of an archive
  std::string sha256;                      ///< of these bytes, if it was asked for
  bool is_document = false;                ///< one JSON document: places are bytes, not lines
  bool seekable = true;                    ///< can be read again; a pipe cannot, unless it was kept
  std::shared_ptr<const File> file;        ///< to read again if its path does not lead to it
  uint64_t records = 0;                    ///< sound ones that became facts
  uint64_t copies = 0;   ///< further copies of a record, byte for byte; each is one event
  uint64_t skipped = 0;  ///< damaged or unknown ones that did not
  /// It was below a folder and nothing in it is a record; reported with others of its kind.
  bool foreign = false;
  bool from_part = false;  ///< read elsewhere: what it says beside the facts may not be here
  std::string original;    ///< then, where it is read again; `path` is how it may be shown
};

/// Of a trace that was put together from parts: what of the inputs they hold.
struct PartsUsed {
  uint64_t used = 0;                 ///< stretches of inputs
  std::vector<std::string> missing;  ///< `logs.jsonl: bytes 100-200`
  uint64_t bytes_missing = 0;
};

/// Files that the user did not mean, or that could not be read, for one reason.
struct Unread {
  std::string why;  ///< words of ours
  uint64_t files = 0;
  std::vector<std::string> paths;  ///< of the first ones
  bool may_hold_records = false;   ///< it is a loss, for who wants to have all
};

/// Something that is wrong with a place in an input.
struct Complaint {
  enum class Kind : uint8_t { damaged, unknown_record, repaired, field, parent, unfinished };
  Extent at;
  std::string what;  ///< words of ours only, never text of the input
  Kind kind = Kind::damaged;
};

/// All facts, a table for each kind of row. A new kind is a struct, its fields_of()
/// (input/common/row_fields.h), a table here, and a mention in kTables.
struct Tables {
  std::vector<Call> calls;
  std::vector<Message> messages;         ///< each after the one before it
  std::vector<ToolUse> tool_uses;        ///< in the order of their messages
  std::vector<ToolTarget> tool_targets;  ///< by message and use, in the order they are named
  std::vector<ToolResult> tool_results;
  std::vector<BackgroundEnd> background_ends;
  std::vector<Prompt> prompts;
  std::vector<MessageText> message_texts;  ///< if they were asked for
  std::vector<Argument> arguments;         ///< likewise; by message and use
  std::vector<Span> spans;                 ///< in the order of the inputs
  std::vector<SpanParent> span_parents;
  std::vector<GenAi> gen_ai;              ///< of the spans that record agents, tools or models
  std::vector<SpanDetail> span_details;   ///< in the order of the inputs
  std::vector<Measurement> measurements;  ///< in the order of the inputs
  std::vector<TaskStep> task_steps;       ///< of the spans and calls that give one
  std::vector<Remark> remarks;            ///< in the order of the task steps
  std::vector<GraphEdge> graph_edges;     ///< in the order of the inputs
  std::vector<ConvertedHop> converted_hops;
  std::vector<ConvertedLink> converted_links;    ///< in the order of the inputs
  std::vector<UsageStatement> usage_statements;  ///< likewise
  std::vector<SessionNote> session_notes;        ///< likewise
  std::vector<BlockSize> block_sizes;            ///< likewise

  /// The table of such rows.
  template <class Row>
  const std::vector<Row>& of() const;
};

inline constexpr std::tuple kTables(&Tables::calls, &Tables::messages, &Tables::tool_uses,
                                    &Tables::tool_targets, &Tables::tool_results,
                                    &Tables::background_ends, &Tables::prompts,
                                    &Tables::message_texts, &Tables::arguments, &Tables::spans,
                                    &Tables::span_parents, &Tables::gen_ai, &Tables::span_details,
                                    &Tables::measurements, &Tables::task_steps, &Tables::remarks,
                                    &Tables::graph_edges, &Tables::converted_hops,
                                    &Tables::converted_links, &Tables::usage_statements,
                                    &Tables::session_notes, &Tables::block_sizes);

template <class Row>
const std::vector<Row>& Tables::of() const {
  return this->*std::get<std::vector<Row> Tables::*>(kTables);
}

/// A place where another log records a call too.
struct OtherRecord {
  CallId call;
  Extent at;
  bool is_thought = false;  ///< as Call::is_thought
};

/// A line that records a call.
struct CallPlace : Extent {
  BlockSizeId sizes;  ///< the first of what it says; nowhere: it has to be read again for that
};

/// Everything that was read, and nothing that was concluded.
struct Trace : Tables {
  StringPool strings;
  std::vector<Source> sources;
  std::vector<CallPlace> places;           ///< of the lines that record a call; see Call::places
  std::vector<OtherRecord> other_records;  ///< in order of time
  std::vector<Complaint> complaints;       ///< the first ones of each source; Source counts all
  std::vector<Unread> unread;
  std::optional<PartsUsed> parts;  ///< if any input is one
  uint64_t repaired = 0;           ///< records kept although something in them was replaced

  template <class Row>
  const Row& operator[](Id<Row> id) const {
    return of<Row>()[id.index];
  }
  std::string_view operator[](StringId id) const { return strings[id]; }
};

}  // namespace xtrace
