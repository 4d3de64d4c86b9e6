// Stands in for libFuzzer where there is none: tries every file of the corpus, then mutations of
// them, the same ones in every run.
//
//   XTRACE_FUZZ=NAME xtrace_fuzz MUTATIONS FILE_OR_FOLDER...
//
// NAME: that of a harness (harness.cpp) or of a format; `any`: whatever the bytes look like.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_corpus(const std::vector<fs::path>& roots) {
  std::vector<fs::path> paths;
  for (const fs::path& root : roots) {
    if (!fs::is_directory(root)) {
      paths.push_back(root);
      continue;
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root))
      if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

class Mutations {
 public:
  explicit Mutations(const std::vector<std::string>& corpus) : corpus_(corpus) {
    std::set<std::string> words;
    for (const std::string& text : corpus)
      for (size_t at = 0, end = 0; (at = text.find('"', at)) != std::string::npos; at = end + 1) {
        end = text.find('"', at + 1);
        if (end == std::string::npos) break;
        constexpr size_t kLongest = 60;
        if (end - at < kLongest) words.insert(text.substr(at, end + 1 - at));
      }
    words_.assign(words.begin(), words.end());
  }

  std::string next() {
    std::string text = any();
    for (size_t times = 1 + pick(4); times > 0; --times) mutate(text);
    return text;
  }

 private:
  size_t pick(size_t below) { return below == 0 ? 0 : chance_() % below; }
  const std::string& any() { return corpus_[pick(corpus_.size())]; }

  void mutate(std::string& text) {
    static const std::string kTelling[] = {"{",
                                           "}",
                                           "[",
                                           "]",
                                           "\"",
                                           "\\",
                                           ",",
                                           ":",
                                           "\n",
                                           "\r\n",
                                           "null",
                                           "true",
                                           "-1",
                                           "1e999",
                                           "\\ud800",
                                           "\\u0000",
                                           "\xff",
                                           "\xef\xbb\xbf",
                                           "\x1b[31m",
                                           "\xe2\x80\xae",
                                           "9223372036854775807",
                                           "18446744073709551616",
                                           "0.1",
                                           "2026-03-01T10:00:00Z",
                                           "data: ",
                                           "toolu_1",
                                           "\xf0\x9f\x98\x80"};
    size_t at = pick(text.size() + 1), length = pick(std::min<size_t>(text.size() - at, 40) + 1);
    // Most changes of single bytes break JSON at once; those of words reach what reads it.
    if (!words_.empty() && pick(3) > 0) return mutate_word(text, at);
    switch (pick(6)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, kTelling[pick(std::size(kTelling))]); break;
      case 2: text.replace(at, length, kTelling[pick(std::size(kTelling))]); break;
      case 3: text.insert(at, text.substr(at, length)); break;
      case 4: text.resize(at); break;
      case 5: {
        const std::string& other = any();
        size_t from = pick(other.size() + 1);
        text.insert(at, other.substr(from, pick(400)));
        break;
      }
    }
  }

  /// Puts another word, a number or nothing in place of one.
  void mutate_word(std::string& text, size_t at) {
    static const std::string kValues[] = {
        "null", "true",   "-1",    "0",          "1e999", "9223372036854775807",
        "{}",   "[]",     "\"\"",  "0.1",        "[{}]",  "\"2026-03-01T10:00:00Z\"",
        "1e18", "[null]", "false", "\"\\ud800\""};
    const size_t begin = text.find('"', at);
    const size_t end = begin == std::string::npos ? begin : text.find('"', begin + 1);
    if (end == std::string::npos) return;
    const bool is_key = text.compare(end + 1, 1, ":") == 0;
    switch (pick(4)) {
      case 0: text.replace(begin, end + 1 - begin, words_[pick(words_.size())]); break;
      case 1:
        text.insert(begin, words_[pick(words_.size())] +
                               (is_key ? ":" + kValues[pick(std::size(kValues))] : "") + ",");
        break;
      case 2:
        if (!is_key) text.replace(begin, end + 1 - begin, kValues[pick(std::size(kValues))]);
        break;
      default: {
        // The value that follows, if it is a number or a word.
        const size_t value = text.find_first_not_of(": ", end + 1);
        if (!is_key || value == std::string::npos) break;
        const size_t stop = text.find_first_of(",}]\n", value);
        if (text[value] == '{' || text[value] == '[' || stop == std::string::npos) break;
        text.replace(value, stop - value, kValues[pick(std::size(kValues))]);
      }
    }
  }

  const std::vector<std::string>& corpus_;
  std::vector<std::string> words_;  ///< with their quotes
  std::mt19937 chance_{1};
};

void attempt(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s MUTATIONS FILE_OR_FOLDER...\n", argv[0]);
    return 2;
  }
  const std::vector<std::string> corpus = read_corpus({argv + 2, argv + argc});
  for (const std::string& text : corpus) attempt(text);
  setenv("XTRACE_FUZZ_ONE_OF", "5", /*overwrite=*/0);
  Mutations mutations(corpus);
  const int count = std::atoi(argv[1]);
  for (int i = 0; i < count; ++i) {
    std::string text = mutations.next();
    // Whoever looks into a crash finds here what caused it.
    if (const char* kept = std::getenv("XTRACE_REPLAY_KEEP"))
      std::ofstream(kept, std::ios::binary) << text;
    attempt(text);
  }
  std::printf("%zu files, %d mutations\n", corpus.size(), count);
}
