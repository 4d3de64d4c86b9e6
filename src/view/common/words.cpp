#include "view/common/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/text.h"

namespace xtrace {

std::string_view note_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::ok: break;
    case Outcome::error: return "error";
    case Outcome::unanswered: return "no reply logged";
    case Outcome::unrecorded: return "subagent log missing";
    case Outcome::unfinished: return "no end logged";
    case Outcome::unknown: return "no outcome logged";
  }
  return {};
}

std::string plural(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

void spare_all_but(size_t most, Outline& outline, std::span<const int64_t> weights) {
  std::vector<size_t> order(outline.lines.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (!weights.empty())
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return weights[a] > weights[b]; });
  for (size_t i = most; i < order.size(); ++i) outline.lines[order[i]].is_spare = true;
}

std::string folded_words(size_t count, std::string_view noun, size_t boxes) {
  return fmt::format("{} in {} {}; --unfold shows each", plural(static_cast<int64_t>(count), noun),
                     boxes, boxes == 1 ? "box" : "boxes");
}

std::string joined(const Texts& texts, std::string_view between) {
  std::string all;
  for (Text text : texts) {
    if (!all.empty()) all += between;
    all += text.view();
  }
  return all;
}

std::string join_notes(std::string first, std::string_view second) {
  if (!first.empty() && !second.empty()) first += ", ";
  first += second;
  return first;
}

std::string short_target(std::string_view target) {
  constexpr size_t kColumns = 36;  // leaves room for figures beside it in a tree 120 wide
  std::string_view whole = target;
  while (target.ends_with('/')) target.remove_suffix(1);
  size_t last = target.rfind('/');
  size_t parent = last == 0 || last == std::string_view::npos ? last : target.rfind('/', last - 1);
  bool deep = parent != std::string_view::npos && parent > 0 && parent != last;
  if (!deep) return clip_left(printable(whole), kColumns);
  const std::string with_folder = "…" + printable(target.substr(parent));
  if (width(with_folder) <= kColumns) return with_folder;
  return clip_left("…" + printable(target.substr(last)), kColumns);
}

}  // namespace xtrace
