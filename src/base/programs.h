#pragma once

#include <string>

namespace xtrace {

/// Is there such a program, by a path or in one of the folders of `$PATH`?
bool has_program(const std::string& name);

}  // namespace xtrace
