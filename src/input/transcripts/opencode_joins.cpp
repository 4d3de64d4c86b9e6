#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "input/transcripts/agent_pass.h"
#include "input/transcripts/fill_in.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// Is it what a tool gave? That follows the part which asked for it, by a name that begins with
/// that one's.
bool is_given_by(const RawTrace& trace, const Utterance& part, const Utterance& next) {
  return part.kind == Kind::answered && part.id && next.kind == Kind::asked && !is_part(next) &&
         next.id && next.source.file == part.source.file &&
         trace[next.id].starts_with(trace[part.id]);
}

void silence_part(Utterance& said) {
  said.kind = Kind::silent;
  said.id = said.answer = {};
  said.form = Utterance::Form::piece;
}

/// Parts of messages that were kept one by one may be on record twice, or next to their message as
/// a whole: files that were left behind when a program moved them to its database, an export. An id
/// counts once: the message that is whole before its parts, a part where it was read first. Parts
/// have to know the message that they are of.
void drop_duplicate_parts(RawTrace& trace) {
  std::vector<Utterance>& all = trace.utterances;
  std::unordered_set<uint32_t> parted, whole;  // messages, by id
  for (const Utterance& said : all)
    if (is_part(said) && said.answer) parted.insert(said.answer.index);
  if (parted.empty()) return;
  for (const Utterance& said : all) {
    const bool has_all =
        is_whole(said) ? said.id == said.answer : said.kind == Kind::asked && said.message;
    if (has_all && !is_part(said) && said.id && parted.contains(said.id.index))
      whole.insert(said.id.index);
  }
  std::unordered_map<uint32_t, uint32_t> file_of;  // by id of a part
  // The record of a message whose parts are elsewhere says nothing by itself.
  const auto is_repeat = [&](const Utterance& said) {
    if (is_part(said))
      return whole.contains(said.answer.index) ||
             (said.id &&
              file_of.emplace(said.id.index, said.source.file).first->second != said.source.file);
    const bool is_bare = said.kind == Kind::asked ? !said.message : said.kind == Kind::answered;
    return is_bare && !is_whole(said) && said.id && whole.contains(said.id.index);
  };
  for (size_t i = 0; i < all.size(); ++i) {
    if (!is_repeat(all[i])) continue;
    // A text is read as a prompt's and as an answer's.
    if (!is_part(all[i]) || all[i].kind != Kind::asked) ++trace.sources[all[i].source.file].copies;
    if (is_part(all[i]) && i + 1 < all.size() && is_given_by(trace, all[i], all[i + 1]))
      silence_part(all[i + 1]);
    silence_part(all[i]);
  }
}

bool begins_step(const Utterance& said) {
  return said.kind == Kind::answered && said.begins_step;
}
bool ends_step(const Utterance& said) {
  return said.kind == Kind::answered && !said.begins_step &&
         (said.tokens != Tokens{} || said.cost != kNoCount || said.stop_reason);
}

/// A message, by its name.
struct PartedMessage {
  Utterance* told = nullptr;      ///< the record of the message itself, where there is one
  std::vector<uint32_t> parts{};  ///< in the order in which they are told
};

class StepTeller {
 public:
  explicit StepTeller(RawTrace& trace) : trace_(trace) {}

  void tell() {
    std::map<uint32_t, PartedMessage> messages;  // by name
    for (const Utterance& said : trace_.utterances)
      if (begins_step(said) && said.answer) messages.try_emplace(said.answer.index);
    if (messages.empty()) return;
    for (uint32_t i = 0; i < trace_.utterances.size(); ++i) {
      Utterance& said = trace_.utterances[i];
      const auto message = messages.find(said.answer.index);
      if (!said.answer || message == messages.end()) continue;
      if (said.kind == Kind::answered && said.id == said.answer && !is_part(said))
        message->second.told = &said;
      else
        message->second.parts.push_back(i);
    }
    for (auto& [name, message] : messages) take_apart(message);
  }

 private:
  Utterance& said(uint32_t i) { return trace_.utterances[i]; }

  void take_apart(const PartedMessage& message) {
    std::vector<std::vector<uint32_t>> steps(1);
    bool is_over = false;
    for (uint32_t i : message.parts) {
      if (is_over && begins_step(said(i))) steps.emplace_back();
      is_over = !begins_step(said(i)) && (is_over || ends_step(said(i)));
      steps.back().push_back(i);
    }
    if (steps.size() < 2) return;
    const Utterance whole = message.told != nullptr ? *message.told : Utterance{};
    latest_ = whole.time;
    for (size_t nth = 0; nth < steps.size(); ++nth) name_step(steps[nth], nth, whole);
    Utterance &last = said(steps.back().front()), &end = said(steps.back().back());
    if (message.told == nullptr) return;
    end_step(last, whole.version == Utterance::Version::begun
                       ? last.time
                       : std::max(latest_, after(whole.time, whole.took)));
    if (whole.outcome == Outcome::error) last.outcome = whole.outcome, last.error = whole.error;
    if (whole.stop_reason) end.stop_reason = whole.stop_reason;
    // The message itself represents its first step, before the parts of that.
    Utterance& told = *message.told;
    const Utterance& first = said(steps.front().front());
    told.took = first.took;
    told.version = first.version;
    told.outcome = first.outcome;
    told.error = told.stop_reason = {};
    told.tokens = {};
    told.cost = kNoCount;
  }

