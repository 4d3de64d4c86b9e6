#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "facts/trace.h"
#include "input/bytes/compression.h"
#include "input/common/line_range.h"

namespace xtrace {

/// What an archive was before it was unpacked into a file.
struct Unpacked {
  uint64_t bytes = 0;  ///< on disk
  std::string damage;  ///< why it ends before its end; empty if it does not
};

/// One input that will be read: a file that can be read at any place, or a stream.
struct Input {
  std::string path;  ///< as the user named it, or as it is found below a folder they named
  uint64_t bytes = 0;
  bool seekable = true;
  bool listed = true;  ///< the user named this very file; what is below a folder may be anything
  /// Open if it is a stream, or if its path does not lead to it.
  std::shared_ptr<const File> file;
  FileId id;
  FileTime changed;  ///< when it was, at the time it was settled
  Compression compression =
      Compression::none;             ///< of a file; what is in a stream shows when it is read
  std::optional<Unpacked> unpacked;  ///< its bytes are those of an archive, unpacked
  std::string sha256;                ///< of the bytes on disk, if it is known already
  /// The lines that are to be read, by place; nullptr: all.
  std::shared_ptr<const std::vector<LineRange>> ranges;

  /// Of a file: takes what is at its path by now for what is to be read. As long as there may be
  /// many open files it stays open, and whoever moves it away or removes it changes nothing.
  Status settle();
  /// To read from: the file that is open already, or a new one.
  Result<std::shared_ptr<const File>> open() const;
};

/// Why a file is not read that is there under another name.
inline constexpr std::string_view kSameFile = "same as another input";

/// What the user named, and what of it is not read.
struct Found {
  std::vector<Input> inputs;
  std::vector<Unread> unread;
};

/// Does a link lead to a folder that contains it at any depth, or nowhere?
bool leads_up(const std::string& link);

/// Looks up what the user named. A folder represents the regular files below it, in the order of
/// their names; what is hidden is left out, but for the folders in which agents keep their logs. A
/// pattern of which no file has the name for those it fits. A file that is met again, under
/// whatever name, is read once.
Result<Found> find_inputs(const std::vector<std::string>& paths);

/// Settles files, several at a time, as many as may stay open; one that cannot be opened is left
/// for whoever reads it.
void settle_files(std::vector<Input>& inputs, unsigned jobs);

}  // namespace xtrace
