#include "input/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/parallel.h"
#include "base/sha256.h"
#include "base/text.h"
#include "input/bytes/chat_history.h"
#include "input/bytes/cursor_transcript.h"
#include "input/bytes/database.h"
#include "input/bytes/eval_log.h"
#include "input/bytes/sniff.h"
#include "input/bytes/unnamed_copy.h"
#include "input/bytes/unread.h"
#include "input/bytes/vscode_chat_log.h"
#include "input/bytes/zip_archive.h"
#include "input/common/format.h"

namespace xtrace {

namespace {

/// Behind the name of what is no log.
constexpr std::string_view kWhatIsRead =
    "; expected a log: JSON or JSONL, optionally compressed, or an agent's database or chat; "
    "`xtrace help formats` lists the formats, `xtrace list` your own sessions";

/// Threads pay off when each has some work, and a piece begins without knowing what came before it.
constexpr uint64_t kSmallestPiece = 8 << 20;

/// One that is read in some of its lines: short stretches together, long ones in several pieces.
void cut_ranges(const Input& input, uint32_t source, uint64_t skip, uint64_t size,
                std::vector<Piece>& pieces) {
  uint64_t gathered = size;  // by the last piece, if that has room left
  for (const LineRange& range : *input.ranges) {
    const uint64_t begin = std::max(range.begin, skip), bytes = range.end - range.begin;
    if (bytes > size) {
      for (uint64_t at = begin; at < range.end;) {
        const uint64_t end = range.end - at > size ? at + size : range.end;
        const bool is_first = at == begin;
        pieces.push_back({source, at, end, Framing::lines, is_first && range.begin == 0,
                          is_first ? range.line : 0});
        at = end;
      }
      gathered = size;
      continue;
    }
    if (gathered + bytes > size) {
      pieces.push_back({source, begin, range.end, Framing::lines, range.begin == 0, range.line});
      gathered = 0;
    }
    gathered += bytes;
    pieces.back().end = range.end;
    pieces.back().ranges.push_back(range);
  }
}

void cut(const Input& input, uint32_t source, const Sniffed& sniffed, const LoadOptions& loading,
         std::vector<Piece>& pieces) {
  uint64_t size = loading.piece_bytes;
  if (size == 0)
    size = std::max(kSmallestPiece, input.bytes / (loading.jobs > 1 ? loading.jobs * 2 : 1) + 1);
  if (input.ranges != nullptr) return cut_ranges(input, source, sniffed.skip, size, pieces);
  bool whole = !input.seekable || input.compression != Compression::none ||
               sniffed.framing != Framing::lines;
  uint64_t begin = sniffed.skip;
  do {
    uint64_t end = whole || begin + size >= input.bytes ? Piece::kToTheEnd : begin + size;
    pieces.push_back({source, begin, end, sniffed.framing, begin == sniffed.skip});
    begin = end;
  } while (begin != Piece::kToTheEnd);
}

bool is_cut_by_lines(const Input& input, const Sniffed& sniffed) {
  return input.seekable && input.compression == Compression::none && !input.unpacked &&
         sniffed.framing == Framing::lines;
}

/// What is against an input that the user named is an Error; another one is left out.
Status leave_out(const Input& input, Error against, std::vector<Unread>& unread) {
  if (input.listed) return tl::unexpected(std::move(against));
  note_unread(unread, why_of(against, input.path), input.path, true);
  return {};
}

/// Takes out of `inputs` those that `look` has something against.
Status sift(std::vector<Input>& inputs, std::vector<Unread>& unread,
            const std::function<std::optional<Error>(Input&)>& look) {
  std::vector<Input> left;
  left.reserve(inputs.size());
  for (Input& input : inputs) {
    std::optional<Error> against = look(input);
    if (!against)
      left.push_back(std::move(input));
    else if (Status left_out = leave_out(input, *std::move(against), unread); !left_out)
      return left_out;
  }
  inputs = std::move(left);
  return {};
}

/// What is no log and is made one at once.
struct MadeLog {
  bool (*is_begun_by)(std::string_view head);
  std::optional<Error> (*make)(Input& input, const File& file);
};
constexpr MadeLog kMadeLogs[] = {{is_database, unpack_database},
                                 {is_chat_history, unpack_chat_history},
                                 {is_cursor_transcript, unpack_cursor_transcript},
                                 {is_vscode_chat_log, unpack_vscode_chat_log},
                                 {is_zip, unpack_eval_log}};

constexpr size_t kMadeLogHead =
    std::max({kDatabaseHead, kChatHistoryHead, kCursorTranscriptHead, kVsCodeChatHead});

const MadeLog* made_log_of(std::string_view head) {
  for (const MadeLog& made : kMadeLogs)
    if (made.is_begun_by(head)) return &made;
  return nullptr;
}

/// The first bytes of a file, in `room`.
Result<std::string_view> head_of(const File& file, const std::string& path, std::string& room) {
  room.resize(kMadeLogHead);
  const std::optional<size_t> count = read_at(file.fd(), room.data(), room.size(), 0);
  if (!count) return cannot("read", path, errno);
  return std::string_view(room.data(), *count);
}

/// Is it an archive, or something that is made a log?
std::optional<Error> look_into(Input& input, bool digests) {
  if (!input.seekable) return {};
  if (Status settled = input.settle(); !settled) return settled.error();
  Result<std::shared_ptr<const File>> file = input.open();
  if (!file) return file.error();
  std::string room;
  Result<std::string_view> head = head_of(**file, input.path, room);
  if (!head) return head.error();
  const MadeLog* made = made_log_of(*head);
  if (made == nullptr) {
    input.compression = compression_of(*head);
    return {};
  }
  if (digests) {
    Result<std::string> digest = sha256_of_file(**file, input.path, input.bytes);
    if (!digest) return digest.error();
    input.sha256 = *std::move(digest);
  }
  return made->make(input, **file);
}

/// The same of what was kept of an archive or a stream.
std::optional<Error> look_into_kept(Input& input) {
  std::string room;
  Result<std::string_view> head = head_of(*input.file, input.path, room);
  if (!head) return head.error();
  const MadeLog* made = made_log_of(*head);
  return made == nullptr ? std::nullopt : made->make(input, *std::shared_ptr(input.file));
}

/// Unpacks archives to files and copies streams, several at a time.
Status keep_all(std::vector<Input>& inputs, const LoadOptions& loading, Progress& progress,
                std::vector<Unread>& unread) {
  std::vector<size_t> kept;
  uint64_t total = 0;
  bool endless = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].seekable && inputs[i].compression == Compression::none) continue;
    kept.push_back(i);
    total += inputs[i].bytes;
    endless |= !inputs[i].seekable;
  }
  progress.total = endless ? 0 : total;
  progress.all_files = kept.size();
  progress.unpacks = true;
  std::vector<Result<std::optional<Error>>> answers(inputs.size());
  for_each_on(loading.jobs, kept.size(), [&] {
    return [&](size_t i) {
      answers[kept[i]] = copy_to_unnamed_file(inputs[kept[i]], loading.digests, progress);
      ++progress.files;
    };
  });
  progress.unpacks = false;
  progress.bytes = progress.total = progress.files = 0;  // what was copied is now read
  for (const Result<std::optional<Error>>& answer : answers)
    if (!answer) return tl::unexpected(answer.error());
  size_t at = 0, next = 0;
  return sift(inputs, unread, [&](Input& input) {
    const bool is_kept = next < kept.size() && kept[next] == at;
    const std::optional<Error>& against = *answers[at++];
    next += is_kept;
    return is_kept && !against ? look_into_kept(input) : against;
  });
}

