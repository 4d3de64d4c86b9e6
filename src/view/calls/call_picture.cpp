#include "view/calls/call_picture.h"

#include <fmt/format.h>

#include <map>

#include "view/calls/call_words.h"
#include "view/calls/link_fields.h"

namespace xtrace {

namespace {

/// Builds the picture group by group: a session, in it the agents, in them their calls.
class CallPictureBuilder {
 public:
  explicit CallPictureBuilder(const CallScene& scene)
      : scene_(scene), node_of_(scene.graph.trace().calls.size(), Drawing::kNone) {}

  Drawing draw() {
    for (CallId id : scene_.timeline().in_order())
      if (scene_.selection.shows(id)) add_call(id);
    add_links();
    return std::move(drawing_);
  }

 private:
  uint32_t group_of(CallId id) {
    const Session& session = scene_.graph.session_of(id);
    const Conversation& conversation = scene_.graph.conversation_of(id);
    auto [known, is_new] = groups_.emplace(std::pair(session.number, conversation.number), 0u);
    if (!is_new) return known->second;
    auto [parent, first] = groups_.emplace(std::pair(session.number, 0u), 0u);
    if (first) {
      parent->second = static_cast<uint32_t>(drawing_.groups.size());
      Text label = scene_.question.door.composed(
          fmt::format("session {}", scene_.names.session(session).view()));
      drawing_.groups.push_back({label, Drawing::kNone});
    }
    known->second = static_cast<uint32_t>(drawing_.groups.size());
    drawing_.groups.push_back({scene_.names.agent(scene_.graph.agent_of(id)), parent->second});
    return known->second;
  }

  void add_call(CallId id) {
    const Call& call = scene_.timeline()[id];
    Drawing::Node node;
    node.group = group_of(id);
    Door::At at(scene_.question.door, scene_.names.place(id));
    node.id = scene_.names.id(id);
    node.lines = {what_it_did(scene_, id), details(id)};
    node.kind = scene_.names.text(scene_.graph.agent_of(id).type);
    node.error = call.outcome == Outcome::error;
    node.critical = scene_.metrics.path.is_on_path[id.index];
    node.type = "Call";
    if (scene_.question.with_properties) {
      node.scope = scene_.question.door.composed(start_text(call));
      node.properties = of_calls_.of({scene_, id, call, {}, scene_.arena});
    }
    node_of_[id.index] = static_cast<uint32_t>(drawing_.nodes.size());
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
    return scene_.question.door.composed(std::move(text));
  }

  void add_links() {
    for (uint32_t i : scene_.selection.links) add_link(scene_.links()[i]);
    for (const Link& link : scene_.selection.adjusted) add_link(link);
  }

  void add_link(const Link& link) {
    Drawing::Edge edge;
    edge.from = node_of_[link.from.index];
    edge.to = node_of_[link.to.index];
    edge.label = label_of(link);
    bool guessed = is_guess(link.rule) || link.rule == Rule::adjusted;
    bool follows = link.kind == LinkKind::continuation || link.kind == LinkKind::retry;
    bool of_subagent =
        link.kind == LinkKind::subagent_spawn || link.kind == LinkKind::subagent_report;
    edge.stroke = guessed       ? Drawing::Stroke::dotted
                  : of_subagent ? Drawing::Stroke::dashed
                  : follows     ? Drawing::Stroke::faint
                                : Drawing::Stroke::solid;
    edge.error = link.is_error || link.kind == LinkKind::retry;
    edge.relation = relation(link.kind);
    if (scene_.question.with_properties)
      edge.properties = of_links_.of({scene_, link, scene_.arena});
    drawing_.edges.push_back(std::move(edge));
  }

  Text label_of(const Link& link) {
    if (link.rule == Rule::adjusted) return "…";
    switch (link.kind) {
      case LinkKind::tool_result:
        return scene_.names.text(scene_.graph.trace().tool_uses[link.tool_use.index].name);
      case LinkKind::subagent_spawn:
        return is_guess(link.rule)
                   ? scene_.question.door.composed(fmt::format("spawn? {:.2f}", confidence(link)))
                   : Text("spawn");
      case LinkKind::subagent_report: return "report";
      case LinkKind::content_reuse:
        return scene_.question.door.composed(fmt::format("reuse? {:.2f}", confidence(link)));
      case LinkKind::sequential: return "then?";
      case LinkKind::retry: return "retry";
      case LinkKind::continuation: break;
    }
    return {};
  }

  const CallScene& scene_;
  Properties<CallRow> of_calls_{
      call_fields(),
      {"at", "session", "timestamp", "duration_ms", "agent.id", "agent.type", "model", "status",
       "stop_reason", "error", "tokens.input", "tokens.output", "tokens.total", "cost_usd",
       "subtree_cost_usd"}};
  Properties<LinkRow> of_links_{link_fields(),
                                {"confidence", "method", "tool_use_id", "latency_ms"}};
  Drawing drawing_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t>
      groups_;  ///< session, conversation (0: none) -> group
  std::vector<uint32_t> node_of_;
};

}  // namespace

Drawing call_picture(const CallScene& scene) {
  return CallPictureBuilder(scene).draw();
}

}  // namespace xtrace
