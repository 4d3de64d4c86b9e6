#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "keep/output.h"

namespace xtrace {

struct LoadOptions;
struct Request;

/// A file that a request writes.
struct WrittenFile {
  std::string_view option;  ///< that names it
  std::string_view path;    ///< standard output is one
};
std::vector<WrittenFile> written_files(const Request& request);

/// Who may read the output: its owner only where it may hold more than level basic does, or
/// anything that redaction would replace, and where it is in a folder for all.
Readers readers_of(const Request& request);

/// What a request reads next to its inputs: settings, rules, keys.
std::vector<std::string> settings_of(const Request& request);

/// What is read must not be overwritten: `read`, which is `what`, is none of the files written.
Status check_not_written(std::span<const WrittenFile> files, const std::string& read,
                         std::string_view what);
/// The same of an input, and the files that a request writes.
Status check_not_written(const Request& request, const std::string& read);
/// The same of all inputs: also logs and parts below folders.
Status check_inputs(std::span<const WrittenFile> files, const std::vector<std::string>& inputs,
                    const LoadOptions& loading);

/// Nothing that is read is written to, and no two files that are written are one. Logs that a plan
/// names are checked when they are found.
Status check_files(const Request& request);

}  // namespace xtrace
