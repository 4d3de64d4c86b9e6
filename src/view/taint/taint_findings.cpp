#include "view/taint/taint_findings.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "base/hash.h"
#include "base/one_of.h"
#include "base/text.h"
#include "link/activities/deed.h"
#include "link/activities/distinct_spans.h"
#include "link/reuse/passages.h"
#include "view/taint/flow_path.h"
#include "view/taint/taint_reading.h"

namespace xtrace {

namespace {

/// Of a sink, ways in which text leaves the machine; a file does if its rule is about those outside
/// the project.
constexpr std::string_view kOutbound[] = {"network", "mail", "message", "transfer", "shell"};
bool is_outbound(const TaintRule& rule) {
  return is_one_of(rule.kind, kOutbound) || (rule.kind == "file" && rule.paths);
}

class TaintSearch {
 public:
  TaintSearch(const Question& question, const ToolRules& rules, const TaintOptions& options,
              const Selection& shown)
      : question_(question),
        graph_(question.graph),
        trace_(graph_.trace()),
        rules_(rules),
        options_(options),
        shown_(shown),
        index_(options.least_digits),
        source_(graph_, *question.payloads),
        reading_(question, rules, options, source_),
        texts_(source_),
        uses_(trace_) {}

  TaintFindings find() {
    sinks_ = reading_.find_sinks(shown_, index_);
    read_texts();
    const Origins origins(graph_, index_, uses_, handoffs_);
    origins_ = &origins;
    for (const TaintSink& sink : sinks_) judge(sink);
    settle_verdicts();
    count_lost();
    return std::move(found_);
  }

 private:
  using FlowKey = std::tuple<TaintLabel, uint32_t, std::string>;  ///< label, source use, argument

  std::string text_of_sink(const TaintSink& sink) {
    return sink.text.empty() ? texts_.read(sink.place()) : sink.text;
  }

  void read_texts() {
    // By tool use; of answers by call.
    std::unordered_map<uint64_t, TaintSink*> sinks;
    const auto key = [](CallId call, ToolUseId use) {
      return use ? pair_of(0, use.index) : pair_of(1, call.index);
    };
    for (TaintSink& sink : sinks_) sinks.emplace(key(sink.step.call, sink.step.use), &sink);
    uint32_t index = 0;
    reading_.read(index_, [&](ReadText& read) {
      const TextPlace& place = read.place;
      index_.add(index, place, read.hits);
      uses_.note(index, place);
      if (read.extra != nullptr) note(index, place, *read.extra);
      const bool may_act =
          place.role == TextRole::model || (place.role == TextRole::argument && place.use);
      const auto sink = may_act ? sinks.find(key(place.call, place.use)) : sinks.end();
      if (sink != sinks.end() && sink->second->index == TextIndex::kNever)
        sink->second->index = index;
      ++index;
    });
  }

  void note(uint32_t index, const TextPlace& place, ReadText::Extra& extra) {
    for (const std::string& file : extra.writes)
      handoffs_.wrote(file, {place.use, place.call, index});
    for (const std::string& file : extra.reads) handoffs_.read(file, place.use);
    Brought& brought = extra.brought;
    if (!brought.call || uses_.answered(place.use) != index) return;
    if (shown_.shows(brought.call)) {
      if (!brought.untrusted.empty())
        found_.sources.push_back({brought.untrusted, {brought.call, place.use}, place.call});
      found_.secret += brought.secret.empty() ? 0u : 1u;
    }
    if (!brought.untrusted.empty()) {
      const auto [first, is_new] =
          first_untrusted_.try_emplace(session_index(graph_, place.call), index);
      if (!is_new) first->second = std::min(first->second, index);
    }
    brought_.emplace(place.use.index, std::move(brought));
  }

  const Brought* brought_by(const Origin& origin) const {
    if (origin.kind != Origin::Kind::result) return nullptr;
    const auto found = brought_.find(index_.place(origin.place).use.index);
    return found == brought_.end() ? nullptr : &found->second;
  }

