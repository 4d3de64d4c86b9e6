#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>

#include "fuzz/fuzz.h"
#include "mcp/server.h"

using namespace xtrace;
using namespace xtrace::mcp;

namespace {

/// A tool that does all that an agent's arguments lead to, but reads no log.
ToolAnswer answer(const Tool& tool, const std::vector<GivenArgument>& arguments,
                  const Watch& watch) {
  watch.report(50, "reading");
  const Result<ToolRequest> request = read_tool_request(tool, arguments);
  if (!request && request.error().what.empty()) std::abort();
  if (!request) return {request.error().what, true};
  std::string text;
  for (const std::string& option : request->options) text += option + "\n\n";
  Pages pages;
  return {pages.first(put_first(text, request->axis), request->max_tokens), false};
}

}  // namespace

/// Whatever a client sends, each line of the reply is a message that it can read.
void xtrace::try_mcp(std::string_view text) {
  std::mutex mutex;
  Server server(
      [&](const std::string& line) {
        const std::lock_guard lock(mutex);
        const nlohmann::json reply = nlohmann::json::parse(line, nullptr, false);
        if (line.find('\n') != std::string::npos || !reply.is_object()) std::abort();
        if (reply.value("jsonrpc", "") != "2.0") std::abort();
      },
      answer);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    server.take({.text = std::string(line)});
  }
  server.finish();
}
