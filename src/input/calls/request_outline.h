#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace xtrace {

/// Where the parts of a request are in the bytes of a record. All offsets count from the `{` that
/// opens the request's body.
struct RequestOutline {
  std::vector<size_t> messages;  ///< where each message begins
  size_t tail = 0;               ///< the `]` behind the last message
  size_t end = 0;                ///< behind the `}` that closes the body
};

/// Where the request's body opens in a record: the object at `body`, at `request.body`, or at
/// `request` if it has `messages` itself. Looks at the beginning only; nothing if it is not there.
std::optional<size_t> find_request(std::string_view record);

/// The outline of the body that opens `bytes`, which must be valid JSON; nothing if it has no
/// `messages`, or two, or none in them, or one that is not an object.
std::optional<RequestOutline> outline_request(std::string_view bytes);

/// Where the items of an array begin; `bytes` opens behind its `[`, or behind a comma of it. Stops
/// at the `]`, whose offset it puts into `end`. False if an item is not an object.
bool outline_items(std::string_view bytes, std::vector<size_t>& begins, size_t& end);

}  // namespace xtrace
