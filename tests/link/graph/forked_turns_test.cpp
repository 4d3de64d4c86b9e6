#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"
#include "transcript.h"

using namespace xtrace;

namespace {

/// A turn of a user; `copied_from`: the session whose lines these are.
void turn(Transcript& session, const std::string& name, const std::string& copied_from = {}) {
  const std::string copied =
      copied_from.empty() ? "" : fmt::format(R"("forkedFrom":{{"sessionId":"{}"}})", copied_from);
  if (!copied.empty()) session.with(copied);
  session.user("u" + name, "do " + name);
  if (!copied.empty()) session.with(copied);
  session.answer("a" + name, "m" + name, says("done " + name));
}

/// Each call, with its session and its turn.
std::string turns_of(const std::vector<std::string>& logs) {
  Folder folder;
  for (size_t i = 0; i < logs.size(); ++i) folder.write(fmt::format("{}.jsonl", i), logs[i]);
  LoadOptions loading;
  Progress progress;
  const Graph graph = link(load({folder.path()}, loading, progress).value(), {});
  const Trace& trace = graph.trace();
  std::string text;
  for (CallId id : graph.timeline().in_order())
    text +=
        fmt::format("{}{} {}/{}", text.empty() ? "" : ", ", trace[trace[id].id],
                    session_name(trace, graph.session_of(id)), graph.call_turns()[id.index].number);
  return text;
}

}  // namespace

TEST_CASE("a fork's turns are its own session's, and go on numbering from where it forked") {
  Transcript first("S1"), fork("S2"), of_fork("S3");
  for (Transcript* session : {&first, &fork, &of_fork})
    for (const char* name : {"1", "2"}) turn(*session, name, session == &first ? "" : "S1");
  turn(first.at(60), "3");
  turn(fork.at(30), "4");
  turn(of_fork.at(30), "4", "S2");
  turn(of_fork.at(90), "5");

  CHECK(turns_of({first.text()}) == "req_m1 S1/1, req_m2 S1/2, req_m3 S1/3");
  CHECK(turns_of({first.text(), fork.text()}) ==
        "req_m1 S1/1, req_m2 S1/2, req_m4 S2/3, req_m3 S1/3");
  CHECK(turns_of({first.text(), fork.text(), of_fork.text()}) ==
        "req_m1 S1/1, req_m2 S1/2, req_m4 S2/3, req_m3 S1/3, req_m5 S3/4");
}
