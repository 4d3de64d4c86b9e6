#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "base/dollars.h"
#include "base/json_writer.h"
#include "base/time.h"
#include "render/chart/chart.h"
#include "render/perfetto/slices.h"
#include "render/renderer.h"

namespace xtrace {

namespace {

// The Trace Event Format, which Perfetto, chrome://tracing, speedscope and others open:
// docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU. Times are microseconds.

constexpr JsonLayout kTight = JsonLayout::tight();
constexpr JsonLayout kLines = {.is_spaced = false, .on_lines = true};

class TraceEvents {
 public:
  TraceEvents(const Chart& chart, std::ostream& out)
      : chart_(chart), slices_(lay_slices(chart)), out_(out) {}

  void write() {
    json_.open_object(kTight);
    json_.open_list("traceEvents", kLines);
    write_names();
    for (const Slice& slice : slices_.of_marks) write_mark(slice);
    for (const Slice& slice : slices_.of_tools) write_tool(slice);
    for (const Chart::Arrow& arrow : chart_.arrows) write_arrow(arrow);
    json_.close();
    json_.field("displayTimeUnit", "ms");
    json_.open_object("otherData", kTight);
    json_.field("generator", "xtrace " XTRACE_VERSION);
    if (slices_.moved_us != 0) json_.field("moved_us", slices_.moved_us);
    json_.close();
    json_.close();
    out_ << text_ << '\n';
  }

 private:
  void send() {
    constexpr size_t kMuch = 64 << 10;
    if (text_.size() < kMuch) return;
    out_ << text_;
    text_.clear();
  }

  void open(std::string_view phase, uint32_t process, uint32_t thread) {
    json_.open_object(kTight);
    json_.field("ph", phase);
    json_.field("pid", process);
    json_.field("tid", thread);
  }

  /// A number to every reader, however far from 1970.
  void write_time(std::string_view key, int64_t us) {
    json_.key(key);
    json_.raw(std::to_string(us));
  }

  void write_label(std::string_view what, std::string_view key, uint32_t process, uint32_t thread,
                   const auto& value) {
    open("M", process, thread);
    json_.field("name", what);
    json_.open_object("args", kTight);
    json_.field(key, value);
    json_.close();
    json_.close();
  }

  void write_names() {
    for (uint32_t i = 0; i < slices_.processes.size(); ++i) {
      const std::string_view session = chart_.text(slices_.processes[i]);
      write_label("process_name", "name", i + 1, 0, session.empty() ? "xtrace" : session);
      write_label("process_sort_index", "sort_index", i + 1, 0, i);
    }
    for (uint32_t i = 0; i < slices_.threads.size(); ++i) {
      const SliceThread& thread = slices_.threads[i];
      std::string name(chart_.text(chart_.lanes[thread.lane].agent));
      if (name.empty()) name = "unnamed";
      if (thread.is_of_tools) name += ": tools";
      if (thread.row > 1) name += fmt::format(" ({})", thread.row);
      write_label("thread_name", "name", thread.process, i + 1, std::string_view(name));
      const uint32_t place = thread.lane * 2 + (thread.is_of_tools ? 1 : 0);
      write_label("thread_sort_index", "sort_index", thread.process, i + 1, place);
    }
  }

  void open_slice(const Slice& slice, std::string_view name, std::string_view kind) {
    open("X", slice.process, slice.thread);
    write_time("ts", slice.start_us);
    write_time("dur", slice.duration_us);
    json_.field("name", name.empty() ? "unnamed" : name);
    json_.field("cat", kind);
    json_.open_object("args", kTight);
    if (!slice.is_time_known) json_.field("time", "unknown");
  }
  void close_slice() {
    json_.close();
    json_.close();
    send();
  }

  void add(std::string_view key, StringId text) {
    if (text) json_.field(key, chart_.text(text));
  }
  void add(std::string_view key, int64_t number) {
    if (number != Chart::kUnknown) json_.field(key, number);
  }

