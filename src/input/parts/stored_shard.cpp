#include "input/parts/stored_shard.h"

#include <algorithm>
#include <mutex>

#include "base/digits.h"
#include "base/hex.h"
#include "input/calls/block_hash.h"
#include "input/common/format.h"
#include "input/parts/row_columns.h"
#include "redact/redact.h"

namespace xtrace {

std::string_view RowWriter::format_name(const Extent& at) {
  const Format* format = format_at(at);
  return format == nullptr ? std::string_view{} : format->name;
}

void RowReader::set_format(Extent& at, std::string_view name) {
  const Format* format = find_format(name);
  at.format = format == nullptr ? Extent::kUnknownFormat : index_of(*format);
}

std::string_view RowReader::lasting(std::string_view word) {
  static std::mutex mutex;
  static StringPool words;
  std::lock_guard lock(mutex);
  return words[words.intern(word)];
}

namespace {

inline auto fields_of(Complaint& row) {
  return std::tie(row.at, row.what, row.kind);
}

inline auto fields_of(Stretch& row) {
  return std::tuple_cat(
      std::tie(row.source, row.begin, row.end, row.first_line, row.lines),
      std::tuple(TextHash{row.digest}),
      std::tie(row.records, row.other_records, row.skipped, row.repaired, row.format));
}

inline auto fields_of(PartSource& row) {
  return std::tie(row.path, row.shown, row.bytes, row.is_document, row.is_whole, row.listed);
}

template <class Io, class Row>
void carry_rows(Io& io, std::vector<Row>& rows) {
  io.begin(rows);
  [&]<size_t... kEach>(std::index_sequence<kEach...>) {
    (carry_column(io, rows,
                  [](Row& row) -> std::tuple_element_t<kEach, decltype(fields_of(row))> {
                    return std::get<kEach>(fields_of(row));
                  }),
     ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(fields_of(std::declval<Row&>()))>>());
}

template <class Io>
void carry_sources(Io& io, PartBody& body) {
  carry_rows(io, body.sources);
  // One more, so that none is 0.
  std::vector<uint64_t> unpacked;
  for (PartSource& source : body.sources)
    unpacked.push_back(source.unpacked_bytes ? *source.unpacked_bytes + 1 : 0);
  struct Number {
    uint64_t value;
  };
  std::vector<Number> numbers;
  numbers.reserve(unpacked.size());
  for (uint64_t value : unpacked) numbers.push_back({value});
  io.numbers(numbers, [](Number& number) -> uint64_t& { return number.value; });
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i].value > 0) body.sources[i].unpacked_bytes = numbers[i].value - 1;
}

/// Files that were passed over, flat: a row for each that is named.
struct UnreadRow {
  std::string why, path;
  uint64_t files = 0;
  bool may_hold_records = false, is_first = false;
};
inline auto fields_of(UnreadRow& row) {
  return std::tie(row.why, row.path, row.files, row.may_hold_records, row.is_first);
}

std::vector<UnreadRow> rows_of_unread(const std::vector<Unread>& unread) {
  std::vector<UnreadRow> rows;
  for (const Unread& one : unread) {
    rows.push_back({one.why, {}, one.files, one.may_hold_records, true});
    for (const std::string& path : one.paths)
      rows.push_back({one.why, path, 0, one.may_hold_records, false});
  }
  return rows;
}

std::vector<Unread> unread_of(const std::vector<UnreadRow>& rows) {
  std::vector<Unread> unread;
  for (const UnreadRow& row : rows) {
    if (row.is_first || unread.empty())
      unread.push_back({row.why, row.files, {}, row.may_hold_records});
    if (!row.is_first) unread.back().paths.push_back(row.path);
  }
  return unread;
}

/// What the strings of a shard are to its rows.
class StringUses {
 public:
  explicit StringUses(size_t strings) : uses_(strings, 0) {}

  template <class Row>
  void note(std::vector<Row>& rows) {
    for (Row& row : rows)
      std::apply([&](auto&&... field) { (note_field(row, field), ...); }, fields_of(row));
  }
  bool is_name(size_t string) const { return (uses_[string] & kName) != 0; }
  bool is_hash(size_t string) const { return uses_[string] == kHash; }