  void judge(const TaintSink& sink) {
    if (sink.index == TextIndex::kNever) return;  // its text could not be read again
    ++found_.sinks;
    found_.outbound += sink.rule != nullptr && is_outbound(*sink.rule) ? 1u : 0u;
    flows_.clear();
    for (const SinkLeaf& leaf : leaves_of(sink, text_of_sink(sink))) judge(sink, leaf);
    for (auto& [key, flow] : flows_) {
      leave_out_hosts(flow);
      if (flow.confidence >= options_.least_confidence) found_.flows.push_back(std::move(flow));
    }
  }

  void judge(const TaintSink& sink, const SinkLeaf& leaf) {
    const uint32_t conversation = conversation_index(graph_, sink.step.call);
    const TextKeys keys = keys_of(leaf.text, options_.least_digits);
    std::set<uint32_t> whole;  // sources that have all of it
    for (const TextKey& key : keys.keys) {
      const Origin origin = origins_->find(key.hash, conversation, sink.index);
      if (key.kind == TokenKind::value && origin.kind == Origin::Kind::result)
        whole.insert(origin.place);
      add(sink, leaf, origin, {key.kind, key.encoding, key.length, key.hash, key.text});
    }
    for (const TextLayer& layer : keys.layers) judge_passages(sink, leaf, layer, whole);
  }

  /// Passages that a source had first, without what is excused.
  void judge_passages(const TaintSink& sink, const SinkLeaf& leaf, const TextLayer& layer,
                      const std::set<uint32_t>& whole) {
    struct Part {
      Origin origin;
      uint64_t key = 0;
      std::vector<size_t> at;
    };
    const uint32_t conversation = conversation_index(graph_, sink.step.call);
    std::map<uint32_t, Part> parts;  // by place of origin
    for (const auto& [at, key] : layer.grams) {
      Origin origin = origins_->find(key, conversation, sink.index);
      if (origin.kind == Origin::Kind::nowhere) continue;
      Part& part = parts[origin.place];
      if (part.at.empty()) part = {std::move(origin), key, {}};
      part.at.push_back(at);
    }
    const bool has_source = std::ranges::any_of(
        parts, [&](const auto& part) { return brought_by(part.second.origin) != nullptr; });
    if (!has_source) return;
    const auto common = [&](const Part& part) {
      std::vector<SharedPassage> ranges;
      const bool is_excuse = brought_by(part.origin) == nullptr;
      for (const PassageIndex& other : passages_of(part.origin.place)) {
        const std::vector<SharedPassage> more = other.common(layer.folded, part.at, is_excuse);
        ranges.insert(ranges.end(), more.begin(), more.end());
      }
      return ranges;
    };
    std::vector<SharedPassage> excused;
    for (const auto& [place, part] : parts)
      if (brought_by(part.origin) == nullptr)
        for (const SharedPassage& range : common(part)) excused.push_back(range);
    std::ranges::sort(excused, {}, &SharedPassage::begin);
    for (const auto& [place, part] : parts) {
      if (brought_by(part.origin) == nullptr || whole.contains(place)) continue;
      SharedPassage longest;
      for (const SharedPassage& range : common(part))
        if (const SharedPassage left = longest_left(range, excused); left.size() > longest.size())
          longest = left;
      const std::string_view run =
          std::string_view(layer.folded).substr(longest.begin, longest.size());
      if (characters(run) < kShortestRun) continue;
      add(sink, leaf, part.origin,
          {TokenKind::run, layer.encoding, static_cast<uint32_t>(run.size()), part.key,
           std::string(run)});
    }
  }

  /// Of all layers of the text of a place. The last ones are kept: many sinks may have text of one.
  const std::vector<PassageIndex>& passages_of(uint32_t place) {
    constexpr size_t kKept = 8;
    for (const auto& [known, passages] : passages_)
      if (known == place) return passages;
    if (passages_.size() == kKept) passages_.pop_front();
    std::vector<PassageIndex>& passages =
        passages_.emplace_back(place, std::vector<PassageIndex>()).second;
    each_layer(texts_.read(index_.place(place)),
               [&](std::string_view layer, Encoding) { passages.emplace_back(fold_text(layer)); });
    return passages;
  }