  void write_mark(const Slice& slice) {
    const Chart::Mark& mark = chart_.marks[slice.mark];
    const Chart::Nature& nature = chart_.nature(mark);
    const Chart::Figures figures = chart_.figures(mark);
    const StringId name = mark.name ? mark.name : nature.model ? nature.model : nature.kind;
    open_slice(slice, chart_.text(name), mark.failed ? "error" : chart_.text(nature.kind));
    add("id", mark.id);
    if (nature.file) json_.field("at", chart_.place(mark));
    add("status", nature.status);
    add("model", nature.model);
    add("turn", figures.turn);
    add("source", nature.source);
    add("target", nature.target);
    add_length(mark.duration_us);
    add("tokens_input", figures.input);
    add("tokens_output", figures.output);
    add("tokens_cache_read", figures.cached);
    add("tokens_cache_creation", figures.cache_written);
    add("tokens_total", figures.total);
    if (figures.cost_nusd != Chart::kUnknown) {
      json_.key("cost_usd");
      json_.raw(format_dollars(Dollars{figures.cost_nusd}));
    }
    if (mark.critical) json_.field("on_critical_path", true);
    if (mark.is_retry) json_.field("is_retry", true);
    close_slice();
  }

  void write_tool(const Slice& slice) {
    const Chart::Tool& tool = chart_.tools[slice.tool];
    open_slice(slice, chart_.text(tool.name), tool.is_error ? "error" : "tool");
    add("call", chart_.marks[slice.mark].id);
    add("target", tool.target);
    add_length(tool.duration_us);
    if (tool.is_error) json_.field("is_error", true);
    close_slice();
  }

  /// As the answer has it: a slice is drawn for what has none, or a negative one, too.
  void add_length(int64_t us) {
    if (us == Chart::kUnknown) {
      json_.field("duration", "unknown");
      return;
    }
    write_time("duration_us", us);
  }

  /// From the last moment of the one to the first of the other; where they overlap, from the moment
  /// at which the other starts. Viewers hold an end to the slice that encloses its moment, and the
  /// end of a slice is no longer in it. They drop an arrow that ends before it begins, so none is
  /// written to a slice that is over before the one it comes from.
  void write_arrow(const Chart::Arrow& arrow) {
    const Slice& from = slices_.of_marks[arrow.from];
    const Slice& to = slices_.of_marks[arrow.to];
    const int64_t begin = std::max(std::min(from.end_us() - 1, to.start_us), from.start_us);
    const int64_t end = std::max(begin, to.start_us);
    if (end >= to.end_us()) return;
    ++arrows_;
    write_end("s", arrow, from, begin);
    write_end("f", arrow, to, end);
    send();
  }

  void write_end(std::string_view phase, const Chart::Arrow& arrow, const Slice& slice,
                 int64_t at_us) {
    open(phase, slice.process, slice.thread);
    write_time("ts", at_us);
    json_.field("id", arrows_);
    json_.field("name", chart_.text(chart_.link(arrow).type));
    json_.field("cat", "link");
    if (phase == "f") json_.field("bp", "e");
    json_.open_object("args", kTight);
    add("method", chart_.link(arrow).method);
    json_.field("confidence", static_cast<double>(chart_.link(arrow).confidence) / 10000);
    json_.close();
    json_.close();
  }

  const Chart& chart_;
  const Slices slices_;
  std::ostream& out_;
  std::string text_;
  JsonWriter json_{text_};
  uint64_t arrows_ = 0;
};

void write_perfetto(const Document& document, const Paper&, std::ostream& out) {
  Chart chart = read_chart(document);
  order_marks(chart);
  lay_lanes(chart);
  TraceEvents(chart, out).write();
}

}  // namespace

extern constinit const Renderer kPerfettoRenderer = {
    .name = "perfetto",
    .summary = "trace events for Perfetto, chrome://tracing and speedscope",
    .face = Face::tables,
    .write = write_perfetto,
    .is_of_graph = true,
};

}  // namespace xtrace
