#include "link/claims/reply_claims.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "link/claims/claim_text.h"
#include "link/claims/step_result.h"
#include "link/graph/queries.h"

namespace xtrace {

namespace {

/// Which tool uses decide claims of a kind.
enum class DecidedBy : uint8_t {
  acts,     ///< commands and tools with one of these acts
  runs,     ///< these, or any other command that runs something of the project
  changes,  ///< edits and commands that do more than look
  uses,     ///< changes; if there are none, any tool use
};
struct ClaimRule {
  ClaimKind kind;
  CommandActs acts{};
  DecidedBy by = DecidedBy::acts;
  CommandActs implied_by{};   ///< a success of these supports it as well
  bool lasts_to_edit = true;  ///< an edit after them leaves it open
  bool is_of_turn = false;    ///< only what the turn did decides
  bool is_of_change = false;  ///< a failure before the last edit is what the claim is about
};
constexpr CommandActs kChecks =
    act_set({CommandAct::tests, CommandAct::builds, CommandAct::checks_types, CommandAct::lints});
constexpr ClaimRule kClaimRules[] = {
    {.kind = ClaimKind::tests_pass, .acts = act_set({CommandAct::tests})},
    {.kind = ClaimKind::build_passes,
     .acts = act_set({CommandAct::builds}),
     .implied_by = act_set({CommandAct::tests, CommandAct::checks_types})},
    {.kind = ClaimKind::types_check,
     .acts = act_set({CommandAct::checks_types}),
     .implied_by = act_set({CommandAct::builds})},
    {.kind = ClaimKind::lint_clean, .acts = act_set({CommandAct::lints})},
    {.kind = ClaimKind::checks_pass, .acts = kChecks},
    {.kind = ClaimKind::no_errors, .acts = kChecks, .by = DecidedBy::runs},
    {.kind = ClaimKind::fixed,
     .acts = kChecks,
     .by = DecidedBy::runs,
     .is_of_turn = true,
     .is_of_change = true},
    {.kind = ClaimKind::implemented,
     .by = DecidedBy::changes,
     .lasts_to_edit = false,
     .is_of_turn = true},
    {.kind = ClaimKind::done, .by = DecidedBy::uses, .lasts_to_edit = false, .is_of_turn = true},
    {.kind = ClaimKind::committed, .acts = act_set({CommandAct::commits}), .lasts_to_edit = false},
    {.kind = ClaimKind::pushed, .acts = act_set({CommandAct::pushes}), .lasts_to_edit = false},
    {.kind = ClaimKind::request_opened,
     .acts = act_set({CommandAct::opens_request}),
     .lasts_to_edit = false},
};

/// Tools whose argument is the report that ends a run.
struct ReportTool {
  std::string_view name, argument;
};
constexpr ReportTool kReportTools[] = {
    {"attempt_completion", "result"}, {"finish", "message"}, {"complete_task", "result"}};

const ReportTool* find_report_tool(std::string_view name) {
  const auto* found = std::ranges::find(kReportTools, name, &ReportTool::name);
  return found == std::end(kReportTools) ? nullptr : found;
}

/// The line of a call's record that says so; without one, where the call is.
template <class Says>
Extent place_where(const Trace& trace, CallId id, Says says) {
  const Call& call = trace[id];
  Extent at = call.source;
  for (const CallPlace& place : std::span(trace.places).subspan(call.first_place, call.places)) {
    if (!place.sizes) continue;
    for (const BlockSize* one = &trace.block_sizes[place.sizes.index];; ++one) {
      if (says(*one)) at = place;
      if (one->is_last) break;
    }
  }
  return at;
}

class ClaimFinder {
 public:
  ClaimFinder(const Graph& graph, const Payloads& payloads)
      : graph_(graph), trace_(graph.trace()), payloads_(payloads) {}

  std::vector<ReplyClaim> find() {
    for (const Conversation& conversation : graph_.conversations()) read(conversation);
    const Timeline& timeline = graph_.timeline();
    std::ranges::stable_sort(found_, [&](const ReplyClaim& a, const ReplyClaim& b) {
      return timeline.rank(a.reply) < timeline.rank(b.reply);
    });
    return std::move(found_);
  }