  void add(const TaintSink& sink, const SinkLeaf& leaf, const Origin& origin,
           TaintEvidence evidence) {
    const Brought* const brought = brought_by(origin);
    if (brought == nullptr) return;
    const TextPlace& place = index_.place(origin.place);
    // An edit quotes what it replaces: text that goes back to where it came from is no flow.
    if (sink.step.use && share_a_target(trace_, sink.step.use, place.use)) return;
    // A password is one by the words around it.
    if (question_.shows_payload())
      evidence.is_hidden = !brought->secret.empty() || hides(leaf.text, evidence) ||
                           hides(texts_.read(place), evidence);
    if (!brought->untrusted.empty())
      add(sink, leaf, origin, *brought, TaintLabel::untrusted, evidence);
    const bool leaves = sink.rule == nullptr || is_outbound(*sink.rule);
    if (!brought->secret.empty() && leaves && place.use != sink.step.use)
      add(sink, leaf, origin, *brought, TaintLabel::secret, evidence);
  }

  /// Does redaction take it out of a text that has it, also encoded?
  bool hides(const std::string& text, const TaintEvidence& evidence) const {
    const std::string compact = compact_form(evidence.text);
    const auto has_it = [&](std::string_view layer) {
      return compact_form(layer).find(compact) != std::string::npos;
    };
    bool is_hidden = false;
    each_layer(text, [&](std::string_view layer, Encoding) {
      if (is_hidden || !has_it(layer)) return;
      Redactor redactor(question_.door.redactor());
      redactor.on_removal({});
      is_hidden = !has_it(redactor.redact(layer));
    });
    return is_hidden;
  }

  void add(const TaintSink& sink, const SinkLeaf& leaf, const Origin& origin,
           const Brought& brought, TaintLabel label, const TaintEvidence& evidence) {
    const TextPlace& place = index_.place(origin.place);
    TaintFlow& flow = flows_[FlowKey(label, place.use.index, leaf.argument)];
    if (flow.evidence.empty()) {
      flow.label = label;
      flow.source_kind = label == TaintLabel::untrusted ? brought.untrusted : brought.secret;
      flow.sink_kind = sink.rule == nullptr ? kAnswerArgument : std::string_view(sink.rule->kind);
      flow.source = {brought.call, place.use};
      flow.sink = sink.step;
      flow.reader = place.call;
      flow.argument = leaf.argument;
      flow.is_forbidden = sink.rule != nullptr && sink.rule->is_forbidden;
      flow.is_outbound = sink.rule == nullptr || is_outbound(*sink.rule);
      flow.marks = brought.marks;
      flow.path = path_of_flow(flow.source, flow.reader, origin, sink.step);
      flow.crosses = crosses_of(graph_, origin);
    }
    const bool is_known = std::ranges::any_of(
        flow.evidence, [&](const TaintEvidence& one) { return one.key == evidence.key; });
    if (is_known) return;
    flow.confidence =
        std::max(flow.confidence, spread_.confidence_of(sink.step.call, origin, evidence));
    add_further(sink, origin, label, evidence.key, flow);
    flow.evidence.push_back(evidence);
  }

  /// Other sources in the conversation of the origin that have it as well.
  void add_further(const TaintSink& sink, const Origin& origin, TaintLabel label, uint64_t key,
                   TaintFlow& flow) const {
    const TextPlace& first = index_.place(origin.place);
    const TextIndex::Seen* const seen = index_.find(key, first.conversation);
    if (seen == nullptr) return;
    for (const uint32_t index : seen->results) {
      const TextPlace& other = index_.place(index);
      if (index >= sink.index || !other.use || other.use == first.use) continue;
      const auto brought = brought_.find(other.use.index);
      if (brought == brought_.end()) continue;
      const Brought& by = brought->second;
      if ((label == TaintLabel::untrusted ? by.untrusted : by.secret).empty()) continue;
      const bool is_known = std::ranges::any_of(
          flow.also_at, [&](const TaintStep& one) { return one.use == other.use; });
      if (!is_known) flow.also_at.push_back({by.call, other.use});
    }
  }

