#include "mcp/answer_tool.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <sstream>
#include <system_error>
#include <thread>

#include "base/text.h"
#include "run/answer.h"
#include "run/load_runs.h"
#include "run/own_logs.h"
#include "run/own_sessions.h"
#include "run/progress.h"

namespace xtrace::mcp {

namespace fs = std::filesystem;

namespace {

// Shares of the time that an answer over a large log takes: it is mostly reading.
constexpr int kFinding = 0, kReading = 10, kLinking = 80, kAnswering = 90;

/// As wide as a terminal that reads well: names that are longer are cut, which saves tokens.
constexpr size_t kColumns = 120;

/// While it lives, reports how far reading has come.
class ReadingReport {
 public:
  ReadingReport(const Progress& progress, const Watch& watch) : progress_(progress), watch_(watch) {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
      // No thread is to be had: only the steps are reported.
    }
  }
  ~ReadingReport() {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  ReadingReport(const ReadingReport&) = delete;
  ReadingReport& operator=(const ReadingReport&) = delete;

 private:
  void run() {
    constexpr std::chrono::milliseconds kInterval{500};  // the fastest that a person can follow
    const auto start = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, kInterval, [&] { return done_; })) {
      const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
      const double total = static_cast<double>(progress_.total);
      const double share =
          total > 0 ? std::min(1.0, static_cast<double>(progress_.bytes) / total) : 0;
      watch_.report(kReading + static_cast<int>(share * (kLinking - kReading)),
                    words_of(progress_, seconds.count()));
    }
  }

  const Progress& progress_;
  const Watch& watch_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

Status check_cancelled(const Watch& watch) {
  if (watch.is_cancelled != nullptr && *watch.is_cancelled)
    return fail(Exit::interrupted, "cancelled");
  return {};
}

/// The text that the command line would print.
Result<std::string> run_request(Request& request, const Watch& watch) {
  Progress progress;
  request.progress = &progress;
  watch.report(kReading, "reading");
  Result<std::vector<Trace>> traces = [&] {
    const ReadingReport report(progress, watch);
    return load_runs(request);
  }();
  if (!traces) return tl::unexpected(traces.error());
  if (Status on = check_cancelled(watch); !on) return tl::unexpected(on.error());
  watch.report(kLinking, "linking");
  const LinkedRuns runs = link_runs(*std::move(traces), request.link_options());
  if (Status on = check_cancelled(watch); !on) return tl::unexpected(on.error());
  watch.report(kAnswering, "answering");
  Result<std::unique_ptr<Door>> door = open_door(request, runs);
  if (!door) return tl::unexpected(door.error());
  Result<Document> document = answer(request, runs, **door);
  if (!document) return tl::unexpected(document.error());
  std::ostringstream text;
  write_document(request, *document, text);
  if (!document->left_out().empty()) text << document->left_out() << '\n';
  return std::move(text).str();
}

/// A command prints its errors for its user; here another program reads them, and sends them on.
std::string redacted(const Error& error) {
  Door door(RedactPolicy(Redaction::all), Door::Level::basic, 0);
  return door.pass(error).value().what;
}

/// The files of an answer, and the session that is meant if they have others too.
struct Chosen {
  std::vector<std::string> files;
  std::string session;
};

Result<OwnSession> find_session(const std::string& word) {
  Request lookup;
  lookup.quiet = true;
  lookup.loading.jobs = std::max(1U, std::thread::hardware_concurrency());
  return own_session(word, lookup);
}

Result<Chosen> choose_all() {
  if (std::vector<std::string> logs = own_logs(); !logs.empty()) return Chosen{std::move(logs), {}};
  const Result<OwnSession> none = find_session(std::string(kLastSession));  // which says why
  return none ? Result<Chosen>(Chosen{none->files, {}}) : tl::unexpected(none.error());
}

Result<Chosen> choose_path(const std::string& path) {
  if (!is_within(path, own_logs()))
    return fail(Exit::usage,
                fmt::format("session: '{}' is not in the folders that this server may read; use an "
                            "ID from the tool sessions, or ask the user to start the server with "
                            "this path: xtrace mcp PATH",
                            printable(path)));
  std::error_code error;
  return Chosen{{fs::canonical(path, error).string()}, {}};
}

Result<Chosen> choose_session(const std::string& word) {
  if (word.empty()) return choose_session(std::string(kLastSession));
  if (word == kAllSessions) return choose_all();
  if (word.find('/') != std::string::npos || word.front() == '.' || word.front() == '~')
    return choose_path(word);
  if (!may_name_session(word))
    return fail(Exit::usage, fmt::format("session: no session '{}'; use \"last\", \"all\", or a "
                                         "number or ID from the tool sessions",
                                         printable(word)));
  Result<OwnSession> own = find_session(word);
  if (!own) return tl::unexpected(own.error());
  return Chosen{std::move(own->files), own->is_alone ? std::string() : std::move(own->id)};
}

}  // namespace

bool is_within(const std::string& path, const std::vector<std::string>& roots) {
  std::error_code error;
  const fs::path inner = fs::canonical(path, error);
  if (error) return false;
  return std::ranges::any_of(roots, [&](const std::string& root) {
    std::error_code none;
    const fs::path outer = fs::canonical(root, none);
    return !none && std::ranges::mismatch(outer, inner).in1 == outer.end();
  });
}

Result<std::string> Answerer::ask(const Tool& tool, const ToolRequest& asked,
                                  const Watch& watch) const {
  const bool lists = find_view(tool.view)->lists_sessions;
  watch.report(kFinding, "finding the session");
  Result<Chosen> chosen = lists ? choose_all() : choose_session(asked.session);
  if (!chosen) return tl::unexpected(chosen.error());
  std::vector<std::string> words = {std::string(tool.view)};
  words.insert(words.end(), asked.options.begin(), asked.options.end());
  if (!chosen->session.empty()) words.push_back("--session=" + chosen->session);
  words.emplace_back("--");
  words.insert(words.end(), chosen->files.begin(), chosen->files.end());
  if (Status on = check_cancelled(watch); !on) return tl::unexpected(on.error());
  Result<Request> request = make_request_(words);
  if (!request) return tl::unexpected(request.error());
  request->lists_own = lists;
  request->paper.cuts = true;
  request->paper.columns = kColumns;
  Result<std::string> text = run_request(*request, watch);
  if (!text || asked.axis.empty()) return text;
  return put_first(*std::move(text), asked.axis);
}

ToolAnswer Answerer::answer(const Tool& tool, const std::vector<GivenArgument>& arguments,
                            const Watch& watch) {
  const Result<ToolRequest> asked = read_tool_request(tool, arguments);
  if (!asked) return {asked.error().what, true};
  if (!asked->cursor.empty()) {
    std::optional<std::string> page = pages_.next(asked->cursor, asked->max_tokens);
    if (page) return {*std::move(page), false};
    return {"cursor: this answer is no longer kept; call the tool again without the cursor", true};
  }
  Result<std::string> text = ask(tool, *asked, watch);
  if (text) return {pages_.first(*std::move(text), asked->max_tokens), false};
  return {pages_.first(redacted(text.error()), asked->max_tokens), true};
}

}  // namespace xtrace::mcp
