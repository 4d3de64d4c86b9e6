#include "input/piece.h"

#include <algorithm>
#include <optional>

#include "input/values.h"

namespace xtrace {

namespace {

/// Walks a window, counting lines and reporting how far it came.
class Walk {
 public:
  Walk(const Piece& piece, Window& window, Reader& reader, Progress& progress)
      : piece_(piece), window_(window), reader_(reader), progress_(progress) {}

  /// Drops the line that began before this piece and belongs to the one before.
  void skip_first_line() {
    size_t end = end_of_line();
    advance(std::min(end + 1, window_.bytes().size()));
    lines_ = 0;
  }

  void read_lines() {
    while (window_.offset() < piece_.end) {
      window_.look_ahead();
      size_t end = end_of_line(reader_.known_prefix(window_.bytes()));
      std::string_view line = window_.bytes().substr(0, end);
      if (line.empty() && window_.bytes().empty()) return;
      ++lines_;
      reader_.read_line(line, here());
      advance(std::min(end + 1, window_.bytes().size()));
    }
  }

  /// Reads objects one after another, also those of one array around them.
  void read_values() {
    lines_ = std::max(lines_, 1u);  // a document may stand before them
    while (skip_any(" \t\r\n,[]")) read_value();
  }

  /// Reads the records of a document, or of several in a row.
  void read_document() {
    lines_ = 1;
    while (skip_any(" \t\r\n,")) {
      size_t records = find_records(head());
      if (records == std::string_view::npos) return read_values();
      for (; records != std::string_view::npos; records = find_more_records(head())) {
        count_lines(records);
        while (skip_any(" \t\r\n,") && window_.bytes().front() == '{') read_value();
        if (window_.bytes().empty() || window_.bytes().front() != ']')
          return reader_.shard().complain(
              Complaint::Kind::damaged, here(),
              "the document is cut off here; what stands before is used");
        count_lines(1);
      }
      skip_rest_of_object();
    }
  }

  /// What stands behind the last record that can be read is part of the input all the same.
  void pass_over_rest() {
    do {
      advance(window_.bytes().size());
    } while (window_.grow());
  }

  uint32_t lines() const { return lines_; }

 private:
  Extent here() const { return {window_.offset(), 0, piece_.source, lines_}; }

  void advance(size_t bytes) {
    window_.drop(bytes);
    progress_.bytes += bytes;
  }

  /// Bytes up to the next newline, or to the end of the input.
  size_t end_of_line(size_t from = 0) {
    for (;;) {
      std::string_view bytes = window_.bytes();
      size_t at = bytes.find('\n', from);
      if (at != std::string_view::npos) return at;
      from = bytes.size();
      if (!window_.grow()) return window_.bytes().size();
    }
  }

  /// Bytes up to the end of the object that begins here; of the line, if it never ends.
  size_t end_of_value() {
    ValueScanner scanner;
    size_t length = 0;
    do {
      length += scanner.feed(window_.bytes().substr(length));
    } while (!scanner.closed() && window_.grow());
    return scanner.closed() ? length : end_of_line();
  }

  void read_value() {
    size_t length = window_.bytes().front() == '{' ? end_of_value() : end_of_line();
    reader_.read_line(window_.bytes().substr(0, length), here());
    count_lines(length);
  }

  /// Passes over bytes, counting their lines.
  void count_lines(size_t length) {
    std::string_view passed = window_.bytes().substr(0, length);
    lines_ += static_cast<uint32_t>(std::count(passed.begin(), passed.end(), '\n'));
    advance(length);
  }

  /// False at the end of the input.
  bool skip_any(std::string_view skipped) {
    for (;;) {
      size_t at = window_.bytes().find_first_not_of(skipped);
      bool found = at != std::string_view::npos;
      count_lines(found ? at : window_.bytes().size());
      if (found) return true;
      if (!window_.grow()) return false;
    }
  }

  /// Enough to see what comes next.
  std::string_view head() {
    while (window_.bytes().size() < kSniffed && window_.grow()) {
    }
    return window_.bytes().substr(0, kSniffed);
  }

  /// To behind the `}` of the document.
  void skip_rest_of_object() {
    ValueScanner scanner;
    scanner.feed("{");
    do {
      size_t passed = scanner.feed(window_.bytes());
      count_lines(passed);
    } while (!scanner.closed() && window_.grow());
  }

  const Piece& piece_;
  Window& window_;
  Reader& reader_;
  Progress& progress_;
  uint32_t lines_ = 0;
};

}  // namespace

Status read_piece(const Piece& piece, const Input& input, Window* stream, Reader& reader,
                  Progress& progress) {
  std::shared_ptr<const File> file;
  std::optional<Window> own;
  bool first = piece.begin <= 3;  // nothing but a byte order mark can stand before it
  if (stream == nullptr) {
    Result<std::shared_ptr<const File>> opened = input.open();
    if (!opened) return tl::unexpected(opened.error());
    file = *std::move(opened);
    // One byte earlier, so that a line that begins exactly here is seen to begin here.
    own.emplace(file->fd(), first ? piece.begin : piece.begin - 1, input.bytes);
  }
  Window& window = stream != nullptr ? *stream : *own;
  Walk walk(piece, window, reader, progress);
  if (!first) walk.skip_first_line();
  if (piece.framing == Framing::lines)
    walk.read_lines();
  else if (piece.framing == Framing::values)
    walk.read_values();
  else
    walk.read_document();
  reader.shard().count_lines(walk.lines());
  if (stream != nullptr) walk.pass_over_rest();
  if (window.failed() != 0) return cannot("read", input.path, window.failed());
  return {};
}

}  // namespace xtrace
