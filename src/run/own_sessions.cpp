#include "run/own_sessions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "base/lower.h"
#include "base/number.h"
#include "base/parts.h"
#include "base/system.h"
#include "base/text.h"
#include "input/bytes/inputs.h"
#include "input/load.h"
#include "link/calls/session_names.h"
#include "link/graph/graph.h"
#include "link/graph/subject.h"
#include "run/own_logs.h"
#include "run/progress.h"
#include "run/request.h"

namespace xtrace {

namespace fs = std::filesystem;

namespace {

/// When something was last written to the file. What is written to a database may be in a file next
/// to it for a while.
Time written(const std::string& path) {
  Time newest = kNoTime;
  for (const std::string& file : {path, path + "-wal"}) {
    const std::optional<FileStatus> status = file_status(file);
    if (!status) continue;
    const Duration since = std::chrono::seconds(status->changed.seconds) +
                           std::chrono::nanoseconds(status->changed.nanoseconds);
    newest = std::max(newest, Time(since));
  }
  return newest;
}

/// The path without the ending of its name.
std::string_view stem_of(std::string_view path) {
  const size_t name = path.rfind('/') + 1, dot = path.find('.', name + 1);
  return path.substr(0, dot);
}

/// Which files belong to a session: those with its calls, and those next to them.
class FilesOfSession {
 public:
  FilesOfSession(const Graph& graph, const Session& session) {
    const Trace& trace = graph.trace();
    for (CallId id : session.calls) {
      const Call& call = trace[id];
      add(trace, call.source);
      for (uint32_t i = 0; i < call.places; ++i) add(trace, trace.places[call.first_place + i]);
    }
    for (const SessionNote& note : trace.session_notes)
      if (note.session && note.session == session.id) add(trace, note.source);
    if (session.id) id_ = without_dashes(session_name(trace, session));
  }

  /// `agent-7.meta.json` and what is below `agent-7/` go with `agent-7.jsonl`; if a name identifies
  /// no session, as with `events.jsonl`, all of its folder does. So does all of a folder that bears
  /// the session's id.
  bool has(const std::string& path) const {
    if (files_.contains(path) || is_in_own_folder(path)) return true;
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    return std::any_of(files_.begin(), files_.end(), [&](const std::string& file) {
      std::string_view stem = stem_of(file);
      if (path.size() > stem.size() && path.starts_with(stem) &&
          (path[stem.size()] == '.' || path[stem.size()] == '/'))
        return true;
      const bool has_number =
          stem.find_first_of("0123456789", stem.rfind('/') + 1) != std::string_view::npos;
      return !has_number && file.starts_with(folder) &&
             file.find('/', folder.size()) == std::string::npos;
    });
  }

 private:
  static std::string without_dashes(std::string_view id) {
    std::string plain(id);
    std::erase(plain, '-');
    return plain;
  }

  bool is_in_own_folder(std::string_view path) const {
    bool is_own = false;
    if (id_.size() >= kShortestId)
      for_each_part(path.substr(0, path.rfind('/') + 1), '/',
                    [&](std::string_view folder) { is_own |= without_dashes(folder) == id_; });
    return is_own;
  }

  void add(const Trace& trace, const Extent& at) { files_.insert(trace.sources[at.file].path); }

  std::set<std::string> files_;
  std::string id_;  ///< without dashes, because folders may have none
};

/// All local files, and the sessions in them. Reads no more of them than necessary: a file that was
/// not written since some time records nothing that happened later.
class OwnSessions {
 public:
  static Result<OwnSessions> look(const Request& request) {
    std::vector<std::string> logs = own_logs();
    if (logs.empty()) return no_logs();
    Result<Found> found = find_inputs(logs);
    if (!found) return tl::unexpected(found.error());
    return OwnSessions(request, std::move(found->inputs));
  }

  static tl::unexpected<Error> no_logs() {
    if (const std::string_view named = logs_variable(); !named.empty())
      return fail(Exit::input, fmt::format("no files in XTRACE_LOGS: {}", printable(named)));
    return fail(Exit::input,
                "no agent logs found in the usual folders, such as ~/.claude/projects or "
                "~/.codex/sessions, or where CLAUDE_CONFIG_DIR and the like point; name a file or "
                "folder, or set XTRACE_LOGS to your log folders");
  }

