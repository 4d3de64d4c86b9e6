#include "link/calls/linkers.h"

namespace xtrace {

// Each is in the file that does it.
extern const Linker kToldLinker, kConversationLinker, kToolResultLinker, kSpawnLinker,
    kHelperLinker;
extern const Guesser kSpawnByTypeLinker, kReportLinker;
extern const OptIn kContentReuseLinker, kFileHandoffLinker, kSessionHandoffLinker,
    kSequentialLinker;

std::span<const Linker> exact_linkers() {
  static const Linker kLinkers[] = {kToldLinker, kConversationLinker, kToolResultLinker,
                                    kSpawnLinker, kHelperLinker};
  return kLinkers;
}

std::span<const Guesser> guessers() {
  static const Guesser kGuessers[] = {kSpawnByTypeLinker, kReportLinker};
  return kGuessers;
}

std::span<const OptIn> opt_in_linkers() {
  static const OptIn kLinkers[] = {kContentReuseLinker, kFileHandoffLinker, kSessionHandoffLinker,
                                   kSequentialLinker};
  return kLinkers;
}

}  // namespace xtrace
