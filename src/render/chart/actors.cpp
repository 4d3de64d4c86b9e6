#include "render/chart/actors.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "base/one_of.h"
#include "render/chart/bands.h"

namespace xtrace {

namespace {

constexpr int32_t kWidth = 168, kHeight = 34, kGap = 22, kBetween = 128, kMargin = 16;

struct Gathered {
  std::vector<Actors::Actor> actors;
  std::vector<Actors::Edge> edges;
  std::vector<int64_t> weight;  ///< calls that an actor takes part in
};

class Collector : public Gathered {
 public:
  explicit Collector(const Chart& chart) : chart_(chart) {}

  void collect() {
    if (is_of_actors()) return collect_actors();
    for (const Chart::Mark& mark : chart_.marks)
      if (!mark.is_old) chart_.nature(mark).target ? add_hop(mark) : add_call(mark);
  }

 private:
  /// The nodes of `dag --view actors` are actors already.
  bool is_of_actors() const {
    return std::all_of(chart_.marks.begin(), chart_.marks.end(), [&](const Chart::Mark& mark) {
      return is_one_of(chart_.text(chart_.nature(mark).kind), {"principal", "agent", "resource"});
    });
  }

  void collect_actors() {
    for (const Chart::Mark& mark : chart_.marks) {
      const std::string_view kind = chart_.text(chart_.nature(mark).kind);
      at(std::string(chart_.text(mark.id)), chart_.label(mark),
         kind == "principal" ? "user" : kind);
    }
    for (const Chart::Arrow& arrow : chart_.arrows) {
      int64_t& calls = edge(arrow.from, arrow.to).calls;
      calls = sum_of(calls, chart_.link(arrow).times);
    }
  }

  void add_hop(const Chart::Mark& mark) {
    const Chart::Nature& nature = chart_.nature(mark);
    const uint32_t to = end(nature.target);
    add(nature.source ? end(nature.source) : user(), to, mark);
  }

  void add_call(const Chart::Mark& mark) {
    const uint32_t agent = agent_of(mark.agent_type);
    const uint32_t parent = asked_by(mark);
    if (parent != agent) {
      Actors::Edge& asked = add(parent, agent, mark);
      // Who asks, asks once for a turn, or for a subagent, however many calls that takes.
      if (const int64_t turn = chart_.figures(mark).turn; turn != Chart::kUnknown) {
        asked.counts_turns = actors[parent].kind == "user";
        const int64_t in_turn = asked.counts_turns ? turn : 0;
        if (!asked_.emplace(mark.lane, in_turn).second) --asked.calls;
      }
    }
    if (const StringId model = chart_.nature(mark).model)
      add(agent, once(Role::model, model), mark);
    for (uint32_t i = mark.first_tool; i < mark.first_tool + mark.tools; ++i) {
      const Chart::Tool& tool = chart_.tools[i];
      Actors::Edge& to = edge(agent, once(Role::tool, tool.name));
      ++to.calls;
      to.time_us = sum_of(to.time_us, std::max<int64_t>(0, tool.duration_us));
      to.failed += tool.is_error;
    }
  }
  /// The agent of the call that led to it, else whoever started its own agent, else the user.
  uint32_t asked_by(const Chart::Mark& mark) {
    if (mark.parent != Chart::kNone) return agent_of(chart_.marks[mark.parent].agent_type);
    const uint32_t above =
        mark.lane < chart_.lanes.size() ? chart_.lanes[mark.lane].above : Chart::kNone;
    return above == Chart::kNone ? user() : agent_of(chart_.lanes[above].type);
  }

  enum class Role : uint8_t { end, agent, model, tool };
  uint32_t user() { return at("user", "user", "user"); }
  uint32_t end(StringId text) { return once(Role::end, text); }
  uint32_t agent_of(StringId type) { return once(Role::agent, type); }

  /// Asked for each mark several times: words are made of the first alone.
  uint32_t once(Role role, StringId text) {
    const auto [known, is_new] = by_text_.emplace(std::pair(role, text), 0);
    if (is_new) known->second = make(role, chart_.text(text));
    return known->second;
  }
  uint32_t make(Role role, std::string_view text) {
    if (role == Role::end) return named(text);
    const std::string_view kind = role == Role::agent   ? "agent"
                                  : role == Role::model ? "model"
                                                        : "tool";
    return at(std::string(kind) + ':' + std::string(text), std::string(text), kind);
  }
  /// `agent:concierge`, as hops name them.
  uint32_t named(std::string_view name) {
    const size_t colon = name.find(':');
    const std::string_view kind =
        colon == std::string_view::npos ? std::string_view("agent") : name.substr(0, colon);
    return at(std::string(name), std::string(name.substr(colon + 1)), kind);
  }

