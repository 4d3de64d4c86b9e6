#include "run/answer_index.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "base/build.h"
#include "base/hash.h"
#include "base/now.h"
#include "base/one_of.h"
#include "base/parallel.h"
#include "base/sha256.h"
#include "base/variable.h"
#include "keep/byte_archive.h"
#include "keep/private_folder.h"
#include "link/graph/subject.h"
#include "run/own_terminal.h"
#include "run/request.h"

namespace xtrace {

namespace {

/// The commands whose answers are asked for again and again.
constexpr std::string_view kKeptCommands[] = {"list", "report", "stats"};

/// To be raised when the layout changes.
constexpr uint64_t kAnswerLayout = 1;
/// Names of files begin so.
constexpr std::string_view kAnswerPrefix = "answer-";
/// Longer answers are read by programs, which ask once.
constexpr size_t kLongestAnswer = 4 << 20;
/// A list of 2,000 sessions has 200 kB.
constexpr FolderSize kMostAnswers = {256, 32 << 20};
/// Of each end of a file. Logs grow at their end, and documents have totals at one of their ends.
constexpr uint64_t kBlockHashed = 4 << 10;

/// May the answer be kept? Only if it is about nothing but files, shows no text that is not asked
/// for by default, and comes alone. What a clearance withholds is counted while logs are read.
bool may_be_kept(const Request& request) {
  return request.uses_cache && request.output.empty() && !request.opens_page &&
         !request.inputs_are_read && !request.files.any() && request.files.verify.empty() &&
         !request.graph.any() && request.audit_log.empty() && request.reveal.empty() &&
         request.level == Door::Level::basic && request.redaction.which != Redaction::off &&
         request.redaction.cleared == nullptr && request.loading.key.empty() &&
         request.loading.manifest.empty() && request.view->inputs_before().empty() &&
         !is_one_of("-", request.inputs);
}

/// A file as it is now, without its contents.
std::string identity(const std::string& path) {
  const std::optional<FileStatus> status = file_status(path);
  if (!status) return "-";
  return fmt::format("{} {}.{:09} {} {}", status->bytes, status->changed.seconds,
                     status->changed.nanoseconds, status->id.device, status->id.number);
}

/// What local times depend on.
std::string zone_identity() {
  const std::string zone(variable("TZ"));
  return fmt::format("{} {} {}", zone, identity("/etc/localtime"),
                     identity("/usr/share/zoneinfo/" + zone));
}

/// Everything but the files that has a say in the answer; none: a file of settings cannot be read.
std::optional<std::string> question_of(const Request& request) {
  const Paper& paper = request.paper;
  ByteWriter question;
  question(std::string(request.entry->name));
  question(std::string(request.renderer->name));
  question(fmt::format("{} {} {} {} {} {} {} {}", paper.colour, paper.columns, paper.cuts,
                       paper.is_opened, request.on_own_terminal, request.shows_words, request.quiet,
                       request.lists_own));
  question(own_home());
  question(request.redaction.own_user);
  question(request.on_own_terminal ? zone_identity() : std::string());
  const auto add = [](ByteWriter& to, const std::string& text) { to(text); };
  question.list(request.given, add);
  question.list(request.inputs, add);
  for (const std::string& file : request.settings) {
    const Result<std::string> digest = sha256_of_file(file, UINT64_MAX);
    if (!digest) return std::nullopt;
    question(file);
    question(*digest);
  }
  return question.out;
}

/// What tells an input from what it was or will be. None: it is not a file that can be looked at.
std::optional<std::string> state_of(Input& input) {
  if (!input.seekable || !input.settle()) return std::nullopt;
  const Result<std::shared_ptr<const File>> file = input.open();
  if (!file) return std::nullopt;
  char block[kBlockHashed];
  uint64_t hash = 0;
  for (const uint64_t at : {uint64_t{0}, input.bytes - std::min(input.bytes, kBlockHashed)}) {
    const std::optional<size_t> count = read_at((*file)->fd(), block, sizeof block, at);
    if (!count) return std::nullopt;
    hash = chain(hash, hash_of({block, *count}));
    if (input.bytes <= kBlockHashed) break;
  }
  std::string state = fmt::format("{}\n{} {}.{:09} {} {} {} {:016x}\n", input.path, input.bytes,
                                  input.changed.seconds, input.changed.nanoseconds, input.id.device,
                                  input.id.number, input.listed, hash);
  // Of a database, what is written waits in a file next to it for a while.
  if (!input.path.ends_with(".jsonl") && !input.path.ends_with(".json"))
    state +=
        fmt::format("{} {}\n", identity(input.path + "-wal"), identity(input.path + "-journal"));
  return state;
}

/// By the clock of files, which SOURCE_DATE_EPOCH does not set.
Time time_now() {
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

}  // namespace

bool keeps_answers(const ViewEntry& entry) {
  return std::ranges::find(kKeptCommands, entry.name) != std::end(kKeptCommands);
}

bool may_change_unseen(const FileTime& changed, Time now) {
  // The clock of files goes on with the ticks of the kernel, at the slowest 100 a second; that of
  // some file systems by one or two seconds.
  const bool is_coarse = changed.nanoseconds % 1'000'000 == 0;
  const Duration step =
      is_coarse ? Duration(std::chrono::seconds(2)) : std::chrono::milliseconds(20);
  const Duration since =
      std::chrono::seconds(changed.seconds) + std::chrono::nanoseconds(changed.nanoseconds);
  return Time(since) + step > now;
}

std::string bytes_of(const KeptAnswer& answer, std::string_view key) {
  ByteWriter body;
  body.word(answer.exit, Exit::no);
  body(answer.notes);
  body(answer.text);
  body(answer.remarks);
  ByteWriter whole;
  whole(kAnswerLayout);
  whole(std::string(key));
  whole(sha256_bytes_of(body.out));
  return whole.out + body.out;
}

std::optional<KeptAnswer> read_kept_answer(std::string_view bytes, std::string_view key) {
  ByteWriter head;
  head(kAnswerLayout);
  head(std::string(key));
  if (!bytes.starts_with(head.out)) return std::nullopt;
  bytes.remove_prefix(head.out.size());
  ByteWriter sum;
  sum(std::string(32, '\0'));
  if (bytes.size() < sum.out.size()) return std::nullopt;
  const std::string_view body = bytes.substr(sum.out.size());
  ByteWriter expected;
  expected(sha256_bytes_of(body));
  if (!bytes.starts_with(expected.out)) return std::nullopt;
  KeptAnswer answer;
  ByteReader reader(body);
  reader.word(answer.exit, Exit::no);
  reader(answer.notes);
  reader(answer.text);
  reader(answer.remarks);
  if (!reader.is_done()) return std::nullopt;
  return answer;
}

AnswerIndex::AnswerIndex(const Request& request) : times_asked_(times_now_was_asked()) {
  if (!may_be_kept(request)) return;
  const std::string build = build_id();
  if (build.empty() || cache_folder().empty()) return;
  const std::optional<std::string> question = question_of(request);
  if (!question || !note_files(request)) return;
  name_ = fmt::format("{}{}.index", kAnswerPrefix, sha256_of(*question).substr(0, 32));
  key_ = sha256_of(fmt::format("{} {}\n{}\n{}", XTRACE_VERSION, build, *question, key_));
}

bool AnswerIndex::note_files(const Request& request) {
  found_ = find_inputs(request.inputs);
  if (!*found_) return false;
  std::vector<Input>& inputs = (**found_).inputs;
  const Time now = time_now();
  std::vector<std::string> states(inputs.size());
  std::atomic<bool> is_known = true, is_settled = true;
  for_each_on(request.loading.jobs, states.size(), [&] {
    return [&](size_t i) {
      std::optional<std::string> state = state_of(inputs[i]);
      if (may_change_unseen(inputs[i].changed, now)) is_settled = false;
      if (state)
        states[i] = *std::move(state);
      else
        is_known = false;
    };
  });
  if (!is_known) return false;
  is_settled_ = is_settled;
  Sha256 sum;
  for (const std::string& state : states) sum.add(state);
  for (const Unread& unread : (**found_).unread)
    sum.add(fmt::format("{} {} {}\n{}\n", unread.why, unread.files, unread.may_hold_records,
                        fmt::join(unread.paths, "\n")));
  key_ = sum.hex();
  for (const Input& input : inputs) paths_.push_back(input.path);
  std::ranges::sort(paths_);
  return true;
}

std::optional<KeptAnswer> AnswerIndex::find() const {
  if (name_.empty()) return std::nullopt;
  const std::optional<PrivateFolder> folder = PrivateFolder::open(cache_folder());
  if (!folder) return std::nullopt;
  // Its texts, and less than a page around them.
  constexpr uint64_t kLongest = 2 * kLongestAnswer;
  const std::optional<std::string> bytes = folder->read(name_, kLongest);
  return bytes ? read_kept_answer(*bytes, key_) : std::nullopt;
}

bool AnswerIndex::may_keep(const Trace& trace) const {
  return !name_.empty() && is_settled_ && !trace.parts && holds_activities(trace) &&
         std::ranges::all_of(trace.sources, [&](const Source& source) {
           return std::ranges::binary_search(paths_, source.path);
         });
}

void AnswerIndex::keep(const KeptAnswer& answer) const {
  if (name_.empty() || times_now_was_asked() != times_asked_) return;
  if (answer.notes.size() + answer.remarks.size() > kLongestAnswer / 2) return;
  const std::optional<PrivateFolder> folder = PrivateFolder::make(cache_folder());
  if (!folder || !folder->write(name_, bytes_of(answer, key_))) return;
  folder->bound(kAnswerPrefix, kMostAnswers);
}

std::optional<std::string> CopyingBuffer::take() {
  if (!is_whole_) return std::nullopt;
  return std::move(copy_);
}

CopyingBuffer::int_type CopyingBuffer::overflow(int_type next) {
  if (traits_type::eq_int_type(next, traits_type::eof())) return traits_type::not_eof(next);
  const char byte = traits_type::to_char_type(next);
  return xsputn(&byte, 1) == 1 ? next : traits_type::eof();
}

std::streamsize CopyingBuffer::xsputn(const char* bytes, std::streamsize count) {
  if (!to_.write(bytes, count)) {
    is_whole_ = false;
    return 0;
  }
  is_whole_ = is_whole_ && copy_.size() + static_cast<size_t>(count) <= kLongestAnswer;
  if (is_whole_)
    copy_.append(bytes, static_cast<size_t>(count));
  else
    copy_ = std::string();
  return count;
}

}  // namespace xtrace
