#include "view/call_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "view/call_words.h"
#include "view/groups.h"

namespace xtrace {

namespace {

/// Below this many calls everything is shown; above, runs of calls with nothing remarkable fold.
constexpr size_t kShownWhole = 40;
constexpr size_t kShortestFold = 4;
/// And above this many, a subagent that spawned nothing is one line.
constexpr size_t kAgentsShownWhole = 120;

std::string plural(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

class Tree {
 public:
  Tree(const Scene& scene, bool unfold)
      : scene_(scene), drawn_(scene.graph.conversations().size()) {
    size_t shown = static_cast<size_t>(
        std::count(scene.selection.events.begin(), scene.selection.events.end(), true));
    fold_ = !unfold && shown > kShownWhole;
    fold_agents_ = !unfold && shown > kAgentsShownWhole;
    for (uint32_t i : scene.selection.links) {
      const Link& link = scene.links()[i];
      if (link.kind == LinkKind::subagent_spawn)
        spawned_.insert(scene.graph.conversation_of(link.to).number);
    }
  }

  Outline draw() {
    outline_.columns = {{"start", false, false, 4},
                        {"what", false, true},
                        {"model", false, false, 1},
                        {"in", true, false, 2},
                        {"out", true, false, 3},
                        {"took", true},
                        {"", false},
                        {"line", true}};
    add_head();
    for (const Session& session : scene_.graph.sessions()) add_session(session);
    add_foot();
    return std::move(outline_);
  }

 private:
  std::vector<EventId> shown(std::span<const EventId> events) const {
    std::vector<EventId> shown;
    for (EventId id : events)
      if (scene_.selection.shows(id)) shown.push_back(id);
    return shown;
  }

  Sum sum_of(std::span<const EventId> events) const {
    Sum sum;
    for (EventId id : events) sum.add(scene_.timeline()[id], scene_.timeline().call(id));
    return sum;
  }

  Text composed(std::string text) { return scene_.question.door.composed(std::move(text)); }

  void add(uint32_t depth, Tone tone, Time start, Text what, Text model, const Sum& sum,
           Duration took, std::string note, Text line) {
    Cell when = start == kNoTime ? Cell() : Cell(Moment{start, 0});
    outline_.lines.push_back(
        {depth,
         tone,
         {when, what, known(model), known(tokens_sent(sum.tokens)), known(sum.tokens.output),
          known(took), known(composed(std::move(note))), known(line)}});
  }

  void add_head() {
    std::vector<EventId> all = shown(scene_.timeline().in_order());
    Sum sum = sum_of(all);
    std::string paths;
    for (const Source& source : scene_.graph.trace().sources)
      paths += (paths.empty() ? "" : ", ") + std::string(scene_.names.text(source.path).view());
    if (scene_.graph.trace().sources.size() > 3)
      paths = plural(static_cast<int64_t>(scene_.graph.trace().sources.size()), "file");
    std::string text = fmt::format("{}: {}", paths, plural(sum.calls, "call"));
    if (sum.start != kNoTime) {
      std::string start = format_time({sum.start, 0}), end = format_time({sum.end, 0});
      text += fmt::format(", {} {} to {} UTC", start.substr(0, 10), start.substr(11, 8),
                          start.substr(0, 10) == end.substr(0, 10)
                              ? end.substr(11, 8)
                              : end.substr(0, 10) + " " + end.substr(11, 8));
    }
    if (sum.errors > 0) text += fmt::format(", {} failed", sum.errors);
    outline_.head.push_back(composed(std::move(text)));
  }

  void add_foot() {
    const Metrics& metrics = scene_.metrics;
    int64_t guesses =
        std::count_if(scene_.selection.links.begin(), scene_.selection.links.end(),
                      [&](uint32_t i) { return scene_.links()[i].rule == Rule::type_and_time; });
    std::string text =
        fmt::format("{}, {} read, {} spawned; longest chain {}",
                    plural(static_cast<int64_t>(scene_.selection.links.size()), "link"),
                    plural(metrics.tool_results, "tool result"), plural(metrics.spawns, "subagent"),
                    plural(metrics.depth, "link"));
    if (metrics.critical_time > Duration{0})
      text += fmt::format(", critical path {} in {}",
                          plural(static_cast<int64_t>(metrics.critical_path.size()), "call"),
                          format_span(metrics.critical_time));
    outline_.foot.push_back(composed(std::move(text)));
    if (guesses > 0)
      outline_.foot.push_back(
          composed(fmt::format("{} guessed, not proven; --min-confidence 0.99 leaves them out",
                               plural(guesses, "link"))));
    if (!scene_.graph.orphans().empty())
      outline_.foot.push_back(composed(
          fmt::format("{} without a call that asked for them",
                      plural(static_cast<int64_t>(scene_.graph.orphans().size()), "tool result"))));
    if (scene_.selection.hidden_events > 0)
      outline_.foot.push_back(composed(
          fmt::format("{} hidden by filters", plural(scene_.selection.hidden_events, "call"))));
    if (folded_ > 0)
      outline_.foot.push_back(composed(fmt::format(
          "{} folded into lines with ⋯; --unfold shows each", plural(folded_, "call"))));
    outline_.foot.push_back("in: tokens sent, cached ones included; out: tokens received");
  }

  void add_session(const Session& session) {
    std::vector<EventId> events = shown(session.events);
    if (events.empty()) return;
    Sum sum = sum_of(events);
    std::string date = sum.start == kNoTime ? "" : " " + format_time({sum.start, 0}).substr(0, 10);
    std::string note = sum.errors > 0 ? fmt::format("{} failed", sum.errors) : "";
    add(0, Tone::heading, sum.start,
        composed(fmt::format("session {}{}  {}", scene_.names.session(session).view(), date,
                             plural(sum.calls, "call"))),
        {}, sum, sum.took(), std::move(note), {});
    // The conversations nobody spawned; those somebody did stand below that call.
    std::vector<uint32_t> roots;
    std::unordered_set<uint32_t> seen;
    for (EventId id : events) {
      uint32_t number = scene_.graph.conversation_of(id).number;
      if (!spawned_.contains(number) && seen.insert(number).second) roots.push_back(number);
    }
    add_roots(roots);
    // A resumed agent may have been spawned by what it spawned itself; nothing is left out.
    for (EventId id : events)
      if (const Conversation& conversation = scene_.graph.conversation_of(id);
          !drawn_[conversation.number - 1])
        add_agent(1, conversation, nullptr);
  }

  /// Single calls of one type (titles, quota checks) stand in one line where there are many calls.
  void add_roots(const std::vector<uint32_t>& roots) {
    std::map<std::string_view, std::vector<EventId>> single;
    for (uint32_t number : roots) {
      const Conversation& conversation = scene_.graph.conversations()[number - 1];
      std::vector<EventId> calls = shown(conversation.events);
      if (fold_ && calls.size() == 1 && is_routine(calls.front()))
        single[scene_.graph.agents()[conversation.agent].type].push_back(calls.front());
    }
    std::set<std::string_view> folded;
    for (uint32_t number : roots) {
      const Conversation& conversation = scene_.graph.conversations()[number - 1];
      std::string_view type = scene_.graph.agents()[conversation.agent].type;
      std::map<std::string_view, std::vector<EventId>>::const_iterator alike = single.find(type);
      bool folds = alike != single.end() && alike->second.size() >= kShortestFold &&
                   shown(conversation.events).size() == 1;
      if (!folds || !is_routine(conversation.events.front()))
        add_agent(1, conversation, nullptr);
      else if (folded.insert(type).second)
        add_singles(type, alike->second);
      if (folds) drawn_[number - 1] = true;
    }
  }

  void add_singles(std::string_view type, const std::vector<EventId>& calls) {
    Sum sum = sum_of(calls);
    add(1, Tone::quiet, sum.start,
        composed(fmt::format("⋯ {}  {}, each alone", scene_.names.text(type).view(),
                             plural(sum.calls, "call"))),
        short_model(scene_, calls.front()), sum, spent(calls), {}, {});
    folded_ += sum.calls;
  }

  Duration spent(std::span<const EventId> calls) const {
    Duration total{0};
    for (EventId id : calls)
      if (Duration took = scene_.timeline()[id].duration; took != kNoDuration)
        total = plus(total, took);
    return total;
  }

  void add_agent(uint32_t depth, const Conversation& conversation, const Link* spawn) {
    if (drawn_[conversation.number - 1]) return;
    drawn_[conversation.number - 1] = true;
    std::vector<EventId> calls = shown(conversation.events);
    if (calls.empty()) return;
    Sum sum = sum_of(calls);
    std::string note;
    if (spawn != nullptr && spawn->rule == Rule::type_and_time)
      note = fmt::format("guessed, {:.2f}", confidence(*spawn));
    const Agent& agent = scene_.graph.agents()[conversation.agent];
    Text name = scene_.names.agent(agent);
    Text model = short_model(scene_, calls.front());
    if (calls.size() == 1) {  // its one call tells everything
      add_call(depth, calls.front(), {}, spawn, std::string(name.view()) + "  ", note);
      return add_spawned(depth + 1, calls.front());
    }
    bool spawned_none =
        std::none_of(calls.begin(), calls.end(), [&](EventId id) { return spawns(id); });
    if (fold_agents_ && spawn != nullptr && spawned_none)
      return add_folded_agent(depth, name, model, calls, std::move(note));
    add(depth, spawn != nullptr ? Tone::spawn : Tone::agent, sum.start,
        composed(fmt::format("{}  {}", name.view(), plural(sum.calls, "call"))), model, sum,
        sum.took(), std::move(note), {});
    add_turns(depth + 1, calls, model);
  }

  void add_folded_agent(uint32_t depth, Text name, Text model, const std::vector<EventId>& calls,
                        std::string note) {
    Sum sum = sum_of(calls);
    if (sum.errors > 0) note = join_notes(std::move(note), fmt::format("{} failed", sum.errors));
    int64_t tool_errors = 0;
    for (EventId id : calls)
      for (uint32_t i : scene_.graph.effects_of(id))
        tool_errors += scene_.links()[i].is_error ? 1 : 0;
    if (tool_errors > 0) note = join_notes(std::move(note), plural(tool_errors, "tool error"));
    add(depth, Tone::spawn, sum.start,
        composed(fmt::format("⋯ {}  {}  {}", name.view(), plural(sum.calls, "call"),
                             count_tools(scene_, calls))),
        model, sum, sum.took(), std::move(note), {});
    folded_ += sum.calls;
  }

  /// A turn begins where the user says something that is no tool result.
  bool begins_turn(EventId id) const {
    MessageId request = scene_.timeline().call(id).request;
    if (!request || !scene_.timeline().results_in(request).empty()) return false;
    for (uint32_t i : scene_.graph.causes_of(id))
      if (scene_.links()[i].kind == LinkKind::retry) return false;
    return true;
  }

  void add_turns(uint32_t depth, const std::vector<EventId>& calls, Text model) {
    std::vector<size_t> begins = {0};
    for (size_t i = 1; i < calls.size(); ++i)
      if (begins_turn(calls[i])) begins.push_back(i);
    if (begins.size() == 1) return add_calls(depth, calls, model);
    for (size_t turn = 0; turn < begins.size(); ++turn) {
      size_t end = turn + 1 < begins.size() ? begins[turn + 1] : calls.size();
      std::span<const EventId> own = std::span(calls).subspan(begins[turn], end - begins[turn]);
      if (own.size() == 1 && !spawns(own.front())) {
        std::string prompt = quoted(own.front(), &Payloads::Of::prompt);
        add_call(depth, own.front(), model, nullptr, fmt::format("turn {}{}  ", turn + 1, prompt),
                 {});
        continue;
      }
      Sum sum = sum_of(own);
      add(depth, Tone::plain, sum.start,
          composed(fmt::format("turn {}{}  {}", turn + 1,
                               quoted(own.front(), &Payloads::Of::prompt),
                               plural(sum.calls, "call"))),
          {}, sum, sum.took(), {}, {});
      add_calls(depth + 1, own, model);
    }
  }

  /// What was said, at level full: in quotes, for the end of a line; else nothing.
  std::string quoted(EventId id, std::string Payloads::Of::*text) const {
    if (scene_.question.payloads == nullptr) return {};
    Text shown =
        scene_.question.door.payload(scene_.question.payloads->read(scene_.timeline()[id]).*text);
    return shown.empty() ? "" : fmt::format(" “{}”", fold_white_space(shown.view()));
  }

  bool spawns(EventId id) const {
    std::span<const uint32_t> effects = scene_.graph.effects_of(id);
    return std::any_of(effects.begin(), effects.end(), [&](uint32_t i) {
      return scene_.links()[i].kind == LinkKind::subagent_spawn &&
             scene_.selection.shows(scene_.links()[i].to);
    });
  }

  bool is_routine(EventId id) const {
    if (scene_.timeline()[id].outcome != Outcome::ok || spawns(id)) return false;
    std::span<const uint32_t> effects = scene_.graph.effects_of(id),
                              causes = scene_.graph.causes_of(id);
    return std::none_of(effects.begin(), effects.end(),
                        [&](uint32_t i) { return scene_.links()[i].is_error; }) &&
           std::none_of(causes.begin(), causes.end(),
                        [&](uint32_t i) { return scene_.links()[i].kind == LinkKind::retry; });
  }

  void add_calls(uint32_t depth, std::span<const EventId> calls, Text model) {
    for (size_t i = 0; i < calls.size();) {
      size_t end = i;
      // The last call of a turn is its answer and stays.
      while (fold_ && end + 1 < calls.size() && is_routine(calls[end])) ++end;
      if (end - i >= kShortestFold) {
        add_fold(depth, calls.subspan(i, end - i));
        i = end;
        continue;
      }
      add_call(depth, calls[i], model, nullptr, {}, {});
      add_spawned(depth + 1, calls[i]);
      ++i;
    }
  }

  void add_fold(uint32_t depth, std::span<const EventId> calls) {
    Sum sum = sum_of(calls);
    std::string tools = count_tools(scene_, calls);
    add(depth, Tone::quiet, sum.start,
        composed(fmt::format("⋯ {}  {}", plural(sum.calls, "call"), tools)), {}, sum, sum.took(),
        {}, {});
    folded_ += sum.calls;
  }

  void add_call(uint32_t depth, EventId id, Text usual_model, const Link* spawn,
                const std::string& prefix, std::string note) {
    const Event& event = scene_.timeline()[id];
    Sum sum = sum_of(std::span(&id, 1));
    Text model = short_model(scene_, id);
    if (model == usual_model) model = {};
    Tone tone = event.outcome == Outcome::error || event.outcome == Outcome::unanswered
                    ? Tone::error
                : spawn != nullptr ? Tone::spawn
                                   : Tone::plain;
    add(depth, tone, event.start,
        composed(prefix + std::string(what_it_did(scene_, id).view()) +
                 quoted(id, &Payloads::Of::answer)),
        model, sum, event.duration, join_notes(std::move(note), note_of(id)), place(id));
  }

  static std::string join_notes(std::string first, const std::string& second) {
    if (!first.empty() && !second.empty()) first += ", ";
    return first + second;
  }

  std::string note_of(EventId id) const {
    std::string note;
    for (uint32_t i : scene_.graph.causes_of(id))
      if (const Link& link = scene_.links()[i]; link.kind == LinkKind::retry)
        note = fmt::format("attempt {}", link.attempt);
    int64_t errors = 0;
    for (uint32_t i : scene_.graph.effects_of(id)) errors += scene_.links()[i].is_error ? 1 : 0;
    if (errors > 0)
      note = join_notes(std::move(note),
                        errors == 1 ? "tool error" : fmt::format("{} tool errors", errors));
    std::string_view stop = scene_.graph.trace()[scene_.timeline().call(id).stop_reason];
    if (stop == "max_tokens" || stop == "length" || stop == "refusal")
      note = join_notes(std::move(note), std::string(stop));
    return note;
  }

  Text place(EventId id) {
    const Extent& at = scene_.timeline()[id].source;
    if (scene_.graph.trace().sources.size() == 1) return composed(fmt::format("{}", at.line));
    std::string_view path = scene_.names.text(scene_.graph.trace().sources[at.file].path).view();
    constexpr size_t kColumns = 20;
    std::string file = clip_left(printable(path.substr(path.rfind('/') + 1)), kColumns);
    return composed(fmt::format("{}:{}", file, at.line));
  }

  void add_spawned(uint32_t depth, EventId id) {
    for (uint32_t i : scene_.graph.effects_of(id)) {
      const Link& link = scene_.links()[i];
      if (link.kind != LinkKind::subagent_spawn || !scene_.selection.shows(link.to)) continue;
      const Conversation& conversation = scene_.graph.conversation_of(link.to);
      if (!drawn_[conversation.number - 1]) {
        add_agent(depth, conversation, &link);
        continue;
      }
      add(depth, Tone::spawn, scene_.timeline()[link.to].start,
          composed(fmt::format("{}  resumed, see line {}",
                               scene_.names.agent(scene_.graph.agent_of(link.to)).view(),
                               place(link.to).view())),
          {}, {}, kNoDuration, {}, {});
    }
  }

  const Scene& scene_;
  Outline outline_;
  bool fold_ = false, fold_agents_ = false;
  int64_t folded_ = 0;
  std::set<uint32_t> spawned_;  ///< conversations that a shown link spawns
  std::vector<bool> drawn_;
};

}  // namespace

Outline call_tree(const Scene& scene, bool unfold) {
  return Tree(scene, unfold).draw();
}

}  // namespace xtrace
