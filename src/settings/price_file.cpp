#include "settings/price_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/count.h"
#include "base/json_writer.h"
#include "base/nearest.h"
#include "base/text.h"
#include "prices/day.h"
#include "prices/model_name.h"
#include "settings/setting.h"
#include "settings/settings_file.h"

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
/// What terms make of the rates, where it is not what the list makes of them.
struct Term {
  const char* key;
  int64_t Multiples::*of;
  int64_t Multiples::*also = nullptr;
};
constexpr Term kTerms[] = {{"batch", &Multiples::batch},
                           {"flex", &Multiples::flex},
                           {"hurried", &Multiples::fast, &Multiples::priority},
                           {"priority", &Multiples::priority},
                           {"fast", &Multiples::fast},
                           {"regional", &Multiples::regional},
                           {"peak", &Multiples::peak}};
constexpr double kMillion = 1e6;
constexpr double kHundredths = 100;
constexpr double kThousand = 1000;

class PriceFile {
 public:
  PriceFile(const std::string& path, PriceTable& table) : path_(path), table_(table) {}

  Status read(const Setting& root) {
    if (Status known = check_keys(path_, root, "the file", {"models", "fees"}); !known)
      return known;
    const Setting *models = root.find("models"), *fees = root.find("fees");
    if (models == nullptr ? fees == nullptr : models->kind != Setting::Kind::table)
      return wrong_setting(
          path_, models == nullptr ? root : *models,
          models == nullptr
              ? R"('models' is missing: {"models": {"name": {"input": 3, "output": 15}}})"
              : R"(models must be an object: {"name": {"input": 3, "output": 15}})");
    if (models != nullptr)
      for (const auto& [name, value] : models->items)
        if (Status read = read_model(name, value); !read) return read;
    return fees == nullptr ? Status() : read_fees(*fees);
  }

 private:
  /// One price, or a list of them, each from its first day on.
  Status read_model(const std::string& name, const Setting& value) {
    if (name.empty()) return wrong_setting(path_, value, "a model has no name");
    if (value.kind != Setting::Kind::list) {
      PricedModel row;
      if (Status read = read_row(name, value, row); !read) return read;
      table_.set(std::move(row));
      return {};
    }
    if (value.items.empty())
      return wrong_setting(path_, value, fmt::format("'{}' has an empty list of prices", name));
    std::vector<PricedModel> rows(value.items.size());
    for (size_t i = 0; i < rows.size(); ++i)
      if (Status read = read_row(name, value.items[i].value, rows[i]); !read) return read;
    for (size_t i = 0; i < rows.size(); ++i) {
      const auto same = std::find_if(rows.begin(), rows.begin() + static_cast<ptrdiff_t>(i),
                                     [&](const auto& row) { return row.from == rows[i].from; });
      if (same == rows.begin() + static_cast<ptrdiff_t>(i)) continue;
      return wrong_setting(path_, value.items[i].value,
                           fmt::format("two prices of '{}' begin on the same day", name));
    }
    table_.set(rows.front());
    for (size_t i = 1; i < rows.size(); ++i) table_.add(rows[i]);
    return {};
  }

  Status read_row(const std::string& name, const Setting& value, PricedModel& row) {
    row.name = name;
    if (value.kind != Setting::Kind::table)
      return wrong_setting(
          path_, value,
          fmt::format(R"(the price of '{}' must be an object: {{"input": 3, "output": 15}})",
                      name));
    std::vector<std::string_view> keys = {
        "input", "output", "cache_read", "cache_creation", "cache_creation_1h",
        "from",  "valid",  "long_prompt"};
    for (const Term& term : kTerms) keys.push_back(term.key);
    Status known = check_keys(path_, value, fmt::format("the price of '{}'", name), keys);
    if (!known) return known;
    if (Status read = read_rates(name, value, row.price); !read) return read;
    if (const Setting* valid = value.find("valid")) {
      Result<std::string> day = text_of(path_, *valid, "valid");
      if (!day) return tl::unexpected(day.error());
      row.valid = *std::move(day);
    }
    if (const Setting* from = value.find("from")) {
      Result<std::string> day = text_of(path_, *from, "from");
      if (!day) return tl::unexpected(day.error());
      row.from = first_moment(*day);
      if (row.from == kNoTime)
        return wrong_setting(path_, *from,
                             "from must be the first day of the price: \"2026-08-21\"");
    }
    if (const Setting* over = value.find("long_prompt"))
      if (Status read = read_long(*over, row); !read) return read;
    row.multiples = multiples_of(plain_model(name), row.from);
    return read_terms(value, row.multiples);
  }

  Status read_terms(const Setting& value, Multiples& multiples) {
    constexpr double kLeast = 1 / kHundredths, kMost = 1000;
    for (const Term& term : kTerms) {
      const Setting* given = value.find(term.key);
      if (given == nullptr) continue;
      Result<double> times = number_of(path_, *given, term.key);
      if (!times) return tl::unexpected(times.error());
      if (*times < kLeast || *times > kMost)
        return wrong_setting(
            path_, *given, fmt::format("{} is {} to {} times the price", term.key, kLeast, kMost));
      multiples.*term.of = std::llround(*times * kHundredths);
      if (term.also != nullptr) multiples.*term.also = multiples.*term.of;
    }
    return {};
  }

