#include "cli/loading_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/number.h"
#include "base/text.h"
#include "input/common/format.h"

namespace xtrace {

Status read_loading(const std::string& format, const std::string& jobs, LoadOptions& loading) {
  if (!format.empty() && (loading.format = find_format(format)) == nullptr)
    return fail(Exit::usage,
                fmt::format("--from: unknown format '{}'; `xtrace help formats` lists the formats",
                            printable(format)));
  constexpr unsigned kMost = 256;  // more threads than any input gains from
  const auto threads = number_of<unsigned>(jobs);
  if (!jobs.empty() && (!threads || *threads < 1 || *threads > kMost))
    return fail(Exit::usage, fmt::format("--jobs must be a number from 1 to {}", kMost));
  loading.jobs = threads.value_or(std::max(1U, std::thread::hardware_concurrency()));
  return {};
}

}  // namespace xtrace
