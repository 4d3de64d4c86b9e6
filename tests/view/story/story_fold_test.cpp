#include "view/story/story_fold.h"

#include <catch2/catch.hpp>
#include <set>

#include "view/story/story_filter.h"

using namespace xtrace;

namespace {

/// Numbers that look random and are the same each time.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(seed * 2654435761u + 1) {}
  uint32_t below(uint32_t most) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>((state_ >> 33) % most);
  }

 private:
  uint64_t state_;
};

/// A story of several tasks: nodes that are nested and follow one another, edges of which some lead
/// back, most steps routine.
Story made_story(uint64_t seed, uint32_t size) {
  Chance chance(seed);
  Story story;
  StringId tasks[] = {story.words->intern("T1"), story.words->intern("T2"), StringId{}};
  for (uint32_t i = 0; i < size; ++i) {
    StoryNode node;
    node.start = Time(std::chrono::milliseconds(i));
    node.latency = std::chrono::milliseconds(chance.below(8) == 0 ? 200 : 10);
    if (chance.below(12) == 0) node.status = StepStatus::error;
    if (chance.below(3) != 0) node.cost = chance.below(90'000);
    node.tokens.input = chance.below(100);
    node.part = chance.below(2);
    // One part holds both tasks, the other nothing that names one.
    node.task = node.part == 0 ? tasks[chance.below(2)] : tasks[2];
    for (int tries = 0; i > 0 && tries < 3; ++tries)
      if (uint32_t above = chance.below(i); story.nodes[above].part == node.part) {
        node.above = above;
        break;
      }
    story.nodes.push_back(node);
  }
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t i = 0; i < size; ++i) {
    if (story.nodes[i].above != StoryNode::kNone) pairs.emplace(story.nodes[i].above, i);
    uint32_t other = chance.below(size);
    if (other < i && story.nodes[other].part == story.nodes[i].part) pairs.emplace(other, i);
  }
  for (auto [from, to] : pairs) {
    StoryEdge edge;
    edge.from = from;
    edge.to = to;
    edge.rule = Rule::parent;
    story.edges.push_back(edge);
  }
  return story;
}

bool nothing(const Summary&) {
  return false;
}

uint32_t shown_for(const FoldedStory& folded, uint32_t node) {
  uint32_t summary = folded.summary_of[node];
  return summary == FoldedStory::kNone ? node : folded.summaries[summary].first;
}

/// Does an edge lead in a circle?
bool has_circle(size_t size, std::span<const StoryEdge> edges) {
  std::vector<std::vector<uint32_t>> next(size);
  std::vector<int> into(size);
  for (const StoryEdge& edge : edges) {
    next[edge.from].push_back(edge.to);
    ++into[edge.to];
  }
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < size; ++i)
    if (into[i] == 0) open.push_back(i);
  size_t done = 0;
  while (!open.empty()) {
    uint32_t at = open.back();
    open.pop_back();
    ++done;
    for (uint32_t to : next[at])
      if (--into[to] == 0) open.push_back(to);
  }
  return done < size;
}

std::set<std::pair<uint32_t, uint32_t>> pairs_of(std::span<const StoryEdge> edges) {
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  for (const StoryEdge& edge : edges) pairs.emplace(edge.from, edge.to);
  return pairs;
}

