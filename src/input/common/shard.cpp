#include "input/common/shard.h"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

#include "input/common/row_fields.h"

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
  ++now().records;
  return CallId(tables_.calls.size() - 1);
}

void Shard::add(const Span& span, std::span<const SpanParent> parents) {
  tables_.spans.push_back(span);
  ++now().records;
  tables_.spans.back().first_parent = static_cast<uint32_t>(tables_.span_parents.size());
  tables_.spans.back().parents = static_cast<uint32_t>(parents.size());
  tables_.span_parents.insert(tables_.span_parents.end(), parents.begin(), parents.end());
}

ConvertedHopId Shard::add(const ConvertedHop& converted) {
  tables_.converted_hops.push_back(converted);
  return ConvertedHopId(tables_.converted_hops.size() - 1);
}

BlockSizeId Shard::add(const std::vector<BlockSize>& sizes) {
  const BlockSizeId first(tables_.block_sizes.size());
  tables_.block_sizes.insert(tables_.block_sizes.end(), sizes.begin(), sizes.end());
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

StringId Shard::intern_argument(std::string_view value) {
  if (!sealed_argument_ || value.empty()) return intern_text(value);
  const ToolUse* use = tables_.tool_uses.empty() ? nullptr : &tables_.tool_uses.back();
  const bool is_name =
      use != nullptr && (value == strings_[use->target] || value == strings_[use->subagent_type]);
  return intern_text(is_name ? std::string(value) : sealed_argument_(value));
}

void Shard::complain(Complaint::Kind kind, Extent at, std::string what) {
  switch (kind) {
    case Complaint::Kind::damaged:
    case Complaint::Kind::unfinished:
    case Complaint::Kind::unknown_record: ++now().skipped; break;
    case Complaint::Kind::repaired: ++now().repaired; break;
    case Complaint::Kind::field:
    case Complaint::Kind::parent: break;
  }
  if (complaints_.size() < kComplaintsKept) complaints_.push_back({at, std::move(what), kind});
}

namespace {

/// Calls `each` with the members that hold the tables, but for that of the messages, of which one
/// is in several shards.
template <class Each>
void for_each_table(Each each) {
  auto unless_messages = [&]<class Row>(std::vector<Row> Tables::*table) {
    if constexpr (!std::is_same_v<Row, Message>) each(table);
  };
  std::apply([&](auto... table) { (unless_messages(table), ...); }, kTables);
}

}  // namespace

/// Renumbers what refers to rows of a shard, a stretch after another, into what refers to the same
/// rows in the trace, where they are behind all that was merged before.
class Renumbering {
 public:
  explicit Renumbering(RawTrace& into) : into_(into) {}

  /// What is renumbered next is in `stretch`, whose rows begin at `begins`.
  void begin(const Stretch& stretch, const std::vector<uint32_t>& begins, uint32_t lines_before) {
    stretch_ = &stretch;
    begins_ = &begins;
    lines_before_ = lines_before;
  }
  void know(const StringPool& strings, size_t end) {
    strings_.reserve(end);
    while (strings_.size() < end)
      strings_.push_back(into_.strings.intern(strings[StringId(strings_.size())]));
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
    if (id)
      id = Id<Row>(into_.of<Row>().size() + id.index - (*begins_)[Shard::index_of_table<Row>()]);
  }
  template <class Row>
  void operator()(RowIndex<Row> row) const {
    row.at +=
        static_cast<uint32_t>(into_.of<Row>().size()) - (*begins_)[Shard::index_of_table<Row>()];
  }
  /// Lines are counted within a stretch so far.
  void operator()(Extent& at) const {
    at.file = stretch_->source;
    at.line = stretch_->has_lines ? at.line + lines_before_ : 0;
  }

  template <class Row>
  void all(std::span<Row> rows) const {
    for (Row& row : rows) for_each_reference(row, *this);
  }

 private:
  RawTrace& into_;
  const Stretch* stretch_ = nullptr;
  const std::vector<uint32_t>* begins_ = nullptr;
  uint32_t lines_before_ = 0;
  std::vector<StringId> strings_;
  std::vector<MessageId> messages_;
  std::vector<bool> is_new_;
};

namespace {

/// Those of a table that are in a stretch.
template <class Row>
std::span<Row> rows_in(std::vector<Row>& rows, size_t table, const std::vector<uint32_t>& begins,
                       const std::vector<uint32_t>& ends) {
  return std::span(rows).subspan(begins[table], ends[table] - begins[table]);
}

template <class Row>
void append(std::span<Row> rows, std::vector<Row>& into) {
  into.insert(into.end(), rows.begin(), rows.end());
}

}  // namespace

void Shard::begin_stretch(Stretch next) {
  close_stretch();
  stretches_.push_back(std::move(next));
}

void Shard::close_stretch() {
  std::vector<uint32_t>& ends = now().ends;
  ends.clear();
  ends.reserve(Shard::kEnds);
  std::apply(
      [&](auto... table) { (ends.push_back(static_cast<uint32_t>((tables_.*table).size())), ...); },
      kTables);
  for_each_raw_table(
      [&](auto table) { ends.push_back(static_cast<uint32_t>((raw_.*table).size())); });
  for (size_t rows : {complaints_.size(), strings_.size()})
    ends.push_back(static_cast<uint32_t>(rows));
}

void Shard::finish() {
  by_key_ = {};
  made_ = {};
  placed_ = {};
  std::apply([&](auto... table) { ((tables_.*table).shrink_to_fit(), ...); }, kTables);
  for_each_raw_table([&](auto table) { (raw_.*table).shrink_to_fit(); });
}

/// Once for a source, however many of its pieces met it.
void Shard::note_became_shorter(std::vector<Shard>& shards) {
  std::set<uint32_t> told;
  for (Shard& shard : shards)
    if (shard.became_shorter_ && told.insert(shard.source()).second)
      shard.complain(Complaint::Kind::damaged, *shard.became_shorter_,
                     "was truncated while it was read; the content read so far is used");
}

/// One shard, which is merged a stretch after another.
class Merging {
 public:
  Merging(Shard& shard, RawTrace& trace) : shard_(shard), trace_(trace), renumbered_(trace) {}

  void add(const Stretch& stretch, uint32_t lines_before,
           std::unordered_map<uint64_t, MessageId>& by_key) {
    renumbered_.begin(stretch, begins_, lines_before);
    renumbered_.know(shard_.strings_, stretch.ends[Shard::kStrings]);
    for (Message message : in(shard_.tables_.messages, stretch, Shard::index_of_table<Message>())) {
      for_each_reference(message, renumbered_);
      auto [known, is_new] = by_key.emplace(message.key, MessageId(trace_.messages.size()));
      if (is_new) trace_.messages.push_back(message);
      renumbered_.map(known->second, is_new);
    }
    if (!stretch.is_again) add_rows(stretch);
    begins_ = stretch.ends;
  }

 private:
  template <class Row>
  std::span<Row> in(std::vector<Row>& rows, const Stretch& stretch, size_t table) const {
    return rows_in(rows, table, begins_, stretch.ends);
  }

  void add_rows(const Stretch& stretch) {
    std::array<size_t, Shard::kTablesOfTrace> kept{};
    // All tables of the trace keep their sizes until everything is renumbered.
    for_each_table([&]<class Row>(std::vector<Row> Tables::*table) {
      std::span<Row> rows = in(shard_.tables_.*table, stretch, Shard::index_of_table<Row>());
      // What a message holds was told by the shard that saw the message first.
      if constexpr (requires(Row row) { row.message; }) {
        auto end = std::remove_if(rows.begin(), rows.end(),
                                  [&](const Row& row) { return !renumbered_.is_new(row.message); });
        rows = rows.first(static_cast<size_t>(end - rows.begin()));
      }
      renumbered_.all(rows);
      kept[Shard::index_of_table<Row>()] = rows.size();
    });
    size_t raw = Shard::kRaw;
    for_each_raw_table([&](auto table) {
      const std::span rows = in(shard_.raw_.*table, stretch, raw++);
      renumbered_.all(rows);
      append(rows, trace_.*table);
    });
    for_each_table([&]<class Row>(std::vector<Row> Tables::*table) {
      constexpr size_t kIndex = Shard::index_of_table<Row>();
      append(in(shard_.tables_.*table, stretch, kIndex).first(kept[kIndex]), trace_.*table);
    });
    for (Complaint& complaint : in(shard_.complaints_, stretch, Shard::kComplaints)) {
      renumbered_(complaint.at);
      trace_.complaints.push_back(std::move(complaint));
    }
    trace_.repaired += stretch.repaired;
    Source& source = trace_.sources[stretch.source];
    source.records += stretch.records + stretch.other_records;
    source.skipped += stretch.skipped;
    if (source.format.empty()) source.format = stretch.format;
  }

  Shard& shard_;
  RawTrace& trace_;
  Renumbering renumbered_;
  std::vector<uint32_t> begins_ = std::vector<uint32_t>(Shard::kEnds, 0);
};

namespace {

/// A stretch of a shard, by their numbers.
struct StretchAt {
  size_t shard, stretch;
};

std::vector<StretchAt> in_order(const std::vector<Shard>& shards) {
  std::vector<StretchAt> order;
  for (size_t i = 0; i < shards.size(); ++i)
    for (size_t k = 0; k < shards[i].stretches().size(); ++k) order.push_back({i, k});
  auto key = [&](const StretchAt& at) {
    const Stretch& stretch = shards[at.shard].stretches()[at.stretch];
    return std::pair(stretch.source, stretch.begin);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](const StretchAt& a, const StretchAt& b) { return key(a) < key(b); });
  return order;
}

}  // namespace

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
  size_t messages = 0;
  for (const Shard& shard : shards) messages += shard.tables_.messages.size();
  by_key.reserve(messages);

  Shard::note_became_shorter(shards);
  for (Shard& shard : shards) shard.close_stretch();
  std::vector<std::unique_ptr<Merging>> merging(shards.size());
  for (const StretchAt& at : in_order(shards)) {
    Shard& shard = shards[at.shard];
    if (merging[at.shard] == nullptr) merging[at.shard] = std::make_unique<Merging>(shard, trace);
    const Stretch& stretch = shard.stretches()[at.stretch];
    uint32_t& before = lines_before[stretch.source];
    if (stretch.first_line > 0) before = stretch.first_line - 1;
    merging[at.shard]->add(stretch, before, by_key);
    if (!stretch.is_again) before += stretch.lines;
    if (at.stretch + 1 < shard.stretches().size()) continue;
    merging[at.shard] = nullptr;
    shard = Shard(0);  // its memory is free for the next
  }
  return trace;
}

}  // namespace xtrace
