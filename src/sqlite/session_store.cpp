#include "sqlite/session_store.h"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digits.h"
#include "base/protobuf.h"
#include "base/result.h"
#include "base/text.h"
#include "sqlite/sqlite_file.h"

namespace xtrace {

namespace {

// Two tables: `meta` with one row, whose value is JSON in hexadecimal digits, and `blobs`, whose
// ids are the SHA-256 of what they hold. Some of these are messages in JSON. The one that
// `latestRootBlobId` names is a message of Protocol Buffers, whose field 1 repeats the ids of the
// messages of the current conversation.

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

/// The bytes that the digits encode; unchanged if they are no digits.
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

/// The session in a store of Cursor's CLI (`store.db`): its own description, with its messages in
/// order under `messages`.
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
    // One message may be named again and again.
    if (list.size() > file.longest_text()) return file.refused("repeats its messages without end");
  }
  list += ']';
  const std::optional<std::string> session = text_of(
      file, "SELECT json_set(?1, '$.messages', json(?2)) WHERE json_valid(?1)", {meta, list});
  return session ? each(*session) : file.refused("its session is unknown (table meta)");
}

/// How an agent keeps sessions.
struct Store {
  std::string_view agent;
  std::string_view tables[4];  ///< that distinguish it from others; empty: no more
  const char* before;          ///< begins the statement
  const char* sessions;        ///< a row for each, of one text
  bool is_all = true;          ///< false: others of this agent may be next to it
};

// The contents of a message or a part are JSON; ids and links are columns beside it. Each table is
// gone through once, whether or not it has an index.
constexpr const char* kOpenCode = R"(
  WITH parts AS MATERIALIZED (
    SELECT message_id, json_group_array(json(part)) AS list FROM (
      SELECT message_id, json_set(data, '$.id', id, '$.messageID', message_id,
                                  '$.sessionID', session_id) AS part
      FROM part WHERE json_valid(data) ORDER BY message_id, id)
    GROUP BY message_id),
  messages AS MATERIALIZED (
    SELECT session_id, json_group_array(json(message)) AS list FROM (
      SELECT m.session_id, json_object(
        'info', json_set(m.data, '$.id', m.id, '$.sessionID', m.session_id),
        'parts', json(coalesce(p.list, '[]'))) AS message
      FROM message m LEFT JOIN parts p ON p.message_id = m.id
      WHERE json_valid(m.data) ORDER BY m.session_id, m.id)
    GROUP BY session_id)
  SELECT json_object(
    'info', json_object('id', s.id, 'parentID', s.parent_id, 'directory', s.directory,
                        'title', s.title, 'version', s.version,
                        'time', json_object('created', s.time_created, 'updated', s.time_updated)),
    'messages', json(coalesce(m.list, '[]')))
  FROM session s LEFT JOIN messages m ON m.session_id = s.id
  UNION ALL SELECT data FROM message WHERE NOT json_valid(data)
  UNION ALL SELECT data FROM part WHERE NOT json_valid(data))";

// Version 2 has a row for each message, in tables beside the former ones; in betas its messages are
// those of the former sessions. What both versions contain counts once: a message that began while
// a former one of its kind was under way is that one.
constexpr const char* kNewBesideFormer = R"(
  WITH here AS (
    SELECT id, parent_id, directory, title, version, time_created, time_updated FROM session_v2
    UNION ALL
    SELECT id, parent_id, directory, title, version, time_created, time_updated FROM session
    WHERE id NOT IN (SELECT id FROM session_v2)
      AND id IN (SELECT session_id FROM session_message)), )";
constexpr const char* kNewUnderFormer = R"(
  WITH here AS (SELECT * FROM session WHERE id IN (SELECT session_id FROM session_message)), )";
constexpr const char* kNewAlone = R"(
  WITH here AS (SELECT * FROM session_v2),
  message AS (SELECT NULL AS session_id, NULL AS data WHERE 0), )";