 private:
  void read(const Conversation& conversation) {
    const std::vector<uint32_t> turns = number_turns(graph_, conversation);
    for (size_t i = 0; i < conversation.calls.size(); ++i)
      if (i + 1 == conversation.calls.size() || turns[i + 1] != turns[i])
        read_reply(conversation.calls[i]);
  }

  void read_reply(CallId reply) {
    const Call& call = trace_[reply];
    const std::vector<const ToolUse*> uses = graph_.tool_uses_of(reply);
    const bool is_report = std::ranges::all_of(
        uses, [&](const ToolUse* use) { return find_report_tool(trace_[use->name]) != nullptr; });
    if (!call.answer || !is_report || call.sums_up || call.is_dispatch ||
        graph_.activities().of(reply).same_as)
      return;
    std::string text;
    for (const Quote& quote : payloads_.quotes(call)) {
      if (!quote.is_answer) continue;
      const ReportTool* report =
          quote.kind == Quote::Kind::tool_use ? find_report_tool(quote.tool) : nullptr;
      if (report != nullptr) text += text_argument(quote.text, report->argument) + '\n';
      if (quote.kind == Quote::Kind::text) text += quote.text + '\n';
    }
    for (const StatedClaim& claim : claims_in(text)) {
      ReplyClaim& one = found_.emplace_back();
      one.kind = claim.kind;
      one.reply = reply;
      one.sentence = claim.sentence;
      decide(kClaimRules[static_cast<size_t>(claim.kind)], one);
      const auto is_answer = [](const BlockSize& size) {
        return size.kind == BlockSize::Kind::answer;
      };
      one.evidence.push_back({place_where(trace_, reply, is_answer), reply, {}, "claim"});
    }
  }

  /// The steps of the reply's session that precede it.
  std::span<const uint32_t> steps_before(CallId reply) {
    if (!steps_) {
      steps_.emplace(graph_, &payloads_);
      does_.resize(steps_->all().size());
      for (uint32_t i = 0; i < steps_->all().size(); ++i)
        by_session_[(*steps_)[i].session].push_back(i);
    }
    const std::span<const uint32_t> all = by_session_[graph_.session_of(reply).number - 1];
    const auto end = std::ranges::partition_point(all, [&](uint32_t step) {
      return graph_.timeline().before((*steps_)[step].call(), reply);
    });
    return {all.begin(), end};
  }

  /// May a claim of the reply be about the step? It is of the agent, or of any other one in the
  /// session unless another one started the agent; and nobody stopped it.
  bool may_decide(uint32_t step, CallId reply) const {
    const ToolStep& one = (*steps_)[step];
    const bool is_of_others = graph_.agent_index_of(one.call()) != graph_.agent_index_of(reply);
    return !one.was_stopped() && !(is_of_others && graph_.agent_of(reply).spawned);
  }

  const ActingStep& does(uint32_t step) {
    ActingStep& known = does_[step];
    if (!known.is_read) known = acting_step(*steps_, step);
    return known;
  }

  bool decides(const ClaimRule& rule, uint32_t step) {
    const ActingStep& one = does(step);
    if ((one.acts & rule.acts).any()) return true;
    switch (rule.by) {
      case DecidedBy::acts: return false;
      case DecidedBy::runs: return one.proves && !one.edits;
      case DecidedBy::changes:
      case DecidedBy::uses: break;
    }
    return !one.only_looks;
  }

  ActResult fared(uint32_t step, CommandActs acts) {
    const ActingStep& one = does(step);
    ActResult worst = ActResult::passed;
    bool has_act = false;
    for (size_t i = 0; i < kCommandActs; ++i) {
      if (!(one.acts & acts)[i]) continue;
      const ActResult result = result_of(*steps_, step, one, static_cast<CommandAct>(i));
      if (result == ActResult::failed) return result;
      if (result != ActResult::passed) worst = result;
      has_act = true;
    }
    return has_act ? worst : result_of(*steps_, step);
  }

