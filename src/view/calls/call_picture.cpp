#include "view/calls/call_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "doc/page.h"
#include "link/graph/queries.h"
#include "view/calls/call_words.h"
#include "view/calls/costs.h"
#include "view/calls/fold.h"
#include "view/calls/groups.h"
#include "view/calls/link_fields.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

/// Builds the picture group by group: a session, in it the agents, in them their calls. For eyes it
/// folds as the tree does (Fold) and draws one edge where several links join the same two; for
/// databases (Question::with_properties) it has all of them.
class CallPictureBuilder {
 public:
  /// So many turns share a box at most, those of a single call aside.
  CallPictureBuilder(const CallScene& scene, Folding folding, size_t turns)
      : scene_(scene),
        fold_(scene, folding),
        most_turns_(turns),
        members_(scene.graph.trace().calls.size()),
        node_of_(members_.size(), Drawing::kNone) {}

  Drawing draw() {
    for (const Conversation& conversation : scene_.graph.conversations()) fold(conversation);
    for (const Session& session : scene_.graph.sessions()) fold_singles(session);
    for (CallId id : scene_.timeline().in_order())
      if (const std::vector<CallId>& calls = members_[id.index]; calls.size() == 1)
        add_call(id);
      else if (!calls.empty())
        add_fold(calls);
    add_links();
    if (size_t boxes = drawing_.nodes.size(); boxes < drawn_)
      drawing_.note = composed(folded_words(drawn_, "call", boxes));
    drawing_.meanings = {{Drawing::Stroke::dashed, "subagent spawn and report"},
                         {Drawing::Stroke::faint, "continuation"}};
    return std::move(drawing_);
  }

 private:
  using Ends = std::pair<uint32_t, uint32_t>;

  /// Decides which calls share a node: all of a subagent, or runs within a turn.
  void fold(const Conversation& conversation) {
    const std::vector<CallId> shown = scene_.selection.shown(conversation.calls);
    const Agent& agent = scene_.graph.agents()[conversation.agent];
    if (shown.size() > 1 && agent.spawned && fold_.takes_agent(shown)) {
      members_[shown.front().index] = shown;
      return;
    }
    const std::vector<uint32_t> turns = number_turns(scene_.graph, conversation);
    std::unordered_map<uint32_t, uint32_t> turn_of;
    for (size_t i = 0; i < turns.size(); ++i) turn_of[conversation.calls[i].index] = turns[i];
    std::vector<CallId> single;  // turns of one call each, side by side, or of more where many fold
    size_t joined = 0;
    std::span<const CallId> rest = shown;
    while (!rest.empty()) {
      size_t turn = 1;
      while (turn < rest.size() && turn_of[rest[turn].index] == turn_of[rest[0].index]) ++turn;
      std::span<const CallId> own = rest.first(turn);
      rest = rest.subspan(turn);
      bool is_one = turns.back() > 1 && fold_.takes_turn(own);
      auto went_well = [&](CallId id) { return fold_.is_routine(id); };
      bool is_single = own.size() == 1 && most_turns_ == 1;
      if (is_one && (is_single || most_turns_ > 1) &&
          std::all_of(own.begin(), own.end(), went_well)) {
        if (own.size() > 1 && joined++ % most_turns_ == 0)
          add_turns(std::exchange(single, {}), turn_of);
        single.insert(single.end(), own.begin(), own.end());
        continue;
      }
      joined = 0;
      add_turns(std::exchange(single, {}), turn_of);
      if (is_one && own.size() > 1)
        add_turns(own, turn_of);
      else
        fold_turn(own);
    }
    add_turns(single, turn_of);
  }

  /// One node for the only calls of agents of one type: titles, quota checks.
  void fold_singles(const Session& session) {
    std::vector<uint32_t> roots;
    for (CallId id : scene_.selection.shown(session.calls))
      if (!scene_.graph.agent_of(id).spawned)
        roots.push_back(scene_.graph.conversation_of(id).number);
    std::sort(roots.begin(), roots.end());
    roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
    for (const auto& [type, calls] : fold_.singles(roots)) {
      for (CallId id : calls) members_[id.index].clear();
      members_[calls.front().index] = calls;
      titles_[calls.front().index] = std::string(scene_.names.text(type).view());
    }
  }

  /// One node for turns that stand side by side.
  void add_turns(std::span<const CallId> calls,
                 const std::unordered_map<uint32_t, uint32_t>& turn_of) {
    if (calls.empty()) return;
    members_[calls.front().index].assign(calls.begin(), calls.end());
    uint32_t first = turn_of.at(calls.front().index), last = turn_of.at(calls.back().index);
    titles_[calls.front().index] =
        first == last ? fmt::format("turn {}", first) : fmt::format("turns {}–{}", first, last);
  }

  void fold_turn(std::span<const CallId> calls) {
    while (!calls.empty()) {
      size_t run = std::max<size_t>(fold_.run(calls), 1);
      members_[calls.front().index].assign(calls.begin(),
                                           calls.begin() + static_cast<ptrdiff_t>(run));
      calls = calls.subspan(run);
    }
  }

