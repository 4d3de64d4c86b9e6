#pragma once

#include <vector>

#include "input/common/raw_trace.h"

namespace xtrace {

/// Which utterances count and which are copies of those.
struct Originals {
  std::vector<bool> copies;
  std::vector<uint32_t> by_id;  ///< the one that has this id, or that its copy has
};

/// Of utterances with one id in several files, or of equal ones in one: a copy behind the original;
/// then the session that ended first, since one that takes over a history goes on longer; then a
/// subagent's last, which may begin with all that was said to the main agent by then; then the one
/// that tells what it follows. Where copies have ids of their own,
/// answers of the same name, time and words tell that a file holds what another one does.
Originals find_originals(const RawTrace& trace);

}  // namespace xtrace
