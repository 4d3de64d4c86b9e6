#include "input/transcripts/unread.h"

#include <algorithm>
#include <unordered_set>

#include "facts/rows.h"

namespace xtrace {

namespace {

class UnreadFinder {
 public:
  UnreadFinder(const WaysTaken& ways, std::vector<TranscriptCall>& calls)
      : ways_(ways), calls_(calls) {}

  void find(size_t first) {
    if (ways_.open != SaidSince::kNone) look_at(ways_.branches[ways_.open]);
    for (const Left& one : left_) leave(one);
    left_.clear();
    for (size_t at = 0; at < ways_.branches.size(); ++at)
      if (at != ways_.open) look_at(ways_.branches[at]);
    if (left_.empty()) return;
    for (size_t at = first; at < calls_.size(); ++at)
      for (uint32_t i : calls_[at].asked) note(i);
    for (const Left& one : left_)
      if (!is_noted(one.utterance)) leave(one);
  }

 private:
  struct Left {
    uint32_t utterance, call;
  };

  std::span<const ToolResult> results_of(uint32_t i) const {
    const MessageId message = ways_.trace.utterances[i].message;
    return message ? rows_of(ways_.trace.tool_results, message) : std::span<const ToolResult>();
  }

  /// Branches have much of what was said in common, which is looked at once.
  void look_at(const TranscriptBranch& branch) {
    if (branch.last == SaidSince::kNone) return;
    const size_t begin = left_.size();
    for (uint32_t at = branch.since; at != SaidSince::kNone && seen_.insert(at).second;
         at = ways_.said_since[at].before)
      if (const uint32_t i = ways_.said_since[at].utterance; !results_of(i).empty())
        left_.push_back({i, branch.last});
    std::reverse(left_.begin() + static_cast<std::ptrdiff_t>(begin), left_.end());
  }

  void note(uint32_t i) {
    for (const ToolResult& result : results_of(i)) told_.insert(result.tool_use.index);
  }
  bool is_noted(uint32_t i) const {
    return std::ranges::any_of(results_of(i), [&](const ToolResult& result) {
      return told_.contains(result.tool_use.index);
    });
  }

  void leave(const Left& one) {
    calls_[one.call].unread.push_back(one.utterance);
    note(one.utterance);
  }

  const WaysTaken& ways_;
  std::vector<TranscriptCall>& calls_;
  std::vector<Left> left_;
  std::unordered_set<uint32_t> seen_, told_;  ///< items; tool uses
};

}  // namespace

void find_unread(const WaysTaken& ways, std::vector<TranscriptCall>& calls, size_t first) {
  UnreadFinder(ways, calls).find(first);
}

}  // namespace xtrace