constexpr const char* kNewOpenCode = R"(
  told AS (
    SELECT session_id, json_extract(data, '$.role') AS role,
           json_extract(data, '$.time.created') AS made,
           coalesce(json_extract(data, '$.time.completed'),
                    json_extract(data, '$.time.created')) AS until, NULL AS id
    FROM message WHERE json_valid(data)
    UNION ALL
    SELECT session_id, CASE type WHEN 'user' THEN type ELSE 'assistant' END,
           json_extract(data, '$.time.created'), NULL, id
    FROM session_message WHERE json_valid(data)),
  again AS MATERIALIZED (
    SELECT id FROM (
      SELECT id, made, max(until) OVER (PARTITION BY session_id, role
                                        ORDER BY made, id IS NOT NULL) AS known
      FROM told)
    WHERE id IS NOT NULL AND made <= known),
  newer AS MATERIALIZED (
    SELECT session_id, json_group_array(json(message)) AS list FROM (
      SELECT session_id, json_set(data, '$.id', id, '$.type', type) AS message
      FROM session_message m JOIN (SELECT NULL AS seq) lacking
      WHERE json_valid(data) AND id NOT IN (SELECT id FROM again)
      ORDER BY session_id, (SELECT seq FROM session_message i WHERE i.id = m.id), time_created, id)
    GROUP BY session_id)
  SELECT json_object(
    'info', json_object('id', s.id, 'parentID', s.parent_id, 'directory', s.directory,
                        'title', s.title, 'version', s.version,
                        'time', json_object('created', s.time_created, 'updated', s.time_updated)),
    'messages', json(coalesce(n.list, '[]')))
  FROM here s LEFT JOIN newer n ON n.session_id = s.id
  UNION ALL SELECT data FROM session_message WHERE NOT json_valid(data))";

constexpr const char* kUsed = R"(
  WITH used AS MATERIALIZED (
    SELECT session_id, json_group_array(json(row)) AS list FROM (
      SELECT session_id, json_object(
        'time', created_timestamp, 'model', model, 'input_tokens', input_tokens,
        'output_tokens', output_tokens, 'total_tokens', total_tokens,
        'cache_read_tokens', cache_read_tokens, 'cache_write_tokens', cache_write_tokens,
        'cost', cost, 'is_compaction', is_compaction) AS row
      FROM usage_ledger ORDER BY session_id, created_timestamp, rowid)
    GROUP BY session_id), )";
constexpr const char* kNotUsed = R"(
  WITH used AS (SELECT NULL AS session_id, NULL AS list), )";

// Older databases have fewer columns: a name that is not in `sessions` is one of `lacking`.
constexpr const char* kGoose = R"(
  told AS MATERIALIZED (
    SELECT session_id, json_group_array(json(message)) AS list FROM (
      SELECT session_id, json_object(
        'id', message_id, 'role', role, 'created', created_timestamp,
        'content', json(content_json),
        'metadata', CASE WHEN json_valid(metadata_json) THEN json(metadata_json) END) AS message
      FROM messages WHERE json_valid(content_json)
      ORDER BY session_id, created_timestamp, rowid)
    GROUP BY session_id)
  SELECT json_object(
    'id', s.id, 'working_dir', coalesce(s.working_dir, ''),
    'name', (SELECT coalesce(nullif(name, ''), description) FROM sessions i WHERE i.id = s.id),
    'session_type', (SELECT session_type FROM sessions i WHERE i.id = s.id),
    'parent_session_id', (SELECT parent_session_id FROM sessions i WHERE i.id = s.id),
    'provider_name', (SELECT provider_name FROM sessions i WHERE i.id = s.id),
    'model_config', (SELECT json(model_config_json) FROM sessions i
                     WHERE i.id = s.id AND json_valid(model_config_json)),
    'accumulated_total_tokens',
      (SELECT accumulated_total_tokens FROM sessions i WHERE i.id = s.id),
    'accumulated_input_tokens',
      (SELECT accumulated_input_tokens FROM sessions i WHERE i.id = s.id),
    'accumulated_output_tokens',
      (SELECT accumulated_output_tokens FROM sessions i WHERE i.id = s.id),
    'accumulated_cache_read_tokens',
      (SELECT accumulated_cache_read_tokens FROM sessions i WHERE i.id = s.id),
    'accumulated_cache_write_tokens',
      (SELECT accumulated_cache_write_tokens FROM sessions i WHERE i.id = s.id),
    'accumulated_cost', (SELECT accumulated_cost FROM sessions i WHERE i.id = s.id),
    'usage', json(coalesce(u.list, '[]')), 'conversation', json(coalesce(m.list, '[]')))
  FROM sessions s
    JOIN (SELECT NULL AS session_type, NULL AS provider_name, NULL AS model_config_json,
                 NULL AS accumulated_total_tokens, NULL AS accumulated_input_tokens,
                 NULL AS accumulated_output_tokens, NULL AS accumulated_cost,
                 NULL AS accumulated_cache_read_tokens, NULL AS accumulated_cache_write_tokens,
                 NULL AS parent_session_id, NULL AS name, NULL AS description) lacking
    LEFT JOIN told m ON m.session_id = s.id LEFT JOIN used u ON u.session_id = s.id
  UNION ALL SELECT content_json FROM messages WHERE NOT json_valid(content_json))";

