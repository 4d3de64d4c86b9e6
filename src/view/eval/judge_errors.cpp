#include <fmt/format.h>

#include <algorithm>

#include "view/common/words.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

std::string failure_words(const Case& scene, const Action& failed) {
  std::string words = fmt::format("{} failed", scene.text(failed.name));
  if (int status = scene.actions.status_of(failed); status > 0)
    words += fmt::format(" with {}", status);
  else if (!failed.error.empty())
    words += fmt::format(" with {}", scene.text(failed.error));
  return words;
}

/// Trying again cannot help: the request, the key or the address is wrong, and stays so.
bool is_permanent(int status) {
  return status == 400 || status == 401 || status == 403 || status == 404;
}

/// What the same agent did next, and well; null: nothing.
const Action* next_good(const AgentActions& actions, const Action& failed) {
  const Action* next = nullptr;
  for (const std::vector<Action>* kind : {&actions.models(), &actions.tools()})
    for (const Action& one : *kind) {
      bool is_later = failed.reader && one.call
                          ? one.call == failed.reader || one.start > failed.end
                          : one.start >= failed.end;
      bool is_itself = one.at.file == failed.at.file && one.at.offset == failed.at.offset;
      if (one.thread != failed.thread || one.outcome != Outcome::ok || !is_later || is_itself)
        continue;
      if (next == nullptr || one.start < next->start) next = &one;
    }
  return next;
}

bool is_of(const NoRetryOf& none, int status) {
  return std::find(none.statuses.begin(), none.statuses.end(), status) != none.statuses.end();
}

}  // namespace

void judge_failures(const Case& scene, Verdict& verdict) {
  size_t failures = 0, handled = 0;
  for (const std::vector<Action>* kind : {&scene.actions.tools(), &scene.actions.models()})
    for (const Action& one : *kind) {
      if (one.outcome != Outcome::error) continue;
      ++failures;
      std::string words = failure_words(scene, one);
      const Action* next = next_good(scene.actions, one);
      bool is_model = kind == &scene.actions.models();
      // To end is right where trying again cannot help.
      bool may_end = is_model && is_permanent(scene.actions.status_of(one));
      verdict.evidence.push_back(scene.evidence_of(one, words));
      if (next != nullptr) verdict.evidence.push_back(scene.evidence_of(*next, "what came next"));
      if (next != nullptr || may_end) {
        ++handled;
        continue;
      }
      verdict.status = Judged::failed;
      verdict.message += fmt::format("{}{}, and nothing that went well came of it",
                                     verdict.message.empty() ? "" : "; ", words);
    }
  if (failures > 0) verdict.score = static_cast<double>(handled) / static_cast<double>(failures);
  if (verdict.status == Judged::passed)
    verdict.message = failures == 0
                          ? "nothing failed"
                          : fmt::format("{}, each followed by a step that went well",
                                        plural(static_cast<int64_t>(failures), "failure"));
}

void judge_no_retry(const Case& scene, const NoRetryOf& none, Verdict& verdict) {
  std::string statuses = fmt::format("{}", fmt::join(none.statuses, ", "));
  verdict.message = fmt::format("nothing that failed with {} was tried again", statuses);
  std::string unknown;
  for (const std::vector<Action>& chain : scene.actions.attempts())
    for (size_t i = 0; i + 1 < chain.size(); ++i) {
      int status = scene.actions.status_of(chain[i]);
      bool is_bad = is_of(none, status);
      if (chain[i].outcome != Outcome::error || (status > 0 && !is_bad)) continue;
      std::string words = failure_words(scene, chain[i]);
      if (status <= 0) {
        // Tools fail in words of their own; only what bears a status can be one of these.
        if (chain[i].use == nullptr) unknown = words;
        continue;
      }
      verdict.evidence.push_back(scene.evidence_of(chain[i], words));
      verdict.evidence.push_back(scene.evidence_of(chain[i + 1], "tried again"));
      verdict.status = Judged::failed;
      verdict.score = 0;
      verdict.message =
          fmt::format("{}, which trying again cannot help, and was tried again", words);
    }
  if (verdict.status == Judged::passed && !unknown.empty()) {
    verdict.status = Judged::insufficient;
    verdict.message =
        fmt::format("{} and was tried again; with which status is not on record", unknown);
  }
}

void judge_retries(const Case& scene, const Retries& retries, Verdict& verdict) {
  std::vector<std::vector<Action>> chains = scene.actions.attempts();
  auto fail_with = [&](std::string why, const Action& at) {
    verdict.status = Judged::failed;
    verdict.score = 0;
    verdict.message += (verdict.message.empty() ? "" : "; ") + why;
    for (EvidenceRecord& evidence_record : verdict.evidence)
      if (evidence_record.at.file == at.at.file && evidence_record.at.offset == at.at.offset)
        evidence_record.what =
            why.starts_with(evidence_record.what + " ") ? why : evidence_record.what + "; " + why;
  };
  std::string waits;
  bool unknown = false;
  for (const std::vector<Action>& chain : chains) {
    for (size_t i = 0; i < chain.size(); ++i)
      verdict.evidence.push_back(scene.evidence_of(chain[i], fmt::format("attempt {}", i + 1)));
    if (retries.max_attempts >= 0 && chain.size() > static_cast<size_t>(retries.max_attempts))
      fail_with(
          fmt::format("{} attempts, where {} are the most", chain.size(), retries.max_attempts),
          chain.back());
    double due = retries.initial == kNoDuration
                     ? -1
                     : std::chrono::duration<double>(retries.initial).count();
    double most =
        retries.most == kNoDuration ? -1 : std::chrono::duration<double>(retries.most).count();
    for (size_t i = 0; i + 1 < chain.size(); ++i) {
      Duration wait = elapsed(chain[i].end, chain[i + 1].start);
      bool has_rule = retries.factor > 0 || due >= 0 || most >= 0;
      if (wait == kNoDuration) {
        unknown |= has_rule;
        continue;
      }
      double waited = std::chrono::duration<double>(wait).count();
      waits += (waits.empty() ? "" : ", ") + format_span(wait);
      if (due >= 0 && waited < due * (1 - retries.jitter))
        fail_with(fmt::format("attempt {} came after {}, where {:g}s are due", i + 2,
                              format_span(wait), due),
                  chain[i + 1]);
      if (most >= 0 && waited > most * (1 + retries.jitter))
        fail_with(fmt::format("attempt {} came after {}, where {:g}s are the most", i + 2,
                              format_span(wait), most),
                  chain[i + 1]);
      if (retries.factor > 0) {
        due = (due >= 0 ? due : waited) * retries.factor;
        if (most >= 0) due = std::min(due, most);
      }
    }
  }
  if (verdict.status == Judged::failed) return;
  if (chains.empty()) {
    verdict.message = "nothing was tried again";
    if (!retries.expected) return;
    verdict.status = Judged::failed;
    verdict.score = 0;
    verdict.message += ", though that is expected";
    for (const Action& model : scene.actions.models())
      if (model.outcome != Outcome::ok) {
        verdict.evidence.push_back(scene.evidence_of(model, failure_words(scene, model)));
        break;
      }
    return;
  }
  verdict.message =
      fmt::format("{} tried again{}{}", plural(static_cast<int64_t>(chains.size()), "step"),
                  waits.empty() ? "" : " after ", waits);
  if (!unknown) return;
  verdict.status = Judged::insufficient;
  verdict.message += "; how long it waited is not on record";
}

}  // namespace xtrace
