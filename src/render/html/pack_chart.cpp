#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "render/html/columns.h"

namespace xtrace {

namespace {

/// Texts in a row, with their lengths in units of UTF-16, which is how a page cuts them apart.
class PackedTexts {
 public:
  void add(std::string_view text) {
    int64_t units = 0;
    while (!text.empty()) {
      const auto [character, length] = decode(text);
      if (character == U'\uFFFD')
        append_utf8(bytes_, character);  // what is no UTF-8 is as the reader would make it
      else
        bytes_ += text.substr(0, length);
      units += character > 0xffff ? 2 : 1;
      text.remove_prefix(length);
    }
    lengths_.push_back(units);
  }
  std::vector<int64_t> take_lengths() { return std::move(lengths_); }
  const std::string& bytes() const { return bytes_; }
  void begin() { lengths_.clear(); }

 private:
  std::string bytes_;
  std::vector<int64_t> lengths_;
};

/// Numbers the texts of a chart in order of their first use, as not all of its pool are used.
class Numbers {
 public:
  Numbers(const Chart& chart, PackedTexts& texts)
      : chart_(chart), texts_(texts), number_(chart.texts.size(), -1) {
    texts_.add({});
  }
  int64_t of(StringId id) {
    if (!id || chart_.text(id).empty()) return 0;
    int64_t& number = number_[id.index];
    if (number < 0) {
      number = ++last_;
      texts_.add(chart_.text(id));
    }
    return number;
  }

 private:
  const Chart& chart_;
  PackedTexts& texts_;
  std::vector<int64_t> number_;
  int64_t last_ = 0;
};

template <class Item, class Get>
std::vector<int64_t> column(const std::vector<Item>& items, Get get) {
  std::vector<int64_t> values;
  values.reserve(items.size());
  for (const Item& item : items) values.push_back(static_cast<int64_t>(get(item)));
  return values;
}

// Bits of the column `flags`, as data.js knows them.
constexpr int64_t kCritical = 1, kToolError = 2, kRetry = 4, kLowOutput = 8, kKeep = 16,
                  kReversed = 32, kFailed = 64, kOffset = 128;

using Mark = Chart::Mark;

int64_t flags_of(const Mark& mark) {
  return (mark.critical ? kCritical : 0) | (mark.tool_failed ? kToolError : 0) |
         (mark.is_retry ? kRetry : 0) | (mark.output_is_low ? kLowOutput : 0) |
         (mark.failed || mark.tool_failed ? kKeep : 0) |
         (mark.duration_us != Chart::kUnknown && mark.duration_us < 0 ? kReversed : 0) |
         (mark.failed ? kFailed : 0) | (mark.has_offset ? kOffset : 0);
}

class Packer {
 public:
  explicit Packer(const Chart& chart)
      : chart_(chart), marks_(chart.marks), numbers_(chart, texts_) {}

