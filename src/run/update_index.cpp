#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "base/hash.h"
#include "base/one_of.h"
#include "base/union_find.h"
#include "input/bytes/inputs.h"
#include "input/common/raw_trace.h"
#include "input/load.h"
#include "link/calls/session_names.h"
#include "run/own_index.h"
#include "run/own_logs.h"
#include "run/progress.h"
#include "run/request.h"

namespace xtrace {

namespace {

/// Of a database, what is written waits in a file next to it for a while.
void add_write_ahead_log(IndexedFile& file) {
  if (file.path.ends_with(".jsonl") || file.path.ends_with(".json")) return;
  const std::optional<FileStatus> log = file_status(file.path + "-wal");
  if (!log) return;
  file.bytes += log->bytes;
  const auto when = [](const FileTime& time) { return std::pair(time.seconds, time.nanoseconds); };
  if (when(file.changed) < when(log->changed)) file.changed = log->changed;
}

/// All log files as they are now.
struct Listing {
  std::vector<Input> inputs;
  std::vector<IndexedFile> files;
};

Result<Listing> list_files() {
  Result<Found> found = find_inputs(own_logs());
  if (!found) return tl::unexpected(found.error());
  Listing listing;
  for (Input& input : found->inputs) {
    const std::optional<FileStatus> status = file_status(input.path);
    if (!status || !status->is_regular()) continue;
    input.listed = false;  // no file was named
    IndexedFile& file = listing.files.emplace_back(
        IndexedFile{input.path, status->bytes, status->changed, status->id});
    add_write_ahead_log(file);
    listing.inputs.push_back(std::move(input));
  }
  return listing;
}

/// Names of files that belong together whatever ids they hold. Ids in line logs show what they
/// share; a document may be a part of a session that only its neighbours identify, so all documents
/// below a folder of logs belong together, unless one has the name of a log in lines
/// (`agent-7.meta.json`).
std::vector<std::string> places_of(const std::vector<IndexedFile>& files) {
  const auto stem_of = [](std::string_view path) {
    return path.substr(0, path.find('.', path.rfind('/') + 2));
  };
  std::set<std::string_view> stems;
  const auto is_in_lines = [](std::string_view path) {
    return path.find(".jsonl", path.rfind('/') + 1) != path.npos;
  };
  for (const IndexedFile& file : files)
    if (is_in_lines(file.path)) stems.insert(stem_of(file.path));
  const std::vector<std::string> roots = own_logs();
  std::vector<std::string> places;
  for (const IndexedFile& file : files) {
    const std::string_view stem = stem_of(file.path);
    if (stems.contains(stem)) {
      // A name such as `events.jsonl` belongs to its folder, and so does all that is there.
      const size_t name = stem.rfind('/') + 1;
      const bool has_number = stem.find_first_of("0123456789", name) != stem.npos;
      places.emplace_back(has_number ? stem : stem.substr(0, name));
      continue;
    }
    const std::string_view folder = std::string_view(file.path).substr(0, file.path.rfind('/') + 1);
    const auto root = std::ranges::find_if(
        roots, [&](const std::string& one) { return file.path.starts_with(one); });
    const bool is_in_session = std::ranges::any_of(stems, [&](std::string_view one) {
      return one.starts_with(folder) && one.find('/', folder.size()) == one.npos &&
             one.find_first_of("0123456789", folder.size()) == one.npos;
    });
    places.push_back(is_in_session         ? std::string(folder)
                     : root == roots.end() ? file.path
                                           : *root + "/*");
  }
  return places;
}

/// Instead of an id, of all files of one kind.
constexpr uint64_t kNoTranscript = 1;

/// Hashes of the ids by which records of one file and another may be the same, by source. Taken
/// before copies are dropped.
std::vector<std::vector<uint64_t>> keys_of(const RawTrace& raw) {
  std::vector<std::vector<uint64_t>> keys(raw.sources.size());
  const auto add = [&](const Extent& at, std::initializer_list<StringId> ids) {
    for (StringId id : ids)
      if (id) keys[at.file].push_back(hash_of(raw[id]));
  };
  std::vector<bool> has_begun(raw.sources.size());
  for (const Utterance& said : raw.utterances) {
    add(said.source, {said.answer, said.request, said.session, said.forked_from});
    if (said.kind == Utterance::Kind::answered) add(said.source, {said.id});
    // A fork without ids begins with what another session said, at the same times.
    if (said.id || !said.message || said.time == kNoTime || has_begun[said.source.file]) continue;
    has_begun[said.source.file] = true;
    keys[said.source.file].push_back(
        chain(static_cast<uint64_t>(said.time.time_since_epoch().count()), raw[said.message].own));
  }
  for (const AgentRelation& relation : raw.relations) add(relation.source, {relation.session});
  for (const Thought& thought : raw.thoughts)
    add(thought.source, {thought.request, thought.session});
  // Logs of requests and spans may be joined without an id; sessions of agents are transcripts.
  const auto is_no_transcript = [&](const Extent& at) {
    std::vector<uint64_t>& own = keys[at.file];
    if (own.empty() || own.back() != kNoTranscript) own.push_back(kNoTranscript);
  };
  for (const Call& call : raw.calls) {
    add(call.source, {call.id, call.response, call.follows, call.session, call.spawned_by});
    is_no_transcript(call.source);
  }
  for (const UsageStatement& statement : raw.usage_statements)
    add(statement.source, {statement.session});
  for (const Span& span : raw.spans) {
    add(span.source, {span.trace, span.run});
    is_no_transcript(span.source);
  }
  for (std::vector<uint64_t>& one : keys) {
    std::ranges::sort(one);
    one.erase(std::unique(one.begin(), one.end()), one.end());
  }
  return keys;
}

int64_t quarter_of(Time time) {
  return std::chrono::floor<std::chrono::duration<int64_t, std::ratio<900>>>(time)
      .time_since_epoch()
      .count();
}

/// Without what an index does not need.
Usage in_short(const Usage& used) {
  Usage shorter;
  shorter.cost = used.cost;
  shorter.uncharged = used.uncharged;
  shorter.unpriced = used.unpriced > 0 ? 1 : 0;
  shorter.low = used.is_low_cost() ? 1 : 0;
  return shorter;
}

/// Some log files, read together and divided into groups.
class GroupedFiles {
 public:
  GroupedFiles(const Listing& listing, const std::vector<std::string>& places,
               const std::set<size_t>& chosen)
      : chosen_(chosen.begin(), chosen.end()), same_(chosen_.size()) {
    std::unordered_map<std::string_view, uint32_t> by_place;
    for (uint32_t i = 0; i < chosen_.size(); ++i) {
      files_.push_back(listing.files[chosen_[i]]);
      index_of_.emplace(files_.back().path, i);
      found_.inputs.push_back(listing.inputs[chosen_[i]]);
      same_.join(by_place.try_emplace(places[chosen_[i]], i).first->second, i);
    }
  }

