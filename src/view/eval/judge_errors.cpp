#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "view/common/words.h"
#include "view/eval/judge.h"

namespace xtrace {

namespace {

std::string failure_words(const Case& scene, const Action& failed) {
  std::string words = fmt::format("{} failed", scene.text(failed.name()));
  if (int status = scene.actions.status_of(failed); status > 0)
    words += fmt::format(" with {}", status);
  else if (std::string_view error = scene.actions.error_of(failed); !error.empty())
    words += fmt::format(" with {}", scene.text(error));
  return words;
}

/// Trying again cannot help: the request, the key or the address is wrong, and stays so.
bool is_permanent(int status) {
  return status == 400 || status == 401 || status == 403 || status == 404;
}

/// What went well, by agent and in order of time.
class WentWell {
 public:
  explicit WentWell(const AgentActions& actions) : actions_(actions) {
    for (const std::vector<Action>* kind : {&actions.models(), &actions.tools()})
      for (const Action& one : *kind)
        if (one.done->outcome == Outcome::ok)
          by_doer_[actions.doer_of(one)].push_back(&one);
        else if (one.done->outcome != Outcome::error)
          unknown_.push_back(&one);
    for (auto& [doer, all] : by_doer_) std::ranges::stable_sort(all, {}, start_of);
  }

  /// Did the same agent do something afterwards of which no outcome is on record?
  bool may_have_come_after(const Action& failed) const {
    return std::ranges::any_of(unknown_, [&](const Action* one) {
      return start_of(one) >= actions_.end_of(failed) &&
             actions_.doer_of(*one) == actions_.doer_of(failed);
    });
  }

  /// What the same agent did next; null: nothing.
  const Action* next_after(const Action& failed) const {
    auto found = by_doer_.find(actions_.doer_of(failed));
    if (found == by_doer_.end()) return nullptr;
    const std::vector<const Action*>& all = found->second;
    const Time end = actions_.end_of(failed);
    const CallId reader = failed.done->reader;
    const Extent place = actions_.source_of(failed);
    for (auto at = std::ranges::lower_bound(all, end, {}, start_of); at != all.end(); ++at) {
      const Activity& one = *(*at)->done;
      const bool is_later = !(reader && one.call) || one.call == reader || one.start > end;
      const Extent other = actions_.source_of(**at);
      if (is_later && (other.file != place.file || other.offset != place.offset)) return *at;
    }
    return nullptr;
  }

 private:
  static Time start_of(const Action* one) { return one->done->start; }

