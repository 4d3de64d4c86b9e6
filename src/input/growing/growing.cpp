#include "input/growing/growing.h"

#include <algorithm>
#include <filesystem>

#include "base/system.h"
#include "input/bytes/inputs.h"

namespace xtrace {

namespace fs = std::filesystem;

namespace {

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::string folder_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

Time written_at(const FileStatus& status) {
  return Time(std::chrono::seconds(status.changed.seconds) +
              std::chrono::nanoseconds(status.changed.nanoseconds));
}

}  // namespace

GrowingInputs::GrowingInputs(std::vector<std::string> paths, Time awake_since)
    : paths_(std::move(paths)), awake_since_(awake_since) {}

void GrowingInputs::watch(const std::string& folder) {
  if (!notices_.is_open() || watched_.contains(folder)) return;
  if (notices_.add(folder)) watched_.insert(folder);
}

void GrowingInputs::follow(uint32_t argument, const std::string& path) {
  auto [tail, is_new] = tails_.try_emplace(path);
  if (!is_new) return;
  bool is_stream = path == "-";
  tail->second = is_stream ? std::make_unique<Tail>(argument, path, kStandardInput, generations_)
                           : std::make_unique<Tail>(argument, path, generations_);
  in_order_.push_back(tail->second.get());
  if (!is_stream) watch(folder_of(path));
}

/// Follows a file that was found in a folder, unless it is asleep. One that comes later is new.
void GrowingInputs::meet(uint32_t argument, const std::string& path) {
  if (awake_since_ == kNoTime || tails_.contains(path)) return follow(argument, path);
  if (asleep_.contains(path)) return;
  const std::optional<FileStatus> status = file_status(path);
  if (!has_looked_ && status && written_at(*status) < awake_since_) {
    asleep_.emplace(path, Asleep{argument, *status});
    watch(folder_of(path));
    return;
  }
  follow(argument, path);
  woken_.push_back(path);
}

/// Names the session of a file by its path: `P/ID` for `P/ID.jsonl` and `P/ID/subagents/a.jsonl`.
std::string GrowingInputs::session_of(const std::string& path) const {
  for (size_t slash = path.find('/', 1); slash != path.npos; slash = path.find('/', slash + 1)) {
    const std::string main = path.substr(0, slash) + ".jsonl";
    if (tails_.contains(main) || asleep_.contains(main)) return path.substr(0, slash);
  }
  return path.substr(0, path.find('.', path.rfind('/') + 2));
}

/// A session is read whole: its subagents may have ended long before it goes on.
void GrowingInputs::wake_sessions(const std::vector<std::string>& paths) {
  std::set<std::string> sessions;
  for (const std::string& path : paths) sessions.insert(session_of(path));
  std::vector<std::pair<uint32_t, std::string>> awake;
  for (const auto& [path, asleep] : asleep_)
    if (sessions.contains(session_of(path))) awake.emplace_back(asleep.argument, path);
  for (const auto& [argument, path] : awake) {
    asleep_.erase(path);
    follow(argument, path);
  }
}

void GrowingInputs::wake_grown() {
  // Thousands of files take some milliseconds to look at.
  constexpr std::chrono::milliseconds kOften{250};
  const auto now = std::chrono::steady_clock::now();
  if (asleep_.empty() || now - looked_at_asleep_ < kOften) return;
  looked_at_asleep_ = now;
  std::vector<std::string> grown;
  for (const auto& [path, asleep] : asleep_) {
    const std::optional<FileStatus> status = file_status(path);
    if (status && (status->bytes != asleep.found.bytes || status->changed != asleep.found.changed))
      grown.push_back(path);
  }
  if (!grown.empty()) wake_sessions(grown);
}

/// The regular files there, hidden ones left out, as load() takes them.
void GrowingInputs::look_below(uint32_t argument, const std::string& folder,
                               std::set<FileId>& entered) {
  const std::optional<FileStatus> status = file_status(folder);
  if (!status || !entered.insert(status->id).second) return;
  watch(folder);
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().filename().string().starts_with(".")) continue;
    std::error_code unknown;
    const bool is_link_up = at->is_symlink(unknown) && leads_up(at->path().string());
    if (at->is_directory(unknown) && !is_link_up)
      look_below(argument, at->path().string(), entered);
    if (at->is_regular_file(unknown)) meet(argument, at->path().string());
  }
}

void GrowingInputs::look_for_files() {
  std::set<FileId> entered;
  for (uint32_t i = 0; i < paths_.size(); ++i)
    if (is_folder(paths_[i]))
      look_below(i, paths_[i], entered);
    else
      meet(i, paths_[i]);
  folders_changed_ = false;
  has_looked_ = true;
  if (const std::vector<std::string> woken = std::exchange(woken_, {}); !woken.empty())
    wake_sessions(woken);
}

Status GrowingInputs::read(Growth& growth) {
  if (!notices_.is_open() || notices_.read_notices()) folders_changed_ = true;
  if (folders_changed_) look_for_files();
  wake_grown();
  for (Tail* tail : in_order_)
    if (Status read = tail->read(growth); !read) return read;
  return {};
}

Status GrowingInputs::end(Growth& growth) {
  for (Tail* tail : in_order_)
    if (Status ended = tail->end(growth); !ended) return ended;
  return {};
}

void GrowingInputs::add_to(std::vector<int>& waiting) const {
  if (notices_.is_open()) waiting.push_back(notices_.fd());
  for (const Tail* tail : in_order_)
    if (tail->stream() >= 0) waiting.push_back(tail->stream());
}

std::chrono::milliseconds GrowingInputs::patience() const {
  bool is_told = notices_.is_open() && !watched_.empty();
  return is_told ? std::chrono::milliseconds(250) : std::chrono::milliseconds(20);
}

bool GrowingInputs::ended() const {
  return !in_order_.empty() &&
         std::all_of(in_order_.begin(), in_order_.end(), [](const Tail* t) { return t->ended(); });
}

std::vector<std::string> GrowingInputs::missing() const {
  std::vector<std::string> missing;
  for (const std::string& path : paths_)
    if (auto tail = tails_.find(path); tail != tails_.end() && !tail->second->was_there())
      missing.push_back(path);
  return missing;
}

}  // namespace xtrace