  Result<std::vector<IndexedGroup>> read(const Request& request) {
    LoadOptions loading;
    loading.jobs = request.loading.jobs;
    Progress progress;
    ShownProgress shown(progress, !request.quiet && is_terminal(kStandardError));
    Result<RawTrace> raw = read_logs(std::move(found_), loading, progress);
    if (!raw) return tl::unexpected(raw.error());
    for (const Source& source : raw->sources) input_of_.push_back(index_of_.at(source.path));
    add_keys(keys_of(*raw));
    const Graph graph = link(complete(*std::move(raw)), request.link_options());
    for (const Session& session : graph.sessions()) join_files(graph, session);
    std::map<uint32_t, size_t> place;
    for (uint32_t i = 0; i < files_.size(); ++i) {
      const auto [at, is_new] = place.try_emplace(same_.find(i), groups_.size());
      if (is_new) groups_.emplace_back();
      group_of_.push_back(at->second);
      IndexedGroup& group = groups_[at->second];
      group.files.push_back(files_[i]);
      group.keys.insert(group.keys.end(), keys_[i].begin(), keys_[i].end());
    }
    for (IndexedGroup& group : groups_) {
      std::ranges::sort(group.keys);
      group.keys.erase(std::unique(group.keys.begin(), group.keys.end()), group.keys.end());
    }
    add_sums(graph);
    return std::move(groups_);
  }

 private:
  void add_keys(std::vector<std::vector<uint64_t>> keys) {
    keys_.resize(files_.size());
    std::unordered_map<uint64_t, uint32_t> first;
    for (size_t source = 0; source < keys.size(); ++source) {
      const uint32_t input = input_of_[source];
      for (uint64_t key : keys[source])
        same_.join(first.try_emplace(key, input).first->second, input);
      keys_[input] = std::move(keys[source]);
    }
  }

  void join_files(const Graph& graph, const Session& session) {
    const Trace& trace = graph.trace();
    for (CallId id : session.calls) {
      const uint32_t first = input_of_[trace[session.calls.front()].source.file];
      const Call& call = trace[id];
      same_.join(first, input_of_[call.source.file]);
      for (uint32_t i = 0; i < call.places; ++i)
        same_.join(first, input_of_[trace.places[call.first_place + i].file]);
    }
  }

  IndexedGroup& group_at(const Extent& at) { return groups_[group_of_[input_of_[at.file]]]; }

