#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "facts/call.h"

namespace xtrace {

/// What a maker charges for each use of a tool that it runs by itself, on top of tokens.
struct Fee {
  std::string family;  ///< of models, by plain names (plain_model())
  ServerTool tool = ServerTool::none;
  int64_t millionths = kNoCount;  ///< of a dollar
  bool is_per_call = false;       ///< for each call that uses it, however often
  Time from = kNoTime;            ///< its first day, in UTC; kNoTime: as far back as is known
};

/// As makers list them; the first row that fits counts.
std::span<const Fee> listed_fees();

/// Does a maker charge nothing for a tool in a call that used certain others?
bool is_free_with(std::string_view plain_name, ServerTool tool, const ServerToolUses& uses);

/// What so many uses of a tool in one call to a model cost, in billionths of a dollar; -1: not
/// known.
int64_t fee_among(std::span<const Fee> fees, std::string_view plain_name, ServerTool tool,
                  int64_t uses, Time time);

}  // namespace xtrace
