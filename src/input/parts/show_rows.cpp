#include "base/hex.h"
#include "base/json_writer.h"
#include "input/common/format.h"
#include "input/common/row_fields.h"
#include "input/parts/stored_shard.h"

namespace xtrace {

namespace {

/// Writes fields as they are in a part; what is not given is null.
class FieldWriter {
 public:
  FieldWriter(const StringPool& strings, JsonWriter& out) : strings_(strings), out_(out) {}

  template <class Row>
  void show(Row row) {
    out_.open_list(JsonLayout::tight());
    std::apply([&](auto&&... field) { (value(field), ...); }, fields_of(row));
    out_.close();
  }

 private:
  void value(StringId id) { id ? out_.value(strings_[id]) : out_.null(); }
  void value(TextHash hash) { out_.value(hex(hash.of)); }
  void value(OwnHash hash) { out_.value(hex(hash.of.own)); }
  void value(PathKey key) { out_.value(hex(key.of.key)); }
  void value(TextHashName hash) { value(hash.of); }
  void value(PayloadText payload) { value(payload.of); }
  void value(Time time) { value(time.time_since_epoch()); }
  void value(Duration duration) { out_.value(duration.count()); }
  void value(std::string_view word) { out_.value(word); }
  void value(const Extent& at) {
    out_.open_list(JsonLayout::tight());
    out_.value(at.offset), out_.value(at.length), out_.value(at.line);
    const Format* format = format_at(at);
    out_.value(format == nullptr ? "" : format->name);
    out_.value(static_cast<uint32_t>(at.check));
    out_.close();
  }
  template <class Row>
  void value(Id<Row> id) {
    id ? out_.value(id.index) : out_.null();
  }
  template <class Field>
  void value(Field field) {
    if constexpr (requires { fields_of(field); })
      show(field);
    else if constexpr (std::is_floating_point_v<Field>)
      out_.value(std::to_string(field));
    else if constexpr (std::is_enum_v<Field>)
      out_.value(static_cast<uint32_t>(field));
    else
      out_.value(field);
  }

  const StringPool& strings_;
  JsonWriter& out_;
};

}  // namespace

void StoredShard::show_rows(const Shard& shard, std::span<const std::string_view> tables,
                            JsonWriter& out) {
  FieldWriter fields(shard.strings_, out);
  size_t table = 0;
  auto show = [&](std::string_view name, const auto& rows) {
    if (rows.empty()) return;
    out.key(name);
    out.open_list(JsonLayout::lines(6));
    for (const auto& row : rows) fields.show(row);
    out.close();
  };
  std::apply([&](auto... member) { (show(tables[table++], shard.tables_.*member), ...); }, kTables);
  table = 0;
  for_each_raw_table([&](auto member) { show(kRawTableNames[table++], shard.raw_.*member); });
  out.key("complaints");
  out.open_list(JsonLayout::lines(6));
  for (const Complaint& complaint : shard.complaints_) out.value(complaint.what);
  out.close();
  out.key("strings");
  out.open_list(JsonLayout::lines(6));
  for (size_t i = 0; i < shard.strings_.size(); ++i) out.value(shard.strings_[StringId(i)]);
  out.close();
}

}  // namespace xtrace