Source source_of(const Input& input) {
  Source source;
  source.path = input.path;
  source.bytes = input.bytes;
  source.seekable = input.seekable && input.compression == Compression::none;
  if (input.seekable) source.file = input.file;
  if (input.unpacked) {
    source.unpacked_bytes = input.bytes;
    source.bytes = input.unpacked->bytes;
  }
  source.sha256 = input.sha256;
  return source;
}

/// `file` must stay open as long as the window is used.
Window window_of(const Input& input, const std::shared_ptr<const File>& file,
                 const LoadOptions& loading, Progress& progress) {
  if (input.seekable && input.compression == Compression::none)
    return Window(file->fd(), 0, input.bytes);
  Flow::Options options;
  if (!input.seekable) options = {loading.digests, Decoder::kLargestWindow, &progress.bytes};
  return Window(std::make_unique<Flow>(input, file, options));
}

/// What comes out of an archive or a stream is made a log; `window` has its first bytes.
std::optional<Error> make_log(const MadeLog& made, Input& input, Window& window, bool digests) {
  const Flow& flow = *window.flow();
  Result<File> copy = create_unnamed_file(input.path);
  if (!copy) return copy.error();
  uint64_t bytes = 0;
  do {
    const std::string_view block = window.bytes();
    if (Status kept = append_to(*copy, block, input.path); !kept) return kept.error();
    bytes += block.size();
    window.drop(block.size());
  } while (window.grow());
  if (flow.error()) return flow.error();
  if (digests && input.seekable) {
    Result<std::shared_ptr<const File>> packed = input.open();
    if (!packed) return packed.error();
    Result<std::string> digest = sha256_of_file(**packed, input.path, input.bytes);
    if (!digest) return digest.error();
    input.sha256 = *std::move(digest);
  } else {
    input.sha256 = flow.sha256();
  }
  if (window.is_unpacked()) input.unpacked = Unpacked{flow.bytes(), flow.damage()};
  input.compression = Compression::none;
  input.bytes = bytes;
  input.seekable = true;
  return made.make(input, *copy);
}

