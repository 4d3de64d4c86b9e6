#include "cli/own_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/nearest.h"
#include "base/now.h"
#include "base/one_of.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/commands.h"
#include "input/bytes/missing.h"
#include "link/calls/sessions.h"
#include "run/own_logs.h"
#include "run/own_sessions.h"
#include "run/request.h"
#include "view/story/follow.h"

namespace xtrace {

namespace {

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error) || error;
}

/// Chooses the session, as --session does.
void choose(const std::string& id, Request& request, const OptionList& options,
            const std::string& by = "--session") {
  for (const OptionSpec& spec : options.specs()) {
    auto* const* chosen = std::get_if<std::vector<std::string>*>(&spec.target);
    if (spec.long_name() != by || chosen == nullptr) continue;
    (*chosen)->push_back(id);
    if (request.entry->is_kept) request.options.insert(request.options.end(), {by, id});
  }
}

void warn_of_missing_logs(Request& request) {
  for (const std::string& path : missing_logs())
    request.warnings.push_back(
        fmt::format("warning: XTRACE_LOGS: no files in {}", printable(path)));
}

Status list_own(Request& request) {
  request.inputs = own_logs();
  request.lists_own = true;
  warn_of_missing_logs(request);
  if (!request.inputs.empty()) return {};
  Result<OwnSession> none = own_session(std::string(kLastSession), request);
  return none ? Status() : Status(tl::unexpected(none.error()));
}

/// A word that looks like no file and is none, nor near one.
bool is_lost(const std::string& word) {
  return !word.starts_with("-") && word.find_first_of("./*?[:") == std::string::npos &&
         !exists(word) && did_you_mean_file(word).empty();
}

/// The option that says what is asked about, if nobody gave it: `explain FILE 'turn 9'` has its
/// name among the inputs. Empty: none is missing.
std::string_view missing_name(const OptionList& options) {
  for (const OptionSpec& spec : options.specs())
    if (std::string* const* name = std::get_if<std::string*>(&spec.target);
        name != nullptr && is_one_of(spec.long_name(), {"--node", "--query"}))
      return (*name)->empty() ? spec.long_name() : std::string_view();
  return {};
}

std::string meant_as_name(std::string_view option, const std::string& input) {
  return fmt::format("; did you mean {} '{}'?", option, printable(input));
}

/// Of several inputs, what can only be meant as a name: without one there is nothing to explain.
Status check_are_inputs(const Request& request, std::string_view missing) {
  if (missing != "--node") return {};
  for (size_t i = 1; i < request.inputs.size(); ++i)
    if (const std::string& input = request.inputs[i]; input != "-" && input != kLastSession &&
                                                      !is_pattern(input) && !exists(input) &&
                                                      did_you_mean_file(input).empty())
      return fail(Exit::usage,
                  fmt::format("no file '{}'{}", printable(input), meant_as_name(missing, input)));
  return {};
}

/// None: it stays as it is. `missing`: see missing_name().
Result<std::optional<OwnSession>> meant_by(const std::string& input, const Request& request,
                                           std::string_view missing = {}) {
  if (input == ".")
    return holds_records(input, request) ? Result<std::optional<OwnSession>>(std::nullopt)
                                         : own_session_in(input, request);
  if (!may_name_session(input) && is_lost(input)) {
    constexpr std::string_view kNamed[] = {kLastSession};
    const std::string near = did_you_mean(input, kNamed);
    std::string hint = near.empty() ? "; `xtrace list` lists your sessions" : near;
    if (near.empty() && !missing.empty())
      hint = meant_as_name(missing, input);
    else if (const std::string filter = near.empty() ? filter_named(input, request) : "";
             !filter.empty())
      hint = fmt::format("; try: xtrace list {}", printable(filter));
    else if (is_one_of(input, {"today", "yesterday"}))
      hint = fmt::format("; try: xtrace {} --since {}", request.entry->name, input);
    else if (near.empty() && input.size() < kShortestId)
      hint = fmt::format("; an ID needs at least {} characters{}", kShortestId, hint);
    return fail(Exit::input, fmt::format("no file or session '{}'{}", printable(input), hint));
  }
  if (!may_name_session(input) || exists(input)) return std::nullopt;
  Result<OwnSession> session = own_session(input, request);
  if (!session) return tl::unexpected(session.error());
  return std::optional<OwnSession>(*std::move(session));
}

