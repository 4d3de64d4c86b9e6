#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <random>

#include "hop_story.h"
#include "link/graph/graph.h"
#include "link/replay/changes.h"
#include "link/replay/replay.h"

using namespace xtrace;

namespace {

double in_ms(Duration length) {
  return static_cast<double>(length.count()) / 1e6;
}

/// The replay of all spans of a story, which is left to look at.
class SpanReplay {
 public:
  explicit SpanReplay(const HopStory& story) : graph_(story.graph()) {
    const Hops& hops = graph_.hops();
    replay_ = replay_hops(graph_, hops,
                          {[](HopId) { return true; },
                           [&hops](HopId id) { return static_cast<bool>(hops[id].cause); }});
  }

  const Replay& replay() const { return replay_; }

  /// `model 60 other 40`, and that they are the wall time.
  std::string parts() const {
    const std::vector<Time> recorded = recorded_times(replay_);
    for (ReplayBound bound : {ReplayBound::lower, ReplayBound::upper})
      CHECK(play(replay_, {}, bound) == recorded);
    ReplayTimes sums{};
    for (const ReplayPath& path : find_paths(replay_, {}, recorded).of_run)
      for (size_t i = 0; i < sums.size(); ++i) sums[i] += path.times[i];
    std::string text;
    Duration all{0};
    for (size_t i = 0; i < sums.size(); ++i) {
      all += sums[i];
      if (sums[i] > Duration{0})
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : " ", kReplayPartWords[i], in_ms(sums[i]));
    }
    CHECK(all == wall_time(replay_, recorded));
    return text;
  }

  /// `40 to 100`: the wall time without a target.
  std::string without(ReplayChange::Target target, std::string name) const {
    ReplayChange change;
    change.target = target;
    change.name = std::move(name);
    const ReplayEffects effects = effects_of(replay_, {change});
    const auto wall = [&](ReplayBound bound) {
      return in_ms(wall_time(replay_, play(replay_, effects, bound)));
    };
    return fmt::format("{} to {}", wall(ReplayBound::lower), wall(ReplayBound::upper));
  }

  /// `small 1`: each model, and how many calls of it there are.
  std::string models() const {
    std::map<std::string_view, int64_t> calls;
    for (const ReplayStep& step : replay_.steps) {
      if (step.model.empty()) continue;
      ReplayChange change;
      change.target = ReplayChange::Target::model;
      change.name = step.model;
      calls[step.model] = count_matches(replay_, change);
    }
    std::string text;
    for (const auto& [name, count] : calls)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, count);
    return text;
  }

 private:
  Graph graph_;
  Replay replay_;
};

HopStory& model(HopStory& story, const std::string& name) {
  return story.tag("gen_ai.operation.name", "chat").tag("gen_ai.request.model", name);
}

}  // namespace

TEST_CASE("a model below spans of a framework takes its own time of the path") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("b", "shop", "a", 10, 80);
  model(story.span("c", "shop", "b", 20, 60), "small");
  const SpanReplay replay(story);
  CHECK(replay.parts() == "model 60 other 40");
  CHECK(replay.without(ReplayChange::Target::model, "small") == "40 to 40");
}

TEST_CASE("a span that listens while a model works takes only the rest") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("listen", "shop", "a", 10, 85);
  model(story.span("c", "shop", "a", 20, 60), "small");
  const SpanReplay replay(story);
  CHECK(replay.parts() == "model 60 other 40");
  CHECK(replay.replay().beside == 1);
  // Nobody knows whether it waited for the model.
  CHECK(replay.without(ReplayChange::Target::model, "small") == "40 to 100");
}

TEST_CASE("nobody waited for a span that listens until after the one above it has ended") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("listen", "shop", "a", 10, 91);
  model(story.span("c", "shop", "a", 20, 60), "small");
  const SpanReplay replay(story);
  CHECK(replay.parts() == "model 60 other 40");
  CHECK(replay.without(ReplayChange::Target::model, "small") == "40 to 40");
}

TEST_CASE("polls beside a model may have waited for it, and those before it were waited for") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("ask", "shop", "a", 0, 20);
  model(story.span("c", "shop", "a", 20, 70), "small");
  story.span("p1", "shop", "a", 25, 30);
  story.span("p2", "shop", "a", 56, 30);
  const SpanReplay replay(story);
  CHECK(replay.parts() == "model 70 other 30");
  CHECK(replay.replay().beside == 2);
  CHECK(replay.without(ReplayChange::Target::model, "small") == "30 to 96");
}

TEST_CASE("a span waits for all that had ended before it, whichever of them is removed") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("b", "shop", "a", 0, 60).tag("gen_ai.operation.name", "execute_tool");
  story.tag("gen_ai.tool.name", "Weigh");
  story.span("c", "shop", "a", 0, 40).tag("gen_ai.operation.name", "execute_tool");
  story.tag("gen_ai.tool.name", "Label");
  model(story.span("d", "shop", "a", 70, 20), "small");
  const SpanReplay replay(story);
  CHECK(replay.parts() == "model 20 tool 60 other 20");
  CHECK(replay.without(ReplayChange::Target::tool, "Weigh") == "80 to 80");
}

TEST_CASE(
    "a span that another one started just before its end is waited for by the one above both") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("start", "shop", "a", 10, 2);
  model(story.span("c", "shop", "start", 20, 60), "small");
  const SpanReplay replay(story);
  CHECK(replay.parts() == "model 60 other 40");
  CHECK(replay.without(ReplayChange::Target::model, "small") == "40 to 40");
}

TEST_CASE("spans without a model or a tool wait for one another as they always did") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  story.span("b", "stock", "a", 10, 40);
  story.span("c", "bank", "a", 20, 70);
  const SpanReplay replay(story);
  CHECK(replay.parts() == "other 100");
  CHECK(replay.replay().beside == 0);
}

TEST_CASE("a model's span within another one's is the same call under one name") {
  HopStory story;
  story.span("a", "shop", "", 0, 100);
  model(story.span("b", "shop", "a", 0, 90), "small").tag("gen_ai.usage.input_tokens", "7");
  story.span("c", "shop", "b", 10, 70).tag("gen_ai.operation.name", "chat");
  story.span("d", "shop", "c", 20, 50);
  CHECK(SpanReplay(story).models() == "small 1");
}

TEST_CASE("whatever spans do at the same time, their replay gives the recorded times") {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);  // the same numbers on every machine
    HopStory story;
    story.span("s0", "shop", "", 0, 100);
    for (uint32_t i = 1; i < 25; ++i) {
      const auto start = static_cast<double>(random() % 100);
      story.span(fmt::format("s{}", i), "shop", fmt::format("s{}", random() % i), start,
                 static_cast<double>(random() % 60));
      if (random() % 4 == 0) model(story, random() % 2 == 0 ? "small" : "large");
    }
    const SpanReplay replay(story);
    INFO("seed " << seed);
    CHECK(!replay.parts().empty());
    for (Duration slack : find_slack(replay.replay())) CHECK(slack >= Duration{0});
    const ReplayEffects effects =
        effects_of(replay.replay(), {{.target = ReplayChange::Target::model, .name = "small"}});
    const auto wall = [&](ReplayBound bound) {
      return wall_time(replay.replay(), play(replay.replay(), effects, bound));
    };
    CHECK(wall(ReplayBound::lower) <= wall(ReplayBound::upper));
    CHECK(wall(ReplayBound::upper) <= wall_time(replay.replay(), recorded_times(replay.replay())));
  }
}
