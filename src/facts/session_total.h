#pragma once

#include "facts/call.h"

namespace xtrace {

/// What calls of a session used up together, where a record says so that tells of none of them: the
/// end of a run, a file of counts beside the session. It is the session's, and never shared out.
struct SessionTotal {
  Extent source;
  StringId session;
  StringId model;  ///< nowhere: of several, or not told
  Tokens tokens;
  int64_t cost = kNoCount;   ///< in billionths of a dollar
  int64_t calls = kNoCount;  ///< how many calls it is of
};

template <class Each>
void for_each_reference(SessionTotal& total, Each each) {
  each(total.source);
  each(total.session);
  each(total.model);
}

}  // namespace xtrace
