#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/nearest.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/read_options.h"
#include "cli/schema_redaction.h"
#include "run/status.h"
#include "settings/suite_format.h"
#include "view/common/preface.h"

namespace xtrace {

namespace {

using Ordered = nlohmann::ordered_json;

Ordered schema_of_rows(std::span<const Column> columns);

Ordered schema_of_kind(const Column& column) {
  switch (column.kind) {
    case CellKind::text: return {{"type", "string"}};
    case CellKind::text_or_null: return {{"type", {"string", "null"}}};
    // Beyond 2^53 integers are strings, so that no reader loses digits.
    case CellKind::integer: return {{"type", {"integer", "string"}}};
    case CellKind::number: return {{"type", "number"}};
    case CellKind::boolean: return {{"type", "boolean"}};
    case CellKind::moment:
      return {{"type", "string"},
              {"pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}([.][0-9]+)?Z$"}};
    case CellKind::milliseconds: return {{"type", "number"}};
    case CellKind::texts: return {{"type", "array"}, {"items", {{"type", "string"}}}};
    case CellKind::text_lists:
      return {{"type", "array"}, {"items", {{"type", "array"}, {"items", {{"type", "string"}}}}}};
    case CellKind::integers: return {{"type", "array"}, {"items", {{"type", "integer"}}}};
    case CellKind::entries: return {{"type", "object"}, {"additionalProperties", true}};
    case CellKind::rows: return {{"type", "array"}, {"items", schema_of_rows(column.of)}};
  }
  return {};
}

/// Dotted keys become objects, as they do in the answer.
void add_property(Ordered& object, const Column& column) {
  std::string key(column.key);
  Ordered* into = &object;
  if (size_t dot = key.find('.'); dot != std::string::npos) {
    std::string outer = key.substr(0, dot);
    key.erase(0, dot + 1);
    Ordered& inner = object["properties"][outer];
    if (inner.is_null())
      inner = {
          {"type", "object"}, {"properties", Ordered::object()}, {"required", Ordered::array()}};
    if (column.always && std::find(object["required"].begin(), object["required"].end(), outer) ==
                             object["required"].end())
      object["required"].push_back(outer);
    into = &inner;
  }
  Ordered property = schema_of_kind(column);
  if (!column.help.empty()) property["description"] = column.help;
  (*into)["properties"][key] = std::move(property);
  if (column.always) (*into)["required"].push_back(key);
}

Ordered schema_of_rows(std::span<const Column> columns) {
  Ordered object = {
      {"type", "object"}, {"properties", Ordered::object()}, {"required", Ordered::array()}};
  for (const Column& column : columns) add_property(object, column);
  return object;
}

Ordered schema_of_sections(std::span<const Section> sections, Shape member);

void add_section(Ordered& schema, const Section& section, Shape member) {
  auto add = [&](std::string_view name, Ordered property) {
    schema["properties"][std::string(name)] = std::move(property);
    schema["required"].push_back(name);
  };
  if (const Record* record = std::get_if<Record>(&section)) {
    if (!record->table.name.empty())
      return add(record->table.name, schema_of_rows(record->table.columns));
    for (const Column& column : record->table.columns) add_property(schema, column);
  } else if (const Table* table = std::get_if<Table>(&section)) {
    add(table->name, {{"type", "array"}, {"items", schema_of_rows(table->columns)}});
  } else if (const Group* group = std::get_if<Group>(&section)) {
    add(group->name, {{"type", "array"}, {"items", schema_of_sections(member, {})}});
  }
}

Ordered schema_of_sections(std::span<const Section> sections, Shape member) {
  Ordered schema = {
      {"type", "object"}, {"properties", Ordered::object()}, {"required", Ordered::array()}};
  for (const Section& section : sections) add_section(schema, section, member);
  return schema;
}

/// `member` is an item in the list of a group.
Ordered schema_of_shape(const ViewEntry& entry, Shape shape, Shape member) {
  Ordered schema = schema_of_sections(shape, member);
  if (entry.draws)
    for (const Column& column : columns_of<kPicture>()) add_property(schema, column);
  schema["properties"]["field_descriptions"] = {{"type", "object"},
                                                {"additionalProperties", {{"type", "string"}}}};
  return schema;
}

}  // namespace

std::string schema_of(const ViewEntry& entry) {
  Ordered schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                    {"title", "xtrace " + std::string(entry.name)},
                    {"description",
                     "New versions may add keys but never rename them. Unknown values are absent "
                     "or null, never 0."}};
  std::vector<Shape> shapes = entry.shapes();
  if (entry.is_live) {  // of its lines, each of which is small
    for (Shape shape : shapes) schema["anyOf"].push_back(schema_of_sections(shape, {}));
  } else if (shapes.size() == 1) {
    schema.update(schema_of_shape(entry, shapes.front(), {}));
  } else {
    // Several answers in one are of the shape before theirs, between what all answers begin and end
    // with.
    Shape before;
    for (Shape shape : shapes) {
      schema["anyOf"].push_back(schema_of_shape(entry, shape, before));
      before = shape.subspan(kPrefaceSections);
      before = before.first(before.size() - kClosingSections);
    }
  }
  return schema.dump(2) + "\n";
}

