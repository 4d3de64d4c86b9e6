#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/utf8.h"
#include "render/html/columns.h"

namespace xtrace {

namespace {

/// As the reader of UTF-8 would make it of what is none; its length in units of UTF-16, which is
/// how a page cuts texts apart.
int64_t append_text(std::string_view text, std::string& bytes) {
  int64_t units = 0;
  while (!text.empty()) {
    const auto [character, length] = decode(text);
    if (character == U'\uFFFD')
      append_utf8(bytes, character);
    else
      bytes += text.substr(0, length);
    units += character > 0xffff ? 2 : 1;
    text.remove_prefix(length);
  }
  return units;
}

/// Numbers the texts of a chart in order of their first use, as not all of its pool are used.
class Numbers {
 public:
  explicit Numbers(const Chart& chart) : chart_(chart), number_(chart.texts.size()) {}
  int64_t of(StringId id) {
    if (!id || chart_.text(id).empty()) return 0;
    uint32_t& number = number_[id.index];
    if (number == 0) {
      texts_.push_back(id);
      number = static_cast<uint32_t>(texts_.size()) - 1;
    }
    return number;
  }
  /// By number; none is the empty one.
  const std::vector<StringId>& texts() const { return texts_; }

 private:
  const Chart& chart_;
  std::vector<uint32_t> number_;
  std::vector<StringId> texts_ = {StringId()};
};

// Bits of the column `flags`, as data.js knows them.
constexpr int64_t kCritical = 1, kToolError = 2, kRetry = 4, kLowOutput = 8, kKeep = 16,
                  kReversed = 32, kFailed = 64, kOffset = 128, kCostsMore = 256, kMoreInAll = 512;

using Mark = Chart::Mark;
using Nature = Chart::Nature;
using Figures = Chart::Figures;

int64_t flags_of(const Mark& mark) {
  return (mark.critical ? kCritical : 0) | (mark.tool_failed ? kToolError : 0) |
         (mark.is_retry ? kRetry : 0) | (mark.output_is_low ? kLowOutput : 0) |
         (mark.failed || mark.tool_failed ? kKeep : 0) |
         (mark.duration_us != Chart::kUnknown && mark.duration_us < 0 ? kReversed : 0) |
         (mark.failed ? kFailed : 0);
}

class Packer {
 public:
  explicit Packer(const Chart& chart) : chart_(chart), marks_(chart.marks), numbers_(chart) {}

  PackedChart pack() {
    find_ticks();
    sum_up();
    add_tree();
    add_times();
    add_names();
    add_counts();
    add_tools();
    add_arrows();
    add_lanes();
    add_lengths("s_length", numbers_.texts(), [](StringId text) { return text; });
    add_lengths("id_length", marks_, [](const Mark& mark) { return mark.id; });
    for (StringId text : numbers_.texts()) add_text(text);
    for (const Mark& mark : marks_) add_text(mark.id);
    packed_.columns.add_text(piece_);
    packed_.data = packed_.columns.pack();
    return std::move(packed_);
  }

 private:
  static bool is_whole(int64_t us) { return us == Chart::kUnknown || us % 1000 == 0; }

  void find_ticks() {
    packed_.epoch_us = chart_.span().first;
    packed_.tick_us = 1000;
    for (const Mark& mark : marks_)
      if (!is_whole(mark.start_us) || !is_whole(mark.duration_us)) packed_.tick_us = 1;
    if (!is_whole(packed_.epoch_us)) packed_.tick_us = 1;
  }
  int64_t ticks(int64_t us) const {
    return us == Chart::kUnknown ? us : (us < 0 ? -us : us) / packed_.tick_us;
  }

  /// What each cost with all below it: what the answer says of it, which knows those that a filter
  /// hides as well, else the sum.
  void sum_up() {
    in_all_.assign(marks_.size(), Chart::kUnknown);
    more_in_all_.assign(marks_.size(), false);
    for (size_t i = marks_.size(); i-- > 0;) {
      const Mark& mark = marks_[i];
      const Figures figures = chart_.figures(mark);
      add_to(in_all_[i], figures.cost_nusd);
      if (figures.in_all_nusd != Chart::kUnknown) in_all_[i] = figures.in_all_nusd;
      if (mark.is_unpriced_below || chart_.costs_more(mark)) more_in_all_[i] = true;
      if (mark.parent == Chart::kNone) continue;
      add_to(in_all_[mark.parent], in_all_[i]);
      if (more_in_all_[i]) more_in_all_[mark.parent] = true;
    }
  }
  static void add_to(int64_t& sum, int64_t more) {
    if (more != Chart::kUnknown) sum = sum == Chart::kUnknown ? more : sum_of(sum, more);
  }

