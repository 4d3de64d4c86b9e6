#include "live/missed.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "effort.h"
#include "following.h"
#include "made_log.h"
#include "reading.h"
#include "render/json_cells.h"

using namespace xtrace;

namespace {

using Words = std::vector<std::string>;

/// Comes back to a file.
class Resumed {
 public:
  explicit Resumed(const std::string& path, const Words& words = {})
      : request_(following(path, words)), growing_({path}) {
    Growth growth;
    REQUIRE(growing_.read(growth));
    REQUIRE(growing_.end(growth));
    Records records(request_.loading);
    arrivals_ = arrivals(std::move(growth), records, growing_.generations());
  }

  Missed missed(Time since, size_t most = SIZE_MAX) const {
    LiveGraph graph(request_, request_.view->follow_options()->story, append_json_row,
                    growing_.generations());
    Result<Missed> missed = tell_missed(graph, arrivals_, growing_.generations(), since, most);
    REQUIRE(missed);
    return *std::move(missed);
  }

 private:
  Request request_;
  GrowingInputs growing_;
  std::vector<Arrival> arrivals_;
};

/// A reader as it was when it had applied an update.
struct Listener {
  Client client;
  Time told = kNoTime;  ///< timestamp of that update
};

/// Of a log that comes in pieces, with a reading of everything now and then.
std::vector<Listener> listeners_to(Fed& fed, const std::vector<std::string>& lines, size_t most,
                                   std::mt19937& random) {
  std::vector<Listener> listeners;
  for (size_t at = 0; at < lines.size();) {
    std::string some;
    for (size_t count = 1 + random() % most; count > 0 && at < lines.size(); --count)
      some += lines[at++];
    fed.write(some);
    listeners.push_back({fed.client(), fed.newest().time});
    if (random() % 4 != 0) continue;
    fed.reread();
    listeners.push_back({fed.client(), fed.newest().time});
  }
  fed.end();
  return listeners;
}

struct Checked {
  size_t told = 0, snapshots = 0;
};

/// Whoever comes back with `since` ends with `now`.
void check(const Listener& listener, const Resumed& resumed, Time since, const Graphed& now,
           Checked& checked) {
  Missed missed = resumed.missed(since);
  ++(missed.why_not.empty() ? checked.told : checked.snapshots);
  if (!missed.why_not.empty()) return;  // it gets all of it
  for (bool drops_edges : {false, true})
    for (int times : {1, 2}) {
      Client client = listener.client;
      for (int i = 0; i < times; ++i)
        for (const Missed::Update& update : missed.updates)
          client.apply_again(update.change, drops_edges);
      CHECK(client.graph() == now);
    }
}

Checked check_all(const std::vector<std::string>& lines, const Words& words, unsigned seed) {
  std::mt19937 random(seed);
  Folder folder;
  std::string path = folder.path() + "/log.jsonl";
  Fed fed(path, words);
  bool is_single = seed % 2 == 1;
  std::vector<Listener> listeners = listeners_to(fed, lines, is_single ? 1 : 4, random);
  const Graphed now = whole(fed.request());
  const Resumed resumed(path, words);
  Checked checked;
  for (size_t i = random() % 4; i < listeners.size(); i += 1 + listeners.size() / effort(4, 2)) {
    Time told = listeners[i].told;
    if (told == kNoTime) continue;
    check(listeners[i], resumed, told, now, checked);
    // Where each record is known by itself, nothing is between two updates: any time will do.
    Time next = i + 1 < listeners.size() ? listeners[i + 1].told : after(told, Duration(1));
    if (is_single && next > told) check(listeners[i], resumed, next, now, checked);
  }
  return checked;
}

}  // namespace

TEST_CASE("whoever comes back is told what was missed, whatever it had") {
  std::string fixture =
      GENERATE(as<std::string>{}, "agents.jsonl", "damaged.jsonl", "guess.jsonl", "pi.jsonl",
               "steps.jsonl", "trip.jsonl", "twins.jsonl", "codex-main.jsonl", "story");
  auto [seed, words] = GENERATE(table<unsigned, Words>(
      {{2, {}},  // several records at once
       {2, {"--status", "error"}},
       {3, {}},  // one by one
       {3, {"--node-ttl", "0.02", "--max-nodes", "5", "--max-depth", "2"}}}));
  CAPTURE(fixture, words, seed);
  std::mt19937 random(seed);
  std::vector<std::string> lines = lines_of(fixture);
  if (seed > 2) std::shuffle(lines.begin(), lines.end(), random);
  check_all(lines, words, seed);
}

TEST_CASE("whoever comes back to a made log ends with the whole") {
  uint32_t seed = GENERATE(range(1u, effort(4u, 2u)));
  Words words = GENERATE(Words{}, Words{"--node-ttl", "0.2", "--max-nodes", "6"});
  CAPTURE(seed, words);
  Recipe recipe;
  recipe.seed = seed;
  recipe.turns = 2;
  if (seed % 2 == 1) recipe.sessions = 1;  // told one by one
  recipe.loses_ids = seed % 3 == 0;
  std::vector<std::string> lines = make_log(recipe).lines;
  for (std::string& line : lines) line += '\n';
  Checked checked = check_all(lines, words, seed);
  CHECK(checked.told > checked.snapshots);
}

TEST_CASE("what cannot be told is said to need all of it") {
  Folder folder;
  std::string log = project_file("fixtures/story/spans.jsonl");
  Resumed resumed(folder.write("log.jsonl", log));
  Time early = parse_time("2025-06-20T14:00:00Z")->time;
  CHECK(resumed.missed(early).why_not == "no record is older");
  Time late = parse_time("2025-06-20T14:23:53Z")->time;
  CHECK(resumed.missed(late).why_not.empty());
  CHECK_FALSE(resumed.missed(late).updates.empty());
  CHECK(resumed.missed(late, 1).why_not ==
        "3 records have arrived since, more than --max-queued 1");
  CHECK(resumed.missed(late, 1).updates.empty());
}

TEST_CASE("a document that was written since is told as a whole") {
  Folder folder;
  folder.write("logs/a.json", project_file("fixtures/trust.json"));
  folder.write("logs/b.jsonl", project_file("fixtures/story/spans.jsonl"));
  Missed missed = Resumed(folder.path() + "/logs").missed(parse_time("2025-06-20T14:23:50Z")->time);
  CHECK(missed.why_not.find("a.json is a single document") != std::string::npos);
}

TEST_CASE("who missed nothing is told nothing") {
  Folder folder;
  std::string path = folder.write("log.jsonl", project_file("fixtures/story/spans.jsonl"));
  Missed missed =
      Resumed(path, {"--status", "error"}).missed(parse_time("2025-06-20T14:23:53Z")->time);
  CHECK(missed.why_not.empty());
  CHECK(missed.updates.empty());
}