  /// The one that happened `nth` last, counted from 1, of those that are `wanted`; none: there are
  /// not so many.
  template <class Wanted>
  Result<std::optional<OwnSession>> newest(size_t nth, Wanted wanted) const {
    constexpr size_t kFirst = 16;  // usually contain the newest sessions
    for (size_t count = std::min(kFirst, inputs_.size());;) {
      Result<Graph> graph = read(count);
      if (!graph) return tl::unexpected(graph.error());
      const Time unread = count < inputs_.size() ? written_[newest_[count]] : kNoTime;
      const Session* session = pick(*graph, nth, wanted);
      const bool is_it = session != nullptr && session->end >= unread;
      if (count == inputs_.size() || (is_it && session->start >= unread)) {
        if (session == nullptr) return std::nullopt;
        return session_of(*graph, *session);
      }
      const size_t more = is_it ? written_since(session->start) : 4 * count;
      count = std::min(inputs_.size(), std::max(count + 1, more));
    }
  }

  Result<size_t> count() const {
    Result<Graph> graph = read(inputs_.size());
    if (!graph) return tl::unexpected(graph.error());
    return graph->sessions().size();
  }

  std::string filter_named(const std::string& word) const {
    const Result<Graph> graph = read(inputs_.size());
    if (!graph) return {};
    const Trace& trace = graph->trace();
    for (const Session& session : graph->sessions()) {
      if (last_folder(trace[session.project]) == word) return "--project " + word;
      const std::string_view source = source_of(trace, session);
      if (source.starts_with(lower(word))) return fmt::format("--source {}", source);
    }
    return {};
  }

  Result<OwnSession> named(const std::string& word) const {
    Result<Graph> graph = read(inputs_.size());
    if (!graph) return tl::unexpected(graph.error());
    std::vector<const Session*> found;
    std::vector<std::string> names;
    for (uint32_t i : newest_first(graph->sessions())) {
      const Session& session = graph->sessions()[i];
      std::string name = session_name(graph->trace(), session);
      if (name == word) return session_of(*graph, session);
      if (!session.id || !name.starts_with(word)) continue;
      found.push_back(&session);
      names.push_back(printable(name));
    }
    if (found.empty())
      return fail(Exit::input, fmt::format("no file '{}', and no session whose ID starts with it; "
                                           "`xtrace list` lists your sessions",
                                           printable(word)));
    constexpr size_t kShown = 10;  // an error should fit on a screen
    const std::string more =
        names.size() > kShown ? fmt::format("\nand {} more", names.size() - kShown) : "";
    if (names.size() > kShown) names.resize(kShown);
    if (found.size() > 1)
      return fail(
          Exit::usage,
          fmt::format("no file '{}', and {} session IDs start with it; use a longer prefix:\n{}{}",
                      printable(word), found.size(), fmt::join(names, "\n"), more));
    return session_of(*graph, *found.front());
  }

 private:
  OwnSessions(const Request& request, std::vector<Input> inputs)
      : request_(request), inputs_(std::move(inputs)), newest_(inputs_.size()) {
    for (Input& input : inputs_) {
      input.listed = false;  // whoever asks for one session does not mean them all
      written_.push_back(written(input.path));
    }
    std::iota(newest_.begin(), newest_.end(), size_t{0});
    std::stable_sort(newest_.begin(), newest_.end(),
                     [&](size_t a, size_t b) { return written_[a] > written_[b]; });
  }

  size_t written_since(Time time) const {
    auto end =
        std::find_if(newest_.begin(), newest_.end(), [&](size_t i) { return written_[i] < time; });
    return static_cast<size_t>(end - newest_.begin());
  }

  /// Those that were written to last, in the order in which all of them are read.
  Result<Graph> read(size_t count) const {
    std::vector<size_t> chosen(newest_.begin(), newest_.begin() + static_cast<ptrdiff_t>(count));
    std::sort(chosen.begin(), chosen.end());
    Found found;
    for (size_t i : chosen) found.inputs.push_back(inputs_[i]);
    LoadOptions loading;
    loading.jobs = request_.loading.jobs;
    Progress progress;
    ShownProgress shown(progress, !request_.quiet && is_terminal(kStandardError));
    Result<Trace> trace = load(std::move(found), loading, progress);
    if (!trace) return tl::unexpected(trace.error());
    return link(*std::move(trace), request_.link_options());
  }

