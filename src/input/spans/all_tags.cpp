#include "input/spans/all_tags.h"

#include <utility>

#include "base/number.h"
#include "input/spans/span_fields.h"

namespace xtrace {

namespace {

/// Rewrites what OTLP wraps as JSON has it: a list, an object, or a whole number that is text.
void unwrap(json::element value, std::string& out);

void unwrap_items(json::element list, bool of_pairs, std::string& out) {
  json::element items;
  bool first = true;
  out += of_pairs ? '{' : '[';
  if (json::find(list, "values", items))
    json::items(items, [&](json::element item) {
      json::element key, value;
      bool is_pair = json::find(item, "key", key) && json::is_string(key);
      if (of_pairs && (!is_pair || !json::find(item, "value", value))) return;
      if (!std::exchange(first, false)) out += ',';
      if (of_pairs) out += simdjson::minify(key) + ':';
      unwrap(of_pairs ? value : item, out);
    });
  out += of_pairs ? '}' : ']';
}

void unwrap(json::element value, std::string& out) {
  json::element inner;
  std::optional<int64_t> number;
  if (json::find(value, "arrayValue", inner)) return unwrap_items(inner, false, out);
  if (json::find(value, "kvlistValue", inner)) return unwrap_items(inner, true, out);
  if (json::find(value, "intValue", inner)) number = number_of<int64_t>(json::text(inner));
  out += number ? std::to_string(*number) : std::string(simdjson::minify(plain_value(value)));
}

}  // namespace

AllTags::AllTags(json::element span) {
  json::fields(span, [&](std::string_view key, json::element value) {
    if (find_span_field(key).field == SpanField::events || key == "logs")
      json::items(value, [&](json::element event) { add_event(event); });
  });
  json::fields(span, [&](std::string_view key, json::element value) {
    const SpanField field = find_span_field(key).field;
    if (key == "tags" || field == SpanField::tags) return add(value);
    if (field != SpanField::other) return;
    if (std::string tag = tag_of_column(key); !tag.empty())
      add_tag(names_.emplace_back(std::move(tag)), value);
  });
  rewritten_ += ']';
  json::element values;
  if (parser_.parse(rewritten_).get(values)) return;
  size_t nth = 0;
  json::items(values, [&](json::element value) { tags_[keys_[nth++]] = value; });
}

SpanTags AllTags::known() const {
  SpanTags known;
  for (const auto& [key, value] : tags_) known.read_tag(key, value);
  return known;
}

void AllTags::add_event(json::element event) {
  json::element tags;
  std::string_view name = json::text_at(event, "name");
  if (!json::find(event, "attributes", tags) && !json::find(event, "fields", tags)) return;
  if (name.empty())
    each_tag(tags, [&](std::string_view key, json::element of) {
      if (key == "event") name = json::text(of);
    });
  if (name == "data.input" || name == "data.output") {  // Monocle's words
    each_tag(tags, [&](std::string_view key, json::element of) {
      if (key == "input" || key == "output" || key == "response")
        tags_[name == "data.input" ? "input.value" : "output.value"] = of;
    });
  } else if (name == "metadata" || name == "exception" || name.starts_with("gen_ai.")) {
    add(tags);
  }
}

void AllTags::add(json::element tags) {
  if (json::is_object(tags))
    return json::fields(tags,
                        [&](std::string_view key, json::element value) { add_tag(key, value); });
  json::items(tags, [&](json::element tag) {
    json::element value;
    std::string_view key = json::text_at(tag, "key");
    if (!key.empty() && json::find(tag, "value", value)) add_tag(key, value);
  });
}

void AllTags::add_tag(std::string_view key, json::element value) {
  json::element inner;
  bool is_list = json::find(value, "arrayValue", inner) || json::find(value, "kvlistValue", inner);
  bool is_digits = json::find(value, "intValue", inner) && json::is_string(inner);
  tags_[key] = plain_value(value);
  if (!is_list && !is_digits) return;
  if (!keys_.empty()) rewritten_ += ',';
  keys_.push_back(key);
  unwrap(value, rewritten_);
}

}  // namespace xtrace
