#pragma once

#include <unordered_map>

#include "view/calls/call_fields.h"

namespace xtrace {

/// Where conversations went back: somebody tried again from an earlier point, or asked something
/// else there.
class Branches {
 public:
  explicit Branches(const CallScene& scene) : scene_(scene) {}

  /// The call that this one goes on from though another went on from it before: a branch begins.
  /// None: it goes on from where its conversation was.
  CallId left_by(CallId id) const;

 private:
  bool are_together(const Link& link) const;
  /// The first call that goes on from this one, in its own conversation, and has an answer.
  CallId first_answered_behind(CallId from) const;
  /// Was something asked behind `from` that nobody answered, and that this call does not ask too?
  bool leaves_unanswered(CallId from, CallId id) const;

  const CallScene& scene_;
  mutable std::unordered_map<uint32_t, CallId> first_answered_;  ///< behind a call, if there is one
};

}  // namespace xtrace