  template <class Wanted>
  static const Session* pick(const Graph& graph, size_t nth, Wanted wanted) {
    for (uint32_t i : newest_first(graph.sessions()))
      if (const Session& session = graph.sessions()[i];
          wanted(graph.trace(), session) && --nth == 0)
        return &session;
    return nullptr;
  }

  OwnSession session_of(const Graph& graph, const Session& session) const {
    FilesOfSession files(graph, session);
    OwnSession own;
    for (const Input& input : inputs_)
      if (files.has(input.path)) own.files.push_back(input.path);
    std::set<std::string> shared(own.files.begin(), own.files.end());
    const Trace& trace = graph.trace();
    const bool has_others =
        std::any_of(trace.calls.begin(), trace.calls.end(), [&](const Call& of) {
          const CallId id(static_cast<size_t>(&of - trace.calls.data()));
          return &graph.session_of(id) != &session &&
                 shared.contains(trace.sources[of.source.file].path);
        });
    if (session.id) own.id = session_name(trace, session);
    own.is_alone = !has_others;
    return own;
  }

  const Request& request_;
  std::vector<Input> inputs_;
  std::vector<Time> written_;
  std::vector<size_t> newest_;  ///< indices of inputs, by when they were written
};

bool any_session(const Trace&, const Session&) {
  return true;
}

}  // namespace

bool may_name_session(std::string_view word) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kLetters =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-";
  if (word == kLastSession) return true;
  const bool has_digit = word.find_first_of(kDigits) != std::string_view::npos;
  if (!has_digit || word.front() == '-') return false;
  if (word.find_first_not_of(kDigits) == std::string_view::npos) return true;
  return word.size() >= kShortestId && word.find_first_not_of(kLetters) == std::string_view::npos;
}

Result<OwnSession> own_session(const std::string& word, const Request& request) {
  Result<OwnSessions> sessions = OwnSessions::look(request);
  if (!sessions) return tl::unexpected(sessions.error());
  constexpr size_t kLongest = 5;  // an id may begin with digits alone
  std::optional<size_t> nth = word == kLastSession      ? std::optional<size_t>(1)
                              : word.size() <= kLongest ? number_of<size_t>(word)
                                                        : std::nullopt;
  if (!nth) return sessions->named(word);
  Result<std::optional<OwnSession>> found = std::optional<OwnSession>();
  if (*nth > 0) found = sessions->newest(*nth, any_session);
  if (!found) return tl::unexpected(found.error());
  if (*found) return **std::move(found);
  if (word == kLastSession) return OwnSessions::no_logs();
  if (word.size() >= kShortestId) return sessions->named(word);
  Result<size_t> count = sessions->count();
  if (!count) return tl::unexpected(count.error());
  return fail(
      Exit::input,
      fmt::format("no file '{}', and only {} session{}; `xtrace list` lists {}, the newest as 1",
                  printable(word), *count, *count == 1 ? "" : "s", *count == 1 ? "it" : "them"));
}

Result<std::optional<OwnSession>> own_session_in(const std::string& folder,
                                                 const Request& request) {
  std::error_code error;
  const fs::path here = fs::canonical(folder, error);
  if (error || own_logs().empty()) return std::nullopt;
  Result<OwnSessions> sessions = OwnSessions::look(request);
  if (!sessions) return tl::unexpected(sessions.error());
  return sessions->newest(1, [&](const Trace& trace, const Session& session) {
    return session.project && fs::path(trace[session.project]).lexically_normal() == here;
  });
}

std::string filter_named(const std::string& word, const Request& request) {
  const Result<OwnSessions> sessions = OwnSessions::look(request);
  return sessions ? sessions->filter_named(word) : std::string();
}

bool holds_records(const std::string& path, const Request& request) {
  Result<Found> found = find_inputs({path});
  if (!found) return false;
  // If many files are no logs, reading small ones first shows soon whether any is.
  std::stable_sort(found->inputs.begin(), found->inputs.end(),
                   [](const Input& a, const Input& b) { return a.bytes < b.bytes; });
  for (Input& input : found->inputs) {
    Found one;
    input.listed = false;
    one.inputs.push_back(std::move(input));
    Progress progress;
    Result<Trace> trace = load(std::move(one), request.loading, progress);
    if (trace && holds_activities(*trace)) return true;
  }
  return false;
}

}  // namespace xtrace
