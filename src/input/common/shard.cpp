#include "input/common/shard.h"

#include <utility>

namespace xtrace {

MessageId Shard::find_message(uint64_t key) const {
  std::unordered_map<uint64_t, MessageId>::const_iterator known = by_key_.find(key);
  return known == by_key_.end() ? MessageId{} : known->second;
}

MessageId Shard::add_message(const Message& message) {
  MessageId id(messages_.size());
  messages_.push_back(message);
  by_key_.emplace(message.key, id);
  return id;
}

EventId Shard::add(Event event, Call call) {
  EventId id(events_.size());
  event.call = CallId(calls_.size());
  call.event = id;
  events_.push_back(event);
  calls_.push_back(call);
  return id;
}

void Shard::add(const Span& span, std::span<const SpanParent> parents) {
  spans_.push_back(span);
  spans_.back().first_parent = static_cast<uint32_t>(span_parents_.size());
  spans_.back().parents = static_cast<uint32_t>(parents.size());
  span_parents_.insert(span_parents_.end(), parents.begin(), parents.end());
}

ConvertedHopId Shard::add(const ConvertedHop& converted) {
  converted_hops_.push_back(converted);
  return ConvertedHopId(converted_hops_.size() - 1);
}

GenAiId Shard::add(const GenAi& converted) {
  gen_ai_.push_back(converted);
  return GenAiId(gen_ai_.size() - 1);
}

TaskStepId Shard::add(TaskStep task_step, std::span<const Remark> remarks) {
  task_step.first_remark = static_cast<uint32_t>(remarks_.size());
  task_step.remarks = static_cast<uint32_t>(remarks.size());
  remarks_.insert(remarks_.end(), remarks.begin(), remarks.end());
  task_steps_.push_back(task_step);
  return TaskStepId(task_steps_.size() - 1);
}

void Shard::complain(Complaint::Kind kind, Extent at, std::string what) {
  switch (kind) {
    case Complaint::Kind::damaged:
    case Complaint::Kind::unfinished:
    case Complaint::Kind::unknown_record: ++skipped_; break;
    case Complaint::Kind::repaired: ++repaired_; break;
    case Complaint::Kind::field:
    case Complaint::Kind::parent: break;
  }
  if (complaints_.size() < kComplaintsKept) complaints_.push_back({at, std::move(what), kind});
}

namespace {

/// Renumbers what one shard holds into what the trace holds.
class Renumbering {
 public:
  Renumbering(const StringPool& from, StringPool& into) {
    strings_.reserve(from.size());
    for (size_t i = 0; i < from.size(); ++i) strings_.push_back(into.intern(from[StringId(i)]));
  }
  void map(MessageId to, bool is_new) {
    messages_.push_back(to);
    is_new_.push_back(is_new);
  }
  bool is_new(MessageId id) const { return is_new_[id.index]; }

  void apply(StringId& id) const {
    if (id) id = strings_[id.index];
  }
  void apply(MessageId& id) const {
    if (id) id = messages_[id.index];
  }
  template <class... Ids>
  void all(Ids&... ids) const {
    (apply(ids), ...);
  }

