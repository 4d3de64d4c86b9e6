#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "input/parts/make_part.h"
#include "link/graph/graph.h"
#include "reading.h"
#include "render/renderer.h"
#include "view/common/view.h"

using namespace xtrace;

namespace {

using Json = nlohmann::ordered_json;

const Seal& key() {
  static const Seal seal(std::string(Seal::kKeyBytes, 'k'));
  return seal;
}

/// What `dag` answers, but for what it tells of its inputs.
std::string dag(const std::vector<std::string>& paths, const LoadOptions& loading = {}) {
  Progress progress;
  Graph graph = link(load(paths, loading, progress).value(), {});
  std::string text;
  for (std::string_view name : {"dag", "trust"}) {
    Door door(Redaction::all, Door::Level::basic, 200);
    Result<Document> document = find_view(name)->make()->answer({graph, door, Face::tables});
    if (!document) continue;
    std::ostringstream out;
    write_json(*document, Paper{}, out);
    Json answer = Json::parse(out.str());
    for (const char* own : {"inputs", "generator", "parts"}) answer.erase(own);
    text += answer.dump(1);
  }
  return text;
}

/// Some lines of a log, with the places they stood at.
struct Lines {
  std::string text, origins;

  void add(const std::string& file, std::string_view log, size_t offset, size_t number) {
    text += log.substr(offset, log.find('\n', offset) + 1 - offset);
    origins +=
        fmt::format("{{\"file\": \"{}\", \"line\": {}, \"offset\": {}}}\n", file, number, offset);
  }
};

class Mapping {
 public:
  explicit Mapping(const Folder& folder, Seal seal = key())
      : folder_(folder), seal_(std::move(seal)) {}

  std::string range(const std::string& path, uint64_t begin, uint64_t end) {
    PartOptions options;
    options.range = {begin, end};
    return map(path, options);
  }
  std::string lines(const Lines& lines) {
    const std::string name = fmt::format("lines-{}.jsonl", ++made_);
    PartOptions options;
    options.origin = folder_.write(name + ".origin", lines.origins);
    return map(folder_.write(name, lines.text), options);
  }
  std::string all(const std::string& path) { return map(path, {}); }
  std::string merged(const std::vector<std::string>& parts) {
    FactsPart whole;
    for (const std::string& path : parts)
      REQUIRE(join_parts(read_part_file(path).value(), path, whole));
    return write(std::move(whole));
  }

 private:
  std::string map(const std::string& path, const PartOptions& options) {
    Progress progress;
    return write(make_part({path}, {}, options, seal_, progress).value().part);
  }
  std::string write(FactsPart part) {
    return folder_.write(fmt::format("{}.xfacts", ++made_), written_part(std::move(part)));
  }

  const Folder& folder_;
  Seal seal_;
  int made_ = 0;
};

/// A log of each kind that stands on lines, all of which end.
std::vector<std::string> logs() {
  std::vector<std::string> logs;
  for (const char* path : {"agents.jsonl",
                           "codex-main.jsonl",
                           "codex-subagent.jsonl",
                           "fork.jsonl",
                           "guess.jsonl",
                           "handed.jsonl",
                           "hostile.jsonl",
                           "pi.jsonl",
                           "private.jsonl",
                           "responses.jsonl",
                           "resume.jsonl",
                           "retries.jsonl",
                           "sessions.jsonl",
                           "steps.jsonl",
                           "streamed.jsonl",
                           "trip.jsonl",
                           "twins.jsonl",
                           "waits.jsonl",
                           "waste.jsonl",
                           "agents/copilot.jsonl",
                           "agents/kiro/5a5a0000-0000-4000-8000-000000000001.jsonl",
                           "agents/droid/beds.jsonl",
                           "exports/openai-agents.jsonl",
                           "exports/langsmith.jsonl",
                           "story/spans.jsonl",
                           "runs/claude-stream.jsonl",
                           "gateways/litellm.jsonl",
                           "gateways/helicone.jsonl",
                           "assess/coding/storm/-home-ida-shop/storm-9.jsonl",
                           "claude-code/7d1c2a90-5b1e-4f7a-9c3d-2f60a1b8e4d1.jsonl"})
    logs.push_back(project_file(std::string("fixtures/") + path));
  return logs;
}

std::vector<std::pair<size_t, size_t>> lines_of(const std::string& log) {
  std::vector<std::pair<size_t, size_t>> lines;  // offset and number
  for (size_t at = 0, number = 1; at < log.size(); at = log.find('\n', at) + 1)
    lines.emplace_back(at, number++);
  return lines;
}

}  // namespace

