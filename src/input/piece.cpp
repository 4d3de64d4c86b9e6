#include "input/piece.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/newlines.h"
#include "input/common/values.h"

namespace xtrace {

namespace {

/// No record is as long, and somebody has to hold what comes out of a pipe or an archive.
constexpr size_t kLongestLine = 256 << 20;

/// Walks a window, counting lines and reporting how far it came.
class PieceReader {
 public:
  PieceReader(const Piece& piece, const Input& input, Window& window, Reader& reader,
              Progress& progress)
      : piece_(piece), input_(input), window_(window), reader_(reader), progress_(progress) {}

  /// Drops what precedes the piece in a stream.
  void skip_to_begin() {
    while (window_.offset() + window_.bytes().size() < piece_.begin && window_.grow()) {
    }
    uint64_t before = piece_.begin - std::min(piece_.begin, window_.offset());
    advance(std::min<uint64_t>(before, window_.bytes().size()));
  }

  /// Drops the line that began before this piece and belongs to the one before.
  void skip_first_line() {
    size_t end = end_of_line();
    advance(std::min(end + 1, window_.bytes().size()));
    lines_ = 0;
  }

  void read_lines() {
    while (window_.offset() < piece_.end) {
      if (skip_blank_lines()) continue;
      window_.look_ahead();
      size_t end = end_of_line(reader_.known_prefix(window_.bytes()));
      if (window_.bytes().empty()) return;
      ++lines_;
      if (end == std::string_view::npos) {
        skip_long_line();
        continue;
      }
      std::string_view line = window_.bytes().substr(0, end);
      reader_.read_line(line, here(), end == window_.bytes().size() ? ending() : LineEnding::whole,
                        window_.may_change());
      advance(std::min(end + 1, window_.bytes().size()));
    }
  }

  /// Reads objects one after another, also those of one array around them, and arrays that are
  /// records.
  void read_values() {
    lines_ = std::max(lines_, 1u);  // a document may precede them
    while (skip_any(" \t\r\n,]"))
      if (window_.bytes().front() == '[' && !begins_record())
        count_lines(1);
      else
        read_value();
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
          return complain_of_end("the document is cut off here; the content before it is used");
        count_lines(1);
      }
      skip_rest_of_object();
      // Of the object around the one in which the lists was there may be more fields.
      if (skip_any(" \t\r\n},") && window_.bytes().front() == '"') {
        skip_rest_of_object();
        skip_any(" \t\r\n}");
      }
    }
  }

  /// What follows the last record that can be read is part of the input all the same.
  void pass_over_rest() {
    do {
      advance(window_.bytes().size());
    } while (window_.grow());
  }

  /// An archive that ends before its end has lost records, whatever the last one looks like.
  void complain_of_archive() {
    bool is_last = piece_.end == Piece::kToTheEnd;
    if (is_last && !damage().empty())
      reader_.shard().complain(
          Complaint::Kind::damaged, here(),
          fmt::format("the archive is damaged or cut off here ({}); the content before it is used",
                      damage()));
  }

  uint32_t lines() const { return lines_; }
  Extent here() const { return {window_.offset(), 0, piece_.source, lines_}; }

 private:
  std::string_view damage() const {
    return input_.unpacked ? std::string_view(input_.unpacked->damage) : window_.damage();
  }

  /// How the last line of the input ends, if no newline ends it.
  LineEnding ending() const {
    return damage().empty() ? LineEnding::torn : LineEnding::torn_with_archive;
  }

  void complain_of_end(std::string what) {
    if (damage().empty())
      reader_.shard().complain(Complaint::Kind::damaged, here(), std::move(what));
  }

  void advance(size_t bytes) {
    window_.drop(bytes);
    if (!window_.is_unpacked()) progress_.bytes += bytes;
  }

  /// Lines with nothing on them can come by the million.
  bool skip_blank_lines() {
    std::string_view bytes = window_.bytes();
    if (!bytes.starts_with('\n')) return false;
    size_t blank = std::min(bytes.find_first_not_of('\n'), bytes.size());
    blank = std::min<uint64_t>(blank, piece_.end - window_.offset());
    lines_ += static_cast<uint32_t>(blank);
    advance(blank);
    return true;
  }

  void skip_long_line() {
    reader_.shard().complain(Complaint::Kind::damaged, here(), "a line longer than 256 MB");
    size_t end = window_.bytes().find('\n');
    while (end == std::string_view::npos) {
      advance(window_.bytes().size());
      if (!window_.grow()) return;
      end = window_.bytes().find('\n');
    }
    advance(end + 1);
  }

  bool holds_too_much() const {
    return window_.flow() != nullptr && window_.bytes().size() > kLongestLine;
  }

  /// Bytes up to the next newline, or to the end of the input; npos if there are too many.
  size_t end_of_line(size_t from = 0) {
    for (;;) {
      std::string_view bytes = window_.bytes();
      size_t at = bytes.find('\n', from);
      if (at != std::string_view::npos) return at;
      from = bytes.size();
      if (holds_too_much()) return std::string_view::npos;
      if (!window_.grow()) return window_.bytes().size();
    }
  }

  /// Bytes up to the end of the value that begins here, or behind as many of them; npos, if it
  /// never ends.
  size_t end_of_value(size_t length = 0) {
    ValueScanner scanner;
    do {
      length += scanner.feed(window_.bytes().substr(length));
    } while (!scanner.closed() && !holds_too_much() && window_.grow());
    return scanner.closed() ? length : std::string_view::npos;
  }

