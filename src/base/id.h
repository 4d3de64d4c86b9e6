#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace xtrace {

/// An index into one particular table. Ids of different tables do not mix,
/// and the default id points nowhere.
template <class Tag>
struct Id {
  static constexpr uint32_t kNowhere = UINT32_MAX;
  uint32_t index = kNowhere;

  constexpr Id() = default;
  constexpr explicit Id(size_t at) : index(static_cast<uint32_t>(at)) {}
  constexpr explicit operator bool() const { return index != kNowhere; }
  constexpr auto operator<=>(const Id&) const = default;
};

using StringId = Id<class StringPool>;
using CallId = Id<struct Call>;
using MessageId = Id<struct Message>;
using SpanId = Id<struct Span>;
using GenAiId = Id<struct GenAi>;
using TaskStepId = Id<struct TaskStep>;
using BlockSizeId = Id<struct BlockSize>;

}  // namespace xtrace
