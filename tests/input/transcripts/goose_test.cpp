#include <catch2/catch.hpp>

#include "link/graph/graph.h"
#include "reading.h"

using namespace xtrace;

namespace {

std::string goose_line(const char* role, int second, const std::string& piece) {
  return R"({"role":")" + std::string(role) + R"(","created":)" +
         std::to_string(1788255000 + second) + R"(,"content":[)" + piece + "]}\n";
}

}  // namespace

TEST_CASE("what Goose tells the user in the model's name is no call") {
  const std::string heading = R"({"working_dir":"/srv/garden","message_count":4})"
                              "\n";
  const auto notice = [](const char* words) {
    return goose_line("assistant", 3,
                      R"({"type":"systemNotification","msg":")" + std::string(words) + "\"}");
  };
  const std::string before = goose_line("user", 0, R"({"type":"text","text":"dig"})") +
                             goose_line("assistant", 2, R"({"type":"text","text":"dug"})");
  const std::string after = goose_line("user", 5, R"({"type":"text","text":"sow"})") +
                            goose_line("assistant", 6, R"({"type":"text","text":"sown"})");
  CHECK(read_log(heading + before + notice("a hint") + after).calls.size() == 2);
  const Trace trace = read_log(heading + before + notice("Conversation compacted") + after);
  REQUIRE(trace.calls.size() == 2);
  CHECK(trace.calls[1].is_compacted);
}