/// Is this line a record of a known shape?
bool is_record(std::string_view line) {
  simdjson::dom::parser parser;
  std::string padded;
  padded.reserve(line.size() + simdjson::SIMDJSON_PADDING);
  padded = line;
  json::element root;
  return !parser.parse(padded.data(), padded.size(), false).get(root) && json::is_object(root) &&
         format_of(root) != nullptr;
}

/// Does a log begin behind what a program said as it started? Then a record of a known shape comes
/// first, and nearly all that follows begins like one: a text that shows one goes on with other
/// lines, and fences it.
bool begins_later(Window& window) {
  size_t begin = window.bytes().find("\n{");
  constexpr size_t kMostOthers = 10;  // one line in so many may be another program's
  if (begin++ == std::string_view::npos) return false;
  if (window.bytes().substr(0, begin).find("```") != std::string_view::npos) return false;
  size_t end = window.bytes().find('\n', begin);
  while (end == std::string_view::npos && window.bytes().size() < kLineSniffed && window.grow())
    end = window.bytes().find('\n', begin);
  if (!is_record(window.bytes().substr(begin, end - begin))) return false;
  size_t like_records = 0, others = 0;
  for (; end != std::string_view::npos && end + 1 < window.bytes().size();
       end = window.bytes().find('\n', end + 1)) {
    const char first = window.bytes()[end + 1];
    like_records += first == '{';
    others += first != '{' && first != '\n' && first != '\r';
  }
  return others * kMostOthers <= like_records;
}

/// What was seen at the beginning of an input.
struct Looked {
  std::optional<Error> against;
  std::string_view unread;  ///< why it is no log; empty: it is one
  Sniffed sniffed;
  std::unique_ptr<Window> stream;  ///< of what cannot be opened again
};

Looked refused(Error against) {
  Looked looked;
  looked.against = std::move(against);
  return looked;
}