std::set<std::pair<uint32_t, uint32_t>> reached(const Story& story) {
  std::set<std::pair<uint32_t, uint32_t>> pairs;
  std::vector<std::vector<uint32_t>> next(story.nodes.size());
  for (const StoryEdge& edge : story.edges) next[edge.from].push_back(edge.to);
  for (uint32_t i = 0; i < story.nodes.size(); ++i) {
    std::vector<uint32_t> open = {i};
    while (!open.empty()) {
      uint32_t at = open.back();
      open.pop_back();
      for (uint32_t to : next[at])
        if (pairs.emplace(i, to).second) open.push_back(to);
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("folding loses no node and no edge, and closes no circle") {
  uint64_t seed = GENERATE(range<uint64_t>(1, 60));
  int64_t most = GENERATE(0, 5, 25);
  Story story = made_story(seed, 80);
  StoryLimits limits;
  limits.nodes = most;
  limits.depth = 3;
  FoldedStory folded = fold(story, limits, nothing);
  CAPTURE(seed, most);

  std::vector<int> times(story.nodes.size());
  for (uint32_t i = 0; i < folded.summaries.size(); ++i) {
    CHECK(folded.summaries[i].members.size() >= 2);
    for (uint32_t member : folded.summaries[i].members) {
      ++times[member];
      CHECK(folded.summary_of[member] == i);
    }
  }
  for (uint32_t i = 0; i < story.nodes.size(); ++i)
    CHECK(times[i] == (folded.summary_of[i] == FoldedStory::kNone ? 0 : 1));

  std::set<std::pair<uint32_t, uint32_t>> expected;
  for (const StoryEdge& edge : story.edges)
    if (uint32_t from = shown_for(folded, edge.from), to = shown_for(folded, edge.to); from != to)
      expected.emplace(from, to);
  CHECK(pairs_of(folded.edges) == expected);
  CHECK(folded.edges.size() == expected.size());
  CHECK_FALSE(has_circle(story.nodes.size(), folded.edges));
  CHECK(folded.order.size() == story.nodes.size());
}

TEST_CASE("to fold and expand all is to do nothing") {
  Story story = made_story(GENERATE(range<uint64_t>(1, 20)), 60);
  FoldedStory folded = fold(story, {}, [](const Summary&) { return true; });
  FoldedStory plain = unfolded(story);
  CHECK(folded.summaries.empty());
  CHECK(folded.summary_of == plain.summary_of);
  CHECK(pairs_of(folded.edges) == pairs_of(plain.edges));
  CHECK(folded.order == plain.order);
}

TEST_CASE("one summary opens without the others") {
  Story story = made_story(7, 80);
  FoldedStory before = fold(story, {}, nothing);
  REQUIRE(before.summaries.size() > 2);
  uint32_t opened = before.summaries[1].first;
  FoldedStory after = fold(story, {}, [&](const Summary& one) { return one.first == opened; });
  CHECK(after.summaries.size() == before.summaries.size() - 1);
  for (uint32_t i = 0; i < story.nodes.size(); ++i) {
    bool was_in_it = before.summary_of[i] == 1;
    CHECK((shown_for(after, i) == i || !was_in_it));
    if (!was_in_it) CHECK(shown_for(after, i) == shown_for(before, i));
  }
}

TEST_CASE("what is slow, dear or went wrong does not fold as routine") {
  Story story = made_story(GENERATE(range<uint64_t>(1, 20)), 80);
  StoryLimits limits;
  limits.nodes = 0;
  limits.depth = 1000;
  for (const Summary& summary : fold(story, limits, nothing).summaries)
    for (uint32_t member : summary.members) {
      const StoryNode& node = story.nodes[member];
      CHECK(node.status == StepStatus::ok);
      CHECK(node.latency < limits.latency);
      CHECK(node.cost < limits.cost);
    }
}

TEST_CASE("a task with too many nodes shows as many as it may") {
  Story story = made_story(GENERATE(range<uint64_t>(1, 20)), 200);
  for (StoryNode& node : story.nodes) node.latency = std::chrono::seconds(1);
  StoryLimits limits;
  limits.nodes = 10;
  limits.depth = 1000;
  FoldedStory folded = fold(story, limits, nothing);
  std::set<uint32_t> shown;
  for (uint32_t i = 0; i < story.nodes.size(); ++i)
    if (story.nodes[i].task == StringId{}) shown.insert(shown_for(folded, i));
  // One summary for each stretch between what cannot fold with it.
  CHECK(shown.size() <= 10);
}

TEST_CASE("what is over for long folds where that is asked for, part by part") {
  Story story = made_story(5, 40);
  for (StoryNode& node : story.nodes) node.start = Time(std::chrono::hours(node.part == 0 ? 1 : 9));
  StoryLimits limits;
  limits.age = std::chrono::hours(2);
  FoldedStory folded = fold(story, limits, nothing);
  std::set<uint32_t> old;
  for (uint32_t i = 0; i < story.nodes.size(); ++i) {
    if (story.nodes[i].part == 0) old.insert(folded.summary_of[i]);
    if (story.nodes[i].part == 0)
      CHECK(folded.summaries[folded.summary_of[i]].why == Summary::Why::aged);
    else if (folded.summary_of[i] != FoldedStory::kNone)
      CHECK(folded.summaries[folded.summary_of[i]].why != Summary::Why::aged);
  }
  CHECK(old.size() == 1);
}

TEST_CASE("what is over for long folds in a task that goes on, and what is younger stays") {
  Story story;
  StringId task = story.words->intern("T");
  for (uint32_t i = 0; i < 10; ++i) {
    StoryNode node;
    node.task = task;
    node.start = Time(std::chrono::minutes(i));
    node.latency = i == 0 ? std::chrono::minutes(10) : std::chrono::seconds(1);
    node.cost = 1'000'000'000;  // not routine
    node.above = i == 0 ? StoryNode::kNone : 0;
    story.nodes.push_back(node);
  }
  StoryLimits limits;
  limits.age = std::chrono::minutes(5);
  FoldedStory folded = fold(story, limits, nothing);
  REQUIRE(folded.summaries.size() == 1);
  CHECK(folded.summaries[0].why == Summary::Why::aged);
  CHECK(folded.summaries[0].members == std::vector<uint32_t>{1, 2, 3, 4});
}

TEST_CASE("parts of a story fold as they do alone") {
  Story story = made_story(GENERATE(range<uint64_t>(1, 30)), 80);
  StoryLimits limits;
  limits.nodes = 8;
  FoldedStory whole = fold(story, limits, nothing);
  for (uint32_t part : {0u, 1u}) {
    std::vector<bool> kept;
    std::vector<uint32_t> places;
    for (uint32_t i = 0; i < story.nodes.size(); ++i) {
      kept.push_back(story.nodes[i].part == part);
      if (kept.back()) places.push_back(i);
    }
    Hidden hidden;
    Story alone = keep(story, kept, 0, hidden);
    FoldedStory folded = fold(alone, limits, nothing);
    for (uint32_t i = 0; i < alone.nodes.size(); ++i)
      CHECK(places[shown_for(folded, i)] == shown_for(whole, places[i]));
  }
}

TEST_CASE("what is left of parts far behind folds") {
  Story story = made_story(3, 40);
  for (StoryNode& node : story.nodes) node.part = 39;
  std::vector<bool> kept(40);
  kept[20] = kept[30] = true;
  Hidden hidden;
  Story rest = keep(story, kept, 0, hidden);
  REQUIRE(rest.nodes.size() == 2);
  CHECK(rest.nodes[1].part == 0);
  CHECK(fold(rest, {}, nothing).order.size() == 2);
}

TEST_CASE("what is filtered leaves the rest as connected as it was") {
  uint64_t seed = GENERATE(range<uint64_t>(1, 40));
  Story story = made_story(seed, 60);
  Chance chance(seed + 100);
  std::vector<bool> kept;
  std::vector<uint32_t> places;
  for (uint32_t i = 0; i < story.nodes.size(); ++i) {
    kept.push_back(chance.below(3) == 0);
    if (kept.back()) places.push_back(i);
  }
  Hidden hidden;
  Story rest = keep(story, kept, 0, hidden);
  REQUIRE(rest.nodes.size() == places.size());
  CHECK(hidden.nodes == static_cast<int64_t>(story.nodes.size() - places.size()));
  std::set<std::pair<uint32_t, uint32_t>> before = reached(story), after = reached(rest);
  for (uint32_t i = 0; i < places.size(); ++i)
    for (uint32_t j = 0; j < places.size(); ++j)
      CHECK(after.contains({i, j}) == before.contains({places[i], places[j]}));
  for (const StoryEdge& edge : rest.edges)
    CHECK((edge.hidden > 0) == (edge.rule == Rule::adjusted));
}