 private:
  std::vector<StringId> strings_;
  std::vector<MessageId> messages_;
  std::vector<bool> is_new_;
};

}  // namespace

Trace merge(std::vector<Shard> shards, std::vector<Source> sources) {
  Trace trace;
  trace.sources = std::move(sources);
  std::unordered_map<uint64_t, MessageId> by_key;
  std::vector<uint32_t> lines_before(trace.sources.size(), 0);

  for (Shard& shard : shards) {
    Renumbering renumbered(shard.strings_, trace.strings);
    for (Message message : shard.messages_) {
      renumbered.apply(message.before);
      auto [known, is_new] = by_key.emplace(message.key, MessageId(trace.messages.size()));
      if (is_new) trace.messages.push_back(message);
      renumbered.map(known->second, is_new);
    }
    // What a message holds was told by the shard that saw the message first.
    for (ToolUse use : shard.tool_uses_) {
      if (!renumbered.is_new(use.message)) continue;
      renumbered.all(use.message, use.id, use.name, use.target, use.command, use.subagent_type,
                     use.prompt, use.resume);
      trace.tool_uses.push_back(use);
    }
    for (ToolResult result : shard.tool_results_) {
      if (!renumbered.is_new(result.message)) continue;
      renumbered.all(result.message, result.tool_use, result.agent);
      trace.tool_results.push_back(result);
    }
    for (Prompt prompt : shard.prompts_) {
      if (!renumbered.is_new(prompt.message)) continue;
      renumbered.all(prompt.message, prompt.hash, prompt.command);
      trace.prompts.push_back(prompt);
    }
    for (MessageText message_text : shard.wordings_) {
      if (!renumbered.is_new(message_text.message)) continue;
      renumbered.all(message_text.message, message_text.text);
      trace.message_texts.push_back(message_text);
    }
    for (Argument argument : shard.arguments_) {
      if (!renumbered.is_new(argument.message)) continue;
      renumbered.all(argument.message, argument.name, argument.value);
      trace.arguments.push_back(argument);
    }
    size_t first_task_step = trace.task_steps.size();
    uint32_t first_remark = static_cast<uint32_t>(trace.remarks.size());
    for (TaskStep task_step : shard.task_steps_) {
      task_step.first_remark += first_remark;
      renumbered.all(task_step.request, task_step.span, task_step.parent, task_step.trace,
                     task_step.task, task_step.trigger, task_step.component, task_step.status);
      trace.task_steps.push_back(task_step);
    }
    for (Remark remark : shard.remarks_) {
      renumbered.apply(remark.text);
      trace.remarks.push_back(remark);
    }
    for (Thought thought : shard.thoughts_) {
      thought.source.line += lines_before[thought.source.file];
      thought.task_step = TaskStepId(first_task_step + thought.task_step.index);
      renumbered.all(thought.request, thought.session, thought.model, thought.agent, thought.error);
      ++trace.sources[thought.source.file].records;
      trace.thoughts.push_back(thought);
    }
    size_t first_event = trace.events.size(), first_call = trace.calls.size();
    for (Event event : shard.events_) {
      event.source.line += lines_before[event.source.file];
      renumbered.apply(event.id);
      event.call = CallId(first_call + event.call.index);
      ++trace.sources[event.source.file].records;
      trace.events.push_back(event);
    }
    for (Call call : shard.calls_) {
      call.event = EventId(first_event + call.event.index);
      renumbered.all(call.request, call.answer, call.model, call.asked_model, call.session,
                     call.user, call.agent, call.agent_type, call.agent_label, call.agent_color,
                     call.response, call.follows, call.spawned_by, call.system_prompt,
                     call.stop_reason, call.error);
      trace.calls.push_back(call);
    }
    for (Utterance said : shard.utterances_) {
      said.source.line += lines_before[said.source.file];
      renumbered.all(said.message, said.id, said.after, said.session, said.user, said.agent,
                     said.answer, said.request, said.agent_type, said.tool_use, said.prompt,
                     said.model, said.stop_reason, said.error);
      trace.utterances.push_back(said);
    }
    trace.spans.reserve(trace.spans.size() + shard.spans_.size());
    uint32_t first_parent = static_cast<uint32_t>(trace.span_parents.size());
    size_t first_gen_ai = trace.gen_ai.size(), first_converted = trace.converted_hops.size();
    for (Span span : shard.spans_) {
      span.source.line += lines_before[span.source.file];
      span.first_parent += first_parent;
      if (span.gen_ai) span.gen_ai = GenAiId(first_gen_ai + span.gen_ai.index);
      if (span.task_step) span.task_step = TaskStepId(first_task_step + span.task_step.index);
      if (span.converted) span.converted = ConvertedHopId(first_converted + span.converted.index);
      renumbered.apply(span.own_id);
      renumbered.all(span.id, span.trace, span.service, span.operation, span.from, span.to,
                     span.hop_kind, span.run, span.principal, span.route, span.peer, span.query,
                     span.project);
      ++trace.sources[span.source.file].records;
      trace.spans.push_back(span);
    }
    for (SpanParent parent : shard.span_parents_) {
      renumbered.all(parent.span, parent.trace);
      trace.span_parents.push_back(parent);
    }
    for (GenAi converted : shard.gen_ai_) {
      renumbered.all(converted.agent, converted.caller, converted.tool, converted.tool_call,
                     converted.model, converted.searched);
      trace.gen_ai.push_back(converted);
    }
    for (ConvertedHop converted : shard.converted_hops_) {
      renumbered.all(converted.run, converted.from, converted.to, converted.kind, converted.tool,
                     converted.method);
      trace.converted_hops.push_back(converted);
    }
    for (ConvertedLink converted : shard.converted_links_) {
      converted.to = EventId(first_event + converted.to.index);
      renumbered.all(converted.from_id, converted.kind, converted.method, converted.key,
                     converted.tool_use);
      trace.converted_links.push_back(converted);
    }
    for (SpanDetail detail : shard.span_details_) {
      detail.source.line += lines_before[detail.source.file];
      renumbered.all(detail.span, detail.trace);
      trace.span_details.push_back(detail);
    }
    for (Complaint& complaint : shard.complaints_) {
      complaint.at.line += lines_before[complaint.at.file];
      trace.complaints.push_back(std::move(complaint));
    }
    trace.repaired += shard.repaired_;
    Source& source = trace.sources[shard.source_];
    source.records += shard.records_;
    source.skipped += shard.skipped_;
    source.records += shard.other_records_;
    if (source.format.empty()) source.format = shard.format_;
    lines_before[shard.source_] += shard.lines_;
    shard = Shard(shard.source_);  // its memory is free for the next
  }
  return trace;
}

}  // namespace xtrace
