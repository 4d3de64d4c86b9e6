#include "live/live_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "run/complaints.h"

namespace xtrace {

Result<LiveInput::Came> LiveInput::take_in(Growth growth) {
  Came came;
  if (!request_.quiet)
    for (const std::string& note : growth.notes) fmt::print(stderr, "{}\n", note);
  if (!growth.any()) return came;
  came.any = true;
  came.over = std::move(growth.over);
  generations().put_in_order(growth.records);
  Result<SomeRecords> some = records_.read(growth.records, generations());
  if (!some) return tl::unexpected(some.error());
  came.is_used = std::ranges::any_of(some->trace.sources,
                                     [](const Source& source) { return source.records > 0; });
  came.is_damaged = !some->trace.complaints.empty();
  if (came.is_damaged && !request_.quiet) print_complaints(some->trace, request_.verbose);
  std::vector<RecordIds> ids = ids_of(*some, growth.records);
  came.arrivals.reserve(ids.size());
  for (size_t i = 0; i < ids.size(); ++i)
    came.arrivals.push_back({growth.records[i], std::move(ids[i])});
  return came;
}

}  // namespace xtrace