  void add_sums(const Graph& graph) {
    const Trace& trace = graph.trace();
    Selection all;
    all.calls.assign(trace.calls.size(), true);
    const Spending spending(graph, all);
    std::map<std::pair<IndexedGroup*, int64_t>, Usage> periods;
    const auto add = [&](const Extent& at, Time time, const Usage& used) {
      if (time != kNoTime) periods[{&group_at(at), quarter_of(time)}].add(used);
    };
    for (size_t i = 0; i < trace.calls.size(); ++i)
      add(trace.calls[i].source, trace.calls[i].start, spending.own(CallId(i)));
    for (const UnplacedRow& row : spending.unplaced())
      add(row.usage.at, row.usage.hop ? graph.hops()[row.usage.hop].start : row.usage.time,
          usage_of(row.usage));
    for (const auto& [at, used] : periods) at.first->periods.push_back({at.second, in_short(used)});
    const SessionStates states(graph);
    for (const Session& session : graph.sessions()) {
      if (session.calls.empty()) continue;
      Usage used = spending.unplaced_of(session);
      for (CallId id : session.calls) used.add(spending.own(id));
      const SessionState state = states.of(session);
      group_at(trace[session.calls.front()].source)
          .sessions.push_back({session_name(trace, session), std::string(source_of(trace, session)),
                               std::string(last_folder(trace[session.project])),
                               std::string(state.tool), state.doing, state.since, session.end,
                               static_cast<int64_t>(session.calls.size()), in_short(used)});
    }
  }

  std::vector<size_t> chosen_;
  UnionFind same_;
  std::vector<IndexedFile> files_;
  std::unordered_map<std::string, uint32_t> index_of_;  ///< of a file, by path
  Found found_;
  std::vector<uint32_t> input_of_;           ///< by source
  std::vector<std::vector<uint64_t>> keys_;  ///< by file
  std::vector<size_t> group_of_;             ///< by file
  std::vector<IndexedGroup> groups_;
};

/// Do two ascending lists have a number in common?
bool meet(const std::vector<uint64_t>& few, const std::vector<uint64_t>& many) {
  return std::ranges::any_of(few,
                             [&](uint64_t one) { return std::ranges::binary_search(many, one); });
}

}  // namespace

Result<bool> update_index(OwnIndex& index, const Request& request) {
  Result<Listing> listing = list_files();
  if (!listing) return tl::unexpected(listing.error());
  std::unordered_map<std::string_view, size_t> now;
  for (size_t i = 0; i < listing->files.size(); ++i) now.emplace(listing->files[i].path, i);

  std::vector<bool> is_old(index.groups.size());  // groups to be read again
  std::vector<bool> is_known(listing->files.size());
  for (size_t g = 0; g < index.groups.size(); ++g)
    for (const IndexedFile& file : index.groups[g].files) {
      const auto found = now.find(file.path);
      is_old[g] = is_old[g] || found == now.end() || listing->files[found->second] != file;
      if (found != now.end()) is_known[found->second] = true;
    }
  if (std::ranges::find(is_old, true) == is_old.end() &&
      std::ranges::find(is_known, false) == is_known.end())
    return false;

  const std::vector<std::string> places = places_of(listing->files);
  std::set<std::string_view> touched;  // places
  std::set<size_t> chosen;
  for (size_t i = 0; i < is_known.size(); ++i)
    if (!is_known[i]) {
      chosen.insert(i);
      touched.insert(places[i]);
    }
  std::vector<IndexedGroup> read;
  for (;;) {
    for (size_t g = 0; g < index.groups.size(); ++g)
      for (const IndexedFile& file : index.groups[g].files)
        if (const auto found = now.find(file.path); found != now.end())
          is_old[g] = is_old[g] || touched.contains(places[found->second]);
    for (size_t g = 0; g < index.groups.size(); ++g)
      for (const IndexedFile& file : index.groups[g].files)
        if (const auto found = now.find(file.path); is_old[g] && found != now.end())
          chosen.insert(found->second);
    read.clear();
    if (!chosen.empty()) {
      Result<std::vector<IndexedGroup>> groups =
          GroupedFiles(*listing, places, chosen).read(request);
      if (!groups) return tl::unexpected(groups.error());
      read = *std::move(groups);
    }
    // What was read may belong to other groups as well.
    bool has_more = false;
    for (size_t g = 0; g < index.groups.size(); ++g) {
      if (is_old[g] || std::ranges::none_of(read, [&](const IndexedGroup& one) {
            return meet(index.groups[g].keys, one.keys);
          }))
        continue;
      is_old[g] = has_more = true;
    }
    if (!has_more) break;
  }
  for (size_t g = 0; g < index.groups.size(); ++g)
    if (!is_old[g]) read.push_back(std::move(index.groups[g]));
  index.groups = std::move(read);
  return true;
}

}  // namespace xtrace
