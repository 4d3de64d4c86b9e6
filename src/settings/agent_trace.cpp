#include "settings/agent_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/lower.h"
#include "base/murmur3.h"
#include "base/parts.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "settings/arguments.h"

namespace xtrace {

namespace {

using TraceJson = nlohmann::json;

std::string text_in(const TraceJson& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() || !found->is_string() ? std::string() : found->get<std::string>();
}
const TraceJson& list_in(const TraceJson& object, const char* name) {
  static const TraceJson kNone = TraceJson::array();
  const auto found = object.find(name);
  return found == object.end() || !found->is_array() ? kNone : *found;
}
const TraceJson& object_in(const TraceJson& object, const char* name) {
  static const TraceJson kNone = TraceJson::object();
  const auto found = object.find(name);
  return found == object.end() || !found->is_object() ? kNone : *found;
}

/// The parts of an address between its separators, each also without an extension:
/// `file:///home/ada/.claude/projects/x/5f0c.jsonl` is the transcript of the session 5f0c.
void add_ids_of_address(const std::string& address, std::vector<std::string>& ids) {
  constexpr size_t kShortestId = 4;
  std::string text = address;
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '?' || c == '#' || c == '='; }, '/');
  for_each_part(text, '/', [&](std::string_view part) {
    if (part.size() < kShortestId || part.ends_with(':')) return;
    ids.emplace_back(part);
    if (const size_t dot = part.rfind('.'); dot != part.npos && dot >= kShortestId)
      ids.emplace_back(part.substr(0, dot));
  });
}
/// Every text that metadata hold, however deep: vendors nest theirs.
void add_ids_of_metadata(const TraceJson& value, std::vector<std::string>& ids) {
  if (value.is_string()) {
    if (const auto& text = value.get_ref<const std::string&>();
        !text.empty() && text.find_first_of(" \n") == text.npos)
      ids.push_back(text);
  } else if (value.is_structured()) {
    for (const TraceJson& item : value) add_ids_of_metadata(item, ids);
  }
}

void add_contributor(const TraceJson& from, AttributedRange& range) {
  const TraceJson& who = object_in(from, "contributor");
  if (who.empty()) return;
  range.contributor = text_in(who, "type");
  range.model = text_in(who, "model_id");
}

std::vector<AttributedRange> ranges_of(const TraceJson& conversation) {
  std::vector<AttributedRange> ranges;
  for (const TraceJson& given : list_in(conversation, "ranges")) {
    if (!given.is_object()) continue;
    const auto first = given.find("start_line"), last = given.find("end_line");
    if (first == given.end() || last == given.end() || !first->is_number_unsigned() ||
        !last->is_number_unsigned())
      continue;
    AttributedRange range{.first = first->get<size_t>(),
                          .last = last->get<size_t>(),
                          .content_hash = text_in(given, "content_hash")};
    if (range.first == 0 || range.last < range.first) continue;
    add_contributor(conversation, range);
    add_contributor(given, range);
    ranges.push_back(std::move(range));
  }
  return ranges;
}

bool is_record(const TraceJson& json) {
  return json.is_object() && !text_in(json, "version").empty() && !text_in(json, "id").empty() &&
         json.contains("files") && json["files"].is_array();
}

void add_record(const TraceJson& json, uint64_t line,
                const std::function<bool(std::string_view)>& is_that_file, AgentTraces& traces) {
  for (const TraceJson& file : list_in(json, "files")) {
    if (!file.is_object() || !is_that_file(text_in(file, "path"))) continue;
    for (const TraceJson& conversation : list_in(file, "conversations")) {
      if (!conversation.is_object()) continue;
      AgentTraceEntry entry{.line = line,
                            .record = text_in(json, "id"),
                            .tool = text_in(object_in(json, "tool"), "name"),
                            .revision = text_in(object_in(json, "vcs"), "revision"),
                            .url = text_in(conversation, "url"),
                            .ranges = ranges_of(conversation)};
      if (const auto time = parse_time(text_in(json, "timestamp"))) entry.time = *time;
      add_ids_of_metadata(object_in(json, "metadata"), entry.ids);
      add_ids_of_address(entry.url, entry.ids);
      for (const TraceJson& related : list_in(conversation, "related"))
        if (related.is_object()) add_ids_of_address(text_in(related, "url"), entry.ids);
      traces.entries.push_back(std::move(entry));
    }
  }
}

}  // namespace

Result<AgentTraces> read_agent_traces(const std::string& path,
                                      const std::function<bool(std::string_view)>& is_that_file) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return cannot("open", path, errno);
  AgentTraces traces{.path = path};
  uint64_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (trimmed(line).empty()) continue;
    const TraceJson json = is_too_deep(line) ? TraceJson() : TraceJson::parse(line, nullptr, false);
    if (!json.is_discarded() && is_record(json)) {
      ++traces.records;
      add_record(json, number, is_that_file, traces);
    } else if (traces.damaged++ == 0) {
      traces.first_damaged = number;
    }
  }
  if (traces.records == 0)
    return fail(
        Exit::input,
        fmt::format("'{}' has no Agent Trace record; each line is an object with `version`, "
                    "`id` and `files`",
                    printable(path)));
  return traces;
}

std::string find_agent_traces(const std::string& source) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path given = fs::path(source).parent_path();
  fs::path shown = given;  // as the user wrote it, as far as that goes
  for (fs::path folder = fs::absolute(source, ignored).lexically_normal().parent_path();;) {
    const fs::path there = fs::path(".agent-trace") / "traces.jsonl";
    if (fs::is_regular_file(folder / there, ignored)) {
      const fs::path near = (shown / there).lexically_normal();
      return (fs::exists(near, ignored) ? near : folder / there).string();
    }
    const fs::path above = folder.parent_path();
    if (above == folder || fs::exists(folder / ".git", ignored)) return {};
    folder = above;
    shown = shown.empty() || shown.filename() == ".." ? shown / ".." : shown.parent_path();
  }
}

std::optional<bool> has_content_hash(std::string_view text, std::string_view content_hash) {
  const size_t colon = content_hash.find(':');
  if (colon == content_hash.npos) return std::nullopt;
  const std::string_view kind = content_hash.substr(0, colon);
  std::string wanted = lower(content_hash.substr(colon + 1));
  if (wanted.empty()) return std::nullopt;
  constexpr size_t kMurmurDigits = 8;  // some leave zeros at the beginning out
  if (kind == "murmur3" && wanted.size() < kMurmurDigits)
    wanted.insert(0, kMurmurDigits - wanted.size(), '0');
  std::string (*hash)(std::string_view) = nullptr;
  if (kind == "murmur3")
    hash = [](std::string_view bytes) { return fmt::format("{:08x}", murmur3_of(bytes)); };
  if (kind == "sha256") hash = [](std::string_view bytes) { return sha256_of(bytes); };
  if (hash == nullptr) return std::nullopt;
  const auto fits = [&](std::string_view bytes) {
    const std::string found = hash(bytes);
    constexpr size_t kShortest = 8;  // digits: some are cut
    return found == wanted || (wanted.size() >= kShortest && found.starts_with(wanted));
  };
  if (text.ends_with('\n')) text.remove_suffix(1);
  return fits(text) || fits(std::string(text) + '\n');
}

}  // namespace xtrace
