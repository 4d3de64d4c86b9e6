#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "input/transcripts/copy_dropper.h"
#include "input/transcripts/fill_in.h"

namespace xtrace {

namespace {

/// What a file says of a thread.
struct FileOfThread {
  uint32_t file = 0;
  std::vector<uint32_t> items{};  ///< indices of utterances
  bool is_dated = false;          ///< one of them, so that the times of equal files are equal
  bool has_totals = false;        ///< running ones, which are as good as times
};

uint64_t hash_of_dated(const Utterance& said) {
  uint64_t of = chain(static_cast<uint64_t>(said.kind), said.message.index);
  of = chain(of, static_cast<uint64_t>(said.time.time_since_epoch().count()));
  of = chain(chain(of, said.answer.index), said.error.index);
  of = chain(of, static_cast<uint64_t>(said.tokens.input));
  return chain(of, static_cast<uint64_t>(said.tokens.output));
}

/// Files of one thread of which one begins as the other does, at the same times.
class CopiedFiles {
 public:
  explicit CopiedFiles(RawTrace& trace) : trace_(trace) {}

  void drop() {
    std::map<std::pair<StringId, StringId>, std::vector<FileOfThread>> threads;
    for (uint32_t i = 0; i < trace_.utterances.size(); ++i) {
      const Utterance& said = trace_.utterances[i];
      if (said.id || !is_item(said) || !said.session) continue;
      std::vector<FileOfThread>& files = threads[{said.session, said.agent}];
      // The utterances of a file stand together.
      if (files.empty() || files.back().file != said.source.file)
        files.push_back({said.source.file});
      files.back().items.push_back(i);
      files.back().is_dated |= said.time != kNoTime;
      files.back().has_totals |= said.usage.form == UsageTerms::Form::running;
    }
    for (auto& [thread, files] : threads)
      if (files.size() > 1) drop_copies(files);
  }

 private:
  /// Longer ones first: what is copied is found among their beginnings.
  void drop_copies(std::vector<FileOfThread>& files) {
    std::ranges::stable_sort(files, [](const FileOfThread& a, const FileOfThread& b) {
      return std::tuple(b.items.size(), a.file) < std::tuple(a.items.size(), b.file);
    });
    std::unordered_set<uint64_t> beginnings;
    CopyDropper dropper(trace_);
    for (const FileOfThread& one : files) {
      if (!one.is_dated && !one.has_totals) continue;
      std::vector<uint64_t> hashes;
      for (uint32_t i : one.items)
        hashes.push_back(
            chain(hashes.empty() ? 0 : hashes.back(), hash_of_dated(trace_.utterances[i])));
      if (beginnings.contains(hashes.back()))
        for (uint32_t i : one.items) dropper.drop(trace_.utterances[i]);
      else
        beginnings.insert(hashes.begin(), hashes.end());
    }
  }

  RawTrace& trace_;
};

/// Drops files next to which the same conversation is in full, under another name.
void drop_shortened(RawTrace& trace) {
  constexpr std::string_view kShort = "transcript.jsonl", kFull = "transcript_full.jsonl";
  std::set<std::string_view> in_full;  // folders
  for (const Source& source : trace.sources)
    if (std::string_view path = source.path; cut_last(path) == kFull) in_full.insert(path);
  if (in_full.empty()) return;
  std::vector<bool> is_short;
  for (const Source& source : trace.sources) {
    std::string_view path = source.path;
    is_short.push_back(cut_last(path) == kShort && in_full.contains(path));
  }
  CopyDropper dropper(trace);
  for (Utterance& said : trace.utterances)
    if (is_short[said.source.file]) dropper.drop(said);
  dropper.drop_relations();
}

}  // namespace

ForkedFrom drop_copies(RawTrace& trace) {
  ForkedFrom forked_from;
  drop_shortened(trace);
  CopiedFiles(trace).drop();
  drop_forks(trace, forked_from);
  return forked_from;
}

}  // namespace xtrace
