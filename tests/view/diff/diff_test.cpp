#include "view/diff/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "effort.h"
#include "made_log.h"
#include "reading.h"
#include "reread.h"
#include "story.h"

using namespace xtrace;

namespace {

Graph graph_of(const std::string& log) {
  LoadOptions loading;
  loading.keep_arguments = true;
  return link(read_log(log, loading), {});
}

/// What `diff` finds, in words.
struct FoundChange {
  std::string first;  ///< the first divergence
  std::string steps;  ///< `~Read a: file_path`, a line each
  int64_t added = 0, removed = 0, changed = 0;
  bool is_equal = false;
};

FoundChange diff(const std::string& before, const std::string& now) {
  Graph old_graph = graph_of(before), new_graph = graph_of(now);
  Door door(Redaction::all, Door::Level::basic, 200);
  ComparedRun earlier{old_graph};
  Question question{new_graph, door};
  question.before = &earlier;
  DiffScene scene(question, choose_run(DiffScene::about_old(question), {}).value(),
                  choose_run(question, {}).value());
  FoundChange found;
  found.first = scene.first_divergence();
  CellArena arena;
  for (const RunComparison::Row& row : scene.found.rows) {
    if (row.diff_status == DiffStatus::equal) continue;
    std::string_view mark = row.diff_status == DiffStatus::added     ? "+"
                            : row.diff_status == DiffStatus::removed ? "-"
                                                                     : "~";
    std::string fields = scene.fields_of(row);
    found.steps += fmt::format("{}{}{}{}\n", mark, scene.what(row, row.in(true), arena).view(),
                               fields.empty() ? "" : ": ", fields);
  }
  found.added = scene.found.steps(DiffStatus::added);
  found.removed = scene.found.steps(DiffStatus::removed);
  found.changed = scene.found.steps(DiffStatus::changed);
  found.is_equal = scene.found.is_equal();
  return found;
}

/// A run of three tools; what one test varies it says itself.
struct Varied {
  std::string id = "a";  ///< in front of all ids
  double start = 0;
  std::string file = "src/b.cpp", pattern = "x", model = "claude-test-1";
  bool has_grep = true;

  std::string log() const {
    CallStory story;
    auto input = [](const std::string& key, const std::string& value) {
      return fmt::format(R"({{"{}":"{}"}})", key, value);
    };
    auto name = [&](const char* own) { return id + own; };
    story.call(name("1")).at(start).says("mend it").model(model).uses(
        name("t1"), "Read", input("file_path", "src/a.cpp"));
    story.call(name("2"))
        .after(name("1"))
        .model(model)
        .reads(name("t1"))
        .uses(name("t2"), "Read", input("file_path", file));
    std::string last = "2", use = "t2";
    if (has_grep) {
      story.call(name("3"))
          .after(name("2"))
          .model(model)
          .reads(name("t2"))
          .uses(name("t3"), "Grep", input("pattern", pattern));
      last = "3", use = "t3";
    }
    story.call(name("4")).after(id + last).model(model).reads(id + use).uses(
        name("t4"), "Edit", input("file_path", "src/a.cpp"));
    story.call(name("5")).after(name("4")).model(model).reads(name("t4")).answers("mended");
    return story.log();
  }
};

std::string mixed(const std::string& log, uint32_t seed) {
  std::vector<std::string> lines;
  std::istringstream in(log);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return joined(shuffled(std::move(lines), seed));
}

/// Fixtures of all kinds of input.
const std::vector<std::string> kFixtures = {
    "trip.jsonl",           "twins.jsonl",
    "guess.jsonl",          "lost-ids.jsonl",
    "resume.jsonl",         "sessions.jsonl",
    "streamed.jsonl",       "openai.jsonl",
    "responses.jsonl",      "agents.jsonl",
    "steps.jsonl",          "costs.jsonl",
    "story/spans.jsonl",    "story/events.jsonl",
    "story/thoughts.jsonl", "diff/monday.jsonl",
    "diff/tuesday.jsonl",   "claude-code/7d1c2a90-5b1e-4f7a-9c3d-2f60a1b8e4d1.jsonl"};
const std::vector<std::string> kDocuments = {
    "trust.json",     "services.json",   "rag.json",    "tickets-otlp.json", "tickets-jaeger.json",
    "sdk-spans.json", "flat-spans.json", "zipkin.json", "gemini.json",       "atif.json"};

std::string fixture(const std::string& name) {
  return project_file("fixtures/" + name);
}

}  // namespace

TEST_CASE("a run and itself do not differ, whatever the input is") {
  std::vector<std::string> names = kFixtures;
  names.insert(names.end(), kDocuments.begin(), kDocuments.end());
  for (const std::string& name : names) {
    CAPTURE(name);
    FoundChange found = diff(fixture(name), fixture(name));
    CHECK(found.is_equal);
    CHECK(found.first == "");
    CHECK(found.steps == "");
  }
}

