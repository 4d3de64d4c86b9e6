#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "facts/trace.h"

namespace xtrace {

/// Notes that the file is not read, with others of which the same is to be said.
void note_unread(std::vector<Unread>& unread, std::string_view why, const std::string& path,
                 bool may_hold_records);

/// What the error says about the file, without its path.
std::string_view why_of(const Error& error, const std::string& path);

}  // namespace xtrace
