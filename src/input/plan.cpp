#include "input/plan.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <functional>

#include "base/parallel.h"
#include "base/sha256.h"
#include "base/text.h"
#include "input/bytes/chat_history.h"
#include "input/bytes/database.h"
#include "input/bytes/eval_log.h"
#include "input/bytes/keep.h"
#include "input/bytes/sniff.h"
#include "input/bytes/unread.h"
#include "input/bytes/zip_archive.h"

namespace xtrace {

namespace {

/// Threads pay off when each has some work, and a piece begins without knowing what came before it.
constexpr uint64_t kSmallestPiece = 8 << 20;

void cut(const Input& input, uint32_t source, const Sniffed& sniffed, const LoadOptions& loading,
         std::vector<Piece>& pieces) {
  uint64_t size = loading.piece_bytes;
  if (size == 0)
    size = std::max(kSmallestPiece, input.bytes / (loading.jobs > 1 ? loading.jobs * 2 : 1) + 1);
  bool whole = !input.seekable || input.compression != Compression::none ||
               sniffed.framing != Framing::lines;
  uint64_t begin = sniffed.skip;
  do {
    uint64_t end = whole || begin + size >= input.bytes ? Piece::kToTheEnd : begin + size;
    pieces.push_back({source, begin, end, sniffed.framing, begin == sniffed.skip});
    begin = end;
  } while (begin != Piece::kToTheEnd);
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
                                 {is_zip, unpack_eval_log}};

/// Is it an archive, or something that is made a log?
std::optional<Error> look_into(Input& input, bool digests) {
  if (!input.seekable) return {};
  if (Status settled = input.settle(); !settled) return settled.error();
  Result<std::shared_ptr<const File>> file = input.open();
  if (!file) return file.error();
  char head[std::max(kDatabaseHead, kChatHistoryHead)];
  ssize_t count = pread((*file)->fd(), head, sizeof head, 0);
  if (count < 0) return cannot("read", input.path, errno).value();
  const std::string_view begin(head, static_cast<size_t>(count));
  for (const MadeLog& made : kMadeLogs) {
    if (!made.is_begun_by(begin)) continue;
    if (digests) {
      Result<std::string> digest = sha256_of_file(**file, input.path, input.bytes);
      if (!digest) return digest.error();
      input.sha256 = *std::move(digest);
    }
    return made.make(input, **file);
  }
  input.compression = compression_of(begin);
  return {};
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
      answers[kept[i]] = keep(inputs[kept[i]], loading.digests, progress);
      ++progress.files;
    };
  });
  progress.unpacks = false;
  progress.bytes = progress.total = progress.files = 0;  // what was copied is now read
  for (const Result<std::optional<Error>>& answer : answers)
    if (!answer) return tl::unexpected(answer.error());
  size_t at = 0;
  return sift(inputs, unread, [&](Input&) { return *answers[at++]; });
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

/// Adds the input to the plan, or tells what is against that. What does not look like JSON is left
/// out, unless the user named it.
std::optional<Error> add(Input& input, const LoadOptions& loading, Progress& progress, Plan& plan) {
  Result<std::shared_ptr<const File>> file = input.open();
  if (!file) return file.error();
  Window window = window_of(input, *file, loading, progress);
  bool more = true;
  while (window.bytes().size() < kSniffed && (more = window.grow())) {
  }
  while (more && window.bytes().size() < kLineSniffed && wants_line(window.bytes()))
    more = window.grow();
  if (window.flow() != nullptr && window.flow()->error()) return window.flow()->error();
  if (window.failed() != 0) return cannot("read", input.path, window.failed()).value();
  Sniffed sniffed = sniff(window.bytes(), !more);
  const bool is_binary = sniffed.is_binary && input.compression == Compression::none;
  std::string_view why = !sniffed.refused.empty() ? sniffed.refused
                         : is_binary              ? "a binary file"
                                                  : "not JSON";
  if (input.listed && (!sniffed.refused.empty() || is_binary || sniffed.hopeless))
    return fail(Exit::input, fmt::format("{}: {}", printable(input.path), why)).value();
  if (!input.listed && !sniffed.looks_like_json && !window.bytes().empty()) {
    note_unread(plan.unread, why, input.path, false);
    return {};
  }
  uint32_t index = static_cast<uint32_t>(plan.sources.size());
  Source& source = plan.sources.emplace_back(source_of(input));
  source.is_document = sniffed.framing != Framing::lines;
  plan.streams.push_back(input.seekable ? nullptr : std::make_unique<Window>(std::move(window)));
  cut(input, index, sniffed, loading, plan.pieces);
  plan.inputs.push_back(std::move(input));
  return {};
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
  for (Input& input : inputs)
    if (std::optional<Error> against = add(input, loading, progress, plan))
      if (Status left_out = leave_out(input, *std::move(against), plan.unread); !left_out)
        return tl::unexpected(left_out.error());
  return plan;
}

}  // namespace xtrace
