// Stands in for libFuzzer where there is none: tries every file of the corpus, then mutations of
// them, the same ones in every run.
//
//   fuzz_proxy_log CORPUS [MUTATIONS]

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/fuzz.h"

namespace {

namespace fs = std::filesystem;

std::vector<std::string> read_corpus(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) paths.push_back(entry.path());
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
  explicit Mutations(const std::vector<std::string>& corpus) : corpus_(corpus) {}

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

  const std::vector<std::string>& corpus_;
  std::mt19937 chance_{1};
};

void attempt(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s CORPUS [MUTATIONS]\n", argv[0]);
    return 2;
  }
  std::vector<std::string> corpus = read_corpus(argv[1]);
  for (const std::string& text : corpus) attempt(text);
  Mutations mutations(corpus);
  int count = argc > 2 ? std::atoi(argv[2]) : 0;
  for (int i = 0; i < count; ++i) {
    std::string text = mutations.next();
    // Whoever looks into a crash finds here what caused it.
    if (const char* kept = std::getenv("XTRACE_REPLAY_KEEP"))
      std::ofstream(kept, std::ios::binary) << text;
    attempt(text);
  }
  std::printf("%zu files, %d mutations\n", corpus.size(), count);
}
