#pragma once

#include <bit>
#include <limits>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "base/hash.h"
#include "input/common/row_fields.h"
#include "input/parts/columns.h"
#include "input/parts/row_values.h"
#include "input/parts/seal.h"

namespace xtrace {

/// A field as the number that is written down.
template <class Field>
uint64_t number_of_field(const Field& field) {
  if constexpr (std::is_same_v<Field, Time>)
    return static_cast<uint64_t>(field.time_since_epoch().count());
  else if constexpr (std::is_same_v<Field, Duration>)
    return static_cast<uint64_t>(field.count());
  else if constexpr (std::is_same_v<Field, double>)
    return std::bit_cast<uint64_t>(field);
  else if constexpr (std::is_same_v<Field, float>)
    return std::bit_cast<uint32_t>(field);
  else if constexpr (requires { field.index; })
    return static_cast<uint32_t>(field.index + 1);  // nowhere is 0
  else
    return static_cast<uint64_t>(field);
}

/// The field that such a number is of; false: of none.
template <class Field>
bool set_field(Field& field, uint64_t number) {
  if constexpr (std::is_same_v<Field, Time>) {
    field = Time(Duration(static_cast<int64_t>(number)));
  } else if constexpr (std::is_same_v<Field, Duration>) {
    field = Duration(static_cast<int64_t>(number));
  } else if constexpr (std::is_same_v<Field, double>) {
    field = std::bit_cast<double>(number);
  } else if constexpr (std::is_same_v<Field, float>) {
    field = std::bit_cast<float>(static_cast<uint32_t>(number));
  } else if constexpr (requires { field.index; }) {
    field.index = static_cast<uint32_t>(number) - 1;
    return number <= std::numeric_limits<uint32_t>::max();
  } else if constexpr (std::is_enum_v<Field>) {
    field = static_cast<Field>(number);
    return number < values_of(field);
  } else {
    field = static_cast<Field>(number);
    return static_cast<uint64_t>(field) == number;
  }
  return true;
}

/// Two of one record are at the same place. Distances that are none are 0, others begin at 2.
inline constexpr uint64_t kSameRecord = 1;

/// In place of a hash: it follows from what else is there.
inline constexpr uint64_t kFollows = 1;

/// As add_message() makes it of a message that says nothing which a client put in.
inline uint64_t key_that_follows(const Message& row, const std::vector<Message>& rows) {
  return chain(row.before ? rows[row.before.index].key : 0, row.own);
}

/// Writes rows as columns.
class RowWriter {
 public:
  RowWriter(ColumnWriter& out, const Seal& seal) : out_(out), seal_(seal) {}

  template <class Row>
  void begin(std::vector<Row>& rows) {
    out_.number(rows.size());
  }
  template <class Row, class Get>
  void numbers(std::vector<Row>& rows, Get get) {
    column_.clear();
    for (Row& row : rows) column_.push_back(number_of_field(get(row)));
    out_.column(column_);
  }
  template <class Row, class Get>
  void hashes(std::vector<Row>& rows, Get get) {
    column_.clear();
    for (Row& row : rows) column_.push_back(seal_.hash(get(row)));
    out_.hashes(column_);
  }
  /// From now on what follows from tools is known: by message, the hash that they make.
  void know_tools(std::vector<uint64_t> own) { own_of_tools_ = std::move(own); }
  void own_hashes(std::vector<Message>& rows) {
    column_.clear();
    for (size_t i = 0; i < rows.size(); ++i)
      column_.push_back(
          rows[i].own != 0 && rows[i].own == own_of_tools_[i] ? kFollows : seal_.hash(rows[i].own));
    out_.hashes(column_);
  }
  /// Of what does not follow; 0: it does.
  void keys(std::vector<Message>& rows) {
    column_.clear();
    for (const Message& row : rows)
      column_.push_back(row.key == key_that_follows(row, rows) ? 0 : seal_.hash(row.key));
    out_.hashes(column_);
  }
  /// Texts of which there are few.
  template <class Row, class Get>
  void words(std::vector<Row>& rows, Get get) {
    column_.clear();
    std::vector<std::string> fresh;
    for (Row& row : rows) {
      const std::string word(get(row));
      const auto [known, is_new] = words_.try_emplace(word, words_.size());
      if (is_new) fresh.push_back(word);
      column_.push_back(known->second);
    }
    out_.column(column_);
    for (const std::string& word : fresh) out_.text(word);
  }
  template <class Row, class Get>
  void extents(std::vector<Row>& rows, Get get) {
    column_.clear();
    uint64_t before = 0, expected = 0;  // where the record before begins, and behind it
    for (Row& row : rows) {
      const Extent& at = get(row);
      const uint64_t skipped = at.offset - expected;
      const uint64_t folded = (skipped << 1) ^ (skipped >> 63 != 0 ? ~uint64_t{0} : 0);
      column_.push_back(at.offset == expected ? 0 : at.offset == before ? kSameRecord : folded + 1);
      before = at.offset;
      expected = at.offset + at.length + 1;
    }
    out_.column(column_);
    numbers(rows, [&](Row& row) { return get(row).length; });
    numbers(rows, [&](Row& row) { return get(row).line; });
    words(rows, [&](Row& row) -> std::string_view { return format_name(get(row)); });
    // Who has the rest of a record may not find out by it what is hidden in it.
    numbers(rows, [&](Row& row) -> uint32_t {
      return seal_.is_keyed() ? 0 : static_cast<uint32_t>(get(row).check);
    });
  }
  static std::string_view format_name(const Extent& at);