TEST_CASE("parts of ranges that are cut anywhere answer as the log does") {
  std::mt19937 dice(7);
  for (const std::string& log : logs()) {
    REQUIRE(log.ends_with('\n'));
    Folder folder;
    const std::string path = folder.write("log.jsonl", log), wanted = dag({path});
    CAPTURE(log.substr(0, 200));
    Mapping mapping(folder);
    std::vector<uint64_t> cuts = {0, 1, 2, 3, log.size()};
    for (int i = 0; i < 6; ++i) cuts.push_back(dice() % log.size());
    std::sort(cuts.begin(), cuts.end());
    std::vector<std::string> parts;
    for (size_t i = 1; i < cuts.size(); ++i)
      parts.push_back(mapping.range(path, cuts[i - 1], cuts[i]));
    std::shuffle(parts.begin(), parts.end(), dice);
    CHECK((dag(parts) == wanted));
  }
}

TEST_CASE(
    "parts of lines that were scattered anywhere answer as the log does, however they are "
    "put together") {
  std::mt19937 dice(11);
  for (const std::string& log : logs()) {
    Folder folder;
    const std::string path = folder.write("log.jsonl", log), wanted = dag({path});
    CAPTURE(log.substr(0, 200));
    Mapping mapping(folder);
    std::vector<std::pair<size_t, size_t>> order = lines_of(log);
    std::shuffle(order.begin(), order.end(), dice);
    std::vector<Lines> scattered(4);
    for (const auto& [offset, number] : order)
      scattered[dice() % scattered.size()].add(path, log, offset, number);
    std::vector<std::string> parts;
    parts.reserve(scattered.size());
    for (const Lines& lines : scattered) parts.push_back(mapping.lines(lines));
    CHECK((dag(parts) == wanted));
    const std::string left = mapping.merged({parts[2], parts[0]});
    const std::string right = mapping.merged({parts[1], parts[3], parts[0]});
    CHECK((dag({right, left, parts[2]}) == wanted));
    const std::string one = mapping.merged({left, right}),
                      other = mapping.merged({right, left, one});
    CHECK((read_part_file(one)->shards.size() <= parts.size()));
    CHECK((folder.read(one.substr(folder.path().size() + 1)) ==
           folder.read(other.substr(folder.path().size() + 1))));
  }
}

TEST_CASE("a part of any input answers as the input does") {
  for (const char* name :
       {"atif.json", "conversation.json", "damaged.jsonl", "detective-otlp.json", "flat-spans.json",
        "gemini.json", "graph.jsonc", "mesh.json", "query-trace.json", "rag.json", "sdk-spans.json",
        "services.json", "reports/told-by-parent.jsonl", "tickets-jaeger.json", "tickets-otlp.json",
        "trust.json", "zipkin.json"}) {
    CAPTURE(name);
    Folder folder;
    const std::string path = folder.write(name, project_file(std::string("fixtures/") + name)),
                      wanted = dag({path});
    CHECK((dag({Mapping(folder).all(path)}) == wanted));
    CHECK((dag({Mapping(folder, Seal()).all(path)}) == wanted));
  }
}

TEST_CASE("who a user is, is told by a part as by the log, though the name is hidden") {
  std::string log = project_file("fixtures/trip.jsonl");
  Folder folder;
  constexpr std::string_view kName = "user_9d2f_";
  for (size_t at = 0; (at = log.find(kName, at)) != std::string::npos;)
    log.replace(at, kName.size(), "user_ida@example.com_");
  const std::string path = folder.write("log.jsonl", log), wanted = dag({path});
  CHECK(wanted.find("user:[REDACTED:email:1]\"") != std::string::npos);
  CHECK((dag({Mapping(folder).all(path)}) == wanted));
}

TEST_CASE("a log that is read beside parts of another links as if both were read") {
  const std::string log = project_file("fixtures/trip.jsonl");
  Folder folder;
  const size_t half = log.find('\n', log.size() / 2) + 1;
  const std::string a = folder.write("a.jsonl", log.substr(0, half)),
                    b = folder.write("b.jsonl", log.substr(half)), wanted = dag({a, b});
  CHECK((dag({Mapping(folder, Seal()).all(a), b}) == wanted));
  LoadOptions with_key;
  with_key.key = folder.write("key", std::string(Seal::kKeyBytes, 'k'));
  CHECK((dag({b, Mapping(folder).all(a)}, with_key) == wanted));
  Progress progress;
  CHECK((load({b, Mapping(folder).all(a)}, {}, progress).error().exit == Exit::usage));
}
