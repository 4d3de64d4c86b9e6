#include "live/follow_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/now.h"
#include "base/system.h"
#include "base/text.h"
#include "live/subscription.h"
#include "live/update_line.h"
#include "render/json_cells.h"
#include "run/graph_files.h"
#include "run/load_runs.h"

namespace xtrace {

namespace {

constexpr std::chrono::milliseconds kRedraw{100};  // ten times a second is as fast as eyes are
constexpr std::chrono::milliseconds kTick{1000};   // lines of sessions count seconds
constexpr std::chrono::milliseconds kShortRest{1000};

bool is_data(const std::vector<std::string>& inputs) {
  return std::find(inputs.begin(), inputs.end(), "-") != inputs.end();
}

int requests_on(const std::vector<std::string>& inputs) {
  return is_data(inputs) || is_terminal(kStandardInput) ? -1 : kStandardInput;
}

bool is_for_people(const Request& request) {
  return request.renderer->face == Face::outline;
}

WriteRow write_row_of(const Request& request) {
  return is_for_people(request) ? text_rows(request.paper.zone, request.lists_own)
                                : append_json_row;
}

/// Lines for people name a step by its label.
StoryOptions story_of(const Request& request, const FollowOptions& options) {
  StoryOptions story = options.story;
  story.hints |= is_for_people(request);
  return story;
}

}  // namespace

FollowLoop::FollowLoop(const Request& request, const FollowOptions& options,
                       const FollowSettings& settings, Health& health)
    : request_(request),
      options_(options),
      settings_(settings),
      health_(health),
      input_(request),
      reorder_buffer_(settings.window),
      graph_(request, story_of(request, options), write_row_of(request), input_.generations()),
      output_(kStandardOutput),
      requests_(requests_on(request.inputs)),
      as_text_(is_for_people(request)) {
  if (options.view == "trace")
    answer_.emplace(request, options.query, input_.generations());
  else if (as_text_ && is_terminal(kStandardOutput) && !options.until_end)
    screen_.emplace(request.paper.colour, request.paper.zone);
}

/// What is there already, and the first thing to say of it.
Status FollowLoop::begin() {
  Growth growth;
  if (Status read = input_.growing().read(growth); !read) return read;
  std::vector<std::string> missing = input_.growing().missing();
  for (const std::string& path : missing) {
    if (options_.until_end) return cannot("open", path, ENOENT);
    if (!request_.quiet)
      fmt::print(stderr, "{} does not exist yet; waiting for it\n", printable(path));
  }
  if (options_.until_end)
    if (Status ended = input_.growing().end(growth); !ended) return ended;
  Result<std::vector<Arrival>> arrivals = arrivals_in(std::move(growth));
  if (!arrivals) return tl::unexpected(arrivals.error());
  if (tells_trace()) return tell_answer();
  if (settings_.resume != kNoTime) return resume(*std::move(arrivals));
  for (const Arrival& arrival : *arrivals) graph_.add(arrival.record, arrival.ids);
  Result<GraphChange> first = graph_.reread();
  if (!first) return tl::unexpected(first.error());
  is_stale_ = needs_reread_ = false;
  if (screen_) output_.send(screen_->enter());
  GraphRows rows;
  rows.nodes = std::move(first->added_nodes);  // in the order in which the view tells them
  rows.edges = std::move(first->added_edges);
  rows.summaries = graph_.rows().summaries;
  rows.newest = graph_.newest();
  health_.note_graph(static_cast<int64_t>(rows.nodes.size()),
                     static_cast<int64_t>(rows.edges.size()));
  send_snapshot(rows);
  return {};
}

/// Says at once what a reader missed, so that it has the graph of now.
Status FollowLoop::resume(std::vector<Arrival> arrivals) {
  Duration late = settings_.window;
  Result<Missed> missed = tell_missed(graph_, std::move(arrivals), input_.generations(),
                                      after(settings_.resume, -late), settings_.max_queued);
  if (!missed) return tl::unexpected(missed.error());
  is_stale_ = needs_reread_ = false;
  health_.note_graph(static_cast<int64_t>(graph_.shown().nodes()),
                     static_cast<int64_t>(graph_.shown().edges()));
  if (screen_) output_.send(screen_->enter());
  if (!missed->why_not.empty()) {
    if (!request_.quiet)
      fmt::print(stderr, "--resume {}: {}; sending the whole graph\n", printable(options_.resume),
                 missed->why_not);
    if (!as_text_) output_.send(snapshot_needed_line(subscription_));
  }
  if (screen_ || !missed->why_not.empty()) {
    send_snapshot(graph_.rows());
    return {};
  }
  for (const Missed::Update& update : missed->updates)
    output_.send(as_text_ ? text_lines(update.change)
                          : update_line(subscription_, update.change, update.newest));
  // So that it knows that it missed nothing.
  if (missed->updates.empty() && !as_text_)
    output_.send(update_line(subscription_, {}, graph_.newest()));
  return {};
}

Status FollowLoop::look() {
  Growth growth;
  if (Status read = input_.growing().read(growth); !read) return read;
  return take_in(std::move(growth), false);
}

/// Learns what belongs to what; `at_once`: nothing has to wait for what was logged before it.
Status FollowLoop::take_in(Growth growth, bool at_once) {
  Result<std::vector<Arrival>> arrivals = arrivals_in(std::move(growth));
  if (!arrivals) return tl::unexpected(arrivals.error());
  for (Arrival& arrival : *arrivals)
    if (at_once)
      graph_.add(arrival.record, arrival.ids);
    else
      reorder_buffer_.add(arrival.record, std::move(arrival.ids), came_);
  return {};
}

/// Those of --view trace show nothing by themselves.
Result<std::vector<Arrival>> FollowLoop::arrivals_in(Growth growth) {
  const Stopwatch reading;
  Result<LiveInput::Came> came = input_.take_in(std::move(growth));
  if (!came) return tl::unexpected(came.error());
  if (!came->any) return std::vector<Arrival>();
  is_empty_ = false;
  came_ = Clock::now();
  is_stale_ = true;
  for (const uint32_t generation : came->over) graph_.take_out(generation);
  needs_reread_ |= !came->over.empty();
  is_used_ |= came->is_used;
  health_.note_ingest(reading.read(), static_cast<int64_t>(came->arrivals.size()),
                      came->is_damaged);
  if (tells_trace()) came->arrivals.clear();
  return std::move(came->arrivals);
}

void FollowLoop::let_go(const std::vector<ReorderBuffer::Event>& events) {
  if (!events.empty() && !output_.ready()) ++gathered_;
  for (const ReorderBuffer::Event& event : events) graph_.add(event.record, event.ids);
}

Status FollowLoop::reread() {
  Clock::time_point before = Clock::now();
  Result<GraphChange> change = graph_.reread();
  if (!change) return tl::unexpected(change.error());
  reading_took_ = Clock::now() - before;
  is_stale_ = needs_reread_ = false;
  send(*change);
  return {};
}

void FollowLoop::send_snapshot(const GraphRows& rows) {
  if (screen_)
    draw();
  else
    output_.send(as_text_ ? text_lines(rows) : snapshot_line(subscription_, rows));
}

void FollowLoop::send(const GraphChange& change) {
  if (!change.any()) return;
  health_.note_created(static_cast<int64_t>(change.added_nodes.size()),
                       static_cast<int64_t>(change.added_edges.size()));
  health_.note_in_memory(static_cast<int64_t>(graph_.shown().nodes()));
  health_.note_update(std::chrono::duration_cast<Duration>(Clock::now() - came_));
  if (screen_)
    to_draw_ = true;
  else
    output_.send(as_text_ ? text_lines(change)
                          : update_line(subscription_, change, graph_.newest()));
}

void FollowLoop::draw() {
  to_draw_ = false;
  drawn_ = Clock::now();
  output_.send(screen_->draw(graph_, now()));
}

/// Says what changed, if somebody is ready to read it; else it waits and becomes one change with
/// what comes meanwhile.
Status FollowLoop::tell() {
  if (tells_trace()) return tell_answer();
  to_draw_ |= screen_ && !graph_.sessions().empty() && Clock::now() - drawn_ >= kTick;
  if (!graph_.grew() && !needs_reread_) {
    if (to_draw_ && output_.ready() && Clock::now() - drawn_ >= kRedraw) draw();
    return {};
  }
  if (!output_.ready()) return {};
  if (std::exchange(gathered_, 0) > settings_.max_queued && !as_text_) {
    output_.send(snapshot_needed_line(subscription_));
    Result<GraphChange> change = graph_.update();
    if (!change) return tl::unexpected(change.error());
    send_snapshot(graph_.rows());
    return {};
  }
  if (needs_reread_) return reread();
  Result<GraphChange> change = graph_.update();
  if (!change) return tl::unexpected(change.error());
  send(*change);
  if (to_draw_ && Clock::now() - drawn_ >= kRedraw) draw();
  return {};
}

/// An answer about everything takes its time, so it gets half of it at most.
Status FollowLoop::tell_answer() {
  Clock::time_point now = Clock::now();
  if (!is_stale_ || !output_.ready() || now - answered_ < reading_took_) return {};
  Result<std::string> line = answer_->next();
  if (!line) return tl::unexpected(line.error());
  answered_ = Clock::now();
  reading_took_ = answered_ - now;
  is_stale_ = false;
  output_.send(*line);
  return {};
}

/// When nothing comes any more, everything is read as one: so at rest what is shown is exactly what
/// `dag` says, also of what belongs together without an identifier to tell it.
bool FollowLoop::is_at_rest() const {
  return is_stale_ && !tells_trace() && reorder_buffer_.empty() &&
         Clock::now() - came_ >= std::max<Clock::duration>(kShortRest, 5 * reading_took_);
}

Status FollowLoop::tell_rest() {
  if (!is_at_rest() || !output_.ready()) return {};
  if (Status read = reread(); !read) return read;
  return keep_files();
}

/// For who watches from outside: how the program fares, and the graph as it is.
Status FollowLoop::keep_files() const {
  if (Status written = write_metrics(request_.graph, health_); !written) return written;
  return keep_snapshot_of(request_.graph, graph_.newest(), graph_.whole(), health_);
}

/// A request for other nodes; one that makes no sense is answered and changes nothing.
Status FollowLoop::serve(const std::string& request) {
  Result<SubscriptionRequest> asked = read_subscription(request);
  auto refuse = [](const Error& error) {
    fmt::print(stderr, "request refused: {}\n", error.what);
    return Status();
  };
  if (!asked) return refuse(asked.error());
  if (asked->id) subscription_ = *asked->id;
  if (tells_trace()) return {};
  StoryOptions story = graph_.story();
  story.filter = std::move(asked->filter);
  story.expand = std::move(asked->expand);
  Result<GraphChange> change = graph_.choose(std::move(story));
  if (!change) return refuse(change.error());
  is_stale_ = !reorder_buffer_.empty();
  send(*change);
  return {};
}

FollowLoop::Clock::time_point FollowLoop::next_moment() const {
  Clock::time_point now = Clock::now(), next = now + input_.growing().patience();
  if (is_paused()) return paused_until_;
  next = std::min(next, reorder_buffer_.due());
  if (to_draw_) next = std::min(next, drawn_ + kRedraw);
  if (tells_trace() && is_stale_) next = std::min(next, answered_ + reading_took_);
  return std::max(next, now);
}

/// Waits until something may have come, the reader reads again, or an interrupt comes.
void FollowLoop::wait(int interrupts) {
  std::vector<int> inputs = {interrupts};
  if (!is_paused()) input_.growing().add_to(inputs);
  if (!is_paused() && requests_.fd() >= 0) inputs.push_back(requests_.fd());
  const bool has_more = !output_.empty() || (graph_.grew() && !is_paused());
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_moment() - Clock::now());
  wait_for_any(inputs, output_.fd(), has_more, left);
  output_.look_for_reader();
}

