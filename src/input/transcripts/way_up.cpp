#include "input/transcripts/way_up.h"

namespace xtrace {

WayUp::WayUp(const RawTrace& trace, const Threads& threads)
    : said_(trace.utterances),
      followed_(threads.followed),
      above_(trace.utterances.size(), kUnknown) {}

uint32_t WayUp::next(uint32_t utterance) {
  std::vector<uint32_t> way;
  uint32_t found = kNone;
  for (uint32_t at = utterance;;) {
    if (above_[at] != kUnknown) {
      found = above_[at];
      break;
    }
    above_[at] = kNone;  // of a circle: nothing
    way.push_back(at);
    at = followed_[at];
    if (at == kNone) break;
    if (said_[at].kind != Utterance::Kind::silent) {
      found = at;
      break;
    }
  }
  for (uint32_t passed : way) above_[passed] = found;
  return found;
}

}  // namespace xtrace
