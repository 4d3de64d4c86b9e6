#include "input/parts/show_part.h"

#include <fmt/format.h>

#include "base/hex.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "input/parts/row_columns.h"
#include "input/parts/seal.h"
#include "input/parts/stored_shard.h"

namespace xtrace {

namespace {

/// What the tables of kTables are called, in its order.
constexpr std::string_view kNames[] = {
    "calls",           "messages",   "tool_uses",      "tool_targets",    "tool_results",
    "background_ends", "prompts",    "texts",          "arguments",       "spans",
    "span_parents",    "gen_ai",     "details",        "measurements",    "task_steps",
    "remarks",         "told_edges", "converted_hops", "converted_links", "usage_statements",
    "session_notes",   "said_sizes"};
static_assert(std::size(kNames) == Shard::kTablesOfTrace);

void show_stretches(const PartBody& body, JsonWriter& out) {
  out.key("stretches");
  out.open_list(JsonLayout::lines(6));
  for (const Stretch& stretch : body.shard.stretches()) {
    out.open_object();
    out.key("file"), out.value(body.sources[stretch.source].path);
    out.key("begin"), out.value(stretch.begin);
    out.key("end"), out.value(stretch.end);
    if (stretch.first_line > 0) out.key("first_line"), out.value(stretch.first_line);
    out.key("lines"), out.value(stretch.lines);
    out.key("format"), out.value(stretch.format);
    out.key("records"), out.value(stretch.records + stretch.other_records);
    out.key("skipped"), out.value(stretch.skipped);
    out.key("digest"), out.value(hex(stretch.digest));
    out.close();
  }
  out.close();
}

void show(const PartBody& body, JsonWriter& out) {
  out.open_object(JsonLayout::lines(4));
  out.key("sources");
  out.open_list(JsonLayout::lines(6));
  for (const PartSource& source : body.sources) {
    out.open_object();
    out.key("file"), out.value(source.path);
    out.key("bytes"), out.value(source.bytes);
    out.key("document"), out.value(source.is_document);
    out.close();
  }
  out.close();
  show_stretches(body, out);
  out.key("unread");
  out.open_list();
  for (const Unread& unread : body.unread)
    for (const std::string& path : unread.paths) {
      out.open_object();
      out.key("file"), out.value(path);
      out.key("why"), out.value(unread.why);
      out.close();
    }
  out.close();
  out.key("rows");
  out.open_object();
  for (size_t table = 0; table < std::size(kNames) && !body.shard.stretches().empty(); ++table)
    out.key(kNames[table]), out.value(body.shard.stretches().back().ends[table]);
  out.close();
  StoredShard::show_rows(body.shard, kNames, out);
  out.close();
}

}  // namespace

Result<std::string> shown_part(const FactsPart& part, const std::string& path) {
  std::string text;
  JsonWriter out(text);
  out.open_object(JsonLayout::lines(2));
  out.key("part"), out.value("xtrace.facts/1");
  out.key("program"), out.value(part.program);
  out.key("hashes"), out.value(part.is_keyed ? "keyed" : "open");
  if (part.is_keyed) out.key("key"), out.value(hex_bytes(part.key_id));
  if (part.has_arguments) out.key("arguments"), out.value("sealed");
  out.key("shards");
  out.open_list(JsonLayout::lines(4));
  for (const PackedShard& packed : part.shards) {
    std::optional<PartBody> body = StoredShard::read(packed.bytes);
    if (!body) return fail(Exit::input, not_of_this_version(path));
    show(*body, out);
  }
  out.close();
  out.close();
  return text + "\n";
}

}  // namespace xtrace
