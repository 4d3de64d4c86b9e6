#include "input/bytes/window.h"

#include <catch2/catch.hpp>

#include "base/file.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string all_of(Window& window) {
  std::string bytes;
  do {
    bytes += window.bytes();
    window.drop(window.bytes().size());
  } while (window.grow());
  return bytes;
}

}  // namespace

TEST_CASE("a window shows its part of a file and nothing behind it, mapped or read") {
  size_t size = GENERATE(10'000u, 9'000'000u);
  std::string bytes(size, 'a');
  for (size_t i = 0; i < size; i += 7) bytes[i] = 'b';
  Folder folder;
  File file = open_to_read(folder.write("file", bytes)).value();
  Window whole(file.fd(), 0, size), part(file.fd(), 1000, size - 1000), beyond(file.fd(), 5, ~0ull);
  CHECK(all_of(whole) == bytes);
  CHECK(all_of(part) == bytes.substr(1000, size - 2000));
  CHECK(part.offset() == size - 1000);
  CHECK(all_of(beyond) == bytes.substr(5));
}
