#pragma once

#include <string>

namespace xtrace {

/// A JSON Schema in few lines: for every object in it its path, how many keys it has, and a digest
/// of their names, types and descriptions; behind that, of each kind of value, the first one whole.
///
///     3f2a9c81a04b77d2   43  |0.nodes[]
///
/// Throws std::invalid_argument where the text is no JSON.
std::string outline_schema(const std::string& schema);

}  // namespace xtrace
