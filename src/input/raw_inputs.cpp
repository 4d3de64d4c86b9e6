#include "input/raw_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <functional>

#include "base/file.h"
#include "base/sha256.h"
#include "base/text.h"
#include "input/hash_chains.h"

namespace xtrace {

namespace {

/// Calls `each_line` for the lines of the first `most` bytes, without their ends, and returns the
/// SHA-256 of these bytes; `bytes` counts them.
Result<std::string> read_lines(const File& file, const std::string& path, uint64_t most,
                               uint64_t& bytes,
                               const std::function<void(std::string_view)>& each_line) {
  constexpr size_t kBlock = 64 << 10;  // is hashed while it is still in the processor's cache
  std::string block(kBlock, '\0'), line;
  Sha256 digest;
  bytes = 0;
  while (bytes < most) {
    const size_t wanted = static_cast<size_t>(std::min<uint64_t>(kBlock, most - bytes));
    const std::optional<size_t> count = read_at(file.fd(), block.data(), wanted, bytes);
    if (!count) return cannot("read", path, errno);
    if (*count == 0) break;
    std::string_view rest(block.data(), *count);
    digest.add(rest);
    bytes += *count;
    for (size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
      line += rest.substr(0, end);
      each_line(line);
      line.clear();
      rest.remove_prefix(end + 1);
    }
    line += rest;
  }
  if (!line.empty()) each_line(line);
  return digest.hex();
}

Result<RawInput> read_raw_input(const Trace& trace, uint32_t number) {
  const Source& source = trace.sources[number];
  if (source.from_part)
    return fail(Exit::input, fmt::format("{}: a part does not contain its log; pass the log",
                                         printable(source.path)));
  if (source.path == "-")
    return fail(Exit::input,
                "standard input cannot be given to an auditor; store it in a file and pass that");
  Result<File> file = open_regular(source.path);
  if (!file) return tl::unexpected(file.error());
  RawInput input;
  HashChains chains;
  Extent at;
  at.file = number;
  uint64_t offset = 0;
  Result<std::string> digest =
      read_lines(*file, source.path, source.bytes, input.bytes, [&](std::string_view line) {
        input.records.add(line);
        ++at.line;
        at.offset = offset;
        offset += line.size() + 1;
        chains.add(line, at);
      });
  if (!digest) return tl::unexpected(digest.error());
  if (!source.sha256.empty() && *digest != source.sha256)
    return fail(Exit::input, fmt::format("{}: the input has changed since it was read; run xtrace "
                                         "again",
                                         printable(source.path)));
  input.sha256 = *std::move(digest);
  input.chains = chains.chains();
  return input;
}

}  // namespace

Result<std::vector<RawInput>> read_raw_inputs(const Trace& trace) {
  std::vector<RawInput> inputs;
  for (uint32_t i = 0; i < trace.sources.size(); ++i) {
    Result<RawInput> input = read_raw_input(trace, i);
    if (!input) return tl::unexpected(input.error());
    inputs.push_back(*std::move(input));
  }
  return inputs;
}

Result<RawLine> read_raw_line(const std::string& path, uint64_t number) {
  Result<File> file = open_regular(path);
  if (!file) return tl::unexpected(file.error());
  RawLine found;
  uint64_t bytes = 0;
  Result<std::string> digest =
      read_lines(*file, path, UINT64_MAX, bytes, [&](std::string_view line) {
        found.records.add(line);
        if (found.records.leaves() == number) found.line = line;
      });
  if (!digest) return tl::unexpected(digest.error());
  found.sha256 = *std::move(digest);
  if (number == 0 || number > found.records.leaves())
    return fail(Exit::no, fmt::format("{}: there is no line {}; it has {}", printable(path), number,
                                      found.records.leaves()));
  return found;
}

}  // namespace xtrace
