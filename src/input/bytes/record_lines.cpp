#include "input/bytes/record_lines.h"

#include <cerrno>
#include <vector>

#include "input/bytes/flow.h"
#include "input/bytes/unnamed_copy.h"

namespace xtrace {

Status for_each_line(const File& file, const std::string& path,
                     const std::function<Status(std::string_view line)>& read) {
  std::vector<char> block(kBlock);
  std::string rest;  // of a line
  const auto read_one = [&](std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return read(line);
  };
  for (uint64_t at = 0;;) {
    const std::optional<size_t> count = read_at(file.fd(), block.data(), block.size(), at);
    if (!count) return cannot("read", path, errno);
    if (*count == 0) break;
    at += *count;
    rest.append(block.data(), *count);
    size_t begin = 0;
    for (size_t end; (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1)
      if (Status told = read_one(std::string_view(rest).substr(begin, end - begin)); !told)
        return told;
    rest.erase(0, begin);
  }
  return rest.empty() ? Status{} : read_one(rest);
}

Status RecordLines::write(size_t line, std::string_view record) {
  std::string out(line - 1 - written_, '\n');
  out.append(record) += '\n';
  written_ = line;
  bytes_ += out.size();
  return append_to(log_, out, path_);
}

}  // namespace xtrace
