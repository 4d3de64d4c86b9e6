#include "settings/price_file.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "prices/day.h"
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
  CHECK(table.find("our-model").at(kNoTime)->price ==
        Price{3'000'000, 15'000'000, 300'000, 3'750'000, kNoCount});
  CHECK(table.find("gpt-4o-2024-08-06").at(kNoTime)->price.input == 2'000'000);
  CHECK(table.find("gpt-4o").at(kNoTime)->over == 1000);
  CHECK(table.find("gpt-4o").at(kNoTime)->price_over.output == 16'000'000);
  CHECK(table.find("gpt-4o-mini").at(kNoTime)->price.input == 150'000);
}

TEST_CASE("what is wrong with a file of prices is said with its line") {
  CHECK(price_error("{\n\"models\": {\n\"m\": {\"input\": 3, \"outptu\": 15}}}") ==
        "FILE:3: unknown key 'outptu' in the price of 'm'; did you mean 'output'? keys: input, "
        "output, cache_read, cache_creation, cache_creation_1h, from, valid, long_prompt, batch, "
        "flex, hurried, priority, fast, regional, peak");
  CHECK(price_error(R"({"model": {}})") ==
        "FILE:1: unknown key 'model' in the file; did you mean 'models'? keys: models, "
        "fees");
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": 3}}}") ==
        "FILE:2: m: 'output' is missing, the price in dollars per million tokens");
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": -3, \"output\": 1}}}") ==
        "FILE:2: input must be a number of at least 0");
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": \"3\", \"output\": 1}}}") ==
        "FILE:2: input must be a number of at least 0");
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": 1e300, \"output\": 1}}}")
            .starts_with("FILE:2: input must be in dollars per million tokens"));
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": 3, \"output\": 1,\n\"long_prompt\": "
                    "{\"input\": 1, \"output\": 2}}}}")
            .starts_with("FILE:3: long_prompt needs \"over\""));
  CHECK(price_error("{\"models\": {\n\"m\": {\"input\": 3, \"output\": 1, \"hurried\": 0.001}}}") ==
        "FILE:2: hurried is 0.01 to 1000 times the price");
  CHECK(price_error(R"({"models": {"m": {"input": 3, "output": 1, "from": "yesterday"}}})") ==
        "FILE:1: from must be the first day of the price: \"2026-08-21\"");
  CHECK(price_error(R"({"models": {"m": []}})") == "FILE:1: 'm' has an empty list of prices");
  CHECK(
      price_error(R"({"models": {"m": [{"input": 3, "output": 1}, {"input": 3, "output": 1}]}})") ==
      "FILE:1: two prices of 'm' begin on the same day");
  CHECK(price_error(R"({"fees": {"claude": {"web_serach": 1}}})")
            .starts_with("FILE:1: unknown key 'web_serach' in the fees of 'claude'"));
  CHECK(price_error(R"({"fees": {"claude": {"web_search": "x"}}})") ==
        "FILE:1: web_search must be a number of at least 0");
  CHECK(price_error(R"({"fees": {"claude": {"maps": {}}}})") == "FILE:1: maps has no per_call");
  CHECK(price_error("{\"models\": 3}").starts_with("FILE:1: models must be an object"));
  CHECK(price_error("{\"models\": {\"m\": 3}}") ==
        "FILE:1: the price of 'm' must be an object: {\"input\": 3, \"output\": 15}");
  CHECK(price_error("{}").starts_with("FILE:1: 'models' is missing"));
  CHECK(price_error("{\"models\": {}").starts_with("FILE:1: not valid JSON"));
  CHECK(price_error("").find("file is empty") != std::string::npos);
}

TEST_CASE("the prices that are printed can be read again, and are the same") {
  std::string text = written_prices(list_prices(), "").value();
  Folder folder;
  PriceTable again;
  REQUIRE(read_price_file(folder.write("p.json", text), again));
  REQUIRE(again.models().size() == list_prices().models().size());
  for (const auto& [plain, rows] : list_prices().models()) {
    const PriceHistory& read = again.models().at(plain);
    REQUIRE(read.size() == rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      INFO(plain << " " << i);
      CHECK(read[i].price == rows[i].price);
      CHECK(read[i].over == rows[i].over);
      CHECK(read[i].price_over == rows[i].price_over);
      CHECK(read[i].valid == rows[i].valid);
      CHECK(read[i].from == rows[i].from);
      CHECK(read[i].multiples == rows[i].multiples);
    }
  }
  for (const Fee& fee : listed_fees())
    CHECK(again.fee(fee.family, fee.tool, 3, kNoTime) ==
          list_prices().fee(fee.family, fee.tool, 3, kNoTime));
}

TEST_CASE("a model in a file may have several prices, each from its day on") {
  Folder folder;
  const std::string path = folder.write("p.json", R"({"models": {
  "our-model": [{"input": 3, "output": 15, "from": "2026-03-01"}, {"input": 4, "output": 20}],
  "gpt-5.6-sol": {"input": 1, "output": 2}}})");
  PriceTable table = list_prices();
  REQUIRE(read_price_file(path, table));
  const auto input_on = [&](std::string_view model, std::string_view day) {
    return table.find(model).at(first_moment(day))->price.input;
  };
  CHECK(input_on("our-model", "2026-02-28") == 4'000'000);
  CHECK(input_on("our-model", "2026-03-01") == 3'000'000);
  // One price replaces all that the list has of the model.
  CHECK(input_on("gpt-5.6-sol", "2026-07-10") == 1'000'000);
  CHECK(input_on("gpt-5.6-sol", "2026-10-10") == 1'000'000);
}

TEST_CASE("a file sets the factors of terms and the fees") {
  Folder folder;
  const std::string path = folder.write("p.json", R"({"models": {
  "claude-opus-5": {"input": 1, "output": 0},
  "our-model": {"input": 1, "output": 0, "hurried": 3, "fast": 4, "regional": 1.2, "batch": 0.25}},
"fees": {"claude": {"web_search": 2}, "our-model": {"maps": {"per_call": 1}}}})");
  PriceTable table = list_prices();
  REQUIRE(read_price_file(path, table));
  Multiples mine;
  mine.batch = 25;
  mine.priority = 300;
  mine.fast = 400;
  mine.regional = 120;
  CHECK(table.find("our-model").at(kNoTime)->multiples == mine);
  CHECK(table.find("claude-opus-5").at(kNoTime)->multiples.fast == 200);  // as the list has it
  CHECK(table.fee("claude-opus-5", ServerTool::web_search, 3, kNoTime) == 6'000'000);
  CHECK(table.fee("our-model", ServerTool::maps, 3, kNoTime) == 1'000'000);
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
