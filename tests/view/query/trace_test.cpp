#include "view/query/query_answers.h"

using namespace xtrace;

TEST_CASE("the design's own example adds up to its own totals") {
  Json trace = trace_of(project_file("fixtures/steps.jsonl"), {{"--query", "Q-2024-09-01-001"}});
  CHECK(trace["metrics"]["total_latency_ms"] == 520);
  CHECK(trace["metrics"]["total_tokens_in"] == 700);
  CHECK(trace["metrics"]["total_tokens_out"] == 240);
  CHECK(trace["mode"] == "local_graph");
  CHECK(trace["projectId"] == "ops-handbook");
  CHECK(trace["graphVersion"] == "2024-08-31.2");
  CHECK(ids(trace["steps"], "node") ==
        Words{"DetectIntent", "LocalGraph", "Summarizer", "Guardrails"});
  CHECK(trace["steps"][1]["params"].dump() == R"({"depth":2,"k":8})");
  CHECK(trace["subgraph"]["edges"][0]["type"] == "MENTIONED_IN");
  check_totals(trace);
}

TEST_CASE("a step that was recorded twice is one step") {
  Json trace =
      trace_of(step("a", "Plan", 1, 10) + step("a", "Plan", 1, 10) + step("b", "Do", 2, 5));
  CHECK(ids(trace["steps"]) == Words{"a", "b"});
  CHECK(trace["steps"][0]["records"] == 2);
  CHECK(trace["metrics"]["repeated"] == 1);
  CHECK(trace["metrics"]["total_latency_ms"] == 15);
  check_totals(trace);
}

TEST_CASE("of attempts at the same, the last one's time counts, and all that they spent") {
  Json trace = trace_of(step("a", "Search", 1, 900, R"(,"status":"error","attempt":1)") +
                        step("b", "Search", 2, 300, R"(,"attempt":2)") + step("c", "Sum", 3, 20));
  CHECK(trace["steps"][0]["retried_as"] == 2);
  CHECK(trace["steps"][0]["not_counted"][0].dump() ==
        R"({"metric":"latency_ms","step":2,"why":"retried"})");
  CHECK(trace["metrics"]["total_latency_ms"] == 320);
  CHECK(trace["metrics"]["total_tokens_in"] == 300);
  CHECK(trace["metrics"]["total_cost_usd"].get<double>() == Approx(0.3));
  CHECK(trace["metrics"]["retried"] == 1);
  check_totals(trace);
}

TEST_CASE("the same node twice without a failure is two steps that count") {
  Json trace = trace_of(step("a", "Search", 1, 100) + step("b", "Search", 2, 100));
  CHECK(trace["metrics"]["total_latency_ms"] == 200);
  CHECK_FALSE(trace["steps"][0].contains("retried_as"));
}

TEST_CASE("time within another step, and tokens told again around one, are counted once") {
  Json trace = trace_of(step("root", "Chain", 1, 500) +
                        step("llm", "LLM", 1.1, 200, R"(,"parentId":"root")") +
                        step("late", "Upload", 9, 50, R"(,"parentId":"root")"));
  // The upload begins long after the chain was over, so its time is not part of it.
  CHECK(trace["metrics"]["total_latency_ms"] == 550);
  CHECK(trace["metrics"]["total_tokens_in"] == 200);
  CHECK(trace["steps"][1]["not_counted"][0].dump() ==
        R"({"metric":"latency_ms","step":1,"why":"within"})");
  CHECK(trace["steps"][0]["not_counted"][0]["why"] == "told_within");
  check_totals(trace);
}

TEST_CASE("what nobody measured is absent, not nothing") {
  Json trace =
      trace_of(R"({"queryId":"q","stepId":"a","node":"Plan","timestamp":"2026-01-01T10:00:00Z"})"
               "\n");
  CHECK_FALSE(trace["metrics"].contains("total_tokens_in"));
  CHECK_FALSE(trace["metrics"].contains("total_cost_usd"));
  CHECK(trace["steps"][0]["timestamp"] == "2026-01-01T10:00:00Z");
}

