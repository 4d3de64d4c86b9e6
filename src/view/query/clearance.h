#pragma once

#include <span>
#include <string>
#include <string_view>

namespace xtrace {

/// Is something with this label (`confidential`) beyond that clearance? A label that is not known
/// is beyond all of them; without a clearance nothing is.
bool is_beyond(std::string_view sensitivity, std::string_view clearance);
/// The more sensitive of two labels; one that is not known is the most.
const std::string& more_sensitive(const std::string& a, const std::string& b);
/// The labels that are known, the least sensitive first.
std::span<const std::string_view> clearances();

}  // namespace xtrace
