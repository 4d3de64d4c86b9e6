#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "fuzz/fuzz.h"
#include "input/bytes/flow.h"
#include "reading.h"

using namespace xtrace;

namespace {

constexpr size_t kEnough = 4 << 20;

struct Poured {
  std::string all;
  bool wants_larger_window = false;
};

/// What comes out, and how it ended, when at most `room` bytes are asked for at a time.
Poured pour(const Input& input, size_t room) {
  // libFuzzer takes windows of 2 GB for a leak.
  Flow flow(input, input.open().value(), {false, Decoder::kUsualWindow, nullptr});
  std::string all, block(room, '\0');
  ssize_t count = 0;
  while (all.size() < kEnough && (count = flow.read(block.data(), room)) > 0)
    all.append(block, 0, static_cast<size_t>(count));
  all.resize(std::min(all.size(), kEnough));
  if (count <= 0) all += " | " + flow.damage() + (flow.error() ? flow.error()->what : "");
  return {std::move(all), flow.wants_larger_window()};
}

}  // namespace

/// However an archive is asked for, the same comes out of it.
void xtrace::try_archive(std::string_view bytes) {
  Memory memory(bytes);
  Input input;
  input.path = memory.path();
  input.bytes = bytes.size();
  Poured poured = pour(input, 1 << 16);
  if (poured.all != pour(input, 1 + bytes.size() % 977).all) {
    std::fprintf(stderr, "it depends on how much is asked for\n");
    std::abort();
  }
  if (poured.all.size() < 100'000 && !poured.wants_larger_window) try_log(bytes, nullptr);
}
