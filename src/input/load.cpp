#include "input/load.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <thread>

#include "base/sha256.h"
#include "base/text.h"
#include "facts/naming.h"
#include "input/assemble.h"
#include "input/inputs.h"
#include "input/keep.h"
#include "input/piece.h"
#include "input/sniff.h"
#include "input/told_spans.h"

namespace xtrace {

namespace {

/// Threads pay off when each has some work, and a piece begins without knowing what came before it.
constexpr uint64_t kSmallestPiece = 8 << 20;

struct Plan {
  std::vector<Source> sources;
  std::vector<Complaint> refused;  ///< files below a folder that hold something else
  std::vector<Piece> pieces;
};

void cut(const Input& input, uint32_t source, const Sniffed& sniffed, const Loading& loading,
         std::vector<Piece>& pieces) {
  uint64_t size = loading.piece_bytes;
  if (size == 0)
    size = std::max(kSmallestPiece, input.bytes / (loading.jobs > 1 ? loading.jobs * 2 : 1) + 1);
  bool whole = !input.seekable || sniffed.framing != Framing::lines;
  uint64_t begin = sniffed.skip;
  do {
    uint64_t end = whole || begin + size >= input.bytes ? Piece::kToTheEnd : begin + size;
    pieces.push_back({source, begin, end, sniffed.framing});
    begin = end;
  } while (begin != Piece::kToTheEnd);
}

Result<Plan> plan(const std::vector<Input>& inputs, const Loading& loading,
                  std::vector<Window>& streams) {
  Plan plan;
  for (const Input& input : inputs) {
    uint32_t index = static_cast<uint32_t>(plan.sources.size());
    Source& source = plan.sources.emplace_back();
    source.path = input.path;
    source.bytes = input.bytes;
    source.seekable = input.seekable;
    if (input.seekable) source.file = input.file;
    Result<std::shared_ptr<const File>> file = input.open();
    if (!file) return tl::unexpected(file.error());
    Window window = input.seekable ? Window((*file)->fd(), 0, input.bytes)
                                   : Window((*file)->fd(), loading.digests);
    bool more = true;
    while (window.bytes().size() < kSniffed && (more = window.grow())) {
    }
    while (more && window.bytes().size() < kLineSniffed && wants_line(window.bytes()))
      more = window.grow();
    if (window.failed() != 0) return cannot("read", input.path, window.failed());
    Sniffed sniffed = sniff(window.bytes(), !more);
    std::string_view why = sniffed.refused.empty() ? "not JSON" : sniffed.refused;
    if (input.listed && (!sniffed.refused.empty() || sniffed.hopeless))
      return fail(Exit::input, fmt::format("{}: {}", printable(input.path), why));
    if (!input.listed && !sniffed.looks_like_json) {
      if (!window.bytes().empty())
        plan.refused.push_back({{0, 0, index, 0},
                                fmt::format("file skipped: {}", why),
                                Complaint::Kind::unknown_record});
      continue;
    }
    if (!input.seekable) {
      window.drop(sniffed.skip);
      streams.push_back(std::move(window));
    }
    source.is_document = sniffed.framing != Framing::lines;
    cut(input, index, sniffed, loading, plan.pieces);
  }
  return plan;
}

/// Of the bytes that were read of a file.
Result<std::string> digest_of(const Input& input) {
  Result<std::shared_ptr<const File>> file = input.open();
  if (!file) return tl::unexpected(file.error());
  struct stat status {};
  if (fstat((*file)->fd(), &status) == 0 && static_cast<uint64_t>(status.st_size) < input.bytes)
    return fail(Exit::input,
                fmt::format("'{}' became shorter while it was read", printable(input.path)));
  return sha256_of_file(**file, input.path, input.bytes);
}

/// The first error of any thread; the pieces before it decide which one that is.
class FirstError {
 public:
  void note(size_t piece, Error error) {
    std::lock_guard lock(mutex_);
    if (piece >= piece_) return;
    piece_ = piece;
    error_ = std::move(error);
  }
  bool any() const { return piece_ != SIZE_MAX; }
  Error take() { return std::move(error_); }

 private:
  std::mutex mutex_;
  std::atomic<size_t> piece_ = SIZE_MAX;
  Error error_{Exit::input, {}};
};

}  // namespace

Result<Trace> load(const std::vector<std::string>& paths, const Loading& loading,
                   Progress& progress) {
  Result<std::vector<Input>> inputs = find_inputs(paths);
  if (!inputs) return tl::unexpected(inputs.error());
  for (Input& input : *inputs) {
    if (!loading.rereads || input.seekable) continue;
    if (Status kept = keep(input, progress); !kept) return tl::unexpected(kept.error());
  }
  progress.bytes = 0;  // what was copied is now read
  std::vector<Window> streams;
  Result<Plan> planned = plan(*inputs, loading, streams);
  if (!planned) return tl::unexpected(planned.error());

  std::vector<Shard> shards;
  std::vector<Window*> stream_of;
  size_t next_stream = 0;
  uint64_t total = 0;
  bool endless = false;
  for (const Piece& piece : planned->pieces) {
    const Input& input = (*inputs)[piece.source];
    shards.emplace_back(piece.source, loading.keep_wordings);
    stream_of.push_back(input.seekable ? nullptr : &streams[next_stream++]);
    endless |= !input.seekable;
  }
  for (const Source& source : planned->sources) total += source.bytes;
  progress.total = endless ? 0 : total;

  std::atomic<size_t> next{0}, next_digest{0};
  FirstError error;
  size_t digests = loading.digests ? inputs->size() : 0;
  std::function<void()> work = [&] {
    // A digest cannot be shared out, so it comes first: the others read meanwhile.
    for (size_t i = next_digest++; i < digests && !error.any(); i = next_digest++) {
      if (!(*inputs)[i].seekable) continue;
      Result<std::string> digest = digest_of((*inputs)[i]);
      if (digest)
        planned->sources[i].sha256 = *std::move(digest);
      else
        error.note(planned->pieces.size() + i, digest.error());
    }
    Reader reader(loading.format, loading.cut_known);
    for (size_t i = next++; i < planned->pieces.size() && !error.any(); i = next++) {
      reader.write_to(shards[i]);
      uint32_t source = planned->pieces[i].source;
      Window* stream = stream_of[i];
      Status read = read_piece(planned->pieces[i], (*inputs)[source], stream, reader, progress);
      if (!read) error.note(i, read.error());
      if (stream == nullptr) continue;
      planned->sources[source].bytes = stream->offset();
      planned->sources[source].sha256 = stream->sha256();
    }
  };
  size_t threads = std::min<size_t>(loading.jobs, planned->pieces.size() + digests);
  {
    std::vector<std::jthread> others;
    for (size_t i = 1; i < threads; ++i) others.emplace_back(work);
    work();
  }
  if (error.any()) return tl::unexpected(error.take());

  Trace trace = merge(std::move(shards), std::move(planned->sources));
  for (Complaint& complaint : planned->refused) {
    ++trace.sources[complaint.at.file].skipped;
    trace.complaints.push_back(std::move(complaint));
  }
  assemble_calls(trace);
  find_told_causes(trace);
  merge_copies(trace);
  return trace;
}

}  // namespace xtrace
