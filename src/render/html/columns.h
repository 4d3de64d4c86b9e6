#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "render/chart/chart.h"

namespace xtrace {

/// The numbers of a page, column by column, ready to be packed. A column is [name, width, count,
/// code]: unsigned integers of 1, 2, 4 or 7 bytes, the fewest that hold the largest, all lowest
/// bytes first, then all second ones, for equal bytes that stand together pack best. Code `d`: the
/// differences to the value before; `z`: the sign stands in the lowest bit. To read one, undo `z`
/// first.
class PageColumns {
 public:
  void add(std::string_view name, std::vector<int64_t> values, std::string_view code = {});
  /// Of values that may be unknown: each plus one; 0 is unknown.
  void add_nullable(std::string_view name, std::vector<int64_t> values);

  /// What each column is, as a list of JSON.
  void write_list(JsonWriter& json) const;
  const std::string& bytes() const { return bytes_; }

 private:
  struct Shape {
    std::string name;
    uint32_t width;
    size_t count;
    std::string code;
  };
  std::vector<Shape> shapes_;
  std::string bytes_;
};

/// A chart as a page holds it.
struct PackedChart {
  PageColumns columns;
  std::string texts;  ///< distinct ones, then the ids of the marks; their lengths are columns
  int64_t epoch_us = 0;
  int64_t tick_us = 1;  ///< 1000 where every time is a whole millisecond
};
PackedChart pack(const Chart& chart);

/// `parts` after one another as a gzip member without a date, the same at any time.
std::string gzip(std::initializer_list<std::string_view> parts);

}  // namespace xtrace