TEST_CASE("no payload text is in a basic trace, and its absence is counted") {
  std::string log =
      step("a", "Plan", 1, 10,
           R"(,"inputs":"what about the merger","outputs":"nothing yet",)"
           R"("params":{"prompt":"be brief","k":3},)"
           R"("evidenceRefs":[{"type":"document","doc_id":"D1","text":"the merger"}],)"
           R"("subgraph":{"claims":[{"id":"C1","text":"merger in May"}]})");
  Json basic = trace_of(log), full = trace_of(log, {}, Door::Level::full);
  CHECK(basic.dump().find("merger") == std::string::npos);
  CHECK(basic.dump().find("brief") == std::string::npos);
  CHECK(basic["limits"]["texts_omitted"] == 5);
  CHECK(full["limits"]["texts_omitted"] == 0);
  CHECK(full["steps"][0]["inputs"] == "what about the merger");
  CHECK(full["steps"][0]["params"]["prompt"] == "be brief");
  CHECK(full["steps"][0]["evidenceRefs"][0]["text"] == "the merger");
  CHECK(full["subgraph"]["nodes"][0]["text"] == "merger in May");
}

TEST_CASE("limits keep the way to what the answer cites") {
  // e1 - e2 - e3 - cited; far away e4 - e5, visited first.
  std::string log =
      step("a", "Walk", 1, 10,
           R"(,"subgraph":{"entities":[{"id":"e5"},{"id":"e4"},{"id":"e1"},{"id":"e2"},{"id":"e3",)"
           R"("evidence":["U9"]}],"edges":[{"from":"e5","to":"e4"},{"from":"e1","to":"e2"},)"
           R"({"from":"e2","to":"e3"}]},"evidenceRefs":["U1","U2","U9"])") +
      step("b", "Answer", 2, 10, R"(,"citations":[{"unit_id":"U9"}])");
  Json all = trace_of(log),
       few = trace_of(log, {{"--limit-nodes", "2"}, {"--limit-evidence", "1"}});
  CHECK(all["subgraph"]["nodes"].size() == 5);
  CHECK(ids(few["subgraph"]["nodes"]) == Words{"e2", "e3"});
  CHECK(few["subgraph"]["edges"].size() == 1);
  CHECK(ids(few["steps"][0]["evidenceRefs"], "unit_id") == Words{"U9"});
  CHECK(few["steps"][0]["evidence_omitted"] == 2);
  CHECK(few["limits"].dump() ==
        R"({"edges_shown":1,"edges_total":3,"evidence_omitted":2,"nodes_shown":2,"nodes_total":5,)"
        R"("texts_omitted":0,"withheld":0,"withheld_copies":0})");
  CHECK(few["subgraphDigest"] == all["subgraphDigest"]);
}

TEST_CASE("an end of an edge that no step described is still there") {
  Json trace = trace_of(
      step("a", "Walk", 1, 10, R"(,"subgraph":{"edges":[{"from":"x","to":"y","type":"KNOWS"}]})"));
  CHECK(ids(trace["subgraph"]["nodes"]) == Words{"x", "y"});
  CHECK_FALSE(trace["subgraph"]["nodes"][0].contains("label"));
}

TEST_CASE("what is labelled beyond the clearance leaves neither ids nor text behind") {
  std::string log =
      step("a", "Walk", 1, 10,
           R"(,"evidenceRefs":[{"type":"document","doc_id":"D-open","sensitivity":"Internal"},)"
           R"({"type":"document","doc_id":"D-board","unit_id":"U-board","sensitivity":"secret"},)"
           R"({"type":"document","doc_id":"D-odd","sensitivity":"cosmic"}],)"
           R"("subgraph":{"claims":[{"id":"C1","text":"fine","evidence":["U-board"]},)"
           R"({"id":"C2","name":"Takeover","sensitivity":"restricted"}]})");
  Json open = trace_of(log, {}, Door::Level::full);
  CHECK(open.dump().find("D-board") != std::string::npos);
  Json shown = trace_of(log, {{"--clearance", "confidential"}, {"--unlabelled", "public"}},
                        Door::Level::full);
  CHECK(shown.dump().find("board") == std::string::npos);
  CHECK(shown.dump().find("D-odd") == std::string::npos);
  CHECK(shown.dump().find("Takeover") == std::string::npos);
  CHECK(shown.dump().find("D-open") != std::string::npos);
  CHECK(shown["steps"][0]["evidenceRefs"][1].dump() ==
        R"({"sensitivity":"secret","type":"document","withheld":true})");
  CHECK(shown["limits"]["withheld"] == 4);  // with the claim that rests on U-board alone
}

