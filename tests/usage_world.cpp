#include "usage_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "facts/token_sums.h"

namespace xtrace {

namespace {

struct Used {
  int64_t input = 0, output = 0, cost = 0;

  void add(const Used& more) {
    input += more.input;
    output += more.output;
    cost += more.cost;
  }
};

/// What was used up below a span, and what of that the spans state.
struct Below {
  Used actual, stated;
};

class UsageWorldMaker {
 public:
  UsageWorldMaker(UsageWorld& world, uint64_t seed, size_t size)
      : world_(world), random_(seed), left_(size) {}

  Below make() {
    Below all;
    while (left_ > 0) {
      const Below one = make_span("", 0, kLength, 0);
      all.stated.add(one.stated);
    }
    return all;
  }

 private:
  int64_t up_to(int64_t most) {
    return static_cast<int64_t>(random_() % (static_cast<uint64_t>(most) + 1));
  }
  bool chance(int percent) { return up_to(99) < percent; }

  std::string begin(const std::string& parent, int64_t start, int64_t length) {
    if (left_ > 0) --left_;
    std::string id = fmt::format("{:x}", ++last_);
    world_.story.span(id, "garden", parent, static_cast<double>(start), static_cast<double>(length))
        .called(fmt::format("s{}", last_), "garden");
    return id;
  }

  void state(const Used& used, bool with_cost) {
    world_.story.tag("gen_ai.usage.input_tokens", std::to_string(used.input))
        .tag("gen_ai.usage.output_tokens", std::to_string(used.output));
    if (with_cost)
      world_.story.tag("gen_ai.usage.cost", fmt::format("{}.{:09}", used.cost / 1'000'000'000,
                                                        used.cost % 1'000'000'000));
  }

  /// A call of a model, perhaps seen by a second library inside of the first one's span.
  Below make_call(const std::string& parent, int64_t start, int64_t length) {
    Below call;
    call.actual = {10 + up_to(5000), 1 + up_to(900), 1'000'000 * (1 + up_to(50))};
    call.stated = call.actual;
    ++world_.calls;
    const std::string id = begin(parent, start, length);
    world_.story.tag("gen_ai.operation.name", "chat").tag("gen_ai.request.model", "oak-large");
    state(call.actual, true);
    if (!chance(20)) return call;
    std::string inside = id;
    for (int64_t plain = up_to(12); plain > 0; --plain) inside = begin(inside, start, length);
    begin(inside, start, length);
    world_.story.tag("gen_ai.operation.name", "chat").tag("gen_ai.request.model", "oak-large");
    state(call.actual, chance(50));
    return call;
  }

  /// An agent whose calls have no spans.
  Below make_helper(const std::string& parent, int64_t start, int64_t length) {
    Below helper;
    helper.actual = {10 + up_to(9000), 1 + up_to(900), 1'000'000 * (1 + up_to(90))};
    begin(parent, start, length);
    world_.story.tag("gen_ai.operation.name", "invoke_agent").tag("gen_ai.agent.name", "helper");
    if (chance(80)) {
      state(helper.actual, true);
      helper.stated = helper.actual;
    }
    return helper;
  }

  Below make_span(const std::string& parent, int64_t start, int64_t length, int depth) {
    constexpr int kDeepest = 40;
    const bool is_leaf = left_ <= 2 || depth > kDeepest || chance(depth < 2 ? 10 : 35);
    if (is_leaf)
      return chance(75) ? make_call(parent, start, length) : make_helper(parent, start, length);
    const std::string id = begin(parent, start, length);
    const int64_t kind = up_to(4);
    if (kind == 0)
      world_.story.tag("gen_ai.operation.name", "invoke_agent")
          .tag("gen_ai.agent.name", fmt::format("agent-{}", up_to(3)));
    if (kind == 1) world_.story.tag("openinference.span.kind", "CHAIN");
    if (kind == 2) world_.story.tag("traceloop.span.kind", "workflow");
    if (kind == 3)
      world_.story.tag("gen_ai.operation.name", "execute_tool")
          .tag("gen_ai.tool.name", fmt::format("tool-{}", last_));
    Below all;
    const int64_t parts = length < kShortest ? 1 : 1 + up_to(3);
    const int64_t each = std::max<int64_t>(length / parts, 1);
    for (int64_t i = 0; i < parts; ++i) {
      const Below part = make_span(id, start + each * i, each, depth + 1);
      all.actual.add(part.actual);
      all.stated.add(part.stated);
      if (left_ == 0) break;
    }
    if (chance(60)) return all;
    world_.story.again(id);
    state(all.actual, true);
    all.stated = all.actual;
    return all;
  }

  static constexpr int64_t kLength = 1'000'000'000, kShortest = 100;  // milliseconds
  UsageWorld& world_;
  std::mt19937_64 random_;
  size_t left_;
  uint64_t last_ = 0;
};

}  // namespace

UsageWorld::UsageWorld(uint64_t seed, size_t size) {
  const Below all = UsageWorldMaker(*this, seed, std::max<size_t>(size, 1)).make();
  input = all.stated.input;
  output = all.stated.output;
  cost = all.stated.cost;
}

UsageTotal total_of(const Graph& graph) {
  UsageTotal all;
  for (const Activity& one : graph.activities().all) {
    if (!one.counts_usage()) continue;
    ++all.calls;
    add_tokens(all.tokens, one.tokens);
    all.cost += at_least_none(one.cost);
  }
  for (const UnplacedUsage& row : graph.activities().ledger.unplaced) {
    add_tokens(all.tokens, row.tokens);
    all.cost += at_least_none(row.cost) - row.uncharged;
  }
  return all;
}

Tokens tokens_beyond_calls(const Graph& graph) {
  Tokens sum;
  for (const UnplacedUsage& row : graph.activities().ledger.unplaced) add_tokens(sum, row.tokens);
  return sum;
}

}  // namespace xtrace
