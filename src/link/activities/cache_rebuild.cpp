#include "link/activities/cache_rebuild.h"

#include <algorithm>

#include "facts/payloads.h"
#include "link/activities/bill.h"
#include "link/activities/compaction.h"
#include "link/activities/prompt_cost.h"
#include "link/graph/graph.h"
#include "prices/model_maker.h"

namespace xtrace {

namespace {

/// What a client writes down when it is left: a conversation that goes on behind it was resumed.
constexpr std::string_view kLeaving[] = {"<command-name>/exit</command-name>",
                                         "<command-name>/quit</command-name>"};

/// In billionths of a dollar; a price is one of millionths for a million.
int64_t cost_of(int64_t tokens, int64_t price) {
  constexpr int64_t kToBillionths = 1000;
  int64_t cost = 0;
  if (__builtin_mul_overflow(tokens, price, &cost)) return INT64_MAX;
  return (cost + kToBillionths / 2) / kToBillionths;
}

class RebuildFinder {
 public:
  RebuildFinder(const Graph& graph, const Payloads* payloads)
      : graph_(graph),
        trace_(graph.trace()),
        payloads_(payloads),
        compactions_(graph, payloads),
        bill_(graph),
        before_(graph.contexts_before()),
        first_(trace_.calls.size()),
        is_written_(trace_.calls.size(), false),
        life_(trace_.calls.size(), kShortLife) {}

  std::vector<CacheRebuild> find() && {
    for (CallId id : graph_.timeline().in_order()) {
      const CallId before = before_[id.index];
      first_[id.index] = before ? first_[before.index] : id;
      const Tokens& tokens = tokens_of(id);
      is_written_[id.index] =
          tokens.cache_creation > 0 || (before && is_written_[before.index]) ||
          maker_of(graph_.activities().of(id).model) == "anthropic";  // who caches on request alone
      if (before) life_[id.index] = life_[before.index];
      if (before) look_at(before, id);
      if (tokens.cache_creation > 0)
        life_[id.index] =
            tokens.cache_creation_1h * 2 > tokens.cache_creation ? kLongLife : kShortLife;
    }
    return std::move(found_);
  }

 private:
  static constexpr int64_t kLeastShare = 10;
  static constexpr Duration kShortLife = std::chrono::minutes(5);
  static constexpr Duration kLongLife = std::chrono::hours(1);

  const Tokens& tokens_of(CallId id) const { return graph_.activities().of(id).tokens; }

  /// Was it asked with nothing new, as a vendor asks a model for advice? That has its own cache.
  bool is_beside(CallId before, CallId id) const {
    const Call &asked = trace_[id], &main = trace_[before];
    return asked.request && asked.request == main.answer && asked.model != main.model;
  }

  void look_at(CallId before, CallId id) {
    if (is_beside(before, id)) return;
    const Tokens& now = tokens_of(id);
    if (now.cache_read < 0 && now.cache_creation < 0) return;  // it shows nothing of a cache
    CacheRebuild one;
    one.call = id;
    one.before = before;
    one.held = at_least_none(tokens_of(before).cache_read) +
               at_least_none(tokens_of(before).cache_creation);
    one.read = std::min(at_least_none(now.cache_read), one.held);
    const int64_t lost = kept_of(one) - one.read;
    one.written = std::min(lost, at_least_none(now.cache_creation));
    one.sent = std::min(lost - one.written, at_least_none(now.input));
    if (one.tokens() < std::max(kFewestRebuilt, one.held / kLeastShare)) return;
    one.pause = elapsed(trace_[before].start, trace_[id].start);
    one.life = life_[before.index];
    one.is_of_provider = !is_written_[id.index];
    price(one);
    explain(one);
    found_.push_back(std::move(one));
  }

  /// Of what the cache held, what the call sends again. Behind a summary that is what was there
  /// from the beginning: the prompt of the system and the tools. The summary itself is new.
  int64_t kept_of(const CacheRebuild& one) const {
    if (!compactions_.goes_on_with_summary(one.call)) return one.held;
    const int64_t begun = at_least_none(tokens_sent(tokens_of(first_[one.call.index])));
    return std::clamp(begun, one.read, one.held);
  }