  Actors::Edge& add(uint32_t from, uint32_t to, const Chart::Mark& mark) {
    Actors::Edge& edge = this->edge(from, to);
    const Chart::Figures figures = chart_.figures(mark);
    ++edge.calls;
    edge.tokens = sum_of(edge.tokens, std::max<int64_t>(0, figures.total));
    edge.cost_nusd = sum_of(edge.cost_nusd, std::max<int64_t>(0, figures.cost_nusd));
    edge.time_us = sum_of(edge.time_us, std::max<int64_t>(0, mark.duration_us));
    edge.failed += mark.failed;
    edge.costs_more |= chart_.costs_more(mark);
    return edge;
  }

  uint32_t at(const std::string& id, const std::string& label, std::string_view kind) {
    auto [found, is_new] = by_id_.emplace(id, static_cast<uint32_t>(actors.size()));
    if (is_new) {
      actors.push_back({id, label, std::string(kind)});
      weight.push_back(0);
    }
    return found->second;
  }
  Actors::Edge& edge(uint32_t from, uint32_t to) {
    ++weight[from];
    ++weight[to];
    auto [found, is_new] = by_ends_.emplace(std::pair(from, to), edges.size());
    if (is_new) edges.push_back({from, to});
    return edges[found->second];
  }

  const Chart& chart_;
  std::map<std::pair<Role, StringId>, uint32_t> by_text_;
  std::set<std::pair<uint32_t, int64_t>> asked_;  ///< a lane, in a turn of the user
  std::map<std::string, uint32_t, std::less<>> by_id_;
  std::map<std::pair<uint32_t, uint32_t>, size_t> by_ends_;
};

/// Leaves the actors that take part most.
void limit(Gathered& all, Actors& actors) {
  std::vector<uint32_t> kept(all.actors.size());
  std::iota(kept.begin(), kept.end(), 0);
  if (kept.size() > Actors::kMost) {
    std::stable_sort(kept.begin(), kept.end(),
                     [&](uint32_t a, uint32_t b) { return all.weight[a] > all.weight[b]; });
    kept.resize(Actors::kMost);
    std::sort(kept.begin(), kept.end());
  }
  actors.hidden = all.actors.size() - kept.size();
  std::vector<uint32_t> place(all.actors.size(), Chart::kNone);
  for (uint32_t i : kept) {
    place[i] = static_cast<uint32_t>(actors.actors.size());
    actors.actors.push_back(std::move(all.actors[i]));
  }
  for (Actors::Edge edge : all.edges) {
    if (place[edge.from] == Chart::kNone || place[edge.to] == Chart::kNone) continue;
    edge.from = place[edge.from];
    edge.to = place[edge.to];
    actors.edges.push_back(edge);
  }
}

uint32_t busiest_of(const Actors& actors) {
  std::vector<int64_t> calls(actors.actors.size());
  for (const Actors::Edge& edge : actors.edges)
    for (uint32_t end : {edge.from, edge.to})
      if (actors.actors[end].kind == "agent") calls[end] = sum_of(calls[end], edge.calls);
  return static_cast<uint32_t>(std::max_element(calls.begin(), calls.end()) - calls.begin());
}

/// How many steps from whom nobody asks; what is asked last, models and tools, is in the column
/// after all agents.
std::vector<int32_t> columns_of(const Actors& actors) {
  std::vector<int32_t> column(actors.actors.size(), 0);
  // Callers may form a circle; as many rounds as there are columns worth showing.
  constexpr int kDeepest = 5;
  for (int round = 0; round < kDeepest; ++round)
    for (const Actors::Edge& edge : actors.edges)
      if (edge.from != edge.to && column[edge.to] <= column[edge.from] &&
          column[edge.from] < round + 1)
        column[edge.to] = column[edge.from] + 1;
  int32_t last = 0;
  for (size_t i = 0; i < column.size(); ++i)
    if (is_one_of(actors.actors[i].kind, {"agent", "user"})) last = std::max(last, column[i]);
  for (size_t i = 0; i < column.size(); ++i)
    if (!is_one_of(actors.actors[i].kind, {"agent", "user"})) column[i] = last + 1;
  return column;
}

/// `between`: room for bands from one column to the next.
void place(Actors& actors, const std::vector<int32_t>& column, int32_t between) {
  // In each column beside those that ask them, so that lines cross little: twice from the left.
  std::vector<double> height(column.size());
  for (size_t i = 0; i < height.size(); ++i) height[i] = static_cast<double>(i);
  std::vector<uint32_t> order(column.size());
  std::iota(order.begin(), order.end(), 0);
  for (int sweep = 0; sweep < 4; ++sweep) {
    std::vector<double> sum(column.size()), count(column.size());
    for (const Actors::Edge& edge : actors.edges) {
      const bool is_forward = sweep % 2 == 0;
      const uint32_t moved = is_forward ? edge.to : edge.from;
      const uint32_t fixed = is_forward ? edge.from : edge.to;
      if (column[moved] == column[fixed]) continue;
      sum[moved] += height[fixed];
      ++count[moved];
    }
    for (size_t i = 0; i < height.size(); ++i)
      if (count[i] > 0) height[i] = sum[i] / count[i];
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return column[a] != column[b] ? column[a] < column[b] : height[a] < height[b];
    });
    std::array<double, 16> next{};
    for (uint32_t i : order) height[i] = next[static_cast<size_t>(column[i]) % next.size()]++;
  }
  std::map<int32_t, int32_t> rows;
  for (int32_t at : column) ++rows[at];
  int32_t most = 0;
  for (auto [at, count] : rows) most = std::max(most, count);
  actors.height = 2 * kMargin + most * (kHeight + kGap) - (most > 0 ? kGap : 0);
  for (uint32_t i : order) {
    Actors::Actor& actor = actors.actors[i];
    const int32_t free = most - rows[column[i]];  // a short column is centred
    actor.width = kWidth;
    actor.height = kHeight;
    actor.x = kMargin + column[i] * (kWidth + between);
    actor.y =
        kMargin + static_cast<int32_t>(height[i]) * (kHeight + kGap) + free * (kHeight + kGap) / 2;
    actors.width = std::max(actors.width, actor.x + kWidth + kMargin);
  }
}

}  // namespace

