#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mcp/pages.h"
#include "mcp/tools.h"
#include "run/request.h"

namespace xtrace::mcp {

/// Makes the request that a command line makes: the name of a view, then its options and inputs.
using MakeRequest = std::function<Result<Request>(const std::vector<std::string>& words)>;

/// Someone who waits for an answer, and may change their mind.
struct Watch {
  std::function<void(int percent, std::string_view doing)> report;
  const std::atomic<bool>* is_cancelled = nullptr;
};

struct ToolAnswer {
  std::string text;
  bool is_error = false;
};

/// Answers calls of tools, one at a time.
class Answerer {
 public:
  explicit Answerer(MakeRequest make_request) : make_request_(std::move(make_request)) {}

  /// Reads nothing but own_logs(), whatever the arguments name.
  ToolAnswer answer(const Tool& tool, const std::vector<GivenArgument>& arguments,
                    const Watch& watch);

 private:
  Result<std::string> ask(const Tool& tool, const ToolRequest& asked, const Watch& watch) const;

  MakeRequest make_request_;
  Pages pages_;
};

/// Is a file or folder one of these, or below one, links followed? Nothing that does not exist is.
bool is_within(const std::string& path, const std::vector<std::string>& roots);

}  // namespace xtrace::mcp
