#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "base/dollars.h"
#include "render/chart/chart.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// "frame;frame;frame number", a stack a line, as flamegraph.pl, inferno, speedscope and Perfetto
// read it: the number is that of the last frame alone, and the last blank of a line stands before
// it.

/// A frame has no end of its own but the semicolon.
std::string frame(std::string_view text) {
  std::string frame;
  for (char byte : text) {
    const bool is_control = static_cast<unsigned char>(byte) < ' ';
    frame += byte == ';' ? ',' : is_control ? ' ' : byte;
  }
  return frame.empty() ? "unnamed" : frame;
}

/// Frames below one another; what is further down counts to the last of them, as no viewer shows
/// it.
struct Stack {
  static constexpr int kDeepest = 400;
  std::string frames;
  int depth = 1;

  bool is_deepest() const { return depth > kDeepest; }
  Stack with(std::string_view name) const {
    if (is_deepest()) return *this;
    return {frames + ';' + (depth == kDeepest ? "deeper" : frame(name)), depth + 1};
  }
};

class Stacks {
 public:
  Stacks(const Chart& chart, Weight weight) : chart_(chart), weight_(weight) {
    for (const Chart::Lane& lane : chart.lanes) {
      const StringId name = lane.type ? lane.type : lane.agent;
      lane_stack_.push_back(
          (lane.above != Chart::kNone ? lane_stack_[lane.above] : session(lane.session))
              .with(chart.text(name)));
    }
  }

  void add_all() {
    if (weight_ == Weight::time) find_own_time();
    for (uint32_t i = 0; i < chart_.marks.size(); ++i) {
      const Chart::Mark& mark = chart_.marks[i];
      if (is_hop(mark))
        add_hop(i, mark);
      else
        add_call(i, mark);
    }
  }

  void write(std::ostream& out) const {
    for (const auto& [stack, sum] : sums_)
      if (sum > 0) fmt::print(out, "{} {}\n", stack, sum);
  }

  /// What the numbers are, and what is not among them.
  std::string remark() const {
    const std::string known = weight_ == Weight::cost   ? "billionths of a dollar"
                              : weight_ == Weight::time ? "nanoseconds"
                                                        : "tokens";
    int64_t sum = 0;
    size_t negative = 0;
    for (const auto& [stack, number] : sums_)
      if (number > 0)
        sum = sum_of(sum, number);
      else
        negative += number < 0;
    std::string words = fmt::format("the numbers are {}; they add up to {}", known, total(sum));
    if (unknown_ > 0)
      words += fmt::format("; {} without one {} left out", unknown_, unknown_ == 1 ? "is" : "are");
    if (negative > 0)
      words += fmt::format("; {} below zero {} left out", negative, negative == 1 ? "is" : "are");
    // Which of them are the same is known to stats, not to the tables of the graph.
    if (weight_ != Weight::time && std::ranges::any_of(chart_.marks, is_hop))
      words += "; one span may tell again what another tells: stats has the sum";
    return words;
  }

 private:
  /// Of a graph of spans, where one lies within the other.
  static bool is_hop(const Chart::Mark& mark) { return static_cast<bool>(mark.target); }

  Stack session(StringId name) const { return {name ? frame(chart_.text(name)) : "xtrace"}; }

  void add_hop(uint32_t i, const Chart::Mark& mark) {
    // Marks stand in pre-order: the last of those open is its parent.
    while (!open_.empty() && open_.back() != mark.parent) open_.pop_back();
    if (stacks_.size() > open_.size()) stacks_.resize(open_.size());
    const Stack above = stacks_.empty() ? session(mark.session) : stacks_.back();
    open_.push_back(i);
    if (!above.is_deepest()) stacks_.push_back(above.with(chart_.text(mark.target)));
    add(stacks_.back().frames, weight_of(i));
  }

  void add_call(uint32_t i, const Chart::Mark& mark) {
    const std::string& agent = lane_stack_[mark.lane].frames;
    add(agent + ';' + frame(mark.model ? chart_.text(mark.model) : "model"), weight_of(i));
    if (weight_ != Weight::time) return;
    for (uint32_t tool = mark.first_tool; tool < mark.first_tool + mark.tools; ++tool)
      if (const int64_t took = chart_.tools[tool].duration_ns(); took != Chart::kUnknown)
        add(agent + ";tool " + frame(chart_.text(chart_.tools[tool].name)), took);
  }

  std::string total(int64_t sum) const {
    if (weight_ == Weight::cost) return "$" + format_dollars(Dollars{sum});
    if (weight_ == Weight::time) return fmt::format("{} s", static_cast<double>(sum) / 1e9);
    return std::to_string(sum);
  }

  int64_t weight_of(uint32_t i) const {
    const Chart::Mark& mark = chart_.marks[i];
    if (weight_ == Weight::cost) return mark.cost_nusd;
    if (weight_ == Weight::tokens) return mark.total;
    return is_hop(mark) ? own_time_[i] : mark.duration_ns();
  }

  void add(const std::string& stack, int64_t number) {
    if (number == Chart::kUnknown)
      ++unknown_;
    else
      sums_[stack] = sum_of(sums_[stack], number);
  }

  /// Of a hop, how long none was open that it was the cause of.
  void find_own_time() {
    std::vector<std::vector<uint32_t>> below(chart_.marks.size());
    for (uint32_t i = 0; i < chart_.marks.size(); ++i)
      if (chart_.marks[i].parent != Chart::kNone) below[chart_.marks[i].parent].push_back(i);
    own_time_.resize(chart_.marks.size());
    for (uint32_t i = 0; i < chart_.marks.size(); ++i) {
      const Chart::Mark& mark = chart_.marks[i];
      own_time_[i] = mark.duration_ns();
      if (!mark.is_timed() || mark.duration_us <= 0) continue;
      int64_t until = mark.start_us, covered = 0;
      for (uint32_t child : below[i]) {  // in order of time
        const Chart::Mark& within = chart_.marks[child];
        if (!within.is_timed() || within.duration_us <= 0) continue;
        const int64_t from = std::max(until, within.start_us);
        const int64_t end = std::min(within.end_us(), mark.end_us());
        if (end <= from) continue;
        covered += end - from;
        until = end;
      }
      own_time_[i] -= std::min(own_time_[i], duration_of(covered).count());
    }
  }

  const Chart& chart_;
  Weight weight_;
  std::vector<Stack> lane_stack_;
  std::vector<uint32_t> open_;     ///< hops, each below the one before it
  std::vector<Stack> stacks_;      ///< of the first of these
  std::vector<int64_t> own_time_;  ///< by mark
  std::map<std::string, int64_t> sums_;
  size_t unknown_ = 0;
};

void write_folded(const Document& document, const Paper& paper, std::ostream& out) {
  Chart chart = read_chart(document);
  order_marks(chart);
  lay_lanes(chart);
  Stacks stacks(chart, paper.weight);
  stacks.add_all();
  stacks.write(out);
  if (paper.remark) paper.remark(stacks.remark());
}

}  // namespace

extern constinit const Renderer kFoldedRenderer = {
    .name = "folded",
    .summary = "stacks of agents with what they cost (--weight), for flame graphs",
    .face = Face::tables,
    .write = write_folded,
    .is_of_graph = true,
    .takes_weight = true,
};

}  // namespace xtrace
