#pragma once

#include <chrono>

namespace xtrace {

/// How long to pause after an update, so that whatever comes costs no more than a quarter of a core
/// in the long run and is reported as soon as that allows. What comes meanwhile becomes one update,
/// which costs less than several.
class Pace {
 public:
  using Span = std::chrono::duration<double>;

  /// `spent`: processor time that the update took; `since`: how long ago the one before was over.
  Span pause_after(Span spent, Span since);

 private:
  Span owed_{0};  ///< that was spent beyond the share, so far
};

}  // namespace xtrace
