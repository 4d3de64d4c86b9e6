#include "settings/price_file.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_writer.h"
#include "base/nearest.h"
#include "base/text.h"
#include "settings/setting.h"

namespace xtrace {

namespace {

struct Rate {
  const char* key;
  int64_t Price::*of;
};
constexpr Rate kRates[] = {{"input", &Price::input},
                           {"output", &Price::output},
                           {"cache_read", &Price::cache_read},
                           {"cache_creation", &Price::cache_creation},
                           {"cache_creation_1h", &Price::cache_creation_1h}};
constexpr double kMillion = 1e6;
constexpr double kHundredths = 100;

class PriceFile {
 public:
  PriceFile(const std::string& path, PriceTable& table) : path_(path), table_(table) {}

  Status read(const Setting& root) {
    if (Status known = check_keys(path_, root, "the file", {"models"}); !known) return known;
    const Setting* models = root.find("models");
    if (models == nullptr || models->kind != Setting::Kind::table)
      return wrong_setting(path_, models == nullptr ? root : *models,
                           R"(models must be an object: {"name": {"input": 3, "output": 15}})");
    for (const auto& [name, value] : models->items)
      if (Status read = read_model(name, value); !read) return read;
    return {};
  }

 private:
  Status read_model(const std::string& name, const Setting& value) {
    PricedModel model;
    model.name = name;
    Status known = check_keys(path_, value, fmt::format("the price of '{}'", name),
                              {"input", "output", "cache_read", "cache_creation",
                               "cache_creation_1h", "valid", "long_prompt", "hurried"});
    if (!known) return known;
    if (name.empty()) return wrong_setting(path_, value, "a model has no name");
    if (Status read = read_rates(value, model.price); !read) return read;
    if (const Setting* valid = value.find("valid")) {
      Result<std::string> day = text_of(path_, *valid, "valid");
      if (!day) return tl::unexpected(day.error());
      model.valid = *std::move(day);
    }
    if (const Setting* over = value.find("long_prompt"))
      if (Status read = read_long(*over, model); !read) return read;
    if (const Setting* hurried = value.find("hurried")) {
      Result<double> times = number_of(path_, *hurried, "hurried");
      if (!times) return tl::unexpected(times.error());
      constexpr double kLeast = 1 / kHundredths, kMost = 1000;
      if (*times < kLeast || *times > kMost)
        return wrong_setting(path_, *hurried,
                             fmt::format("hurried is {} to {} times the price", kLeast, kMost));
      model.hurried = std::llround(*times * kHundredths);
    }
    table_.set(std::move(model));
    return {};
  }

  Status read_long(const Setting& value, PricedModel& model) {
    Status known = check_keys(
        path_, value, "long_prompt",
        {"over", "input", "output", "cache_read", "cache_creation", "cache_creation_1h"});
    if (!known) return known;
    const Setting* over = value.find("over");
    if (over == nullptr)
      return wrong_setting(path_, value, "long_prompt must say over how many tokens: \"over\"");
    Result<double> tokens = number_of(path_, *over, "over");
    if (!tokens) return tl::unexpected(tokens.error());
    if (*tokens > 1e15) return wrong_setting(path_, *over, "over is too large");
    model.over = std::llround(*tokens);
    return read_rates(value, model.price_over);
  }

  Status read_rates(const Setting& value, Price& price) {
    for (const Rate& rate : kRates) {
      const Setting* given = value.find(rate.key);
      if (given == nullptr) continue;
      Result<double> dollars = number_of(path_, *given, rate.key);
      if (!dollars) return tl::unexpected(dollars.error());
      constexpr double kMost = kMillion;  // a dollar a token
      if (*dollars > kMost)
        return wrong_setting(
            path_, *given,
            fmt::format("{} must be dollars for a million tokens, at most {}", rate.key, kMost));
      price.*rate.of = std::llround(*dollars * kMillion);
    }
    for (std::string_view key : {"input", "output"})
      if (value.find(key) == nullptr)
        return wrong_setting(path_, value, fmt::format("a price has no {}", key));
    return {};
  }

  const std::string& path_;
  PriceTable& table_;
};

void write_rates(JsonWriter& json, const Price& price) {
  for (const Rate& rate : kRates) {
    if (price.*rate.of < 0) continue;
    json.key(rate.key);
    json.fraction(static_cast<double>(price.*rate.of) / kMillion);
  }
}

void write_model(JsonWriter& json, const PricedModel& model) {
  constexpr JsonLayout kTight = JsonLayout::tight();
  json.open_object(model.name, kTight);
  write_rates(json, model.price);
  if (model.over >= 0) {
    json.open_object("long_prompt", kTight);
    json.field("over", model.over);
    write_rates(json, model.price_over);
    json.close();
  }
  if (model.hurried >= 0) {
    json.key("hurried");
    json.fraction(static_cast<double>(model.hurried) / kHundredths);
  }
  if (!model.valid.empty()) json.field("valid", model.valid);
  json.close();
}

}  // namespace

Status read_price_file(const std::string& path, PriceTable& table) {
  Result<Setting> root = read_settings(path, {"a list of prices", "`xtrace prices` prints one"});
  if (!root) return tl::unexpected(root.error());
  table.file = path;
  return PriceFile(path, table).read(*root);
}

Result<std::string> written_prices(const PriceTable& table, const std::string& model) {
  std::string text;
  JsonWriter json(text);
  json.open_object(JsonLayout::lines(2));
  json.open_object("models", JsonLayout::lines(4));
  if (!model.empty()) {
    const PricedModel* priced = table.find(model);
    if (priced == nullptr) {
      std::vector<std::string_view> known;
      for (const auto& [name, one] : table.models()) known.push_back(one.name);
      return fail(Exit::no, fmt::format("no price is known of '{}'{}", printable(model),
                                        did_you_mean(model, known)));
    }
    write_model(json, *priced);
  } else {
    for (const auto& [name, one] : table.models()) write_model(json, one);
  }
  json.close();
  json.close();
  return text += '\n';
}

}  // namespace xtrace