TEST_CASE("what is withheld is withheld wherever it was copied to, and that is counted") {
  const std::string said = "The director will be dismissed on 12 May.";
  std::string log =
      step(
          "a", "Local", 1, 10,
          R"(,"evidenceRefs":[{"doc_id":"D7","unit_id":"U3","sensitivity":"confidencial","text":")" +
              said + R"("},{"doc_id":"D8","unit_id":"U4","text":"The weather is fine today."}])") +
      step(
          "b", "Sum", 2, 10,
          R"(,"inputs":{"context":"The  director will be\n dismissed on 12 May. So."},"outputs":"We know: )" +
              said.substr(0, said.size() - 1) + R"( [1]. The weather is fine today.")");
  Json shown =
      trace_of(log, {{"--clearance", "internal"}, {"--unlabelled", "public"}}, Door::Level::full);
  CHECK(shown["steps"][1]["inputs"] == "[WITHHELD]");
  CHECK(shown["steps"][1]["outputs"] == "We know: [WITHHELD] [1]. The weather is fine today.");
  CHECK(shown["limits"]["withheld_copies"] == 2);
  CHECK(trace_of(log, {{"--clearance", "confidential"}, {"--unlabelled", "public"}},
                 Door::Level::full)
            .dump()
            .find("WITHHELD") == std::string::npos);
}

TEST_CASE("a unit has the label that any reference to it states, and without one the highest") {
  const std::string log =
      step("a", "Local", 1, 10,
           R"(,"evidenceRefs":[{"doc_id":"D7","unit_id":"U3","sensitivity":"confidential",)"
           R"("text":"The director will be dismissed on 12 May."}])") +
      step("b", "Sum", 2, 10,
           R"(,"citations":[{"id":"[1]","doc_id":"D7","unit_id":"U3"},)"
           R"({"id":"[2]","doc_id":"D8","unit_id":"U4"}])");
  const std::string shown =
      trace_of(log, {{"--clearance", "confidential"}}, Door::Level::full).dump();
  CHECK(shown.find("dismissed on 12 May") != std::string::npos);
  CHECK(shown.find("U3") != std::string::npos);
  CHECK(shown.find("U4") == std::string::npos);
}

TEST_CASE("a node that is withheld is counted as such, and not as a copy of itself") {
  const std::string said = "The director will be dismissed on 12 May.";
  const std::string log =
      step("a", "Local", 1, 10,
           R"(,"subgraph":{"claims":[{"id":"C1","sensitivity":"confidencial","text":")" + said +
               R"("},{"id":"C2","text":"The weather is fine today."}]})");
  const Json shown =
      trace_of(log, {{"--clearance", "internal"}, {"--unlabelled", "public"}}, Door::Level::full);
  CHECK(shown["limits"]["withheld"] == 1);
  CHECK(shown["limits"]["withheld_copies"] == 0);
  CHECK(shown["subgraph"].dump().find("dismissed") == std::string::npos);
  CHECK(shown["subgraph"].dump().find("fine today") != std::string::npos);
}

TEST_CASE("at level basic, headings of what is labelled confidential are texts") {
  std::string log =
      step("a", "Local", 1, 10,
           R"(,"evidenceRefs":[{"doc_id":"D1","heading":"Layoffs","sensitivity":"restricted"},)"
           R"({"doc_id":"D2","heading":"Backup","sensitivity":"internal"}])");
  Json shown = trace_of(log);
  CHECK(shown.dump().find("Layoffs") == std::string::npos);
  CHECK(shown.dump().find("Backup") != std::string::npos);
  CHECK(trace_of(log, {{"--clearance", "restricted"}, {"--unlabelled", "public"}})
            .dump()
            .find("Layoffs") != std::string::npos);
}

TEST_CASE("the digest of a subgraph depends on its nodes and edges and on nothing else") {
  auto digest = [](const std::string& graph, const std::string& query = "q") {
    std::string log = step("a", "Walk", 1, 10, R"(,"subgraph":)" + graph);
    log.replace(log.find("\"q\""), 3, '"' + query + '"');
    return trace_of(log)["subgraphDigest"].get<std::string>();
  };
  std::string one =
      R"({"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"from":"a","to":"b","type":"T"}]})";
  std::string turned =
      R"({"edges":[{"from":"a","to":"b","type":"T"}],"nodes":[{"id":"b","name":"B"},{"id":"a"}]})";
  std::string other =
      R"({"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"from":"b","to":"a","type":"T"}]})";
  CHECK(digest(one).size() == 64);
  CHECK(digest(one) == digest(turned, "q2"));
  CHECK(digest(one) != digest(other));
  // `a` and `ab` are not `aa` and `b`.
  CHECK(digest(R"({"edges":[{"from":"a","to":"ab"}]})") !=
        digest(R"({"edges":[{"from":"aa","to":"b"}]})"));
}

