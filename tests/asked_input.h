#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "run/answer.h"
#include "run/load_runs.h"

namespace xtrace {

/// What a request prints about runs; an Error where it has no answer.
inline Result<std::string> printed(const Request& request, const LinkedRuns& runs) {
  Result<std::unique_ptr<Door>> door = open_door(request, runs);
  if (!door) return tl::unexpected(door.error());
  Result<Document> answered = answer(request, runs, **door);
  if (!answered) return tl::unexpected(answered.error());
  std::ostringstream out;
  write_document(request, *answered, out);
  return std::move(out).str();
}

/// The same of a command, without a process of its own.
inline Result<std::string> printed_by(std::vector<std::string> words) {
  Result<Command> command = read_command_line(std::move(words));
  if (!command) return tl::unexpected(command.error());
  Request& request = std::get<Request>(*command);
  Result<std::vector<Trace>> traces = load_runs(request);
  if (!traces) return tl::unexpected(traces.error());
  return printed(request, link_runs(*std::move(traces), request.link_options()));
}

/// One input, linked once, and asked again and again.
class AskedInput {
 public:
  using Words = std::vector<std::string>;

  /// `first`: a command that reads what the others read, as `diff OLD`.
  explicit AskedInput(std::string path, Words first = {"dag"})
      : path_(std::move(path)), request_(request_of(std::move(first))) {
    if (Result<std::vector<Trace>> traces = load_runs(request_))
      runs_ = std::make_unique<LinkedRuns>(link_runs(*std::move(traces), request_.link_options()));
  }

  /// What a command writes in a format; empty where there is no answer.
  std::string in(const std::string& format, Words words) const {
    if (runs_ == nullptr) return {};
    words.insert(words.end(), {"-f", format});
    return printed(request_of(std::move(words)), *runs_).value_or("");
  }

 private:
  Request request_of(Words words) const {
    words.insert(words.end(), {"-q", "--config", "/dev/null", path_});
    Result<Command> command = read_command_line(std::move(words));
    REQUIRE(command);
    return std::get<Request>(*std::move(command));
  }

  std::string path_;
  Request request_;  ///< whose prices the graphs look at
  std::unique_ptr<LinkedRuns> runs_;
};

}  // namespace xtrace