extern const OtherCommand kSchemaCommand;

namespace {

/// A command that is no view: its output is made from an index.
constexpr std::string_view kStatus = "status";
/// Of what `eval` reads, and no command's answer.
constexpr std::string_view kSuite = "suite";
/// Kinds of secrets and personal data.
constexpr std::string_view kRedaction = "redaction";

std::string help_for_schema() {
  return R"(Examples:
  xtrace schema dag                the JSON Schema of the output of dag
  xtrace schema suite              the JSON Schema of suites
  xtrace schema redaction -f text  kinds of secrets, with invented examples

Usage: xtrace schema [NAME] [-f text|json]
       xtrace schema redaction [KIND] [-f text|json]

Prints the JSON Schema of the output of a command (default: dag) or of the suites that eval checks,
or the kinds of secrets that redaction replaces, all or one.

Options:
  -f, --format FORMAT   json (default) or, for redaction, text
)";
}

/// What converts answers in formats of other tools, which say themselves what they are like.
std::vector<std::string_view> views_with_schema() {
  std::vector<std::string_view> names;
  for (const ViewEntry& entry : views())
    if (!entry.converts) names.push_back(entry.name);
  names.push_back(kStatus);
  names.push_back(kSuite);
  names.push_back(kRedaction);
  return names;
}

/// The kinds of that name, or all.
Result<Command> kinds_answer(const std::string& name, bool is_text) {
  std::vector<SecretKind> kinds;
  std::vector<std::string_view> known;
  for (const SecretKind& kind : secret_kinds()) {
    if (name.empty() || kind.name == name) kinds.push_back(kind);
    known.push_back(kind.name);
  }
  if (kinds.empty())
    return fail(Exit::usage,
                fmt::format("schema: unknown kind '{}'{}\nfor all kinds: xtrace schema "
                            "redaction -f text",
                            printable(name), did_you_mean(name, known)));
  return Printed{is_text ? redaction_kinds_text(kinds) : redaction_kinds_json(kinds)};
}

Result<Command> read_schema(const std::vector<std::string>& words) {
  std::string format = "json";
  OptionList options;
  options.add("-f,--format", format, "FORMAT", "", {"text", "json"});
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_schema()};
  if (Status settled = settle_words(options); !settled) return tl::unexpected(settled.error());
  std::string name = read->rest.empty() ? "dag" : read->rest.front();
  if (name.starts_with("-")) return unknown_option("schema", name, options);
  if (name == kRedaction && read->rest.size() <= 2)
    return kinds_answer(read->rest.size() == 2 ? read->rest.back() : "", format == "text");
  if (Status one = check_one_word(kSchemaCommand, read->rest); !one)
    return tl::unexpected(one.error());
  if (format == "text")
    return fail(Exit::usage, "schema: -f text is only for redaction; schemas are JSON");
  if (name == kSuite) return Printed{std::string(suite_format())};
  if (name == kStatus) return Printed{std::string(status_schema())};
  const ViewEntry* found = find_view(name);
  if (found != nullptr && !found->converts) return Printed{schema_of(*found)};
  std::vector<std::string_view> known = views_with_schema();
  return fail(Exit::usage, fmt::format("unknown schema '{}'{}\nschemas: {}", printable(name),
                                       did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace

extern constinit const OtherCommand kSchemaCommand = {
    .name = "schema",
    .summary = "print the JSON Schema of a command's output",
    .hint = "print the JSON Schema of an output",
    .manual = R"(.B schema \fR[\fICOMMAND\fR | \fBsuite\fR | \fBredaction\fR]
prints the JSON Schema of a command's output, or of the suites that
.B eval
checks; with
.BR redaction ,
the kinds of secrets that are redacted, with their forms, invented examples and sources, as JSON or, with
.BR "\-f text" ,
as a table.
)",
    .run = read_schema,
    .help = help_for_schema,
    .words = views_with_schema,
    .placeholder = "[NAME]",
};

}  // namespace xtrace
