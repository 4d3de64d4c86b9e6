#include "input/bytes/head.h"

namespace xtrace {

namespace {

std::string head_of(const File& file, size_t most) {
  std::string head(most, '\0');
  head.resize(read_at(file.fd(), head.data(), head.size(), 0).value_or(0));
  return head;
}

}  // namespace

std::string head_of(const std::string& path, size_t most) {
  const Result<File> file = open_regular(path);
  return file ? head_of(*file, most) : std::string();
}

Result<std::string> head_of(const Input& input, size_t most) {
  if (!input.seekable) return std::string();
  const Result<std::shared_ptr<const File>> file = input.open();
  if (file) return head_of(**file, most);
  if (input.listed) return tl::unexpected(file.error());
  return std::string();
}

}  // namespace xtrace
