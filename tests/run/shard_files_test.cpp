#include "run/shard_files.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "input/parts/make_part.h"
#include "input/shards/shard_plan.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "render/renderer.h"
#include "view/common/view.h"

using namespace xtrace;
namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

Status shard(const std::vector<std::string>& logs, size_t shards, const std::string& folder) {
  ShardRequest request;
  request.inputs = logs;
  request.folder = folder;
  request.shards = shards;
  request.quiet = true;
  return write_shards(request);
}

std::vector<std::string> plans_in(const std::string& folder) {
  std::vector<std::string> plans;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == kPlanName) plans.push_back(entry.path().string());
  std::sort(plans.begin(), plans.end());
  return plans;
}

Result<Trace> load_all(const std::vector<std::string>& paths, uint64_t piece_bytes = 0) {
  LoadOptions loading;
  loading.piece_bytes = piece_bytes;
  Progress progress;
  return load(paths, loading, progress);
}

/// What has to be equal in sum: calls, where they are, links of each kind and rule, costs.
using Figures = std::map<std::string, int64_t>;

void add_figures(const std::vector<std::string>& paths, Figures& sum) {
  Result<Trace> read = load_all(paths);
  REQUIRE(read);
  const Graph graph = link(*std::move(read), {});
  const Trace& trace = graph.trace();
  for (const Source& source : trace.sources) {
    sum["records"] += static_cast<int64_t>(source.records);
    sum["skipped"] += static_cast<int64_t>(source.skipped);
    sum["copies"] += static_cast<int64_t>(source.copies);
  }
  for (const Call& call : trace.calls) {
    ++sum[fmt::format("call at {}:{}", trace.sources[call.source.file].path, call.source.line)];
    sum["cost"] += std::max<int64_t>(call.cost, 0);
    sum["in"] += std::max<int64_t>(tokens_sent(call.tokens), 0);
    sum["out"] += std::max<int64_t>(call.tokens.output, 0);
  }
  for (const Span& span : trace.spans)
    ++sum[fmt::format("span at {}@{}", trace.sources[span.source.file].path, span.source.offset)];
  for (const Link& link : graph.links())
    ++sum[fmt::format("{} by {}", word(link.kind), word(link.rule))];
  sum["orphans"] += static_cast<int64_t>(graph.orphans().size());
  sum["sessions"] += static_cast<int64_t>(graph.sessions().size());
  sum["conversations"] += static_cast<int64_t>(graph.conversations().size());
  sum["runs"] += static_cast<int64_t>(graph.hops().runs.size());
  sum["hops"] += static_cast<int64_t>(graph.hops().all.size());
}

Figures figures_of(const std::vector<std::string>& paths) {
  Figures sum;
  add_figures(paths, sum);
  return sum;
}

/// `calls 3, not 4`: where the two differ.
std::vector<std::string> differences(const Figures& got, const Figures& wanted) {
  Figures both = wanted;
  for (const auto& [name, count] : got) both.emplace(name, 0);
  std::vector<std::string> told;
  const auto of = [](const Figures& in, const std::string& name) {
    const auto at = in.find(name);
    return at == in.end() ? 0 : at->second;
  };
  for (const auto& [name, unused] : both)
    if (of(got, name) != of(wanted, name))
      told.push_back(fmt::format("{} {}, not {}", name, of(got, name), of(wanted, name)));
  return told;
}

std::string dag_of(Trace trace) {
  Graph graph = link(std::move(trace), {});
  Door door(Redaction::all, Door::Level::basic, 200);
  Result<Document> document = find_view("dag")->make()->answer({graph, door, Face::tables});
  REQUIRE(document);
  std::ostringstream out;
  write_json(*document, Paper{}, out);
  return out.str();
}

