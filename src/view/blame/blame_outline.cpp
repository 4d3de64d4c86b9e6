#include <fmt/format.h>

#include <algorithm>

#include "view/blame/blame_answer.h"
#include "view/common/preface.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

/// People check the first few; the rest are one option away.
constexpr size_t kLinesShown = 10;

/// Where all is in one file, without its name.
std::string short_place(const Blame& blame, uint32_t step) {
  const std::string_view place = blame.of().shown_at(step).view();
  const size_t colon = place.rfind(':');
  const bool is_one_file = blame.of().trace().sources.size() == 1;
  return std::string(is_one_file && colon != std::string_view::npos ? place.substr(colon + 1)
                                                                    : place);
}

std::string place_of(const Blame& blame, const BlameCandidate& one) {
  std::string place = short_place(blame, one.step);
  for (const FoundSignal& signal : one.signals) {
    if (signal.other == kNoStep || signal.other == one.step) continue;
    return fmt::format("{} ↔ {}", place, short_place(blame, signal.other));
  }
  return place;
}

}  // namespace

Outline outline_of(const Blame& blame, bool unfold) {
  Door& door = blame.of().door();
  Outline outline;
  const std::vector<BlameCandidate>& candidates = blame.found.candidates;
  const std::string_view at = blame.of().shown_at(blame.found.symptom).view();
  const bool is_one_file = blame.of().trace().sources.size() == 1;
  if (candidates.empty()) {
    outline.head.push_back(door.say("Nothing odd was recorded before {} ({}).",
                                    blame.of().id(blame.found.symptom).view(), at));
  } else {
    outline.head.push_back(
        door.say("Candidates for {} ({}), most telling first", blame.words_of_symptom(), at));
    outline.head.push_back(
        "Each is a place where something first looks odd. None is known to be the cause.");
    outline.columns = {{"", true},
                       {"strength", false, false, 2},
                       {"step", false, true},
                       {"what looks odd", false},
                       {is_one_file ? Text("line") : Text("at"), false, false, 1, !is_one_file}};
  }
  for (size_t i = 0; i < candidates.size(); ++i) {
    const BlameCandidate& one = candidates[i];
    outline.lines.push_back(
        {0,
         one.strength == Strength::strong ? Tone::heading
         : one.strength == Strength::weak ? Tone::quiet
                                          : Tone::plain,
         {static_cast<int64_t>(i) + 1, Door::own(word(one.strength)), blame.step_words(one.step),
          door.composed(blame.words(one)), door.composed(place_of(blame, one))}});
    outline.lines.back().is_spare = !unfold && i >= kLinesShown;
    if (const Text said = blame.of().text(one.step); !said.empty()) {
      outline.lines.push_back({1, Tone::quiet, {Cell(), Cell(), said}});
      outline.lines.back().is_prose = true;
      outline.lines.back().is_spare = !unfold && i >= kLinesShown;
    }
  }
  if (blame.omitted > 0)
    outline.foot.push_back(
        door.say("{} more", plural(static_cast<int64_t>(blame.omitted), "candidate")));
  for (const Text& sentence : blame.not_seen())
    outline.foot.push_back(door.say("Not seen: {}.", sentence.view()));
  add_hidden(blame.of().hidden(), blame.of().hops() != nullptr ? "span" : "call", "link", door,
             outline.foot);
  return outline;
}

}  // namespace xtrace
