#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace xtrace {

namespace {

using Json = nlohmann::ordered_json;

Json schema_of_rows(std::span<const Column> columns);

Json schema_of_kind(const Column& column) {
  switch (column.kind) {
    case CellKind::text: return {{"type", "string"}};
    // Beyond 2^53 integers are strings, so that no reader loses digits.
    case CellKind::integer: return {{"type", {"integer", "string"}}};
    case CellKind::number: return {{"type", "number"}};
    case CellKind::boolean: return {{"type", "boolean"}};
    case CellKind::moment:
      return {{"type", "string"},
              {"pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}([.][0-9]+)?Z$"}};
    case CellKind::milliseconds: return {{"type", "number"}};
    case CellKind::texts: return {{"type", "array"}, {"items", {{"type", "string"}}}};
    case CellKind::rows: return {{"type", "array"}, {"items", schema_of_rows(column.of)}};
  }
  return {};
}

/// Dotted keys become objects, as they do in the answer.
void add_property(Json& object, const Column& column) {
  std::string key(column.key);
  Json* into = &object;
  if (size_t dot = key.find('.'); dot != std::string::npos) {
    std::string outer = key.substr(0, dot);
    key.erase(0, dot + 1);
    Json& inner = object["properties"][outer];
    if (inner.is_null())
      inner = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
    if (column.always && std::find(object["required"].begin(), object["required"].end(), outer) ==
                             object["required"].end())
      object["required"].push_back(outer);
    into = &inner;
  }
  Json property = schema_of_kind(column);
  if (!column.help.empty()) property["description"] = column.help;
  (*into)["properties"][key] = std::move(property);
  if (column.always) (*into)["required"].push_back(key);
}

Json schema_of_rows(std::span<const Column> columns) {
  Json object = {{"type", "object"}, {"properties", Json::object()}, {"required", Json::array()}};
  for (const Column& column : columns) add_property(object, column);
  return object;
}

}  // namespace

std::string schema_of(const ViewEntry& entry) {
  Json schema = {
      {"$schema", "http://json-schema.org/draft-07/schema#"},
      {"title", "xtrace " + std::string(entry.name)},
      {"description", "Keys are added, never renamed; what is unknown is absent or null, never 0."},
      {"type", "object"},
      {"properties", Json::object()},
      {"required", Json::array()}};
  for (const Section& section : entry.shape()) {
    if (const Record* record = std::get_if<Record>(&section)) {
      if (record->table.name.empty()) {
        for (const Column& column : record->table.columns) add_property(schema, column);
        schema["properties"]["field_descriptions"] = {
            {"type", "object"}, {"additionalProperties", {{"type", "string"}}}};
        schema["required"].push_back("field_descriptions");
        continue;
      }
      schema["properties"][std::string(record->table.name)] = schema_of_rows(record->table.columns);
      schema["required"].push_back(record->table.name);
    } else if (const Table* table = std::get_if<Table>(&section)) {
      schema["properties"][std::string(table->name)] = {{"type", "array"},
                                                        {"items", schema_of_rows(table->columns)}};
      schema["required"].push_back(table->name);
    }
  }
  return schema.dump(2) + "\n";
}

}  // namespace xtrace
