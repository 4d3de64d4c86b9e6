#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

#include "input/file_payloads.h"
#include "reading.h"
#include "render/renderer.h"
#include "settings/suite_file.h"
#include "story.h"
#include "view/eval/eval.h"

namespace xtrace {

/// A suite of one scenario that expects this, from line 3 on.
inline Suite suite_of(const std::string& expectations) {
  Folder folder;
  Result<Suite> suite =
      read_suite(folder.write("s.yaml", "scenarios:\n  - id: one\n" + expectations));
  if (!suite) FAIL(suite.error().what);
  return *std::move(suite);
}

/// The text of an evaluation, without what is said below it.
inline std::string verdicts(const Graph& graph, Suite suite,
                            std::optional<Baseline> baseline = {}) {
  Eval eval;
  eval.judge_by(std::move(suite), std::move(baseline));
  Door door(RedactPolicy(Redaction::all), Door::Level::basic, 200);
  std::unique_ptr<const Payloads> payloads = file_payloads(graph.trace());
  Question question{graph, door, Face::outline, payloads.get()};
  Result<Document> answer = eval.answer(question);
  if (!answer) return answer.error().what;
  std::ostringstream out;
  Paper paper;
  paper.columns = 1000;
  write_text(*answer, paper, out);
  return out.str();
}

/// The story in a file, so that one can go back to what was said.
struct Kept {
  explicit Kept(const CallStory& story) : log(folder.write("log.jsonl", story.log())) {}

  Folder folder;
  std::string log;
  Progress progress;
  Graph graph = link(load({log}, {}, progress).value(), {});
};

inline bool says(const std::string& text, const std::string& part) {
  INFO(text);
  return text.find(part) != text.npos;
}

inline CallStory two_tools() {
  CallStory story;
  story.call("a").says("go").uses("t1", "Read", R"({"path": "x.txt", "depth": 3})");
  story.call("b").after("a").reads("t1").uses("t2", "Write", R"({"path": "y.txt"})");
  story.call("c").after("b").reads("t2").answers("done");
  return story;
}

}  // namespace xtrace