 private:
  ColumnWriter& out_;
  const Seal& seal_;
  std::vector<uint64_t> column_, own_of_tools_;
  std::map<std::string, uint64_t> words_;
};

/// Reads them back.
class RowReader {
 public:
  explicit RowReader(ColumnReader& in) : in_(in) {}

  template <class Row>
  void begin(std::vector<Row>& rows) {
    rows.resize(in_.rows());
  }
  template <class Row, class Get>
  void numbers(std::vector<Row>& rows, Get get) {
    const std::vector<uint64_t>& column = in_.column(rows.size());
    for (size_t i = 0; i < rows.size(); ++i)
      if (!set_field(get(rows[i]), column[i])) return in_.fail();
  }
  template <class Row, class Get>
  void hashes(std::vector<Row>& rows, Get get) {
    const std::vector<uint64_t>& column = in_.hashes(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) get(rows[i]) = column[i];
  }
  /// What follows is found out when all is read.
  void own_hashes(std::vector<Message>& rows) {
    hashes(rows, [](Message& row) -> uint64_t& { return row.own; });
  }
  void keys(std::vector<Message>& rows) {
    hashes(rows, [](Message& row) -> uint64_t& { return row.key; });
  }
  template <class Row, class Get>
  void words(std::vector<Row>& rows, Get get) {
    each_word(rows.size(), [&](size_t i, std::string_view word) {
      auto&& field = get(rows[i]);
      field = word;
    });
  }
  template <class Row, class Get>
  void extents(std::vector<Row>& rows, Get get) {
    const std::vector<uint64_t> skipped = in_.column(rows.size());
    numbers(rows, [&](Row& row) -> uint32_t& { return get(row).length; });
    numbers(rows, [&](Row& row) -> uint32_t& { return get(row).line; });
    uint64_t before = 0, expected = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      Extent& at = get(rows[i]);
      const uint64_t folded = skipped[i] - 1;
      at.offset = skipped[i] == 0             ? expected
                  : skipped[i] == kSameRecord ? before
                                              : expected + ((folded >> 1) ^ (~(folded & 1) + 1));
      before = at.offset;
      expected = at.offset + at.length + 1;
    }
    each_word(rows.size(),
              [&](size_t i, std::string_view name) { set_format(get(rows[i]), name); });
    const std::vector<uint64_t>& checks = in_.column(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) get(rows[i]).check = checks[i] & 0xffffff;
  }
  /// The word as one of the program's own, which lasts.
  static std::string_view lasting(std::string_view word);
  static void set_format(Extent& at, std::string_view name);

 private:
  template <class Each>
  void each_word(size_t rows, Each each) {
    const std::vector<uint64_t> column = in_.column(rows);
    const size_t known = words_.size();
    uint64_t fresh = 0;
    for (uint64_t word : column) {
      if (word > known + fresh) return in_.fail();
      if (word == known + fresh) ++fresh;
    }
    for (uint64_t i = 0; i < fresh; ++i) words_.push_back(lasting(in_.text()));
    for (size_t i = 0; i < rows && !in_.failed(); ++i) each(i, words_[column[i]]);
  }

  ColumnReader& in_;
  std::vector<std::string_view> words_;
};

/// Carries a field of all rows, whichever way `io` goes. `get` leads to it.
template <class Io, class Row, class Get>
void carry_column(Io& io, std::vector<Row>& rows, Get get) {
  using Field = std::remove_cvref_t<decltype(get(rows[0]))>;
  if constexpr (std::is_same_v<Field, TextHash>)
    io.hashes(rows, [&](Row& row) -> uint64_t& { return get(row).of; });
  else if constexpr (std::is_same_v<Field, TextHashName> || std::is_same_v<Field, PayloadText>)
    io.numbers(rows, [&](Row& row) -> StringId& { return get(row).of; });
  else if constexpr (std::is_same_v<Field, OwnHash>)
    io.own_hashes(rows);
  else if constexpr (std::is_same_v<Field, PathKey>)
    io.keys(rows);
  else if constexpr (std::is_same_v<Field, Extent>)
    io.extents(rows, get);
  else if constexpr (std::is_same_v<Field, std::string_view> || std::is_same_v<Field, std::string>)
    io.words(rows, get);
  else if constexpr (requires(Field & field) { fields_of(field); })
    carry_fields(io, rows, get, std::make_index_sequence<std::tuple_size_v<FieldsOf<Field>>>());
  else
    io.numbers(rows, get);
}

/// All fields of what `get` leads to.
template <class Io, class Row, class Get, size_t... kEach>
void carry_fields(Io& io, std::vector<Row>& rows, Get get, std::index_sequence<kEach...>) {
  using Whole = std::remove_cvref_t<decltype(get(rows[0]))>;
  (carry_column(io, rows,
                [&](Row& row) -> std::tuple_element_t<kEach, FieldsOf<Whole>> {
                  return std::get<kEach>(fields_of(get(row)));
                }),
   ...);
}

/// All fields of all rows.
template <class Io, class Row>
void carry_table(Io& io, std::vector<Row>& rows) {
  static_assert(kHasAllFields<Row>, "a field lacks in fields_of()");
  io.begin(rows);
  carry_fields(
      io, rows, [](Row& row) -> Row& { return row; },
      std::make_index_sequence<std::tuple_size_v<FieldsOf<Row>>>());
}

}  // namespace xtrace
