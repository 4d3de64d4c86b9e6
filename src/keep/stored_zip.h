#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace xtrace {

/// Files by their paths within a folder or an archive, with `/` between their parts.
using PackFiles = std::map<std::string, std::string>;

/// The files as a ZIP archive without compression, all of 1 January 1980: equal files, equal bytes.
/// Exit::output: they are too many or too large for one (65,535 files, 4 GB).
Result<std::string> stored_zip(const PackFiles& files);

/// The files of an archive that stored_zip() wrote. Exit::no: any byte of it differs from what
/// stored_zip() writes for its files.
Result<PackFiles> read_stored_zip(std::string_view bytes);

}  // namespace xtrace
