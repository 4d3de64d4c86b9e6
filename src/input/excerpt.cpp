#include "input/excerpt.h"

#include <algorithm>
#include <iterator>

#include "facts/made_id.h"
#include "facts/row_or_empty.h"
#include "facts/rows.h"
#include "input/calls/answer.h"
#include "input/calls/completion.h"
#include "input/calls/exchange.h"
#include "input/calls/instructions.h"
#include "input/calls/quote.h"
#include "input/calls/response_item.h"
#include "input/calls/tool_target.h"
#include "input/common/format.h"
#include "input/common/values.h"
#include "input/spans/span_detail.h"
#include "input/spans/span_quotes.h"
#include "input/spans/span_step.h"

namespace xtrace {

namespace {

void append(std::string& text, std::string_view more) {
  if (more.empty()) return;
  if (!text.empty()) text += '\n';
  text += more;
}

/// Of a chain of thought: texts with the blanks they have, and `name(arguments)` of what it calls.
std::string joined_texts(const Draft& message) {
  std::string text;
  for (const Block& block : message.blocks) {
    bool calls = block.kind == Block::Kind::tool_use;
    if (calls) (text += block.name) += '(';
    text += block.has_body ? std::string(simdjson::minify(block.body)) : std::string(block.text);
    if (calls) text += ')';
  }
  return text;
}

std::string texts_of(const Draft& message) {
  std::string text;
  for (const Block& block : message.blocks) {
    const bool is_said = block.kind != Block::Kind::tool_use && block.kind != Block::Kind::hidden;
    append(text, is_said ? block.text : std::string_view{});
    if (block.kind == Block::Kind::tool_result && block.has_body)
      json::items(block.body,
                  [&](json::element part) { append(text, json::text_at(part, "text")); });
  }
  return text;
}

/// Of the Responses API's `input`, which may be a text.
std::string last_item(json::element input) {
  Draft draft;
  if (json::is_string(input)) return std::string(json::text(input));
  json::items(input, [&](json::element item) {
    Draft said;
    if (read_response_item(item, said) && said.role == Message::Role::user) draft = said;
  });
  return texts_of(draft);
}

std::string last_message(json::element request) {
  json::element messages, last;
  Draft draft;
  if (json::find(request, "input", messages)) return last_item(messages);
  if (!json::find(request, "messages", messages)) {
    read_prompt(request, draft);
    return texts_of(draft);
  }
  bool any = false;
  json::items(messages, [&](json::element message) {
    last = message;
    any = true;
  });
  if (any) read_message(last, draft);
  // What a client puts in for the model is not what the user said.
  std::erase_if(draft.blocks, [&](const Block& block) {
    return draft.blocks.size() > 1 && block.kind == Block::Kind::text &&
           block.text.starts_with("<system-reminder>");
  });
  return texts_of(draft);
}

void note_arguments(const Draft& message, std::vector<ToolArguments>& given) {
  for (const Block& block : message.blocks)
    if (block.kind == Block::Kind::tool_use)
      given.push_back({std::string(block.id), text_of(block)});
}

/// The messages of a request: those up to the model's last one, and those behind it.
struct QuotedRequest {
  std::vector<Quote> history, quotes;
  size_t messages = 0;
  bool has_answer = false;  ///< one of them is the model's
};

QuotedRequest quote_request(json::element request, bool wants_history) {
  QuotedRequest quoted;
  json::element list;
  bool has_items = json::find(request, "input", list);
  if (has_items && json::is_string(list)) {
    quoted.quotes.emplace_back().text = json::text(list);
    return quoted;
  }
  if (!has_items && !json::find(request, "messages", list)) {
    Draft prompt;
    if (read_prompt(request, prompt)) quote(prompt, quoted.quotes);
    return quoted;
  }
  json::items(list, [&](json::element message) {
    ++quoted.messages;
    Draft said;
    if (!has_items)
      read_message(message, said);
    else if (!read_response_item(message, said))
      return;
    if (said.role != Message::Role::assistant) return quote(said, quoted.quotes);
    quoted.has_answer = true;
    if (wants_history) {
      std::ranges::move(quoted.quotes, std::back_inserter(quoted.history));
      quote(said, quoted.history);
    }
    quoted.quotes.clear();
  });
  return quoted;
}

/// Tools that the log gives no ids got theirs as it was read, in the order in which the places of a
/// call tell of them.
class ToolNames {
 public:
  ToolNames(const Trace& trace, const Call& call)
      : trace_(trace),
        uses_(rows_of(trace.tool_uses, call.answer)),
        results_(rows_of(trace.tool_results, call.request)) {}