TEST_CASE("a turn's steps are its calls, and what their tools brought is evidence") {
  CallStory story;
  story.call("a").says("fix it").uses("r1", "Read", R"({"file_path":"src/a.cpp"})");
  story.call("b").after("a").reads("r1").uses("r2", "WebFetch",
                                              R"({"url":"https://host.example/x"})");
  story.call("c").after("b").reads("r2").answers("done");
  story.call("d").after("c").says("thanks").answers("bye");
  Json trace = trace_of(story.log(), {{"--query", "b"}});
  CHECK(trace["queryId"] == "a");
  CHECK(trace["query_from"] == "turn");
  CHECK(ids(trace["steps"]) == Words{"a", "b", "c"});
  CHECK(trace["steps"][1]["parent"] == 1);
  CHECK(trace["steps"][1]["evidenceRefs"][0].dump() ==
        R"({"doc_id":"src/a.cpp","id":"r1","tool":"Read","type":"tool_result"})");
  CHECK(trace["steps"][2]["evidenceRefs"][0]["url"] == "https://host.example/x");
  CHECK(ids(trace["subgraph"]["nodes"]) == Words{"src/a.cpp", "https://host.example/x"});
  CHECK(trace["metrics"]["total_tokens_in"] == 300);
  check_totals(trace);
}

TEST_CASE("which query is meant may be left out only where there is one") {
  std::string log = step("a", "Plan", 1, 10);
  CHECK(trace_of(log)["queryId"] == "q");
  std::string other = log;
  other.replace(other.find("\"q\""), 3, "\"Q-17\"");
  CHECK(trace_of(log + other).get<std::string>() ==
        "the input contains 2 queries; use --query ID or --all (`xtrace list FILE --queries` lists "
        "them)");
  CHECK(trace_of(log + other, {{"--query", "17"}})["queryId"] == "Q-17");
  CHECK(trace_of(log + other, {{"--query", "Q-18"}}).get<std::string>() ==
        "no query 'Q-18'; did you mean 'Q-17'?");
  CHECK(trace_of(log + other, {{"--all", ""}})["traces"].size() == 2);
}

TEST_CASE("the order of the lines changes nothing but where each stands") {
  std::string log = project_file("fixtures/steps.jsonl");
  std::vector<std::string> lines;
  for (size_t at = 0; at < log.size(); at = log.find('\n', at) + 1)
    lines.push_back(log.substr(at, log.find('\n', at) + 1 - at));
  auto without_places = [](Json trace) {
    for (Json& one : trace["steps"]) one.erase("at");
    for (const char* of_the_file : {"inputs", "warnings"}) trace.erase(of_the_file);
    return trace;
  };
  for (const char* query : {"Q-2024-09-01-001", "Q-2024-09-01-002"}) {
    Json expected = without_places(trace_of(log, {{"--query", query}}, Door::Level::full));
    for (size_t turn = 1; turn < lines.size(); ++turn) {
      std::string shuffled;
      for (size_t i = 0; i < lines.size(); ++i) shuffled += lines[(i * 3 + turn) % lines.size()];
      CHECK(without_places(trace_of(shuffled, {{"--query", query}}, Door::Level::full)) ==
            expected);
    }
  }
}

TEST_CASE("what only comes after its parent counts beside it") {
  Json trace = trace_of(step("a", "Plan", 1, 100) + step("b", "Do", 2, 50, R"(,"parentId":"a")") +
                        step("c", "Check", 3, 25, R"(,"parentId":"b")"));
  CHECK(trace["metrics"]["total_latency_ms"] == 175);
  CHECK(trace["metrics"]["total_tokens_in"] == 300);
  check_totals(trace);
}

TEST_CASE("a step around another one counts for what it states beyond that") {
  const std::string model = GENERATE("", R"(,"model":"m")");
  const std::string whole =
      R"({"queryId":"q","stepId":"a","node":"Agent","timestamp":"2026-01-01T10:00:01Z",)"
      R"("metrics":{"latency_ms":900,"tokens_in":500)" +
      model + "}}\n";
  Json trace = trace_of(whole + step("b", "LLM", 1.1, 100, R"(,"parentId":"a")"));
  CHECK(trace["metrics"]["total_tokens_in"] == 500);
  CHECK(trace["steps"][0]["not_counted"][0].dump() ==
        R"({"counts":400,"metric":"tokens_in","step":2,"why":"told_within"})");
  check_totals(trace);
}

TEST_CASE("records that share an id and nothing else are steps of their own") {
  Json trace = trace_of(step("a", "Plan", 1, 10) +
                        step("a", "Plan", 1, 10, R"(,"evidenceRefs":[{"doc_id":"D2"}])"));
  CHECK(ids(trace["steps"]) == Words{"a", "a"});
  CHECK(trace["metrics"]["total_latency_ms"] == 20);
}

TEST_CASE("the same node with other parameters behind a failure is no retry") {
  std::string failed = R"(,"status":"failed","params":{"page":)";
  Json trace = trace_of(step("a", "Fetch", 1, 10, failed + "0}") +
                        step("b", "Fetch", 2, 10, R"(,"params":{"page":1})"));
  CHECK_FALSE(trace["steps"][0].contains("retried_as"));
  Json again = trace_of(step("a", "Fetch", 1, 10, failed + "0}") +
                        step("b", "Fetch", 2, 10, R"(,"params":{"page":0})"));
  CHECK(again["steps"][0]["retried_as"] == 2);
}

TEST_CASE("sums that no counter holds stop at the largest that one does") {
  std::string large = R"({"queryId":"q","node":"LLM","metrics":{"tokens_in":8999999999999999}})";
  std::string log;
  for (int i = 0; i < 1100; ++i)
    log += large.substr(0, large.size() - 1) + R"(,"stepId":")" + std::to_string(i) + "\"}\n";
  CHECK(trace_of(log)["metrics"]["total_tokens_in"] == "9223372036854775807");
}

