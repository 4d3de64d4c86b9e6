#include "link/activities/context_use.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "facts/agents.h"
#include "facts/payloads.h"
#include "link/activities/call_sizes.h"
#include "link/activities/output_estimate.h"
#include "link/attribution/attribution.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

using PartKind = ContextPart::Kind;
using Key = std::pair<PartKind, std::string>;

/// The bytes of blocks that the client adds to a text, `<system-reminder>…</system-reminder>`, in
/// which it quotes files of instructions.
size_t memory_bytes(std::string_view text) {
  constexpr std::string_view kBegin = "<system-reminder>", kEnd = "</system-reminder>";
  size_t bytes = 0;
  for (size_t at = text.find(kBegin); at != std::string_view::npos;) {
    const size_t end = std::min(text.find(kEnd, at), text.size());
    if (has_any_word(text.substr(at, end - at), &AgentFacts::instructions)) bytes += end - at;
    at = text.find(kBegin, end);
  }
  return bytes;
}

/// The share of `tokens` that a text of so many bytes has of a whole of so many.
int64_t part_by_length(int64_t tokens, size_t bytes, size_t whole) {
  if (whole == 0) return 0;
  return static_cast<int64_t>(static_cast<double>(tokens) * static_cast<double>(bytes) /
                              static_cast<double>(whole));
}

class ContextReader {
 public:
  ContextReader(const Graph& graph, CallSizeMeter& sizes, const Payloads* payloads)
      : graph_(graph), trace_(graph.trace()), sizes_(sizes), payloads_(payloads) {}

  std::vector<ContextPart> read(CallId call) {
    const std::vector<CallId>& before = graph_.contexts_before();
    std::vector<CallId> chain;
    for (CallId at = call; at; at = before[at.index]) chain.push_back(at);
    CallId last;
    for (size_t i = chain.size(); i-- > 0;) {
      const CallId id = chain[i];
      if (sent(id) <= 0) continue;
      if (!last)
        begin(id);
      else if (trace_[id].is_compacted)
        begin_again(id);
      else
        go_on(last, id);
      last = id;
    }
    return last == call ? parts() : std::vector<ContextPart>();
  }

 private:
  struct Amount {
    int64_t tokens = 0;
    bool is_estimated = false;
  };
  using Weights = std::map<Key, size_t>;

  int64_t sent(CallId id) const { return tokens_sent(graph_.activities().of(id).tokens); }

  void add(Key key, int64_t tokens, bool is_estimated) {
    if (tokens <= 0) return;
    Amount& amount = amounts_[key];
    amount.tokens += tokens;
    amount.is_estimated |= is_estimated;
  }

  /// Divides tokens by lengths; what has none is one part without a name.
  void divide(int64_t tokens, const Weights& weights, bool is_estimated) {
    const size_t whole =
        std::accumulate(weights.begin(), weights.end(), size_t{0},
                        [](size_t sum, const auto& weight) { return sum + weight.second; });
    if (whole == 0) return add({PartKind::unattributed, {}}, tokens, false);
    int64_t rest = tokens;
    size_t bytes = whole;
    for (const auto& [key, length] : weights) {
      const int64_t part = part_by_length(rest, length, bytes);
      add(key, length == bytes ? rest : part, is_estimated);
      rest -= length == bytes ? rest : part;
      bytes -= length;
    }
  }

  /// What came with a call, by length: results of tools, and all else.
  Weights came_with(CallId id, size_t memory) {
    Weights weights;
    const CallSizes& sizes = sizes_[id];
    size_t rest = sizes.asked, images = sizes.images;
    for (uint32_t i : graph_.results_read_by(id)) {
      const Link& link = graph_.links()[i];
      if (!link.tool_use || link.is_again) continue;
      const ToolUse& use = trace_.tool_uses[link.tool_use.index];
      const ResultSize result = sizes.of_result(trace_[use.id]);
      const size_t bytes = std::min(rest, result.bytes - result.images);
      if (bytes > 0) weights[{PartKind::tool_results, std::string(trace_[use.name])}] += bytes;
      rest -= bytes;
    }
    images = std::min(images, rest);
    if (images > 0) weights[{PartKind::images, {}}] = images;
    rest -= images;
    memory = std::min(memory, rest);
    if (memory > 0) weights[{PartKind::memory, {}}] = memory;
    if (rest > memory) weights[{PartKind::prompts, {}}] = rest - memory;
    return weights;
  }

