#include "settings/price_file.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reading.h"

using namespace xtrace;

namespace {

std::string price_error(const std::string& content) {
  Folder folder;
  std::string path = folder.write("p.json", content);
  PriceTable table;
  Status read = read_price_file(path, table);
  if (read) return "";
  CHECK(read.error().exit == Exit::usage);
  std::string what = read.error().what;
  size_t at = what.find(path);
  return at == what.npos ? what : what.replace(at, path.size(), "FILE");
}

}  // namespace

TEST_CASE("a file of prices goes on top of the list") {
  Folder folder;
  std::string path = folder.write("p.json", R"({
// ours
"models": {
  "our-model": {"input": 3, "output": 15, "cache_read": 0.3, "cache_creation": 3.75},
  "gpt-4o": {"input": 2, "output": 8, "long_prompt": {"over": 1000, "input": 4, "output": 16}}
}})");
  PriceTable table = list_prices();
  REQUIRE(read_price_file(path, table));
  CHECK(table.file == path);
  CHECK(table.find("our-model")->price ==
        Price{3'000'000, 15'000'000, 300'000, 3'750'000, kNoCount});
  CHECK(table.find("gpt-4o-2024-08-06")->price.input == 2'000'000);
  CHECK(table.find("gpt-4o")->over == 1000);
  CHECK(table.find("gpt-4o")->price_over.output == 16'000'000);
  CHECK(table.find("gpt-4o-mini")->price.input == 150'000);
}

TEST_CASE("what is wrong with a file of prices is said with its line") {
  CHECK(price_error("{\n\"models\": {\n\"m\": {\"input\": 3, \"outptu\": 15}}}") ==
        "FILE:3: the price of 'm' has no key 'outptu'; did you mean 'output'?; keys: input, "
        "output, cache_read, cache_creation, cache_creation_1h, valid, long_prompt, hurried");
  CHECK(price_error(R"({"model": {}})") ==
        "FILE:1: the file has no key 'model'; did you mean 'models'?; keys: models");
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": 3}}}") == "FILE:2: a price has no output");
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": -3, \"output\": 1}}}") ==
        "FILE:2: input must be a number, 0 or more");
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": \"3\", \"output\": 1}}}") ==
        "FILE:2: input must be a number, 0 or more");
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": 1e300, \"output\": 1}}}")
            .starts_with("FILE:2: input must be dollars for a million tokens"));
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": 3, \"output\": 1,\n\"long_prompt\": "
                    "{\"input\": 1, \"output\": 2}}}}")
            .starts_with("FILE:3: long_prompt must say over how many tokens"));
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": 3, \"output\": 1, \"hurried\": 0.001}}}") ==
        "FILE:2: hurried is 0.01 to 1000 times the price");
  CHECK(price_error("{\"models\": 3}").starts_with("FILE:1: models must be an object"));
  CHECK(price_error("{\"models\": {\"m\": 3}}") == "FILE:1: the price of 'm' must be an object");
  CHECK(price_error("{}").starts_with("FILE:1: models must be an object"));
  CHECK(price_error("{\"models\": {}").starts_with("FILE:1: not valid JSON"));
  CHECK(price_error("").find("it is empty") != std::string::npos);
}

TEST_CASE("the prices that are printed can be read again, and are the same") {
  std::string text = written_prices(list_prices(), "").value();
  Folder folder;
  PriceTable again;
  REQUIRE(read_price_file(folder.write("p.json", text), again));
  REQUIRE(again.models().size() == list_prices().models().size());
  for (const auto& [plain, model] : list_prices().models()) {
    INFO(plain);
    const PricedModel& read = again.models().at(plain);
    CHECK(read.price == model.price);
    CHECK(read.over == model.over);
    CHECK(read.price_over == model.price_over);
    CHECK(read.valid == model.valid);
  }
}

TEST_CASE("of one model its price alone is printed, whatever the log calls it") {
  Result<std::string> text = written_prices(list_prices(), "openai/gpt-4o-2024-08-06");
  REQUIRE(text);
  CHECK(nlohmann::json::parse(*text)["models"]["gpt-4o"]["input"] == 2.5);
  Result<std::string> none = written_prices(list_prices(), "gpt-4p");
  REQUIRE_FALSE(none);
  CHECK(none.error().exit == Exit::no);
  CHECK(none.error().what.find("did you mean 'gpt-4' or 'gpt-4o'") != std::string::npos);
}
