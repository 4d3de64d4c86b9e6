#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace xtrace {

// What a part is written with: columns of numbers and texts in four streams, of which each holds
// what packs well together.

/// Writes columns. Numbers become the shorter of plain varints and varints of what they differ by;
/// a column of one number is that number.
class ColumnWriter {
 public:
  void number(uint64_t value);
  void column(std::span<const uint64_t> values);
  /// Of which nothing can be guessed: kept as they are; 0 is none.
  void hashes(std::span<const uint64_t> values);
  void text(std::string_view text);
  /// Ids get streams of their own, as hex and random letters pack differently than words.
  void texts(const std::vector<std::string>& texts);

  /// All of it, packed.
  std::string packed() const;

 private:
  void varint(uint64_t value);
  void recent_column(std::span<const uint64_t> values, uint64_t none, uint64_t scale);

  std::string numbers_, texts_, ids_, raw_;
  std::unordered_map<uint64_t, size_t> hashes_;  ///< to their numbers
  std::map<std::string, uint64_t> prefixes_;
};

/// Reads them back in the same order. Once something does not fit, all that comes is empty and
/// failed() says so; whatever the bytes are, nothing worse happens.
class ColumnReader {
 public:
  explicit ColumnReader(std::string_view packed);

  uint64_t number();
  /// At most `most`, as no more can be meant.
  uint64_t number(uint64_t most);
  /// How many rows a table has that comes now.
  uint64_t rows();
  const std::vector<uint64_t>& column(size_t rows);
  const std::vector<uint64_t>& hashes(size_t rows);
  std::string_view text();
  std::vector<std::string> texts();

  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  /// Was everything read?
  bool is_at_end() const;

 private:
  struct Stream {
    std::string bytes;
    size_t at = 0;
    std::string_view take(size_t count, bool& failed);
  };
  uint64_t varint();

  Stream numbers_, texts_, ids_, raw_;
  std::vector<uint64_t> column_, hashes_;
  bool failed_ = false;
};

}  // namespace xtrace
