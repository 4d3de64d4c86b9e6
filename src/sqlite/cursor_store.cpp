#include "sqlite/cursor_store.h"

#include <optional>
#include <string>
#include <vector>

#include "base/digits.h"
#include "base/protobuf.h"

namespace xtrace {

// Two tables: `meta` with one row, whose value is JSON in hexadecimal digits, and `blobs`, whose
// ids are the SHA-256 of what they hold. Some of these are messages in JSON. The one that
// `latestRootBlobId` names is a message of Protocol Buffers, whose field 1 repeats the ids of the
// messages of the conversation as it stands.

namespace {

/// The first column of the first row.
std::optional<std::string> text_of(SqliteFile& file, const std::string& sql,
                                   const std::vector<std::string>& values) {
  SqliteFile::Statement select = file.prepare(sql);
  if (select == nullptr) return std::nullopt;
  SqliteBinding binding(select.get());
  for (const std::string& value : values)
    if (!binding.all(value)) return std::nullopt;
  if (sqlite3_step(select.get()) != SQLITE_ROW) return std::nullopt;
  const void* bytes = sqlite3_column_blob(select.get(), 0);
  const size_t size = static_cast<size_t>(sqlite3_column_bytes(select.get(), 0));
  if (bytes == nullptr) return std::nullopt;
  return std::string(static_cast<const char*>(bytes), size);
}

/// What the digits stand for; as it is if they are none.
std::string from_hex(std::string text) {
  std::string bytes;
  if (text.size() % 2 != 0) return text;
  for (size_t at = 0; at < text.size(); at += 2) {
    const int high = hex_digit(text[at]), low = hex_digit(text[at + 1]);
    if (high < 0 || low < 0) return text;
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

std::vector<std::string> messages_of(std::string_view root) {
  constexpr size_t kId = 32;
  std::vector<std::string> ids;
  ProtobufFields fields(root);
  for (ProtobufField field; fields.next(field);) {
    if (field.number != 1 || field.bytes.size() != kId) continue;
    std::string& id = ids.emplace_back();
    for (const char c : field.bytes) {
      const auto byte = static_cast<unsigned char>(c);
      id += "0123456789abcdef"[byte >> 4];
      id += "0123456789abcdef"[byte & 15];
    }
  }
  return ids;
}

}  // namespace

Status read_cursor_store(SqliteFile& file,
                         const std::function<Status(std::string_view session)>& each) {
  const std::string meta = from_hex(
      text_of(file, "SELECT value FROM meta ORDER BY key LIMIT 1", {}).value_or(std::string()));
  const std::optional<std::string> root =
      text_of(file,
              "SELECT data FROM blobs WHERE json_valid(?1) AND id = "
              "json_extract(?1, '$.latestRootBlobId')",
              {meta});
  std::string list = "[";
  for (const std::string& id : messages_of(root.value_or(std::string()))) {
    const std::optional<std::string> message =
        text_of(file,
                "SELECT CAST(data AS TEXT) FROM blobs WHERE id = ?1 AND "
                "json_valid(CAST(data AS TEXT))",
                {id});
    if (!message) continue;
    if (list.size() > 1) list += ',';
    list += *message;
  }
  list += ']';
  const std::optional<std::string> session = text_of(
      file, "SELECT json_set(?1, '$.messages', json(?2)) WHERE json_valid(?1)", {meta, list});
  return session ? each(*session) : file.refused("its session is unknown (table meta)");
}

}  // namespace xtrace