TEST_CASE("a chain of ten thousand parents is a trace like any other") {
  std::string log;
  for (int i = 0; i < 10'000; ++i)
    log += step(std::to_string(i), "Node", 1, 1,
                i == 0 ? "" : R"(,"parentId":")" + std::to_string(i - 1) + '"');
  Json trace = trace_of(log);
  CHECK(trace["steps"].size() == 10'000);
  CHECK(trace["metrics"]["total_tokens_in"] == 100);
}

TEST_CASE("parents in a circle lose one of them") {
  Json trace = trace_of(step("a", "A", 1, 10, R"(,"parentId":"b")") +
                        step("b", "B", 1, 10, R"(,"parentId":"a")") +
                        step("c", "C", 1, 10, R"(,"parentId":"a")"));
  int parents = 0;
  for (const Json& one : trace["steps"]) parents += one.contains("parent");
  CHECK(parents == 2);
}

TEST_CASE("what stands in a record is as sensitive as the record, and so is what cites it") {
  std::string log =
      step("a", "Walk", 1, 10,
           R"(,"sensitivity":"secret","evidenceRefs":[{"doc_id":"D-inner","heading":"Merger"}],)"
           R"("subgraph":{"claims":[{"id":"C-inner","text":"merger"}]})") +
      step("b", "Tell", 2, 10,
           R"(,"citations":[{"doc_id":"D-inner","quote":"merger"}],)"
           R"("evidenceRefs":[{"doc_id":"D-odd","Sensitivity":["secret"]}])");
  Json shown =
      trace_of(log, {{"--clearance", "internal"}, {"--unlabelled", "public"}}, Door::Level::full);
  CHECK(shown.dump().find("inner") == std::string::npos);
  CHECK(shown.dump().find("erger") == std::string::npos);
  CHECK(shown.dump().find("D-odd") == std::string::npos);
}

TEST_CASE("a sentence where an id should be is payload") {
  std::string log = step("a", "Walk", 1, 10,
                         R"(,"evidenceRefs":["they plan a merger"],)"
                         R"("subgraph":{"claims":["the merger is in May"]},)"
                         R"("params":{"the merger of two firms":1})");
  CHECK(trace_of(log).dump().find("merger") == std::string::npos);
  CHECK(trace_of(log, {}, Door::Level::full).dump().find("the merger is in May") !=
        std::string::npos);
}

TEST_CASE("an answer is read again as it is: steps, what they visited, citations and sums") {
  std::string log =
      step("a", "Plan", 1, 10, R"(,"params":{"k":8,"deep":true})") +
      step("b", "Local", 2, 20,
           R"(,"parentStepId":"a","evidenceRefs":[{"doc_id":"D1","unit_id":"U1","page":4}],)"
           R"("subgraph":{"nodes":[{"id":"E1","label":"Entity","name":"Backup"}],)"
           R"("edges":[{"from":"E1","to":"C9","type":"KNOWS"}]})") +
      step("c", "Sum", 3, 30, R"(,"parentStepIds":["a","b"],"citations":[{"unit_id":"U1"}])");
  Json first = trace_of(log), again = trace_of(first.dump());
  for (const char* key : {"queryId", "subgraph", "subgraphDigest", "citations"}) {
    INFO(key);
    CHECK(again[key] == first[key]);
  }
  for (Json* trace : {&first, &again})
    for (Json& one : (*trace)["steps"]) one.erase("at");
  CHECK(again["steps"] == first["steps"]);
  CHECK(again["metrics"] == first["metrics"]);
}

TEST_CASE("a stored trace that is read again keeps what it withheld and omitted") {
  const std::string log =
      step("a", "Local", 1, 10,
           R"(,"evidenceRefs":[{"type":"document","doc_id":"D1","sensitivity":"public"},)"
           R"({"type":"document","doc_id":"D2","sensitivity":"secret","text":"no"},)"
           R"({"type":"document","doc_id":"D3","sensitivity":"public"}],)"
           R"("subgraph":{"nodes":[{"id":"E1","name":"Backup"},{"id":"E2","sensitivity":"secret"},)"
           R"({"id":"E3"}],"edges":[{"from":"E1","to":"E2","type":"T"},)"
           R"({"from":"E1","to":"E3","type":"T"}]})") +
      step("b", "Vault", 2, 20, R"(,"sensitivity":"secret","inputs":"nobody may read this")");
  const Json stored = trace_of(log,
                               {{"--clearance", "internal"},
                                {"--unlabelled", "public"},
                                {"--limit-evidence", "2"},
                                {"--limit-nodes", "2"}},
                               Door::Level::full);
  CHECK(stored["limits"]["withheld"] == 3);
  const Json again = trace_of(stored.dump(), {}, Door::Level::full);
  for (const char* key : {"withheld", "evidence_omitted", "nodes_total", "nodes_shown",
                          "edges_total", "edges_shown", "texts_omitted"}) {
    CAPTURE(key);
    CHECK(again["limits"][key] == stored["limits"][key]);
  }
  CHECK(again["steps"][0]["evidenceRefs"][1]["withheld"] == true);
  CHECK(again["steps"][0]["evidence_omitted"] == 1);
  CHECK(again["steps"][1]["withheld"] == true);
}

TEST_CASE("so it does at level basic, and totals that its steps do not have are reported") {
  const std::string log =
      step("a", "Plan", 1, 10, R"(,"inputs":"what is asked")") + step("b", "Sum", 2, 20);
  const Json stored = trace_of(log);
  CHECK(stored["limits"]["texts_omitted"] == 1);
  CHECK(trace_of(stored.dump())["limits"]["texts_omitted"] == 1);
  CHECK(trace_of(stored.dump())["warnings"].empty());
  Json cut = stored;
  cut["steps"].erase(1);
  CHECK(trace_of(cut.dump())["warnings"].dump().find("differ from the sums of its steps") !=
        std::string::npos);
}

TEST_CASE("a log and the answer about it, read together, tell of each step once") {
  std::string log = step("a", "Plan", 1, 10, R"(,"inputs":"what is asked")") +
                    step("b", "Sum", 2, 20, R"(,"citations":[{"unit_id":"U1"}])");
  std::string answer = trace_of(log).dump() + "\n";
  for (const std::string& both : {log + answer, answer + log}) {
    Json trace = trace_of(both);
    CHECK(ids(trace["steps"]) == Words{"a", "b"});
    CHECK(trace["metrics"]["repeated"] == 2);
    CHECK(trace["metrics"]["total_tokens_in"] == 200);
    CHECK(trace["citations"].size() == 1);
    CHECK(trace["limits"]["texts_omitted"] == 1);  // the log's own record is the one that counts
  }
}
