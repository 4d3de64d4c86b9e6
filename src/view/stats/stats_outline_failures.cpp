#include <fmt/format.h>

#include "view/calls/costs.h"
#include "view/calls/waste_words.h"
#include "view/common/words.h"
#include "view/stats/stats_outline.h"

namespace xtrace {

void StatsOutlines::errors() {
  std::vector<ErrorCount> errors = errors_of(stats_);
  if (errors.empty()) return;
  int64_t all = 0;
  for (const ErrorCount& error : errors) all += error.times;
  Outline outline;
  outline.columns = {{"error", false, true},
                     {"source", false},
                     {"recorded as", false},
                     {"times", true},
                     {"share of errors", false, false, 1}};
  for (const ErrorCount& error : errors) {
    outline.lines.push_back(
        {0,
         Tone::plain,
         {Door::own(word(error.error_class)), Door::own(error.of), known(words_of(error, stats_)),
          error.times, say(share_bar(part_of(error.times, all)))}});
  }
  spare_all_but(kMostRows, outline);
  document_.add(std::move(outline));
}

void StatsOutlines::retries() {
  if (stats_.retries.empty()) return;
  Outline outline;
  outline.columns = {{"retried", false, true},
                     {"attempts", true},
                     {"outcome", false},
                     {"waited", false},
                     {stats_.calls != nullptr ? Text("model") : Text("name"), false},
                     stats_.place_column("at", "line")};
  for (const RetryChain& chain : stats_.retries) {
    std::string waits;
    for (const RetryChain::Attempt& attempt : chain.attempts) {
      if (attempt.waited == kNoDuration) continue;
      waits += (waits.empty() ? "" : ", ") + format_span(attempt.waited);
      if (attempt.was_asked != kNoDuration)
        waits += fmt::format(" ({} requested)", format_span(attempt.was_asked));
    }
    const CallOrHop& first = chain.attempts.front().node;
    outline.lines.push_back({0,
                             chain.ended == Outcome::error ? Tone::error : Tone::plain,
                             {stats_.id(first), static_cast<int64_t>(chain.attempts.size()),
                              Door::own(word(chain.ended)), known(say(waits)),
                              known(stats_.name(chain.name)), stats_.place(first)}});
  }
  spare_all_but(kMostRows, outline);
  document_.add(std::move(outline));
}

void StatsOutlines::repeated() {
  if (stats_.repeated.empty()) return;
  const Trace& trace = stats_.question.graph.trace();
  Outline outline;
  outline.columns = {{"repeated work", false, true},
                     {"times", true},
                     {"identical", false},
                     {"repeat cost", true},
                     stats_.place_column("first at", "first line")};
  for (const Repeated& same : stats_.repeated) {
    bool is_model = same.same == Repeated::Same::request;
    std::string what(name(same.name).view());
    if (same.target) what += ' ' + short_target(stats_.name(trace[same.target]).view());
    outline.lines.push_back({0,
                             Tone::plain,
                             {say(std::move(what)), static_cast<int64_t>(same.times),
                              Door::own(kSameWords[static_cast<size_t>(same.same)]),
                              is_model ? known(say(cost_words(stats_.again(same)))) : Cell(),
                              stats_.place({same.first, {}})}});
  }
  spare_all_but(kMostRows, outline);
  document_.add(std::move(outline));
}

void StatsOutlines::waste() {
  if (stats_.waste.empty()) return;
  Outline outline = waste_outline(*stats_.calls, stats_.waste, kFirstWaste, false);
  outline.head.push_back(say(waste_sum_words(stats_.waste) + "; details: xtrace advise"));
  document_.add(std::move(outline));
}

}  // namespace xtrace