 private:
  static constexpr uint8_t kName = 1, kHash = 2;

  void use(StringId id, uint8_t as) {
    if (id) uses_[id.index] |= as;
  }
  template <class Row, class Field>
  void note_field(Row&, Field&) {}
  template <class Row>
  void note_field(Row& row, StringId& id) {
    if constexpr (std::is_same_v<Row, Remark>) {
      if (row.kind == Remark::Kind::payload) return;
    }
    if constexpr (std::is_same_v<Row, SessionNote>) {
      // What a session is called are words of its user or of a model.
      if (&id == &row.text && row.kind != SessionNote::Kind::project) return;
    }
    use(id, kName);
  }
  template <class Row>
  void note_field(Row&, TextHashName& hash) {
    use(hash.of, kHash);
  }

  std::vector<uint8_t> uses_;
};

/// Sixteen hex digits of a hash, sealed.
std::string sealed_hash(std::string_view digits, const Seal& seal) {
  if (!seal.is_keyed() || digits.size() != 16) return std::string(digits);
  uint64_t number = 0;
  for (char c : digits) {
    if (hex_digit(c) < 0) return std::string(digits);
    number = number * 16 + static_cast<uint64_t>(hex_digit(c));
  }
  return hex(seal.hash(number));
}

/// Do all references lead to rows of the same stretch, so that merge() may follow them?
class ReferenceCheck {
 public:
  ReferenceCheck(const std::vector<uint32_t>& begins, const std::vector<uint32_t>& ends,
                 size_t messages, size_t strings)
      : begins_(begins), ends_(ends), messages_(messages), strings_(strings) {}

  void operator()(StringId& id) { sound_ &= !id || id.index < strings_; }
  void operator()(MessageId& id) { sound_ &= !id || id.index < messages_; }
  template <class Row>
  void operator()(Id<Row>& id) {
    constexpr size_t kTable = Shard::index_of_table<Row>();
    sound_ &= !id || (id.index >= begins_[kTable] && id.index < ends_[kTable]);
  }
  template <class Row>
  void operator()(RowIndex<Row> row) {
    constexpr size_t kTable = Shard::index_of_table<Row>();
    sound_ &= row.at >= begins_[kTable] && row.at <= ends_[kTable];
    last_ = ends_[kTable];
  }
  void operator()(Extent&) {}

  template <class Row>
  void check(std::span<Row> rows) {
    for (Row& row : rows) {
      for_each_reference(row, *this);
      if constexpr (stands_in_a_message<Row>()) sound_ &= static_cast<bool>(row.message);
      if constexpr (std::is_same_v<Row, Span>) sound_ &= row.parents <= last_ - row.first_parent;
      if constexpr (std::is_same_v<Row, TaskStep>)
        sound_ &= row.remarks <= last_ - row.first_remark;
      if (!sound_) return;
    }
  }
  bool is_sound() const { return sound_; }

 private:
  /// What transcripts say before it is put together may have none.
  template <class Row>
  static constexpr bool stands_in_a_message() {
    return !std::is_same_v<Row, Utterance> && requires(Row row) {
      row.message;
    };
  }

  const std::vector<uint32_t>&begins_, &ends_;
  size_t messages_, strings_;
  uint32_t last_ = 0;
  bool sound_ = true;
};

}  // namespace

/// By message, what Message::own is if it says nothing but asks for tools or brings their results.
std::vector<uint64_t> StoredShard::own_of_tools(const Shard& shard) {
  std::vector<uint64_t> own;
  own.reserve(shard.tables_.messages.size());
  for (const Message& message : shard.tables_.messages) own.push_back(begin_own(message.role));
  for (const ToolUse& use : shard.tables_.tool_uses)
    own[use.message.index] = chain(own[use.message.index],
                                   hash_tool_block(Block::Kind::tool_use, shard.strings_[use.id]));
  for (const ToolResult& result : shard.tables_.tool_results)
    own[result.message.index] =
        chain(own[result.message.index],
              hash_tool_block(Block::Kind::tool_result, shard.strings_[result.tool_use]));
  return own;
}

