#include "view/common/preface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/nearest.h"
#include "view/common/field.h"
#include "view/common/warnings.h"
#include "view/common/words.h"

namespace xtrace {

namespace {

struct Preface {
  Text schema;
  const Door& door;
  Cell revealed;
};

Cell redaction(const Door& door) {
  switch (door.redactor().which()) {
    case Redaction::all: break;
    case Redaction::secrets_only: return Text("secrets_only");
    case Redaction::off: return Text("off");
  }
  return {};
}

constexpr Field<Preface> kShortPreface[] = {
    {{"schema", "name and version of this output's schema", CellKind::text, true},
     member<&Preface::schema>},
    {{"generator.name", "", CellKind::text, true},
     [](const Preface&) { return Cell(Text("xtrace")); }},
    {{"generator.version", "", CellKind::text, true},
     [](const Preface&) { return Cell(Text(XTRACE_VERSION)); }},
    {{"level", "basic: no payload text; full: redacted payload text", Role::level, true},
     [](const Preface& row) {
       return Cell(row.door.level() == Door::Level::full ? Text("full") : Text("basic"));
     }},
    {{"redaction",
      "off: nothing is replaced; secrets_only: personal data is kept; absent: both are replaced",
      CellKind::text},
     [](const Preface& row) { return redaction(row.door); }},
    {{"revealed", "nodes whose texts are shown unredacted", CellKind::texts},
     member<&Preface::revealed>},
};
/// Of answers with a clearance.
constexpr Field<const ClearedTexts*> kClearance[] = {
    {{"clearance.label", "texts of records with a higher label are withheld", CellKind::text},
     [](const ClearedTexts* const& texts) -> Cell { return Door::own(texts->clearance().label); }},
    {{"clearance.unlabelled", "what records without a label count as", CellKind::text},
     [](const ClearedTexts* const& texts) -> Cell {
       return Door::own(texts->clearance().unlabelled);
     }},
    {{"clearance.records", "records that were read", CellKind::integer},
     [](const ClearedTexts* const& texts) -> Cell { return texts->counts().records; }},
    {{"clearance.records_unlabelled", "records without a label", CellKind::integer},
     [](const ClearedTexts* const& texts) -> Cell { return texts->counts().unlabelled; }},
    {{"clearance.records_withheld", "records of which texts are withheld", CellKind::integer},
     [](const ClearedTexts* const& texts) -> Cell { return texts->counts().withheld; }},
};
/// Of answers that always have it. The renderers, which know all fields, fill it in.
constexpr Field<Preface> kDescriptions[] = {
    {{"field_descriptions", "", CellKind::entries, true}, nullptr},
};
constexpr auto kPreface = joined_fields(kShortPreface, kDescriptions);

constexpr Field<const Entries*> kClosing[] = {
    {{"redactions", "replacements in this output, by rule; a name that recurs counts once",
      CellKind::entries, true},
     [](const Entries* const& counts) { return Cell(counts); }},
};

struct InputRow {
  const Source& source;
  const Names& names;
  Cell run, token_rules;
};
constexpr Field<InputRow> kInputs[] = {
    {{"path", "", CellKind::text, true},
     [](const InputRow& row) { return Cell(row.names.text(row.source.path)); }},
    {{"run", "", CellKind::text}, member<&InputRow::run>},
    {{"format", "format of the first recognized record", CellKind::text},
     [](const InputRow& row) { return known(Door::own(row.source.format)); }},
    {{"bytes", "bytes read, as stored on disk", CellKind::integer},
     [](const InputRow& row) { return Cell(static_cast<int64_t>(row.source.bytes)); }},
    {{"unpacked_bytes", "bytes unpacked from an archive; locations in it count these",
      CellKind::integer},
     [](const InputRow& row) {
       const auto& bytes = row.source.unpacked_bytes;
       return bytes ? Cell(static_cast<int64_t>(*bytes)) : Cell();
     }},
    {{"records", "valid records that were used", CellKind::integer, true},
     [](const InputRow& row) { return Cell(static_cast<int64_t>(row.source.records)); }},
    {{"skipped", "records that are damaged or of an unknown form", CellKind::integer, true},
     [](const InputRow& row) { return Cell(static_cast<int64_t>(row.source.skipped)); }},
    {{"copies", "duplicate records (equal, or with the same id) that were merged into one",
      CellKind::integer},
     [](const InputRow& row) { return some(static_cast<int64_t>(row.source.copies)); }},
    {{"token_rules",
      "number of spans with cache tokens, by the rule that determined whether their input count "
      "includes these tokens: uncached_told, cache_exceeds_input, total or emitter; convention: no "
      "rule applied",
      CellKind::entries},
     member<&InputRow::token_rules>},
    {{"sha256", "SHA-256 of the bytes read (audit output only)", CellKind::text},
     [](const InputRow& row) { return known(Door::own(row.source.sha256)); }},
};

struct PartsRow {
  int64_t planned, used;
  Cell missing;
  int64_t bytes_missing;
};
constexpr Field<PartsRow> kPartsUsed[] = {
    {{"parts.planned",
      "with parts: number of sections that the inputs have, according to the parts",
      CellKind::integer},
     member<&PartsRow::planned>},
    {{"parts.used", "number of sections contained in the given parts", CellKind::integer},
     member<&PartsRow::used>},
    {{"parts.missing", "sections of the inputs that no part contains", CellKind::texts},
     member<&PartsRow::missing>},
    {{"parts.bytes_missing", "", CellKind::integer}, member<&PartsRow::bytes_missing>},
};

/// The same for the answer, which does not describe them: the answer about parts is that about
/// logs.
constexpr auto kPartsFields = [] {
  auto fields = std::to_array(kPartsUsed);
  for (Field<PartsRow>& field : fields) field.column.help = {};
  return fields;
}();

struct NamePart {
  Text filter, part;
  Cell names;
};
constexpr Field<NamePart> kParts[] = {
    {{"filter", "", CellKind::text, true}, member<&NamePart::filter>},
    {{"part", "the filter value as given", CellKind::text, true}, member<&NamePart::part>},
    {{"names", "full names that it matches", CellKind::texts, true}, member<&NamePart::names>},
};

Moment whole_second(std::optional<Time> time) {
  return {time.value_or(kNoTime), 0};
}

struct Filtered {
  const Hidden& hidden;
  Cell parts;
};
constexpr Field<Filtered> kFiltered[] = {
    {{"nodes", "calls, hops or spans hidden by a filter", CellKind::integer, true},
     [](const Filtered& row) { return Cell(row.hidden.nodes); }},
    {{"edges", "links hidden by a filter, or because one end is hidden", CellKind::integer, true},
     [](const Filtered& row) { return Cell(row.hidden.edges); }},
    {{"since",
      "absolute time that the filter uses, if a relative one such as `21:37` or `5m` was given",
      CellKind::moment},
     [](const Filtered& row) { return known(whole_second(row.hidden.since)); }},
    {{"until", "absolute time that the filter uses, if a relative one was given", CellKind::moment},
     [](const Filtered& row) { return known(whole_second(row.hidden.until)); }},
    {{"parts", "filter values that are parts of names, with the names that they match",
      CellKind::rows, false, columns_of<kParts>()},
     member<&Filtered::parts>},
};

Cell revealed(Door& door, CellArena& arena) {
  Texts ids;
  for (const std::string& id : door.revealed()) ids.push_back(door.name(id));
  return some(std::move(ids), arena);
}

/// What the door had to do, which is known when the last row is written.
Closing closing(Door& door) {
  return {columns_of<kClosing>(), [&door](CellArena& arena) {
            Entries counts;
            for (const auto& [rule, count] : door.redactor().counts())
              counts.items.emplace_back(Door::own(rule), count);
            return record_of<kClosing>({}, arena.keep(std::move(counts))).table.cells;
          }};
}

/// Of each source, how many spans each rule counted.
std::vector<std::array<int64_t, kTokenRuleWords.size()>> token_rules(const Trace& trace) {
  std::vector<std::array<int64_t, kTokenRuleWords.size()>> counts(trace.sources.size());
  for (const Span& span : trace.spans)
    if (span.gen_ai) ++counts[span.source.file][static_cast<size_t>(trace[span.gen_ai].token_rule)];
  return counts;
}

Cell cell_of(std::span<const int64_t> counts, CellArena& arena) {
  Entries entries;
  for (size_t rule = 1; rule < counts.size(); ++rule)
    if (counts[rule] > 0)
      entries.items.emplace_back(Door::own(kTokenRuleWords[rule]), counts[rule]);
  return entries.items.empty() ? Cell() : Cell(arena.keep(std::move(entries)));
}

void add_inputs(const Graph& graph, const Names& names, Cell run, CellArena& arena, Table& inputs) {
  const auto rules = token_rules(graph.trace());
  size_t nth = 0;
  for (const Source& source : graph.trace().sources)
    add_fields(kInputs, {source, names, run, cell_of(rules[nth++], arena)}, inputs);
}

/// Which inputs the parts that were read cover.
void add_parts(const PartsUsed& parts, const Names& names, Document& document) {
  Texts missing;
  for (const std::string& one : parts.missing) missing.push_back(names.text(one));
  const int64_t used = static_cast<int64_t>(parts.used);
  document.add(
      record_of<kPartsFields>({}, {.planned = used + static_cast<int64_t>(parts.missing.size()),
                                   .used = used,
                                   .missing = document.arena().keep(std::move(missing)),
                                   .bytes_missing = static_cast<int64_t>(parts.bytes_missing)}));
}

}  // namespace

void add_hidden(const Hidden& hidden, std::string_view node, std::string_view edge, Door& door,
                std::vector<Text>& lines) {
  Texts counts;
  if (hidden.nodes > 0) counts.push_back(door.composed(plural(hidden.nodes, node)));
  if (hidden.edges > 0 && !edge.empty())
    counts.push_back(door.composed(plural(hidden.edges, edge)));
  std::string blamed;  // where nothing is left, who asked too much
  for (const HiddenBy& one : hidden.by)
    blamed += fmt::format("{}{} hides {}", blamed.empty() ? ": " : ", ",
                          door.name_once(one.filter).view(),
                          one.nodes == hidden.nodes ? "all" : plural(one.nodes, node));
  if (!counts.empty())
    lines.push_back(door.composed(joined(counts, " and ") + " hidden by filters" + blamed));
  for (const auto& [word, time] : {std::pair("since", hidden.since), {"until", hidden.until}})
    if (time)
      lines.push_back(
          door.say("--{}: {} {}", word, door.zone().show({*time, 0}), door.zone().name(*time)));
  constexpr size_t kNamed = 5;  // more make a line that nobody reads
  for (const PartOfNames& one : hidden.parts) {
    const std::string names = name_some(
        one.names, kNamed, [&](const std::string& name) { return door.name_once(name).view(); });
    lines.push_back(door.say("--{} {} matches {}: {}", one.filter, door.name_once(one.part).view(),
                             plural(static_cast<int64_t>(one.names.size()), "name"), names));
  }
}

/// What answers have only of parts, or with a clearance.
constexpr auto kSometimes = [] {
  std::array<Column, std::size(kPartsUsed) + std::size(kClearance)> columns;
  std::ranges::copy(kColumnsOf<kClearance>,
                    std::ranges::copy(kColumnsOf<kPartsUsed>, columns.begin()).out);
  return columns;
}();

std::vector<Section> shape_of_answer(const std::vector<Section>& own, Meanings meanings) {
  const std::span<const Column> preface =
      meanings == Meanings::always ? columns_of<kPreface>() : columns_of<kShortPreface>();
  std::vector<Section> shape = {Record{{{}, preface}}, table_of<kInputs>("inputs"),
                                table_of<kWarnings>("warnings"), Record{{{}, kSometimes}},
                                Record{table_of<kFiltered>("filtered")}};
  shape.insert(shape.end(), own.begin(), own.end());
  shape.push_back(Record{table_of<kClosing>({})});
  return shape;
}

void add_preface(std::string_view schema, const Question& question, const Names& names,
                 const Hidden& hidden, Document& document, Meanings meanings, Covers covers) {
  if (meanings == Meanings::always) document.describe_fields();
  // These measure texts, and look at them again.
  const bool asks_for_texts =
      schema.starts_with("xtrace.stats/") || schema.starts_with("xtrace.advise/");
  document.add(record_of<kShortPreface>(
      {}, {Door::own(schema), question.door, revealed(question.door, document.arena())}));
  Table inputs = table_of<kInputs>("inputs");
  Warnings warnings;
  if (question.before != nullptr) {
    const Graph& before = question.before->graph;
    Names old_names(before, question.door);
    add_inputs(before, old_names, Text("old"), document.arena(), inputs);
    add_warnings(before, old_names, asks_for_texts, question.door, covers, warnings);
  }
  add_inputs(question.graph, names, question.before == nullptr ? Cell() : Cell(Text("new")),
             document.arena(), inputs);
  add_warnings(question.graph, names, asks_for_texts, question.door, covers, warnings);
  if (asks_for_texts)
    if (Text unseen = tools_without_spans(question); !unseen.empty())
      warnings.add({Text("unshown"), unseen, {}});
  document.add(std::move(inputs));
  document.add(warnings.taken());
  if (const auto& parts = question.graph.trace().parts) add_parts(*parts, names, document);
  if (const ClearedTexts* cleared = question.door.cleared())
    document.add(record_of<kClearance>({}, cleared));
  Table parts = table_of<kParts>({});
  for (const PartOfNames& one : hidden.parts) {
    Texts fits;
    for (const std::string& name : one.names) fits.push_back(names.text(name));
    add_fields(
        kParts,
        {Door::own(one.filter), names.text(one.part), document.arena().keep(std::move(fits))},
        parts);
  }
  document.add(
      record_of<kFiltered>("filtered", {hidden, some(std::move(parts), document.arena())}));
  document.close(closing(question.door));
}

}  // namespace xtrace