  const AgentActions& actions_;
  std::map<AgentActions::Doer, std::vector<const Action*>> by_doer_;
  std::vector<const Action*> unknown_;
};

bool is_of(const NoRetryOf& none, int status) {
  return std::find(none.statuses.begin(), none.statuses.end(), status) != none.statuses.end();
}

/// An export without arguments: whether it is the same again, nobody can tell.
void say_perhaps_again(const Case& scene, const Action& failed, Verdict& verdict) {
  verdict.status = Judged::insufficient;
  verdict.message = fmt::format(
      "{} and was used again; the log does not record whether the arguments were the same",
      failure_words(scene, failed));
  verdict.evidence.push_back(scene.evidence_of(failed, failure_words(scene, failed)));
}

/// What neither succeeded nor failed on record may have failed.
void say_unknown(const Case& scene, const std::vector<const Action*>& unknown, size_t failures,
                 Verdict& verdict) {
  verdict.status = Judged::insufficient;
  verdict.message =
      fmt::format("{} recorded; the outcome of {} is unknown",
                  failures == 0 ? "no failure" : plural(static_cast<int64_t>(failures), "failure"),
                  plural(static_cast<int64_t>(unknown.size()), "step"));
  for (const Action* one : unknown)
    verdict.evidence.push_back(scene.evidence_of(
        *one, fmt::format("{}: {}", scene.text(one->name()), word(one->done->outcome))));
}

}  // namespace

void judge_failures(const Case& scene, Verdict& verdict) {
  size_t failures = 0, handled = 0, ended = 0, perhaps = 0;
  std::vector<const Action*> unknown;
  const WentWell well(scene.actions);
  for (const std::vector<Action>* kind : {&scene.actions.tools(), &scene.actions.models()})
    for (const Action& one : *kind) {
      if (!is_known(one.done->outcome)) unknown.push_back(&one);
      if (one.done->outcome != Outcome::error) continue;
      ++failures;
      std::string words = failure_words(scene, one);
      const Action* next = well.next_after(one);
      bool is_model = kind == &scene.actions.models();
      // To end is right where trying again cannot help.
      bool may_end = is_model && is_permanent(scene.actions.status_of(one));
      verdict.evidence.push_back(scene.evidence_of(one, words));
      if (next != nullptr)
        verdict.evidence.push_back(scene.evidence_of(*next, "next successful step"));
      if (next != nullptr || may_end) {
        ++handled;
        ended += next == nullptr;
        continue;
      }
      if (well.may_have_come_after(one)) {
        ++perhaps;
        continue;
      }
      verdict.status = Judged::failed;
      verdict.message +=
          fmt::format("{}{} and never recovered", verdict.message.empty() ? "" : "; ", words);
    }
  if (failures > 0) verdict.score = static_cast<double>(handled) / static_cast<double>(failures);
  if (verdict.status != Judged::passed) return;
  if (perhaps > 0 || !unknown.empty()) return say_unknown(scene, unknown, failures, verdict);
  verdict.message = "nothing failed";
  if (failures == 0) return;
  const std::string count = plural(static_cast<int64_t>(failures), "failure");
  verdict.message =
      ended == 0 ? fmt::format("{}, each followed by a successful step", count)
      : ended == failures
          ? fmt::format("{} that a retry cannot fix; stopping is correct", count)
          : fmt::format("{}, each followed by a successful step, except {} that a retry cannot fix",
                        count, ended);
}

void judge_no_retry(const Case& scene, const NoRetryOf& none, Verdict& verdict) {
  std::string statuses = fmt::format("{}", fmt::join(none.statuses, ", "));
  verdict.message = fmt::format("no failure with {} was retried", statuses);
  std::string unknown;
  for (const std::vector<Action>& chain : scene.actions.attempts())
    for (size_t i = 0; i + 1 < chain.size(); ++i) {
      int status = scene.actions.status_of(chain[i]);
      bool is_bad = is_of(none, status);
      if (chain[i].done->outcome != Outcome::error || (status > 0 && !is_bad)) continue;
      std::string words = failure_words(scene, chain[i]);
      if (status <= 0) {
        // Tools fail in words of their own; only what bears a status can be one of these.
        if (chain[i].done->use == nullptr || !scene.actions.result(chain[i])) unknown = words;
        continue;
      }
      verdict.evidence.push_back(scene.evidence_of(chain[i], words));
      verdict.evidence.push_back(scene.evidence_of(chain[i + 1], "retried"));
      verdict.status = Judged::failed;
      verdict.score = 0;
      verdict.message = fmt::format("{} and was retried, although a retry cannot help", words);
    }
  if (verdict.status != Judged::passed) return;
  if (const Action* failed = scene.actions.perhaps_again(); failed != nullptr && unknown.empty())
    return say_perhaps_again(scene, *failed, verdict);
  if (!unknown.empty()) {
    verdict.status = Judged::insufficient;
    verdict.message = fmt::format("{} and was retried; the status is not recorded", unknown);
  }
}

namespace {

/// Seconds; less than 0: there is no rule.
double seconds(Duration length) {
  return length == kNoDuration ? -1 : std::chrono::duration<double>(length).count();
}

/// Holds chains of attempts against the rules. Each fault is told twice: in the message of the
/// verdict, and as evidence, at the attempt that is at fault.
class RetryRules {
 public:
  RetryRules(const Case& scene, const Retries& retries, Verdict& verdict)
      : scene_(scene), retries_(retries), verdict_(verdict) {}

  void judge(const std::vector<Action>& chain) {
    first_ = verdict_.evidence.size();
    for (size_t i = 0; i < chain.size(); ++i)
      verdict_.evidence.push_back(scene_.evidence_of(chain[i], name(i)));
    judge_number(chain);
    judge_waits(chain);
  }

  /// Between all attempts, as people read them; empty: none is on record.
  const std::string& waits() const { return waits_; }
  /// There is a rule for a wait that is not on record.
  bool is_unknown() const { return unknown_; }