TEST_CASE("in which order the lines of a log stand is no difference") {
  for (const std::string& name : kFixtures)
    for (uint64_t seed : {1u, 2u, 3u}) {
      CAPTURE(name, seed);
      FoundChange found = diff(fixture(name), mixed(fixture(name), seed));
      CHECK(found.steps == "");
      CHECK(found.is_equal);
    }
}

TEST_CASE("what was added is what is removed the other way round") {
  for (size_t i = 1; i < kFixtures.size(); ++i) {
    CAPTURE(kFixtures[i - 1], kFixtures[i]);
    FoundChange there = diff(fixture(kFixtures[i - 1]), fixture(kFixtures[i]));
    FoundChange back = diff(fixture(kFixtures[i]), fixture(kFixtures[i - 1]));
    CHECK(there.added == back.removed);
    CHECK(there.removed == back.added);
    CHECK(there.changed == back.changed);
    CHECK(there.added + there.removed + there.changed > 0);
  }
}

TEST_CASE("ids and times are no difference") {
  Varied again;
  again.id = "other";
  again.start = 5000;
  FoundChange found = diff(Varied().log(), again.log());
  CHECK(found.steps == "");
  CHECK(found.is_equal);
}

TEST_CASE("the argument in which two runs first part is named, and what follows from it counted") {
  Varied now;
  now.file = "src/c.cpp";
  FoundChange found = diff(Varied().log(), now.log());
  CHECK(found.first ==
        "steps 1–2 equal; step 3: argument file_path differs; 3 of 3 later steps depend on it");
  CHECK(found.steps == "~main: Read src/c.cpp: argument file_path\n");
}

TEST_CASE("an argument that is no path is found as well") {
  Varied now;
  now.pattern = "y";
  FoundChange found = diff(Varied().log(), now.log());
  CHECK(found.first ==
        "steps 1–3 equal; step 4: argument pattern differs; 2 of 2 later steps depend on it");
}

TEST_CASE("another system prompt changes every step that is asked with it") {
  auto log = [](const char* system) {
    CallStory story;
    story.call("c1").says("go").system(system).uses("t1", "Read", R"({"file_path":"a"})");
    story.call("c2").after("c1").system(system).reads("t1").answers("done");
    return story.log();
  };
  FoundChange found = diff(log("be kind"), log("be brief"));
  CHECK(found.changed == 2);
  CHECK(found.first ==
        "step 1 equal; step 2: system_prompt differs; 1 of 1 later step depends on it");
}

TEST_CASE("what is asked of a call that no user's words lead to is compared as well") {
  auto log = [](const char* words) {
    CallStory story;
    story.call("c1").says(words).agent("judge").answers("yes");
    return story.log();
  };
  CHECK(diff(log("is it blue?"), log("is it red?")).first.find("prompt differs") !=
        std::string::npos);
}

TEST_CASE("a field that is ignored is no difference") {
  Varied now;
  now.model = "claude-test-2";
  Graph old_graph = graph_of(Varied().log()), new_graph = graph_of(now.log());
  Door door(Redaction::all, Door::Level::basic, 200);
  ComparedRun earlier{old_graph};
  Question question{new_graph, door};
  question.before = &earlier;
  DiffScene scene(question, choose_run(DiffScene::about_old(question), {}).value(),
                  choose_run(question, {}).value(), {"model"});
  CHECK(scene.found.is_equal());
}

TEST_CASE("a call that is gone does not make those behind it others") {
  Varied now;
  now.has_grep = false;
  CHECK(diff(Varied().log(), now.log()).steps == "-main: Grep\n");
  CHECK(diff(now.log(), Varied().log()).steps == "+main: Grep\n");
}

TEST_CASE("another model changes every step, in its place") {
  Varied now;
  now.model = "claude-test-2";
  FoundChange found = diff(Varied().log(), now.log());
  CHECK(found.changed == 5);
  CHECK(found.added + found.removed == 0);
  CHECK(found.first.find("step 2: model differs") != std::string::npos);
}

TEST_CASE("which of two parallel subagents is faster is no difference") {
  auto log = [](double first, double second) {
    CallStory story;
    story.call("m1")
        .at(0)
        .says("look around")
        .offers_tools()
        .spawns("t1", "Explore", "look left")
        .spawns("t2", "Explore", "look right");
    story.call("l1")
        .at(first)
        .agent("Explore")
        .says("look left")
        .spawned_by("t1")
        .answers("nothing");
    story.call("r1")
        .at(second)
        .agent("Explore")
        .says("look right")
        .spawned_by("t2")
        .uses("u", "Read", R"({"file_path":"right.txt"})");
    story.call("m2").at(60).after("m1").reads("t1").reads("t2").answers("done");
    return story.log();
  };
  FoundChange found = diff(log(10, 20), log(20, 10));
  CHECK(found.steps == "");
  CHECK(found.is_equal);
}

