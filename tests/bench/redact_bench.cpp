// How the redactor does on your own files, which should hold no secrets:
//
//   redact_bench [--naive] FILE|FOLDER...
//
// shows how fast it reads them, what it would replace by rule and megabyte (false alarms, where
// there are no secrets), and with --naive whether it finds just what the rules one by one find.
// With --show RULE it prints what that rule finds, with --show secrets what all rules for secrets
// find.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "naive_redact.h"
#include "redact/redact.h"
#include "redact/redact_rules.h"

namespace {

namespace fs = std::filesystem;
using namespace xtrace;

constexpr size_t kPiece = 64 << 10;  // about what the longest texts of a log have
constexpr double kMega = 1e6;

/// Text files alone, in pieces that end with a line.
std::vector<std::string> read_pieces(const std::vector<fs::path>& paths) {
  std::vector<std::string> pieces;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (text.find('\0') != std::string::npos) continue;
    for (size_t at = 0; at < text.size();) {
      size_t end = at + kPiece < text.size() ? text.find('\n', at + kPiece) : text.size();
      end = end == std::string::npos ? text.size() : end;
      pieces.push_back(text.substr(at, end - at));
      at = end;
    }
  }
  return pieces;
}

void collect(const fs::path& path, std::vector<fs::path>& files) {
  std::error_code ignored;
  if (fs::is_regular_file(path, ignored)) files.push_back(path);
  if (!fs::is_directory(path, ignored)) return;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, ignored))
    if (entry.is_regular_file(ignored) && !entry.is_symlink(ignored)) files.push_back(entry.path());
}

template <class Work>
double seconds(const std::vector<std::string>& pieces, Work work) {
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  for (const std::string& piece : pieces) work(piece);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

size_t count_differences(const std::vector<std::string>& pieces) {
  size_t differing = 0;
  for (const std::string& piece : pieces) {
    std::vector<RuleSpan> naive = naive_spans(piece), fast = fast_spans(piece), differ;
    std::set_symmetric_difference(naive.begin(), naive.end(), fast.begin(), fast.end(),
                                  std::back_inserter(differ));
    differing += differ.size();
    for (const auto& [rule, begin, end] : differ)
      fmt::print("  differs: {} '{}'\n", redact_rules()[rule].name,
                 piece.substr(begin, std::min<size_t>(end - begin, 80)));
  }
  return differing;
}

void show(const std::vector<std::string>& pieces, const std::string& rule) {
  for (const std::string& piece : pieces)
    for (const auto& [index, begin, end] : fast_spans(piece)) {
      const RedactRule& one = redact_rules()[index];
      if (one.name != rule && !(rule == "secrets" && one.kind == Sensitive::secret)) continue;
      size_t from = begin > 40 ? begin - 40 : 0;
      std::string around = piece.substr(from, std::min<size_t>(end - from + 20, 140));
      std::replace_if(
          around.begin(), around.end(), [](char c) { return c < ' '; }, ' ');
      fmt::print("{}: {}\n", one.name, around);
    }
}

}  // namespace

int main(int count, char** words) {
  bool naive = false;
  std::string shown;
  std::vector<fs::path> files;
  for (int i = 1; i < count; ++i) {
    std::string word = words[i];
    if (word == "--naive")
      naive = true;
    else if (word == "--show" && i + 1 < count)
      shown = words[++i];
    else
      collect(word, files);
  }
  std::vector<std::string> pieces = read_pieces(files);
  if (!shown.empty()) return show(pieces, shown), 0;
  size_t bytes = 0;
  for (const std::string& piece : pieces) bytes += piece.size();
  double mega = static_cast<double>(bytes) / kMega;
  fmt::print("{:.1f} MB of text in {} files\n", mega, files.size());

  std::vector<RedactFinding> found;
  double search = seconds(pieces, [&](const std::string& piece) {
    found.clear();
    find_rule_matches(piece, Redaction::all, found);
  });
  Redactor redactor;
  double all = seconds(pieces, [&](const std::string& piece) { redactor.redact(piece); });
  fmt::print("search {:.3f} GB/s, with decoded views and replacing {:.3f} GB/s\n",
             mega / 1000 / search, mega / 1000 / all);
  fmt::print("replacements a MB:");
  std::vector<std::pair<int64_t, std::string>> worst;
  for (const auto& [rule, times] : redactor.counts()) worst.emplace_back(times, rule);
  std::sort(worst.rbegin(), worst.rend());
  for (const auto& [times, rule] : worst)
    fmt::print(" {} {:.3f}", rule, static_cast<double>(times) / mega);
  fmt::print("\n");
  if (!naive) return 0;
  size_t differing = count_differences(pieces);
  fmt::print("{} spans differ from those of the rules one by one\n", differing);
  return differing == 0 ? 0 : 1;
}