/// What both ways have in common: all tables in their order.
template <class Io, class Each>
void StoredShard::carry(Io& io, Shard& shard, Each each) {
  std::apply([&](auto... table) { (each(io, shard.tables_.*table), ...); }, kTables);
  for_each_raw_table([&](auto table) { each(io, shard.raw_.*table); });
}

std::string StoredShard::shown_path(const std::string& path, const Seal& seal) {
  Redactor redactor;
  redactor.name_by(
      [&](std::string_view rule, std::string_view value) { return seal.token(rule, value); });
  return redactor.redact(path);
}

std::string StoredShard::write(PartBody& body, const Seal& seal) {
  Shard& shard = body.shard;
  shard.close_stretch();
  shard.tables_.message_texts.clear();
  const bool seals_arguments = shard.keeps_arguments_ && shard.sealed_argument_;
  if (!seals_arguments) shard.tables_.arguments.clear();
  StringUses uses(shard.strings_.size());
  carry(uses, shard, [](StringUses& noted, auto& rows) { noted.note(rows); });

  Redactor redactor;
  redactor.name_by(
      [&](std::string_view rule, std::string_view value) { return seal.token(rule, value); });
  std::vector<std::string> texts;
  texts.reserve(shard.strings_.size());
  for (size_t i = 0; i < shard.strings_.size(); ++i) {
    const std::string_view text = shard.strings_[StringId(i)];
    if (uses.is_hash(i))
      texts.push_back(sealed_hash(text, seal));
    else if (uses.is_name(i))
      texts.push_back(redactor.clean(text) ? std::string(text) : redactor.redact(text));
    else
      texts.emplace_back();  // nobody asks for it but who sees texts
  }

  for (PartSource& source : body.sources) source.shown = shown_path(source.path, seal);
  ColumnWriter out;
  RowWriter io(out, seal);
  io.know_tools(own_of_tools(shard));
  carry_sources(io, body);
  std::vector<UnreadRow> unread = rows_of_unread(body.unread);
  carry_rows(io, unread);
  // A shard of which nothing was read represents none.
  std::vector<Stretch> stretches;
  if (!body.sources.empty()) stretches = shard.stretches();
  carry_rows(io, stretches);
  for (size_t table = 0; !stretches.empty() && table < Shard::kEnds; ++table)
    io.numbers(stretches, [&](Stretch& one) -> uint32_t& { return one.ends[table]; });
  carry(io, shard, [](RowWriter& to, auto& rows) { carry_table(to, rows); });
  carry_rows(io, shard.complaints_);
  out.texts(texts);
  return out.packed();
}

std::optional<PartBody> StoredShard::read(std::string_view bytes) {
  ColumnReader in(bytes);
  RowReader io(in);
  PartBody body;
  Shard& shard = body.shard;
  carry_sources(io, body);
  std::vector<UnreadRow> unread;
  carry_rows(io, unread);
  body.unread = unread_of(unread);
  std::vector<Stretch>& stretches = shard.stretches();
  stretches.clear();
  carry_rows(io, stretches);
  for (Stretch& stretch : stretches) stretch.ends.assign(Shard::kEnds, 0);
  for (size_t table = 0; !stretches.empty() && table < Shard::kEnds; ++table)
    io.numbers(stretches, [&](Stretch& one) -> uint32_t& { return one.ends[table]; });
  carry(io, shard, [](RowReader& from, auto& rows) { carry_table(from, rows); });
  carry_rows(io, shard.complaints_);
  const std::vector<std::string> texts = in.texts();
  if (!in.is_at_end() || (stretches.empty() && !body.sources.empty() && !is_empty(shard)))
    return std::nullopt;
  return settle(shard, texts, body.sources.size()) ? std::optional(std::move(body)) : std::nullopt;
}

bool StoredShard::is_empty(Shard& shard) {
  bool empty = shard.complaints_.empty();
  carry(empty, shard, [](bool& is_empty, auto& rows) { is_empty &= rows.empty(); });
  return empty;
}

