#include "cli/version.h"

#include <fmt/format.h>

#include "base/build.h"
#include "base/json_writer.h"
#include "cli/read_options.h"

namespace xtrace {

Result<Command> read_version(const std::vector<std::string>& words) {
  std::string format = "text";
  bool json = false;
  OptionList options;
  options.add("-f,--format", format, "FORMAT", "", {"text", "json"});
  options.add("--json", json, "");
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (Status settled = settle_words(options); !settled) return tl::unexpected(settled.error());
  if (!json && format == "text")
    return Printed{fmt::format("xtrace {} ({})\n", XTRACE_VERSION, build_name())};
  std::string text;
  JsonWriter writer(text);
  writer.open_object(JsonLayout{});
  writer.field("name", "xtrace");
  writer.field("version", XTRACE_VERSION);
  writer.field("build", build_name());
  writer.close();
  return Printed{text += '\n'};
}

}  // namespace xtrace
