#include "run/own_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/hash.h"
#include "keep/private_file.h"
#include "run/own_logs.h"
#include "run/request.h"

namespace xtrace {

namespace {

/// To be raised when the layout or the way to count changes.
constexpr uint64_t kLayout = 2;
constexpr size_t kHeader = 3 * sizeof(uint64_t);  // layout, key, checksum of what follows

/// Numbers are in the order of this machine: the index never leaves it.
class Writer {
 public:
  void operator()(const uint64_t& number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    out.append(bytes, sizeof bytes);
  }
  void operator()(const int64_t& number) { (*this)(static_cast<uint64_t>(number)); }
  void operator()(const Time& time) { (*this)(int64_t{time.time_since_epoch().count()}); }
  void operator()(const Doing& doing) { (*this)(static_cast<uint64_t>(doing)); }
  void operator()(const std::string& text) {
    (*this)(uint64_t{text.size()});
    out += text;
  }
  template <class Item, class Each>
  void list(const std::vector<Item>& items, Each each) {
    (*this)(uint64_t{items.size()});
    for (const Item& item : items) each(*this, item);
  }
  std::string out;
};

class Scanner {
 public:
  explicit Scanner(std::string_view bytes) : left_(bytes) {}
  void operator()(uint64_t& number) {
    if (!has(sizeof number)) return;
    std::memcpy(&number, left_.data(), sizeof number);
    left_.remove_prefix(sizeof number);
  }
  void operator()(int64_t& number) {
    uint64_t bits = 0;
    (*this)(bits);
    number = static_cast<int64_t>(bits);
  }
  void operator()(Time& time) {
    int64_t count = 0;
    (*this)(count);
    time = Time(Duration(count));
  }
  void operator()(Doing& doing) {
    uint64_t number = 0;
    (*this)(number);
    is_sound_ &= number <= static_cast<uint64_t>(Doing::user);
    doing = static_cast<Doing>(number);
  }
  void operator()(std::string& text) {
    uint64_t size = 0;
    (*this)(size);
    if (!has(size)) return;
    text = left_.substr(0, size);
    left_.remove_prefix(size);
  }
  template <class Item, class Each>
  void list(std::vector<Item>& items, Each each) {
    uint64_t size = 0;
    (*this)(size);
    if (!has(size)) return;  // an item takes a byte at least
    items.resize(size);
    for (Item& item : items) each(*this, item);
  }
  bool is_done() const { return is_sound_ && left_.empty(); }

 private:
  bool has(uint64_t bytes) {
    is_sound_ &= bytes <= left_.size();
    return is_sound_;
  }
  std::string_view left_;
  bool is_sound_ = true;
};

// Each goes through the members in their order, for both directions.

template <class Archive, class Sum>
void go_through_sum(Archive& archive, Sum& used) {
  archive(used.cost);
  archive(used.uncharged);
  archive(used.unpriced);
  archive(used.low);
}

template <class Archive, class Group>
void go_through(Archive& archive, Group& group) {
  archive.list(group.files, [](Archive& at, auto& file) {
    at(file.path);
    at(file.bytes);
    at(file.changed.seconds);
    at(file.changed.nanoseconds);
    at(file.id.device);
    at(file.id.number);
  });
  archive.list(group.sessions, [](Archive& at, auto& session) {
    at(session.id);
    at(session.source);
    at(session.project);
    at(session.tool);
    at(session.doing);
    at(session.since);
    at(session.end);
    at(session.calls);
    go_through_sum(at, session.used);
  });
  archive.list(group.periods, [](Archive& at, auto& period) {
    at(period.quarter);
    go_through_sum(at, period.used);
  });
  archive.list(group.keys, [](Archive& at, auto& key) { at(key); });
}

uint64_t number_at(std::string_view bytes, size_t nth) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data() + nth * sizeof number, sizeof number);
  return number;
}

