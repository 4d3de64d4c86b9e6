#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/digits.h"
#include "base/text.h"
#include "facts/tool_targets.h"
#include "link/calls/linkers.h"
#include "link/reuse/handoffs.h"

namespace xtrace {

namespace {

/// A text that is shorter may be in any file.
constexpr size_t kShortestWritten = 12;

/// Compares what a tool read with what was written, white space folded. Many tools number the lines
/// that they read: a number before a word is passed over if it is the next one.
class NumberedText {
 public:
  explicit NumberedText(std::string_view text) : text_(text) {}

  bool holds(std::string_view written) const {
    constexpr int kMostPlaces = 256;
    const std::string_view word = written.substr(0, written.find(' '));
    size_t at = text_.find(word);
    for (int i = 0; i < kMostPlaces && at != text_.npos; ++i, at = text_.find(word, at + 1))
      if (continues_with(written, at)) return true;
    return false;
  }

 private:
  bool continues_with(std::string_view written, size_t at) const {
    uint64_t next = 0;  // number of the next line; 0: not known
    for (size_t i = 0; i < written.size(); ++i, ++at) {
      const bool begins_word = i > 0 && written[i - 1] == ' ';
      if (begins_word) {
        while (next != 0 && number_at(at).value == next) at = number_at(at).end, ++next;
        const Number first = number_at(at);
        const bool is_number = next == 0 && first.value != 0 && !is_equal(written, i, at);
        if (is_number) at = first.end, next = first.value + 1;
        while (is_number && number_at(at).value == next) at = number_at(at).end, ++next;
      }
      if (at >= text_.size() || text_[at] != written[i]) return false;
    }
    return true;
  }

  bool is_equal(std::string_view written, size_t i, size_t at) const {
    const std::string_view word = written.substr(i, written.find(' ', i) - i);
    return text_.substr(at, word.size()) == word;
  }

  struct Number {
    uint64_t value = 0;  ///< 0: there is none
    size_t end = 0;      ///< of the number and the sign after it
  };
  Number number_at(size_t at) const {
    constexpr std::string_view kSigns[] = {"→ ", "→", ": ", ":", "| ", "|", " "};
    constexpr size_t kMostDigits = 9;
    Number number;
    size_t end = at;
    while (end < text_.size() && is_digit(text_[end]) && end - at < kMostDigits)
      number.value = number.value * 10 + static_cast<uint64_t>(text_[end++] - '0');
    for (const std::string_view sign : kSigns)
      if (text_.substr(end).starts_with(sign)) return {number.value, end + sign.size()};
    return {};
  }

