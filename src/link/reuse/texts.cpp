#include "link/reuse/texts.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace xtrace {

namespace {

/// So many in a row are read by one thread: what a request repeats of the one before is known.
constexpr size_t kCallsOfBatch = 32;

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
  PlacesOfQuotes(const Graph& graph, const HistoryUses& history, CallId call)
      : graph_(graph),
        trace_(graph.trace()),
        history_(history),
        call_(call),
        uses_(graph.tool_uses_of(call)) {
    conversation_ = conversation_index(graph, call);
    for (const uint32_t i : graph.causes_of(call))
      if (graph.links()[i].kind == LinkKind::subagent_spawn)
        spawned_by_ = graph.links()[i].tool_use;
    const Conversation& conversation = graph.conversations()[conversation_];
    is_of_subagent_ = graph.agents()[conversation.agent].spawned;
  }

  /// `is_history`: it is of the request, before what it adds.
  TextPlace place(const Quote& quote, bool is_history) {
    TextPlace place{role(quote), conversation_, call_, {}};
    switch (place.role) {
      case TextRole::argument:
        place.use = is_history ? history_.find(call_, quote.tool_use) : asked(quote);
        break;
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
    return found == results_.end() ? history_.find(call_, quote.tool_use) : found->second;
  }

  const Graph& graph_;
  const Trace& trace_;
  const HistoryUses& history_;
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

ConversationTexts::ConversationTexts(const Graph& graph, const Payloads& payloads)
    : graph_(graph),
      payloads_(payloads),
      histories_(dynamic_cast<const Histories*>(&payloads)),
      history_(graph),
      is_instructed_(graph.timeline().in_order().size()) {
  const Trace& trace = graph.trace();
  std::vector<StringId> prompts(graph.conversations().size());
  for (const CallId id : graph.timeline().in_order()) {
    const Call& call = trace[id];
    StringId& before = prompts[conversation_index(graph, id)];
    is_instructed_[graph.timeline().rank(id)] =
        (history_.begins(id) && call.tools != 0) || call.system_prompt != before;
    before = call.system_prompt;
  }
}

size_t ConversationTexts::batches() const {
  return (is_instructed_.size() + kCallsOfBatch - 1) / kCallsOfBatch;
}

std::span<const CallId> ConversationTexts::calls(size_t batch) const {
  const std::span<const CallId> all = graph_.timeline().in_order();
  const size_t begin = batch * kCallsOfBatch;
  return all.subspan(begin, std::min(kCallsOfBatch, all.size() - begin));
}

void ConversationTexts::read(size_t batch, const Each& each) const {
  for (const CallId call : calls(batch)) {
    if (is_instructed_[graph_.timeline().rank(call)])
      each({TextRole::system, conversation_index(graph_, call), call, {}},
           words_of(instructions(call)));
    read(call, each);
  }
}

void ConversationTexts::read(CallId call, const Each& each) const {
  PlacesOfQuotes places(graph_, history_, call);
  const Call& of = graph_.trace()[call];
  if (histories_ != nullptr && history_.begins(call))
    for (const Quote& quote : histories_->history(of)) each(places.place(quote, true), quote.text);
  for (const Quote& quote : payloads_.quotes(of)) each(places.place(quote, false), quote.text);
}

const std::string& CallTexts::read(const TextPlace& place) {
  static const std::string kNone;
  auto known = std::ranges::find(calls_, place.call, &OfCall::call);
  if (known == calls_.end()) {
    if (calls_.size() == kKept) calls_.erase(calls_.begin());
    known = calls_.insert(calls_.end(), {place.call, {}});
    texts_.read(place.call, [&](const TextPlace& one, std::string_view text) {
      std::string& all = known->texts[key_of(one)];
      if (!all.empty()) all += '\n';
      all += text;
    });
  }
  const uint64_t key = key_of(place);
  if (place.role == TextRole::system && !known->texts.contains(key))
    known->texts[key] = words_of(texts_.instructions(place.call));
  const auto found = known->texts.find(key);
  return found == known->texts.end() ? kNone : found->second;
}

}  // namespace xtrace