/// Looks at the beginning. What does not look like JSON is no log, unless the user named it.
Looked look_at(Input& input, const LoadOptions& loading, Progress& progress) {
  Result<std::shared_ptr<const File>> file = input.open();
  if (!file) return refused(file.error());
  Window window = window_of(input, *file, loading, progress);
  bool more = true;
  while (window.bytes().size() < kSniffed && (more = window.grow())) {
  }
  while (more && window.bytes().size() < kLineSniffed && wants_line(window.bytes()))
    more = window.grow();
  if (window.flow() != nullptr && window.flow()->error()) return refused(*window.flow()->error());
  if (window.failed() != 0) return refused(cannot("read", input.path, window.failed()).value());
  if (const MadeLog* made = made_log_of(window.bytes()); made != nullptr && window.flow()) {
    if (std::optional<Error> against = make_log(*made, input, window, loading.digests))
      return refused(*std::move(against));
    return look_at(input, loading, progress);
  }
  Looked looked;
  Sniffed& sniffed = looked.sniffed;
  sniffed = sniff(window.bytes(), !more);
  const bool is_binary = sniffed.is_binary && input.compression == Compression::none;
  const bool has_lost_head = input.compression == Compression::none &&
                             (input.path.ends_with(".gz") || input.path.ends_with(".zst"));
  const std::string_view why = !sniffed.refused.empty() ? sniffed.refused
                               : has_lost_head
                                   ? "not compressed, despite its name, or its beginning is damaged"
                               : is_binary ? "binary file"
                                           : "not JSON";
  const bool is_no_log = !sniffed.refused.empty() || is_binary || sniffed.hopeless;
  if (input.listed && is_no_log && !loading.passes_over)
    return refused(fail(Exit::input, fmt::format("{}: {}{}", printable(input.path), why,
                                                 sniffed.refused.empty() ? kWhatIsRead : ""))
                       .value());
  const bool may_be_any = !input.listed && !sniffed.looks_like_json && !window.bytes().empty();
  if ((input.listed && is_no_log) || (may_be_any && (is_no_log || !begins_later(window)))) {
    looked.unread = why;
    return looked;
  }
  if (input.ranges != nullptr && !is_cut_by_lines(input, sniffed))
    return refused(
        fail(Exit::input, fmt::format("{}: no longer has one record per line, so the plan does "
                                      "not fit; make the plan again",
                                      printable(input.path)))
            .value());
  if (!input.seekable) looked.stream = std::make_unique<Window>(std::move(window));
  return looked;
}

/// Adds an input that is a log to the plan.
void add(Input& input, Looked looked, const LoadOptions& loading, Plan& plan) {
  if (!looked.unread.empty()) return note_unread(plan.unread, looked.unread, input.path, false);
  uint32_t index = static_cast<uint32_t>(plan.sources.size());
  Source& source = plan.sources.emplace_back(source_of(input));
  source.is_document = looked.sniffed.framing != Framing::lines;
  plan.streams.push_back(std::move(looked.stream));
  cut(input, index, looked.sniffed, loading, plan.pieces);
  plan.inputs.push_back(std::move(input));
}

}  // namespace

Result<Plan> make_plan(Found found, const LoadOptions& loading, Progress& progress) {
  Plan plan;
  plan.unread = std::move(found.unread);
  std::vector<Input>& inputs = found.inputs;
  if (Status sound = sift(inputs, plan.unread,
                          [&](Input& input) { return look_into(input, loading.digests); });
      !sound)
    return tl::unexpected(sound.error());
  if (loading.rereads)
    if (Status kept = keep_all(inputs, loading, progress, plan.unread); !kept)
      return tl::unexpected(kept.error());
  std::vector<Looked> looked(inputs.size());
  for_each_on(loading.jobs, inputs.size(), [&] {
    return [&](size_t i) {
      if (inputs[i].seekable) looked[i] = look_at(inputs[i], loading, progress);
    };
  });
  for (size_t i = 0; i < inputs.size(); ++i) {
    // Its writer may take its time, for which an error of an input before it does not wait.
    if (!inputs[i].seekable) looked[i] = look_at(inputs[i], loading, progress);
    std::optional<Error> against = std::move(looked[i].against);
    if (!against)
      add(inputs[i], std::move(looked[i]), loading, plan);
    else if (Status left_out = leave_out(inputs[i], *std::move(against), plan.unread); !left_out)
      return tl::unexpected(left_out.error());
  }
  return plan;
}

bool is_made_log(const std::string& path) {
  const Result<File> file = open_regular(path);
  std::string room;
  const Result<std::string_view> head =
      file ? head_of(*file, path, room) : Result<std::string_view>("");
  return head && made_log_of(*head) != nullptr;
}

std::shared_ptr<const File> made_again(const std::string& path, uint64_t bytes) {
  Input input;
  input.path = path;
  if (!input.settle() || look_into(input, false)) return nullptr;
  return input.unpacked && input.bytes == bytes ? input.file : nullptr;
}

}  // namespace xtrace