  void price(CacheRebuild& one) const {
    const Activity& call = graph_.activities().of(one.call);
    const std::optional<Price> price = bill_.prices_of(call);
    if (!price || price->cache_read < 0) return;
    const int64_t from = at_least_none(call.tokens.cache_read);
    const int64_t written = prompt_cost({from, from + one.written}, call.tokens, *price);
    if (written < 0 || (one.sent > 0 && price->input < 0)) return;
    one.paid = written + cost_of(one.sent, price->input);
    one.cost = one.paid - cost_of(one.tokens(), price->cache_read);
  }

  void explain(CacheRebuild& one) const {
    const Call &before = trace_[one.before], &call = trace_[one.call];
    auto says = [&](RebuildCause cause, bool holds) {
      if (holds) one.causes.push_back(cause);
    };
    auto differ = [](StringId a, StringId b) { return a && b && a != b; };
    const Rule rule = rule_of(one);
    const bool is_other_prompt = differ(before.system_prompt, call.system_prompt);
    says(RebuildCause::model_switch, differ(before.model, call.model));
    says(RebuildCause::pause, one.pause != kNoDuration && one.pause > one.life);
    says(RebuildCause::compaction, compactions_.goes_on_with_summary(one.call) ||
                                       compactions_.asks_for_summary(one.before, one.call));
    says(RebuildCause::micro_compaction, call.is_pruned);
    says(RebuildCause::changed_prompt, is_other_prompt);
    says(RebuildCause::changed_tools, offers_others(before, call));
    says(RebuildCause::changed_history, rule == Rule::truncated || rule == Rule::rewritten);
    says(RebuildCause::resume, differ(before.session, call.session) || was_left(call));
    if (!one.causes.empty()) one.cause = one.causes.front();
  }

  Rule rule_of(const CacheRebuild& one) const {
    for (uint32_t i : graph_.causes_of(one.call))
      if (const Link& link = graph_.links()[i]; link.kind == LinkKind::continuation)
        return link.rule;
    return Rule::transcript;
  }

  /// Their order counts too, as the cache is known by its first bytes.
  bool offers_others(const Call& before, const Call& call) const {
    if (call.in_transcript || before.message_count == 0) return false;
    if (before.tools == call.tools) return false;
    if (before.tools == 0 || call.tools == 0) return true;
    if (payloads_ == nullptr) return false;
    const std::vector<DeclaredTool> had = payloads_->instructions(before).tools;
    const std::vector<DeclaredTool> has = payloads_->instructions(call).tools;
    return !had.empty() && !has.empty() && had != has;  // what cannot be read again is empty
  }

  bool was_left(const Call& call) const {
    if (payloads_ == nullptr || !call.in_transcript) return false;
    const std::vector<Quote> quotes = payloads_->quotes(call);
    return std::any_of(quotes.begin(), quotes.end(), [](const Quote& said) {
      return said.kind == Quote::Kind::text && !said.is_answer &&
             std::any_of(std::begin(kLeaving), std::end(kLeaving),
                         [&](std::string_view word) { return said.text.starts_with(word); });
    });
  }

  const Graph& graph_;
  const Trace& trace_;
  const Payloads* payloads_;
  Compactions compactions_;
  Bill bill_;
  const std::vector<CallId>& before_;  ///< by call
  std::vector<CallId> first_;          ///< by call: the first one of its conversation
  std::vector<bool> is_written_;       ///< by call: do requests write to its cache?
  std::vector<Duration> life_;         ///< by call: of the cache that it leaves
  std::vector<CacheRebuild> found_;
};

}  // namespace

std::vector<CacheRebuild> find_cache_rebuilds(const Graph& graph, const Payloads* payloads) {
  return RebuildFinder(graph, payloads).find();
}

}  // namespace xtrace
