#include "input/growing/record_ids.h"

#include <algorithm>

#include "base/hash.h"

namespace xtrace {

namespace {

/// One space for all names that may represent the same thing; what cannot has one of its own.
enum class IdSpace : uint8_t { anything, trace, run, query, session, all };

/// Goes through the facts of a trace and notes whose ids they are.
class RecordIdCollector {
 public:
  RecordIdCollector(const SomeRecords& read, std::span<const RecordAt> records)
      : trace_(read.trace), records_(records), collected_(records.size()) {
    size_t begin = 0;
    for (uint32_t generation : read.generations) {
      size_t end = begin;
      while (end < records.size() && records[end].generation == generation) ++end;
      ranges_.push_back({begin, end});
      begin = end;
    }
  }

  std::vector<RecordIds> take() {
    for (const Call& call : trace_.calls) note(call);
    const auto note_fact = [&](const auto& fact) {
      RecordIds& ids = at(fact.source);
      ids.logged = std::max(ids.logged, fact.time);
      ids.has_calls = true;
      share(ids, IdSpace::all, {});
    };
    std::ranges::for_each(trace_.utterances, note_fact);
    std::ranges::for_each(trace_.relations, note_fact);
    for (const Thought& thought : trace_.thoughts) {
      RecordIds& ids = at(thought.source);
      ids.has_thoughts = true;
      ids.has_calls |= !thought.request;
      ids.logged = std::max(ids.logged, thought.time);  // of the line, whatever it tells of
      share(ids, IdSpace::anything, thought.request);
      share(ids, IdSpace::session, thought.session);
      note(ids, thought.task_step);
    }
    for (const Span& span : trace_.spans) note(span);
    for (const TraceSession& told : trace_.trace_sessions)
      share(at(told.source), IdSpace::trace, told.trace);
    for (const SpanDetail& detail : trace_.span_details) {
      RecordIds& ids = at(detail.source);
      ids.logged = std::max(ids.logged, detail.time);
      share(ids, IdSpace::trace, detail.trace);
      share(ids, IdSpace::anything, detail.span);
    }
    for (const ConvertedLink& link : trace_.converted_links) {
      RecordIds& ids = at(trace_[link.to].source);
      for (StringId id : {link.from_id, link.key, link.tool_use}) share(ids, IdSpace::anything, id);
    }
    note_tools();
    for (RecordIds& ids : collected_)
      for (std::vector<uint64_t>* some : {&ids.ids, &ids.tasks}) {
        std::ranges::sort(*some);
        some->erase(std::unique(some->begin(), some->end()), some->end());
      }
    return std::move(collected_);
  }

 private:
  struct Range {
    size_t begin, end;
  };

  /// Facts of one record stand inside it, those of a document anywhere.
  size_t index_of(const Extent& extent) const {
    Range range = ranges_[extent.file];
    auto begin = records_.begin() + static_cast<std::ptrdiff_t>(range.begin);
    auto end = records_.begin() + static_cast<std::ptrdiff_t>(range.end);
    auto behind =
        std::upper_bound(begin, end, extent.offset,
                         [](uint64_t offset, const RecordAt& r) { return offset < r.offset; });
    return static_cast<size_t>(behind - records_.begin()) - (behind == begin ? 0 : 1);
  }
  RecordIds& at(const Extent& extent) { return collected_[index_of(extent)]; }

  void share(RecordIds& ids, IdSpace space, StringId id) {
    if (!id && space != IdSpace::all) return;
    ids.ids.push_back(chain(static_cast<uint64_t>(space), hash_of(trace_[id])));
  }

  void note(const Call& call) {
    RecordIds& ids = at(call.source);
    ids.has_calls = true;
    ids.logged = std::max(ids.logged, call.end());
    note(ids, call.task_step);
    share(ids, call.session ? IdSpace::session : IdSpace::all, call.session);
    for (StringId id : {call.id, call.response, call.follows, call.spawned_by})
      share(ids, IdSpace::anything, id);
  }

  void note(const Span& span) {
    RecordIds& ids = at(span.source);
    ids.logged = std::max(ids.logged, after(span.start, span.duration));
    bool names_hop = span.from || span.to || span.hop_kind;
    if (names_hop) share(ids, IdSpace::all, {});
    share(ids, IdSpace::trace, span.trace);
    share(ids, IdSpace::run, span.run);
    share(ids, IdSpace::query, span.query);
    share(ids, IdSpace::anything, span.id);
    for (uint32_t i = 0; i < span.parents; ++i) {
      const SpanParent& parent = trace_.span_parents[span.first_parent + i];
      share(ids, IdSpace::trace, parent.trace);
      share(ids, IdSpace::anything, parent.span);
    }
    note(ids, span.task_step);
    if (span.task_step) {
      const TaskStep& task_step = trace_[span.task_step];
      ids.has_call_spans |= task_step.is_adapter || task_step.request;
      const bool asks_model = task_step.is_adapter || task_step.type == TaskStep::Type::llm_call;
      ids.has_timed_spans |= asks_model && !task_step.request;
    }
    if (span.gen_ai)
      ids.has_timed_spans |= trace_[span.gen_ai].role == GenAi::Role::model &&
                             !(span.task_step && trace_[span.task_step].request);
    if (span.gen_ai) share(ids, IdSpace::anything, trace_[span.gen_ai].tool_call);
  }

  void note(RecordIds& ids, TaskStepId id) {
    if (!id) return;
    const TaskStep& task_step = trace_[id];
    for (StringId other : {task_step.request, task_step.span, task_step.parent, task_step.trigger})
      share(ids, IdSpace::anything, other);
    share(ids, IdSpace::trace, task_step.trace);
    if (task_step.task) ids.tasks.push_back(hash_of(trace_[task_step.task]));
  }

  /// The tools that calls ask for and get results of. A message that several requests have belongs
  /// to the first of them.
  void note_tools() {
    constexpr size_t kNobody = SIZE_MAX;
    std::vector<size_t> owner(trace_.messages.size(), kNobody);
    for (const Call& call : trace_.calls) {
      size_t record = index_of(call.source);
      for (MessageId last : {call.answer, call.request})
        for (MessageId id = last; id && owner[id.index] == kNobody; id = trace_[id].before)
          owner[id.index] = record;
    }
    for (const ToolUse& use : trace_.tool_uses)
      if (size_t record = owner[use.message.index]; record != kNobody)
        share(collected_[record], IdSpace::anything, use.id);
    for (const ToolResult& result : trace_.tool_results)
      if (size_t record = owner[result.message.index]; record != kNobody)
        share(collected_[record], IdSpace::anything, result.tool_use);
  }

  const RawTrace& trace_;
  std::span<const RecordAt> records_;
  std::vector<Range> ranges_;  ///< by source
  std::vector<RecordIds> collected_;
};

}  // namespace

std::vector<RecordIds> ids_of(const SomeRecords& read, std::span<const RecordAt> records) {
  return RecordIdCollector(read, records).take();
}

}  // namespace xtrace
