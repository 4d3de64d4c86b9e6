#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "facts/token_sums.h"
#include "input/transcripts/made_usage.h"
#include "input/transcripts/rollout.h"
#include "usage_world.h"

using namespace xtrace;

namespace {

Trace load_shuffled(const MadeUsage& made, uint32_t seed) {
  Folder folder;
  std::vector<std::string> paths;
  for (const MadeUsage::File& file : made.files)
    paths.push_back(folder.write(file.name, file.text));
  std::mt19937 chance(seed);
  for (size_t i = paths.size(); i > 1; --i) std::swap(paths[i - 1], paths[chance() % i]);
  Progress progress;
  return load(paths, {}, progress).value();
}

std::string words_of(const Tokens& tokens) {
  return fmt::format("{} in, {} out, {} read, {} written", tokens.input, tokens.output,
                     at_least_none(tokens.cache_read), at_least_none(tokens.cache_creation));
}

}  // namespace

TEST_CASE("calls and what statements have beyond them make up what was used up") {
  constexpr uint32_t kSeeds = 700;
  for (uint32_t seed = 0; seed < kSeeds; ++seed) {
    const MadeUsage made = make_usage(seed);
    INFO("seed " << seed << ": " << made.shape);
    const UsageTotal all = total_of(link(load_shuffled(made, seed), {}));
    CHECK(words_of(all.tokens) == words_of(made.truth));
    if (made.cost != kNoCount) CHECK(all.cost == made.cost);
  }
}

namespace {

using Json = nlohmann::json;

Json codex_counts(int input, int cached, int output) {
  return {{"input_tokens", input}, {"cached_input_tokens", cached}, {"output_tokens", output}};
}

/// A count of Codex: of all so far, and of the last call if that is stated.
Json counted(Json all, Json last) {
  return {{"type", "token_count"},
          {"info", {{"total_token_usage", std::move(all)}, {"last_token_usage", std::move(last)}}}};
}

Rollout& recorded(Rollout& log, const char* response, int input, int output) {
  return log.line("token_usage_record",
                  {{"response_id", response}, {"usage", codex_counts(input, 0, output)}});
}

/// `100/5` of each call.
std::string counts_of(const Trace& trace) {
  std::string counts;
  for (const Call& call : trace.calls)
    counts +=
        fmt::format("{}{}/{}", counts.empty() ? "" : " ", call.tokens.input, call.tokens.output);
  return counts;
}

}  // namespace

TEST_CASE("running totals alone state what each call used up") {
  Rollout log;
  log.opens("s").said("user", "dig").said("assistant", "dug");
  log.line("event_msg", counted(codex_counts(1000, 600, 50), nullptr));
  log.said("user", "sow").said("assistant", "sown");
  const bool is_flat = GENERATE(true, false);  // as older versions wrote them
  Json flat = codex_counts(2500, 1800, 90);
  flat["type"] = "token_count";
  log.line("event_msg", is_flat ? flat : counted(codex_counts(2500, 1800, 90), nullptr));
  CHECK(counts_of(read_log(log.text())) == "400/50 300/40");
}

TEST_CASE("a total that is lower in any kind than the one before begins anew") {
  Rollout log;
  log.opens("s").said("user", "dig").said("assistant", "dug");
  log.line("event_msg", counted(codex_counts(1000, 600, 50), nullptr));
  log.said("assistant", "sown");
  log.line("event_msg", counted(codex_counts(2500, 500, 90), nullptr));
  CHECK(counts_of(read_log(log.text())) == "400/50 2000/90");
}

TEST_CASE("the total fills in what is not stated of one call between others") {
  Rollout log;
  log.opens("s").said("user", "dig").said("assistant", "dug");
  log.line("event_msg", counted(codex_counts(100, 0, 5), codex_counts(100, 0, 5)));
  log.said("assistant", "sown");
  log.line("event_msg", counted(codex_counts(250, 0, 9), nullptr));
  log.said("assistant", "grown");
  log.line("event_msg", counted(codex_counts(430, 0, 16), codex_counts(180, 0, 7)));
  CHECK(counts_of(read_log(log.text())) == "100/5 150/4 180/7");
}