 private:
  static std::string name(size_t nth) { return fmt::format("attempt {}", nth + 1); }

  void judge_number(const std::vector<Action>& chain) {
    if (retries_.max_attempts < 0 || chain.size() <= static_cast<size_t>(retries_.max_attempts))
      return;
    std::string why =
        fmt::format("{} attempts (at most {} allowed)", chain.size(), retries_.max_attempts);
    verdict_.evidence.back().what += "; " + why;
    fail(why);
  }

  void judge_waits(const std::vector<Action>& chain) {
    double due = seconds(retries_.initial), most = seconds(retries_.most);
    bool has_rule = retries_.factor > 0 || due >= 0 || most >= 0;
    for (size_t i = 0; i + 1 < chain.size(); ++i) {
      Duration wait = elapsed(scene_.actions.end_of(chain[i]), chain[i + 1].done->start);
      if (wait == kNoDuration) {
        unknown_ |= has_rule;
        continue;
      }
      double waited = std::chrono::duration<double>(wait).count();
      waits_ += (waits_.empty() ? "" : ", ") + format_span(wait);
      if (due >= 0 && waited < due * (1 - retries_.jitter))
        fail_at(i + 1, wait, fmt::format("at least {:g}s", due));
      if (most >= 0 && waited > most * (1 + retries_.jitter))
        fail_at(i + 1, wait, fmt::format("at most {:g}s", most));
      // Without an initial wait in the suite, the first one on record sets the pace. Each wait is
      // measured by what was due, not by what was waited: jitter must not add up.
      if (retries_.factor > 0) due = (due >= 0 ? due : waited) * retries_.factor;
      if (retries_.factor > 0 && most >= 0) due = std::min(due, most);
    }
  }

  /// The attempt came after a wait that breaks a rule; its name begins the sentence.
  void fail_at(size_t nth, Duration wait, const std::string& rule) {
    std::string why =
        fmt::format("{} came after {} (expected {})", name(nth), format_span(wait), rule);
    std::string& what = verdict_.evidence[first_ + nth].what;
    what = what == name(nth) ? why : what + "; " + why;
    fail(why);
  }

  void fail(const std::string& why) {
    verdict_.status = Judged::failed;
    verdict_.score = 0;
    verdict_.message += (verdict_.message.empty() ? "" : "; ") + why;
  }

  const Case& scene_;
  const Retries& retries_;
  Verdict& verdict_;
  size_t first_ = 0;  ///< evidence of the first attempt of this chain
  std::string waits_;
  bool unknown_ = false;
};

/// The evidence is what failed first, and could have been tried again.
void judge_no_attempt(const Case& scene, const Retries& retries, Verdict& verdict) {
  verdict.message = "nothing was retried";
  if (!retries.expected) return;
  verdict.status = Judged::failed;
  verdict.score = 0;
  verdict.message += ", but a retry is expected";
  const std::vector<Action>& models = scene.actions.models();
  auto failed = std::find_if(models.begin(), models.end(),
                             [](const Action& one) { return one.done->outcome != Outcome::ok; });
  if (failed != models.end())
    verdict.evidence.push_back(scene.evidence_of(*failed, failure_words(scene, *failed)));
}

}  // namespace

void judge_retries(const Case& scene, const Retries& retries, Verdict& verdict) {
  std::vector<std::vector<Action>> chains = scene.actions.attempts();
  const Action* perhaps = scene.actions.perhaps_again();
  if (chains.empty() && perhaps != nullptr) return say_perhaps_again(scene, *perhaps, verdict);
  if (chains.empty()) return judge_no_attempt(scene, retries, verdict);
  RetryRules rules(scene, retries, verdict);
  for (const std::vector<Action>& chain : chains) rules.judge(chain);
  if (verdict.status == Judged::failed) return;
  if (perhaps != nullptr) return say_perhaps_again(scene, *perhaps, verdict);
  verdict.message =
      fmt::format("{} retried{}{}", plural(static_cast<int64_t>(chains.size()), "step"),
                  rules.waits().empty() ? "" : " after ", rules.waits());
  if (!rules.is_unknown()) return;
  verdict.status = Judged::insufficient;
  verdict.message += "; the wait is not recorded";
}

}  // namespace xtrace