/// The program, and each file whose content the sums depend on, as it is now.
uint64_t key_of(const Request& request) {
  uint64_t key = hash_of(XTRACE_VERSION);
  for (const std::string& file : request.settings) {
    const FileStatus status = file_status(file).value_or(FileStatus());
    key =
        chain(key, hash_of(fmt::format("{} {} {}.{} {}", file, status.bytes, status.changed.seconds,
                                       status.changed.nanoseconds, status.id.number)));
  }
  return chain(key, hash_of(fmt::format("{}", fmt::join(request.linking.spawn_tools, "\n"))));
}

/// One for each set of log folders, so that XTRACE_LOGS does not replace the usual one.
std::string index_path() {
  const std::string folder = cache_folder();
  if (folder.empty()) return {};
  uint64_t logs = 0;
  for (const std::string& path : own_logs()) logs = chain(logs, hash_of(path));
  return fmt::format("{}/sessions-{:016x}.index", folder, logs);
}

}  // namespace

const IndexedSession* OwnIndex::find(std::string_view id) const {
  const IndexedSession* newest = nullptr;
  for (const IndexedGroup& group : groups)
    for (const IndexedSession& session : group.sessions) {
      if (!id.empty() && session.id == id) return &session;
      if (!session.id.starts_with(id)) continue;
      if (newest == nullptr || newest->end < session.end) newest = &session;
    }
  return newest;
}

const IndexedSession* OwnIndex::numbered(size_t number) const {
  std::vector<const IndexedSession*> sessions;
  for (const IndexedGroup& group : groups)
    for (const IndexedSession& session : group.sessions) sessions.push_back(&session);
  std::ranges::stable_sort(
      sessions, [](const IndexedSession* a, const IndexedSession* b) { return a->end > b->end; });
  return number > 0 && number <= sessions.size() ? sessions[number - 1] : nullptr;
}

Usage OwnIndex::used_on(std::string_view day, const Zone& zone) const {
  Usage sum;
  int64_t last = INT64_MIN;
  bool is_on_day = false;
  for (const IndexedGroup& group : groups)
    for (const IndexedPeriod& period : group.periods) {
      if (period.quarter != last)
        is_on_day = zone.day(Time(std::chrono::minutes(15) * period.quarter)) == day;
      last = period.quarter;
      if (is_on_day) sum.add(period.used);
    }
  return sum;
}

std::string bytes_of(const OwnIndex& index, uint64_t key) {
  Writer body;
  body.list(index.groups, [](Writer& at, const IndexedGroup& group) { go_through(at, group); });
  Writer whole;
  for (const uint64_t number : {kLayout, key, hash_of(body.out)}) whole(number);
  return whole.out + body.out;
}

std::optional<OwnIndex> read_index(std::string_view bytes, uint64_t key) {
  if (bytes.size() < kHeader || number_at(bytes, 0) != kLayout || number_at(bytes, 1) != key)
    return std::nullopt;
  const std::string_view body = bytes.substr(kHeader);
  if (number_at(bytes, 2) != hash_of(body)) return std::nullopt;
  OwnIndex index;
  Scanner scanner(body);
  scanner.list(index.groups, [](Scanner& at, IndexedGroup& group) { go_through(at, group); });
  if (!scanner.is_done()) return std::nullopt;
  return index;
}

Result<OwnIndex> own_index(const Request& request, bool uses_cache) {
  const std::string path = uses_cache ? index_path() : std::string();
  const uint64_t key = key_of(request);
  OwnIndex index;
  if (!path.empty())
    if (const std::optional<std::string> bytes = read_private(path))
      if (std::optional<OwnIndex> known = read_index(*bytes, key)) index = *std::move(known);
  const Result<bool> changed = update_index(index, request);
  if (!changed) return tl::unexpected(changed.error());
  if (*changed && !path.empty()) write_private(path, bytes_of(index, key));
  return index;
}

}  // namespace xtrace
