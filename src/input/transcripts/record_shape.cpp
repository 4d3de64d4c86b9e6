#include "input/transcripts/record_shape.h"

#include <fmt/format.h>

#include <utility>

#include "input/calls/error_word.h"
#include "input/common/graph_parts.h"
#include "input/common/moments.h"
#include "input/common/record_context.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

class ShapedRecord {
 public:
  ShapedRecord(RecordMatcher& record, const Part& whole, const RecordShape& shape,
               const Utterance& said, RecordContext& context)
      : record_(record),
        whole_(whole),
        shape_(shape),
        context_(context),
        shard_(context.shard),
        common_(said) {}

  void read() {
    begin();
    if (shape_.adds) add_itself();
    if (shape_.message != nullptr) read_messages();
    if (shape_.usage != nullptr) add_usage();
    if (shape_.read != nullptr) shape_.read(record_, whole_, common_, context_);
    if (shape_.kinds.empty()) return;
    if (const RecordShape* kind = find_shape(record_, shape_.kinds))
      ShapedRecord(record_, whole_, *kind, common_, context_).read();
  }

 private:
  StringId name_on(const ColumnPath& path) const {
    json::element value;
    if (!record_.follow(path, value)) return {};
    if (!json::text(value).empty()) return shard_.intern(json::text(value));
    return shard_.intern(json::text_on(record_, path));  // a number, or at the next place
  }
  void take(StringId& known, const ColumnPath& path) const {
    if (const StringId own = name_on(path)) known = own;
  }

  void begin() {
    const SessionShape& session = shape_.session;
    common_.source = whole_.at;
    take(common_.session, session.id);
    take(common_.model, session.model);
    take(common_.provider, session.provider);
    const StringId parent = name_on(session.parent);
    if (parent) {
      common_.agent = std::exchange(common_.session, parent);
      common_.agent_type = name_on(session.agent_type);
      common_.in_subagent = true;
    }
    read_line();
    if (shape_.is_printed) mark_printed(common_);
    common_.is_ambiguous |= shape_.is_ambiguous;
    // A subagent's session has no title that anybody would look for.
    if (!parent) note_session_facts();
  }

  /// What the record states about itself.
  void read_line() {
    json::element value;
    take(common_.id, shape_.id);
    take(common_.after, shape_.after);
    take(common_.request, shape_.request);
    take(common_.agent, shape_.agent);
    take(common_.agent_type, shape_.agent_type);
    if (const StringId use = name_on(shape_.started_by))
      common_.tool_use = use, common_.in_subagent = true;
    if (!shape_.after.empty()) common_.is_chained |= record_.find(shape_.after.path, value);
    if (record_.follow(shape_.in_subagent, value)) common_.in_subagent |= json::is_true(value);
    if (record_.follow(shape_.copied_from, value) && json::is_object(value))
      common_.way = Utterance::Way::copied;
    if (record_.follow(shape_.time, value)) read_time(value, common_);
  }

  void note_session_facts() const {
    const auto note = [&](SessionNote::Kind kind, const ColumnPath& path) {
      if (!path.empty())
        note_session(shard_, kind, whole_.at, common_.session, json::text_on(record_, path));
    };
    note(SessionNote::Kind::project, shape_.session.project);
    note(SessionNote::Kind::summary, shape_.session.summary);
    note(SessionNote::Kind::ai_title, shape_.session.ai_title);
    note(SessionNote::Kind::title, shape_.session.title);
  }

  void add_itself() {
    Utterance said = common_;
    said.kind = *shape_.adds;
    if (shape_.is_echo) said.way = Utterance::Way::echoed;
    if (said.kind == Kind::failed) {
      json::element value;
      said.outcome = Outcome::error;
      said.is_owed = shape_.is_owed;
      const std::string error = error_named();
      if (shape_.is_of_run)
        said.form = is_word(error, shape_.limits) ? Utterance::Form::aside : Utterance::Form::whole;
      said.error = shard_.intern(error);
      if (json::follow(record_, shape_.waits, value))
        if (const Duration waits = read_milliseconds(value); waits != kNoDuration)
          said.again_at = after(said.time, waits);
    }
    shard_.add(said);
    if (said.kind != Kind::heading || !said.in_subagent) return;
    AgentRelation about = relation_of(said, AgentRelation::Kind::started, said.agent);
    about.agent_type = said.agent_type;
    about.tool_use = name_on(shape_.session.tool_use);
    shard_.add(about);
  }

