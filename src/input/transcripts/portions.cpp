#include "input/transcripts/portions.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

class Portions {
 public:
  explicit Portions(RawTrace& trace) : trace_(trace) {
    for (const Utterance& said : trace.utterances)
      if (said.kind == Kind::portion) whole_of_.emplace(said.after.index, said.session);
  }

  void join() {
    if (whole_of_.empty()) return;
    place_portions();
    place_between();
    for (Utterance& said : trace_.utterances) {
      said.session = whole_of(said.session);
      if (said.kind != Kind::portion) continue;
      said.kind = Kind::silent;
      said.after = {};
    }
  }

 private:
  bool is_portion(StringId session) const { return whole_of_.contains(session.index); }
  StringId whole_of(StringId session) const {
    auto found = whole_of_.find(session.index);
    return found == whole_of_.end() ? session : found->second;
  }

  /// In a file of a portion, what has no time was said before what is next.
  void place_portions() {
    Time next = kNoTime;
    uint32_t file = UINT32_MAX;
    for (size_t i = trace_.utterances.size(); i-- > 0;) {
      Utterance& said = trace_.utterances[i];
      if (!is_portion(said.session)) continue;
      if (said.source.file != std::exchange(file, said.source.file)) next = kNoTime;
      Time& end = end_of_.emplace(said.session.index, kNoTime).first->second;
      end = std::max({end, said.time, after(said.time, said.took)});
      if (said.time == kNoTime)
        said.place = next;
      else
        next = said.time;
    }
  }

  /// What the whole tells behind a portion was said after it, if only by the shortest time.
  void place_between() {
    StringId whole;
    Time before = kNoTime;
    for (Utterance& said : trace_.utterances) {
      if (said.kind == Kind::portion) {
        if (said.session != std::exchange(whole, said.session)) before = kNoTime;
        if (auto end = end_of_.find(said.after.index); end != end_of_.end())
          before = std::max(before, after(end->second, Duration{1}));
      } else if (whole &&
                 (said.session == whole || (said.is_echo && whole_of(said.session) == whole))) {
        said.place = before;
      }
    }
  }

  RawTrace& trace_;
  std::unordered_map<uint32_t, StringId> whole_of_;  ///< by portion
  std::unordered_map<uint32_t, Time> end_of_;        ///< likewise
};

}  // namespace

void join_portions(RawTrace& trace) {
  Portions(trace).join();
}

}  // namespace xtrace
