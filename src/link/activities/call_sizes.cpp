#include "link/activities/call_sizes.h"

#include <algorithm>

#include "base/hash.h"
#include "facts/payloads.h"
#include "facts/trace.h"

namespace xtrace {

ResultSize CallSizes::of_result(std::string_view tool_use) const {
  const auto result = results.find(hash_of(tool_use));
  return result == results.end() ? ResultSize() : result->second;
}

namespace {

using Kind = BlockSize::Kind;

void add(Kind kind, size_t bytes, std::string_view tool_use, CallSizes& sizes) {
  if (kind == Kind::answer) sizes.answered += bytes;
  if (kind == Kind::thought) sizes.thought += bytes;
  const bool is_image = kind == Kind::image, is_result = kind == Kind::result;
  if (kind == Kind::input || is_image || is_result) sizes.asked += bytes;
  if (is_image) sizes.images += bytes;
  if (is_result || (is_image && !tool_use.empty())) {
    ResultSize& result = sizes.results[hash_of(tool_use)];
    result.bytes += bytes;
    if (is_image) result.images += bytes;
  }
}

Kind kind_of(const Quote& quote) {
  if (quote.is_answer) return quote.kind == Quote::Kind::thought ? Kind::thought : Kind::answer;
  return quote.kind == Quote::Kind::tool_result ? Kind::result : Kind::input;
}

}  // namespace

bool CallSizeMeter::measured_when_read(const Call& call, CallSizes& sizes) const {
  const std::span places = std::span(trace_.places).subspan(call.first_place, call.places);
  const auto is_measured = [](const CallPlace& place) { return bool(place.sizes); };
  if (places.empty() || !std::all_of(places.begin(), places.end(), is_measured)) return false;
  for (const CallPlace& place : places)
    for (const BlockSize* one = &trace_.block_sizes[place.sizes.index];; ++one) {
      add(one->kind, one->bytes, trace_[one->tool_use], sizes);
      if (one->is_last) break;
    }
  return true;
}

const CallSizes& CallSizeMeter::operator[](CallId call) {
  const auto [place, is_new] = known_.try_emplace(call.index);
  CallSizes& sizes = place->second;
  if (!is_new || payloads_ == nullptr || measured_when_read(trace_[call], sizes)) return sizes;
  for (const Quote& quote : payloads_->quotes(trace_[call])) {
    const size_t name = quote.is_answer ? quote.tool.size() : 0;
    add(kind_of(quote), quote.text.size() + name, quote.tool_use, sizes);
    if (quote.image_bytes > 0) add(Kind::image, quote.image_bytes, quote.tool_use, sizes);
  }
  return sizes;
}

}  // namespace xtrace