TEST_CASE("what a total grew by beyond the last call is stated, from the count before on") {
  Rollout log;
  log.opens("s").model("gpt-5.5").said("user", "dig").said("assistant", "dug");
  log.line("event_msg", counted(codex_counts(100, 0, 5), codex_counts(100, 0, 5)));
  log.said("assistant", "sown");  // after calls that somebody cut out of the log
  log.line("event_msg", counted(codex_counts(900, 0, 45), codex_counts(200, 0, 10)));
  const Trace trace = read_log(log.text());
  CHECK(counts_of(trace) == "100/5 200/10");
  REQUIRE(trace.usage_statements.size() == 1);
  const UsageStatement& rest = trace.usage_statements.front();
  CHECK(rest.tokens.input == 800);
  CHECK(rest.since.line == 5);
  CHECK(rest.source.line == 7);
  CHECK(trace[rest.model] == "gpt-5.5");
  CHECK(rest.scope == UsageStatement::Scope::agent);
}

TEST_CASE("records of two kinds state each call once") {
  Rollout log;
  log.opens("s").said("user", "dig").said("assistant", "dug");
  const bool is_record_first = GENERATE(true, false);
  const auto count = [&](int all, int input, int output) {
    log.line("event_msg", counted(codex_counts(all, 0, 0), codex_counts(input, 0, output)));
  };
  if (is_record_first) recorded(log, "r1", 100, 5);
  count(100, 100, 5);
  if (!is_record_first) recorded(log, "r1", 100, 5);
  SECTION("of one that no count mentions, too") {
    recorded(log, "r2", 900, 30).line("compacted", {{"message", "dug"}});
    log.said("user", "sow").said("assistant", "sown");
    recorded(log, "r3", 200, 7);
    count(300, 200, 7);
    const Trace trace = read_log(log.text());
    CHECK(counts_of(trace) == "100/5 900/30 200/7");
    CHECK(trace.calls[1].sums_up);
    CHECK(trace[trace.calls[1].id] == "r2");
  }
  SECTION("of one that stands in two records, too") {
    recorded(log, "r1", 100, 5);
    recorded(log, "r2", 900, 30);
    recorded(log, "r2", 900, 30);
    CHECK(counts_of(read_log(log.text())) == "100/5 900/30");
  }
  SECTION("of an answer that the user stopped, which is to what was asked") {
    log.said("user", "sow");
    recorded(log, "r2", 900, 30).line("event_msg", {{"type", "turn_aborted"}});
    log.said("user", "reap").said("assistant", "reaped");
    recorded(log, "r3", 200, 7);
    const Graph graph = graph_of({log.text()});
    CHECK(counts_of(graph.trace()) == "100/5 900/30 200/7");
    CHECK(graph.trace()[graph.trace().calls[1].request].role == Message::Role::user);
  }
}

TEST_CASE("a turn of codex exec without an answer states its usage, from the turn before on") {
  const auto turn = [](const std::string& item, int input) {
    return "{\"type\":\"turn.started\"}\n" + item +
           fmt::format(
               R"({{"type":"turn.completed","usage":{{"input_tokens":{},"output_tokens":{}}}}})"
               "\n",
               input, input / 10);
  };
  const std::string item =
      R"({"type":"item.completed","item":{"id":"i","type":"agent_message","text":"dug"}})"
      "\n";
  const Trace trace = read_log("{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n" +
                               turn(item, 100) + turn("", 300));
  CHECK(counts_of(trace) == "100/10");
  REQUIRE(trace.usage_statements.size() == 1);
  const UsageStatement& row = trace.usage_statements.front();
  CHECK(row.tokens.input == 200);
  CHECK(row.scope == UsageStatement::Scope::turn);
  CHECK(row.since.line == 4);
}

TEST_CASE("of two snapshots of an answer the better one counts, with the kinds that it splits up") {
  const Tokens first{.input = 100, .output = 1}, last{.input = 10, .output = 40, .cache_read = 90};
  CHECK(best_count(first, last) == last);
  CHECK(best_count(last, first) == last);
  CHECK(best_count({.input = 0, .output = 40}, first) == Tokens{.input = 100, .output = 40});
}
