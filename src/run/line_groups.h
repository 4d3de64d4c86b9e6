#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/union_find.h"
#include "facts/trace.h"

namespace xtrace {

class Graph;
struct RawTrace;

/// The lines of an input, or all of it where a line says nothing without the others.
struct InputLines {
  std::vector<uint64_t> begins;  ///< of each line, in bytes; of what is taken whole, 0
  uint64_t bytes = 0;            ///< on disk
};

/// By source: can its lines be read without those around them? Then each names what it belongs to.
std::vector<bool> find_line_inputs(const RawTrace& records);

/// Which lines belong together, so that reading only them leads to the same conclusions as reading
/// all: by names that records share, then by what was concluded. A line without names belongs to
/// the line before it.
class LineGroups {
 public:
  explicit LineGroups(const std::vector<InputLines>& inputs);

  /// Joins what shares a name: a session, a trace, an answer that others go on from; for files of
  /// transcripts also what names of files and folders show.
  void join_records(const RawTrace& records);
  /// Joins what links, sessions, conversations, runs and causes join. Of the same records.
  void join_conclusions(const Graph& graph);
  /// Assigns lines without names to their neighbours. Requires: everything is joined.
  void settle();

  size_t size() const { return records_.size(); }
  size_t first_of(uint32_t input) const { return first_[input]; }
  /// The group of a line, named by its first line.
  uint32_t group_of(size_t line) { return joined_.find(static_cast<uint32_t>(line)); }
  /// Does it contain a call or span, which answers are about?
  bool has_records(size_t line) const { return has_records_[line]; }
  /// How many records it contains.
  uint64_t records_on(size_t line) const { return records_[line]; }

 private:
  enum class Name : uint8_t {
    session,
    trace,
    run,
    query,
    task,
    answer,
    call,
    copy,
    request,
    span,
    agent
  };
  static constexpr size_t kNames = static_cast<size_t>(Name::agent) + 1;

  uint32_t line_at(const Extent& at) const;
  /// The line, which is known to hold a record.
  uint32_t note(const Extent& at);
  void join(Name name, uint64_t value, uint32_t line);
  void join(Name name, StringId value, uint32_t line) {
    if (value) join(name, uint64_t{value.index}, line);
  }
  void join_calls(const RawTrace& records);
  void join_spans(const RawTrace& records);
  void join_transcripts(const RawTrace& records);
  void join_files(const RawTrace& records);
  void join_step(const Trace& trace, TaskStepId id, uint32_t line);
  void join_hops(const Graph& graph);

  const std::vector<InputLines>& inputs_;
  std::vector<size_t> first_;  ///< by input
  UnionFind joined_;
  std::vector<uint32_t> records_;                                     ///< by line
  std::vector<bool> has_records_;                                     ///< by line
  std::array<std::unordered_map<uint64_t, uint32_t>, kNames> named_;  ///< the first line of each
};

}  // namespace xtrace
