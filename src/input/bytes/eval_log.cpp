#include "input/bytes/eval_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/json_writer.h"
#include "base/text.h"
#include "input/bytes/unnamed_copy.h"
#include "input/bytes/zip_archive.h"
#include "input/common/json.h"
#include "input/common/json_path.h"

namespace xtrace {

// Such an archive holds
//
//   header.json              all of the log but its samples, written when it ends
//   _journal/start.json      of that what is known at its beginning
//   samples/ID_epoch_N.json  a sample each
//
// and summaries of these.

namespace {

constexpr uint64_t kLargestHeader = 256 << 20;

/// What of the header shows which run it was, as the beginning of a document whose samples follow.
std::string head_of(const std::string& header) {
  simdjson::dom::parser parser;
  json::element root;
  const bool is_read = !parser.parse(header).get(root);
  std::string text;
  JsonWriter writer(text);
  auto copy = [&](std::string_view key, json::Path path) {
    if (std::string value = is_read ? json::text_on(root, path) : ""; !value.empty())
      writer.field(key, value);
  };
  writer.open_object(JsonLayout::tight());
  copy("status", "status");
  if (text == "{") writer.field("status", "started");
  writer.key("eval");
  writer.open_object(JsonLayout::tight());
  for (std::string_view key : {"run_id", "task_id", "task", "model"})
    copy(key, fmt::format("eval/{}", key));
  writer.close();
  writer.key("samples");
  text += "[";
  return text;
}

class EvalLog {
 public:
  EvalLog(ZipArchive& archive, const File& log, const std::string& path)
      : archive_(archive), log_(log), path_(path) {}

  Status write() {
    const ZipArchive::Entry* header = archive_.find("header.json");
    if (header == nullptr) header = archive_.find("_journal/start.json");
    if (header == nullptr)
      return fail(Exit::input, fmt::format("{}: a zip archive, but not an .eval log of inspect_ai; "
                                           "unpack it and name the folder",
                                           printable(path_)));
    std::string text;
    Result<std::string> damage = archive_.read(*header, [&](std::string_view block) -> Status {
      if (text.size() + block.size() > kLargestHeader)
        return fail(Exit::input,
                    fmt::format("{}: its header is larger than 256 MB", printable(path_)));
      text += block;
      return {};
    });
    if (!damage) return tl::unexpected(damage.error());
    head_ = head_of(text);
    for (const ZipArchive::Entry& entry : archive_.entries())
      if (entry.name.starts_with("samples/") && entry.name.ends_with(".json"))
        if (Status written = write_sample(entry); !written) return written;
    return {};
  }

  uint64_t bytes() const { return bytes_; }

 private:
  /// The line of a damaged sample stays open, as that of a log that was cut off there does: who
  /// reads it says so at its place.
  Status write_sample(const ZipArchive::Entry& entry) {
    if (Status begun = append(head_); !begun) return begun;
    Result<std::string> damage = archive_.read(entry, [&](std::string_view block) {
      std::string line(block);  // newlines are between values alone
      std::replace(line.begin(), line.end(), '\n', ' ');
      std::replace(line.begin(), line.end(), '\r', ' ');
      return append(line);
    });
    if (!damage) return tl::unexpected(damage.error());
    return append(damage->empty() ? "]}\n" : "\n");
  }

  Status append(std::string_view text) {
    bytes_ += text.size();
    return append_to(log_, text, path_);
  }

  ZipArchive& archive_;
  const File& log_;
  const std::string& path_;
  std::string head_;
  uint64_t bytes_ = 0;
};

}  // namespace

std::optional<Error> unpack_eval_log(Input& input, const File& file) {
  Result<ZipArchive> archive = ZipArchive::open(file, input.path, input.bytes);
  if (!archive) return archive.error();
  Result<File> made = create_unnamed_file(input.path);
  if (!made) return made.error();
  EvalLog log(*archive, *made, input.path);
  if (Status written = log.write(); !written) return written.error();
  read_in_place_of(input, *std::move(made), log.bytes());
  return {};
}

}  // namespace xtrace
