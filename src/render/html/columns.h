#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "render/chart/chart.h"

namespace xtrace {

/// A gzip member without a date, the same at any time, of bytes that need not be there together.
class Gzip {
 public:
  Gzip();
  void add(std::string_view bytes);
  /// All that was added, packed. Once.
  std::string finish();

 private:
  struct Stream;
  struct End {
    void operator()(Stream* stream) const;
  };
  void deflate(std::string_view bytes, int flush);

  std::unique_ptr<Stream, End> stream_;
  std::string packed_;
};

/// The numbers of a page, column by column, packed as they come: unpacked they would be as large as
/// half of the chart. A column is [name, width, count, code]: unsigned integers of 1, 2, 4 or 7
/// bytes, the fewest that hold the largest, all lowest bytes first, then all second ones, for equal
/// bytes that stand together pack best. Code `d`: the differences to the value before; `z`: the
/// sign is in the lowest bit. To read one, undo `z` first.
class PageColumns {
 public:
  /// `value` is asked twice for each from the first to the last: a list of them would be as large
  /// as all else that is needed to write a page.
  using Value = std::function<int64_t(size_t at)>;
  void add(std::string_view name, size_t count, const Value& value, std::string_view code = {});
  void add(std::string_view name, const std::vector<int64_t>& values, std::string_view code = {});
  /// Of values that may be unknown: each plus one; 0 is unknown.
  void add_nullable(std::string_view name, size_t count, const Value& value);

  /// What each column is, as a list of JSON.
  void write_list(JsonWriter& json) const;
  /// What follows all columns, piece by piece.
  void add_text(std::string_view piece) { packed_.add(piece); }
  /// All of it, as a gzip member. Once.
  std::string pack() { return packed_.finish(); }

 private:
  struct Shape {
    std::string name;
    uint32_t width;
    size_t count;
    std::string code;
  };
  std::vector<Shape> shapes_;
  std::string planes_;
  Gzip packed_;
};

/// A chart as a page holds it.
struct PackedChart {
  PageColumns columns;
  std::string data;  ///< columns, then texts: distinct ones, then the ids of the marks, of which
                     ///< columns hold the lengths; as a gzip member
  size_t text_bytes = 0;  ///< of these, unpacked
  int64_t epoch_us = 0;
  int64_t tick_us = 1;  ///< 1000 where every time is a whole millisecond
};
PackedChart pack(const Chart& chart);

}  // namespace xtrace
