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
std::string short_place(const Blame& blame, const Extent& record) {
  const std::string_view place = blame.shown_at(record).view();
  const size_t colon = place.rfind(':');
  const bool is_one_file = blame.of().trace().sources.size() == 1;
  return std::string(is_one_file && colon != std::string_view::npos ? place.substr(colon + 1)
                                                                    : place);
}

/// `405 → 406 ↔ 411`: the step, its result if that is an error, and what the step is compared with.
std::string place_of(const Blame& blame, const BlameCandidate& one) {
  std::string place = short_place(blame, blame.record(one.step));
  if (blame.of().has_failed(one.step))
    if (const std::optional<Extent> result = blame.result(one.step))
      place += fmt::format(" → {}", short_place(blame, *result));
  for (const FoundSignal& signal : one.signals) {
    if (signal.other == kNoStep || signal.other == one.step) continue;
    return fmt::format("{} ↔ {}", place, short_place(blame, blame.record(signal.other)));
  }
  return place;
}

}  // namespace

Outline outline_of(const Blame& blame, bool unfold) {
  Door& door = blame.of().door();
  Outline outline;
  const std::vector<BlameCandidate>& candidates = blame.found.candidates;
  const bool is_one_file = blame.of().trace().sources.size() == 1;
  outline.head.push_back(blame.symptom_sentence());
  if (candidates.empty()) {
    outline.head.push_back("No earlier step looks odd.");
  } else {
    outline.head.push_back(
        "Candidates for why, most telling first: each is a place where something first looks odd. "
        "None is known to be the cause.");
    outline.columns = {{"", true},
                       {"strength", false},
                       {is_one_file ? Text("line") : Text("at"), false, false, 0, !is_one_file},
                       {"step, and what looks odd", false, true}};
  }
  for (size_t i = 0; i < candidates.size(); ++i) {
    const BlameCandidate& one = candidates[i];
    const bool is_spare = !unfold && i >= kLinesShown;
    outline.lines.push_back({0,
                             one.strength == Strength::strong ? Tone::heading
                             : one.strength == Strength::weak ? Tone::quiet
                                                              : Tone::plain,
                             {static_cast<int64_t>(i) + 1, Door::own(word(one.strength)),
                              door.composed(place_of(blame, one)), blame.step_words(one.step)}});
    outline.lines.back().is_spare = is_spare;
    const auto add = [&](const Text& words, Tone tone) {
      if (words.empty()) return;
      outline.lines.push_back({0, tone, {Cell(), Cell(), Cell(), words}});
      outline.lines.back().is_prose = true;
      outline.lines.back().is_spare = is_spare;
    };
    const std::string late = blame.place_words(one);
    add(door.composed(blame.words(one) + (late.empty() ? "" : "; " + late)), Tone::plain);
    add(blame.text(one.step), Tone::quiet);
    if (const Text error = blame.error_text(one.step); !error.empty())
      add(door.say("→ {}", error.view()), Tone::quiet);
  }
  if (blame.omitted > 0)
    outline.foot.push_back(
        door.say("{} more", plural(static_cast<int64_t>(blame.omitted), "candidate")));
  for (const Text& sentence : blame.not_seen())
    outline.foot.push_back(sentence.view() == blame.no_status().view()
                               ? door.say("{}.", sentence.view())
                               : door.say("Not seen: {}.", sentence.view()));
  add_hidden(blame.of().hidden(), blame.of().hops() != nullptr ? "span" : "call", "link", door,
             outline.foot);
  return outline;
}

}  // namespace xtrace
