#include "input/transcripts/line_order.h"

#include <algorithm>
#include <queue>
#include <span>
#include <tuple>
#include <unordered_map>

namespace xtrace {

namespace {

constexpr uint32_t kFollowsNone = UINT32_MAX;

/// The utterances of one file.
class Lines {
 public:
  Lines(const RawTrace& trace, std::span<Utterance> said) : trace_(trace), said_(said) {}

  /// A heading speaks of what stands behind it in the file, wherever that was before.
  bool are_rearranged() {
    if (std::none_of(said_.begin(), said_.end(),
                     [](const Utterance& line) { return line.is_chained && line.after; }))
      return false;
    for (const Utterance& line : said_)
      if (line.kind == Utterance::Kind::heading) return false;
    find_followed();
    for (uint32_t i = 0; i < said_.size(); ++i)
      if (followed_[i] != kFollowsNone && followed_[i] > i) return true;
    return false;
  }

  void put_in_order() {
    std::vector<std::vector<uint32_t>> followers(said_.size());
    for (uint32_t i = 0; i < said_.size(); ++i)
      if (followed_[i] == kFollowsNone)
        ready_.push(place_of(i, kNoTime));
      else
        followers[followed_[i]].push_back(i);
    std::vector<bool> is_told(said_.size());
    while (order_.size() < said_.size()) {
      if (ready_.empty()) ready_.push(place_of(next_of_circle(is_told), kNoTime));
      Place next = ready_.top();
      ready_.pop();
      uint32_t line = next.line;
      if (is_told[line]) continue;
      is_told[line] = true;
      order_.push_back(line);
      for (uint32_t follower : followers[line]) ready_.push(place_of(follower, next.time));
    }
    std::vector<Utterance> ordered;
    ordered.reserve(said_.size());
    for (uint32_t line : order_) ordered.push_back(said_[line]);
    std::copy(ordered.begin(), ordered.end(), said_.begin());
  }

 private:
  struct Place {
    Time time;
    std::string_view id;
    uint32_t line;
    bool operator<(const Place& other) const {  // the first one is on top of the queue
      return std::tie(time, id, line) > std::tie(other.time, other.id, other.line);
    }
  };

  void find_followed() {
    std::unordered_map<uint32_t, uint32_t> by_id;
    for (uint32_t i = 0; i < said_.size(); ++i)
      if (said_[i].id) by_id.emplace(said_[i].id.index, i);
    followed_.assign(said_.size(), kFollowsNone);
    for (uint32_t i = 0; i < said_.size(); ++i)
      if (auto found = by_id.find(said_[i].after.index); said_[i].after && found != by_id.end())
        followed_[i] = found->second;
  }

  /// What has no time stands where the line before it does.
  Place place_of(uint32_t line, Time before) const {
    const Utterance& said = said_[line];
    return {said.time == kNoTime ? before : said.time, trace_[said.id], line};
  }

  uint32_t next_of_circle(const std::vector<bool>& is_told) {
    while (is_told[circle_]) ++circle_;
    return circle_;
  }

  const RawTrace& trace_;
  std::span<Utterance> said_;
  std::vector<uint32_t> followed_;  ///< by line the one that it follows, in this file
  std::priority_queue<Place> ready_;
  std::vector<uint32_t> order_;
  uint32_t circle_ = 0;
};

}  // namespace

void order_lines(RawTrace& trace) {
  auto begin = trace.utterances.begin();
  while (begin != trace.utterances.end()) {
    auto end = std::find_if(begin, trace.utterances.end(), [&](const Utterance& said) {
      return said.source.file != begin->source.file;
    });
    Lines lines(trace, {begin, end});
    if (lines.are_rearranged()) lines.put_in_order();
    begin = end;
  }
}

}  // namespace xtrace
