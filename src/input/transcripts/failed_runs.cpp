#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/hash.h"
#include "input/transcripts/fill_in.h"
#include "input/transcripts/printed.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

/// Is the outcome stated together with the last answer?
bool ends_with_answer(const Utterance& said) {
  return said.kind == Kind::answered && said.way == Utterance::Way::echoed && is_whole(said);
}

bool tells_failure_alone(const Utterance& said) {
  return said.kind == Kind::failed && is_whole(said) && is_printed(said);
}

class FailedRuns {
 public:
  explicit FailedRuns(RawTrace& trace) : said_(trace.utterances) {}

  void settle() {
    for (Utterance& said : said_) {
      if (said.in_subagent) continue;
      const uint64_t key = pair_of(said.source.file, said.session.index);
      Run& run = runs_[key];
      if (tells_failure_alone(said)) {
        settle_failure(said, run);
        run = {};
      } else if (ends_with_answer(said)) {
        if (said.outcome == Outcome::error) settle_end(said, run, streams_.contains(key));
        run = {};
      } else if (said.kind == Kind::heading) {
        run = {};
      } else {
        note(said, run);
      }
      if (said.kind == Kind::answered && !is_echo(said)) streams_.insert(key);
    }
    for (Utterance& said : said_)
      if (said.kind == Kind::answered && said.answer)
        if (const auto found = errors_.find(pair_of(said.session.index, said.answer.index));
            found != errors_.end())
          fail(said, found->second);
  }

 private:
  struct Run {
    std::vector<Utterance*> last;  ///< the pieces of its last answer, or the attempt behind it
    bool is_asked = false;         ///< something, since then
  };

  static void note(Utterance& said, Run& run) {
    if (said.kind == Kind::asked) run.is_asked = true;
    if (said.kind != Kind::answered && said.kind != Kind::failed) return;
    const bool goes_on = !run.last.empty() && !run.is_asked && said.kind == Kind::answered &&
                         run.last.back()->kind == Kind::answered &&
                         run.last.back()->answer == said.answer && !is_whole(said);
    if (!goes_on) run.last.clear();
    run.last.push_back(&said);
    run.is_asked = false;
  }

  /// A run without an answer is told of by its end alone where its file holds the run: another file
  /// of the session tells of it anyway.
  void settle_end(Utterance& end, const Run& run, bool is_stream) {
    // The request that failed got no answer; the one before it went well.
    if (!run.last.empty() && !(run.is_asked && end.is_owed))
      mark(run, end.error);
    else if (is_stream)
      end.way = Utterance::Way::kept;
  }

  void settle_failure(Utterance& end, const Run& run) {
    const bool is_unasked = is_aside(end);
    end.form = Utterance::Form::piece;
    if (run.last.empty() || (run.is_asked && !is_unasked)) return;
    // Of attempts that are told each by itself this is the last one.
    if (end.item && run.last.back()->kind == Kind::failed) return;
    mark(run, end.error);
    end.kind = Kind::silent;
  }

  /// An attempt that failed tells so itself. What has a name may stand in other files as well.
  void mark(const Run& run, StringId error) {
    for (Utterance* piece : run.last)
      if (piece->kind == Kind::answered && piece->answer)
        errors_.emplace(pair_of(piece->session.index, piece->answer.index), error);
      else if (piece->kind == Kind::answered)
        fail(*piece, error);
  }

  static void fail(Utterance& piece, StringId error) {
    if (piece.outcome == Outcome::error) return;
    piece.outcome = Outcome::error;
    piece.error = error;
  }

  std::vector<Utterance>& said_;
  std::unordered_map<uint64_t, Run> runs_;         ///< by file and session
  std::unordered_set<uint64_t> streams_;           ///< likewise: those with answers
  std::unordered_map<uint64_t, StringId> errors_;  ///< by session and answer
};

}  // namespace

void settle_failed_runs(RawTrace& trace) {
  FailedRuns(trace).settle();
}

}  // namespace xtrace
