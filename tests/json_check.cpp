#include "json_check.h"

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "cli/command.h"
#include "run/status.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;
using Adapter = valijson::adapters::NlohmannJsonAdapter;

/// Schemas are large; each is read once.
}  // namespace

std::string schema_text_of(std::string_view view) {
  if (view == "status") return std::string(status_schema());
  for (const ViewEntry& entry : views())
    if (entry.name == view) return schema_of(entry);
  throw std::invalid_argument("no view " + std::string(view));
}

namespace {

const valijson::Schema& schema_called(std::string_view view) {
  static std::map<std::string, std::unique_ptr<valijson::Schema>, std::less<>> schemas;
  if (auto found = schemas.find(view); found != schemas.end()) return *found->second;
  Json text = Json::parse(schema_text_of(view));
  auto schema = std::make_unique<valijson::Schema>();
  valijson::SchemaParser().populateSchema(Adapter(text), *schema);
  return *schemas.emplace(view, std::move(schema)).first->second;
}

}  // namespace

bool has_key_twice(std::string_view text) {
  std::vector<std::set<std::string>> open;
  bool twice = false;
  Json::parser_callback_t look = [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key)
      twice |= !open.back().insert(value.get<std::string>()).second;
    return true;
  };
  Json parsed = Json::parse(text, look);
  return twice;
}

std::string faults_in(const Json& answer, std::string_view view) {
  valijson::ValidationResults results;
  valijson::Validator().validate(schema_called(view), Adapter(answer), &results);
  std::string faults;
  for (const valijson::ValidationResults::Error& error : results) {
    for (const std::string& step : error.context) faults += step;
    faults += ": " + error.description + "\n";
  }
  return faults;
}

}  // namespace xtrace
