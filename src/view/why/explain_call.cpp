#include "view/why/explain_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "link/graph/queries.h"
#include "link/graph/resource.h"
#include "view/calls/call_words.h"
#include "view/calls/costs.h"
#include "view/calls/spending.h"
#include "view/common/field.h"
#include "view/common/preface.h"
#include "view/common/selector.h"
#include "view/common/shown_arguments.h"
#include "view/common/use_words.h"
#include "view/common/words.h"
#include "view/hops/hop_scene.h"
#include "view/hops/run_answers.h"
#include "view/why/call_effects.h"
#include "view/why/call_question.h"
#include "view/why/explain_fields.h"
#include "view/why/steps.h"

namespace xtrace {

namespace {

/// One link that leads to the call, and the calls that led to its source.
struct CauseChain {
  const Link* link;
  std::vector<const Link*>
      before;             ///< closest first: each leads to the source of the one before it
  double confidence = 1;  ///< that all these links are right
};

std::string rule_words(Rule rule) {
  std::string words(word(rule));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

class CallProvenance {
 public:
  CallProvenance(const HopScene& scene, CallId call, std::string_view asked, const Listing& listing)
      : scene_(scene),
        graph_(scene.question.graph),
        call_(call),
        asked_(asked),
        listing_(listing),
        names_(scene.names),
        effects_(effects_of(graph_, asked_about())) {
    std::set<CallId> sources;
    for (uint32_t i : graph_.causes_of(call)) {
      const Link& link = graph_.links()[i];
      if (!sources.contains(link.from) && sources.size() >= listing.most) {
        omitted_.insert(link.from);
        continue;
      }
      sources.insert(link.from);
      CauseChain led{&link, {}, confidence(link)};
      // Against the clock it may lead in a circle.
      const Link* next = graph_.against_the_clock(link) ? nullptr : main_cause(graph_, link.from);
      for (const Link* at = next; at != nullptr; at = main_cause(graph_, at->from)) {
        led.before.push_back(at);
        led.confidence *= confidence(*at);
      }
      causes_.push_back(std::move(led));
    }
    std::stable_sort(causes_.begin(), causes_.end(), [](const CauseChain& a, const CauseChain& b) {
      return a.confidence > b.confidence;
    });
  }

  void add_tables(Document& document) const {
    CellArena& arena = document.arena();
    document.add(record_of<kHead>({}, {question(), names_.id(call_), Text("call")}));
    document.add(run_record(scene_, run()));
    Texts sources;
    for (const std::vector<const CauseChain*>& from_one : causes_by_source())
      sources.push_back(names_.id(from_one.front()->link->from));
    if (causes_.empty() && !principal().empty()) sources.push_back(principal());
    document.add(record_of<kAccessors>({}, arena.keep(std::move(sources))));
    Table groups = table_of<kGroups>("cause_groups");
    std::set<std::tuple<CallId, LinkKind, Rule>> seen;  // several tools may have the same to say
    for (const CauseChain& led : causes_)
      if (seen.insert({led.link->from, led.link->kind, led.link->rule}).second)
        add_fields(kGroups, cause_row(led, arena), groups);
    if (causes_.empty()) add_fields(kGroups, beginning_row(arena), groups);
    document.add(std::move(groups));
    document.add(table_of<kParallel>("parallel_groups"));
    document.add(effects(arena));
    document.add(record_of<kOmitted>(
        {}, {.causes = omitted_.size(), .accesses = omitted_.size(), .effects = 0}));
    document.add(record_of<kAnswer>({}, answer()));
    document.add(steps_table(scene_, steps(), arena));
    if (is_spawned()) document.add(record_of<kAgentRun>({}, agent_run()));
  }

  Outline outline() const {
    Outline shown;
    shown.head.push_back(scene_.question.door.say("{}  ({})", question().view(), heading()));
    if (is_spawned()) {
      shown.head.push_back({});
      shown.head.push_back(composed(agent_line(agent_run())));
    }
    std::vector<Text> links = {{}};
    size_t number = 0;
    if (causes_.empty())
      links.push_back(scene_.question.door.say("It is the first call of a conversation: {}{}{}",
                                               principal().view(), principal().empty() ? "" : " → ",
                                               stretch({&call_, 1})));
    for (const std::vector<const CauseChain*>& from_one : causes_by_source()) {
      const CauseChain& first = *from_one.front();
      std::string label = fmt::format("Cause {}: ", ++number), indent(label.size(), ' ');
      links.push_back(composed(label + chain_words(call_chain(first), " → ")));
      for (const CauseChain* led : from_one) {
        links.push_back(composed(indent + facts(*led->link, led->confidence)));
        if (Text given = arguments(*led->link); !given.empty())
          links.push_back(
              scene_.question.door.say("{}arguments: {}", indent, fold_white_space(given.view())));
      }
      links.push_back(scene_.question.door.say("{}at {} and {}", indent,
                                               names_.shown_at(first.link->from).view(),
                                               names_.shown_at(first.link->to).view()));
      links.push_back({});
    }
    add_omitted(scene_.question.door, number, omitted_.size(), links);
    add_effects(links);
    if (links.back().empty()) links.pop_back();
    add_steps(scene_, steps(), listing_.unfold, links, shown);
    return shown;
  }

  /// Conversations as boxes, the call itself as one; each link that leads to it as an edge.
  Drawing draw() const {
    Drawing drawing;
    Text scope = run_scope(scene_, run(), names_.id(call_));
    drawing.title = run_title(scene_, run());
    std::map<CallId, uint32_t> places;
    auto node_of = [&](const std::vector<CallId>& calls) {
      auto [place, is_new] = places.emplace(calls.back(), drawing.nodes.size());
      if (!is_new) return place->second;
      Drawing::Node node{names_.id(calls.back()),
                         {agent_of(calls.back()), composed(ids(calls))},
                         names_.text(graph_.agent_of(calls.back()).type)};
      node.type = "Call";
      node.scope = scope;
      node.properties.add("at", names_.at(calls.back()));
      node.properties.add("calls", static_cast<int64_t>(calls.size()));
      drawing.nodes.push_back(std::move(node));
      return place->second;
    };
    std::set<std::pair<uint32_t, uint32_t>> drawn;
    for (const CauseChain& led : causes_) {
      std::vector<std::vector<CallId>> parts = stretches(call_chain(led), listing_.unfold);
      for (size_t i = 1; i < parts.size(); ++i) {
        uint32_t from = node_of(parts[i - 1]), to = node_of(parts[i]);
        bool last = i + 1 == parts.size();
        if (!drawn.emplace(from, to).second && !last) continue;
        const Link* link = last ? led.link : main_cause(graph_, parts[i].front());
        Drawing::Edge edge;
        edge.from = from;
        edge.to = to;
        edge.label = Door::own(word(link->kind));
        if (!is_sure(confidence(*link))) edge.stroke = Drawing::Stroke::dotted;
        edge.error = link->is_error;
        edge.relation = relation(link->kind);
        edge.properties.add("confidence", thousandths(confidence(*link)));
        edge.properties.add("method", Door::own(word(link->rule)));
        drawing.edges.push_back(std::move(edge));
      }
    }
    if (causes_.empty()) node_of({call_});
    return drawing;
  }

 private:
  const Conversation& conversation() const { return graph_.conversation_of(call_); }
  /// Does a subagent's run begin with it?
  bool is_spawned() const {
    return graph_.agents()[conversation().agent].spawned && conversation().calls.front() == call_;
  }
  /// The calls of its turn, in its conversation.
  std::span<const CallId> turn_of_call() const {
    const std::vector<CallId>& calls = conversation().calls;
    const std::vector<uint32_t> turns = number_turns(graph_, conversation());
    const size_t at =
        static_cast<size_t>(std::find(calls.begin(), calls.end(), call_) - calls.begin());
    const auto [begin, end] = std::equal_range(turns.begin(), turns.end(), turns[at]);
    const auto first = static_cast<size_t>(begin - turns.begin());
    return std::span(calls).subspan(first, static_cast<size_t>(end - begin));
  }
  /// The calls of the turn or the subagent that it was asked for as; else it alone.
  std::span<const CallId> asked_about() const {
    if (!asked_.empty() && !find_calls(graph_, asked_, NameOf::turns).empty())
      return turn_of_call();
    const bool is_agent = is_spawned() && !find_calls(graph_, asked_, NameOf::subagents).empty();
    return is_agent ? std::span<const CallId>(conversation().calls) : std::span(&call_, 1);
  }
  /// Those of the subagent or of the turn that begins with it; else those of its turn that led it
  /// to do what it does: to a file, what was done with that; to run something, what its agent did
  /// before. What others did with the same tool is no reason.
  std::vector<HistoryStep> steps() const {
    if (is_spawned()) return list_steps(graph_, conversation().calls);
    const std::span<const CallId> calls = turn_of_call();
    if (calls.front() == call_) return list_steps(graph_, calls);
    const std::vector<const ToolUse*> uses = graph_.tool_uses_of(call_);
    if (uses.empty() || !uses.front()->target)
      return list_steps_up_to(graph_,
                              {calls.begin(), std::find(calls.begin(), calls.end(), call_) + 1});
    std::vector<HistoryStep> taken = find_steps_with(graph_, graph_.session_of(call_),
                                                     resources_of(graph_.trace(), *uses.front()));
    const auto last = std::find_if(taken.rbegin(), taken.rend(),
                                   [&](const HistoryStep& step) { return step.call() == call_; });
    taken.erase(last.base(), taken.end());
    std::erase_if(taken, [turn = graph_.call_turns()[call_.index]](const HistoryStep& step) {
      return step.turn != turn;  // of the user, also of what a subagent did
    });
    return taken;
  }
  /// That of the subagent which begins with it.
  AgentRun agent_run() const {
    const std::vector<CallId>& calls = conversation().calls;
    Selection all;
    all.calls.assign(graph_.trace().calls.size(), true);
    Duration took = kNoDuration;
    const Time start = graph_.timeline()[call_].start;
    for (CallId id : calls) took = std::max(took, elapsed(start, graph_.timeline()[id].end()));
    return {.name = agent_of(call_),
            .calls = calls.size(),
            .usage = Spending(graph_, all).in_all(calls),
            .took = took};
  }
  static std::string agent_line(const AgentRun& run) {
    std::string text =
        fmt::format("{}: {}", run.name.view(), plural(static_cast<int64_t>(run.calls), "call"));
    if (run.took != kNoDuration) text += fmt::format(" in {}", format_span(run.took));
    return text + ", " + cost_words(run.usage);
  }
  Text composed(std::string text) const { return scene_.question.door.composed(std::move(text)); }
  const Run& run() const { return scene_.hops.runs[graph_.session_of(call_).number - 1]; }
  Text answer() const {
    std::string text = fmt::format("call {} was made because:\n", names_.id(call_).view());
    size_t number = 0;
    for (const std::vector<const CauseChain*>& from_one : causes_by_source()) {
      text += fmt::format("  {}. {}: {}\n", ++number,
                          chain_words(call_chain(*from_one.front()), " -> "),
                          facts(*from_one.front()->link, from_one.front()->confidence));
    }
    if (causes_.empty()) text += "  it is the first call of a conversation\n";
    return composed(std::move(text));
  }
  Text principal() const { return scene_.actor(run().principal); }
  std::string heading() const { return run_heading(scene_, run()); }
  Text agent_of(CallId id) const { return names_.agent(graph_.agent_of(id)); }
  Text question() const { return words_of_question(scene_, call_, asked_); }

  /// The first call first, the target last.
  std::vector<CallId> call_chain(const CauseChain& led) const {
    std::vector<CallId> calls = {call_, led.link->from};
    for (const Link* link : led.before) calls.push_back(link->from);
    std::reverse(calls.begin(), calls.end());
    return calls;
  }

  /// What several links between the same two calls say is said of one cause.
  std::vector<std::vector<const CauseChain*>> causes_by_source() const {
    std::vector<std::vector<const CauseChain*>> sources;
    for (const CauseChain& led : causes_) {
      auto same = std::find_if(sources.begin(), sources.end(), [&](const auto& known) {
        return known.front()->link->from == led.link->from;
      });
      if (same == sources.end()) same = sources.emplace(sources.end());
      same->push_back(&led);
    }
    return sources;
  }

  /// The same in pieces of one conversation each; the target is one of its own.
  std::vector<std::vector<CallId>> stretches(std::span<const CallId> chain,
                                             bool each_alone = false) const {
    std::vector<std::vector<CallId>> parts;
    for (CallId id : chain) {
      bool goes_on =
          !each_alone && !parts.empty() && id != call_ && parts.back().back() != call_ &&
          graph_.conversation_of(parts.back().back()).number == graph_.conversation_of(id).number;
      if (!goes_on) parts.emplace_back();
      parts.back().push_back(id);
    }
    return parts;
  }

  std::string ids(std::span<const CallId> calls) const {
    constexpr size_t kWritten = 6;  // more make a line that nobody reads
    std::string text;
    if (calls.size() > kWritten && !listing_.unfold)
      return fmt::format("{} … {}, {} calls", names_.id(calls.front()).view(),
                         names_.id(calls.back()).view(), calls.size());
    for (CallId id : calls)
      text += fmt::format("{}{}", text.empty() ? "" : ", ", names_.id(id).view());
    return text;
  }
  std::string stretch(std::span<const CallId> calls) const {
    return fmt::format("{} ({})", agent_of(calls.front()).view(), ids(calls));
  }

  std::string chain_words(std::span<const CallId> chain, std::string_view arrow) const {
    std::string words;
    for (const std::vector<CallId>& part : stretches(chain))
      words += fmt::format("{}{}", words.empty() ? "" : arrow, stretch(part));
    return words;
  }

  std::string facts(const Link& link, double sure) const {
    std::string text(row_of(link.kind).deed);
    const Trace& trace = graph_.trace();
    if (link.tool_use)
      text += fmt::format(" {} {} {}", link.kind == LinkKind::subagent_spawn ? "by" : "of",
                          names_.text(trace.tool_uses[link.tool_use.index].name).view(),
                          names_.text(link.key).view());
    if (link.attempt > 1) text += fmt::format(", attempt {}", link.attempt);
    text += fmt::format(" (evidence: {})", rule_words(link.rule));
    if (!is_sure(sure)) text += fmt::format(", confidence {:.2f}", sure);
    if (link.is_error) text += ", the tool reported an error";
    if (link.is_open) text += ", no end logged";
    if (graph_.against_the_clock(link)) text += ", contradicted by timestamps";
    return text;
  }

  /// What the tool was given whose result the link is of, at level full.
  Text arguments(const Link& link) const {
    if (!link.tool_use || !scene_.question.shows_payload()) return {};
    Door::At at(scene_.question.door, names_.place(link.from));
    return shown_arguments(
        scene_.question.door,
        read_arguments(scene_.question, link.from, graph_.trace().tool_uses[link.tool_use.index]));
  }

  /// What came of the call, each effect with the way to what ended last.
  void add_effects(std::vector<Text>& lines) const {
    if (effects_.empty()) return;
    if (!lines.back().empty()) lines.push_back({});
    lines.push_back(Door::own("Led to:"));
    for (const CallEffect& effect : effects_) {
      lines.push_back(composed("  " + chain_words(effect.chain, " → ")));
      std::string words = "    " + facts(*effect.link, confidence(*effect.link));
      if (effect.descendants > 0)
        words += fmt::format("; {} followed", plural(effect.descendants, "call"));
      lines.push_back(composed(std::move(words)));
    }
  }

  ChainCalls chain_calls(CallId id, CellArena& arena) const {
    const Call& call = graph_.timeline()[id];
    return {.ids = arena.keep(Texts{names_.id(id)}),
            .places = arena.keep(Texts{names_.at(id)}),
            .first = call.start,
            .last = call.start,
            .total = call.duration,
            .errors = call.outcome == Outcome::error};
  }

  Table effects(CellArena& arena) const {
    Table table = table_of<kEffects>("effects");
    for (const CallEffect& effect : effects_) {
      const Link& link = *effect.link;
      Texts path = {names_.id(call_)};
      for (CallId id : effect.chain) path.push_back(names_.id(id));
      add_fields(kEffects,
                 {.calls = chain_calls(link.to, arena),
                  .actor = names_.id(link.to),
                  .hop_kind = Door::own(word(link.kind)),
                  .path = arena.keep(std::move(path)),
                  .certainty = {.confidence = confidence(link), .method = link.rule},
                  .direct_confidence = confidence(link),
                  .descendants = effect.descendants},
                 table);
    }
    return table;
  }

  ChainRow cause_row(const CauseChain& led, CellArena& arena) const {
    const Link& link = *led.link;
    Texts path;
    for (CallId id : call_chain(led)) path.push_back(names_.id(id));
    Table delegated = table_of<kDelegated>({}), others = table_of<kOtherCauses>({});
    for (const Link* by : led.before)
      add_fields(
          kDelegated,
          {names_.id(by->from), Door::own(word(by->kind)), graph_.timeline()[by->from].start},
          delegated);
    for (const Alternative& other : graph_.alternatives(link))
      add_fields(kOtherCauses, {names_.id(call_), names_.id(other.from), other.confidence}, others);
    return {.calls = chain_calls(call_, arena),
            .actor = names_.id(link.from),
            .hop_kind = Door::own(word(link.kind)),
            .path = arena.keep(std::move(path)),
            .certainty = {.confidence = led.confidence, .method = link.rule},
            .direct_confidence = confidence(link),
            .delegated_by = arena.keep(std::move(delegated)),
            .alternatives = some(std::move(others), arena),
            .arguments = arguments(link)};
  }
  /// Where nothing led to it but the principal.
  ChainRow beginning_row(CellArena& arena) const {
    Texts path = {names_.id(call_)};
    if (!principal().empty()) path.insert(path.begin(), principal());
    return {.calls = chain_calls(call_, arena),
            .actor = principal(),
            .hop_kind = Text("principal_to_agent"),
            .path = arena.keep(std::move(path)),
            .certainty = {},
            .direct_confidence = 1,
            .delegated_by = arena.keep(table_of<kDelegated>({}))};
  }

  const HopScene& scene_;
  const Graph& graph_;
  CallId call_;
  std::string_view asked_;
  Listing listing_;
  const Names& names_;
  std::vector<CauseChain> causes_;
  std::set<CallId> omitted_;  ///< further calls that led to it
  std::vector<CallEffect> effects_;
};

}  // namespace

Document explain_call(const HopScene& scene, CallId call, std::string_view asked,
                      const Listing& listing) {
  Document document("explain");
  if (scene.question.face == Face::tables)
    add_preface("xtrace.explain/1", scene.question, scene.names, {}, document, Meanings::always,
                Covers::joined);
  const CallProvenance why(scene, call, asked, listing);
  add_answer(why, scene.question.face, document);
  return document;
}

}  // namespace xtrace
