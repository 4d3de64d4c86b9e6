#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// Appends `text` as XML 1.0, for an attribute in double quotes as well as between tags: nothing in
/// it is markup, and white space comes back as it was. Control characters, for most of which XML
/// has no way to be written, become U+FFFD; what is invisible or turns the reading direction is
/// spelt out as in pictures: `\u202e`.
void append_xml(std::string& out, std::string_view text);

}  // namespace xtrace
