#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace xtrace {

/// The texts under the tags of a chain of thought that follows a template, in recorded order:
/// `{why} the test failed {how} quote the name {alternatives} escape it`. The tags are `why`, `how`
/// and `alternatives`.
std::vector<std::pair<std::string_view, std::string_view>> tags_of_thought(std::string_view text);

}  // namespace xtrace
