#include "input/bytes/sniff.h"

#include <algorithm>

#include "input/common/cursor.h"
#include "input/common/format.h"

namespace xtrace {

namespace {

std::string_view next_line(std::string_view& text) {
  for (;;) {
    size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return text = {};
    text.remove_prefix(begin);
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size());
    return line;
  }
}

/// `[{…},` and `{…}]` are lines of an array that is written an item a line.
bool ends_item(std::string_view line) {
  size_t last = line.find_last_not_of(" \t\r");
  return last != std::string_view::npos && (line[last] == ',' || line[last] == ']');
}

/// A first line that opens a value and does not close it belongs to a value over many lines, unless
/// the next line opens one as well: then it is a torn record among whole ones. But a list that it
/// opens may hold an item a line.
Framing framing_of(std::string_view text, bool whole) {
  std::string_view rest = text;
  std::string_view first = next_line(rest);
  if (first.empty()) return Framing::lines;
  ValueScanner scanner;
  scanner.feed(first);
  bool more = rest.find_first_not_of(" \t\r\n") != std::string_view::npos;
  if (scanner.closed())  // an array that is the whole file holds records; on a line of many it is
                         // damage
    return first.front() == '[' && !more ? Framing::values : Framing::lines;
  if (!more && !whole && first.front() == '[') return Framing::values;  // an array on one long line
  if (!more) return Framing::lines;
  if (first.find_first_not_of(" \t\r[") == std::string_view::npos) return Framing::values;
  std::string_view second = next_line(rest);
  bool opens_list = first.find_last_not_of(" \t\r") == first.rfind('[');
  if ((opens_list || (first.front() == '[' && ends_item(first))) && ends_item(second))
    return Framing::values;
  if (opens_list && next_line(rest).starts_with("]")) return Framing::values;
  return second.starts_with("{") ? Framing::lines : Framing::values;
}

/// Does an object end on its line, or should have, and another one follow?
bool is_one_of_many_lines(std::string_view text) {
  std::string_view first = next_line(text);
  ValueScanner scanner;
  scanner.feed(first);
  std::string_view second = next_line(text);
  return scanner.closed() ? !second.empty() : second.starts_with('{');
}

/// A log may begin with a torn line, so one good beginning anywhere will do; and of a first line
/// that does not end in `text` nobody knows what comes after it.
bool hopeless(std::string_view text, bool whole) {
  bool first = true;
  for (std::string_view line = next_line(text); !line.empty(); line = next_line(text)) {
    if (line.front() == '{' || line.front() == '[') return false;
    if (first && text.empty() && !whole) return false;
    first = false;
  }
  return !first;
}

/// What is no log as it is, and the way to one.
struct Other {
  size_t at;
  std::string_view magic, refused;
};

constexpr std::string_view kAider =
    "an aider chat history, which follow does not support; use dag or another command";

constexpr std::string_view kPage = "a web page, not a log; pass the original log";

constexpr Other kOthers[] = {
    {0, "<!doctype html", kPage},
    {0, "<!DOCTYPE html", kPage},
    {0, "<html", kPage},
    {0, "\xff\xfe", "UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 FILE | xtrace dag -"},
    {0, "\xfe\xff", "UTF-16; convert it first: iconv -f UTF-16 -t UTF-8 FILE | xtrace dag -"},
    {0, "\x1f\x8b", "an archive inside an archive; unpack the outer one first"},
    {0, "\x28\xb5\x2f\xfd", "an archive inside an archive; unpack the outer one first"},
    {4, "\x28\xb5\x2f\xfd",
     "length-prefixed zstd frames of an OpenTelemetry collector (`compression: zstd`), which are "
     "not supported; configure its file exporter without compression"},
    {0, "\xfd\x37zXZ", "compressed with xz; unpack it first: xz -dc FILE | xtrace dag -"},
    {0, "BZh", "compressed with bzip2; unpack it first: bzip2 -dc FILE | xtrace dag -"},
    {0, "PK\x03\x04",
     "a zip archive (such as an .eval log of inspect_ai), which follow does not support; use dag "
     "or another command"},
    {0, "# aider chat started at", kAider},
    {1, "# aider chat started at", kAider},
    {257, "ustar", "a tar archive; unpack it and name the folder"},
};

/// Does it begin as an ExportTraceServiceRequest does: resource spans, their resource, its first
/// attribute, the key of that? Each is field 1 of the one before, with its size.
bool is_otlp_protobuf(std::string_view head) {
  uint64_t size = UINT64_MAX;
  for (int level = 0; level < 4; ++level) {
    if (!head.starts_with('\n')) return false;
    head.remove_prefix(1);
    const uint64_t around = size;
    size = 0;
    for (int shift = 0; shift < 63 && !head.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(head.front());
      head.remove_prefix(1);
      size |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) break;
    }
    if (size == 0 || size >= around) return false;
  }
  const std::string_view key = head.substr(0, size);
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || c == '.' || c == '_' || (c >= '0' && c <= '9');
  });
}

