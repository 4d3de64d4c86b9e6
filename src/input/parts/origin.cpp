#include "input/parts/origin.h"

#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "base/text.h"
#include "input/bytes/inputs.h"
#include "input/common/json.h"
#include "input/parts/whole_file.h"

namespace xtrace {

Result<Origins> read_origins(const std::string& path) {
  Result<std::string> bytes = whole_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  Origins origins;
  std::unordered_map<std::string, uint32_t> files;
  simdjson::dom::parser parser;
  std::string_view rest = *bytes;
  for (size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    json::element root, at_line, at_offset;
    if (parser.parse(line.data(), line.size()).get(root) || json::text_at(root, "file").empty() ||
        !json::find(root, "line", at_line) || !json::find(root, "offset", at_offset) ||
        json::count(at_line, 0) < 1 || json::count(at_offset, -1) < 0 ||
        json::count(at_line, 0) > std::numeric_limits<uint32_t>::max() - 1)
      return fail(Exit::usage, fmt::format("{}:{}: each line of --origin must be {{\"file\": PATH, "
                                           "\"line\": NUMBER, \"offset\": BYTES}}",
                                           printable(path), number));
    const auto [file, is_new] = files.try_emplace(std::string(json::text_at(root, "file")),
                                                  static_cast<uint32_t>(files.size()));
    if (is_new) origins.files.push_back(file->first);
    origins.lines.push_back({file->second, static_cast<uint32_t>(json::count(at_line, 0)),
                             static_cast<uint64_t>(json::count(at_offset, 0))});
  }
  return origins;
}

}  // namespace xtrace
