#include "input/spans/converted_spans.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/hash.h"
#include "facts/client_measurements.h"
#include "facts/tool_targets.h"
#include "input/common/graph_parts.h"
#include "input/common/json_path.h"
#include "input/common/record_context.h"
#include "input/spans/gen_ai.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_draft.h"
#include "input/transcripts/session_notes.h"

namespace xtrace {

namespace {

/// Nanoseconds, where the row tells some.
Duration length_at(json::element row, std::string_view key) {
  Duration length = kNoDuration;
  json::element value;
  if (json::find(row, key, value)) read_units(value, 1, length);
  return length;
}

/// The tags by name; of equal ones the last counts.
class ConvertedTags {
 public:
  ConvertedTags(json::element tags, RecordContext& context) : context_(context) {
    each_tag(tags, [&](std::string_view key, json::element value) { tags_[key] = value; });
  }

  bool find(std::string_view key, json::element& value) const {
    auto known = tags_.find(key);
    if (known == tags_.end()) return false;
    value = known->second;
    return true;
  }
  std::string_view text(std::string_view key) const {
    json::element value;
    return find(key, value) ? json::text(value) : std::string_view{};
  }
  StringId name(std::string_view key) const { return context_.shard.intern(text(key)); }
  int64_t count(std::string_view key) const {
    Duration number = kNoDuration;
    json::element value;
    bool is_one = find(key, value) && read_units(value, 1, number) && number >= Duration{0};
    return is_one ? number.count() : kNoCount;
  }
  bool is_true(std::string_view key) const {
    json::element value;
    return find(key, value) && (json::is_true(value) || json::text(value) == "true");
  }
  /// CallReader `each` with every row of a list that is in a text.
  template <class Each>
  void rows(std::string_view key, Each each) const {
    json::element root;
    if (context_.parsers.parse(text(key), root)) json::items(root, each);
  }
  /// Nanoseconds in place of those that the span tells; `unknown` where it had to tell some.
  void take_nanoseconds(std::string_view key, Duration& length) const {
    json::element value;
    if (!find(key, value)) return;
    if (json::text(value) == "unknown")
      length = kNoDuration;
    else
      read_units(value, 1, length);
  }

 private:
  RecordContext& context_;
  std::map<std::string_view, json::element> tags_;
};

bool flag(json::element row, std::string_view key) {
  json::element value;
  return json::find(row, key, value) && json::is_true(value);
}

int64_t number(json::element row, std::string_view key, int64_t most) {
  json::element value;
  return json::find(row, key, value) ? std::min(json::count(value, 0), most) : 0;
}

/// From 0 to 1; 1 where there is none.
double share(json::element row) {
  json::element value;
  double share = 1;
  if (!json::find(row, "confidence", value) || value.get_double().get(share)) return 1;
  return std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 1;
}

void take_times(const ConvertedTags& converted, Span& span) {
  Duration start = span.start == kNoTime ? kNoDuration : span.start.time_since_epoch();
  converted.take_nanoseconds("xtrace.start_ns", start);
  span.start = start == kNoDuration ? kNoTime : Time(start);
  converted.take_nanoseconds("xtrace.duration_ns", span.duration);
}

class HopReader {
 public:
  HopReader(const ConvertedTags& converted, SpanDraft& draft, RecordContext& context)
      : converted_(converted), draft_(draft), shard_(context.shard) {}

  void add() {
    Span& span = draft_.span;
    if (converted_.is_true("xtrace.unnamed")) draft_.operation = {};
    span.own_id = converted_.name("xtrace.id");
    ConvertedHop hop;
    hop.run = converted_.name("xtrace.trace");
    hop.from = converted_.name("xtrace.source");
    hop.to = converted_.name("xtrace.target");
    hop.kind = converted_.name("xtrace.hop_kind");
    hop.tool = converted_.name("xtrace.tool");
    read_causes(hop);
    span.converted = shard_.add(hop);
    // A span has to tell an end, known or not; how the hop ended is beside it.
    draft_.ending.has_end = true;
    const std::string_view status = converted_.text("xtrace.status");
    draft_.ending.state(outcome_named(status));
    draft_.ending.is_odd = status == word(Outcome::unknown);
    add_span(draft_, shard_);
    converted_.rows("xtrace.observations", [&](json::element row) { add_observation(row); });
  }