/// A text has no NUL byte, a program has one among its first ones.
constexpr size_t kBinary = 512;

struct FoundRecords {
  size_t at = std::string_view::npos;
  const Format* format = nullptr;  ///< whose list it is
};

/// The format whose documents hold lists of records under this key.
const Format* format_that_lists(std::string_view key) {
  for (const Format& format : formats())
    if (std::find(format.lists.begin(), format.lists.end(), key) != format.lists.end())
      return &format;
  return nullptr;
}

/// Does a format keep its lists in an object under this key?
bool holds_lists(std::string_view key) {
  return std::any_of(formats().begin(), formats().end(),
                     [&](const Format& format) { return key == format.lists_stand_in; });
}

/// The first list of records among the fields at `head`.
FoundRecords look_for_records(std::string_view head) {
  Cursor at(head, 0);
  at.take('{');
  for (std::string_view key; at.key(key);) {
    const Format* format = format_that_lists(key);
    if (format != nullptr && at.take('[')) {
      if (at.next() != '{' && at.next() != ']') return {};
      return {at.at(), format};
    }
    if (holds_lists(key) && at.take('{')) continue;
    if (!at.skip_value()) break;
  }
  return {};
}

}  // namespace

size_t find_records(std::string_view head) {
  return head.starts_with('{') ? look_for_records(head).at : std::string_view::npos;
}
size_t find_more_records(std::string_view rest) {
  return look_for_records(rest).at;
}

bool wants_line(std::string_view head) {
  size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || head[begin] != '{') return false;
  FoundRecords found = look_for_records(head.substr(begin, kSniffed));
  return found.at != std::string_view::npos && found.format->lists_come_in_lines &&
         head.find('\n', begin) == std::string_view::npos;
}

Sniffed sniff(std::string_view head, bool whole) {
  Sniffed sniffed;
  for (const Other& other : kOthers)
    if (head.substr(std::min(head.size(), other.at)).starts_with(other.magic))
      sniffed.refused = other.refused;
  if (is_otlp_protobuf(head))
    sniffed.refused =
        "OpenTelemetry spans in Protocol Buffers, which are not supported; use JSON: `xtrace "
        "convert --to otlp`, or `format: json` in a collector";
  if (!sniffed.refused.empty()) return sniffed;
  if (head.starts_with("\xef\xbb\xbf")) sniffed.skip = 3;
  head.remove_prefix(sniffed.skip);
  size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || (head[begin] != '{' && head[begin] != '[')) {
    // A disk that was full may leave such bytes at the end of a log, not at its beginning.
    sniffed.is_binary = head.substr(0, kBinary).find('\0') != std::string_view::npos;
    sniffed.hopeless = hopeless(head, whole);
    return sniffed;
  }
  sniffed.looks_like_json = true;
  FoundRecords found;
  if (head[begin] == '{') found = look_for_records(head.substr(begin));
  bool is_document = found.at != std::string_view::npos;
  if (is_document && found.format->lists_come_in_lines) is_document = !is_one_of_many_lines(head);
  sniffed.framing = is_document ? Framing::document : framing_of(head, whole);
  return sniffed;
}

}  // namespace xtrace
