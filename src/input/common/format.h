#pragma once

#include <span>
#include <string_view>

#include "facts/record.h"
#include "input/common/json.h"

namespace xtrace {

struct Draft;
struct Exchange;
class KeyShape;
class RecordMatcher;
struct RecordContext;
struct StepRecord;

/// A way in which programs write down what they did. To add one: a file that defines a Format, and
/// its name in formats.cpp.
struct Format {
  std::string_view name{};
  std::string_view summary{};
  /// Is this record of the format? Asked of every record, so a log may change its shape half-way.
  bool (*fits)(json::element record) = nullptr;
  /// The same for a format whose records are patterns (record_pattern.h), in place of `fits`.
  bool (*matches)(RecordMatcher& record) = nullptr;
  /// False: no record with these keys is of the format, so it need not be asked. nullptr: it must.
  bool (*may_match)(const KeyShape& keys) = nullptr;
  /// Keys without which no record fits, so that few formats are asked: a space between ones that
  /// must all be there, `|` between ones of which any will do. How they are spelled (`runId`,
  /// `run_id`) makes no difference. Empty: every record is worth asking about.
  std::string_view needs{};
  /// Of a record that is one model call: finds the request, the answer and what is known about
  /// them. nullptr: records of this format are something else, and `read` reads them.
  void (*exchange)(json::element record, Exchange& exchange) = nullptr;
  /// A record may also be a list that begins with such an object, which is none by itself.
  bool (*begins_list)(json::element first) = nullptr;
  /// Reads any other record, or finds out whether one is a call at all; `text` is the record and
  /// begins at `at`.
  void (*read)(json::element record, std::string_view text, const Extent& at,
               RecordContext& context) = nullptr;
  /// What a part of a transcript says, when somebody goes back to where it is.
  void (*say)(json::element part, Draft& said) = nullptr;
  /// What a span says as a step of a query, likewise; leaves the step as it is if it is no span.
  void (*step)(json::element span, StepRecord& step) = nullptr;
  /// Where such records are in lists of one large document, the keys of the lists.
  std::span<const std::string_view> lists{};
  /// The object in which these stand, where they do not stand in the document itself.
  std::string_view lists_stand_in{};
  /// Names that such files have in every session (`|` between them), so that they name none.
  std::string_view file_names{};
  /// Such a document may be one of many, a line each.
  bool lists_come_in_lines = true;
  /// One that holds nothing says that there is nothing, as answers of our own do, and is no log in
  /// which all is missing.
  bool may_be_empty = false;
};

/// All formats, the more particular ones first: the first that fits reads a record.
std::span<const Format> formats();
/// The format of a record; nullptr: of no known shape.
const Format* format_of(json::element record);
const Format* format_of(RecordMatcher& record);
/// The format of a record that is a list and begins with this; nullptr: none, as of a list of
/// records.
const Format* format_of_list(json::element first);
/// Is the record of this format, whether or not one before it fits as well?
bool fits(const Format& format, json::element record);
const Format* find_format(std::string_view name);
/// The format by which the record there was read; nullptr: by none.
const Format* format_at(const Extent& at);
uint8_t index_of(const Format& format);

}  // namespace xtrace
