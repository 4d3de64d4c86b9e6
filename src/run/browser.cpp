#include "run/browser.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/native_only.h"
#include "base/system.h"

namespace xtrace {

std::string temporary_page(std::string_view command) {
  const char* folder = std::getenv("TMPDIR");
  return fmt::format("{}/xtrace-{}-{}.html", folder != nullptr && *folder != 0 ? folder : "/tmp",
                     command, process_id());
}

Status open_in_browser(const std::string& path) {
  if (Status native = require_native("--open"); !native)
    return fail(Exit::usage, fmt::format("{}; open {} yourself", native.error().what, path));
  const char* chosen = std::getenv("BROWSER");
  std::string program = chosen != nullptr ? chosen : "";
  for (const char* other : {"xdg-open", "open", "sensible-browser"})
    if (program.empty() && has_program(other)) program = other;
  if (program.empty() || !has_program(program))
    return fail(Exit::usage,
                fmt::format("--open: no browser found; set BROWSER, or open {} yourself", path));
  start_detached(program, std::filesystem::absolute(path).string());
  return {};
}

}  // namespace xtrace
