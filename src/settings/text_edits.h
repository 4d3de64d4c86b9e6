#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "facts/text_edit.h"

namespace xtrace {

/// Is a path that an edit names the file that is asked about?
using IsThatFile = std::function<bool(std::string_view path)>;

/// What a tool that changes files was given to do with one of them, in order: JSON, or a patch. Of
/// arguments of no known form, each text is one that was put in somewhere.
std::vector<TextEdit> text_edits_in(const std::string& given, const IsThatFile& is_that_file);

/// The same of a patch: that of `apply_patch`, a unified diff, or blocks that are searched for and
/// replaced. One that names no file is of the one that is asked about. Empty: it is no patch.
std::vector<TextEdit> text_edits_in_patch(std::string_view patch, const IsThatFile& is_that_file);

}  // namespace xtrace
