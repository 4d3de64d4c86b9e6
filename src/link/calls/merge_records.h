#pragma once

#include "link/calls/timeline.h"

namespace xtrace {

/// Makes one call of the records that several logs keep of it. A transcript and a request log of
/// one session name a request alike; so two calls of one name, of logs of different formats, that
/// begin within a minute of each other are one. The transcript's row stays where there is one, as
/// it knows agents and sessions best; it learns what only the others know, and their links become
/// its own. False: there are none, and nothing changed; else a Timeline has to be made anew.
bool merge_records(Trace& trace, const Timeline& timeline, Findings& findings);

}  // namespace xtrace
