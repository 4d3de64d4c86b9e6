#include "input/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "input/bytes/inputs.h"
#include "input/bytes/unread.h"
#include "input/calls/named_agents.h"
#include "input/calls/settle_background.h"
#include "input/common/raw_trace.h"
#include "input/looks_like.h"
#include "input/naming.h"
#include "input/parts/found_parts.h"
#include "input/parts/part_set.h"
#include "input/plan.h"
#include "input/plan_reader.h"
#include "input/read_again.h"
#include "input/shards/planned_inputs.h"
#include "input/spans/converted_spans.h"
#include "input/spans/join_spans.h"
#include "input/transcripts/assemble.h"
#include "input/transcripts/session_notes.h"

namespace xtrace {

namespace {

/// Indices of the files that somebody wrote to since they were found.
std::set<uint32_t> written_meanwhile(const std::vector<Input>& inputs) {
  std::set<uint32_t> written;
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    const Input& input = inputs[i];
    if (!input.seekable || input.changed.seconds == 0) continue;  // nobody else can write to it
    const std::optional<FileStatus> now =
        input.file != nullptr ? file_status(input.file->fd()) : file_status(input.path);
    if (!now || now->changed != input.changed) written.insert(i);
  }
  return written;
}

/// A folder of logs holds other JSON as well: that is told once, not object by object. `listed`: by
/// source, what somebody named.
void note_foreign(const std::vector<bool>& listed, Trace& trace) {
  std::vector<bool> other(trace.sources.size(), false);
  std::vector<std::string_view> looks(trace.sources.size());  // like what, where that is known
  for (const Complaint& complaint : trace.complaints) {
    if (complaint.kind != Complaint::Kind::unknown_record)
      other[complaint.at.file] = true;
    else if (complaint.what != kUnknownShape)
      looks[complaint.at.file] = complaint.what;
  }
  for (size_t i = 0; i < trace.sources.size(); ++i) {
    Source& source = trace.sources[i];
    source.foreign = !listed[i] && source.records == 0 && source.skipped > 0 && !other[i];
    if (source.foreign)
      note_unread(trace.unread, looks[i].empty() ? kUnknownShape : looks[i], source.path, false);
  }
  std::erase_if(trace.complaints, [&](const Complaint& complaint) {
    return trace.sources[complaint.at.file].foreign;
  });
}

/// Logs that are read beside parts are put down as parts are, so that equal texts have equal
/// hashes, and equal hidden values equal numbers.
Result<std::vector<Shard>> as_parts(std::vector<Shard> shards, const Seal& seal) {
  std::vector<Shard> stored;
  for (Shard& shard : shards) {
    PartBody body;
    body.sources.resize(shard.now().source + 1);
    body.shard = std::move(shard);
    std::optional<PartBody> read = StoredShard::read(StoredShard::write(body, seal));
    if (!read) return fail(Exit::bug, "cannot store the records that were read");
    stored.push_back(std::move(read->shard));
  }
  return stored;
}

PartSource part_source(const Input& input, const Source& source) {
  PartSource known;
  known.path = source.path;
  known.bytes = source.bytes;
  known.is_document = source.is_document;
  known.listed = input.listed;
  return known;
}

/// Beside parts, what somebody names and holds no record is most likely a part that went wrong.
Status check_are_logs(const Plan& plan, const std::vector<Shard>& shards) {
  std::vector<uint64_t> records(plan.inputs.size(), 0);
  for (size_t i = 0; i < shards.size(); ++i)
    for (const Stretch& stretch : shards[i].stretches())
      records[plan.pieces[i].source] += stretch.records + stretch.other_records;
  for (size_t i = 0; i < records.size(); ++i)
    if (plan.inputs[i].listed && records[i] == 0)
      return fail(
          Exit::input,
          fmt::format("{}: neither a part written by `xtrace facts`, nor a log with usable records",
                      printable(plan.inputs[i].path)));
  return {};
}

/// The seal of parts, for logs beside them.
Result<Seal> seal_for(const PartSet& set, const LoadOptions& loading) {
  if (!set.is_keyed()) return Seal();
  if (loading.key.empty())
    return fail(
        Exit::usage,
        "these parts were made with a key; to read logs with them, pass the same key: --key FILE");
  Result<Seal> seal = read_key(loading.key);
  if (seal && !set.fits(*seal))
    return fail(Exit::input, fmt::format("--key {}: the parts were made with a different key",
                                         printable(loading.key)));
  return seal;
}

/// Parts, and beside them the logs of the plan.
Result<Trace> load_parts(const std::vector<Input>& parts, Plan plan, std::vector<Shard> shards,
                         const LoadOptions& loading) {
  if (loading.keep_message_texts)
    return fail(Exit::usage,
                "--with content_reuse, file_handoff and session_handoff compare texts, which parts "
                "do not contain; pass the logs");
  Manifest manifest;
  if (!loading.manifest.empty()) {
    Result<Manifest> read = read_manifest(loading.manifest);
    if (!read) return tl::unexpected(read.error());
    manifest = *std::move(read);
  }
  PartSet set;
  for (const Input& input : parts) {
    Result<FactsPart> part = read_part_file(input.path);
    if (!part) return tl::unexpected(part.error());
    if (Status added = set.add(*std::move(part), input.path); !added)
      return tl::unexpected(added.error());
  }
  if (loading.keep_arguments && (!set.has_arguments() || !shards.empty()))
    return fail(Exit::usage,
                "parts contain tool arguments only if made with --arguments; make both sides with "
                "one key: xtrace facts LOG --arguments --key FILE -o PART, or pass the logs");
  if (!shards.empty()) {
    if (Status logs = check_are_logs(plan, shards); !logs) return tl::unexpected(logs.error());
    Result<Seal> seal = seal_for(set, loading);
    if (!seal) return tl::unexpected(seal.error());
    std::vector<std::vector<Shard>> by_source(plan.sources.size());
    for (size_t i = 0; i < shards.size(); ++i)
      by_source[plan.pieces[i].source].push_back(std::move(shards[i]));
    for (size_t i = 0; i < by_source.size(); ++i) {
      Result<std::vector<Shard>> stored = as_parts(std::move(by_source[i]), *seal);
      if (!stored) return tl::unexpected(stored.error());
      const PartSource known = part_source(plan.inputs[i], plan.sources[i]);
      Source& told = plan.sources[i];
      told.original = std::exchange(told.path, StoredShard::shown_path(told.path, *seal));
      Status added = set.add(known, told, *std::move(stored));
      if (!added) return tl::unexpected(added.error());
    }
  }
  if (Status settled = set.settle(loading.allow_missing, manifest, loading.roots); !settled)
    return tl::unexpected(settled.error());
  RawTrace raw = merge(std::move(set.shards()), std::move(set.sources()));
  raw.unread = std::move(plan.unread);
  for (Unread& unread : set.unread()) raw.unread.push_back(std::move(unread));
  raw.parts = std::move(set.used());
  drop_ambiguous_lines(raw);
  std::vector<bool> listed;
  for (size_t i = 0; i < raw.sources.size(); ++i) listed.push_back(set.is_listed(i));
  note_foreign(listed, raw);
  return complete(std::move(raw));
}

/// Of a file of which a plan takes a few lines, not all was.
void note_what_was_read(Plan& plan) {
  for (size_t i = 0; i < plan.inputs.size(); ++i) {
    if (plan.inputs[i].ranges == nullptr) continue;
    plan.sources[i].bytes = 0;
    for (const LineRange& range : *plan.inputs[i].ranges)
      plan.sources[i].bytes += range.end - range.begin;
  }
}

/// All records of the logs of a plan.
RawTrace merged(Plan& plan, std::vector<Shard> shards) {
  RawTrace raw = merge(std::move(shards), std::move(plan.sources));
  raw.unread = std::move(plan.unread);
  drop_ambiguous_lines(raw);
  std::vector<bool> listed;
  for (const Input& input : plan.inputs) listed.push_back(input.listed);
  note_foreign(listed, raw);
  return raw;
}

}  // namespace

