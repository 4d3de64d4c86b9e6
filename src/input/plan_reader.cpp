#include "input/plan_reader.h"

#include <atomic>
#include <functional>
#include <map>
#include <mutex>

#include "base/parallel.h"
#include "base/sha256.h"
#include "input/bytes/unread.h"
#include "input/reader.h"

namespace xtrace {

namespace {

/// Of the bytes that were read of a file.
Result<std::string> digest_of(const Input& input) {
  Result<std::shared_ptr<const File>> file = input.open();
  if (!file) return tl::unexpected(file.error());
  const std::optional<FileStatus> status = file_status((*file)->fd());
  // What became shorter is told by who reads it.
  if (status && status->bytes < input.bytes) return std::string();
  return sha256_of_file(**file, input.path, input.bytes);
}

/// What went wrong on any thread, told as if one thread had read all pieces in order.
class Errors {
 public:
  void note(size_t piece, const Input& input, Error error) {
    std::lock_guard lock(mutex_);
    fatal_ = fatal_ || input.listed;
    errors_.emplace(piece, std::move(error));
  }
  /// Is there nothing to go on for?
  bool fatal() const { return fatal_; }
  const std::map<size_t, Error>& in_order() const { return errors_; }

 private:
  std::mutex mutex_;
  std::atomic<bool> fatal_ = false;
  std::map<size_t, Error> errors_;
};

/// Reads all of a plan, on several threads.
class PlanReader {
 public:
  PlanReader(Plan& plan, const LoadOptions& loading, Progress& progress)
      : plan_(plan), loading_(loading), progress_(progress) {
    uint64_t total = 0;
    bool endless = false;
    for (const Piece& piece : plan_.pieces) shards_.push_back(fresh(piece));
    for (const Input& input : plan_.inputs) {
      total += input.bytes;
      endless |= !input.seekable;
    }
    progress_.total = endless ? 0 : total;
    progress_.all_files = plan_.inputs.size();
  }

  void run() {
    // A digest cannot be shared out, so it comes first: the others read meanwhile.
    size_t digests = loading_.digests ? plan_.inputs.size() : 0;
    for_each_on(loading_.jobs, digests + plan_.pieces.size(), [&] {
      return [this, digests, reader = Reader(loading_)](size_t i) mutable {
        if (errors_.fatal()) return;
        i < digests ? hash(i) : read(i - digests, reader);
      };
    });
  }

  /// Files that nobody named are left out if they cannot be read to their end.
  Result<std::vector<Shard>> take() {
    for (const auto& [task, error] : errors_.in_order()) {
      uint32_t source = source_of(task);
      const Input& input = plan_.inputs[source];
      if (input.listed) return tl::unexpected(error);
      if (std::exchange(left_out_[source], true)) continue;
      note_unread(plan_.unread, why_of(error, input.path), input.path, true);
      for (size_t i = 0; i < shards_.size(); ++i)
        if (plan_.pieces[i].source == source) shards_[i] = fresh(plan_.pieces[i]);
    }
    return std::move(shards_);
  }

 private:
  Shard fresh(const Piece& piece) const {
    Shard shard(Stretch{piece.source, piece.begin, piece.end, piece.first_line},
                loading_.keep_message_texts, loading_.keep_arguments);
    if (loading_.keep_digests) shard.keep_digests();
    if (loading_.sealed_argument) shard.seal_arguments(loading_.sealed_argument);
    return shard;
  }

  uint32_t source_of(size_t task) const {
    size_t pieces = plan_.pieces.size();
    return task < pieces ? plan_.pieces[task].source : static_cast<uint32_t>(task - pieces);
  }

  void hash(size_t i) {
    const Input& input = plan_.inputs[i];
    bool hashed =
        !input.seekable || input.compression != Compression::none || !input.sha256.empty();
    if (hashed) return;
    Result<std::string> digest = digest_of(input);
    if (digest)
      plan_.sources[i].sha256 = *std::move(digest);
    else
      errors_.note(plan_.pieces.size() + i, input, digest.error());
  }

  void read(size_t i, Reader& reader) {
    const Piece& piece = plan_.pieces[i];
    const Input& input = plan_.inputs[piece.source];
    Status read = read_one(i, piece, input, reader);
    if (!read) errors_.note(i, input, read.error());
    shards_[i].finish();
    if (piece.end == Piece::kToTheEnd) ++progress_.files;
  }

  Status read_one(size_t i, const Piece& piece, const Input& input, Reader& reader) {
    reader.write_to(shards_[i]);
    reader.begin_input(input.path);
    if (input.seekable && input.compression == Compression::none)
      return read_piece(piece, input, nullptr, reader, progress_);
    if (Window* stream = plan_.streams[piece.source].get(); stream != nullptr)
      return read_stream(piece, input, *stream, reader);
    Result<std::shared_ptr<const File>> file = input.open();
    if (!file) return tl::unexpected(file.error());
    Status read;
    with_window(input, [&](int window_bits) {
      shards_[i] = fresh(piece);
      reader.write_to(shards_[i]);
      Flow::Options options{loading_.digests, window_bits, &progress_.bytes};
      Window archive(std::make_unique<Flow>(input, *file, options));
      read = read_stream(piece, input, archive, reader);
      return archive.flow()->wants_larger_window();
    });
    return read;
  }

  Status read_stream(const Piece& piece, const Input& input, Window& stream, Reader& reader) {
    stream.read_ahead();
    Status read = read_piece(piece, input, &stream, reader, progress_);
    Source& source = plan_.sources[piece.source];
    if (!input.seekable) source.bytes = stream.flow()->bytes();
    if (stream.is_unpacked()) source.unpacked_bytes = stream.flow()->unpacked_bytes();
    source.sha256 = stream.flow()->sha256();
    return read;
  }

  Plan& plan_;
  const LoadOptions& loading_;
  Progress& progress_;
  std::vector<Shard> shards_;
  Errors errors_;
  std::map<uint32_t, bool> left_out_;
};

}  // namespace

Result<std::vector<Shard>> read_plan(Plan& plan, const LoadOptions& loading, Progress& progress) {
  PlanReader reading(plan, loading, progress);
  reading.run();
  return reading.take();
}

}  // namespace xtrace
