#include "whole_trace.h"

#include <fmt/format.h>

#include <iterator>
#include <type_traits>

#include "reading.h"

namespace xtrace {

namespace {

/// Rows, a line each, of everything that facts are made of.
class Words {
 public:
  template <class... Parts>
  void row(std::string_view table, const Parts&... parts) {
    text_ += table;
    (put(parts), ...);
    text_ += '\n';
  }
  std::string text() && { return std::move(text_); }

 private:
  template <class Part>
  void put(const Part& part) {
    if constexpr (requires { part.index; })
      put(part.index);
    else if constexpr (std::is_enum_v<Part>)
      put(static_cast<int64_t>(part));
    else
      fmt::format_to(std::back_inserter(text_), " {}", part);
  }
  void put(const Extent& at) {
    put(at.offset);
    put(at.length);
    put(at.file);
    put(at.line);
  }
  void put(const Tokens& tokens) {
    for (int64_t count : {tokens.input, tokens.output, tokens.cache_read, tokens.cache_creation,
                          tokens.cache_creation_1h})
      put(count);
  }
  void put(const Time& time) { put(time.time_since_epoch().count()); }
  void put(const Duration& length) { put(length.count()); }

  std::string text_;
};

void add_inputs(const Trace& trace, Words& words) {
  for (const Source& of : trace.sources)
    words.row("source", of.format, of.bytes, of.unpacked_bytes.value_or(0), of.is_document,
              of.seekable, of.records, of.copies, of.skipped, of.foreign);
  for (const Unread& of : trace.unread) words.row("unread", of.why, of.files, of.may_hold_records);
  words.row("repaired", trace.repaired);
}

void add_calls(const Trace& trace, Words& words) {
  for (const Call& of : trace.calls)
    words.row("call", trace[of.id], of.start, of.duration, of.source, of.digest, of.outcome,
              of.decimals, of.request, of.answer, of.model, of.asked_model, of.previous, of.agent,
              of.session, of.user, of.agent_type, of.agent_label, of.agent_color, of.response,
              of.follows, of.parent_agent, of.spawned_by, of.system_prompt, of.stop_reason,
              of.error, of.tokens, of.cost, of.temperature, of.max_tokens, of.message_count,
              of.first_place, of.places, of.task_step, of.rivals, of.in_transcript, of.in_subagent,
              of.is_compacted, of.output_is_low, of.tools, of.is_converted, of.answer_is_lossy,
              of.is_thought, of.asked_to_wait, of.sums_up);
  for (const CallPlace& of : trace.places)
    words.row("place", static_cast<const Extent&>(of), of.sizes);
  for (const BlockSize& of : trace.block_sizes)
    words.row("size", of.kind, of.is_last, of.bytes, of.tool_use);
}

void add_messages(const Trace& trace, Words& words) {
  for (const Message& of : trace.messages)
    words.row("message", of.before, of.depth, of.key, of.role);
  for (const ToolUse& of : trace.tool_uses)
    words.row("use", of.message, of.id, of.name, of.target, of.command, of.subagent_type, of.prompt,
              of.resume, of.patches);
  for (const ToolTarget& of : trace.tool_targets) words.row("target", of.message, of.use, of.name);
  for (const ToolResult& of : trace.tool_results)
    words.row("result", of.message, of.tool_use, of.agent, of.is_error, of.error);
  for (const Prompt& of : trace.prompts) words.row("prompt", of.message, of.hash, of.command);
  for (const MessageText& of : trace.message_texts) words.row("text", of.message, of.text);
  for (const Argument& of : trace.arguments)
    words.row("argument", of.message, of.use, of.name, of.value);
}

void add_spans(const Trace& trace, Words& words) {
  for (const Span& of : trace.spans)
    words.row("span", of.start, of.duration, of.source, of.id, of.trace, of.service, of.operation,
              of.from, of.to, of.hop_kind, of.run, of.principal, of.route, of.peer, of.query,
              of.project, of.first_parent, of.parents, of.gen_ai, of.task_step, of.converted,
              of.own_id, of.kind, of.outcome, of.inbound, of.is_of_query);
  for (const SpanParent& of : trace.span_parents)
    words.row("parent", of.span, of.trace, of.follows, of.is_alternative, of.confidence);
  for (const GenAi& of : trace.gen_ai)
    words.row("gen_ai", of.agent, of.caller, of.tool, of.tool_call, of.model, of.searched,
              of.tokens, of.cost, of.role, of.tool_error, of.error);
  for (const SpanDetail& of : trace.span_details)
    words.row("detail", of.source, of.span, of.trace, of.time, of.kind);
}

void add_steps(const Trace& trace, Words& words) {
  for (const TaskStep& of : trace.task_steps)
    words.row("step", of.type, of.request, of.span, of.parent, of.trace, of.task, of.trigger,
              of.component, of.status, of.first_remark, of.remarks, of.is_event, of.is_adapter);
  for (const Remark& of : trace.remarks) words.row("remark", of.key, of.text, of.number, of.kind);
  for (const ConvertedHop& of : trace.converted_hops)
    words.row("converted_hop", of.run, of.from, of.to, of.kind, of.tool, of.method, of.confidence);
  for (const ConvertedLink& of : trace.converted_links)
    words.row("converted_link", of.from, of.to, of.from_id, of.kind, of.method, of.key, of.tool_use,
              of.error, of.confidence, of.shared, of.repeats, of.rivals, of.attempt, of.is_error,
              of.resumed, of.is_alternative, of.is_orphan);
}

void add_notes(const Trace& trace, Words& words) {
  for (const SessionNote& of : trace.session_notes)
    words.row("note", of.kind, of.source, of.session, of.ends_with, of.text);
}

}  // namespace

std::string words_of(const Trace& trace) {
  Words words;
  add_inputs(trace, words);
  add_calls(trace, words);
  add_messages(trace, words);
  add_spans(trace, words);
  add_steps(trace, words);
  add_notes(trace, words);
  for (size_t i = 0; i < trace.strings.size(); ++i)
    words.row("string", i, trace.strings[StringId(i)]);
  return std::move(words).text() + complaints_of(trace);
}

}  // namespace xtrace
