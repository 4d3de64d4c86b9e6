#pragma once

#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "input/bytes/inputs.h"

namespace xtrace {

struct Request;
struct Trace;
struct ViewEntry;

/// May the command be asked again and again, so that its answers are kept?
bool keeps_answers(const ViewEntry& entry);

/// An answer as it was given.
struct KeptAnswer {
  Exit exit = Exit::answered;
  std::string notes;    ///< on standard error, before it
  std::string text;     ///< on standard output
  std::string remarks;  ///< on standard error, after it
};

/// As bytes; `key` names the question, the program and the files as they were.
std::string bytes_of(const KeptAnswer& answer, std::string_view key);
/// Returns nothing for bytes that are damaged, or of another key.
std::optional<KeptAnswer> read_kept_answer(std::string_view bytes, std::string_view key);

/// Is the file, which changed at `changed`, one that could change again by `now` without another
/// time of its change?
bool may_change_unseen(const FileTime& changed, Time now);

/// The answers to earlier questions, in the cache folder, for as long as no file that they depend
/// on has changed.
class AnswerIndex {
 public:
  /// Looks at the files that the request is about, if its answer may be kept; else does nothing,
  /// and neither do the other functions.
  explicit AnswerIndex(const Request& request);

  /// The answer to the same question about the same files; none: it is not kept.
  std::optional<KeptAnswer> find() const;
  /// The files that were found, for whoever reads them now; none: they were not looked for.
  std::optional<Result<Found>> take_found() { return std::exchange(found_, std::nullopt); }

  /// May the answer be kept that is made of this trace? Not if something was read that belongs to
  /// no file that was looked at.
  bool may_keep(const Trace& trace) const;
  /// Keeps an answer. Not being able to is no error.
  void keep(const KeptAnswer& answer) const;

 private:
  bool note_files(const Request& request);

  std::string name_;  ///< of the file in the cache folder; empty: nothing is kept
  std::string key_;
  bool is_settled_ = true;  ///< no file changed just now
  std::optional<Result<Found>> found_;
  std::vector<std::string> paths_;  ///< of the files, ascending
  uint64_t times_asked_ = 0;        ///< how often the time had been asked for
};

/// Passes bytes on to a stream, and keeps a copy of them unless it grows too long.
class CopyingBuffer final : public std::streambuf {
 public:
  explicit CopyingBuffer(std::ostream& to) : to_(to) {}
  /// None: it was too long, or not all of it could be passed on.
  std::optional<std::string> take();

 protected:
  int_type overflow(int_type next) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;

 private:
  std::ostream& to_;
  std::string copy_;
  bool is_whole_ = true;
};

}  // namespace xtrace
