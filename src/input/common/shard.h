#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/text.h"
#include "input/common/raw_trace.h"

namespace xtrace {

/// Lines of one input that stand one behind another there, and how they fared.
struct Stretch {
  static constexpr uint64_t kToTheEnd = UINT64_MAX;
  uint32_t source = 0;
  uint64_t begin = 0, end = kToTheEnd;  ///< in bytes of the input
  uint32_t first_line = 0;  ///< counted from 1; 0: it follows from the stretches before it
  uint32_t lines = 0;
  uint64_t digest = 0;  ///< of its records, if it was asked for
  uint64_t records = 0, other_records = 0, skipped = 0, repaired = 0;
  std::string_view format{};
  bool is_again = false;         ///< another shard holds the same stretch: it counts there
  bool has_lines = true;         ///< false: what precedes it is not there to be counted
  std::vector<uint32_t> ends{};  ///< the rows of each table up to here: see Shard::close_stretch()
};

/// What one piece of one input holds. Pieces are read by any thread in any order; merge() joins
/// their shards in the order of the pieces, which makes the Trace one reader would have made. One
/// that was stored may hold several stretches, also of several inputs, in their order.
class Shard {
 public:
  /// Where the tables end in Stretch::ends: those of kTables, then these.
  static constexpr size_t kTablesOfTrace = std::tuple_size_v<decltype(kTables)>;
  enum : size_t {
    kMessages = 1,
    kRaw = kTablesOfTrace,  ///< the first of kRawTables
    kComplaints = kRaw + std::tuple_size_v<decltype(kRawTables)>,
    kStrings,
    kEnds
  };
  /// The number of the table of such rows.
  template <class Row>
  static constexpr size_t index_of_table() {
    size_t index = 0, found = 0;
    auto look = [&]<class Other>(std::vector<Other> Tables::*) {
      if (std::is_same_v<Other, Row>) found = index;
      ++index;
    };
    std::apply([&](auto... table) { (look(table), ...); }, kTables);
    return found;
  }

  /// `keeps_wordings`: also what messages say; `keeps_arguments`: also those of tool uses.
  explicit Shard(uint32_t source, bool keeps_wordings = false, bool keeps_arguments = false)
      : Shard(Stretch{source}, keeps_wordings, keeps_arguments) {}
  explicit Shard(Stretch first, bool keeps_wordings = false, bool keeps_arguments = false)
      : stretches_{std::move(first)},
        keeps_wordings_(keeps_wordings),
        keeps_arguments_(keeps_arguments) {}
  uint32_t source() const { return stretches_.back().source; }
  bool keeps_wordings() const { return keeps_wordings_; }
  bool keeps_arguments() const { return keeps_arguments_; }
  /// Arguments of tool uses become what `sealed` makes of them, but for those that are names.
  void seal_arguments(std::function<std::string(std::string_view)> sealed) {
    sealed_argument_ = std::move(sealed);
  }
  /// An argument of the tool use that was added last, as it is kept.
  StringId intern_argument(std::string_view value);

  /// The message with this `key`, if a request of this piece had it before.
  MessageId find_message(uint64_t key) const;
  MessageId add_message(const Message& message);
  /// The id that the next new message will get.
  MessageId next_message() const { return MessageId(tables_.messages.size()); }
  /// Adds a row to its table.
  template <class Row>
  void add(const Row& row) {
    if constexpr (kIsRaw<Row>)
      (raw_.*std::get<std::vector<Row> RawTables::*>(kRawTables)).push_back(row);
    else
      (tables_.*std::get<std::vector<Row> Tables::*>(kTables)).push_back(row);
  }
  void add(const Span& span, std::span<const SpanParent> parents);
  /// Sizes of one record; returns the first.
  BlockSizeId add(const std::vector<BlockSize>& sizes);
  GenAiId add(const GenAi& converted);
  TaskStepId add(TaskStep task_step, std::span<const Remark> remarks);
  void add(const Thought& thought) {
    raw_.thoughts.push_back(thought);
    ++now().records;
  }
  ConvertedHopId add(const ConvertedHop& converted);
  /// Records that did not become facts so far.
  uint64_t skipped() const { return stretches_.back().skipped; }
  /// Is this the first time that this piece shows where the session was held?
  bool places(StringId session) { return placed_.insert(session.index).second; }
  CallId add(const Call& call);

  /// The id of a name, which is shortened if no real one is as long.
  StringId intern(std::string_view text) {
    if (text.empty()) return {};
    return strings_.intern(text.size() <= kMostNameBytes ? text : shortened_name(text));
  }
  /// The id of a text that is compared and not shown.
  StringId intern_text(std::string_view text) {
    return text.empty() ? StringId{} : strings_.intern(text);
  }
  /// What `make` says of a text of this hash. Transcripts tell a prompt again with line after line.
  template <class Make>
  StringId made_once(uint64_t text, Make make) {
    const auto [known, is_new] = made_.try_emplace(text);
    if (is_new) known->second = intern(make());
    return known->second;
  }
  const Message& operator[](MessageId id) const { return tables_.messages[id.index]; }
  std::string_view operator[](StringId id) const { return strings_[id]; }

  /// A sound record that becomes no event or span by itself.
  void count_record() { ++now().records; }
  /// Notes that something is wrong at `at`; `what` holds no text of the input.
  void complain(Complaint::Kind kind, Extent at, std::string what);
  /// Notes that the input ends here, earlier than it did when it was found.
  void note_became_shorter(Extent at) { became_shorter_ = at; }
  void count_format(std::string_view format) {
    if (now().format.empty()) now().format = format;
  }
  /// Sound ones that hold nothing which becomes an event or a span.
  void count_records(uint64_t records) { now().other_records += records; }
  void count_lines(uint32_t lines) { now().lines += lines; }
  /// Keeps what tells these lines from others, if that was asked for.
  void keep_digest(uint64_t of_line) { now().digest = chain(now().digest, of_line); }
  bool keeps_digests() const { return keeps_digests_; }
  void keep_digests() { keeps_digests_ = true; }

  /// Where it is read from and how far it goes, of the last one.
  Stretch& now() { return stretches_.back(); }
  std::vector<Stretch>& stretches() { return stretches_; }
  const std::vector<Stretch>& stretches() const { return stretches_; }
  /// What comes from now on is of another stretch, of which nothing was read yet.
  void begin_stretch(Stretch next);
  /// Notes how many rows the last one has.
  void close_stretch();
  /// Frees the memory that only further records would need. None may follow.
  void finish();

 private:
  static void note_became_shorter(std::vector<Shard>& shards);
  friend class StoredShard;
  friend class Merging;
  friend RawTrace merge(std::vector<Shard> shards, std::vector<Source> sources);

  StringPool strings_;
  Tables tables_;
  RawTables raw_;
  std::vector<Complaint> complaints_;
  std::unordered_map<uint64_t, MessageId> by_key_;
  std::unordered_map<uint64_t, StringId> made_;
  std::set<uint32_t> placed_;       ///< sessions of which a folder is known
  std::vector<Stretch> stretches_;  ///< in their order; never none
  bool keeps_wordings_, keeps_arguments_, keeps_digests_ = false;
  std::function<std::string(std::string_view)> sealed_argument_;
  std::optional<Extent> became_shorter_;
};

/// How many complaints of one piece are kept in words; the rest is only counted.
inline constexpr size_t kComplaintsKept = 100;

/// Joins the shards in the order in which their stretches are in the sources. Line numbers, counted
/// within a stretch so far, become those of the file.
RawTrace merge(std::vector<Shard> shards, std::vector<Source> sources);

}  // namespace xtrace
