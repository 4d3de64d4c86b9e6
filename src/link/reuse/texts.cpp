#include "link/reuse/texts.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace xtrace {

namespace {

/// All that a model reads before a conversation.
std::string words_of(const Instructions& given) {
  std::string words = given.system_prompt;
  for (const DeclaredTool& tool : given.tools)
    words += '\n' + tool.name + '\n' + tool.description + '\n' + tool.schema;
  return words;
}

/// Gives each quote of a call its place.
class PlacesOfQuotes {
 public:
  PlacesOfQuotes(const Graph& graph, CallId call)
      : graph_(graph), trace_(graph.trace()), call_(call), uses_(graph.tool_uses_of(call)) {
    conversation_ = conversation_index(graph, call);
    for (const uint32_t i : graph.causes_of(call))
      if (graph.links()[i].kind == LinkKind::subagent_spawn)
        spawned_by_ = graph.links()[i].tool_use;
    const Conversation& conversation = graph.conversations()[conversation_];
    is_of_subagent_ = graph.agents()[conversation.agent].spawned;
  }

  uint32_t conversation() const { return conversation_; }

  TextPlace place(const Quote& quote) {
    TextPlace place{role(quote), conversation_, call_, {}};
    switch (place.role) {
      case TextRole::argument: place.use = asked(quote); break;
      case TextRole::result: place.use = answered(quote); break;
      case TextRole::prompt: place.use = spawned_by_; break;
      default: break;
    }
    return place;
  }

 private:
  TextRole role(const Quote& quote) {
    if (quote.kind == Quote::Kind::tool_result) return TextRole::result;
    if (quote.is_answer)
      return quote.kind == Quote::Kind::tool_use  ? TextRole::argument
             : quote.kind == Quote::Kind::thought ? TextRole::thought
                                                  : TextRole::model;
    // The summary of what was said before is the model's, whoever it is ascribed to.
    const bool is_summary = trace_[call_].is_compacted && !has_summary_;
    if (is_summary) {
      has_summary_ = true;
      return TextRole::model;
    }
    return is_of_subagent_ ? TextRole::prompt : TextRole::user;
  }

  ToolUseId asked(const Quote& quote) {
    for (size_t i = next_; i < uses_.size(); ++i)
      if (quote.tool_use.empty() || trace_[uses_[i]->id] == quote.tool_use) {
        next_ = i + 1;
        return graph_.timeline().id_of(*uses_[i]);
      }
    return {};
  }

  ToolUseId answered(const Quote& quote) {
    if (!has_results_) {
      has_results_ = true;
      for (const uint32_t i : graph_.causes_of(call_)) {
        const Link& link = graph_.links()[i];
        if (link.kind == LinkKind::tool_result && link.tool_use)
          results_.try_emplace(trace_[link.key], link.tool_use);
      }
    }
    const auto found = results_.find(quote.tool_use);
    return found == results_.end() ? ToolUseId{} : found->second;
  }

  const Graph& graph_;
  const Trace& trace_;
  CallId call_;
  std::vector<const ToolUse*> uses_;
  uint32_t conversation_ = 0;
  ToolUseId spawned_by_;
  bool is_of_subagent_ = false, has_summary_ = false, has_results_ = false;
  std::unordered_map<std::string_view, ToolUseId> results_;  ///< by the ids that they name
  size_t next_ = 0;                                          ///< of the uses
};

}  // namespace

uint32_t conversation_index(const Graph& graph, CallId call) {
  return static_cast<uint32_t>(&graph.conversation_of(call) - graph.conversations().data());
}

void each_text(const Graph& graph, const Payloads& payloads,
               const std::function<void(uint32_t index, const TextPlace& place,
                                        std::string_view text)>& each) {
  const Trace& trace = graph.trace();
  uint32_t index = 0;
  std::vector<StringId> prompts(graph.conversations().size());
  std::vector<bool> has_begun(graph.conversations().size());
  for (const CallId id : graph.timeline().in_order()) {
    const Call& call = trace[id];
    PlacesOfQuotes texts(graph, id);
    const uint32_t conversation = texts.conversation();
    const bool is_first = !has_begun[conversation];
    if ((is_first && (call.offers_tools || call.system_prompt)) ||
        call.system_prompt != prompts[conversation])
      each(index++, {TextRole::system, conversation, id, {}},
           words_of(payloads.instructions(call)));
    has_begun[conversation] = true;
    prompts[conversation] = call.system_prompt;
    for (const Quote& quote : payloads.quotes(call)) {
      const TextPlace place = texts.place(quote);
      each(index++, place, quote.text);
    }
  }
}

void each_text_of(const Graph& graph, const Payloads& payloads, CallId call,
                  const std::function<void(const TextPlace& place, std::string_view text)>& each) {
  PlacesOfQuotes texts(graph, call);
  for (const Quote& quote : payloads.quotes(graph.trace()[call])) {
    const TextPlace place = texts.place(quote);
    each(place, quote.text);
  }
}

const std::string& CallTexts::read(const TextPlace& place) {
  static const std::string kNone;
  auto known = std::ranges::find(calls_, place.call, &OfCall::call);
  if (known == calls_.end()) {
    if (calls_.size() == kKept) calls_.erase(calls_.begin());
    known = calls_.insert(calls_.end(), {place.call, {}});
    each_text_of(graph_, payloads_, place.call, [&](const TextPlace& one, std::string_view text) {
      std::string& all = known->texts[key_of(one)];
      if (!all.empty()) all += '\n';
      all += text;
    });
  }
  const uint64_t key = key_of(place);
  if (place.role == TextRole::system && !known->texts.contains(key))
    known->texts[key] = words_of(payloads_.instructions(graph_.trace()[place.call]));
  const auto found = known->texts.find(key);
  return found == known->texts.end() ? kNone : found->second;
}

}  // namespace xtrace
