#include "input/transcripts/message_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

bool begins_step(const Utterance& said) {
  return said.kind == Kind::answered && said.is_awaited;
}
bool ends_step(const Utterance& said) {
  return said.kind == Kind::answered && !said.is_awaited &&
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
      if (said.kind == Kind::answered && said.id == said.answer && !said.is_part)
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
    end_step(last, whole.is_begun ? last.time : std::max(latest_, after(whole.time, whole.took)));
    if (whole.outcome == Outcome::error) last.outcome = whole.outcome, last.error = whole.error;
    if (whole.stop_reason) end.stop_reason = whole.stop_reason;
    // The message itself stands for its first step, before the parts of that.
    Utterance& told = *message.told;
    const Utterance& first = said(steps.front().front());
    told.took = first.took;
    told.is_begun = first.is_begun;
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
      if (gave_something(i)) latest_ = std::max(latest_, said(i + 1).time);
    }
    if (whole.time == kNoTime) return;  // of what is printed every part has a time of its own
    said(parts.front()).time = began;
    end_step(said(parts.front()), spoken);
  }

  /// What a tool gave stands behind its part.
  bool gave_something(uint32_t i) {
    if (i + 1 == trace_.utterances.size()) return false;
    const Utterance &part = said(i), &next = said(i + 1);
    return next.kind == Kind::asked && !next.is_part && !next.answer &&
           next.source.file == part.source.file && part.kind == Kind::answered && next.id &&
           part.id && trace_[next.id].starts_with(trace_[part.id]);
  }

  /// Where nothing tells when it ended, nobody knows how long it took.
  static void end_step(Utterance& first, Time end) {
    const Duration took = elapsed(first.time, end);
    first.is_begun = took <= Duration{0};
    first.took = first.is_begun ? kNoDuration : took;
  }

  RawTrace& trace_;
  Time latest_ = kNoTime;  ///< by then something was said or given in the message
};

}  // namespace

void tell_steps_apart(RawTrace& trace) {
  StepTeller(trace).tell();
}

}  // namespace xtrace
