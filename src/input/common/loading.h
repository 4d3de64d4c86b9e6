#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xtrace {

class ClearedTexts;
struct Format;

/// How inputs are to be read.
struct LoadOptions {
  const Format* format = nullptr;   ///< forced; nullptr: found by content
  unsigned jobs = 1;                ///< threads; the Trace is the same for any number
  bool cut_known = true;            ///< parse only what a line does not repeat; tests compare
  bool keep_message_texts = false;  ///< for links that compare what was said
  bool keep_arguments = false;      ///< for answers that compare what tools were asked for
  bool digests = false;             ///< tell the SHA-256 of each input
  bool rereads = false;        ///< keep what a pipe or archive holds, to go back to its records
  bool keep_digests = false;   ///< tell by its bytes what each piece holds
  bool passes_over = false;    ///< what somebody named and is no log is no reason to fail
  bool allow_missing = false;  ///< answer also where parts lack, and say what
  std::string key;             ///< a file: of parts, where logs are read beside them
  std::string manifest;        ///< a file that shows what parts there have to be
  /// Where logs that parts tell of are now: what their paths begin with, and what replaces it.
  std::vector<std::pair<std::string, std::string>> roots;
  /// What is in a part for an argument of a tool use; empty: parts have none.
  std::function<std::string(std::string_view)> sealed_argument;
  /// Receives what records say with their labels, for answers up to a clearance; nullptr: none.
  std::shared_ptr<ClearedTexts> cleared{};
  uint64_t piece_bytes = 0;  ///< 0: chosen by size and jobs; tests set it
};

/// How far reading has come, for whoever watches from another thread.
struct Progress {
  std::atomic<uint64_t> bytes{0};  ///< of an archive, as they are on disk
  std::atomic<uint64_t> total{0};  ///< 0 while a stream of unknown length is read
  std::atomic<uint64_t> files{0}, all_files{0};
  std::atomic<bool> unpacks{false};  ///< before anything is read, what is read twice is unpacked
};

}  // namespace xtrace
