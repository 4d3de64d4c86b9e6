#include "input/spans/span_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/one_of.h"
#include "input/common/item_places.h"
#include "input/common/moments.h"
#include "input/spans/plain_value.h"
#include "input/spans/span_draft.h"

namespace xtrace {

namespace {

/// Finds a word of a table as a tag holds it.
bool find_word(std::string_view word, json::element& value) {
  constexpr std::string_view kWords =
      R"(["chat","execute_tool","invoke_agent","embeddings","retrieval","langfuse","langsmith",)"
      R"("openai-agents","inspect_ai","mlflow"])";
  thread_local simdjson::dom::parser parser;
  thread_local const auto words = parser.parse(kWords.data(), kWords.size());
  bool is_known = false;
  json::items(words.value_unsafe(), [&](json::element one) {
    if (json::text(one) == word) value = one, is_known = true;
  });
  return is_known;
}

}  // namespace

ShapedSpans::ShapedSpans(const SpanShape& shape, RecordContext& context)
    : shape_(shape), context_(context) {}

bool ShapedSpans::follow(json::element span, json::Path path, json::element& value) const {
  for (size_t i = later.size(); i > 0; --i)
    if (json::follow(later[i - 1], path, value)) return true;
  return json::follow(span, path, value);
}

std::string ShapedSpans::text_on(json::element span, json::Path path) const {
  for (size_t i = later.size(); i > 0; --i)
    if (std::string text = json::text_on(later[i - 1], path); !text.empty()) return text;
  return json::text_on(span, path);
}

bool ShapedSpans::follow_inside(json::element from, json::Path inside, json::element& value) {
  if (inside.empty()) return value = from, true;
  json::element parsed;
  if (json::is_string(from) && context_.parsers.parse(json::text(from), parsed))
    return json::follow(parsed, inside, value);
  if (json::is_object(from)) return json::follow(from, inside, value);
  return value = from, inside == ".";
}

std::string_view ShapedSpans::word_of(json::element span) {
  json::element value, inner;
  if (!kind.empty()) return kind;
  if (!follow(span, shape_.kind, value) || !follow_inside(value, shape_.kind_inside, inner))
    return {};
  return json::text(inner);
}

/// What was told last of its status and its end counts: a span that was pending has ended since. An
/// error stays one.
Ending ShapedSpans::ending_of(json::element span) const {
  Ending ending;
  json::element value;
  const auto read = [&](json::element record) {
    Ending own;
    json::fields(record,
                 [&](std::string_view key, json::element field) { read_ending(key, field, own); });
    if (json::follow(record, shape_.status, value)) read_ending("status", value, own);
    own.has_end = json::follow(record, shape_.ended, value) && instant_of(value) != kNoTime;
    if (own.stated == Outcome::unknown && !own.has_end && !own.is_odd) return;
    if (ending.failed()) own.state(Outcome::error);
    ending = own;
  };
  read(span);
  for (json::element more : later) read(more);
  if (!failure.empty()) ending.state(Outcome::error);
  const bool has_result = follow(span, shape_.result, value) &&
                          !(json::is_string(value) && is_one_of(json::text(value), {"", "null"}));
  ending.has_end |= has_result || end != kNoTime;
  return ending;
}

std::string_view ShapedSpans::operation_of(std::string_view word) const {
  for (const OperationShape& one : shape_.operations)
    if (one.word == word) return one.operation;
  return {};
}

void ShapedSpans::read_counts(SpanTags& tags) {
  constexpr std::string_view kTagsOfCounts[] = {
      "gen_ai.usage.input_tokens",
      "gen_ai.usage.output_tokens",
      "gen_ai.usage.total_tokens",
      "gen_ai.usage.cache_read_input_tokens",
      "gen_ai.usage.cache_creation_input_tokens",
      "gen_ai.usage.cost",
  };
  const int64_t all[] = {counts.input,      counts.output,         counts.total,
                         counts.cache_read, counts.cache_creation, counts.cost};
  json::element values;
  if (std::ranges::all_of(all, [](int64_t count) { return count < 0; })) return;
  if (numbers_.parse(fmt::format("[{}]", fmt::join(all, ","))).get(values)) return;
  size_t nth = 0;
  json::items(values, [&](json::element value) {
    if (all[nth] >= 0) tags.read_tag(kTagsOfCounts[nth], value);
    ++nth;
  });
}

void ShapedSpans::read(json::element span, const Extent& at) {
  Shard& shard = context_.shard;
  SpanDraft draft;
  draft.span.source = at;
  const std::string id = text_on(span, shape_.id), trace = text_on(span, shape_.trace);
  draft.span.id = intern_span_id(id.empty() ? made_id : id, shard);
  draft.span.trace = intern_span_id(trace.empty() ? run : trace, shard);
  if (!draft.span.id) return complain_of_id(at, "id", shard);
  std::string above = text_on(span, shape_.parent);
  if (above == "undefined") above.clear();  // Datadog's word for none
  const StringId parent = intern_span_id(above.empty() ? made_parent : above, shard);
  if (parent && parent != draft.span.id) draft.parents.push_back({parent, draft.span.trace, false});
  const std::string name = text_on(span, shape_.name);
  draft.operation = name;
  const std::string_view word = word_of(span), operation = operation_of(word);
  const bool may_be_any = part == SpanPart::more && word.empty();
  draft.span.part = part;
  json::element value, inner;
  if (find_word(operation, value)) draft.tags.read_tag("gen_ai.operation.name", value);
  if (find_word(shape_.emitter, value)) draft.tags.read_tag("otel.scope.name", value);
  auto read_tags = [&](std::span<const TagShape> tags, auto find) {
    for (const TagShape& tag : tags)
      if ((tag.operation.empty() || tag.operation == operation || may_be_any) && find(tag.from) &&
          follow_inside(value, tag.inside, inner))
        draft.tags.read_tag(tag.tag, inner);
  };
  for (const json::Path path : shape_.attributes)
    if (follow(span, path, value)) draft.tags.read(value);
  for (const json::Path path : shape_.labels)
    if (follow(span, path, value)) draft.tags.read_labels(value);
  read_tags(shape_.tags, [&](json::Path path) { return follow(span, path, value); });
  read_tags(common, [&](json::Path path) { return json::follow(whole, path, value); });
  read_counts(draft.tags);
  for (const json::Path path : shape_.usages) {
    for (size_t i = later.size(); i > 0; --i)
      if (json::follow(later[i - 1], path, value)) draft.tags.read_usage(value);
    if (json::follow(span, path, value)) draft.tags.read_usage(value);
  }
  const std::string told = failure.empty() ? text_on(span, shape_.failure) : failure;
  draft.failure = told;
  draft.ending = ending_of(span);
  const Time began = follow(span, shape_.began, value) ? instant_of(value) : kNoTime;
  const Time ended = follow(span, shape_.ended, value) ? instant_of(value) : end;
  if (part == SpanPart::more && (may_be_any || began == kNoTime)) {
    draft.span.start = ended;
    if (ended != kNoTime) draft.span.part = SpanPart::ended;
  } else {
    Duration length = elapsed(began, ended);
    if (length == kNoDuration && follow(span, shape_.length, value))
      read_units(value, shape_.length_unit, length);
    set_times(draft, began, length, shape_.began, shard);
  }
  add_span(draft, shard);
}

namespace {

json::element find_inside(json::element record, const SpanShape& shape) {
  json::element inner;
  return json::follow(record, shape.inside, inner) ? inner : record;
}

bool may_match_any(std::span<const RecordPattern> patterns, const KeyShape& keys) {
  return !open_rows(patterns, std::identity(), keys).empty();
}

bool matches_any(RecordMatcher& record, std::span<const RecordPattern> patterns) {
  return std::ranges::any_of(patterns,
                             [&](const RecordPattern& one) { return record.matches(one); });
}

}  // namespace

bool fits_shape(RecordMatcher& record, const SpanShape& shape) {
  if (matches_any(record, shape.when)) return true;
  const std::span<const RecordPattern> listed = shape.listed.empty() ? shape.when : shape.listed;
  const json::element inner = find_inside(record, shape);
  json::element list;
  const bool has_list = json::follow(inner, shape.list, list);
  if (!has_list && shape.inside.empty()) return false;
  if (const std::vector<const KeyShape*>* shapes = has_list ? record.shapes_in(list) : nullptr)
    if (std::ranges::none_of(*shapes,
                             [&](const KeyShape* keys) { return may_match_any(listed, *keys); }))
      return false;
  bool any = false;
  RecordMatcher matcher;  // one for all, as making it costs more than asking it
  const auto look = [&](json::element span) {
    if (any) return;
    matcher.set(span);
    any = matches_any(matcher, listed);
  };
  if (has_list)
    json::items(list, look);
  else
    look(inner);
  return any;
}

void read_shaped(json::element record, std::string_view text, const Extent& at,
                 const SpanShape& shape, RecordContext& context) {
  ShapedSpans spans(shape, context);
  const json::element inner = find_inside(record, shape);
  const auto read = [&](json::element span, const Extent& place) {
    if (shape.count != nullptr) spans.counts = shape.count(span, context.parsers);
    spans.read(span, place);
  };
  json::element list;
  if (!json::follow(inner, shape.list, list)) return read(inner, at);
  spans.whole = inner;
  spans.common = shape.common;
  ItemPlaces places(
      text, at, [](std::string_view key) { return key == "data" || key == "attributes"; },
      [](std::string_view key) { return key == "spans" || key == "observations"; });
  json::items(list, [&](json::element span) { read(span, places.next()); });
}

}  // namespace xtrace