/// Looks through what was read, and gives strings their numbers: two texts may have been made one.
bool StoredShard::settle(Shard& shard, const std::vector<std::string>& texts, size_t sources) {
  std::vector<uint32_t> begins(Shard::kEnds, 0), pool_at(texts.size() + 1, 0);
  std::vector<StringId> strings;
  strings.reserve(texts.size());
  for (size_t i = 0; i < texts.size(); ++i) {
    strings.push_back(shard.strings_.intern(texts[i]));
    pool_at[i + 1] = static_cast<uint32_t>(shard.strings_.size());
  }
  for (size_t i = 0; i < shard.tables_.messages.size(); ++i) {
    const Message& message = shard.tables_.messages[i];
    if (message.before && message.before.index >= i) return false;
  }
  for (Stretch& stretch : shard.stretches()) {
    if (stretch.source >= sources || stretch.begin > stretch.end) return false;
    stretch.format = known_format(stretch.format);
    for (size_t table = 0; table < Shard::kEnds; ++table)
      if (stretch.ends[table] < begins[table]) return false;
    if (!are_in_bounds(shard, stretch.ends) || stretch.ends[Shard::kStrings] > texts.size())
      return false;
    ReferenceCheck check(begins, stretch.ends, stretch.ends[Shard::kMessages],
                         stretch.ends[Shard::kStrings]);
    size_t table = 0;
    carry(check, shard, [&](ReferenceCheck& checked, auto& rows) {
      checked.check(std::span(rows).subspan(begins[table], stretch.ends[table] - begins[table]));
      ++table;
    });
    if (!check.is_sound()) return false;
    // Sizes of one record are followed up to its last.
    const std::vector<BlockSize>& sizes = shard.tables_.block_sizes;
    const uint32_t last = stretch.ends[Shard::index_of_table<BlockSize>()];
    if (last > begins[Shard::index_of_table<BlockSize>()] && !sizes[last - 1].is_last) return false;
    begins = stretch.ends;
    stretch.ends[Shard::kStrings] = pool_at[stretch.ends[Shard::kStrings]];
  }
  if (!is_all(shard, begins)) return false;
  if (shard.strings_.size() != texts.size()) renumber(shard, strings);
  find_what_follows(shard);
  return true;
}

void StoredShard::find_what_follows(Shard& shard) {
  const std::vector<uint64_t> own = own_of_tools(shard);
  std::vector<Message>& messages = shard.tables_.messages;
  for (size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].own == kFollows) messages[i].own = own[i];
    if (messages[i].key == 0) messages[i].key = key_that_follows(messages[i], messages);
  }
}

void StoredShard::renumber(Shard& shard, const std::vector<StringId>& strings) {
  auto set = [&](auto& to) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(to)>, StringId>)
      if (to) to = strings[to.index];
  };
  carry(set, shard, [](auto& each, auto& rows) {
    for (auto& row : rows)
      std::apply(
          [&](auto&&... field) {
            auto one = [&](auto&& f) {
              if constexpr (requires { f.of; })
                each(f.of);
              else
                each(f);
            };
            (one(field), ...);
          },
          fields_of(row));
  });
}

/// Does nothing stand behind the last stretch?
bool StoredShard::is_all(Shard& shard, const std::vector<uint32_t>& ends) {
  size_t table = 0;
  bool all = ends[Shard::kComplaints] == shard.complaints_.size();
  carry(all, shard, [&](bool& is_all, auto& rows) { is_all &= ends[table++] == rows.size(); });
  return all;
}

bool StoredShard::are_in_bounds(Shard& shard, const std::vector<uint32_t>& ends) {
  size_t table = 0;
  bool fits = ends[Shard::kComplaints] <= shard.complaints_.size();
  carry(fits, shard, [&](bool& all_fit, auto& rows) { all_fit &= ends[table++] <= rows.size(); });
  return fits;
}

std::string_view StoredShard::known_format(std::string_view name) {
  const Format* format = find_format(name);
  return format == nullptr ? name : format->name;
}

}  // namespace xtrace
