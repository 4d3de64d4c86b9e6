#include "view/impact/blast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_set>

#include "base/address.h"
#include "base/count.h"
#include "base/text.h"
#include "facts/tool_targets.h"
#include "view/calls/costs.h"
#include "view/common/words.h"
#include "view/hops/hop_words.h"

namespace xtrace {

namespace {

/// Adds up steps; each file, host, agent and session counts once.
class Adder {
 public:
  explicit Adder(const ImpactScene& scene) : scene_(scene) {}

  void add(uint32_t node) {
    const GraphStep& step = scene_.step(node);
    sessions_.insert(scene_.session(node));
    if (step.kind == GraphStep::Kind::hop) return add_hop(step.hop);
    agents_.insert(scene_.graph().agent_index_of(step.call));
    if (step.kind == GraphStep::Kind::tool_use) return add_use(step);
    const Call& call = scene_.trace()[step.call];
    const Activity& done = scene_.graph().activities().of(step.call);
    add_call(call.start, call.duration, done.tokens, scene_.calls()->spending.own(step.call));
  }

  Blast sum() {
    sum_.files = static_cast<int64_t>(files_.size());
    sum_.hosts = static_cast<int64_t>(hosts_.size());
    sum_.agents = static_cast<int64_t>(agents_.size() + agent_names_.size());
    sum_.sessions = static_cast<int64_t>(sessions_.size());
    std::ranges::sort(spells_);
    Time end = kNoTime;
    for (const auto& [from, to] : spells_) {
      if (end == kNoTime || from > end) {
        sum_.busy = plus(sum_.busy, elapsed(from, to));
        end = to;
      } else if (to > end) {
        sum_.busy = plus(sum_.busy, elapsed(end, to));
        end = to;
      }
    }
    return sum_;
  }

 private:
  void add_call(Time start, Duration took, const Tokens& tokens, const Usage& usage) {
    ++sum_.calls;
    // No sum of what logs may claim overflows.
    sum_.tokens = sum_of_known({sum_.tokens, std::max<int64_t>(total_of(tokens), 0)});
    sum_.cost = sum_of_known({sum_.cost, std::max<int64_t>(usage.cost, 0)});
    sum_.unpriced += usage.unpriced;
    sum_.low += usage.is_low_cost();
    if (start != kNoTime && took != kNoDuration) spells_.emplace_back(start, after(start, took));
  }

  void add_use(const GraphStep& step) {
    ++sum_.tool_uses;
    if (step.tool == nullptr || step.tool->use == nullptr) return;
    for (StringId target : targets_of(scene_.trace(), *step.tool->use)) {
      const std::string_view name = scene_.trace()[target];
      const std::string_view host = host_of(name);
      if (host.empty())
        files_.insert(name);
      else
        hosts_.insert(host);
    }
  }

  void add_hop(HopId id) {
    constexpr std::string_view kFile = "resource:file:", kHost = "resource:host:";
    const HopScene& scene = *scene_.hops();
    const Hop& hop = scene.hops[id];
    const Usage usage = usage_at(scene, id);
    add_call(hop.start, hop.duration, usage.tokens, usage);
    if (hop.to) {
      const std::string_view actor = scene.hops[hop.to].id;
      if (actor.starts_with(kFile)) files_.insert(actor);
      if (actor.starts_with(kHost)) hosts_.insert(actor);
    }
    if (!hop.span) return;
    const std::string_view agent = scene_.graph().activities().of(hop.span).agent.agent();
    if (!agent.empty()) agent_names_.insert(agent);
  }