  /// `{"claude": {"web_search": 10}, "gemini-2.5": {"web_search": {"per_call": 35}}}`: dollars for
  /// a thousand, by families of models.
  Status read_fees(const Setting& fees) {
    if (fees.kind != Setting::Kind::table)
      return wrong_setting(path_, fees,
                           R"(fees must be an object: {"claude": {"web_search": 10}})");
    const std::vector<std::string_view> known(std::begin(kServerToolWords) + 1,
                                              std::end(kServerToolWords));
    for (const auto& [family, tools] : fees.items) {
      Status read = check_keys(path_, tools, fmt::format("the fees of '{}'", family), known);
      if (!read) return read;
      for (const auto& [word, value] : tools.items)
        if (read = read_fee(family, word, value); !read) return read;
    }
    return {};
  }

  Status read_fee(const std::string& family, const std::string& word, const Setting& value) {
    Fee fee{plain_model(family), tool_of(word)};
    const Setting* given = &value;
    if (value.kind == Setting::Kind::table) {
      if (Status known = check_keys(path_, value, word, {"per_call"}); !known) return known;
      fee.is_per_call = true;
      given = value.find("per_call");
      if (given == nullptr) return wrong_setting(path_, value, word + " has no per_call");
    }
    Result<double> dollars = number_of(path_, *given, word);
    if (!dollars) return tl::unexpected(dollars.error());
    constexpr double kMost = kMillion;
    if (*dollars > kMost)
      return wrong_setting(
          path_, *given,
          fmt::format("{} must be in dollars per thousand, at most {}", word, kMost));
    fee.millionths = std::llround(*dollars * kMillion / kThousand);
    table_.set_fee(std::move(fee));
    return {};
  }

  static ServerTool tool_of(std::string_view word) {
    for (size_t i = 1; i <= kServerTools; ++i)
      if (kServerToolWords[i] == word) return static_cast<ServerTool>(i);
    return ServerTool::none;
  }

  Status read_long(const Setting& value, PricedModel& model) {
    Status known = check_keys(
        path_, value, "long_prompt",
        {"over", "input", "output", "cache_read", "cache_creation", "cache_creation_1h"});
    if (!known) return known;
    const Setting* over = value.find("over");
    if (over == nullptr)
      return wrong_setting(path_, value, "long_prompt needs \"over\", a number of tokens");
    Result<double> tokens = number_of(path_, *over, "over");
    if (!tokens) return tl::unexpected(tokens.error());
    if (*tokens > 1e15) return wrong_setting(path_, *over, "over is too large");
    model.over = std::llround(*tokens);
    return read_rates("long_prompt", value, model.price_over);
  }

