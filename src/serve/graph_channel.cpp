#include "serve/graph_channel.h"

#include <utility>

#include "base/json_writer.h"
#include "live/update_line.h"
#include "render/json_cells.h"

namespace xtrace::serve {

namespace {

/// As update_line.h begins each line of a subscription without a name.
constexpr std::string_view kUnnamed = "{\"subscriptionId\": \"\"";

}  // namespace

std::string for_subscription(const std::string& subscription, std::string_view text) {
  std::string message = "{\"subscriptionId\": ";
  append_json(message, subscription);
  if (text.starts_with(kUnnamed)) text.remove_prefix(kUnnamed.size());
  message += text;
  while (message.ends_with('\n')) message.pop_back();
  return message;
}

GraphChannel::GraphChannel(std::string name, const Request& request, const StoryOptions& story,
                           const Generations& generations, ChannelLimits limits, SharedLinks& links)
    : name_(std::move(name)),
      graph_(request, story, append_json_row, generations, &links),
      limits_(limits) {}

void GraphChannel::take_out(uint32_t generation) {
  graph_.take_out(generation);
  is_stale_ = true;
}

Status GraphChannel::note(const Result<GraphChange>& change) {
  if (!change) return tl::unexpected(change.error());
  if (!change->any()) return {};
  updates_.push_back(
      std::make_shared<const std::string>(update_line({}, *change, graph_.newest())));
  bytes_ += updates_.back()->size();
  ++number_;
  snapshot_.reset();
  while (updates_.size() > limits_.most_updates || bytes_ > limits_.most_bytes) {
    bytes_ -= updates_.front()->size();
    updates_.pop_front();
  }
  return {};
}

Status GraphChannel::update() {
  if (!graph_.grew()) return {};
  is_stale_ = true;
  return note(graph_.update());
}

Status GraphChannel::reread() {
  const Result<GraphChange> change = graph_.reread();
  if (!change) return tl::unexpected(change.error());
  is_stale_ = false;
  // Nobody had a graph before the first.
  return std::exchange(is_begun_, true) ? note(change) : Status();
}

bool GraphChannel::holds_after(uint64_t number) const {
  return number <= number_ && number >= oldest();
}

SharedText GraphChannel::update_of(uint64_t number) const {
  return updates_[number - oldest() - 1];
}

SharedText GraphChannel::snapshot() {
  if (snapshot_ == nullptr)
    snapshot_ = std::make_shared<const std::string>(snapshot_line({}, graph_.rows()));
  return snapshot_;
}

}  // namespace xtrace::serve