  const ImpactScene& scene_;
  Blast sum_;
  std::vector<std::pair<Time, Time>> spells_;
  std::unordered_set<std::string_view> files_, hosts_, agent_names_;
  std::unordered_set<uint32_t> agents_, sessions_;
};

constexpr Field<Blast> kSums[] = {
    {{"calls", "calls; in traces, spans", CellKind::integer, true}, member<&Blast::calls>},
    {{"tool_uses", "", CellKind::integer, true}, member<&Blast::tool_uses>},
    {{"tokens", "total tokens of the calls, as far as they are known", CellKind::integer, true},
     member<&Blast::tokens>},
    {{"cost_usd", "cost of the calls, as far as it is known", CellKind::number, true},
     [](const Blast& sum) { return Cell(Dollars{sum.cost}); }},
    {{"unpriced_calls", "calls without a known cost", CellKind::integer, true},
     member<&Blast::unpriced>},
    {{"busy_ms", "time during which at least one of the calls ran", CellKind::milliseconds, true},
     member<&Blast::busy>},
    {{"files", "files named by the tool uses", CellKind::integer, true}, member<&Blast::files>},
    {{"hosts", "hosts named by the tool uses", CellKind::integer, true}, member<&Blast::hosts>},
    {{"agents", "", CellKind::integer, true}, member<&Blast::agents>},
    {{"sessions", "sessions; in traces, runs", CellKind::integer, true}, member<&Blast::sessions>},
};

constexpr size_t kParts = 3, kLongestKey = 32;
constexpr std::string_view kPartWords[kParts] = {"self.", "reached.", "only_through."};
struct Key {
  std::array<char, kLongestKey> text{};
  size_t length = 0;
};
/// `self.calls` and so on: one object for each part.
constexpr std::array kKeys = [] {
  std::array<Key, kParts * std::size(kSums)> keys{};
  for (size_t part = 0; part < kParts; ++part)
    for (size_t i = 0; i < std::size(kSums); ++i) {
      Key& key = keys[part * std::size(kSums) + i];
      for (std::string_view piece : {kPartWords[part], kSums[i].column.key})
        for (char c : piece) key.text[key.length++] = c;
    }
  return keys;
}();

template <Blast Blasts::*kPart, size_t kAt>
Cell cell_of(const Blasts& blasts) {
  return kSums[kAt].get(blasts.*kPart);
}

template <Blast Blasts::*kPart, size_t kNth, size_t... kAt>
constexpr auto part_fields(std::index_sequence<kAt...>) {
  const auto column_at = [](size_t at) {
    Column column = kSums[at].column;
    const Key& key = kKeys[kNth * std::size(kSums) + at];
    column.key = std::string_view(key.text.data(), key.length);
    if (kNth > 0) column.help = {};  // the same as of the first part
    return column;
  };
  return std::array{Field<Blasts>{column_at(kAt), cell_of<kPart, kAt>}...};
}
constexpr auto kAll = std::make_index_sequence<std::size(kSums)>();
constexpr auto kBlastFields =
    joined_fields(part_fields<&Blasts::self, 0>(kAll), part_fields<&Blasts::reached, 1>(kAll),
                  part_fields<&Blasts::only_through, 2>(kAll));

Cell share(double part, double whole) {
  return whole > 0 ? Cell(thousandths(part / whole)) : Cell();
}

constexpr Field<Blasts> kShares[] = {
    {{"calls", "share of the calls of their sessions, or of the query, that is reached, 0 to 1",
      CellKind::number},
     [](const Blasts& row) {
       return share(static_cast<double>(row.reached.calls), static_cast<double>(row.all.calls));
     }},
    {{"cost_usd", "share of the cost of these sessions, or of the query", CellKind::number},
     [](const Blasts& row) {
       return share(static_cast<double>(row.reached.cost), static_cast<double>(row.all.cost));
     }},
};

}  // namespace

Blast blast_of(const ImpactScene& scene, const std::vector<uint32_t>& nodes) {
  Adder adder(scene);
  for (uint32_t node : nodes) adder.add(node);
  return adder.sum();
}

std::span<const Field<Blasts>> blast_fields() {
  return kBlastFields;
}
std::span<const Column> blast_columns() {
  return columns_of<kBlastFields>();
}
std::span<const Field<Blasts>> share_fields() {
  return kShares;
}
std::span<const Column> share_columns() {
  return columns_of<kShares>();
}

std::string words_of(const Blast& blast, bool are_spans) {
  std::string text;
  const auto add = [&](std::string_view words) { text = join_notes(std::move(text), words); };
  if (blast.calls > 0) add(plural(blast.calls, are_spans ? "span" : "call"));
  if (blast.tool_uses > 0) add(plural(blast.tool_uses, "tool use"));
  if (blast.tokens > 0) add(fmt::format("{} tokens", show_count(blast.tokens)));
  if (blast.cost > 0)
    add(show_dollars(
        {blast.cost, blast.low > 0 ? Dollars::Bound::at_least : Dollars::Bound::exact}));
  else if (blast.unpriced > 0)
    add("cost unknown");
  if (blast.busy > Duration{0}) add(format_span(blast.busy) + " busy");
  return text;
}

}  // namespace xtrace