  void give(Draft& said) {
    const bool answers = said.role == Message::Role::assistant;
    for (Block& block : said.blocks)
      if (answers && block.kind == Block::Kind::tool_use)
        give(uses_, &ToolUse::id, block);
      else if (!answers && block.kind == Block::Kind::tool_result)
        give(results_, &ToolResult::tool_use, block);
  }

 private:
  /// What has an id of its own may be told again, and then is not the next one.
  template <class Row>
  void give(std::span<const Row>& rows, StringId Row::*id, Block& block) {
    if (rows.empty()) return;
    const std::string_view next = trace_[rows.front().*id];
    if (block.id.empty() || block.id.starts_with(kByOrder)) block.id = next;
    if (block.id == next) rows = rows.subspan(1);
  }

  const Trace& trace_;
  std::span<const ToolUse> uses_;  ///< of those that are still to come
  std::span<const ToolResult> results_;
};

std::string error_text(json::element body) {
  json::element error;
  if (!json::find(body, "error", error)) return {};
  return std::string(json::is_string(error) ? json::text(error) : json::text_at(error, "message"));
}

}  // namespace

void Excerpts::read_places(const Call& call, const std::function<void(const Draft&)>& each) {
  ToolNames names(*trace_, call);
  for (uint32_t i = call.first_place; i < call.first_place + call.places; ++i) {
    const Extent& place = trace_->places[i];
    json::element part;
    std::optional<std::string_view> bytes = again_.read(place);
    if (!bytes) continue;
    // The place of an item of a list may take in more than the item. Few places are of such, so
    // where the item ends is looked for only behind what is no object by itself.
    const bool may_be_whole = bytes->starts_with('{') && bytes->ends_with('}');
    if (!may_be_whole || parser_.parse(bytes->data(), bytes->size(), false).get(part)) {
      ValueScanner scanner;
      if (parser_.parse(bytes->data(), scanner.feed(*bytes), false).get(part)) continue;
    }
    Draft said;
    if (const Format* format = format_at(place); format != nullptr && format->say != nullptr)
      format->say(part, said);
    names.give(said);
    each(said);
  }
}

/// Of what was asked, the last that says anything; of the answer, all pieces.
Excerpt Excerpts::of_places(const Call& call) {
  Excerpt excerpt;
  read_places(call, [&](const Draft& said) {
    if (said.role == Message::Role::assistant) note_arguments(said, excerpt.tool_arguments);
    std::string text = call.is_thought ? joined_texts(said) : texts_of(said);
    if (call.is_thought)  // token by token, with the blanks they have
      excerpt.answer += text;
    else if (said.role == Message::Role::assistant)
      append(excerpt.answer, text);
    else if (!text.empty())
      excerpt.prompt = std::move(text);
  });
  return excerpt;
}

void Excerpts::read_messages(const Call& call, const std::function<void(const Draft&)>& each) {
  json::element span;
  if (!read_record(call.source, span)) return;
  parsers_.next_record();
  read_span_messages(span, parsers_, each);
}

Excerpt Excerpts::of_converted(const Call& call) {
  Excerpt excerpt;
  read_messages(call, [&](const Draft& said) {
    const bool answers = said.role == Message::Role::assistant;
    append(answers ? excerpt.answer : excerpt.prompt, texts_of(said));
    if (answers) note_arguments(said, excerpt.tool_arguments);
  });
  return excerpt;
}

bool Excerpts::read_exchange(const Call& call, json::element& record, Exchange& exchange) {
  const Format* format = format_at(call.source);
  if (format == nullptr || format->exchange == nullptr) return false;
  std::optional<std::string_view> bytes = again_.read(call.source);
  return bytes && parse_exchange(*format, *bytes, record, exchange);
}

bool Excerpts::parse_exchange(const Format& format, std::string_view bytes, json::element& record,
                              Exchange& exchange) {
  if (parser_.parse(bytes.data(), bytes.size(), false).get(record)) return false;
  parsers_.next_record();
  format.exchange(record, exchange);
  decode_answer(exchange, parsers_);
  return true;
}

void Excerpts::quote_answer(const Exchange& exchange, std::vector<Quote>& quotes) {
  if (!exchange.has_answer) return;
  Answer answer;
  read_answer(exchange.answer, parsers_, answer);
  answer.message.role = Message::Role::assistant;
  quote(answer.message, quotes);
}

namespace {

/// KnownLines counts messages by their steps.
Asked asked_with(size_t messages) {
  Asked asked;
  asked.steps.resize(messages);
  return asked;
}

}  // namespace

/// A request repeats its history. Of one that goes on with a request read shortly before, only what
/// is new is parsed; false: then all of it has to be.
bool Excerpts::quote_known(const Format& format, std::string_view bytes,
                           std::vector<Quote>& quotes) {
  const std::optional<KnownLines::Cut> cut = known_.cut(bytes);
  json::element record;
  Exchange exchange;
  if (!cut || !parse_exchange(format, cut->spliced, record, exchange)) return false;
  if (!exchange.has_request || !KnownLines::proves(exchange.request)) return false;
  QuotedRequest fresh = quote_request(exchange.request, false);
  if (!fresh.has_answer) return false;  // then older messages are behind the last answer, too
  quotes = std::move(fresh.quotes);
  quote_answer(exchange, quotes);
  known_.extend(*cut, asked_with(cut->messages + fresh.messages));
  return true;
}

Excerpt Excerpts::of(const Call& call) {
  Excerpt excerpt;
  if (call.in_transcript || call.is_thought) return of_places(call);
  if (call.is_converted) return of_converted(call);
  json::element record, body;
  Exchange exchange;
  if (!read_exchange(call, record, exchange)) return excerpt;
  if (exchange.has_request && unwrap(exchange.request, parsers_, body))
    excerpt.prompt = last_message(body);
  excerpt.error = error_text(record);
  if (!exchange.has_answer) return excerpt;
  Answer answer;
  read_answer(exchange.answer, parsers_, answer);
  excerpt.answer = texts_of(answer.message);
  note_arguments(answer.message, excerpt.tool_arguments);
  if (unwrap(exchange.answer, parsers_, body) && excerpt.error.empty())
    excerpt.error = error_text(body);
  return excerpt;
}

std::vector<Quote> Excerpts::quotes(const Call& call) {
  std::vector<Quote> quotes;
  if (call.in_transcript || call.is_thought) {
    read_places(call, [&](const Draft& said) { quote(said, quotes); });
    return quotes;
  }
  if (call.is_converted) {
    read_messages(call, [&](const Draft& said) { quote(said, quotes); });
    return quotes;
  }
  const Format* format = format_at(call.source);
  if (format == nullptr || format->exchange == nullptr) return quotes;
  const std::optional<std::string_view> bytes = again_.read(call.source);
  if (!bytes || quote_known(*format, *bytes, quotes)) return quotes;
  json::element record, body;
  Exchange exchange;
  if (!parse_exchange(*format, *bytes, record, exchange)) return quotes;
  if (exchange.has_request && unwrap(exchange.request, parsers_, body)) {
    QuotedRequest asked = quote_request(body, false);
    quotes = std::move(asked.quotes);
    known_.remember(*bytes, asked_with(asked.messages));
  }
  quote_answer(exchange, quotes);
  return quotes;
}

std::vector<Quote> Excerpts::history(const Call& call) {
  json::element record, body;
  Exchange exchange;
  const bool has_request = !call.in_transcript && !call.is_thought && !call.is_converted &&
                           read_exchange(call, record, exchange) && exchange.has_request;
  if (!has_request || !unwrap(exchange.request, parsers_, body)) return {};
  return quote_request(body, true).history;
}

std::vector<Quote> Excerpts::quotes(const Span& span) {
  json::element record;
  const Format* format = format_at(span.source);
  const bool has_tags = format != nullptr && format->step == read_span_step;
  if (!has_tags || !read_record(span.source, record)) return {};
  parsers_.next_record();
  return quote_span(record, parsers_);
}

Instructions Excerpts::instructions(const Call& call) {
  json::element record, body;
  Exchange exchange;
  if (call.in_transcript || call.is_thought || !read_exchange(call, record, exchange)) return {};
  if (!exchange.has_request || !unwrap(exchange.request, parsers_, body)) return {};
  return read_instructions(body);
}

bool Excerpts::read_record(const Extent& at, json::element& record) {
  std::optional<std::string_view> bytes = again_.read(at);
  if (!bytes) return false;
  // What a span's place takes in may be more than the span.
  ValueScanner scanner;
  size_t length = scanner.feed(*bytes);
  return scanner.closed() && !parser_.parse(bytes->data(), length, false).get(record);
}

StepRecord Excerpts::step(const Span& span) {
  StepRecord step;
  json::element record;
  if (!read_record(span.source, record)) return step;
  if (const Format* format = format_at(span.source); format != nullptr && format->step != nullptr)
    format->step(record, step);
  const GenAi& known = row_or_empty(*trace_, span.gen_ai);
  for (const auto& [name, into] : {std::pair(known.agent, &step.agent),
                                   {known.tool, &step.tool},
                                   {known.tool_call, &step.tool_call}})
    if (into->empty()) *into = (*trace_)[name];
  if (known.role == GenAi::Role::tool && !step.inputs.empty()) {
    parsers_.next_record();
    json::element given;
    const bool is_json = parsers_.parse(step.inputs, given);
    step.targets = (is_json ? targets_in(given) : targets_in(step.inputs)).all;
  }
  read_details(span, step);
  return step;
}

Appraisal Excerpts::appraisal(const Span& span) {
  Appraisal appraisal;
  json::element record;
  if (!read_record(span.source, record)) return appraisal;
  read_appraisal(record, span.source, appraisal);
  each_detail(span, [&](const SpanDetail& of, json::element told) {
    json::element attributes;
    Evaluation evaluation;
    evaluation.at = of.source;
    if (json::find(told, "attributes", attributes)) read_evaluation(attributes, evaluation);
    if (!evaluation.name.empty()) appraisal.evaluations.push_back(std::move(evaluation));
  });
  return appraisal;
}

void Excerpts::each_detail(const Span& span,
                           const std::function<void(const SpanDetail&, json::element)>& each) {
  const Trace& trace = *trace_;
  if (trace.span_details.empty()) return;
  if (!details_) {
    details_.emplace();
    for (uint32_t i = 0; i < trace.span_details.size(); ++i)
      details_->emplace(trace[trace.span_details[i].span], i);
  }
  auto [begin, end] = details_->equal_range(trace[span.id]);
  for (auto at = begin; at != end; ++at) {
    const SpanDetail& of = trace.span_details[at->second];
    json::element record;
    if (of.trace == span.trace && read_record(of.source, record)) each(of, record);
  }
}

void Excerpts::read_details(const Span& span, StepRecord& step) {
  each_detail(span, [&](const SpanDetail& of, json::element record) {
    StepDetail detail;
    detail.at = of.source;
    detail.time = {of.time, 9};
    detail.kind = of.kind == SpanDetail::Kind::log_record ? "log_record" : "exemplar";
    read_otlp_detail(record, (*trace_)[span.id], detail);
    step.details.push_back(std::move(detail));
  });
}

}  // namespace xtrace
