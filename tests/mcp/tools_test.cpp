#include "mcp/tools.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "view/common/view.h"

using namespace xtrace;
using namespace xtrace::mcp;

namespace {

using Words = std::vector<std::string>;

GivenArgument text(std::string name, std::string value) {
  return {std::move(name), GivenArgument::Kind::text, std::move(value)};
}

ToolRequest request(std::string_view tool, const std::vector<GivenArgument>& arguments) {
  Result<ToolRequest> read = read_tool_request(*find_tool(tool), arguments);
  REQUIRE(read);
  return *std::move(read);
}

std::string argument_refusal(std::string_view tool, const std::vector<GivenArgument>& arguments) {
  const Result<ToolRequest> read = read_tool_request(*find_tool(tool), arguments);
  return read ? "accepted" : read.error().what;
}

}  // namespace

TEST_CASE("each tool names a view, and its schema offers only options that the view has") {
  std::string json;
  JsonWriter writer(json);
  writer.open_object(JsonLayout::tight());
  write_tools(writer);
  writer.close();
  const nlohmann::json listed = nlohmann::json::parse(json).at("tools");
  REQUIRE(listed.size() == tools().size());
  for (const nlohmann::json& tool : listed) {
    CHECK(find_view(find_tool(tool.at("name").get<std::string>())->view) != nullptr);
    CHECK(tool.at("annotations").at("readOnlyHint") == true);
    CHECK(tool.at("inputSchema").at("additionalProperties") == false);
    CHECK(tool.at("inputSchema").at("properties").contains("max_tokens"));
    CHECK(tool.at("inputSchema").at("properties").contains("cursor"));
  }
}

TEST_CASE("arguments become options of the view, each in one word") {
  const ToolRequest explain =
      request("explain", {text("node", "--level=full"), text("since", "7d")});
  CHECK(explain.options == Words{"--node=--level=full", "--since=7d"});
  CHECK(explain.max_tokens == 2000);
  const ToolRequest cost = request("cost", {{"session", GivenArgument::Kind::number, "2"},
                                            text("by", "day"),
                                            {"max_tokens", GivenArgument::Kind::number, "700"}});
  CHECK(cost.options == Words{"--by=day"});
  CHECK(cost.session == "2");
  CHECK(cost.axis == "day");
  CHECK(cost.max_tokens == 700);
  CHECK(request("cost", {text("by", "model")}).options.empty());
}

TEST_CASE("a cursor needs no other argument") {
  CHECK(request("explain", {text("cursor", "1-2")}).cursor == "1-2");
}

TEST_CASE("a wrong argument is refused in words that say what to write") {
  CHECK(argument_refusal("explain", {}).starts_with("explain: node is missing: "));
  CHECK(argument_refusal("cost", {text("sesion", "last")}).find("did you mean 'session'?") !=
        std::string::npos);
  CHECK(argument_refusal("cost", {text("by", "colour")})
            .starts_with("by: 'colour' is not one of model, "));
  CHECK(argument_refusal("cost", {{"since", GivenArgument::Kind::other, ""}}) ==
        "since: expected a string");
  CHECK(argument_refusal("cost", {text("max_tokens", "lots")}) ==
        "max_tokens: expected a whole number from 500 to 20000");
  CHECK(argument_refusal("cost", {text("session", std::string("a\0b", 3))})
            .starts_with("session: expected"));
  CHECK(argument_refusal("cost", {text("session", std::string(5000, 'x'))})
            .starts_with("session: expected"));
}

TEST_CASE("the table that is asked for comes behind the summary") {
  const std::string answer =
      "file: 2 calls\n\npaid $1\n\nturn  calls\n1  2\n\ntool results  x\ny\n\ntool  uses\nBash  "
      "1\n";
  CHECK(put_first(answer, "tool") ==
        "file: 2 calls\n\npaid $1\n\ntool  uses\nBash  1\n\nturn  calls\n1  2\n\ntool results  "
        "x\ny\n\n");
  CHECK(put_first(answer, "turn") == answer);
  CHECK(put_first(answer, "model") == answer);
  CHECK(put_first("", "model").empty());
}
