#include "input/common/shard.h"

#include <functional>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

namespace xtrace {

MessageId Shard::find_message(uint64_t key) const {
  std::unordered_map<uint64_t, MessageId>::const_iterator known = by_key_.find(key);
  return known == by_key_.end() ? MessageId{} : known->second;
}

MessageId Shard::add_message(const Message& message) {
  MessageId id(tables_.messages.size());
  tables_.messages.push_back(message);
  by_key_.emplace(message.key, id);
  return id;
}

CallId Shard::add(const Call& call) {
  tables_.calls.push_back(call);
  ++records_;
  return CallId(tables_.calls.size() - 1);
}

void Shard::add(const Span& span, std::span<const SpanParent> parents) {
  tables_.spans.push_back(span);
  ++records_;
  tables_.spans.back().first_parent = static_cast<uint32_t>(tables_.span_parents.size());
  tables_.spans.back().parents = static_cast<uint32_t>(parents.size());
  tables_.span_parents.insert(tables_.span_parents.end(), parents.begin(), parents.end());
}

ConvertedHopId Shard::add(const ConvertedHop& converted) {
  tables_.converted_hops.push_back(converted);
  return ConvertedHopId(tables_.converted_hops.size() - 1);
}

SaidSizeId Shard::add(std::span<const SaidSize> sizes) {
  const SaidSizeId first(tables_.said_sizes.size());
  tables_.said_sizes.insert(tables_.said_sizes.end(), sizes.begin(), sizes.end());
  return first;
}

GenAiId Shard::add(const GenAi& converted) {
  tables_.gen_ai.push_back(converted);
  return GenAiId(tables_.gen_ai.size() - 1);
}

TaskStepId Shard::add(TaskStep task_step, std::span<const Remark> remarks) {
  task_step.first_remark = static_cast<uint32_t>(tables_.remarks.size());
  task_step.remarks = static_cast<uint32_t>(remarks.size());
  tables_.remarks.insert(tables_.remarks.end(), remarks.begin(), remarks.end());
  tables_.task_steps.push_back(task_step);
  return TaskStepId(tables_.task_steps.size() - 1);
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

/// Renumbers what refers to rows of one shard into what refers to the same rows in the trace, where
/// they stand behind all that was merged before.
class Renumbering {
 public:
  Renumbering(const StringPool& strings, RawTrace& into, const std::vector<uint32_t>& lines_before)
      : into_(into), lines_before_(lines_before) {
    strings_.reserve(strings.size());
    for (size_t i = 0; i < strings.size(); ++i)
      strings_.push_back(into.strings.intern(strings[StringId(i)]));
  }
  void map(MessageId to, bool is_new) {
    messages_.push_back(to);
    is_new_.push_back(is_new);
  }
  bool is_new(MessageId id) const { return is_new_[id.index]; }

  void operator()(StringId& id) const {
    if (id) id = strings_[id.index];
  }
  void operator()(MessageId& id) const {
    if (id) id = messages_[id.index];
  }
  template <class Row>
  void operator()(Id<Row>& id) const {
    if (id) id = Id<Row>(into_.of<Row>().size() + id.index);
  }
  template <class Row>
  void operator()(RowIndex<Row> row) const {
    row.at += static_cast<uint32_t>(into_.of<Row>().size());
  }
  /// Lines are counted within a piece so far.
  void operator()(Extent& at) const { at.line += lines_before_[at.file]; }

  template <class Row>
  void all(std::vector<Row>& rows) const {
    for (Row& row : rows) for_each_reference(row, std::cref(*this));
  }

 private:
  const RawTrace& into_;
  const std::vector<uint32_t>& lines_before_;
  std::vector<StringId> strings_;
  std::vector<MessageId> messages_;
  std::vector<bool> is_new_;
};

/// Calls `each` with the members that hold the tables, but for that of the messages, of which one
/// stands in several shards.
template <class Each>
void for_each_table(Each each) {
  auto unless_messages = [&]<class Row>(std::vector<Row> Tables::*table) {
    if constexpr (!std::is_same_v<Row, Message>) each(table);
  };
  std::apply([&](auto... table) { (unless_messages(table), ...); }, kTables);
}

template <class Row>
void append(std::vector<Row>& rows, std::vector<Row>& into) {
  into.insert(into.end(), rows.begin(), rows.end());
}

}  // namespace

/// Once for a source, however many of its pieces met it.
void Shard::note_became_shorter(std::vector<Shard>& shards) {
  std::set<uint32_t> told;
  for (Shard& shard : shards)
    if (shard.became_shorter_ && told.insert(shard.source_).second)
      shard.complain(Complaint::Kind::damaged, *shard.became_shorter_,
                     "became shorter while it was read; what was read of it is used");
}

RawTrace merge(std::vector<Shard> shards, std::vector<Source> sources) {
  RawTrace trace;
  trace.sources = std::move(sources);
  std::unordered_map<uint64_t, MessageId> by_key;
  std::vector<uint32_t> lines_before(trace.sources.size(), 0);
  for_each_table([&](auto table) {
    size_t rows = 0;
    for (const Shard& shard : shards) rows += (shard.tables_.*table).size();
    (trace.*table).reserve(rows);
  });

  Shard::note_became_shorter(shards);
  for (Shard& shard : shards) {
    Renumbering renumbered(shard.strings_, trace, lines_before);
    for (Message message : shard.tables_.messages) {
      for_each_reference(message, std::cref(renumbered));
      auto [known, is_new] = by_key.emplace(message.key, MessageId(trace.messages.size()));
      if (is_new) trace.messages.push_back(message);
      renumbered.map(known->second, is_new);
    }
    // All tables of the trace keep their sizes until everything is renumbered.
    for_each_table([&]<class Row>(std::vector<Row> Tables::*table) {
      // What a message holds was told by the shard that saw the message first.
      if constexpr (requires(Row row) { row.message; })
        std::erase_if(shard.tables_.*table,
                      [&](const Row& row) { return !renumbered.is_new(row.message); });
      renumbered.all(shard.tables_.*table);
    });
    renumbered.all(shard.transcripts_.utterances);
    renumbered.all(shard.transcripts_.thoughts);
    renumbered.all(shard.trace_sessions_);
    for_each_table([&](auto table) { append(shard.tables_.*table, trace.*table); });
    append(shard.transcripts_.utterances, trace.utterances);
    append(shard.transcripts_.thoughts, trace.thoughts);
    append(shard.trace_sessions_, trace.trace_sessions);
    for (Complaint& complaint : shard.complaints_) {
      renumbered(complaint.at);
      trace.complaints.push_back(std::move(complaint));
    }
    trace.repaired += shard.repaired_;
    Source& source = trace.sources[shard.source_];
    source.records += shard.records_ + shard.other_records_;
    source.skipped += shard.skipped_;
    if (source.format.empty()) source.format = shard.format_;
    lines_before[shard.source_] += shard.lines_;
    shard = Shard(shard.source_);  // its memory is free for the next
  }
  return trace;
}

}  // namespace xtrace