  std::string_view text_;
};

/// Finds what a tool use writes into a file and a later one reads from it, before anything else is
/// written into that.
class HandoffLinks {
 public:
  HandoffLinks(const Timeline& timeline, const Sessions& sessions, bool across, Findings& out)
      : timeline_(timeline),
        trace_(timeline.trace()),
        sessions_(sessions),
        across_(across),
        out_(out),
        first_(trace_.messages.size() + 1) {
    for (const MessageText& text : trace_.message_texts) ++first_[text.message.index + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    for (const ToolResult& result : trace_.tool_results)
      if (result.tool_use) results_.try_emplace(result.tool_use.index, result.message);
    for (const Link& link : out.links)
      if (link.kind == LinkKind::tool_result && link.tool_use && !link.is_again)
        readers_.try_emplace(link.tool_use.index, Reader{link.to, link.is_error});
  }

  void find() {
    std::vector<bool> seen(trace_.messages.size());
    for (const CallId call : by_end()) {
      const MessageId answer = timeline_[call].answer;
      if (!answer || seen[answer.index]) continue;
      seen[answer.index] = true;
      // Nothing shows in which order tools work that are asked for at once.
      for (const ToolUse& use : timeline_.uses_in(answer))
        if (file_use_of(trace_, use) == FileUse::reads) read(call, use);
      for (const ToolUse& use : timeline_.uses_in(answer))
        if (file_use_of(trace_, use) == FileUse::writes) write(call, use);
    }
  }

 private:
  struct Reader {
    CallId call;  ///< that reads the result first
    bool is_error = false;
  };

  /// The calls by when their tools begin. One without a time follows the one before it.
  std::vector<CallId> by_end() const {
    std::vector<std::pair<Time, CallId>> calls;
    Time latest = Time::min();
    for (const CallId call : timeline_.in_order()) {
      const Time end = timeline_[call].end();
      if (end != kNoTime) latest = std::max(latest, timeline_[call].start);
      calls.emplace_back(end == kNoTime ? latest : end, call);
    }
    std::ranges::stable_sort(calls, {}, [](const auto& one) { return one.first; });
    std::vector<CallId> ordered;
    ordered.reserve(calls.size());
    for (const auto& [end, call] : calls) ordered.push_back(call);
    return ordered;
  }

  std::string path_of(CallId call, StringId target) const {
    const Session& session = sessions_.all[sessions_.of[call.index]];
    return canonical_path(trace_[session.project], trace_[target]);
  }

  const Reader* reader_of(const ToolUse& use) const {
    const auto found = readers_.find(timeline_.id_of(use).index);
    return found == readers_.end() ? nullptr : &found->second;
  }

  void write(CallId call, const ToolUse& use) {
    if (const Reader* const reader = reader_of(use); reader != nullptr && reader->is_error) return;
    for (const StringId target : targets_of(trace_, use))
      handoffs_.wrote(path_of(call, target), {timeline_.id_of(use), call});
  }

  void read(CallId call, const ToolUse& use) {
    const Reader* const reader = reader_of(use);
    if (reader == nullptr || reader->is_error) return;
    for (const StringId target : targets_of(trace_, use)) {
      const std::string path = path_of(call, target);
      handoffs_.read(path, timeline_.id_of(use));
      const std::span<const Handoffs::Write> writes = handoffs_.writes_before(timeline_.id_of(use));
      if (writes.empty()) continue;
      const Handoffs::Write& latest = writes.front();
      const bool crosses = sessions_.of[latest.call.index] != sessions_.of[call.index];
      // A folder that is not on record may be another one.
      if (crosses != across_ || (crosses && !is_absolute_path(path))) continue;
      if (latest.call == reader->call || !known_.emplace(latest.use, reader->call).second) continue;
      add(latest, use, reader->call);
    }
  }

  void add(const Handoffs::Write& write, const ToolUse& use, CallId reader) {
    Link link;
    link.from = write.call;
    link.to = reader;
    link.kind = LinkKind::file_handoff;
    link.shared = shared_text(trace_.tool_uses[write.use.index], use);
    link.rule = link.shared > 0 ? Rule::content : Rule::path;
    link.key = trace_.tool_uses[write.use.index].id;
    link.gap = timeline_.gap(write.call, reader);
    out_.links.push_back(link);
  }

  std::span<const MessageText> texts_of(MessageId message) const {
    return std::span(trace_.message_texts)
        .subspan(first_[message.index], first_[message.index + 1] - first_[message.index]);
  }

  /// The characters of the longest text that the one was given and the other read; 0: there is
  /// none.
  uint32_t shared_text(const ToolUse& write, const ToolUse& read) const {
    const auto result = results_.find(read.id.index);
    if (result == results_.end()) return 0;
    size_t longest = 0;
    for (const MessageText& written : texts_of(write.message)) {
      const std::string_view text = trace_[written.text];
      const size_t length = characters(text);
      if (length < kShortestWritten || length <= longest || names_target(write, text)) continue;
      for (const MessageText& given : texts_of(result->second))
        if (NumberedText(trace_[given.text]).holds(text)) longest = length;
    }
    return static_cast<uint32_t>(longest);
  }

  bool names_target(const ToolUse& use, std::string_view text) const {
    return std::ranges::any_of(targets_of(trace_, use),
                               [&](StringId target) { return trace_[target] == text; });
  }

  const Timeline& timeline_;
  const Trace& trace_;
  const Sessions& sessions_;
  bool across_;
  Findings& out_;
  std::vector<uint32_t> first_;                      ///< by message: of its texts
  std::unordered_map<uint32_t, MessageId> results_;  ///< by the id of a tool use
  std::unordered_map<uint32_t, Reader> readers_;     ///< by tool use
  std::set<std::pair<ToolUseId, CallId>> known_;
  Handoffs handoffs_;
};

void link_handoffs(const Timeline& timeline, const Sessions& sessions, const Agents&,
                   Findings& out) {
  HandoffLinks(timeline, sessions, false, out).find();
}

void link_handoffs_across(const Timeline& timeline, const Sessions& sessions, const Agents&,
                          Findings& out) {
  HandoffLinks(timeline, sessions, true, out).find();
}

}  // namespace

extern constinit const OptIn kFileHandoffLinker = {
    .name = "file_handoff",
    .summary = "a file that was written and read again within a session",
    .compares_message_texts = true,
    .find = link_handoffs,
};
extern constinit const OptIn kSessionHandoffLinker = {
    .name = "session_handoff",
    .summary = "a file that one session wrote and another read",
    .compares_message_texts = true,
    .find = link_handoffs_across,
};

}  // namespace xtrace