  /// Of a number or a word of JSON that stands where an object should; npos: it is none.
  size_t end_of_scalar() {
    constexpr size_t kLongest = 64;
    while (window_.bytes().size() < kLongest && window_.grow()) {
    }
    const std::string_view bytes = window_.bytes().substr(0, kLongest);
    const size_t end = std::min(bytes.find_first_of(",]} \t\r\n"), bytes.size());
    const std::string_view word = bytes.substr(0, end);
    const bool is_scalar = word == "null" || word == "true" || word == "false" ||
                           word.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
    return is_scalar && end > 0 && end < kLongest ? end : std::string_view::npos;
  }

  /// Is the array that begins here a record, as its first item tells? Of one that does not end
  /// nobody knows, and the next ones are not asked: each would be looked through to the end.
  bool begins_record() {
    constexpr std::string_view kBlank = " \t\r\n";
    if (has_open_array_) return false;
    size_t begin = 0;
    while ((begin = window_.bytes().find_first_not_of(kBlank, 1)) == std::string_view::npos)
      if (window_.bytes().size() > kSniffed || !window_.grow()) return false;
    if (window_.bytes()[begin] != '{') return false;
    const size_t end = end_of_value(begin);
    has_open_array_ = end == std::string_view::npos;
    return !has_open_array_ && end - begin <= kLineSniffed &&
           reader_.begins_list(window_.bytes().substr(begin, end - begin), window_.may_change());
  }

  /// An object that the input ends within. Tried once: of a log each may have lost a bracket.
  bool read_cut_off() {
    if (piece_.framing != Framing::values || holds_too_much()) return false;
    if (std::exchange(has_tried_, true)) return false;
    if (!reader_.read_cut_off(window_.bytes(), here())) return false;
    count_lines(window_.bytes().size());
    return true;
  }

  void read_value() {
    const bool is_whole = window_.bytes().front() == '{' || window_.bytes().front() == '[';
    size_t length = is_whole ? end_of_value() : std::string_view::npos;
    has_open_array_ |= window_.bytes().front() == '[' && length == std::string_view::npos;
    if (is_whole && length == std::string_view::npos && read_cut_off()) return;
    if (!is_whole) length = end_of_scalar();
    if (length == std::string_view::npos) length = end_of_line();
    if (length == std::string_view::npos) return skip_long_line();
    bool at_end = length == window_.bytes().size() && !window_.grow();
    reader_.read_line(window_.bytes().substr(0, length), here(),
                      at_end ? ending() : LineEnding::whole, window_.may_change());
    count_lines(length);
  }

  /// Passes over bytes, counting their lines.
  void count_lines(size_t length) {
    std::string_view passed = window_.bytes().substr(0, length);
    lines_ += static_cast<uint32_t>(count_newlines(passed));
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
  const Input& input_;
  Window& window_;
  Reader& reader_;
  Progress& progress_;
  uint32_t lines_ = 0;
  bool has_tried_ = false;       ///< to read an object that is cut off
  bool has_open_array_ = false;  ///< one does not end
};

}  // namespace

namespace {

/// Of a file that is read in a few of its lines.
Status read_ranges(const Piece& piece, const Input& input, Reader& reader, Progress& progress) {
  Result<std::shared_ptr<const File>> file = input.open();
  if (!file) return tl::unexpected(file.error());
  Window window((*file)->fd(), piece.begin, input.bytes);
  Shard& shard = reader.shard();
  for (const LineRange& range : piece.ranges) {
    Stretch stretch{piece.source, range.begin, range.end, range.line};
    if (range.begin == piece.ranges.front().begin)
      shard.now() = std::move(stretch);
    else
      shard.begin_stretch(std::move(stretch));
    // A byte order mark is no part of the first line.
    const Piece lines{piece.source, std::max(range.begin, piece.begin), range.end};
    window.drop_to(lines.begin);
    PieceReader walk(lines, input, window, reader, progress);
    walk.read_lines();
    shard.count_lines(walk.lines());
    if (window.failed() != 0) return cannot("read", input.path, window.failed());
    if (window.became_shorter()) shard.note_became_shorter(walk.here());
  }
  return {};
}

}  // namespace

Status read_piece(const Piece& piece, const Input& input, Window* stream, Reader& reader,
                  Progress& progress) {
  if (!piece.ranges.empty()) return read_ranges(piece, input, reader, progress);
  std::shared_ptr<const File> file;
  std::optional<Window> own;
  bool first = piece.begin == 0 || piece.is_first;
  if (stream == nullptr) {
    Result<std::shared_ptr<const File>> opened = input.open();
    if (!opened) return tl::unexpected(opened.error());
    file = *std::move(opened);
    // One byte earlier, so that a line that begins exactly here is seen to begin here.
    own.emplace(file->fd(), first ? piece.begin : piece.begin - 1, input.bytes);
  }
  Window& window = stream != nullptr ? *stream : *own;
  PieceReader walk(piece, input, window, reader, progress);
  if (stream != nullptr)
    walk.skip_to_begin();
  else if (!first)
    walk.skip_first_line();
  if (piece.framing == Framing::lines)
    walk.read_lines();
  else if (piece.framing == Framing::values)
    walk.read_values();
  else
    walk.read_document();
  reader.shard().count_lines(walk.lines());
  if (stream != nullptr) walk.pass_over_rest();
  walk.complain_of_archive();
  if (window.failed() != 0) return cannot("read", input.path, window.failed());
  if (window.became_shorter()) reader.shard().note_became_shorter(walk.here());
  if (stream != nullptr && stream->flow()->error()) return tl::unexpected(*stream->flow()->error());
  return {};
}

}  // namespace xtrace
