#include "base/json_writer.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace xtrace;

namespace {

template <class Write>
std::string written(Write write) {
  std::string text;
  JsonWriter json(text);
  write(json);
  return text;
}

}  // namespace

TEST_CASE("commas and colons stand as the layout of each object and list has them") {
  auto fields = [](JsonWriter& json) {
    json.field("k", 8);
    json.open_list("of", JsonLayout::tight());
    json.value("a");
    json.null();
    json.value(true);
    json.close();
    json.open_object("none", JsonLayout::lines(6));
    json.close();
    json.close();
  };
  CHECK(written([&](JsonWriter& json) {
          json.open_object();
          fields(json);
        }) == R"({"k": 8, "of": ["a",null,true], "none": {}})");
  CHECK(written([&](JsonWriter& json) {
          json.open_object(JsonLayout::tight());
          fields(json);
        }) == R"({"k":8,"of":["a",null,true],"none":{}})");
  CHECK(written([&](JsonWriter& json) {
          json.open_object(JsonLayout::lines(2));
          fields(json);
        }) == "{\n  \"k\": 8,\n  \"of\": [\"a\",null,true],\n  \"none\": {}\n}");
}

TEST_CASE("numbers keep their digits, and say whether they are whole") {
  CHECK(written([](JsonWriter& json) { json.value(int64_t{1} << 53); }) == "9007199254740992");
  CHECK(written([](JsonWriter& json) { json.value((int64_t{1} << 53) + 1); }) ==
        "\"9007199254740993\"");
  CHECK(written([](JsonWriter& json) { json.value(0.1); }) == "0.1");
  CHECK(written([](JsonWriter& json) { json.value(HUGE_VAL); }) == "null");
  CHECK(written([](JsonWriter& json) { json.fraction(std::nan("")); }) == "null");
  CHECK(written([](JsonWriter& json) { json.value(1.0); }) == "1");
  CHECK(written([](JsonWriter& json) { json.fraction(1); }) == "1.0");
  CHECK(written([](JsonWriter& json) { json.fraction(5e-5); }) == "5e-05");
}

TEST_CASE("what is written may be taken away between two values") {
  std::string text, all;
  JsonWriter json(text);
  json.open_list();
  for (int i = 0; i < 3; ++i) {
    json.open_object();
    json.field("i", i);
    json.close();
    all += text;
    text.clear();
  }
  json.close();
  CHECK(all + text == R"([{"i": 0}, {"i": 1}, {"i": 2}])");
}
