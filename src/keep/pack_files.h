#pragma once

#include <string>

#include "keep/output.h"
#include "keep/stored_zip.h"

namespace xtrace {

/// Is it the name of an archive, and not of a folder?
bool is_zip_name(std::string_view path);

/// Is nothing there yet? Exit::output: what somebody may rely on is never overwritten.
Status check_new_pack(const std::string& path);

/// Writes the files to a folder, or to a ZIP archive if the name ends in .zip. It appears whole or
/// not at all: it is written beside its place and renamed.
Status write_pack(const std::string& path, Readers readers, const PackFiles& files);

/// Reads such a folder or archive. Exit::input: it cannot be read; Exit::no: something in it is no
/// file, or a folder in it is empty, or the archive is not as it was written.
Result<PackFiles> read_pack(const std::string& path);

}  // namespace xtrace