  void begin(CallId id) {
    size_t memory = 0;
    Instructions told;
    if (payloads_ != nullptr) {
      told = payloads_->instructions(trace_[id]);
      for (const Quote& quote : payloads_->quotes(trace_[id]))
        if (!quote.is_answer && quote.kind == Quote::Kind::text) memory += memory_bytes(quote.text);
    }
    Weights weights = came_with(id, memory);
    if (!told.system_prompt.empty())
      weights[{PartKind::system_prompt, {}}] = told.system_prompt.size();
    for (const DeclaredTool& tool : told.tools) {
      weights[{PartKind::tool_definitions, std::string(mcp_server_of(tool.name))}] +=
          tool.name.size() + tool.description.size() + tool.schema.size();
    }
    const bool has_head = !told.system_prompt.empty() || !told.tools.empty();
    if (has_head && !has_history(id)) return divide(sent(id), weights, true);
    int64_t rest = sent(id);
    for (const auto& [key, bytes] : weights) {
      const int64_t tokens = std::min(rest, estimated_tokens(bytes));
      add(key, tokens, true);
      rest -= tokens;
    }
    add({has_history(id) ? PartKind::unattributed : PartKind::not_recorded, {}}, rest, true);
  }

  /// Did the model say something before the first call on record? Its length is not recorded.
  bool has_history(CallId id) const {
    for (MessageId at = trace_[id].request; at; at = trace_[at].before)
      if (trace_[at].role == Message::Role::assistant) return true;
    return false;
  }

  /// A summary represents what was said; what every request begins with stays.
  void begin_again(CallId id) {
    std::erase_if(amounts_, [](const auto& amount) { return !is_fixed(amount.first.first); });
    const int64_t kept = total();
    if (kept >= sent(id)) return scale(sent(id));
    add({PartKind::summary, {}}, sent(id) - kept, true);
  }

  static bool is_fixed(PartKind kind) {
    return kind == PartKind::system_prompt || kind == PartKind::tool_definitions ||
           kind == PartKind::not_recorded;
  }

  void go_on(CallId before, CallId id) {
    const int64_t grown = sent(id) - total();
    if (grown < 0) return scale(sent(id));
    const int64_t output = graph_.activities().of(before).tokens.output;
    const bool is_counted = output >= 0 && !trace_[before].output_is_low;
    const int64_t reply = is_counted ? output : estimated_answer(sizes_[before]);
    // Clients send less of what was thought than was put out: the rest is missing from that.
    const CallSizes& said = sizes_[before];
    const int64_t thought =
        is_counted ? part_by_length(reply, said.thought, said.thought + said.answered) : 0;
    const int64_t answered = std::min(grown, reply - thought);
    add({PartKind::replies, {}}, answered, !is_counted || thought > 0);
    add({PartKind::thinking, {}}, std::min(grown - answered, thought), true);
    if (grown <= reply) return;
    const Weights weights = came_with(id, 0);
    divide(grown - reply, weights, !is_counted || weights.size() > 1);
  }

  int64_t total() const {
    return std::accumulate(
        amounts_.begin(), amounts_.end(), int64_t{0},
        [](int64_t sum, const auto& amount) { return sum + amount.second.tokens; });
  }

  /// Something was left out, and the log does not say of what: all parts lose the same share.
  void scale(int64_t to) {
    int64_t rest = to, whole = total();
    for (auto& [key, amount] : amounts_) {
      const int64_t part =
          whole > 0 ? static_cast<int64_t>(static_cast<double>(amount.tokens) *
                                           static_cast<double>(rest) / static_cast<double>(whole))
                    : 0;
      whole -= amount.tokens;
      amount = {whole == 0 ? rest : part, true};
      rest -= amount.tokens;
    }
  }

  std::vector<ContextPart> parts() const {
    std::vector<ContextPart> parts;
    for (const auto& [key, amount] : amounts_)
      if (amount.tokens > 0)
        parts.push_back({key.first, key.second, amount.tokens, amount.is_estimated});
    std::ranges::stable_sort(parts, std::greater<>(), &ContextPart::tokens);
    return parts;
  }

  const Graph& graph_;
  const Trace& trace_;
  CallSizeMeter& sizes_;
  const Payloads* payloads_;
  std::map<Key, Amount> amounts_;
};

}  // namespace

std::vector<ContextPart> find_context(const Graph& graph, CallSizeMeter& sizes,
                                      const Payloads* payloads, CallId call) {
  return ContextReader(graph, sizes, payloads).read(call);
}

}  // namespace xtrace
