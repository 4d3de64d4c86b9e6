#include "input/spans/span_shape.h"

#include "input/common/moments.h"
#include "input/spans/span_draft.h"
#include "input/spans/span_values.h"

namespace xtrace {

namespace {

constexpr std::string_view kWords =
    R"({"chat":"chat","execute_tool":"execute_tool","invoke_agent":"invoke_agent",)"
    R"("embeddings":"embeddings","retrieval":"retrieval","langfuse":"langfuse",)"
    R"("langsmith":"langsmith","openai-agents":"openai-agents","inspect_ai":"inspect_ai",)"
    R"("mlflow":"mlflow"})";

}  // namespace

ShapedSpans::ShapedSpans(const SpanShape& shape, RecordContext& context)
    : shape_(shape), context_(context) {
  if (words_.parse(kWords.data(), kWords.size()).get(word_values_)) word_values_ = {};
}

bool ShapedSpans::follow(json::element span, json::Path path, json::element& value) const {
  return (has_also && json::follow(also, path, value)) || json::follow(span, path, value);
}

std::string ShapedSpans::text_on(json::element span, json::Path path) const {
  std::string text = has_also ? json::text_on(also, path) : std::string();
  return text.empty() ? json::text_on(span, path) : text;
}

bool ShapedSpans::follow_inside(json::element from, json::Path inside, json::element& value) {
  if (inside.empty()) return value = from, true;
  json::element parsed;
  if (json::is_string(from) && context_.parsers.parse(json::text(from), parsed))
    return json::follow(parsed, inside, value);
  if (json::is_object(from)) return json::follow(from, inside, value);
  return value = from, inside == ".";
}

std::string_view ShapedSpans::operation_of(json::element span) {
  json::element kind, word;
  if (!follow(span, shape_.kind, kind) || !follow_inside(kind, shape_.kind_inside, word)) return {};
  for (const OperationShape& one : shape_.operations)
    if (one.word == json::text(word)) return one.operation;
  return {};
}

void ShapedSpans::read(json::element span, const Extent& at) {
  Shard& shard = context_.shard;
  SpanDraft draft;
  draft.span.source = at;
  const std::string id = text_on(span, shape_.id), trace = text_on(span, shape_.trace);
  draft.span.id = intern_span_id(id.empty() ? made_id : id, shard);
  draft.span.trace = intern_span_id(trace.empty() ? run : trace, shard);
  if (!draft.span.id) return complain_of_id(at, "id", shard);
  const StringId parent = intern_span_id(text_on(span, shape_.parent), shard);
  if (parent && parent != draft.span.id) draft.parents.push_back({parent, draft.span.trace, false});
  const std::string name = text_on(span, shape_.name);
  draft.operation = name;
  const std::string_view operation = operation_of(span);
  json::element value, inner;
  if (!operation.empty() && json::find(word_values_, operation, value))
    draft.tags.read_tag("gen_ai.operation.name", value);
  if (!shape_.emitter.empty() && json::find(word_values_, shape_.emitter, value))
    draft.tags.read_tag("otel.scope.name", value);
  auto read_tags = [&](std::span<const TagShape> tags, auto find) {
    for (const TagShape& tag : tags)
      if ((tag.operation.empty() || tag.operation == operation) && find(tag.from) &&
          follow_inside(value, tag.inside, inner))
        draft.tags.read_tag(tag.tag, inner);
  };
  read_tags(shape_.tags, [&](json::Path path) { return follow(span, path, value); });
  read_tags(common, [&](json::Path path) { return json::follow(whole, path, value); });
  const std::string failure = text_on(span, shape_.failure);
  draft.failure = failure;
  draft.failed = shape_.failed != nullptr ? shape_.failed(span) : !failure.empty();
  if (shape_.failed != nullptr && has_also) draft.failed |= shape_.failed(also);
  const Time began = follow(span, shape_.began, value) ? instant_of(value) : kNoTime;
  const bool has_ended =
      has_end ? json::follow(end, shape_.ended, value) : follow(span, shape_.ended, value);
  const Time ended = has_ended ? instant_of(value) : kNoTime;
  set_times(draft, began, elapsed(began, ended), shape_.began, shard);
  add_span(draft, shard);
}

}  // namespace xtrace