/// Sessions that are between one another, in two files of which neither has a whole one.
void write_mixed(const Folder& folder) {
  std::string logs[2];
  for (int turn = 0; turn < 3; ++turn)
    for (int session = 0; session < 5; ++session) {
      Json call = {{"request_id", fmt::format("r{}-{}", session, turn)},
                   {"session_id", fmt::format("night-{}", session)},
                   {"timestamp", fmt::format("2026-03-01T09:{:02}:{:02}Z", turn, session)},
                   {"request", {{"model", "claude-opus-4-5"}, {"messages", Json::array()}}},
                   {"response",
                    {{"id", fmt::format("m{}-{}", session, turn)},
                     {"model", "claude-opus-4-5"},
                     {"content", {{{"type", "text"}, {"text", fmt::format("answer {}", turn)}}}},
                     {"usage", {{"input_tokens", 10}, {"output_tokens", 2}}}}}};
      Json& messages = call["request"]["messages"];
      for (int i = 0; i <= turn; ++i) {
        if (i > 0)
          messages.push_back({{"role", "assistant"}, {"content", fmt::format("answer {}", i - 1)}});
        messages.push_back({{"role", "user"}, {"content", fmt::format("{} asks {}", session, i)}});
      }
      logs[(turn + session) % 2] += call.dump() + "\n";
      if (session == 2) logs[turn % 2] += "no JSON\n\n";
    }
  folder.write("logs/a.jsonl", logs[0]);
  folder.write("logs/b.jsonl", logs[1]);
}

}  // namespace

TEST_CASE("shards together tell what the whole tells") {
  Folder folder;
  int nth = 0;
  for (const char* log :
       {"sessions.jsonl", "trip.jsonl",    "steps.jsonl",   "retries.jsonl", "twins.jsonl",
        "guess.jsonl",    "damaged.jsonl", "repeats.jsonl", "resume.jsonl",  "codex-subagent.jsonl",
        "pi.jsonl",       "agents",        "claude-code",   "exports",       "gateways",
        "runs",           "story",         "opencode",      "services.json", "mesh.json"})
    for (size_t shards : {1, 2, 3, 7}) {
      const std::string path = "fixtures/" + std::string(log);
      const std::string plans = fmt::format("{}/{}", folder.path(), ++nth);
      INFO(path << " in " << shards);
      REQUIRE(shard({path}, shards, plans));
      Figures sum;
      for (const std::string& plan : plans_in(plans)) add_figures({plan}, sum);
      // What no plan has is no log at all.
      const Figures whole = figures_of({path});
      const std::vector<std::string> none;
      CHECK(differences(sum, whole) == none);
      CHECK(differences(figures_of({plans + "/plan.json"}), whole) == none);
      CHECK(differences(figures_of({plans}), whole) == none);
    }
}

