#include "link/activities/said_sizes.h"

#include <algorithm>

#include "base/hash.h"
#include "facts/payloads.h"
#include "facts/trace.h"

namespace xtrace {

size_t SaidSizes::of_result(std::string_view tool_use) const {
  const auto result = results.find(hash_of(tool_use));
  return result == results.end() ? 0 : result->second;
}

namespace {

using Kind = SaidSize::Kind;

void add(Kind kind, size_t bytes, std::string_view tool_use, SaidSizes& sizes) {
  if (kind == Kind::answer) sizes.answered += bytes;
  if (kind == Kind::thought) sizes.thought += bytes;
  if (kind == Kind::told || kind == Kind::result) sizes.asked += bytes;
  if (kind == Kind::result) sizes.results[hash_of(tool_use)] += bytes;
}

Kind kind_of(const Quote& said) {
  if (said.is_answer) return said.kind == Quote::Kind::thought ? Kind::thought : Kind::answer;
  return said.kind == Quote::Kind::tool_result ? Kind::result : Kind::told;
}

}  // namespace

bool SaidSizesOf::measured_when_read(const Call& call, SaidSizes& sizes) const {
  const std::span places = std::span(trace_.places).subspan(call.first_place, call.places);
  const auto is_measured = [](const CallPlace& place) { return bool(place.sizes); };
  if (places.empty() || !std::all_of(places.begin(), places.end(), is_measured)) return false;
  for (const CallPlace& place : places)
    for (const SaidSize* one = &trace_.said_sizes[place.sizes.index];; ++one) {
      add(one->kind, one->bytes, trace_[one->tool_use], sizes);
      if (one->is_last) break;
    }
  return true;
}

const SaidSizes& SaidSizesOf::operator[](CallId call) {
  const auto [place, is_new] = known_.try_emplace(call.index);
  SaidSizes& sizes = place->second;
  if (!is_new || payloads_ == nullptr || measured_when_read(trace_[call], sizes)) return sizes;
  for (const Quote& said : payloads_->quotes(trace_[call])) {
    const size_t name = said.is_answer ? said.tool.size() : 0;
    add(kind_of(said), said.text.size() + name, said.tool_use, sizes);
  }
  return sizes;
}

}  // namespace xtrace
