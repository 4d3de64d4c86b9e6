#include "serve/feed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/text.h"

namespace xtrace::serve {

namespace {

// As `follow` waits, so that both show the same at rest.
constexpr std::chrono::milliseconds kShortRest{1000};

bool is_same_filter(const GraphChannel& channel, const StoryOptions& story) {
  const StoryFilter& a = channel.filter();
  const StoryFilter& b = story.filter;
  return a.runs == b.runs && a.agents == b.agents && a.types == b.types &&
         a.statuses == b.statuses && a.min_cost == b.min_cost && a.since == b.since &&
         a.until == b.until && a.min_confidence == b.min_confidence &&
         channel.expand() == story.expand;
}

bool has_readers(const std::shared_ptr<GraphChannel>& channel) {
  return channel.use_count() > 1;
}

}  // namespace

Feed::Feed(std::string run, const Request& request, const FollowSettings& settings,
           ChannelLimits limits)
    : run_(std::move(run)),
      request_(request),
      story_(request.view->follow_options()->story),
      limits_(limits),
      input_(request),
      reorder_buffer_(settings.window) {}

Status Feed::begin() {
  if (Status looked = look(); !looked) return looked;
  if (!request_.quiet)
    for (const std::string& path : input_.growing().missing())
      fmt::print(stderr, "{} does not exist yet; waiting for it\n", printable(path));
  return settle();
}

/// Reads the records once: what each belongs to is the same for every graph.
Status Feed::take_in(Growth growth) {
  Result<LiveInput::Came> came = input_.take_in(std::move(growth));
  if (!came) return tl::unexpected(came.error());
  if (!came->any) return {};
  ++version_;
  came_ = Clock::now();
  for (const uint32_t over : came->over) {
    std::erase_if(arrivals_,
                  [&](const Arrival& arrival) { return arrival.record.generation == over; });
    for (const std::shared_ptr<GraphChannel>& channel : channels_) channel->take_out(over);
  }
  for (Arrival& arrival : came->arrivals)
    reorder_buffer_.add(arrival.record, std::move(arrival.ids), came_);
  return {};
}

void Feed::pass_on(const std::vector<ReorderBuffer::Event>& events) {
  const Generations& all = input_.generations();
  for (const ReorderBuffer::Event& event : events) {
    if (all[event.record.generation].is_over) continue;
    arrivals_.push_back({event.record, event.ids});
    for (const std::shared_ptr<GraphChannel>& channel : channels_)
      channel->add(event.record, event.ids);
  }
}

bool Feed::has_stale() const {
  return std::ranges::any_of(channels_, [](const std::shared_ptr<GraphChannel>& channel) {
    return has_readers(channel) && channel->is_stale();
  });
}

bool Feed::is_at_rest() const {
  return reorder_buffer_.empty() &&
         Clock::now() - came_ >= std::max<Clock::duration>(kShortRest, 5 * reading_took_);
}

/// A graph without readers waits until one comes.
Status Feed::update() {
  if (has_stale() && is_at_rest()) return reread();
  Status updated;
  for (const std::shared_ptr<GraphChannel>& channel : channels_)
    if (updated && has_readers(channel)) updated = channel->update();
  links_.clear();
  return updated;
}

Status Feed::look() {
  Growth growth;
  if (Status read = input_.growing().read(growth); !read) return read;
  if (Status taken = take_in(std::move(growth)); !taken) return taken;
  pass_on(reorder_buffer_.take(Clock::now()));
  return update();
}

Status Feed::settle() {
  pass_on(reorder_buffer_.take_all());
  return update();
}

Status Feed::reread() {
  const Clock::time_point before = Clock::now();
  Status read;
  for (const std::shared_ptr<GraphChannel>& channel : channels_)
    if (read && has_readers(channel) && channel->is_stale()) read = channel->reread();
  links_.clear();
  reading_took_ = Clock::now() - before;
  return read;
}

Answered<std::shared_ptr<GraphChannel>> Feed::channel(const StoryOptions& story) {
  const auto same = std::ranges::find_if(
      channels_, [&](const auto& channel) { return is_same_filter(*channel, story); });
  if (same != channels_.end()) {
    std::rotate(same, same + 1, channels_.end());
    std::shared_ptr<GraphChannel>& found = channels_.back();
    Status updated = found->update();
    if (updated && found->is_stale() && is_at_rest()) updated = found->reread();
    links_.clear();
    if (!updated) return tl::unexpected(refusal_of(updated.error()));
    return found;
  }
  auto made = std::make_shared<GraphChannel>(fmt::format("{}.{}", run_, ++made_), request_, story,
                                             input_.generations(), limits_, links_);
  for (const Arrival& arrival : arrivals_) made->add(arrival.record, arrival.ids);
  const Status read = made->reread();
  links_.clear();
  if (!read) return tl::unexpected(refusal_of(read.error()));
  if (channels_.size() >= kMostGraphs) {
    const auto unused =
        std::ranges::find_if(channels_, [](const auto& channel) { return !has_readers(channel); });
    if (unused == channels_.end())
      return refuse(503, fmt::format("{} different filters are in use, which is the most at once; "
                                     "use one of them or try again later",
                                     kMostGraphs));
    channels_.erase(unused);
  }
  channels_.push_back(made);
  return made;
}

Feed::Clock::time_point Feed::next_moment() const {
  const Clock::time_point now = Clock::now();
  Clock::time_point next = std::min(now + input_.growing().patience(), reorder_buffer_.due());
  if (has_stale())
    next = std::min(next, came_ + std::max<Clock::duration>(kShortRest, 5 * reading_took_));
  return std::max(next, now);
}

}  // namespace xtrace::serve
