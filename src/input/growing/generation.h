#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/file.h"
#include "input/bytes/sniff.h"

namespace xtrace {

/// What a path led to for a while: one file, until another one took its place or it was cut short.
/// Its bytes are copied as they come, so that its records can be read again whatever happens to it.
struct Generation {
  std::string path;
  uint32_t rank = 0;  ///< its place among all of them, as load() orders its inputs
  std::shared_ptr<const File> copy;
  uint64_t bytes = 0;  ///< of the copy, that count: those of whole lines
  Framing framing = Framing::lines;
  bool is_whole = false;  ///< read as one, and again as one when it changes; it is no log of lines
  bool is_over = false;   ///< what it held counts no more: it was written anew
};

/// Where a record of a followed file stands: a line, or all of a generation that is read as one.
struct RecordAt {
  uint32_t generation = 0;
  uint32_t line = 0;  ///< counted from 1; 0: all of it
  uint64_t offset = 0;
  uint32_t length = 0;
};

/// All generations of all followed files, in the order in which they came.
class Generations {
 public:
  /// A new one of the `argument`th path that the user named, in an empty copy.
  Result<uint32_t> add(uint32_t argument, const std::string& path);
  Generation& operator[](uint32_t at) { return all_[at]; }
  const Generation& operator[](uint32_t at) const { return all_[at]; }
  uint32_t size() const { return static_cast<uint32_t>(all_.size()); }
  /// Indices in the order in which load() would read them.
  std::vector<uint32_t> in_order() const;
  /// Drops the records of generations that are over, and puts the others in that order.
  void put_in_order(std::vector<RecordAt>& records) const;
  /// Is the record before the other one in that order?
  bool before(const RecordAt& a, const RecordAt& b) const {
    uint32_t first = all_[a.generation].rank, second = all_[b.generation].rank;
    return first != second ? first < second : a.offset < b.offset;
  }

 private:
  std::vector<Generation> all_;
  std::vector<uint32_t> argument_;
};

/// What came since one looked last.
struct Growth {
  std::vector<RecordAt> records;
  std::vector<uint32_t> over;      ///< generations whose records count no more
  std::vector<std::string> notes;  ///< what people should know: `log.jsonl was cut short; …`
  bool any() const { return !records.empty() || !over.empty(); }
};

}  // namespace xtrace
