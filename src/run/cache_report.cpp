#include "run/cache_report.h"

#include <fmt/format.h>

#include "base/shell_words.h"
#include "base/system.h"
#include "base/text.h"
#include "keep/private_folder.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

std::string size_words(const FolderSize& size) {
  constexpr uint64_t kKilo = 1000;
  const std::string files = plural(static_cast<int64_t>(size.files), "file");
  return size.files == 0 ? files
                         : fmt::format("{}, {} kB", files, (size.bytes + kKilo - 1) / kKilo);
}

/// What there is, where nothing can be kept.
std::string why_unused(const std::string& folder) {
  const std::optional<FileStatus> status = entry_status(kCurrentFolder, folder);
  if (!status || status->is_folder())
    return fmt::format(
        "index: none; {} cannot be written, or others can write to it; xtrace works without\n",
        printable(folder));
  return fmt::format("index: none; {} is {}, not a folder\n", printable(folder),
                     status->is_link() ? "a link" : "a file");
}

}  // namespace

std::string cache_report(const std::string& folder, std::string_view turned_off_by) {
  if (folder.empty()) return "index: none; neither XDG_CACHE_HOME nor HOME is an absolute path\n";
  // To look at one that is turned off does not make it.
  const std::optional<PrivateFolder> kept =
      turned_off_by.empty() ? PrivateFolder::make(folder) : PrivateFolder::open(folder);
  const bool is_off = !turned_off_by.empty();
  if (!is_off && (!kept || !kept->can_write())) return why_unused(folder);
  const FolderSize size = kept ? kept->size() : FolderSize();
  std::string text = is_off ? fmt::format("index: turned off by {}; ", turned_off_by) : "index: ";
  if (is_off && size.files == 0) return text + fmt::format("no files in {}\n", printable(folder));
  text += fmt::format("{}, {}\n", printable(folder), size_words(size));
  text +=
      "contents: answers of list, report and stats; names, sizes and sums of your sessions\n"
      "used for: logs that have not changed; it does not change any output\n";
  if (size.files > 0) text += fmt::format("delete: rm -r {}\n", shell_word(printable(folder)));
  if (!is_off)
    text += "turn off: --no-cache, XTRACE_CACHE=off, or \"cache\": false in the configuration\n";
  return text;
}

}  // namespace xtrace
