#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>

#include "base/dollars.h"
#include "base/text.h"
#include "doc/document.h"
#include "render/chart/chart.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// "frame;frame;frame number", a stack a line, as flamegraph.pl, inferno, speedscope and Perfetto
// read it: the number is that of the last frame alone, and the last blank of a line precedes it.

/// A frame has no end of its own but the semicolon, and a line none but where it ends.
std::string frame_of(Text name) {
  if (name.empty()) return "unnamed";
  std::string frame = printable(name.view());
  std::replace(frame.begin(), frame.end(), ';', ',');
  return frame;
}

std::string stack_of(const Texts& frames) {
  std::string stack;
  for (Text frame : frames) {
    if (!stack.empty()) stack += ';';
    stack += frame_of(frame);
  }
  return stack;
}

std::string_view unit_of(Weight weight) {
  if (weight == Weight::cost) return "billionths of a dollar";
  return weight == Weight::time ? "nanoseconds" : "tokens";
}

std::string words_of(Weight weight, int64_t sum) {
  if (weight == Weight::cost) return "$" + format_dollars(Dollars{sum});
  if (weight == Weight::time) return fmt::format("{} s", static_cast<double>(sum) / 1e9);
  return std::to_string(sum);
}

void write_folded(const Document& document, const Paper& paper, std::ostream& out) {
  std::map<std::string, int64_t> sums;
  int64_t total = 0;
  size_t unknown = 0;
  for (const Section& section : document.sections()) {
    const Stream* stream = std::get_if<Stream>(&section);
    if (stream == nullptr) continue;
    const auto place_of = [&](std::string_view key) {
      return static_cast<size_t>(std::ranges::find(stream->columns, key, &Column::key) -
                                 stream->columns.begin());
    };
    const size_t stack_at = place_of("frames");
    const size_t figure_at = place_of(kWeightWords[static_cast<size_t>(paper.weight)]);
    stream->rows([&](std::span<const Cell> row) {
      const Texts* const* frames = std::get_if<const Texts*>(&row[stack_at]);
      const int64_t* number = std::get_if<int64_t>(&row[figure_at]);
      if (number == nullptr) ++unknown;
      if (frames == nullptr || number == nullptr || *number <= 0) return;
      int64_t& sum = sums[stack_of(**frames)];
      sum = sum_of(sum, *number);
      total = sum_of(total, *number);
    });
  }
  for (const auto& [stack, sum] : sums) fmt::print(out, "{} {}\n", stack, sum);
  if (!paper.remark) return;
  std::string words =
      fmt::format("values are {}; total: {}", unit_of(paper.weight), words_of(paper.weight, total));
  if (unknown > 0)
    words += fmt::format("; {} without a value {} omitted", unknown, unknown == 1 ? "is" : "are");
  paper.remark(words);
}

}  // namespace

extern constinit const Renderer kFoldedRenderer = {
    .name = "folded",
    .summary = "stacks with cost, time or tokens (--weight), for flame graphs",
    .face = Face::stacks,
    .write = write_folded,
    .takes_weight = true,
};

}  // namespace xtrace