  /// `of`: the model, or the part of its prices.
  Status read_rates(std::string_view of, const Setting& value, Price& price) {
    for (const Rate& rate : kRates) {
      const Setting* given = value.find(rate.key);
      if (given == nullptr) continue;
      Result<double> dollars = number_of(path_, *given, rate.key);
      if (!dollars) return tl::unexpected(dollars.error());
      constexpr double kMost = kMillion;  // a dollar a token
      if (*dollars > kMost)
        return wrong_setting(
            path_, *given,
            fmt::format("{} must be in dollars per million tokens, at most {}", rate.key, kMost));
      price.*rate.of = std::llround(*dollars * kMillion);
    }
    for (std::string_view key : {"input", "output"})
      if (value.find(key) == nullptr)
        return wrong_setting(
            path_, value,
            fmt::format("{}: '{}' is missing, the price in dollars per million tokens", of, key));
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

/// Calls `each(key, times)` for terms that cost other than usual.
template <class Each>
void each_term(const PricedModel& row, Each each) {
  constexpr Multiples kUsual;
  const bool is_one = row.multiples.fast == row.multiples.priority;
  for (const Term& term : kTerms) {
    const int64_t times = row.multiples.*term.of;
    const bool is_haste = term.of == &Multiples::fast || term.of == &Multiples::priority;
    if (times == kUsual.*term.of || (is_haste && is_one != (term.also != nullptr))) continue;
    each(term.key, static_cast<double>(times) / kHundredths);
  }
}

void write_row(JsonWriter& json, const PricedModel& row) {
  write_rates(json, row.price);
  if (row.over >= 0) {
    json.open_object("long_prompt", JsonLayout::tight());
    json.field("over", row.over);
    write_rates(json, row.price_over);
    json.close();
  }
  each_term(row, [&](std::string_view key, double times) {
    json.key(key);
    json.fraction(times);
  });
  if (row.from != kNoTime) json.field("from", iso_day(row.from));
  if (!row.valid.empty()) json.field("valid", row.valid);
  json.close();
}

void write_model(JsonWriter& json, const PriceHistory& history) {
  constexpr JsonLayout kTight = JsonLayout::tight();
  if (history.size() == 1) {
    json.open_object(history.front().name, kTight);
    return write_row(json, history.front());
  }
  json.key(history.front().name);
  json.open_list(JsonLayout::lines(6));
  for (const PricedModel& row : history) {
    json.open_object(kTight);
    write_row(json, row);
  }
  json.close();
}

/// Those of a file over those of the list. Of a tool that was free once, the newest.
void write_fees(JsonWriter& json, const PriceTable& table) {
  std::map<std::string_view, std::map<ServerTool, const Fee*>> families;
  for (const std::span<const Fee> fees : {table.own_fees(), listed_fees()})
    for (const Fee& fee : fees) families[fee.family].emplace(fee.tool, &fee);
  json.open_object("fees", JsonLayout::lines(4));
  for (const auto& [family, fees] : families) {
    json.open_object(family, JsonLayout::tight());
    for (const auto& [tool, fee] : fees) {
      const double dollars = static_cast<double>(fee->millionths) * kThousand / kMillion;
      if (fee->is_per_call) {
        json.open_object(word(tool), JsonLayout::tight());
        json.key("per_call");
        json.fraction(dollars);
        json.close();
        continue;
      }
      json.key(word(tool));
      json.fraction(dollars);
    }
    json.close();
  }
  json.close();
}

}  // namespace

Status read_price_file(const std::string& path, PriceTable& table) {
  Result<Setting> root = read_settings(path, {"a price list", "`xtrace prices --json` prints one"});
  if (!root) return tl::unexpected(root.error());
  table.file = path;
  return PriceFile(path, table).read(*root);
}

namespace {

/// The models that are asked for, or an Error with Exit::no.
Result<std::vector<const PriceHistory*>> asked_models(const PriceTable& table,
                                                      const std::string& model) {
  std::vector<const PriceHistory*> asked;
  if (model.empty()) {
    for (const auto& [name, rows] : table.models()) asked.push_back(&rows);
    return asked;
  }
  if (const FoundPrices found = table.find(model); found.history != nullptr) {
    asked.push_back(found.history);
    return asked;
  }
  std::vector<std::string_view> known;
  for (const auto& [name, rows] : table.models()) known.push_back(rows.front().name);
  return fail(
      Exit::no,
      fmt::format("no price for '{}'{}; `xtrace prices` lists all models, --prices FILE adds "
                  "your own",
                  printable(model), did_you_mean(model, known)));
}

std::string shown(int64_t millionths) {
  return millionths < 0 ? "" : fmt::format("{:g}", static_cast<double>(millionths) / kMillion);
}

/// `over 272.0k: 8 in, 30 out, hurried ×2, regional ×1.1`
std::string shown_terms(const PricedModel& row) {
  std::string text;
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (row.over >= 0)
    add(fmt::format("over {}: {} in, {} out", show_count(row.over), shown(row.price_over.input),
                    shown(row.price_over.output)));
  each_term(row,
            [&](std::string_view key, double times) { add(fmt::format("{} ×{:g}", key, times)); });
  return text;
}

}  // namespace

Result<std::string> written_prices(const PriceTable& table, const std::string& model) {
  Result<std::vector<const PriceHistory*>> asked = asked_models(table, model);
  if (!asked) return tl::unexpected(asked.error());
  std::string text;
  JsonWriter json(text);
  json.open_object(JsonLayout::lines(2));
  json.open_object("models", JsonLayout::lines(4));
  for (const PriceHistory* history : *asked) write_model(json, *history);
  json.close();
  if (model.empty()) write_fees(json, table);
  json.close();
  return text += '\n';
}

Result<std::string> shown_prices(const PriceTable& table, const std::string& model) {
  Result<std::vector<const PriceHistory*>> asked = asked_models(table, model);
  if (!asked) return tl::unexpected(asked.error());
  constexpr std::string_view kLine = "{:<{}} {:<10} {:>6} {:>6} {:>6} {:>6} {:>6}\n";
  constexpr size_t kColumns = 80;
  size_t widest = 0;
  std::map<std::string_view, size_t> days;  // on which prices were looked up
  for (const PriceHistory* history : *asked)
    for (const PricedModel& row : *history) {
      widest = std::max(widest, printable(row.name).size());
      ++days[row.valid];
    }
  const auto usual = std::max_element(
      days.begin(), days.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::string text =
      fmt::format(kLine, "model", widest, "from", "in", "out", "read", "write", "1h");
  for (const PriceHistory* history : *asked)
    for (const PricedModel& row : *history) {
      text +=
          fmt::format(kLine, printable(row.name), widest, iso_day(row.from), shown(row.price.input),
                      shown(row.price.output), shown(row.price.cache_read),
                      shown(row.price.cache_creation), shown(row.price.cache_creation_1h));
      std::string more = shown_terms(row);
      if (row.valid != usual->first)
        more =
            fmt::format("looked up {}{}{}", printable(row.valid), more.empty() ? "" : ", ", more);
      if (!more.empty()) text += "    " + wrapped(more, 4, kColumns) + '\n';
    }
  if (usual != days.end() && !usual->first.empty())
    text += fmt::format("looked up {}{}\n", printable(usual->first),
                        days.size() > 1 ? " unless stated" : "");
  return text;
}

}  // namespace xtrace