/// Of one's own sessions, what follows watches the files.
Status find_followed(Request& request) {
  std::vector<std::string> files;
  for (const std::string& input : request.inputs) {
    if (!may_name_session(input) || exists(input)) {
      files.push_back(input);
      continue;
    }
    Result<OwnSession> session = own_session(input, request);
    if (!session) return tl::unexpected(session.error());
    if (!session->is_alone)
      request.warnings.push_back(
          fmt::format("warning: '{}' shares its files with other sessions, which are also followed",
                      printable(input)));
    files.insert(files.end(), session->files.begin(), session->files.end());
  }
  request.inputs = std::move(files);
  return {};
}

/// Is the command about all local sessions where no input is named?
bool takes_all(const ViewEntry& entry, const OptionList& options) {
  if (entry.lists_sessions || entry.takes_all) return true;
  const auto is_given = [](const OptionSpec& spec) {
    bool* const* target = std::get_if<bool*>(&spec.target);
    return target != nullptr && **target && spec.long_name() == "--all";
  };
  // An audit trace has an option of this name for all queries.
  return !entry.is_kept && std::ranges::any_of(options.specs(), is_given);
}

/// Was one of the files written to since then?
bool was_written(const std::vector<std::string>& files, Time since) {
  return std::ranges::any_of(files, [&](const std::string& file) {
    const std::optional<FileStatus> status = file_status(file);
    return status && Time(std::chrono::seconds(status->changed.seconds)) >= since;
  });
}

/// Follows all local sessions from the last minutes on. Who asks for what there is now, and not for
/// what comes, gets the newest session if none of them is as recent.
Status watch_own(Request& request, const OptionList& options) {
  // A tool that an agent waits for may run that long without a record: Claude Code ends commands
  // after ten minutes at most.
  constexpr std::chrono::minutes kLately{10};
  const Time lately = after(now(), -kLately);
  if (request.view->follow_options()->until_end) {
    const Result<OwnSession> newest = own_session(std::string(kLastSession), request);
    if (!newest) return tl::unexpected(newest.error());
    if (!was_written(newest->files, lately)) {
      request.inputs = {std::string(kLastSession)};
      return {};
    }
  }
  if (Status listed = list_own(request); !listed) return listed;
  request.awake_since = lately;
  for (const OptionSpec& spec : options.specs())
    if (std::string* const* since = std::get_if<std::string*>(&spec.target);
        since != nullptr && spec.long_name() == "--since" && (*since)->empty())
      **since = format_time(Moment{request.awake_since, 3});
  return {};
}

/// Chooses standard input where it brings bytes, else the user's own sessions. `-` waits for as
/// long as it takes; without it, nobody said that a pipe will ever bring anything.
Status choose_missing_input(Request& request, const OptionList& options) {
  // An agent's shell or a cron job leaves a pipe open that nobody writes to. Programs that do write
  // begin sooner, or are read by `-`.
  constexpr std::chrono::seconds kPatience{1};
  const StandardInput found = probe_standard_input(kPatience);
  if (found == StandardInput::bytes) {
    request.inputs.emplace_back("-");
    return {};
  }
  if (found == StandardInput::empty)
    return fail(Exit::input, "standard input is empty; name a file or folder, or `last`");
  const ViewEntry& entry = *request.entry;
  if (entry.needs_input)
    return fail(Exit::usage, fmt::format("{} needs an input; name a file or folder, `last` for "
                                         "your newest session, or pipe a log in\ntry: xtrace {} "
                                         "--help",
                                         entry.name, entry.name));
  const bool watches_all = entry.is_live && request.view->follow_options()->view != "trace";
  const bool all = watches_all || takes_all(entry, options);
  if (!all) request.inputs.emplace_back(kLastSession);
  if (found == StandardInput::terminal) return watches_all ? watch_own(request, options) : Status();
  if (own_logs().empty())
    if (Result<OwnSession> none = own_session(std::string(kLastSession), request); !none)
      return fail(Exit::input, fmt::format("standard input has no log, and {}", none.error().what));
  request.warnings.push_back(
      fmt::format("note: standard input has no log{}; using your {}",
                  found == StandardInput::silent ? " yet (`-` waits for one)" : "",
                  all ? "sessions" : "newest session"));
  return watches_all ? watch_own(request, options) : Status();
}

