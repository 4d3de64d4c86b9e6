#include "schema_outline.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "base/hash.h"
#include "base/hex.h"

namespace xtrace {

namespace {

using Json = nlohmann::ordered_json;

class SchemaOutliner {
 public:
  std::string outline(const Json& schema) {
    visit(schema, "");
    return objects_ + kinds_;
  }

 private:
  void visit(const Json& schema, const std::string& path) {
    if (schema.contains("anyOf")) {
      for (size_t i = 0; i < schema["anyOf"].size(); ++i)
        visit(schema["anyOf"][i], fmt::format("{}|{}", path, i));
    } else if (schema.contains("items")) {
      visit(schema["items"], path + "[]");
    } else if (schema.contains("properties")) {
      visit_object(schema, path);
    } else {
      note_kind(schema, path);
    }
  }

  void visit_object(const Json& schema, const std::string& path) {
    const Json& keys = schema["properties"];
    // An object inside has a digest of its own.
    Json own = schema;
    for (auto& [key, value] : own["properties"].items())
      for (const char* inner : {"properties", "items", "required"}) value.erase(inner);
    objects_ += fmt::format("{} {:4}  {}\n", hex(hash_of(own.dump())), keys.size(), path);
    for (const auto& [key, value] : keys.items()) visit(value, fmt::format("{}.{}", path, key));
  }

  void note_kind(const Json& schema, const std::string& path) {
    Json kind = schema;
    kind.erase("description");
    if (known_.insert(kind.dump()).second) kinds_ += fmt::format("{}: {}\n", path, schema.dump());
  }

  std::string objects_, kinds_;
  std::set<std::string> known_;
};

}  // namespace

std::string outline_schema(const std::string& schema) {
  const Json parsed = Json::parse(schema, nullptr, false);
  if (parsed.is_discarded()) throw std::invalid_argument("no JSON: " + schema.substr(0, 80));
  return SchemaOutliner().outline(parsed);
}

}  // namespace xtrace
