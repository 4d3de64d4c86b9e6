#include "run/browser.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/hex.h"
#include "base/native_only.h"
#include "base/system.h"
#include "base/system_random.h"
#include "base/variable.h"

namespace xtrace {

std::string temporary_page(std::string_view command) {
  const char* folder = std::getenv("TMPDIR");
  uint64_t random = 0;
  const std::optional<std::string> bytes = random_bytes(sizeof random);
  if (!bytes) return {};
  std::memcpy(&random, bytes->data(), sizeof random);
  return fmt::format("{}/xtrace-{}-{}.html", folder != nullptr && *folder != 0 ? folder : "/tmp",
                     command, hex(random));
}

Status open_in_browser(const std::string& path) {
  if (Status native = require_native("--open"); !native)
    return fail(Exit::usage, fmt::format("{}; open {} yourself", native.error().what, path));
  std::string program(variable("BROWSER"));
  for (const char* other : {"xdg-open", "open", "sensible-browser"})
    if (program.empty() && has_program(other)) program = other;
  if (program.empty() || !has_program(program))
    return fail(Exit::usage,
                fmt::format("--open: no browser found; set BROWSER, or open {} yourself", path));
  start_detached(program, std::filesystem::absolute(path).string());
  return {};
}

}  // namespace xtrace
