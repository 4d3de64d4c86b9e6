#include "input/transcripts/record_shape.h"

#include <fmt/format.h>

#include <utility>

#include "input/calls/error_word.h"
#include "input/common/graph_parts.h"
#include "input/common/record_context.h"
#include "input/transcripts/printed.h"
#include "input/transcripts/session_notes.h"
#include "input/transcripts/utterance_reader.h"

namespace xtrace {

namespace {

using Kind = Utterance::Kind;

class ShapedRecord {
 public:
  ShapedRecord(json::element record, const Part& whole, const RecordShape& shape,
               RecordContext& context)
      : record_(record), whole_(whole), shape_(shape), context_(context), shard_(context.shard) {}

  void read() {
    begin();
    note_session_facts();
    if (shape_.adds) add_itself();
    if (shape_.message != nullptr) read_messages();
    if (shape_.usage != nullptr) add_usage();
    if (shape_.read != nullptr) shape_.read(record_, whole_, context_);
  }

 private:
  StringId name_on(json::Path path) const { return shard_.intern(json::text_on(record_, path)); }

  void begin() {
    const SessionShape& session = shape_.session;
    common_.source = whole_.at;
    common_.session = name_on(session.id);
    common_.model = name_on(session.model);
    common_.provider = name_on(session.provider);
    if (const StringId parent = name_on(session.parent)) {
      common_.agent = std::exchange(common_.session, parent);
      common_.agent_type = name_on(session.agent_type);
      common_.in_subagent = true;
    }
    if (shape_.is_printed) mark_printed(common_);
    common_.is_ambiguous = shape_.is_ambiguous;
  }

  /// A subagent's session has no title that anybody would look for.
  void note_session_facts() const {
    if (common_.in_subagent) return;
    const auto note = [&](SessionNote::Kind kind, json::Path path) {
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
    said.id = name_on(shape_.id);
    json::element time;
    if (json::follow(record_, shape_.time, time)) read_time(time, said);
    if (said.kind == Kind::failed) {
      said.outcome = Outcome::error;
      said.is_awaited = shape_.is_owed;
      said.is_whole = shape_.is_of_run;
      said.error = shard_.intern(error_named());
    }
    shard_.add(said);
    if (said.kind != Kind::heading || !said.in_subagent) return;
    said.kind = Kind::agent;
    said.tool_use = name_on(shape_.session.tool_use);
    shard_.add(said);
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
    reader.common.is_echo |= shape_.is_echo;
    if (!shape_.list.empty()) return reader.read_list(record_, whole_, shape_.list);
    json::element message = record_;
    if (shape_.message_at.empty()) return reader.read(message, whole_);
    if (json::follow(record_, shape_.message_at, message))
      reader.read(message, whole_.field(shape_.message_at));
  }

  void add_usage() const {
    const UsageRecord& usage = *shape_.usage;
    Utterance said = usage_of(common_, usage.terms);
    json::element time, models;
    if (json::follow(record_, shape_.time, time)) read_time(time, said);
    if (!usage.since.empty()) {
      said.item = shard_.intern("usage-since-" + json::text_on(record_, usage.since));
      said.answer = shard_.intern(fmt::format("{}/{}/{}", shard_[said.item], shard_[said.session],
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
      said.is_newer = true;
    }
    said.calls = json::count_on(from, usage.calls, kNoCount);
    if (states_usage(said)) shard_.add(said);
  }

  const json::element record_;
  const Part& whole_;
  const RecordShape& shape_;
  RecordContext& context_;
  Shard& shard_;
  Utterance common_;  ///< what all utterances of the record have in common
};

}  // namespace

const RecordShape* find_shape(RecordMatcher& record, std::span<const RecordShape> shapes) {
  for (const RecordShape& shape : shapes)
    if (record.matches(shape.when)) return &shape;
  return nullptr;
}

void read_record(json::element record, const Part& whole, std::span<const RecordShape> shapes,
                 RecordContext& context) {
  context.shard.count_record();
  RecordMatcher matcher(record);
  if (const RecordShape* shape = find_shape(matcher, shapes))
    ShapedRecord(record, whole, *shape, context).read();
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