  PackedChart pack() {
    find_ticks();
    add_tree();
    add_times();
    add_names();
    add_counts();
    add_tools();
    add_arrows();
    add_lanes();
    packed_.columns.add("s_length", texts_.take_lengths());
    texts_.begin();
    for (const Mark& mark : marks_) texts_.add(chart_.text(mark.id));
    packed_.columns.add("id_length", texts_.take_lengths());
    packed_.text_bytes = texts_.bytes().size();
    packed_.data = packed_.columns.pack(texts_.bytes());
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

  void add(std::string_view name, auto get, std::string_view code = {}) {
    packed_.columns.add(name, column(marks_, get), code);
  }
  void add_nullable(std::string_view name, auto get) {
    packed_.columns.add_nullable(name, column(marks_, get));
  }
  void add_texts(std::string_view name, StringId Mark::*text) {
    add(name, [&](const Mark& mark) { return numbers_.of(mark.*text); });
  }
  size_t row_of(const Mark& mark) const { return static_cast<size_t>(&mark - marks_.data()); }

  void add_tree() {
    add("skip", [](const Mark& mark) { return mark.marks; });
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
          if (mark.is_timed()) before = (mark.start_us - packed_.epoch_us) / packed_.tick_us;
          return before;
        },
        "zd");
    add("timed", [](const Mark& mark) { return mark.is_timed(); });
    add_nullable("duration", [&](const Mark& mark) { return ticks(mark.duration_us); });
    add_nullable("wait", [&](const Mark& mark) { return ticks(mark.waited_us); });
    add("wait_kind", [](const Mark& mark) { return mark.waited_for; });
    add("lane", [](const Mark& mark) { return mark.lane; });
    add("sub", [](const Mark& mark) { return mark.row; });
  }
  void add_names() {
    packed_.columns.add("name", column(marks_, [&](const Mark& mark) {
                          return mark.tools > 0 ? 0 : numbers_.of(mark.name);
                        }));
    add_texts("kind", &Mark::kind);
    add_texts("status", &Mark::status);
    add("flags", flags_of);
    add_texts("model", &Mark::model);
    add_texts("source", &Mark::source);
    add_texts("target", &Mark::target);
  }
  void add_counts() {
    add_nullable("turn", [](const Mark& mark) { return mark.turn; });
    add_nullable("in", [](const Mark& mark) { return mark.input; });
    add_nullable("cached", [](const Mark& mark) { return mark.cached; });
    add_nullable("cache_write", [](const Mark& mark) { return mark.cache_written; });
    add_nullable("out", [](const Mark& mark) { return mark.output; });
    add_nullable("total", [](const Mark& mark) { return mark.total; });
    add_nullable("cost", [](const Mark& mark) { return mark.cost_nusd; });
    add_texts("file", &Mark::file);
    // Records mostly stand behind one another.
    add(
        "place",
        [](const Mark& mark) { return mark.place == Chart::kUnknown ? 0 : mark.place + 1; }, "zd");
  }
  void add_tools() {
    using Tool = Chart::Tool;
    PageColumns& columns = packed_.columns;
    add("tools", [](const Mark& mark) { return mark.tools; });
    columns.add("t_name", column(chart_.tools, [&](const Tool& t) { return numbers_.of(t.name); }));
    columns.add("t_target",
                column(chart_.tools, [&](const Tool& t) { return numbers_.of(t.target); }));
    columns.add_nullable("t_duration", column(chart_.tools, [&](const Tool& t) {
                           return t.duration_us < 0 ? Chart::kUnknown : ticks(t.duration_us);
                         }));
    columns.add("t_error", column(chart_.tools, [](const Tool& t) { return t.is_error; }));
  }
  void add_arrows() {
    using Arrow = Chart::Arrow;
    PageColumns& columns = packed_.columns;
    std::vector<int64_t> degree(marks_.size());
    std::vector<int64_t> rival_source;
    for (const Arrow& arrow : chart_.arrows) {
      ++degree[arrow.to];
      for (uint32_t i = arrow.first_rival; i < arrow.first_rival + arrow.rivals; ++i) {
        const uint32_t mark = chart_.rivals[i].mark;
        rival_source.push_back(mark == Chart::kNone ? 0 : int64_t{arrow.to} - int64_t{mark});
      }
    }
    columns.add("degree", std::move(degree));
    auto of_arrows = [&](std::string_view name, auto get, std::string_view code = {}) {
      columns.add(name, column(chart_.arrows, get), code);
    };
    of_arrows(
        "e_source", [](const Arrow& a) { return int64_t{a.to} - int64_t{a.from}; }, "z");
    of_arrows("e_type", [&](const Arrow& a) { return numbers_.of(a.type); });
    of_arrows("e_method", [&](const Arrow& a) { return numbers_.of(a.method); });
    of_arrows("e_confidence", [](const Arrow& a) { return a.confidence; });
    of_arrows("e_evidence", [&](const Arrow& a) { return numbers_.of(a.evidence); });
    of_arrows("e_error", [](const Arrow& a) { return a.is_error; });
    of_arrows("e_times", [](const Arrow& a) { return a.times; });
    of_arrows("e_rivals", [](const Arrow& a) { return a.rivals; });
    columns.add("r_source", std::move(rival_source), "z");
    columns.add("r_text", column(chart_.rivals, [&](const Chart::Rival& rival) {
                  return rival.mark == Chart::kNone ? numbers_.of(rival.id) : 0;
                }));
    columns.add("r_confidence",
                column(chart_.rivals, [](const Chart::Rival& rival) { return rival.confidence; }));
  }
  void add_lanes() {
    using Lane = Chart::Lane;
    PageColumns& columns = packed_.columns;
    const std::vector<Lane>& lanes = chart_.lanes;
    columns.add("lane_agent", column(lanes, [&](const Lane& l) { return numbers_.of(l.agent); }));
    columns.add("lane_type", column(lanes, [&](const Lane& l) { return numbers_.of(l.type); }));
    columns.add("lane_session",
                column(lanes, [&](const Lane& l) { return numbers_.of(l.session); }));
    columns.add("lane_above", column(lanes, [&](const Lane& lane) {
                  return lane.above == Chart::kNone
                             ? 0
                             : static_cast<size_t>(&lane - lanes.data()) - lane.above;
                }));
    columns.add("lane_rows", column(lanes, [](const Lane& lane) { return lane.rows; }));
    if (!lanes.empty() && lanes.front().is_old)
      columns.add("lane_old", column(lanes, [](const Lane& lane) { return lane.is_old; }));
  }

  const Chart& chart_;
  const std::vector<Mark>& marks_;
  PackedTexts texts_;
  Numbers numbers_;
  PackedChart packed_;
};

}  // namespace

PackedChart pack(const Chart& chart) {
  return Packer(chart).pack();
}

}  // namespace xtrace