 private:
  /// The parent, or the rows of what is not so simple.
  void read_causes(ConvertedHop& hop) {
    std::erase_if(draft_.parents, [](const SpanParent& parent) { return parent.follows; });
    bool is_cause = true;  // the first row, unless nothing is the cause
    converted_.rows("xtrace.links", [&](json::element row) {
      if (is_cause) draft_.parents.clear();
      SpanParent parent;
      parent.span = intern_span_id(json::text_at(row, "span"), shard_);
      parent.trace = intern_span_id(json::text_at(row, "trace"), shard_);
      parent.is_alternative = flag(row, "alternative");
      parent.confidence = static_cast<float>(share(row));
      const std::string_view method = json::text_at(row, "method");
      parent.follows = method == "follows_from";
      if (is_cause && !parent.is_alternative) {
        hop.method = shard_.intern(method);
        hop.confidence = parent.confidence;
      }
      is_cause = false;
      if (parent.span) draft_.parents.push_back(parent);
    });
  }

  void add_observation(json::element row) {
    Span span = draft_.span;
    span.own_id = shard_.intern(json::text_at(row, "id"));
    span.inbound = flag(row, "inbound");
    span.outcome = flag(row, "error") ? Outcome::error : Outcome::ok;
    Duration start = kNoDuration;
    span.duration = kNoDuration;
    json::fields(row, [&](std::string_view key, json::element value) {
      if (key == "start_ns") read_units(value, 1, start);
      if (key == "duration_ns") read_units(value, 1, span.duration);
    });
    span.start = start == kNoDuration ? kNoTime : Time(start);
    shard_.add(span, draft_.parents);
  }

  const ConvertedTags& converted_;
  SpanDraft& draft_;
  Shard& shard_;
};

class CallReader {
 public:
  CallReader(const ConvertedTags& converted, const SpanDraft& draft, RecordContext& context)
      : converted_(converted), draft_(draft), shard_(context.shard) {}

  void add() {
    Call call;
    call.source = draft_.span.source;
    call.start = draft_.span.start;
    call.duration = draft_.span.duration;
    call.id = converted_.name("xtrace.id");
    if (!call.id) call.id = draft_.span.id;
    if (int64_t decimals = converted_.count("xtrace.decimals"); decimals >= 0 && decimals <= 9)
      call.decimals = static_cast<uint8_t>(decimals);
    for (size_t i = 0; i < std::size(kOutcomeWords); ++i)
      if (kOutcomeWords[i] == converted_.text("xtrace.status"))
        call.outcome = static_cast<Outcome>(i);
    call.digest = chain(hash_of(shard_[draft_.span.trace]), hash_of(shard_[draft_.span.id]));
    read_names(call);
    read_counts(call);
    add_messages(call);
    CallId id = shard_.add(call);
    converted_.rows("xtrace.links", [&](json::element row) { add_link(id, row); });
    converted_.rows("xtrace.orphans", [&](json::element row) {
      ConvertedLink orphan;
      orphan.to = id;
      orphan.tool_use = shard_.intern(json::text_at(row, "id"));
      orphan.is_orphan = true;
      shard_.add(orphan);
    });
    converted_.rows("xtrace.client_told",
                    [&](json::element row) { add_client_measurement(call, row); });
  }

 private:
  void read_names(Call& call) const {
    call.is_converted = true;
    call.asked_model = converted_.name("gen_ai.request.model");
    call.model = converted_.name("gen_ai.response.model");
    if (!call.model) call.model = call.asked_model;
    call.provider = converted_.name("gen_ai.provider.name");
    call.session = converted_.name("gen_ai.conversation.id");
    call.user = converted_.name("user.id");
    call.agent = converted_.name("xtrace.agent");
    call.agent_type = converted_.name("xtrace.agent_type");
    call.agent_label = converted_.name("xtrace.agent_label");
    call.agent_color = converted_.name("xtrace.agent_color");
    call.skill = converted_.name("xtrace.skill");
    call.system_prompt = converted_.name("xtrace.system_prompt_hash");
    call.stop_reason = converted_.name("xtrace.stop_reason");
    call.error = converted_.name("error.type");
    call.in_subagent = converted_.is_true("xtrace.in_subagent");
    if (converted_.is_true("xtrace.offers_tools")) call.tools = 1;  // it is not stored which
    call.is_compacted = converted_.is_true("xtrace.is_compacted");
    call.is_pruned = converted_.is_true("xtrace.is_pruned");
    call.sums_up = converted_.is_true("xtrace.sums_up");
    call.is_dispatch = converted_.is_true("xtrace.is_dispatch");
    call.begins_turn = converted_.is_true("xtrace.without_results");
    call.answers_user = converted_.is_true("xtrace.answers_user");
  }