/// Of two runs that are compared, each is a file or a session.
Status find_both(Request& request, const OptionList& options) {
  if (request.inputs.empty()) request.inputs = {"2", std::string(kLastSession)};
  std::vector<std::string> files;
  for (size_t side : {0U, 1U}) {
    const std::string& input = request.inputs[side];
    Result<std::optional<OwnSession>> session = meant_by(input, request);
    if (!session) return tl::unexpected(session.error());
    if (!*session)
      files.push_back(input);
    else
      files.insert(files.end(), (*session)->files.begin(), (*session)->files.end());
    if (*session && !(*session)->is_alone && !(*session)->id.empty())
      choose((*session)->id, request, options, side == 0 ? "--old" : "--new");
    if (side == 0) request.older = files.size();
  }
  request.inputs = std::move(files);
  return {};
}

}  // namespace

bool names_input(const std::string& word) {
  if (find_view(word) != nullptr || find_other_command(word) != nullptr) return false;
  if (word == "-" || exists(word)) return true;
  return !word.starts_with("-") &&
         (word.find_first_of("./*") != std::string::npos || may_name_session(word));
}

Status find_own_sessions(Request& request, const OptionList& options) {
  if (request.entry->compares) return find_both(request, options);
  // Which session a trace was made from, nobody can guess.
  if (!request.files.verify.empty() && request.inputs.empty())
    return fail(Exit::usage,
                "--verify: the original logs are missing; use xtrace trace --verify TRACE FILE...");
  if (!request.files.verify.empty()) return {};
  if (request.inputs.empty())
    if (Status chosen = choose_missing_input(request, options); !chosen) return chosen;
  if (request.entry->is_live) return find_followed(request);
  if (request.inputs.empty()) return list_own(request);
  const std::string_view missing = missing_name(options);
  if (Status checked = check_are_inputs(request, missing); !checked) return checked;
  std::vector<std::string> files, ids;
  bool all_chosen = true, share_files = false;
  for (const std::string& input : request.inputs) {
    Result<std::optional<OwnSession>> session = meant_by(input, request, missing);
    if (!session) return tl::unexpected(session.error());
    // A choice would leave the others out.
    all_chosen &= *session && !(*session)->id.empty();
    if (!*session) {
      files.push_back(input);
      continue;
    }
    files.insert(files.end(), (*session)->files.begin(), (*session)->files.end());
    ids.push_back((*session)->id);
    share_files |= !(*session)->is_alone;
  }
  if (!ids.empty()) warn_of_missing_logs(request);
  if (all_chosen && share_files)
    for (const std::string& id : ids) choose(id, request, options);
  request.inputs = std::move(files);
  return {};
}

Result<std::vector<std::string>> whole_files(const std::string& command,
                                             const std::vector<std::string>& inputs,
                                             const LoadOptions& loading, bool quiet) {
  Request request;
  request.loading.jobs = loading.jobs;
  request.quiet = quiet;
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    Result<std::optional<OwnSession>> session;  // reported also for a folder without logs
    if (input != ".") session = meant_by(input, request);
    if (!session) return tl::unexpected(session.error());
    if (!*session) {
      files.push_back(input);
      continue;
    }
    const std::vector<std::string>& own = (*session)->files;
    if (!(*session)->is_alone)
      return fail(Exit::usage,
                  fmt::format("{}: '{}' shares its file with other sessions, but {} reads whole "
                              "files; to read all of them, name {}",
                              command, printable(input), command, printable(own.front())));
    files.insert(files.end(), own.begin(), own.end());
  }
  return files;
}

}  // namespace xtrace
