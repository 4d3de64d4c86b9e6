#include "live/follow_command.h"

#include <fmt/format.h>

#include "base/native_only.h"
#include "base/number.h"
#include "base/text.h"
#include "input/parts/found_parts.h"
#include "input/shards/shard_plan.h"
#include "live/follow_loop.h"

namespace xtrace {

namespace {

/// Not negative.
Result<double> read_number(std::string_view option, const std::string& text, double most) {
  std::optional<double> number = number_of<double>(text);
  if (number && *number >= 0 && *number <= most) return *number;
  return fail(Exit::usage,
              fmt::format("{}: '{}' is not a number from 0 to {}", option, printable(text), most));
}

}  // namespace

Result<FollowSettings> settings_of(const FollowOptions& options) {
  FollowSettings settings;
  Result<double> window = read_number("--window", options.window, 60'000);
  if (!window) return tl::unexpected(window.error());
  settings.window = std::chrono::milliseconds(static_cast<int64_t>(*window));
  Result<double> queued = read_number("--max-queued", options.max_queued, 1e9);
  if (!queued) return tl::unexpected(queued.error());
  settings.max_queued = static_cast<size_t>(*queued);
  Result<double> port = read_number("--port", options.port, UINT16_MAX);
  if (!port) return tl::unexpected(port.error());
  settings.port = static_cast<uint16_t>(*port);
  if (!options.idle.empty()) {
    Result<double> idle = read_number("--idle", options.idle, 1e9);
    if (!idle) return tl::unexpected(idle.error());
    settings.idle = std::chrono::milliseconds(static_cast<int64_t>(*idle * 1000));
  }
  if (!options.resume.empty()) {
    std::optional<Moment> time = parse_time(options.resume);
    if (!time)
      return fail(Exit::usage,
                  fmt::format("--resume: '{}' is not a time such as 2026-03-02T09:00:00Z",
                              printable(options.resume)));
    settings.resume = time->time;
  }
  bool is_trace = options.view == "trace";
  if (is_trace && options.query.empty())
    return fail(Exit::usage,
                "--view trace requires --query ID; `xtrace list --queries` lists them");
  if (!is_trace && !options.query.empty())
    return fail(Exit::usage, "--query requires --view trace");
  return settings;
}

Status check_can_grow(const Request& request) {
  for (const std::string& input : request.inputs) {
    const std::string_view kind = is_part_file(input)         ? "parts"
                                  : is_shard_plan_file(input) ? "plans"
                                                              : "";
    if (!kind.empty())
      return fail(Exit::usage, fmt::format("{}: {} do not grow, and {} only watches growing logs; "
                                           "use xtrace dag",
                                           printable(input), kind, request.entry->name));
  }
  return {};
}

Result<Exit> follow(const Request& request, Health& health) {
  const FollowOptions& options = *request.view->follow_options();
  Result<FollowSettings> settings = settings_of(options);
  if (!settings) return tl::unexpected(settings.error());
  if (Status grows = check_can_grow(request); !grows) return tl::unexpected(grows.error());
  if (Status native = require_native("follow"); !native) return tl::unexpected(native.error());
  return FollowLoop(request, options, *settings, health).run();
}

}  // namespace xtrace