  void read_counts(Call& call) const {
    call.tokens = count_tokens(draft_.tags).tokens;
    call.output_is_low = converted_.is_true("xtrace.output_is_low");
    call.tokens.cache_creation_1h = converted_.count("xtrace.cache_creation_1h");
    if (converted_.text("xtrace.cost_from") == "log") call.cost = read_cost(draft_.tags);
    call.max_tokens = converted_.count("gen_ai.request.max_tokens");
    json::element value;
    double temperature = -1;
    if (converted_.find("gen_ai.request.temperature", value) &&
        !value.get_double().get(temperature))
      call.temperature = temperature;
    constexpr int64_t kMost = 1 << 30;
    call.message_count = static_cast<uint32_t>(
        std::clamp<int64_t>(converted_.count("xtrace.message_count"), 0, kMost));
  }

  /// Nobody says anything in them: they represent the lengths of conversations and tool uses.
  void add_messages(Call& call) {
    uint64_t key = chain(call.digest, hash_of(shard_[call.id]));
    int64_t known_depth = converted_.count("xtrace.depth");
    uint32_t depth = known_depth < 0
                         ? call.message_count
                         : static_cast<uint32_t>(std::min<int64_t>(known_depth, UINT32_MAX - 1));
    if (depth > 0) {
      const MessageId next = shard_.next_message();
      call.request = message(
          {{},
           depth,
           chain(key, 1),
           converted_.is_true("xtrace.begins_turn") ? Message::Role::user : Message::Role::other});
      if (call.request == next && converted_.is_true("xtrace.brings_notice")) {
        BackgroundEnd notice;  // the links of its call state whose it is
        notice.message = call.request;
        shard_.add(notice);
      }
    }
    if (call.outcome != Outcome::ok && converted_.text("xtrace.tool_uses").empty()) return;
    MessageId next = shard_.next_message();
    call.answer = message({call.request, depth + 1, chain(key, 2), Message::Role::assistant});
    if (call.answer != next) return;  // the same span again
    uint32_t nth = 0;
    converted_.rows("xtrace.tool_uses", [&](json::element row) {
      ToolUse use;
      use.message = call.answer;
      use.id = shard_.intern(json::text_at(row, "id"));
      use.name = shard_.intern(json::text_at(row, "name"));
      const std::string_view target = json::text_at(row, "target");
      use.given_words = words_given_in(target);
      if (use.given_words == 0) use.target = shard_.intern(target);
      use.subagent_type = shard_.intern(json::text_at(row, "subagent_type"));
      use.skill = shard_.intern(json::text_at(row, "skill"));
      use.agent = shard_.intern(json::text_at(row, "agent_id"));
      json::element patches;
      use.patches = json::find(row, "patches", patches) && json::is_true(patches);
      add_targets(row, use, nth++);
      shard_.add(use);
      const Duration took = length_at(row, "took_ns"), until = length_at(row, "until_ns");
      const std::string_view outcome = json::text_at(row, "outcome");
      const bool in_answer = json::is_true_on(row, "in_answer");
      if (took == kNoDuration && until == kNoDuration && outcome.empty() && !in_answer) return;
      // No request is read for results of converted calls: their links are told. So it stands with
      // the use, where the told link finds it.
      ToolResult result;
      result.message = call.answer;
      result.tool_use = use.id;
      result.took = took;
      result.in_answer = in_answer;
      result.is_timed = json::is_true_on(row, "timed");
      if (until != kNoDuration && call.start != kNoTime) result.came = after(call.end(), until);
      result.is_error = outcome == word(Outcome::error);
      result.goes_on = outcome == word(Outcome::unfinished);
      if (result.is_error) result.error = tool_error_named(json::text_at(row, "error"));
      shard_.add(result);
    });
  }

  /// All that it works on are in a list of their own, if they are several.
  void add_targets(json::element row, const ToolUse& use, uint32_t nth) {
    json::element targets;
    if (!json::find(row, "targets", targets)) return;
    json::items(targets, [&](json::element target) {
      const StringId name = shard_.intern(json::text(target));
      if (name && name != use.target) shard_.add(ToolTarget{use.message, nth, name});
    });
  }

  void add_client_measurement(const Call& call, json::element row) {
    const auto* key = std::ranges::find(kClientMeasurements, json::text_at(row, "key"));
    const Duration since_1970 = length_at(row, "time_ns");
    json::element number;
    double much = 0;
    if (key == std::end(kClientMeasurements) || since_1970 == kNoDuration ||
        !json::find(row, "number", number) || number.get_double().get(much))
      return;
    shard_.add(Measurement{call.source, Time{since_1970},
                           shard_.intern(json::text_at(row, "event")), call.session, *key, much});
  }

  MessageId message(const Message& message) {
    MessageId known = shard_.find_message(message.key);
    return known ? known : shard_.add_message(message);
  }

