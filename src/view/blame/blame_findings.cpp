#include <fmt/format.h>

#include "view/blame/blame_answer.h"
#include "view/common/evidence.h"

namespace xtrace {

namespace {

/// Steps of a way that a reader follows; longer ones are summed up by their ends.
constexpr size_t kMostSteps = 20;

Verdicts::Evidence evidence_at(const Blame& blame, uint32_t step, Text what) {
  return evidence_of(blame.of().names(), blame.record(step), blame.of().id(step), what);
}

}  // namespace

std::shared_ptr<const Verdicts> findings_of(const Blame& blame) {
  auto verdicts = std::make_shared<Verdicts>();
  verdicts->kind = "candidates";
  for (const SignalRow& row : kSignals)
    verdicts->rules.push_back(
        {blame.of().door().say("blame/{}", row.word), Door::own(row.meaning), {}});
  Verdicts::Subject subject;
  subject.id = blame.of().id(blame.found.symptom);
  subject.at = blame.at(blame.found.symptom);
  for (const BlameCandidate& one : blame.found.candidates) {
    const FoundSignal* telling = &one.signals.front();
    for (const FoundSignal& signal : one.signals)
      if (row_of(signal.signal).strength > row_of(telling->signal).strength) telling = &signal;
    Verdicts::Finding finding;
    finding.rule = blame.of().door().say("blame/{}", word(telling->signal));
    finding.severity =
        one.strength == Strength::strong ? Verdicts::Severity::warning : Verdicts::Severity::note;
    finding.message = blame.of().door().say("candidate, not known to be the cause: {}: {}",
                                            blame.step_words(one.step).view(), blame.words(one));
    // The last place is the one that is shown: the candidate.
    for (const FoundSignal& signal : one.signals)
      if (signal.other != kNoStep && signal.other != one.step &&
          finding.evidence.size() < kMostSteps)
        finding.evidence.push_back(
            evidence_at(blame, signal.other, blame.step_words(signal.other)));
    finding.evidence.push_back(evidence_at(blame, one.step, blame.step_words(one.step)));
    subject.findings.push_back(std::move(finding));
  }
  verdicts->subjects.push_back(std::move(subject));
  return verdicts;
}

}  // namespace xtrace
