#include "view/why/source_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "base/file.h"
#include "base/number.h"
#include "base/parts.h"
#include "base/text.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

bool is_end_of(std::string_view end, std::string_view path) {
  return path == end || (!end.empty() && path.ends_with(end) && path.size() > end.size() &&
                         path[path.size() - end.size() - 1] == '/');
}

/// The path below the closest folder that has `.git` or `.agent-trace`.
std::string path_in_repository(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path whole = fs::absolute(path, ignored).lexically_normal();
  for (fs::path folder = whole.parent_path();; folder = folder.parent_path()) {
    if (fs::exists(folder / ".git", ignored) || fs::exists(folder / ".agent-trace", ignored))
      return whole.lexically_relative(folder).generic_string();
    if (folder == folder.parent_path()) return {};
  }
}

}  // namespace

bool SourceFile::is_named(std::string_view other) const {
  std::string_view own = path;
  while (other.starts_with("./")) other.remove_prefix(2);
  while (own.starts_with("./")) own.remove_prefix(2);
  return is_end_of(own, other) || is_end_of(other, own) || is_end_of(in_repository, other);
}

Result<SourcePlace> read_source_place(const std::string& place) {
  const size_t colon = place.rfind(':');
  const auto number = colon == std::string::npos
                          ? std::nullopt
                          : number_of<size_t>(std::string_view(place).substr(colon + 1));
  if (!number || *number == 0)
    return fail(Exit::usage,
                fmt::format("--source-line: '{}' is not FILE:LINE, such as src/a.cpp:12",
                            printable(place)));
  return SourcePlace{place.substr(0, colon), *number};
}

Result<SourceFile> read_source_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(Exit::input, fmt::format("cannot open '{}'", printable(path)));
  SourceFile file{.path = path, .in_repository = path_in_repository(path)};
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    file.lines.push_back(line);
  }
  return file;
}

/// In the porcelain format, `COMMIT OLD NEW [COUNT]` begins each line of the file; the first time
/// that a commit is named, `committer-time` and `previous` follow.
Status read_blame(const std::string& path, SourceFile& file) {
  std::ifstream named;
  if (path != "-") named.open(path, std::ios::binary);
  if (path != "-" && !named)
    return fail(Exit::input, fmt::format("cannot open '{}'", printable(path)));
  std::istream& in = path == "-" ? std::cin : named;
  struct Commit {
    Time committed = kNoTime;
    std::string previous;
  };
  std::map<std::string, Commit> commits;
  std::string commit;
  bool has_any = false;
  file.blame.assign(file.lines.size(), {});
  for (std::string one; std::getline(in, one);) {
    if (one.starts_with('\t')) continue;
    std::vector<std::string_view> words;
    for_each_part(one, ' ', [&](std::string_view word) { words.push_back(word); });
    const bool is_commit = words.size() >= 3 && words[0].size() >= 40 &&
                           words[0].find_first_not_of("0123456789abcdef") == words[0].npos;
    if (is_commit) {
      commit = words[0];
      const auto then = number_of<uint64_t>(words[1]);
      const auto now = number_of<size_t>(words[2]);
      if (!now || *now == 0 || *now > file.lines.size()) continue;
      file.blame[*now - 1] = {.commit = commit, .number = then.value_or(0)};
      has_any = true;
    } else if (words.size() == 2 && words[0] == "committer-time") {
      if (const auto seconds = number_of<int64_t>(words[1]))
        commits[commit].committed = Time(std::chrono::seconds(*seconds));
    } else if (words.size() >= 2 && words[0] == "previous") {
      commits[commit].previous = words[1];
    }
  }
  if (!has_any)
    return fail(Exit::input,
                fmt::format("--blame: '{}' names no line of {}; it takes the output "
                            "of git blame --porcelain {}",
                            printable(path), printable(file.path), printable(file.path)));
  constexpr std::string_view kNotCommitted = "0000000";
  for (BlamedLine& line : file.blame) {
    if (line.commit.empty()) continue;
    const Commit& of = commits[line.commit];
    if (!line.commit.starts_with(kNotCommitted)) line.committed = of.committed;
    line.previous = of.previous;
  }
  return {};
}

}  // namespace xtrace