constexpr const char* kKiro = R"(
  SELECT CASE WHEN json_valid(value)
              THEN json_set(value, '$.conversation_id', conversation_id) ELSE value END
  FROM conversations_v2 ORDER BY rowid)";

constexpr const char* kAmazonQ = "SELECT value FROM conversations ORDER BY rowid";

// A line for each model call of a session, behind one that names it, as in the log of the session.
constexpr const char* kCopilot = R"(
  SELECT line FROM (
    SELECT u.session_id AS session, 0 AS at, json_object(
      'type', 'session.start', 'id', 'session-store/' || u.session_id, 'parentId', NULL,
      'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', min(u.created_at)),
      'data', json_object('sessionId', u.session_id, 'context', json_object('cwd', s.cwd))) AS line
    FROM assistant_usage_events u LEFT JOIN sessions s ON s.id = u.session_id
    GROUP BY u.session_id
    UNION ALL
    SELECT u.session_id, u.id, json_object(
      'type', 'session_store.usage', 'id', 'session-store/' || u.session_id || '/' || u.id,
      'parentId', NULL, 'timestamp', strftime('%Y-%m-%dT%H:%M:%fZ', u.created_at),
      'agentId', (SELECT coalesce(nullif(agent_id, ''), parent_tool_call_id)
                  FROM assistant_usage_events i WHERE i.rowid = u.rowid),
      'data', json_object(
        'model', u.model, 'inputTokens', u.input_tokens, 'outputTokens', u.output_tokens,
        'cacheReadTokens', u.cache_read_tokens, 'cacheWriteTokens', u.cache_write_tokens,
        'reasoningTokens', u.reasoning_tokens, 'duration', u.duration_ms,
        'finishReason', u.finish_reason))
    FROM assistant_usage_events u
      JOIN (SELECT NULL AS agent_id, NULL AS parent_tool_call_id) lacking)
  WHERE session IS NOT NULL ORDER BY session, at)";

// Our own snapshots (keep/snapshot_file.h) are a history of one graph: the newest one counts.
constexpr const char* kSnapshot =
    "SELECT json FROM Snapshot ORDER BY julianday(last_updated) DESC, rowid DESC LIMIT 1";

constexpr Store kStores[] = {
    {"xtrace --snapshot", {"Snapshot"}, "", kSnapshot},
    {"OpenCode", {"session", "message", "part"}, "", kOpenCode, false},
    {"OpenCode",
     {"session_v2", "session_message", "session", "message"},
     kNewBesideFormer,
     kNewOpenCode},
    {"OpenCode", {"session_v2", "session_message"}, kNewAlone, kNewOpenCode},
    {"OpenCode", {"session", "message", "session_message"}, kNewUnderFormer, kNewOpenCode},
    {"Goose", {"sessions", "messages", "usage_ledger"}, kUsed, kGoose},
    {"Goose", {"sessions", "messages"}, kNotUsed, kGoose},
    {"GitHub Copilot CLI", {"sessions", "assistant_usage_events"}, "", kCopilot},
    {"Kiro", {"conversations_v2"}, "", kKiro},
    {"Amazon Q", {"conversations"}, "", kAmazonQ},
};