TEST_CASE("sessions that stand between one another are told apart") {
  Folder folder;
  write_mixed(folder);
  const std::string plans = folder.path() + "/plans", logs = folder.path() + "/logs";
  REQUIRE(shard({logs}, 3, plans));
  const std::vector<std::string> all = plans_in(plans);
  REQUIRE(all.size() == 3);
  Figures sum;
  for (const std::string& plan : all) {
    const Figures own = figures_of({plan});
    CHECK(own.at("sessions") >= 1);
    CHECK(own.at("sessions") <= 2);
    add_figures({plan}, sum);
  }
  CHECK(sum == figures_of({logs}));
  CHECK(sum.at("skipped") == 3);

  SECTION("all plans answer as the logs, whatever is read at a time") {
    const std::string whole = dag_of(load_all({logs}).value());
    CHECK(dag_of(load_all({plans + "/plan.json"}).value()) == whole);
    CHECK(dag_of(load_all(all).value()) == whole);
    std::vector<std::string> one_less = {all[2], all[0]};
    const std::string some = dag_of(load_all(one_less).value());
    for (uint64_t bytes : {1, 100, 700, 100000})
      CHECK(dag_of(load_all(one_less, bytes).value()) == some);
  }
  SECTION("parts of them, put together, do as well") {
    std::vector<std::string> parts;
    for (size_t i = 0; i < all.size(); ++i) {
      Progress progress;
      Result<PartMade> made = make_part({all[i]}, {}, {}, Seal(), progress);
      REQUIRE(made);
      parts.push_back(
          folder.write(fmt::format("{}.xfacts", i), written_part(std::move(made->part))));
    }
    CHECK(figures_of(parts) == figures_of({logs}));
    CHECK_FALSE(load_all({parts[0], parts[2]}));
  }
  SECTION("a plan beside a log that it is of changes nothing") {
    CHECK(figures_of({logs, all[0]}) == figures_of({logs}));
  }
  SECTION("logs and plans move together") {
    fs::create_directories(folder.path() + "/elsewhere");
    for (const char* name : {"logs", "plans"})
      fs::rename(folder.path() + "/" + name, folder.path() + "/elsewhere/" + name);
    Figures moved;
    for (const std::string& plan : plans_in(folder.path() + "/elsewhere/plans"))
      add_figures({plan}, moved);
    CHECK(moved == figures_of({folder.path() + "/elsewhere/logs"}));
  }
  SECTION("what was written to is named") {
    std::string text = folder.read("logs/a.jsonl");
    text[text.find("night-0")] = 'N';
    folder.write("logs/a.jsonl", text);
    size_t refused = 0;
    for (const std::string& plan : all) {
      Result<Trace> read = load_all({plan});
      if (read) continue;
      ++refused;
      CHECK(read.error().exit == Exit::input);
      CHECK_THAT(read.error().what, Catch::Contains("logs/a.jsonl: has changed since"));
    }
    CHECK(refused == 1);
    CHECK_FALSE(load_all({plans + "/plan.json"}));
  }
  SECTION("what grew is named") {
    folder.write("logs/a.jsonl", folder.read("logs/a.jsonl") + "\n");
    for (const std::string& plan : all) {
      Result<Trace> read = load_all({plan});
      REQUIRE_FALSE(read);
      CHECK_THAT(read.error().what, Catch::Contains("make the plan again"));
    }
  }
  SECTION("what is gone is named") {
    fs::remove(folder.path() + "/logs/b.jsonl");
    Result<Trace> read = load_all({plans + "/plan.json"});
    REQUIRE_FALSE(read);
    CHECK(read.error().exit == Exit::input);
    CHECK_THAT(read.error().what, Catch::Contains("b.jsonl: not found"));
  }
  SECTION("a plan that is cut off, damaged or newer is none") {
    const std::string text = folder.read("plans/0000.plan");
    for (size_t length : {size_t{60}, text.size() / 2, text.size() - 3}) {
      Result<Trace> read = load_all({folder.write("cut.plan", text.substr(0, length))});
      REQUIRE_FALSE(read);
      CHECK(read.error().exit == Exit::input);
      CHECK_THAT(read.error().what, Catch::Contains("cut off or damaged"));
    }
    // No reader of JSON need hold such a number exactly.
    std::string large = text;
    large.replace(large.find("\"records\": ") + 11, 1, "9007199254740993");
    CHECK_THAT(load_all({folder.write("large.plan", large)}).error().what,
               Catch::Contains("cut off or damaged"));
    std::string newer = text;
    newer.replace(newer.find("plan/1"), 6, "plan/9");
    Result<Trace> read = load_all({folder.write("newer.plan", newer)});
    REQUIRE_FALSE(read);
    CHECK_THAT(read.error().what, Catch::Contains("version 9"));
  }
  SECTION("plans of another run in the folder are named, as they would be read as well") {
    Status again = shard({logs}, 2, plans);
    REQUIRE_FALSE(again);
    CHECK(again.error().exit == Exit::usage);
    CHECK_THAT(again.error().what, Catch::Contains("0002.plan"));
    CHECK(shard({logs}, 3, plans));
  }
  SECTION("the same logs make the same plans") {
    const std::string before = folder.read("plans/plan.json");
    REQUIRE(shard({logs}, 3, plans));
    CHECK(folder.read("plans/plan.json") == before);
  }
}

TEST_CASE("an empty file beside logs is in no shard") {
  Folder folder;
  const std::string plans = folder.path() + "/plans", empty = folder.write("empty.jsonl", "");
  REQUIRE(shard({"fixtures/trip.jsonl", empty}, 2, plans));
  CHECK(figures_of(plans_in(plans)) == figures_of({"fixtures/trip.jsonl"}));
}