/// Sees what came and says what changed, and pauses for as long as that is worth.
Status FollowLoop::step() {
  const std::clock_t before = std::clock();
  if (Status looked = look(); !looked) return looked;
  let_go(reorder_buffer_.take(Clock::now()));
  if (Status told = tell(); !told) return told;
  const Pace::Span spent(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
  const Clock::time_point now = Clock::now();
  const Pace::Span pause = pace_.pause_after(spent, now - std::exchange(stepped_, now));
  paused_until_ = now + std::chrono::duration_cast<Clock::duration>(pause);
  return {};
}

/// The last difference, from everything as it is in the end.
Result<Exit> FollowLoop::end(Exit exit) {
  Growth growth;
  if (Status ended = input_.growing().end(growth); !ended) return tl::unexpected(ended.error());
  if (Status taken = take_in(std::move(growth), true); !taken) return tl::unexpected(taken.error());
  let_go(reorder_buffer_.take_all());
  if (Status finished = output_.finish(); !finished) return tl::unexpected(finished.error());
  Status told;
  answered_ = {};
  if (tells_trace())
    told = tell_answer();
  else if (is_stale_)
    told = reread();
  if (!told) return tl::unexpected(told.error());
  if (!tells_trace())
    if (Status kept = keep_files(); !kept) return tl::unexpected(kept.error());
  if (screen_) output_.send(screen_->leave());
  if (Status finished = output_.finish(); !finished) return tl::unexpected(finished.error());
  if (tells_trace() && !answer_->answered() && exit == Exit::answered)
    return fail(Exit::no, answer_->why_not());
  return exit;
}

/// What cannot grow any more and held nothing of use is an input that cannot be read.
Result<Exit> FollowLoop::end_of_inputs() {
  Result<Exit> exit = end(Exit::answered);
  if (!exit || is_used_) return exit;
  if (is_empty_ && request_.inputs == std::vector<std::string>{"-"})
    return fail(Exit::input, nothing_came_in(request_));
  if (request_.lists_own && is_empty_)
    return fail(Exit::no, fmt::format("no local session was written to since {}; for the newest "
                                      "one: xtrace follow last",
                                      format_time(Moment{request_.awake_since, 0})));
  return fail(Exit::input,
              fmt::format("{}: no usable records",
                          printable(fmt::format("{}", fmt::join(request_.inputs, ", ")))));
}

Result<Exit> FollowLoop::run() {
  keep_large_tables();
  Interrupts interrupts;
  if (Status begun = begin(); !begun) return tl::unexpected(begun.error());
  if (options_.until_end) {
    const std::optional<FileStatus> status = file_status(kStandardInput);
    if (status && status->is_regular())  // of anything else, the end may never come
      for (const std::string& line : requests_.take())
        if (Status served = serve(line); !served) return tl::unexpected(served.error());
    interrupts.let_through();
    return end_of_inputs();
  }
  for (;;) {
    if (Status pushed = output_.push(); !pushed) return tl::unexpected(pushed.error());
    if (output_.closed()) return Exit::answered;
    wait(interrupts.fd());
    if (interrupts.came()) {
      interrupts.let_through();
      return end(Exit::interrupted);
    }
    if (is_paused()) continue;  // its reader is ready again
    if (Status done = step(); !done) return tl::unexpected(done.error());
    for (const std::string& line : requests_.take())
      if (Status served = serve(line); !served) return tl::unexpected(served.error());
    if (Status told = tell_rest(); !told) return tl::unexpected(told.error());
    bool is_idle = settings_.idle.count() >= 0 && Clock::now() - came_ >= settings_.idle;
    if (input_.growing().ended()) return end_of_inputs();
    if (is_idle) return end(Exit::answered);
  }
}

}  // namespace xtrace
