#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace xtrace {

// Agent Trace 0.1: records that attribute ranges of lines to the conversations that wrote them,
// one a line of `.agent-trace/traces.jsonl` (https://agent-trace.dev).

/// A range of lines that a record attributes, counted from 1 in the file as it was then.
struct AttributedRange {
  size_t first = 0, last = 0;
  std::string content_hash{};  ///< `murmur3:9f2e8a1b`; empty: none is given
  std::string contributor{};   ///< human, ai, mixed or unknown; empty: not given
  std::string model{};         ///< as `provider/model`
};

/// What a record says of one file and one conversation.
struct AgentTraceEntry {
  uint64_t line = 0;  ///< of the file of records
  std::string record{};
  Moment time{};
  std::string tool{}, revision{};
  std::string url{};  ///< of the conversation; empty: none is named
  /// Everything that may be the id of something that a log has: what its metadata hold, and the
  /// parts of the addresses of the conversation and of what is related to it.
  std::vector<std::string> ids{};
  std::vector<AttributedRange> ranges{};
};

struct AgentTraces {
  std::string path{};
  size_t records = 0;                      ///< that could be read
  size_t damaged = 0;                      ///< lines that are no such records
  uint64_t first_damaged = 0;              ///< line
  std::vector<AgentTraceEntry> entries{};  ///< about the file that is asked about, in order
};

/// Reads the records, and keeps what is about one file. Exit::input: it cannot be read, or has no
/// record at all.
Result<AgentTraces> read_agent_traces(const std::string& path,
                                      const std::function<bool(std::string_view)>& is_that_file);

/// The file of records that belongs to a source file: `.agent-trace/traces.jsonl` in its folder or
/// the closest one above it, up to the one that has `.git`; empty: there is none.
std::string find_agent_traces(const std::string& source);

/// Does the text have this hash? A line break at its end may or may not be part of it. Nothing: the
/// kind of hash is not known.
std::optional<bool> has_content_hash(std::string_view text, std::string_view content_hash);

}  // namespace xtrace