  void name_step(const std::vector<uint32_t>& parts, size_t nth, const Utterance& whole) {
    const Time began = latest_;
    Time spoken = began;
    const StringId message = said(parts.front()).answer;
    const StringId name =
        nth == 0 ? message : trace_.strings.intern(fmt::format("{}/{}", trace_[message], nth + 1));
    for (uint32_t i : parts) {
      Utterance& part = said(i);
      part.answer = part.kind == Kind::failed ? StringId{} : name;
      if (!part.model) part.model = whole.model;
      if (!part.provider) part.provider = whole.provider;
      if (part.time == kNoTime) part.time = spoken;
      if (!part.session) part.session = whole.session;
      spoken = std::max(spoken, part.time);
      latest_ = std::max(latest_, spoken);
      if (i + 1 < trace_.utterances.size() && !said(i + 1).answer &&
          is_given_by(trace_, part, said(i + 1)))
        latest_ = std::max(latest_, said(i + 1).time);
    }
    if (whole.time == kNoTime) return;  // of what is printed every part has a time of its own
    said(parts.front()).time = began;
    end_step(said(parts.front()), spoken);
  }

  /// Where nothing shows when it ended, nobody knows how long it took.
  static void end_step(Utterance& first, Time end) {
    const Duration took = elapsed(first.time, end);
    const bool is_known = took > Duration{0};
    first.version = is_known ? Utterance::Version::only : Utterance::Version::begun;
    first.took = is_known ? took : kNoDuration;
  }

  RawTrace& trace_;
  Time latest_ = kNoTime;  ///< by then something was said or given in the message
};

/// A message in parts may hold the answers of several calls: steps that each begin with a part
/// which says so (`begins_step`) and end with one that counts what it used up. Each becomes an
/// answer by itself; what the message counts is that of its last step, or of all of them. What the
/// tools of one step gave was there before the next one began.
void tell_steps_apart(RawTrace& trace) {
  StepTeller(trace).tell();
}

/// An attempt took from when the answer was asked for until it failed; then the next one began.
void begin_after(Utterance& attempt, Utterance& answer) {
  const Duration took = elapsed(answer.time, attempt.time);
  attempt.answer = {};
  attempt.model = answer.model;
  if (took < Duration{0}) return;
  attempt.took = took;
  std::swap(attempt.time, answer.time);
  if (answer.took != kNoDuration) answer.took = std::max(answer.took - took, Duration{0});
}

/// Gives parts of messages the side, time and session of their messages. A part that does not name
/// its message is in the folder that does. Parts that are on record twice count once, and a message
/// that holds the answers of several calls becomes one for each.
void join_parts(RawTrace& trace) {
  for (Utterance& said : trace.utterances) {
    if (!is_part(said) || said.answer) continue;
    std::string_view path = trace.sources[said.source.file].path;
    cut_last(path);
    said.answer = trace.strings.intern(cut_last(path));
  }
  drop_duplicate_parts(trace);
  tell_steps_apart(trace);
  if (std::none_of(trace.utterances.begin(), trace.utterances.end(),
                   [](const Utterance& said) { return is_part(said); }))
    return;
  std::unordered_map<uint32_t, Utterance*> message_of;  // by id
  for (Utterance& said : trace.utterances)
    if (!is_part(said) && said.id) message_of.emplace(said.id.index, &said);
  const auto message_with = [&](const Utterance& part) {
    const auto found = message_of.find(part.answer.index);
    return found == message_of.end() ? nullptr : found->second;
  };
  for (Utterance& said : trace.utterances) {
    if (!is_part(said)) continue;
    Utterance* message = message_with(said);
    if (said.kind == Kind::failed && message != nullptr) begin_after(said, *message);
  }
  for (Utterance& said : trace.utterances) {
    if (!is_part(said) || said.kind == Kind::failed) continue;
    const Utterance* message = message_with(said);
    const Kind kind = message == nullptr ? Kind::answered : message->kind;
    if (message != nullptr && said.time == kNoTime) said.time = message->time;
    if (message != nullptr && !said.session) said.session = message->session;
    if (said.kind == kind) continue;
    said.kind = Kind::silent;
    said.id = said.answer = {};
  }
}

}  // namespace

extern constinit const AgentPass kOpenCodeParts = {AgentPass::When::before_owners, join_parts};

}  // namespace xtrace