TEST_CASE("a long run that lost one step in its midst has lost that one") {
  constexpr int kSteps = effort(300, 120);
  auto log = [](int without) {
    CallStory story;
    std::string before;
    for (int i = 0; i < kSteps; ++i) {
      if (i == without) continue;
      std::string name = fmt::format("c{}", i);
      Told& call = story.call(name).at(i * 10).uses("t" + name, "Read",
                                                    fmt::format(R"({{"file_path":"f{}"}})", i % 7));
      if (before.empty())
        call.says("go");
      else
        call.after(before).reads("t" + before);
      before = name;
    }
    return story.log();
  };
  FoundChange found = diff(log(-1), log(kSteps / 2));
  CHECK(found.steps == fmt::format("-main: Read f{}\n", kSteps / 2 % 7));
  CHECK(found.first.starts_with(fmt::format("steps 1–{} equal;", kSteps / 2 + 1)));
}

TEST_CASE("two sessions of one log are compared as if each stood in a log of its own") {
  Varied monday, tuesday;
  tuesday.id = "b";
  tuesday.start = 90000;
  tuesday.pattern = "y";
  Graph both = graph_of(monday.log() + tuesday.log());
  Door door(Redaction::all, Door::Level::basic, 200);
  ComparedRun earlier{both};
  Question question{both, door};
  question.before = &earlier;
  auto found = [&](const char* of_old, const char* of_new) {
    DiffScene scene(question, choose_run(DiffScene::about_old(question), {of_old}).value(),
                    choose_run(question, {of_new}).value());
    return scene.first_divergence();
  };
  CHECK(found("s1", "s2") == diff(monday.log(), tuesday.log()).first);
  CHECK(found("s2", "s2") == "");
  CHECK(choose_run(question, {"s3"}).error().exit == Exit::no);
}

TEST_CASE("of the arguments of a tool that a span tells of, the one that differs is named") {
  Folder folder;
  auto run = [&](const char* name, const char* arguments) {
    nlohmann::json span = {{"name", "execute_tool grep"},
                           {"span_id", "c000000000000001"},
                           {"trace_id", "6d0f8c3a1b2e4d6f7081929394a5b6c7"},
                           {"parent_span_id", nullptr},
                           {"start_time", 1790000000000000000},
                           {"end_time", 1790000001000000000},
                           {"attributes",
                            {{"gen_ai.operation.name", "execute_tool"},
                             {"gen_ai.tool.name", "grep"},
                             {"gen_ai.tool.call.arguments", arguments}}},
                           {"status", "OK"}};
    LoadOptions loading;
    loading.rereads = true;
    Progress progress;
    std::string path = folder.write(name, nlohmann::json::array({span}).dump());
    return link(load({path}, loading, progress).value(), {});
  };
  Graph old_graph = run("old.json", R"({"path": "notes", "depth": 1})");
  Graph new_graph = run("new.json", R"({"path": "books", "depth": 1})");
  Door door(Redaction::all, Door::Level::basic, 200);
  Reread old_payloads(old_graph.trace()), new_payloads(new_graph.trace());
  ComparedRun earlier{old_graph, &old_payloads};
  Question question{new_graph, door, Face::outline, &new_payloads};
  question.before = &earlier;
  DiffScene scene(question, choose_run(DiffScene::about_old(question), {}).value(),
                  choose_run(question, {}).value());
  CHECK(scene.first_divergence() == "step 1: argument path differs; no later steps");
}

TEST_CASE("other parameters and other evidence of a query's step are a difference") {
  auto log = [](const std::string& more) {
    return R"({"queryId":"q","stepId":"s","node":"Local","metrics":{"tokens_in":5},)" + more +
           "}\n";
  };
  auto fields = [](const std::string& before, const std::string& now) {
    Folder folder;
    Progress progress;
    Graph old_graph = link(load({folder.write("old.jsonl", before)}, {}, progress).value(), {});
    Graph new_graph = link(load({folder.write("new.jsonl", now)}, {}, progress).value(), {});
    Reread old_payloads(old_graph.trace()), payloads(new_graph.trace());
    Door door(Redaction::all, Door::Level::basic, 200);
    ComparedRun earlier{old_graph, &old_payloads};
    Question question{new_graph, door, Face::tables, &payloads};
    question.before = &earlier;
    DiffScene scene(question, choose_run(DiffScene::about_old(question), {}).value(),
                    choose_run(question, {}).value());
    return scene.found.is_equal() ? std::string("equal") : scene.fields_of(scene.found.rows[0]);
  };
  const std::string one = R"("params":{"k":8,"depth":2},"evidenceRefs":[{"unit_id":"U7"}])";
  CHECK(fields(log(one), log(one)) == "equal");
  CHECK(fields(log(one), log(R"("params":{"k":8,"depth":3},"evidenceRefs":[{"unit_id":"U7"}])")) ==
        "argument depth");
  CHECK(fields(log(one), log(R"("params":{"k":8,"depth":2},"evidenceRefs":[{"unit_id":"U8"}])")) ==
        "evidence");
  CHECK(fields(log(one), log(one + R"(,"subgraph":{"nodes":[{"id":"E1"}]})")) == "subgraph");
}