  /// A column of what `get` says of each item.
  template <class Item>
  void add(std::string_view name, const std::vector<Item>& items, auto get,
           std::string_view code = {}) {
    packed_.columns.add(
        name, items.size(), [&](size_t at) { return static_cast<int64_t>(get(items[at])); }, code);
  }
  template <class Item>
  void add_nullable(std::string_view name, const std::vector<Item>& items, auto get) {
    packed_.columns.add_nullable(name, items.size(), [&](size_t at) { return get(items[at]); });
  }
  void add(std::string_view name, auto get, std::string_view code = {}) {
    add(name, marks_, get, code);
  }
  void add_nullable(std::string_view name, auto get) { add_nullable(name, marks_, get); }
  void add_texts(std::string_view name, StringId Nature::*text) {
    add(name, [&](const Mark& mark) { return numbers_.of(chart_.nature(mark).*text); });
  }
  void add_figures(std::string_view name, int64_t Figures::*figure) {
    add_nullable(name, [&](const Mark& mark) { return chart_.figures(mark).*figure; });
  }
  template <class Item, class Get>
  void add_lengths(std::string_view name, const std::vector<Item>& items, Get get) {
    add(name, items, [&](const Item& item) {
      piece_.clear();
      return append_text(chart_.text(get(item)), piece_);
    });
    piece_.clear();
  }
  /// All texts at once would be as large as the chart's own.
  void add_text(StringId text) {
    constexpr size_t kPiece = 64 << 10;
    const size_t before = piece_.size();
    append_text(chart_.text(text), piece_);
    packed_.text_bytes += piece_.size() - before;
    if (piece_.size() < kPiece) return;
    packed_.columns.add_text(piece_);
    piece_.clear();
  }
  size_t row_of(const Mark& mark) const { return static_cast<size_t>(&mark - marks_.data()); }