  void add_fold(const std::vector<CallId>& calls) {
    Drawing::Node node;
    node.group = group_of(calls.front());
    node.id = scene_.names.id(calls.front());
    Sum sum = sum_of(scene_, calls);
    std::string took = sum.took() == kNoDuration ? "" : " · " + format_span(sum.took());
    auto known = titles_.find(calls.front().index);
    std::string title = known == titles_.end() ? "⋯ " : known->second + " ⋯ ";
    node.lines = {composed(title + plural(sum.calls, "call") + took)};
    if (std::string tools = count_tools(scene_, calls); !tools.empty())
      node.lines.push_back(composed(std::move(tools)));
    if (sum.usage.cost > 0) node.lines.push_back(composed(cost_words(sum.usage)));
    look_like_agent(node, calls.front());
    node.tip = scene_.question.door.say("{} and {}", scene_.names.at(calls.front()).view(),
                                        plural(sum.calls - 1, "more call"));
    for (CallId id : calls) {
      node.error |= scene_.timeline()[id].outcome == Outcome::error;
      node.critical |= scene_.metrics.path.is_on_path[id.index];
      node_of_[id.index] = static_cast<uint32_t>(drawing_.nodes.size());
      ++drawn_;
    }
    drawing_.nodes.push_back(std::move(node));
  }

  void look_like_agent(Drawing::Node& node, CallId id) const {
    const Agent& agent = scene_.graph.agent_of(id);
    node.kind = scene_.names.text(agent.type);
    node.colour = scene_.names.text(agent.color);
    node.type = "Call";
  }

  Text composed(std::string text) const { return scene_.question.door.composed(std::move(text)); }

  uint32_t group_of(CallId id) {
    const Session& session = scene_.graph.session_of(id);
    const Conversation& conversation = scene_.graph.conversation_of(id);
    auto [known, is_new] = groups_.emplace(std::pair(session.number, conversation.number), 0u);
    if (!is_new) return known->second;
    auto [parent, first] = groups_.emplace(std::pair(session.number, 0u), 0u);
    if (first) {
      parent->second = static_cast<uint32_t>(drawing_.groups.size());
      Text label = scene_.question.door.say("session {}", scene_.names.session(session).view());
      drawing_.groups.push_back({label, Drawing::kNone});
    }
    known->second = static_cast<uint32_t>(drawing_.groups.size());
    const Agent& agent = scene_.graph.agent_of(id);
    Text name = scene_.names.agent(agent), label = scene_.names.text(agent.label);
    if (!label.empty() && label != name && !scene_.question.with_properties)
      name = scene_.question.door.say("{}: {}", name.view(), label.view());
    drawing_.groups.push_back({name, parent->second});
    return known->second;
  }

  void add_call(CallId id) {
    const Call& call = scene_.timeline()[id];
    Drawing::Node node;
    node.group = group_of(id);
    Door::At at(scene_.question.door, scene_.names.place(id));
    node.id = scene_.names.id(id);
    node.lines = {what_it_did(scene_, id), details(id)};
    look_like_agent(node, id);
    node.tip = scene_.names.at(id);
    node.error = call.outcome == Outcome::error;
    node.critical = scene_.metrics.path.is_on_path[id.index];
    if (scene_.question.with_properties) {
      node.scope = scene_.question.door.composed(start_text(call));
      node.properties = of_calls_.of({scene_, id, call, {}, scene_.arena});
    }
    node_of_[id.index] = static_cast<uint32_t>(drawing_.nodes.size());
    ++drawn_;
    drawing_.nodes.push_back(std::move(node));
  }

  static std::string start_text(const Call& call) {
    return call.start == kNoTime ? "" : format_time({call.start, call.decimals});
  }

  Text details(CallId id) {
    const Call& call = scene_.timeline()[id];
    std::string text(short_model(scene_, id).view());
    if (call.duration != kNoDuration)
      text += (text.empty() ? "" : " · ") + format_span(call.duration);
    if (const Usage& own = scene_.spending.own(id); own.cost > 0)
      text += (text.empty() ? "" : " · ") + cost_words(own);
    return scene_.question.door.composed(std::move(text));
  }

  void add_links() {
    for (uint32_t i : scene_.selection.links) add_link(scene_.links()[i]);
    for (const Link& link : scene_.selection.adjusted) add_link(link);
    // Any other link between two boxes implies that the conversation continues.
    const auto continues = [](const Link* link) { return link->kind == LinkKind::continuation; };
    std::set<Ends> linked;
    for (const auto& [sign, links] : joined_)
      if (!std::ranges::all_of(links, continues)) linked.insert(sign.first);
    for (const auto& [sign, links] : joined_)
      if (!linked.contains(sign.first) || !std::ranges::all_of(links, continues))
        add_edge(sign.first, links);
  }

