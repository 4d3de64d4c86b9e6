#pragma once

#include <span>

#include "input/bytes/inputs.h"
#include "input/common/loading.h"
#include "input/common/raw_trace.h"
#include "input/growing/generation.h"
#include "input/reader.h"

namespace xtrace {

/// Some records of followed files, read as load() would read them if nothing else were there.
struct SomeRecords {
  RawTrace trace;                     ///< not complete() yet
  std::vector<uint32_t> generations;  ///< of each of its sources
};

/// Goes back to records of followed files, in any selection.
class Records {
 public:
  explicit Records(const LoadOptions& loading)
      : loading_(loading), reader_(parsed_whole(loading)) {}

  /// `records` are in the order of Generations::before().
  Result<SomeRecords> read(std::span<const RecordAt> records, const Generations& generations);

 private:
  static LoadOptions parsed_whole(LoadOptions loading) {
    loading.cut_known = false;
    return loading;
  }
  Status read_whole(const Generation& generation, uint32_t source);
  Status read_lines(std::span<const RecordAt> records, const Generation& generation,
                    uint32_t source);
  std::string_view bytes_of(std::span<const RecordAt> records, const File& file);

  LoadOptions loading_;
  Reader reader_;
  std::string block_;  ///< of the file at hand, from offset_ on
  uint64_t offset_ = 0;
  size_t held_ = 0;
};

/// All records of all files as one input, for load().
Found found_in(const Generations& generations);

}  // namespace xtrace
