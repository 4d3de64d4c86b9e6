#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "input/calls/known_lines.h"
#include "input/calls/message_draft.h"
#include "input/calls/request.h"
#include "input/common/format.h"
#include "input/common/loading.h"
#include "input/common/parsers.h"
#include "input/common/record_pattern.h"
#include "input/common/shard.h"
#include "input/label_reader.h"

namespace xtrace {

/// How a line ends.
enum class LineEnding : uint8_t {
  whole,
  torn,               ///< with the input, and without a newline: it may still be being written
  torn_with_archive,  ///< with what could be unpacked, which is recorded elsewhere
};

/// Turns the bytes of records into facts. One per thread; it owns what parsing needs, so that
/// nothing is allocated anew for each record.
class Reader {
 public:
  /// The format of `loading`, if there is one, reads every record; without it each goes to the
  /// first that fits. With the labels of records read where they are asked for, each is parsed
  /// whole.
  explicit Reader(const LoadOptions& loading)
      : forced_(loading.format), cut_known_(loading.cut_known && loading.cleared == nullptr) {
    if (loading.cleared) labels_ = std::make_unique<LabelReader>(loading.cleared);
  }

  /// Which input the next records are of.
  void begin_input(std::string_view path) {
    if (labels_) labels_->begin_input(path);
  }

  /// Whose facts these are, from now on.
  void write_to(Shard& shard) {
    constexpr size_t kManyShapes = 512;
    shard_ = &shard;
    known_.forget();
    keys_ = {};
    forget_shapes(kManyShapes);
  }

  /// How many bytes at the beginning of `text` cannot hold the end of the line that begins there.
  size_t known_prefix(std::string_view text) { return cut_known_ ? known_.known_prefix(text) : 0; }

  /// Reads what stands on one line: nothing, a record, or several. At least SIMDJSON_PADDING bytes
  /// behind `text` must be readable. `may_change`: others can write where it is.
  void read_line(std::string_view text, Extent at, LineEnding ending = LineEnding::whole,
                 bool may_change = false);

  /// Reads an object over many lines that the input ends within: of a transcript in one document,
  /// all items of its list that are whole, which is told; likewise a list that is a record. False:
  /// it is none, and nothing was done.
  bool read_cut_off(std::string_view text, Extent at);

  /// Is the list that begins with this object a record, and not a list of records? As for
  /// read_line(), some bytes behind `first` must be readable.
  bool begins_list(std::string_view first, bool may_change);

  Shard& shard() { return *shard_; }

 private:
  std::string_view copied(std::string_view record);
  bool read_known(std::string_view text, Extent at);
  bool read_value(std::string_view text, Extent at, bool is_mended = false);
  bool read_mended(std::string_view text, Extent at);
  bool parse(std::string_view text, json::element& root);
  /// nullptr: it is no record of a format that may read it.
  const Format* format_for(json::element root);
  void read_record(json::element root, std::string_view text, Extent at, bool is_mended = false);
  void read_pieces(std::string_view text, Extent at, LineEnding ending);
  /// Reads the whole records in the damaged part of a line, and returns how many there are.
  /// `follows_record`: the part begins where a record ends.
  size_t read_behind_damage(std::string_view text, Extent at, bool follows_record);

  const Format* forced_;
  bool cut_known_;
  Shard* shard_ = nullptr;
  simdjson::dom::parser parser_;
  simdjson::error_code error_ = simdjson::SUCCESS;
  Parsers parsers_;
  Draft draft_;
  Asked asked_;
  RecordMatcher keys_;
  KnownLines known_;
  std::string mended_;
  std::string copied_;
  std::unique_ptr<LabelReader> labels_;  ///< nullptr: nobody asks for them
  std::string around_;                   ///< the label of what the record is wrapped in
};

}  // namespace xtrace
