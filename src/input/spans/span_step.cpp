#include "input/spans/span_step.h"

#include <charconv>
#include <utility>

#include "base/number.h"
#include "base/one_of.h"
#include "input/common/graph_parts.h"
#include "input/spans/span_fields.h"
#include "input/spans/step_events.h"

namespace xtrace {

// What the tags of a span say of it as a step of a query, in the words of OpenTelemetry's GenAI
// conventions (old and new), OpenInference, OpenLLMetry, and query traces (facts/step.h).

namespace {

using Tags = AllTags::Map;

/// The first of these tags that is there and says something.
std::string first_of(const Tags& tags, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names)
    if (Tags::const_iterator found = tags.find(name); found != tags.end())
      if (std::string text = written(found->second); !text.empty()) return text;
  return {};
}

int64_t count_of(const Tags& tags, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names) {
    Tags::const_iterator found = tags.find(name);
    if (found == tags.end()) continue;
    if (int64_t number = json::count(found->second, kNoCount); number >= 0) return number;
    // Some exporters write every value as text.
    std::optional<int64_t> number = number_of<int64_t>(json::text(found->second));
    if (number && *number >= 0) return *number;
  }
  return kNoCount;
}

/// Calls `each(number, rest, value)` for tags of a numbered list: `gen_ai.prompt.` is before 3, and
/// `.content` the rest.
template <class Each>
void numbered(const Tags& tags, std::string_view before, Each each) {
  for (Tags::const_iterator at = tags.lower_bound(before);
       at != tags.end() && at->first.starts_with(before); ++at) {
    std::string_view rest = at->first.substr(before.size());
    int number = 0;
    auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    if (error == std::errc()) each(number, rest, *at);
  }
}

/// The last text of such a list.
std::string last_content(const Tags& tags, std::string_view before,
                         std::string_view field = ".content") {
  std::string text;
  int last = -1;
  numbered(tags, before, [&](int number, std::string_view rest, const Tags::value_type& tag) {
    if (rest != field || number <= last) return;
    last = number;
    text = written(tag.second);
  });
  return text;
}

void read_tag_params(const Tags& tags, StepRecord& step) {
  constexpr std::string_view kPrefixes[] = {"gen_ai.request.", "params.", "retrieval.", "query."};
  // What an agent says of its context, its messages and its attempts keeps its whole name.
  constexpr std::string_view kWhole[] = {"context.", "retry.", "message."};
  constexpr std::string_view kNoParams[] = {"gen_ai.request.model", "query.id", "query.mode"};
  auto add = [&](std::string_view name, json::element value) {
    Parameter param{std::string(name), written(value)};
    bool truth = false;
    int64_t whole = 0;
    double real = 0;
    if (!value.get_bool().get(truth))
      param.value = truth;
    else if (!value.get_int64().get(whole))
      param.value = whole;
    else if (!value.get_double().get(real))
      param.value = real;
    step.params.push_back(std::move(param));
  };
  for (const auto& [key, value] : tags) {
    for (std::string_view prefix : kPrefixes) {
      bool is_list = key.starts_with("retrieval.documents");
      if (key.starts_with(prefix) && !is_list && !is_one_of(key, kNoParams))
        add(key.substr(prefix.size()), value);
    }
    for (std::string_view prefix : kWhole)
      if (key.starts_with(prefix)) add(key, value);
  }
}

/// Tags may hold JSON in a string.
template <class Read>
void read_json(const Tags& tags, std::initializer_list<std::string_view> names, Read read) {
  for (std::string_view name : names) {
    Tags::const_iterator found = tags.find(name);
    if (found == tags.end()) continue;
    simdjson::dom::parser parser;
    json::element root;
    if (!json::is_string(found->second)) return read(found->second);
    std::string_view text = json::text(found->second);
    if (!parser.parse(text.data(), text.size(), true).get(root)) return read(root);
  }
}