  /// Never what an error says, which may be payload.
  std::string error_named() const {
    json::element error;
    std::string word;
    if (json::follow(record_, shape_.error, error)) word = error_word(error);
    return word.empty() ? std::string(shape_.error_is) : word;
  }

  void read_messages() const {
    MessageReader reader(*shape_.message, context_);
    reader.common = common_;
    if (shape_.is_echo) reader.common.way = Utterance::Way::echoed;
    if (!shape_.list.empty()) return reader.read_list(record_, whole_, shape_.list);
    json::element message = record_;
    if (shape_.message_at.empty()) return reader.read(message, whole_);
    if (json::follow(record_, shape_.message_at, message))
      reader.read(message, whole_.field(shape_.message_at));
  }

  void add_usage() const {
    const UsageRecord& usage = *shape_.usage;
    Utterance said = usage_of(common_, usage.terms);
    json::element models;
    if (!usage.since.empty()) {
      said.usage.run = shard_.intern("usage-since-" + json::text_on(record_, usage.since));
      said.answer =
          shard_.intern(fmt::format("{}/{}/{}", shard_[said.usage.run], shard_[said.session],
                                    json::text_on(record_, shape_.time)));
    }
    if (!json::follow(record_, usage.by_model, models)) return add_counts(record_, said);
    json::fields(models, [&](std::string_view model, json::element counted) {
      said.model = shard_.intern(model);
      add_counts(counted, said);
    });
  }

  void add_counts(json::element from, Utterance said) const {
    const UsageRecord& usage = *shape_.usage;
    json::element value;
    if (const StringId model = shard_.intern(json::text_on(from, usage.model))) said.model = model;
    if (json::follow(from, usage.at, value)) said.tokens = read_usage(value, usage.counts);
    if (json::follow(from, usage.cost, value)) said.cost = read_dollars(value, usage.per_dollar);
    if (usage.zero_is_unknown && said.cost == 0) said.cost = kNoCount;
    if (const std::string id = json::text_on(record_, usage.id); !id.empty()) {
      said.id = shard_.intern(fmt::format("{}/usage/{}", id, shard_[said.model]));
      said.version = Utterance::Version::newer;
    }
    said.usage.calls = json::count_on(from, usage.calls, kNoCount);
    if (states_usage(said)) shard_.add(said);
  }

  RecordMatcher& record_;
  const Part& whole_;
  const RecordShape& shape_;
  RecordContext& context_;
  Shard& shard_;
  Utterance common_;  ///< what all utterances of the record have in common
};

}  // namespace

const RecordShape* find_shape(RecordMatcher& record, std::span<const RecordShape> shapes) {
  const KeyShape* keys = record.keys();
  if (keys == nullptr) {
    for (const RecordShape& shape : shapes)
      if (record.matches(shape.when)) return &shape;
    return nullptr;
  }
  for (const KeyShape::OpenRow open : open_rows(shapes, &RecordShape::when, *keys))
    if (record.matches(shapes[open.row].when, open.conditions)) return &shapes[open.row];
  return nullptr;
}

bool keeps_shape(RecordMatcher& record, std::span<const RecordShape> shapes) {
  record.keep_shape(find_shape(record, shapes));
  return record.shape() != nullptr;
}

void read_record(const Part& whole, std::span<const RecordShape> shapes, RecordContext& context) {
  context.shard.count_record();
  RecordMatcher& record = *context.keys;
  const RecordShape* shape = record.shape();
  const auto is_it = [&](const RecordShape& row) { return &row == shape; };
  if (!std::ranges::any_of(shapes, is_it)) shape = find_shape(record, shapes);
  if (shape != nullptr) ShapedRecord(record, whole, *shape, {}, context).read();
}

void read_as(const RecordShape& shape, json::element part, const Part& whole, const Utterance& said,
             RecordContext& context) {
  RecordMatcher record(part);
  ShapedRecord(record, whole, shape, said, context).read();
}

void say_part(json::element part, std::span<const RecordShape> shapes, Draft& said) {
  RecordMatcher matcher(part);
  const RecordShape* found = json::is_object(part) ? find_shape(matcher, shapes) : nullptr;
  if (found == nullptr) {
    const auto has_messages = [](const RecordShape& shape) {
      return shape.message != nullptr || shape.say != nullptr;
    };
    const auto first = std::ranges::find_if(shapes, has_messages);
    if (first == shapes.end()) return;
    found = &*first;
  }
  if (found->say != nullptr) return found->say(part, said);
  if (found->message != nullptr) say_message(part, *found->message, said);
}

}  // namespace xtrace
