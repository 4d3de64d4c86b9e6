#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "input/common/format.h"
#include "input/common/record_pattern.h"
#include "input/transcripts/message_shape.h"

namespace xtrace {

// A format of transcripts is a table with a row for each kind of record: what such a record holds,
// and where it has what it states. Whether a record is of the format, which keys it must have, how
// it is read and what a part of it says all follow from the rows; only what no column can state is
// a function.

/// Where a record has what it states about a session, or about the subagent whose session it is.
struct SessionShape {
  ColumnPath id{};
  ColumnPath parent{};      ///< session of the caller; a record that has one is about a subagent
  ColumnPath tool_use{};    ///< started the subagent
  ColumnPath agent_type{};  ///< of the subagent
  ColumnPath model{}, provider{};
  ColumnPath project{};   ///< the folder it works in
  ColumnPath title{};     ///< given by the user
  ColumnPath ai_title{};  ///< given by the program or a model
  ColumnPath summary{};   ///< replaces a title
};

/// Where a record states what was used up, and on which terms.
struct UsageRecord {
  UsageTerms terms{};
  json::Path at = ".";    ///< the counts
  UsageShape counts{};    ///< below `at`
  json::Path by_model{};  ///< an object with a member for each model, in which `at` is looked up
  json::Path calls{};     ///< how many, below the member or the record
  json::Path model{}, cost{};
  bool zero_is_unknown = false;  ///< a cost of 0: no price was known
  double per_dollar = 1;         ///< so many of what the cost is in make one
  json::Path id{};     ///< names the statement; a later one with the same name replaces it
  json::Path since{};  ///< of running totals: when the program started, which names its run
};

struct RecordShape {
  /// The first row whose pattern a record matches reads it.
  RecordPattern when;
  SessionShape session{};
  /// An utterance by itself: a heading, a failure, a compaction, or a silent one.
  std::optional<Utterance::Kind> adds{};
  ColumnPath id{}, time{};
  ColumnPath after{};        ///< key with the id of the record that it follows; null: the first
  ColumnPath copied_from{};  ///< an object there: the record was copied from another session
  ColumnPath request{};      ///< names the request that was answered
  ColumnPath in_subagent{};  ///< true there: a subagent wrote it
  ColumnPath agent{}, agent_type{};
  ColumnPath started_by{};      ///< tool use that started the subagent which wrote it
  json::Path error{};           ///< of a failure; an object or a sentence too
  std::string_view error_is{};  ///< where the record does not name it as xtrace does
  json::Path waits{};           ///< milliseconds from a failure until the next attempt
  bool is_owed = false;         ///< a failure counts only where the model owes an answer
  bool is_of_run = false;       ///< a failure is that of a run, which may have called no model
  std::string_view limits{};    ///< errors that end a run before it asks the model again
  bool is_echo = false;         ///< counts only where the file or session has no other of its kind
  bool is_printed = false;      ///< printed by a run, which may also be kept: mark_printed()
  bool is_ambiguous = false;    ///< any log may have it: counts only in a file with a heading
  const MessageShape* message = nullptr;
  json::Path message_at{};  ///< of one message; empty: the record is the message
  json::Path list{};        ///< key of a list of messages; all of them are of the session
  const UsageRecord* usage = nullptr;
  /// Reads what the columns cannot state, after them. `said`: what they state.
  void (*read)(const RecordMatcher& record, const Part& whole, Utterance& said,
               RecordContext& context) = nullptr;
  /// Kinds of such records: the first that matches adds its columns to those of this row.
  std::span<const RecordShape> kinds{};
  /// What a part of such a record says, where it is not what `message` says.
  void (*say)(json::element part, Draft& said) = nullptr;
};

/// Serves as RecordShape::read: a method of an object made for the record reads it.
template <class Line, auto kRead>
void read_with(const RecordMatcher& record, const Part&, Utterance& said, RecordContext& context) {
  (Line(said, context).*kRead)(record);
}

/// The row that reads a record; nullptr: it is of no kind in the table.
const RecordShape* find_shape(RecordMatcher& record, std::span<const RecordShape> shapes);
/// Finds it, and keeps it for read_record(). False: there is none.
bool keeps_shape(RecordMatcher& record, std::span<const RecordShape> shapes);
void read_record(const Part& whole, std::span<const RecordShape> shapes, RecordContext& context);
/// Reads a part of a record as one of this kind, which is about what `said` states already.
void read_as(const RecordShape& shape, json::element part, const Part& whole, const Utterance& said,
             RecordContext& context);
/// A part that is no record by itself is a message, as the first row with messages has them.
void say_part(json::element part, std::span<const RecordShape> shapes, Draft& said);

/// The keys of Format::needs, derived from the first two values that each row asks for.
class RecordNeeds {
 public:
  consteval explicit RecordNeeds(std::span<const RecordShape> shapes) {
    for (size_t nth = 0; nth < 2; ++nth) {
      if (!ask_all_for(shapes, nth)) return;
      if (nth > 0) append(" ");
      for (size_t i = 0; i < count_; ++i) {
        if (i > 0) append("|");
        append(keys_[i]);
      }
    }
  }

  constexpr std::string_view text() const { return {text_.data(), size_}; }

 private:
  /// False: some row asks for fewer values.
  consteval bool ask_all_for(std::span<const RecordShape> shapes, size_t nth) {
    count_ = 0;
    for (const RecordShape& shape : shapes) {
      size_t before = 0;
      bool is_asked = false;
      for (const RecordPattern::Condition& condition : shape.when.conditions())
        if (condition.needs_value() && before++ == nth) is_asked = true, add_keys(condition.path);
      if (!is_asked) return false;
    }
    return true;
  }

  consteval void add_keys(json::Path path) {
    while (!path.empty()) {
      const json::Path place = path.substr(0, path.find('|'));
      path.remove_prefix(std::min(place.size() + 1, path.size()));
      const std::string_view key = place.substr(0, place.find('/'));
      bool is_new = true;
      for (size_t i = 0; i < count_; ++i) is_new &= keys_[i] != key;
      if (is_new) keys_.at(count_++) = key;
    }
  }

  consteval void append(std::string_view word) {
    for (const char c : word) text_.at(size_++) = c;
  }

  std::array<std::string_view, 24> keys_{};
  std::array<char, 320> text_{};
  size_t count_ = 0, size_ = 0;
};

template <const auto& kShapes>
inline constexpr RecordNeeds kNeedsOf{kShapes};

/// The format whose records are those of the table.
template <const auto& kShapes>
constexpr Format format_of_shapes(std::string_view name, std::string_view summary,
                                  std::string_view file_names = {}) {
  return {.name = name,
          .summary = summary,
          .matches = [](RecordMatcher& record) { return keeps_shape(record, kShapes); },
          .may_match =
              [](const KeyShape& keys) {
                return !open_rows(std::span<const RecordShape>(kShapes), &RecordShape::when, keys)
                            .empty();
              },
          .needs = kNeedsOf<kShapes>.text(),
          .read =
              [](json::element, std::string_view text, const Extent& at, RecordContext& context) {
                read_record({text, at}, kShapes, context);
              },
          .say = [](json::element part, Draft& said) { say_part(part, kShapes, said); },
          .file_names = file_names};
}

}  // namespace xtrace