/// `retrieval.documents.0.document.content`, .id, .score, .metadata
void read_documents(const Tags& tags, std::string_view before, std::vector<EvidenceRef>& out) {
  constexpr std::string_view kField = ".document.";
  std::map<int, EvidenceRef> documents;
  numbered(tags, before, [&](int number, std::string_view rest, const Tags::value_type& tag) {
    if (!rest.starts_with(kField)) return;
    EvidenceRef& document = documents[number];
    document.type = "document";
    std::string_view field = rest.substr(kField.size());
    if (field == "id")
      document.doc_id = name_of(tag.second);
    else if (field == "metadata")
      read_json(tags, {tag.first}, [&](json::element metadata) {
        json::fields(metadata, [&](std::string_view key, json::element value) {
          read_evidence_field(key, value, document);
        });
      });
    else
      read_evidence_field(field, tag.second, document);
  });
  for (auto& [number, document] : documents) out.push_back(std::move(document));
}

bool fits_span(json::element span) {
  bool has_id = false, has_name = false;
  json::fields(span, [&](std::string_view key, json::element) {
    const SpanField field = find_span_field(key).field;
    has_id |= field == SpanField::id || field == SpanField::context;
    has_name |=
        field == SpanField::name || key == "operationName" || key == "spanID" || key == "traceId";
  });
  return has_id && has_name && !fits_step_event(span);
}

}  // namespace

void read_span_step(json::element span, StepRecord& step) {
  if (!fits_span(span)) return;
  AllTags all(span);
  const Tags& tags = all.all();
  SpanTags known = all.known();
  auto take = [&](Tag tag, std::string& into) {
    if (std::string text = known.has(tag) ? written(known.value(tag)) : ""; !text.empty())
      into = std::move(text);
  };
  step.mode = first_of(tags, {"mode", "query.mode"});
  step.graph_version = first_of(tags, {"graphVersion", "graph_version", "graph.version"});
  step.snapshot_ref = first_of(tags, {"snapshotRef", "snapshot_ref", "snapshot.ref"});
  take(Tag::operation, step.kind);
  take(Tag::asked_model, step.asked_model);
  take(Tag::error_type, step.error);
  std::string access;
  for (const auto& [key, value] : tags) {
    read_label(key, value, step.sensitivity);
    read_stated_label(key, value, step.stated, access);
  }
  if (step.stated.empty()) step.stated = access;
  step.order = count_of(tags, {"step.order", "order", "step.index"});
  step.attempt = count_of(tags, {"attempt", "retry.attempt"});
  read_tag_params(tags, step);
  read_json(tags, {"params", "llm.invocation_parameters"},
            [&](json::element params) { read_params(params, step.params); });
  step.inputs = first_of(
      tags, {"input.value", "inputs", "gen_ai.input.messages", "gen_ai.tool.call.arguments",
             "traceloop.entity.input", "gcp.vertex.agent.tool_call_args", "gen_ai.prompt",
             "tool.parameters", "gcp.vertex.agent.llm_request", "gen_ai.retrieval.query.text",
             "gen_ai.memory.query.text", "db.query.text", "db.statement"});
  if (step.inputs.empty()) step.inputs = last_content(tags, "gen_ai.prompt.");
  if (step.inputs.empty())
    step.inputs = last_content(tags, "llm.input_messages.", ".message.content");
  step.outputs = first_of(
      tags, {"output.value", "outputs", "gen_ai.output.messages", "gen_ai.tool.call.result",
             "traceloop.entity.output", "gcp.vertex.agent.tool_response", "gen_ai.completion",
             "gcp.vertex.agent.llm_response"});
  if (step.outputs.empty()) step.outputs = last_content(tags, "gen_ai.completion.");
  if (step.outputs.empty())
    step.outputs = last_content(tags, "llm.output_messages.", ".message.content");
  read_documents(tags, "retrieval.documents.", step.evidence);
  read_documents(tags, "reranker.output_documents.", step.evidence);
  read_json(tags, {"evidenceRefs", "evidence_refs", "gen_ai.retrieval.documents"},
            [&](json::element refs) { read_evidence(refs, step.evidence); });
  read_json(tags, {"citations"}, [&](json::element refs) { read_evidence(refs, step.citations); });
  read_json(tags, {"subgraph"}, [&](json::element graph) { read_subgraph(graph, step); });
}

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