  void add_link(CallId to, json::element row) {
    ConvertedLink link;
    link.to = to;
    link.from_id = shard_.intern(json::text_at(row, "from"));
    link.kind = shard_.intern(json::text_at(row, "type"));
    link.method = shard_.intern(json::text_at(row, "method"));
    link.key = shard_.intern(json::text_at(row, "id"));
    link.tool_use = shard_.intern(json::text_at(row, "tool_use"));
    link.tool_use_number = static_cast<uint16_t>(number(row, "tool_use_number", UINT16_MAX));
    link.confidence = share(row);
    link.is_error = flag(row, "is_error");
    if (link.is_error) link.error = tool_error_named(json::text_at(row, "error"));
    link.is_open = flag(row, "is_open");
    link.is_again = flag(row, "again");
    link.resumed = flag(row, "resumed");
    link.is_alternative = flag(row, "alternative");
    link.rivals = static_cast<uint16_t>(number(row, "rivals", UINT16_MAX));
    link.attempt = static_cast<uint16_t>(number(row, "attempt", UINT16_MAX));
    link.shared = static_cast<uint32_t>(number(row, "shared", UINT32_MAX));
    link.repeats = static_cast<uint32_t>(number(row, "repeats", UINT32_MAX));
    link.dropped = static_cast<uint32_t>(number(row, "dropped", UINT32_MAX));
    shard_.add(link);
  }

  const ConvertedTags& converted_;
  const SpanDraft& draft_;
  Shard& shard_;
};

}  // namespace

namespace {

/// What no call of the converted log accounts for.
void add_usage(json::element tags, const ConvertedTags& converted, const Extent& at, Shard& shard) {
  SpanTags read;
  read.read(tags);
  UsageStatement rest;
  rest.source = at;
  rest.session = converted.name("gen_ai.conversation.id");
  rest.agent = converted.name("xtrace.agent");
  rest.model = converted.name("gen_ai.response.model");
  rest.tokens = count_tokens(read).tokens;
  rest.cost = read_cost(read);
  rest.form = UsageStatement::Form::rest;
  const auto* scope = std::ranges::find(kStatementScopeWords, converted.text("xtrace.stated_by"));
  if (scope != std::end(kStatementScopeWords))
    rest.scope = static_cast<UsageStatement::Scope>(scope - std::begin(kStatementScopeWords));
  rest.uncharged = at_least_none(converted.count("xtrace.uncharged"));
  rest.settles_unpriced = at_least_none(converted.count("xtrace.settles_unpriced"));
  rest.settles_partly = at_least_none(converted.count("xtrace.settles_partly"));
  rest.cost_is_partial = converted.is_true("xtrace.cost_is_partial");
  rest.settles_low = at_least_none(converted.count("xtrace.settles_low"));
  rest.is_unpriced = converted.is_true("xtrace.unpriced");
  rest.cost_is_computed = converted.text("xtrace.cost_from") == "table";
  shard.add(rest);
  shard.count_records(1);
}

}  // namespace

void add_converted(json::element tags, SpanDraft& draft, RecordContext& context) {
  context.parsers.next_record();
  ConvertedTags converted(tags, context);
  take_times(converted, draft.span);
  std::string_view node = converted.text("xtrace.node");
  if (node == "call") return CallReader(converted, draft, context).add();
  if (node == "hop") return HopReader(converted, draft, context).add();
  if (node == "usage") return add_usage(tags, converted, draft.span.source, context.shard);
  if (node == "agent") {  // its calls tell of it, but for where that was
    note_session(context.shard, SessionNote::Kind::project, draft.span.source,
                 converted.name("gen_ai.conversation.id"), converted.text("xtrace.project"));
    return context.shard.count_records(1);
  }
  set_times(draft, draft.span.start, draft.span.duration, "start", context.shard);
  add_span(draft, context.shard);
}

void find_converted_causes(Trace& trace) {
  if (trace.converted_links.empty()) return;
  std::unordered_multimap<uint32_t, CallId> by_id;
  for (size_t i = 0; i < trace.calls.size(); ++i) by_id.emplace(trace.calls[i].id.index, CallId(i));
  for (ConvertedLink& link : trace.converted_links) {
    if (!link.from_id) continue;
    auto [begin, end] = by_id.equal_range(link.from_id.index);
    // Of equals the first, wherever the table has it.
    std::optional<std::pair<bool, CallId>> best;
    for (auto at = begin; at != end; ++at) {
      bool is_elsewhere = trace[at->second].source.file != trace[link.to].source.file;
      std::pair candidate(is_elsewhere, at->second);
      if (!best || candidate < *best) best = candidate;
    }
    if (best) link.from = best->second;
  }
}

}  // namespace xtrace
