#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "link/calls/linkers.h"

namespace xtrace {

namespace {

/// Passages of this many characters are known by their hash. Of every kWindow in a row one is kept,
/// the least, so that two texts which share kGram + kWindow - 1 characters share one that is kept
/// (Schleimer, Wilkerson, Aiken: Winnowing, 2003).
constexpr size_t kGram = 40, kWindow = kShortestPassage - kGram + 1;

/// Calls `each(offset, hash)` for the grams of `text` that are kept.
template <class Each>
void winnow(std::string_view text, Each each) {
  if (text.size() < kShortestPassage) return;
  struct Gram {
    uint64_t hash;
    size_t at;
  };
  std::deque<Gram> least;  // hashes ascend; the first is the least of the window
  size_t kept = std::string_view::npos;
  for (size_t at = 0; at + kGram <= text.size(); ++at) {
    uint64_t hash = hash_of(text.substr(at, kGram));
    while (!least.empty() && least.back().hash >= hash) least.pop_back();
    least.push_back({hash, at});
    if (least.front().at + kWindow <= at) least.pop_front();
    if (at + 1 < kWindow || least.front().at == kept) continue;
    kept = least.front().at;
    each(kept, least.front().hash);
  }
}

/// Finds what one conversation says that an answer of another said first. Calls are visited in
/// order of time: what a request brings is compared with what was said until then.
class Reuse {
 public:
  Reuse(const Timeline& timeline, const Sessions& sessions, const Agents& agents, Findings& out)
      : timeline_(timeline),
        sessions_(sessions),
        agents_(agents),
        out_(out),
        heard_(timeline.trace().messages.size()) {
    const std::vector<MessageText>& message_texts = timeline.trace().message_texts;
    first_.resize(heard_.size() + 1);
    for (const MessageText& message_text : message_texts) ++first_[message_text.message.index + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    for (const Link& link : out.links)
      if (link.kind == LinkKind::subagent_spawn) spawns_.emplace(link.from, link.to);
  }

  void find() {
    struct Turn {
      Time at;
      uint32_t rank;
      bool answers;
    };
    std::vector<Turn> turns;
    Time latest = Time::min();
    for (CallId call : timeline_.in_order()) {
      // A call without a time follows the one before it.
      Time start = timeline_[call].start;
      latest = start == kNoTime ? latest : std::max(latest, start);
      Time end = timeline_[call].end();
      turns.push_back({latest, timeline_.rank(call), false});
      turns.push_back(
          {end == kNoTime ? latest : std::max(latest, end), timeline_.rank(call), true});
    }
    std::stable_sort(turns.begin(), turns.end(),
                     [](const Turn& a, const Turn& b) { return a.at < b.at; });
    for (const Turn& turn : turns) {
      CallId call = timeline_.in_order()[turn.rank];
      turn.answers ? answer(call) : ask(call);
    }
  }

 private:
  /// Where someone said something first.
  struct Mention {
    uint32_t text;  ///< index into the message_texts
    uint32_t at;
    CallId speaker;  ///< nowhere: whoever asked, not a model
  };
  /// How far two texts are the same around one place.
  struct Passage {
    size_t length = 0;  ///< characters
    size_t right = 0;   ///< bytes from that place on
  };
  struct Shared {
    uint32_t length = 0;
    std::set<CallId> also;  ///< others that said it too
  };

  std::string_view text(uint32_t i) const {
    return timeline_.trace()[timeline_.trace().message_texts[i].text];
  }
  /// Guesses stay within a session; what a conversation says itself is no news to it.
  bool may_tell(CallId speaker, CallId call) const {
    return sessions_.of[speaker.index] == sessions_.of[call.index] &&
           agents_.conversation_of[speaker.index] != agents_.conversation_of[call.index];
  }

  void ask(CallId call) {
    std::map<CallId, Shared> from;
    for (MessageId message : timeline_.read_new(call, heard_)) {
      bool told = timeline_[message].role == Message::Role::user;
      for (uint32_t i = first_[message.index]; i < first_[message.index + 1]; ++i) {
        if (told) compare(i, call, from);
        // An answer that only the history shows is the conversation's own.
        say(i, told ? CallId{} : call);
      }
    }
    for (const auto& [speaker, shared] : from) add(speaker, call, shared);
  }

  void answer(CallId call) {
    MessageId message = timeline_[call].answer;
    if (!message || heard_[message.index]) return;
    heard_[message.index] = true;
    for (uint32_t i = first_[message.index]; i < first_[message.index + 1]; ++i) say(i, call);
  }

  void say(uint32_t i, CallId speaker) {
    winnow(text(i), [&](size_t at, uint64_t hash) {
      auto [known, is_new] = said_.emplace(hash, Mention{i, static_cast<uint32_t>(at), speaker});
      if (is_new || !speaker || known->second.speaker == speaker) return;
      std::vector<Mention>& again = again_[hash];
      constexpr size_t kLooked = 8;
      if (again.size() < kLooked &&
          std::none_of(again.begin(), again.end(),
                       [&](const Mention& one) { return one.speaker == speaker; }))
        again.push_back({i, static_cast<uint32_t>(at), speaker});
    });
  }

  Passage passage_of(std::string_view here, size_t at, const Mention& said) const {
    std::string_view there = text(said.text);
    size_t left = 0, right = 0;
    while (left < at && left < said.at && here[at - left - 1] == there[said.at - left - 1]) ++left;
    while (at + right < here.size() && said.at + right < there.size() &&
           here[at + right] == there[said.at + right])
      ++right;
    return {characters(here.substr(at - left, left + right)), right};
  }

  /// Of those who said it before, who said most of it told it on; of equals the first.
  void compare(uint32_t i, CallId call, std::map<CallId, Shared>& from) {
    size_t behind = 0;
    winnow(text(i), [&](size_t at, uint64_t hash) {
      auto known = said_.find(hash);
      if (at < behind || known == said_.end()) return;
      const Mention& first = known->second;
      if (!first.speaker || !may_tell(first.speaker, call)) return;
      std::vector<std::pair<Passage, CallId>> told = {
          {passage_of(text(i), at, first), first.speaker}};
      if (auto again = again_.find(hash); again != again_.end())
        for (const Mention& other : again->second)
          if (may_tell(other.speaker, call))
            told.emplace_back(passage_of(text(i), at, other), other.speaker);
      const auto& [longest, speaker] = *std::max_element(
          told.begin(), told.end(),
          [&](const auto& a, const auto& b) { return a.first.length < b.first.length; });
      behind = at + longest.right;
      if (longest.length < kShortestPassage) return;
      Shared& shared = from[speaker];
      shared.length = std::max(shared.length, static_cast<uint32_t>(longest.length));
      for (const auto& [passage, other] : told)
        if (other != speaker && passage.length == longest.length) shared.also.insert(other);
    });
  }

  static size_t characters(std::string_view text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    }));
  }

