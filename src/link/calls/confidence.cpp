#include <algorithm>
#include <cmath>

#include "link/calls/link.h"

namespace xtrace {

namespace {

/// More digits would claim to know more than a prior does.
double whole_hundredths(double share) {
  return static_cast<double>(std::llround(share * 100)) / 100;
}

/// Ids and equal messages prove; what stands in for a lost id nearly does. A guess by type and time
/// is given 0.95 at best and 0.85 at worst: less with every rival, and with the time that passed.
/// The numbers of guesses are priors, not measurements.
double confidence_whatever_the_clock(const Link& link) {
  if (link.given_confidence >= 0) return link.given_confidence;
  const auto shared = [&](double prior) { return whole_hundredths(prior / (1 + link.rivals)); };
  switch (link.rule) {
    case Rule::response_id:
    case Rule::agent_id: return 1.0;
    // Conversations may say word for word the same, and only one of them is gone on with.
    case Rule::tool_use_id:
    case Rule::messages_and_answer:
    case Rule::same_messages:
    case Rule::summary: return shared(1);
    // Equal prompts may be twins; one of them started the subagent.
    case Rule::prompt: return shared(0.99);
    case Rule::result_text: return shared(0.95);
    // Where nothing shows whose line it is, any agent that waits for an answer may have got it.
    case Rule::transcript: return shared(1);
    // The very same command at the very same time shows nothing about which it was.
    case Rule::tool_argument: return shared(0.99);
    case Rule::echoed_history:
    case Rule::messages:
    case Rule::truncated:
    case Rule::rewritten: return shared(0.95);
    case Rule::shared_passage: {
      // The longer, the less by chance; who else said it as well may have been the source.
      const double by_chance = std::max(0.05, 0.4 * kShortestPassage / std::max(1u, link.shared));
      return shared(1 - by_chance);
    }
    case Rule::content: return 1.0;
    // Whatever no tool of the log wrote into the file meanwhile is not on record.
    case Rule::path: return 0.9;
    case Rule::type_and_gap: {
      const double spent = std::chrono::duration<double>(link.gap) / kLongestGap;
      return whole_hundredths(std::max(0.4, 0.6 - 0.2 * spent - 0.05 * link.rivals));
    }
    case Rule::time: return shared(0.9);
    case Rule::type_and_time: {
      const double minutes =
          std::chrono::duration<double, std::ratio<60>>(std::max(link.gap, Duration{0})).count();
      const double spent = std::min(minutes / 60, 1.0) * 0.05;
      const double rivals = std::min<double>(link.rivals, 2) * 0.025;
      return whole_hundredths(0.95 - spent - rivals);
    }
    // No rules of links:
    case Rule::parent:
    case Rule::follows_from:
    case Rule::only_one:
    case Rule::call_pattern:
    case Rule::linked:
    case Rule::nearest:
    case Rule::request_id:
    case Rule::span_id:
    case Rule::parent_span:
    case Rule::turn:
    case Rule::trigger:
    case Rule::task_order:
    case Rule::adjusted:
    case Rule::told:
    case Rule::stamp:
    case Rule::until_turn_end: break;
  }
  return 0;
}

}  // namespace

double confidence_in_calls(const Link& link) {
  const double found = confidence_whatever_the_clock(link);
  return link.starts_early ? std::min(found, kMostAgainstTheClock) : found;
}

double confidence(const Link& link) {
  const double calls = confidence_in_calls(link);
  return link.twins == 0 ? calls : whole_hundredths(calls / (1 + link.twins));
}

}  // namespace xtrace