  void add_link(const Link& link) {
    std::pair ends(node_of_[link.from.index], node_of_[link.to.index]);
    if (scene_.question.with_properties) {
      add_edge(ends, {&link});
      drawing_.edges.back().relation = relation(link.kind);
      drawing_.edges.back().properties = of_links_.of({scene_, link, scene_.arena});
    } else if (ends.first != ends.second) {  // within one node nothing is drawn
      const std::pair sign(ends, stroke_of(link));
      auto [place, is_new] = place_.emplace(sign, joined_.size());
      if (is_new) joined_.emplace_back(sign, std::vector<const Link*>());
      joined_[place->second].second.push_back(&link);
    }
  }

  static Drawing::Stroke stroke_of(const Link& link) {
    const LinkKindRow& kind = row_of(link.kind);
    return is_guess(link.rule) || link.rule == Rule::adjusted ? Drawing::Stroke::dotted
           : kind.of_subagent                                 ? Drawing::Stroke::dashed
           : kind.goes_on                                     ? Drawing::Stroke::faint
                                                              : Drawing::Stroke::solid;
  }

  void add_edge(Ends ends, const std::vector<const Link*>& links) {
    Drawing::Edge edge;
    edge.from = ends.first;
    edge.to = ends.second;
    edge.label = label_of(links);
    edge.stroke = stroke_of(*links.front());
    for (const Link* link : links) edge.error |= link->is_error;
    drawing_.edges.push_back(std::move(edge));
  }

  /// `Read ×2, Grep`: each word once, in the order of the links.
  Text label_of(const std::vector<const Link*>& links) {
    if (links.size() == 1) return label_of(*links.front());
    std::vector<std::pair<std::string, int>> words;
    for (const Link* link : links) {
      std::string word(label_of(*link).view());
      auto same = std::find_if(words.begin(), words.end(),
                               [&](const auto& known) { return known.first == word; });
      if (same != words.end())
        ++same->second;
      else if (!word.empty())
        words.emplace_back(word, 1);
    }
    constexpr size_t kTold = 3;  // a longer label widens the picture
    std::string text;
    for (size_t i = 0; i < std::min(words.size(), kTold); ++i)
      text += fmt::format("{}{}{}", i == 0 ? "" : ", ", words[i].first,
                          words[i].second > 1 ? fmt::format(" ×{}", words[i].second) : "");
    if (words.size() > kTold) text += fmt::format(", +{}", words.size() - kTold);
    return composed(std::move(text));
  }

  Text label_of(const Link& link) {
    if (link.rule == Rule::adjusted) return "…";
    if (link.kind == LinkKind::tool_result)
      return scene_.names.text(scene_.graph.trace().tool_uses[link.tool_use.index].name);
    const std::string_view label = row_of(link.kind).label;
    return is_guess(link.rule) && !label.empty()
               ? scene_.question.door.say("{}? {:.2f}", label, confidence(link))
               : Door::own(label);
  }

  const CallScene& scene_;
  Fold fold_;
  size_t most_turns_;
  size_t drawn_ = 0;                          ///< calls
  std::vector<std::vector<CallId>> members_;  ///< by first call, those that its node stands for
  std::unordered_map<uint32_t, std::string>
      titles_;  ///< of what is not one run of calls, by first call
  std::vector<uint32_t> node_of_;
  Properties<CallRow> of_calls_{
      call_fields(),
      {"at", "session", "timestamp", "duration_ms", "agent.id", "agent.type", "model", "status",
       "stop_reason", "error", "tokens.input", "tokens.output", "tokens.total", "cost_usd",
       "subtree_cost_usd"}};
  Properties<LinkRow> of_links_{link_fields(),
                                {"confidence", "method", "tool_use_id", "latency_ms"}};
  Drawing drawing_;
  /// Links of different strokes are drawn apart: a guess beside a recorded link remains dotted.
  using Sign = std::pair<Ends, Drawing::Stroke>;
  std::map<Sign, size_t> place_;  ///< in joined_
  std::vector<std::pair<Sign, std::vector<const Link*>>> joined_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t>
      groups_;  ///< session, conversation (0: none) -> group
};

}  // namespace

Drawing call_picture(const CallScene& scene, bool unfold) {
  if (unfold || scene.question.with_properties)
    return CallPictureBuilder(scene, Folding::none, 1).draw();
  Drawing drawing;
  for (auto [folding, turns] :
       std::initializer_list<std::pair<Folding, size_t>>{{Folding::by_length, 1},
                                                         {Folding::runs, 1},
                                                         {Folding::agents, 1},
                                                         {Folding::agents, 2},
                                                         {Folding::agents, 3},
                                                         {Folding::agents, 5},
                                                         {Folding::agents, 10},
                                                         {Folding::agents, SIZE_MAX}}) {
    drawing = CallPictureBuilder(scene, folding, turns).draw();
    if (fits_page(blueprint_of(drawing), scene.question.direction)) break;
  }
  return drawing;
}

}  // namespace xtrace