Actors actors_of(const Chart& chart) {
  Collector all(chart);
  all.collect();
  Actors actors;
  limit(all, actors);
  actors.busiest = busiest_of(actors);
  place(actors, columns_of(actors), kBetween);
  lay_bands(actors);
  return actors;
}

Actors flows_of(const Chart& chart) {
  // Two columns alone: their bands are read best where they are long.
  constexpr int32_t kBetweenTwo = 400;
  Gathered all;
  std::map<std::pair<StringId, bool>, uint32_t> at;
  const auto end = [&](StringId tool, bool is_result) {
    const auto [found, is_new] =
        at.try_emplace({tool, is_result}, static_cast<uint32_t>(all.actors.size()));
    if (is_new) {
      const std::string_view kind = is_result ? "result" : tool ? "arguments" : "reply";
      const std::string_view label = tool ? chart.text(tool) : kind;
      all.actors.push_back(
          {std::string(kind).append(":").append(label), std::string(label), std::string(kind)});
      all.weight.push_back(0);
    }
    return found->second;
  };
  for (const Chart::Flow& flow : chart.flows) {
    Actors::Edge edge{end(flow.from, true), end(flow.to, false)};
    edge.calls = flow.results;
    edge.tokens = flow.tokens;
    edge.bytes = flow.bytes;
    edge.is_estimated = flow.is_estimated;
    for (uint32_t i : {edge.from, edge.to}) all.weight[i] = sum_of(all.weight[i], flow.results);
    all.edges.push_back(edge);
  }
  Actors actors;
  limit(all, actors);
  std::vector<int32_t> column;
  for (const Actors::Actor& actor : actors.actors) column.push_back(actor.kind == "result" ? 0 : 1);
  place(actors, column, kBetweenTwo);
  lay_bands(actors);
  return actors;
}

}  // namespace xtrace