Result<Trace> load(const std::vector<std::string>& paths, const LoadOptions& loading,
                   Progress& progress) {
  Result<Found> found = find_inputs(paths);
  if (!found) return tl::unexpected(found.error());
  return load(*std::move(found), loading, progress);
}

Result<Trace> load(Found found, const LoadOptions& loading, Progress& progress) {
  settle_files(found.inputs, loading.jobs);
  Result<std::vector<Input>> parts = take_parts(found);
  if (!parts) return tl::unexpected(parts.error());
  if (Status planned = read_plans(found, loading.jobs); !planned)
    return tl::unexpected(planned.error());
  Result<Plan> plan = make_plan(std::move(found), loading, progress);
  if (!plan) return tl::unexpected(plan.error());
  Result<std::vector<Shard>> shards = read_plan(*plan, loading, progress);
  if (!shards) return tl::unexpected(shards.error());
  if (!parts->empty() || !loading.manifest.empty())
    return load_parts(*parts, *std::move(plan), *std::move(shards), loading);

  note_what_was_read(*plan);
  Trace trace = complete(merged(*plan, *std::move(shards)));
  complain_of_rewritten(trace, written_meanwhile(plan->inputs));
  return trace;
}

Result<RawTrace> read_logs(Found found, const LoadOptions& loading, Progress& progress) {
  Result<Plan> plan = make_plan(std::move(found), loading, progress);
  if (!plan) return tl::unexpected(plan.error());
  Result<std::vector<Shard>> shards = read_plan(*plan, loading, progress);
  if (!shards) return tl::unexpected(shards.error());
  return merged(*plan, *std::move(shards));
}

Trace complete(RawTrace raw) {
  settle_formats(raw);
  settle_session_notes(raw);
  forget_agents_named_by_others(raw);
  join_span_parts(raw);
  name_sessions_of_traces(raw);
  join_agent_spans(raw);
  assemble_calls(raw);
  settle_background(raw);
  join_thoughts(raw);
  find_converted_causes(raw);
  merge_copies(raw);
  return std::move(static_cast<Trace&>(raw));
}

}  // namespace xtrace
