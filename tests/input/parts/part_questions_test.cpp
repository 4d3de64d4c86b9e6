#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>

#include "input/parts/make_part.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "render/renderer.h"
#include "set.h"
#include "story.h"
#include "view/common/view.h"

using namespace xtrace;

namespace {

using Answer = nlohmann::ordered_json;

/// Six calls of one moment that read a file each below a home folder; the third one's is `other`.
std::string calls_at_once(const std::string& other) {
  std::string log;
  for (int i = 0; i < 6; ++i)
    log += fmt::format(
        R"({{"timestamp":"2026-03-01T10:00:10Z","session_id":"s","duration_ms":1000,"request":)"
        R"({{"model":"m","messages":[{{"role":"user","content":"read {0}"}}]}},"response":)"
        R"({{"id":"m{0}","model":"m","stop_reason":"tool_use","content":[{{"type":"tool_use",)"
        R"("id":"t{0}","name":"Read","input":{{"file_path":"/home/ida/{1}{0}.c"}}}}]}}}})"
        "\n",
        i, i == 3 ? other : "x");
  return log;
}

std::string part_of(const Folder& folder, const std::string& log, char key) {
  PartOptions options;
  options.arguments = true;
  Progress progress;
  const std::string name = fmt::format("{:08x}-{}", std::hash<std::string>()(log), key);
  const std::string path = folder.write(name + ".jsonl", log);
  const Seal seal(std::string(Seal::kKeyBytes, key));
  return folder.write(name + ".xfacts",
                      written_part(make_part({path}, {}, options, seal, progress).value().part));
}

Graph read_here(const std::string& path) {
  LoadOptions loading;
  loading.keep_arguments = true;
  Progress progress;
  return link(load({path}, loading, progress).value(), {});
}

/// What `diff` says of which steps differ in which order.
std::string diff_of(const std::string& before, const std::string& now) {
  Graph old_graph = read_here(before), new_graph = read_here(now);
  Door door(Redaction::all, Door::Level::basic, 200);
  ComparedRun earlier{old_graph};
  Question question{new_graph, door};
  question.before = &earlier;
  std::ostringstream out;
  write_json(find_view("diff")->make()->answer(question).value(), Paper{}, out);
  const Answer answer = Answer::parse(out.str());
  std::string text = answer["changes"].dump() + answer["first_divergence"]["summary"].dump();
  for (const Answer& step : answer["steps"])
    text +=
        fmt::format("\n{} {} {}", step["state"].dump(), step["what"].dump(), step.value("step", 0));
  return text;
}

}  // namespace

TEST_CASE("two runs differ in the same steps whatever key their parts are made with") {
  Folder folder;
  const std::string before = calls_at_once("a"), now = calls_at_once("b");
  const std::string wanted =
      diff_of(folder.write("before.jsonl", before), folder.write("now.jsonl", now));
  for (char key : {'a', 'b', 'c', 'd', 'e'})
    CHECK(diff_of(part_of(folder, before, key), part_of(folder, now, key)) == wanted);
}

TEST_CASE("who asks a part by a name that it hides is told what it may be, and where to ask") {
  Folder folder;
  const Graph graph = read_here(part_of(folder, calls_at_once("a"), 'k'));
  auto asked = [&](const std::string& name) {
    Door door(Redaction::all, Door::Level::basic, 200);
    const std::unique_ptr<View> view = find_view("explain")->make();
    Set options({{"--node", name}});
    view->declare(options);
    Result<Document> answer = view->answer({graph, door, Face::tables});
    return answer ? std::string() : answer.error().what;
  };
  const std::string told = asked("/home/ida/a3.c");
  CHECK(told.find("resource:file:/home/[REDACTED:home:1]/a3.c") != std::string::npos);
  CHECK(told.find("read the original log") != std::string::npos);
  CHECK(asked("/home/ida/b3.c").find("read the original log") == std::string::npos);
}

TEST_CASE("a part of a log that begins with what its program said holds the calls behind it") {
  Folder folder;
  CallStory story;
  story.call("a");
  story.call("b");
  const std::string mark = "\xef\xbb\xbf";
  for (const std::string& first : {std::string("Starting proxy on port 8080\n"),
                                   std::string("# requests\n\n"), mark + mark + "{}\n"}) {
    const std::string log = first + story.log();
    const std::string name = fmt::format("{}.jsonl", log.size());
    CHECK(read_here(folder.write("logs/" + name, log)).trace().calls.size() == 2);
    CHECK(read_here(part_of(folder, log, 'k')).trace().calls.size() == 2);
  }
  CHECK(read_here(folder.path() + "/logs").trace().calls.size() == 2);  // each of them has the same
  CHECK(read_here(part_of(folder, "no log\n", 'k')).trace().calls.empty());
}

TEST_CASE("a text in a folder that shows a record is no log") {
  Folder folder;
  CallStory story;
  story.call("a");
  folder.write("logs/a.jsonl", story.log());
  CallStory shown;
  shown.call("b");
  folder.write("logs/README.txt",
               "A line of it:\n" + shown.log() + "and so on,\nas long as it runs\n");
  CHECK(read_here(folder.path() + "/logs").trace().calls.size() == 1);
}
