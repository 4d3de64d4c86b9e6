#include "serve/subscriptions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/number.h"
#include "live/subscription.h"
#include "live/update_line.h"

namespace xtrace::serve {

namespace {

/// A client chooses the name that each of its messages repeats.
constexpr size_t kLongestId = 100;

Answered<void> check_id(const SubscriptionRequest& request) {
  if (!request.id || (!request.id->empty() && request.id->size() <= kLongestId)) return {};
  return refuse(400, fmt::format("subscriptionId: 1 to {} bytes are allowed", kLongestId));
}

StoryOptions story_of(const StoryOptions& own, const SubscriptionRequest& request) {
  StoryOptions story = own;
  story.filter = request.filter;
  story.expand = request.expand;
  return story;
}

}  // namespace

void Subscription::watch(std::shared_ptr<GraphChannel> channel) {
  if (channel == channel_) return;
  // A reader that has a graph gets the updates that it missed, then the difference to the new one.
  if (channel_ != nullptr && !needs_snapshot_ && channel_->holds_after(number_)) {
    for (uint64_t next = number_ + 1; next <= channel_->number(); ++next)
      before_.push_back(channel_->update_of(next));
    ShownGraph shown;
    shown.become(channel_->rows());
    const GraphChange change = shown.become(channel->rows());
    if (change.any())
      before_.push_back(
          std::make_shared<const std::string>(update_line({}, change, channel->newest())));
  } else {
    has_lost_ |= channel_ != nullptr && !needs_snapshot_;
    needs_snapshot_ = true;
  }
  channel_ = std::move(channel);
  number_ = channel_->number();
}

void Subscription::resume(std::shared_ptr<GraphChannel> channel, uint64_t number) {
  channel_ = std::move(channel);
  number_ = number;
  needs_snapshot_ = false;
}

void Subscription::start_anew(std::shared_ptr<GraphChannel> channel) {
  channel_ = std::move(channel);
  needs_snapshot_ = has_lost_ = true;
}

std::string Subscription::place() const {
  if (channel_ == nullptr || needs_snapshot_ || !before_.empty()) return {};
  return fmt::format("{}.{}", channel_->name(), number_);
}

void Subscription::note_received(std::string_view place) {
  if (channel_ != nullptr && number_in(place, *channel_)) received_ = place;
}

std::optional<uint64_t> number_in(std::string_view place, const GraphChannel& channel) {
  const std::string& name = channel.name();
  if (!place.starts_with(name) || !place.substr(name.size()).starts_with('.')) return std::nullopt;
  return number_of<uint64_t>(place.substr(name.size() + 1));
}

std::optional<Outgoing> Subscription::next() {
  if (channel_ == nullptr) return std::nullopt;
  // Updates of the graph before lead to this one; a reader that is too slow for them starts anew.
  constexpr size_t kMostBefore = 200;
  if (before_.size() > kMostBefore || (!needs_snapshot_ && !channel_->holds_after(number_))) {
    has_lost_ = needs_snapshot_ = true;
    before_.clear();
  }
  if (has_lost_) {
    has_lost_ = false;
    return Outgoing{"snapshotNeeded", for_subscription(id_, snapshot_needed_line({}))};
  }
  if (needs_snapshot_) {
    needs_snapshot_ = false;
    before_.clear();
    number_ = channel_->number();
    return Outgoing{"snapshot", for_subscription(id_, *channel_->snapshot()), place()};
  }
  if (!before_.empty()) {
    const SharedText text = std::move(before_.front());
    before_.pop_front();
    return Outgoing{"update", for_subscription(id_, *text), place()};
  }
  if (number_ == channel_->number()) return std::nullopt;
  ++number_;
  return Outgoing{"update", for_subscription(id_, *channel_->update_of(number_)), place()};
}

Answered<void> Subscriptions::take(std::string_view message, std::unique_ptr<Subscription>& own) {
  const Result<SubscriptionRequest> request = read_subscription(message);
  if (!request) return tl::unexpected(refusal_of(request.error()));
  if (Answered<void> sound = check_id(*request); !sound) return sound;
  if (own != nullptr && (!request->id || *request->id == own->id())) {
    Answered<std::shared_ptr<GraphChannel>> channel =
        feed_.channel(story_of(feed_.story(), *request));
    if (!channel) return tl::unexpected(channel.error());
    if (*channel == own->channel()) own->repeat();
    own->watch(*std::move(channel));
    return {};
  }
  const auto kept = std::ranges::find_if(
      kept_, [&](const Kept& one) { return request->id && one.id == *request->id; });
  // A client that comes back without a filter means the one it had.
  const bool says_filter = request->filter.any() || !request->expand.empty();
  const StoryOptions story =
      kept != kept_.end() && !says_filter ? kept->story : story_of(feed_.story(), *request);
  Answered<std::shared_ptr<GraphChannel>> channel = feed_.channel(story);
  if (!channel) return tl::unexpected(channel.error());
  auto made =
      std::make_unique<Subscription>(request->id ? *request->id : fmt::format("sub-{}", ++made_));
  if (kept != kept_.end()) {
    // It has the graph that it had when it went, and learns how that becomes the one it wants.
    Answered<std::shared_ptr<GraphChannel>> before = feed_.channel(kept->story);
    const std::optional<uint64_t> number = before ? number_in(kept->place, **before) : std::nullopt;
    if (number && (*before)->holds_after(*number))
      made->resume(*before, *number);
    else
      made->start_anew(*channel);
    kept_.erase(kept);
  }
  made->watch(*std::move(channel));
  if (own != nullptr) keep(std::move(own));
  own = std::move(made);
  return {};
}

Answered<Subscription> Subscriptions::make(std::string_view request, std::string_view place) {
  SubscriptionRequest asked;
  if (!request.empty()) {
    Result<SubscriptionRequest> read = read_subscription(request);
    if (!read) return tl::unexpected(refusal_of(read.error()));
    asked = *std::move(read);
  }
  if (Answered<void> sound = check_id(asked); !sound) return tl::unexpected(sound.error());
  Answered<std::shared_ptr<GraphChannel>> channel =
      feed_.channel(request.empty() ? feed_.story() : story_of(feed_.story(), asked));
  if (!channel) return tl::unexpected(channel.error());
  Subscription made(asked.id ? *asked.id : fmt::format("sub-{}", ++made_));
  const std::optional<uint64_t> number = number_in(place, **channel);
  if (place.empty())
    made.watch(*std::move(channel));
  else if (number && (*channel)->holds_after(*number))
    made.resume(*std::move(channel), *number);
  else
    made.start_anew(*std::move(channel));
  return made;
}

void Subscriptions::keep(std::unique_ptr<Subscription> gone) {
  if (gone == nullptr || gone->channel() == nullptr) return;
  StoryOptions story = feed_.story();
  story.filter = gone->channel()->filter();
  story.expand = gone->channel()->expand();
  std::erase_if(kept_, [&](const Kept& one) { return one.id == gone->id(); });
  kept_.push_back({gone->id(), std::move(story), gone->received()});
  if (kept_.size() > kMostKept) kept_.pop_front();
}

}  // namespace xtrace::serve