  void settle_verdicts() {
    for (uint32_t i = 0; i < graph_.sessions().size(); ++i)
      if (std::ranges::any_of(graph_.sessions()[i].calls,
                              [&](CallId call) { return shown_.shows(call); }))
        found_.sessions.push_back({i});
    std::map<uint32_t, TaintSession*> by_session;
    for (TaintSession& one : found_.sessions) by_session[one.session] = &one;
    const auto raise = [&](CallId call, TaintVerdict verdict) -> TaintSession* {
      const auto session = by_session.find(session_index(graph_, call));
      if (session == by_session.end()) return nullptr;
      session->second->verdict = std::max(session->second->verdict, verdict);
      found_.verdict = std::max(found_.verdict, verdict);
      return session->second;
    };
    for (const TaintSink& sink : sinks_) {
      const auto read = first_untrusted_.find(session_index(graph_, sink.step.call));
      if (sink.index != TextIndex::kNever && read != first_untrusted_.end() &&
          read->second < sink.index)
        raise(sink.step.call, TaintVerdict::exposed);
    }
    for (const TaintFlow& flow : found_.flows)
      if (flow.label == TaintLabel::untrusted)
        if (TaintSession* const session = raise(flow.sink.call, TaintVerdict::flow))
          ++session->flows;
    // By sink, the sources of private text in it.
    std::map<std::pair<CallId, ToolUseId>, std::set<ToolUseId>> secrets;
    for (const TaintFlow& flow : found_.flows)
      if (flow.label == TaintLabel::secret)
        secrets[{flow.sink.call, flow.sink.use}].insert(flow.source.use);
    for (const TaintFlow& flow : found_.flows) {
      const auto legs = secrets.find({flow.sink.call, flow.sink.use});
      if (flow.label == TaintLabel::untrusted && flow.is_outbound && legs != secrets.end() &&
          legs->second.size() > legs->second.count(flow.source.use))
        raise(flow.sink.call, TaintVerdict::trifecta);
    }
  }

  void count_lost() {
    std::set<uint32_t> spawned;
    for (const Link& link : graph_.links())
      if (link.kind == LinkKind::subagent_spawn && link.tool_use)
        spawned.insert(link.tool_use.index);
    std::map<uint32_t, TaintSession*> by_session;
    for (TaintSession& one : found_.sessions) by_session[one.session] = &one;
    for (uint32_t i = 0; i < trace_.tool_uses.size(); ++i) {
      const CallId call = reading_.asked_by(ToolUseId(i));
      if (!call || !shown_.shows(call)) continue;
      const ToolUse& use = trace_.tool_uses[i];
      TaintSession& session = *by_session.at(session_index(graph_, call));
      const bool is_lost = uses_.answered(ToolUseId(i)) == TextIndex::kNever;
      const bool starts_agent = use.subagent_type || deed_of(trace_[use.name]) == Deed::started;
      session.lost.results += is_lost && rules_.may_bring(call, use) ? 1u : 0u;
      session.lost.subagents += starts_agent && !spawned.contains(i) ? 1u : 0u;
    }
    if (!trace_.spans.empty())
      found_.lost.spans = distinct_spans(graph_, uncovered_spans(graph_)).tools.size();
    for (const TaintSink& sink : sinks_)
      if (sink.index == TextIndex::kNever)
        ++by_session.at(session_index(graph_, sink.step.call))->lost.arguments;
    for (const TaintSession& one : found_.sessions) {
      found_.lost.results += one.lost.results;
      found_.lost.arguments += one.lost.arguments;
      found_.lost.subagents += one.lost.subagents;
    }
  }

  const Question& question_;
  const Graph& graph_;
  const Trace& trace_;
  const ToolRules& rules_;
  const TaintOptions& options_;
  const Selection& shown_;
  TextIndex index_;
  ConversationTexts source_;
  TaintReading reading_;
  CallTexts texts_;
  std::deque<std::pair<uint32_t, std::vector<PassageIndex>>> passages_;  ///< by place
  Spread spread_{graph_, index_};
  UsePlaces uses_;
  Handoffs handoffs_;
  const Origins* origins_ = nullptr;
  std::vector<TaintSink> sinks_;
  std::map<uint32_t, Brought> brought_;           ///< by tool use
  std::map<uint32_t, uint32_t> first_untrusted_;  ///< by session: the first place that has any
  std::map<FlowKey, TaintFlow> flows_;            ///< of the sink at hand
  TaintFindings found_;
};

}  // namespace

TaintFindings find_taint(const Question& question, const ToolRules& rules,
                         const TaintOptions& options, const Selection& shown) {
  if (question.payloads == nullptr) return {};
  return TaintSearch(question, rules, options, shown).find();
}

}  // namespace xtrace