bool has_tables(SqliteFile& file, const Store& store) {
  for (std::string_view table : store.tables)
    if (!table.empty() && !file.has_table(table)) return false;
  return true;
}

/// A table whose rows share an id, which others are joined by; empty: there is none. Each of them
/// would get all that belongs to the id, so that little makes much.
std::string_view table_with_shared_id(SqliteFile& file, const Store& store) {
  for (std::string_view table : store.tables) {
    if (table.empty()) continue;
    const SqliteFile::Statement shared = file.prepare(
        fmt::format("SELECT 1 FROM {} GROUP BY id HAVING count(*) > 1 LIMIT 1", table));
    if (shared != nullptr && sqlite3_step(shared.get()) == SQLITE_ROW) return table;
  }
  return {};
}

/// Crush calls its tables as Goose does, and has other columns in them.
bool is_of_crush(SqliteFile& file) {
  return file.prepare("SELECT parts, model FROM messages") != nullptr &&
         file.prepare("SELECT prompt_tokens, completion_tokens FROM sessions") != nullptr;
}

/// `lacking`: whose tables are there, without all columns that are read; empty: nobody's.
std::string what_else(SqliteFile& file, std::string_view lacking) {
  if (is_of_crush(file)) return "looks like sessions of Crush (SQLite), which are not supported";
  if (!lacking.empty())
    return fmt::format(
        "looks like sessions of {} (SQLite) in an unsupported version: its tables have missing "
        "columns",
        lacking);
  if (file.has_table("cursorDiskKV"))
    return "looks like the state of Cursor's editor (SQLite), which is not supported because it "
           "does not store whole replies; use the transcripts in ~/.cursor/projects";
  if (file.application() == kAnswerApplication)
    return "xtrace output (-f sqlite), not a log; pass the original log";
  return "unrecognized SQLite database; supported: OpenCode, Goose, Copilot CLI, Kiro, Amazon Q "
         "and Cursor";
}

}  // namespace

Status read_session_store(std::string_view bytes, const std::string& path,
                          const std::function<Status(std::string_view session)>& each) {
  Result<SqliteFile> opened = SqliteFile::open_bytes(bytes, path);
  if (!opened) return tl::unexpected(opened.error());
  std::string_view lacking, read;
  for (const Store& store : kStores) {
    if ((!read.empty() && store.agent != read) || !has_tables(*opened, store)) continue;
    SqliteFile::Statement select = opened->prepare(std::string(store.before) + store.sessions);
    if (select == nullptr) {
      lacking = store.agent;
      continue;
    }
    if (const std::string_view table = table_with_shared_id(*opened, store); !table.empty())
      return opened->refused(fmt::format("has rows with the same id (table {})", table));
    int code = SQLITE_ERROR;
    while ((code = sqlite3_step(select.get())) == SQLITE_ROW) {
      const unsigned char* text = sqlite3_column_text(select.get(), 0);
      if (text == nullptr) continue;
      const std::string_view session(reinterpret_cast<const char*>(text),
                                     static_cast<size_t>(sqlite3_column_bytes(select.get(), 0)));
      if (Status given = each(session); !given) return given;
    }
    if (code != SQLITE_DONE) return opened->failed();
    read = store.agent;
    if (store.is_all) break;
  }
  if (!read.empty()) return {};
  if (opened->has_table("blobs") && opened->has_table("meta"))
    return read_cursor_store(*opened, each);
  if (opened->is_damaged())
    return fail(Exit::input,
                fmt::format("{}: a damaged or truncated SQLite database", printable(path)));
  return fail(Exit::input, fmt::format("{}: {}", printable(path), what_else(*opened, lacking)));
}

}  // namespace xtrace
