#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/file.h"
#include "base/result.h"

namespace xtrace {

/// Calls `read` with each line of a file, without its end, until it has something against one.
Status for_each_line(const File& file, const std::string& path,
                     const std::function<Status(std::string_view line)>& read);

/// The log that is made of a text: each record stands on the line on which what it tells begins
/// there, and the other lines are empty.
class RecordLines {
 public:
  /// `path` is for what there is to say.
  RecordLines(const File& log, const std::string& path) : log_(log), path_(path) {}

  /// Writes a record on a line, counted from 1, behind that of the record before.
  Status write(size_t line, std::string_view record);
  uint64_t bytes() const { return bytes_; }

 private:
  const File& log_;
  const std::string& path_;
  size_t written_ = 0;  ///< lines
  uint64_t bytes_ = 0;
};

}  // namespace xtrace