  void decide(const ClaimRule& rule, ReplyClaim& claim) {
    constexpr size_t kMost = 5000;  // steps looked at, so that many claims take no longer
    const std::span<const uint32_t> all = steps_before(claim.reply);
    const std::span<const uint32_t> before = all.last(std::min(all.size(), kMost));
    const CallTurn turn = graph_.call_turns()[claim.reply.index];
    std::optional<uint32_t> edited, used;  // the last edit, the last tool use
    for (size_t i = before.size(); i-- > 0;) {
      const uint32_t step = before[i];
      if (!may_decide(step, claim.reply)) continue;
      const CallId asked = (*steps_)[step].call();
      if (rule.is_of_turn && graph_.call_turns()[asked.index] != turn) {
        // What another agent began in an earlier turn may have gone on.
        if (graph_.agent_index_of(asked) == graph_.agent_index_of(claim.reply)) break;
        continue;
      }
      if (!used) used = step;
      const bool is_it = decides(rule, step);
      const bool implies = !is_it && (does(step).acts & rule.implied_by).any() &&
                           fared(step, rule.implied_by) == ActResult::passed;
      if (is_it || implies)
        return settle(rule, claim, step, edited, implies ? rule.implied_by : rule.acts);
      if (!edited && does(step).edits && !(*steps_)[step].failed()) edited = step;
    }
    if (rule.by == DecidedBy::uses && used && !(*steps_)[*used].failed())
      return settle(rule, claim, *used, edited, rule.acts);
    const bool is_unchanged = rule.by == DecidedBy::changes || rule.by == DecidedBy::uses;
    claim.reason = is_unchanged ? ClaimReason::no_change : ClaimReason::never_run;
    if (edited && rule.lasts_to_edit) add_evidence(claim, *edited, "last edit");
  }

  void settle(const ClaimRule& rule, ReplyClaim& claim, uint32_t step,
              std::optional<uint32_t> edited, CommandActs acts) {
    const ActResult result = fared(step, acts);
    switch (result) {
      case ActResult::passed: claim.reason = ClaimReason::passed; break;
      case ActResult::failed: claim.reason = ClaimReason::failed; break;
      case ActResult::unclear: claim.reason = ClaimReason::unclear; break;
      case ActResult::unrecorded: claim.reason = ClaimReason::no_result; break;
    }
    const bool is_edited = edited && rule.lasts_to_edit;
    // What fails before a fix is what the fix is about.
    if (is_edited && (result != ActResult::failed || rule.is_of_change))
      claim.reason = ClaimReason::edited_after;
    if (claim.reason == ClaimReason::passed) claim.verdict = ClaimVerdict::supported;
    if (claim.reason == ClaimReason::failed) claim.verdict = ClaimVerdict::contradicted;
    add_evidence(claim, step,
                 result == ActResult::passed    ? "succeeded"
                 : result == ActResult::failed  ? "failed"
                 : result == ActResult::unclear ? "unclear result"
                                                : "no result");
    if (is_edited) add_evidence(claim, *edited, "edited after it");
  }

  void add_evidence(ReplyClaim& claim, uint32_t step, std::string_view what) {
    const ToolStep& one = (*steps_)[step];
    const StringId id = one.use().id;
    Extent at = trace_[one.call()].source;
    if (one.done->reader)
      at = place_where(trace_, one.done->reader, [&](const BlockSize& size) {
        return size.kind == BlockSize::Kind::result && size.tool_use == id;
      });
    claim.evidence.push_back({at, one.call(), one.id, what});
  }

  const Graph& graph_;
  const Trace& trace_;
  const Payloads& payloads_;
  std::optional<ToolSteps> steps_;  ///< made once there is a claim
  std::vector<ActingStep> does_;    ///< by step
  std::map<uint32_t, std::vector<uint32_t>> by_session_;
  std::vector<ReplyClaim> found_;
};

}  // namespace

std::vector<ReplyClaim> find_reply_claims(const Graph& graph, const Payloads* payloads) {
  static_assert(std::size(kClaimRules) == kClaimKinds);
  if (payloads == nullptr) return {};
  return ClaimFinder(graph, *payloads).find();
}

}  // namespace xtrace