  void add(CallId speaker, CallId call, const Shared& shared) {
    if (spawns_.contains({speaker, call})) return;  // its prompt, which the spawn speaks of
    Link link;
    link.from = speaker;
    link.to = call;
    link.kind = LinkKind::content_reuse;
    link.rule = Rule::shared_passage;
    link.shared = shared.length;
    link.gap = timeline_.gap(speaker, call);
    for (CallId other : shared.also) out_.name_rival(link, other, {}, shared.also.size() + 1);
    link.rivals = static_cast<uint16_t>(shared.also.size());
    out_.links.push_back(link);
  }

  const Timeline& timeline_;
  const Sessions& sessions_;
  const Agents& agents_;
  Findings& out_;
  std::vector<bool> heard_;
  std::vector<uint32_t> first_;  ///< by message: of its message_texts
  std::set<std::pair<CallId, CallId>> spawns_;
  std::unordered_map<uint64_t, Mention> said_;
  std::unordered_map<uint64_t, std::vector<Mention>> again_;
};

void link_reused_content(const Timeline& timeline, const Sessions& sessions, const Agents& agents,
                         Findings& out) {
  Reuse(timeline, sessions, agents, out).find();
}

}  // namespace

extern constinit const OptIn kContentReuseLinker = {
    .name = "content_reuse",
    .summary = "a passage of one conversation's reply in another's request",
    .compares_message_texts = true,
    .find = link_reused_content,
};

}  // namespace xtrace
