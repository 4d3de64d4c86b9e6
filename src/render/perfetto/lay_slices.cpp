#include <algorithm>
#include <queue>
#include <set>
#include <unordered_map>
#include <utility>

#include "render/perfetto/slices.h"

namespace xtrace {

namespace {

/// The lines of one lane.
struct Lines {
  using Busy = std::pair<int64_t, uint32_t>;  ///< until when, which
  std::set<uint32_t> free;
  std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
  uint32_t count = 0;

  void let_go(int64_t now_us) {
    for (; !busy.empty() && busy.top().first <= now_us; busy.pop()) free.insert(busy.top().second);
  }
};

class Layout {
 public:
  explicit Layout(const Chart& chart) : chart_(chart) {}

  Slices lay() {
    find_processes();
    add_marks();
    add_tools();
    move();
    place(slices_.of_marks, false);
    place(slices_.of_tools, true);
    return std::move(slices_);
  }

 private:
  void find_processes() {
    std::unordered_map<uint32_t, uint32_t> known;
    for (const Chart::Lane& lane : chart_.lanes) {
      const uint32_t next = static_cast<uint32_t>(slices_.processes.size()) + 1;
      const auto [found, is_new] = known.emplace(lane.session.index, next);
      if (is_new) slices_.processes.push_back(lane.session);
      process_of_.push_back(found->second);
    }
  }

  /// One whose time is unknown is placed at the beginning of the previous one in its lane.
  void add_marks() {
    std::vector<int64_t> before(chart_.lanes.size(), Chart::kUnknown);
    const int64_t first = chart_.span().first;
    for (uint32_t i = 0; i < chart_.marks.size(); ++i) {
      const Chart::Mark& mark = chart_.marks[i];
      int64_t& last = before[mark.lane];
      if (mark.is_timed()) last = mark.start_us;
      Slice slice{i, Slice::kNoTool, process_of_[mark.lane]};
      slice.is_time_known = mark.is_timed();
      slice.start_us = last == Chart::kUnknown ? first : last;
      slice.duration_us = std::max<int64_t>(mark.duration_us, 1);
      slices_.of_marks.push_back(slice);
    }
  }

  /// A tool runs from the end of the call that asked for it, or once a person let it.
  void add_tools() {
    for (const Slice& call : slices_.of_marks) {
      const Chart::Mark& mark = chart_.marks[call.mark];
      for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i) {
        Slice slice{call.mark, i, call.process};
        slice.start_us = sum_of(call.end_us(), chart_.tools[i].permission_us);
        slice.duration_us = std::max<int64_t>(chart_.tools[i].duration_us, 1);
        slice.is_time_known = call.is_time_known;
        slices_.of_tools.push_back(slice);
      }
    }
  }

  void move() {
    int64_t first = 0;
    for (const Slice& slice : slices_.of_marks) first = std::min(first, slice.start_us);
    if (first >= 0) return;
    slices_.moved_us = first == INT64_MIN ? INT64_MAX : -first;
    for (std::vector<Slice>* some : {&slices_.of_marks, &slices_.of_tools})
      for (Slice& slice : *some) slice.start_us = sum_of(slice.start_us, slices_.moved_us);
  }

  /// Each on the line of what it was done for, if it lies within that; else on the first line of
  /// its lane on which there is nothing meanwhile.
  void place(std::vector<Slice>& slices, bool are_tools) {
    std::vector<Slice*> in_order;
    in_order.reserve(slices.size());
    for (Slice& slice : slices) in_order.push_back(&slice);
    // What lasts longer comes first, and so does what the other was done for: it precedes it.
    std::stable_sort(in_order.begin(), in_order.end(), [](const Slice* a, const Slice* b) {
      return a->start_us != b->start_us ? a->start_us < b->start_us
                                        : a->duration_us > b->duration_us;
    });
    std::vector<Lines> lanes(chart_.lanes.size());
    for (Slice* slice : in_order) {
      Lines& lines = lanes[chart_.marks[slice->mark].lane];
      lines.let_go(slice->start_us);
      if (!are_tools && lies_within(*slice)) continue;
      if (lines.free.empty()) {
        slices_.threads.push_back(
            {slice->process, chart_.marks[slice->mark].lane, ++lines.count, are_tools});
        open_.emplace_back();
        lines.free.insert(static_cast<uint32_t>(slices_.threads.size()));
      }
      slice->thread = *lines.free.begin();
      lines.free.erase(lines.free.begin());
      lines.busy.emplace(slice->end_us(), slice->thread);
      open_[slice->thread - 1] = {slice};
    }
  }

  /// Then it is on the line of that one.
  bool lies_within(Slice& slice) {
    const uint32_t parent = chart_.marks[slice.mark].parent;
    if (parent == Chart::kNone || chart_.marks[parent].lane != chart_.marks[slice.mark].lane)
      return false;
    const uint32_t thread = slices_.of_marks[parent].thread;
    if (thread == 0) return false;
    std::vector<const Slice*>& open = open_[thread - 1];
    while (!open.empty() && open.back()->end_us() <= slice.start_us) open.pop_back();
    if (open.empty() || !is_below(slice.mark, open.back()->mark) ||
        open.back()->end_us() < slice.end_us())
      return false;
    slice.thread = thread;
    open.push_back(&slice);
    return true;
  }

  /// Marks are in pre-order.
  bool is_below(uint32_t mark, uint32_t other) const {
    return mark > other && mark - other < with_all_below_[other];
  }

  const Chart& chart_;
  const std::vector<uint32_t> with_all_below_ = with_all_below(chart_);
  Slices slices_;
  std::vector<uint32_t> process_of_;  ///< by lane
  /// By thread, the slices that are open on it, from the outermost to the innermost.
  std::vector<std::vector<const Slice*>> open_;
};

}  // namespace

Slices lay_slices(const Chart& chart) {
  return Layout(chart).lay();
}

}  // namespace xtrace
