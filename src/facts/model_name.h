#pragma once

#include <string>
#include <string_view>

namespace xtrace {

/// A model's name as all write it: in small letters, digits apart by `-`, the version of a Claude
/// behind its family, without whoever makes or sells it: `us.anthropic.claude-opus-4-5`,
/// `anthropic/claude-opus-4.5` and `claude-4.5-opus` are `claude-opus-4-5`. Empty where something
/// stands before it that may be another seller's, with prices of its own.
std::string plain_model(std::string_view name);

/// Does what stands behind a plain name tell of the same model: a date, a version of the interface,
/// `latest`?
bool is_decoration(std::string_view rest);

}  // namespace xtrace