  void add_tree() {
    add("skip", with_all_below(chart_), [](uint32_t marks) { return marks; });
    add("parent", [&](const Mark& mark) {
      return mark.parent == Chart::kNone ? 0 : row_of(mark) - mark.parent;
    });
  }
  void add_times() {
    int64_t before = 0;
    add(
        "start",
        [&](const Mark& mark) {
          // Where it is unknown, the one before, whose difference is nothing.
          if (&mark == marks_.data()) before = 0;
          if (mark.is_timed()) before = (mark.start_us - packed_.epoch_us) / packed_.tick_us;
          return before;
        },
        "zd");
    add("timed", [](const Mark& mark) { return mark.is_timed(); });
    add_nullable("duration", [&](const Mark& mark) { return ticks(mark.duration_us); });
    add_nullable("wait", [&](const Mark& mark) { return ticks(chart_.figures(mark).waited_us); });
    add("wait_kind", [&](const Mark& mark) { return chart_.figures(mark).waited_for; });
    add("lane", [](const Mark& mark) { return mark.lane; });
    add("sub", [](const Mark& mark) { return mark.row; });
  }
  /// What was asked where a turn, or the calls of an agent one after the other, begin, which is
  /// where rows show it. Each other call was asked by the results of the one before, a fifth of a
  /// page with texts in all, which its texts have.
  std::vector<StringId> asked_at_beginnings() const {
    std::vector<StringId> asked(marks_.size());
    std::unordered_map<uint32_t, int64_t> turns;  // of the last call of each lane
    for (size_t i = 0; i < marks_.size(); ++i) {
      const uint32_t lane = marks_[i].lane;
      const auto [last, is_new] = turns.try_emplace(lane);
      const int64_t turn = chart_.figures(marks_[i]).turn,
                    before = std::exchange(last->second, turn);
      if (is_new || turn != before || marks_[i - 1].lane != lane) asked[i] = chart_.asked[i];
    }
    return asked;
  }
  void add_names() {
    add("name", [&](const Mark& mark) { return mark.tools > 0 ? 0 : numbers_.of(mark.name); });
    if (!chart_.said.empty()) {
      add("asked", asked_at_beginnings(), [&](StringId text) { return numbers_.of(text); });
      add("said", chart_.said, [&](StringId text) { return numbers_.of(text); });
    }
    add_texts("kind", &Nature::kind);
    add_texts("status", &Nature::status);
    add_texts("error", &Nature::error);
    add("flags", [&](const Mark& mark) {
      return flags_of(mark) | (chart_.figures(mark).has_offset ? kOffset : 0) |
             (chart_.costs_more(mark) ? kCostsMore : 0) |
             (more_in_all_[row_of(mark)] ? kMoreInAll : 0);
    });
    add_texts("model", &Nature::model);
    add_texts("source", &Nature::source);
    add_texts("target", &Nature::target);
  }
  void add_counts() {
    add_figures("turn", &Figures::turn);
    add_nullable("in", [&](const Mark& mark) { return chart_.figures(mark).sent(); });
    add_figures("cached", &Figures::cached);
    add_figures("cache_write", &Figures::cache_written);
    add_figures("out", &Figures::output);
    add_figures("total", &Figures::total);
    add_figures("cost", &Figures::cost_nusd);
    // Nothing where it is the same: few calls spawn any.
    add_nullable("in_all", [&](const Mark& mark) {
      const int64_t in_all = in_all_[row_of(mark)];
      return in_all == chart_.figures(mark).cost_nusd ? Chart::kUnknown : in_all;
    });
    add_texts("file", &Nature::file);
    // Records mostly follow one another.
    add(
        "place",
        [&](const Mark& mark) {
          const int64_t place = chart_.figures(mark).place;
          return place == Chart::kUnknown ? 0 : place + 1;
        },
        "zd");
  }
  void add_tools() {
    using Tool = Chart::Tool;
    add("tools", [](const Mark& mark) { return mark.tools; });
    add("t_name", chart_.tools, [&](const Tool& t) { return numbers_.of(t.name); });
    add("t_target", chart_.tools, [&](const Tool& t) { return numbers_.of(t.target); });
    add_nullable("t_duration", chart_.tools, [&](const Tool& t) {
      return t.duration_us < 0 ? Chart::kUnknown : ticks(t.duration_us);
    });
    add("t_error", chart_.tools, [](const Tool& t) { return t.is_error; });
    add("t_why", chart_.tools, [&](const Tool& t) { return numbers_.of(t.error); });
  }
  void add_arrows() {
    using Arrow = Chart::Arrow;
    PageColumns& columns = packed_.columns;
    std::vector<int64_t> degree(marks_.size());
    std::vector<int64_t> rival_source;
    for (const Arrow& arrow : chart_.arrows) {
      ++degree[arrow.to];
      for (uint32_t i = arrow.first_rival; i < arrow.first_rival + chart_.link(arrow).rivals; ++i) {
        const uint32_t mark = chart_.rivals[i].mark;
        rival_source.push_back(mark == Chart::kNone ? 0 : int64_t{arrow.to} - int64_t{mark});
      }
    }
    columns.add("degree", degree);
    auto of_arrows = [&](std::string_view name, auto get, std::string_view code = {}) {
      add(name, chart_.arrows, get, code);
    };
    of_arrows(
        "e_source", [](const Arrow& a) { return int64_t{a.to} - int64_t{a.from}; }, "z");
    of_arrows("e_type", [&](const Arrow& a) { return numbers_.of(chart_.link(a).type); });
    of_arrows("e_method", [&](const Arrow& a) { return numbers_.of(chart_.link(a).method); });
    of_arrows("e_confidence", [&](const Arrow& a) { return chart_.link(a).confidence; });
    of_arrows("e_evidence", [&](const Arrow& a) { return numbers_.of(a.evidence); });
    of_arrows("e_error", [&](const Arrow& a) { return chart_.link(a).is_error; });
    of_arrows("e_times", [&](const Arrow& a) { return chart_.link(a).times; });
    of_arrows("e_rivals", [&](const Arrow& a) { return chart_.link(a).rivals; });
    columns.add("r_source", rival_source, "z");
    add("r_text", chart_.rivals, [&](const Chart::Rival& rival) {
      return rival.mark == Chart::kNone ? numbers_.of(rival.id) : 0;
    });
    add("r_confidence", chart_.rivals, [](const Chart::Rival& rival) { return rival.confidence; });
  }
  void add_lanes() {
    using Lane = Chart::Lane;
    const std::vector<Lane>& lanes = chart_.lanes;
    add("lane_agent", lanes, [&](const Lane& l) { return numbers_.of(l.agent); });
    add("lane_type", lanes, [&](const Lane& l) { return numbers_.of(l.type); });
    add("lane_session", lanes, [&](const Lane& l) { return numbers_.of(l.session); });
    add("lane_above", lanes, [&](const Lane& lane) {
      return lane.above == Chart::kNone ? 0
                                        : static_cast<size_t>(&lane - lanes.data()) - lane.above;
    });
    add("lane_rows", lanes, [](const Lane& lane) { return lane.rows; });
    if (!lanes.empty() && lanes.front().is_old)
      add("lane_old", lanes, [](const Lane& lane) { return lane.is_old; });
  }

  const Chart& chart_;
  const std::vector<Mark>& marks_;
  Numbers numbers_;
  std::vector<int64_t> in_all_;    ///< of each mark: what it cost with all below it
  std::vector<bool> more_in_all_;  ///< it was more than that
  std::string piece_;              ///< of the texts
  PackedChart packed_;
};

}  // namespace

PackedChart pack(const Chart& chart) {
  return Packer(chart).pack();
}

}  // namespace xtrace
