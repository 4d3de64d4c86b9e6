#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/hash.h"
#include "link/waste/waste_search.h"

namespace xtrace {

namespace {

constexpr int64_t kHuge = 4000;      // tokens
constexpr size_t kShortestWord = 4;  // shorter ones come up again by chance
constexpr size_t kFewestNew = 50;    // words that nobody said before

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}

/// Is it a name that somebody made up, as `read_file`, `readFile` and `v2` are?
bool is_made_up(std::string_view word) {
  bool has_letter = false;
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    if (c == '_' || (i > 0 && is_capital(c) && !is_capital(word[i - 1]))) return true;
    if (c >= '0' && c <= '9' && has_letter) return true;
    has_letter |= c > '9';
  }
  return false;
}

/// Names each word of a text, in small letters.
template <class Each>
void for_each_word(std::string_view text, Each each) {
  std::string small;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (word.size() >= kShortestWord) {
      small.assign(word);
      for (char& c : small) c = is_capital(c) ? static_cast<char>(c | 0x20) : c;
      each(hash_of(small), word);
    }
    at = std::max(end, at + 1);
  }
}

using Words = std::unordered_set<uint64_t>;

/// Of one conversation, by words: a result that brings in words nobody said before, and of which
/// none of these comes up again in what the model says, thinks or asks for, nor any made-up name,
/// said before or not.
class UseFinder {
 public:
  UseFinder(WasteSearch& search, const Conversation& conversation)
      : search_(search), conversation_(conversation) {}

  void find() {
    for (uint32_t i : search_.steps.by_conversation()[conversation_.number - 1])
      if (is_huge(i)) huge_[search_.steps[i].done->reader].push_back(i);
    if (huge_.empty()) return;
    for (const auto& [reader, steps] : huge_) to_come_ += steps.size();
    for (CallId id : conversation_.calls) {
      read(id);
      if (to_come_ == 0 && is_settled()) return;
    }
    // Where the last thing on record is a question to a tool, the end is not on record.
    if (!search_.graph.activities().tools_of(conversation_.calls.back()).empty()) return;
    for (const OpenResult& one : open_) close(one);
  }

 private:
  struct OpenResult {
    const CarriedResult* result = nullptr;
    uint32_t step = 0;
    size_t before = 0;  ///< answers before it
    bool is_used = false;
  };

  bool is_huge(uint32_t i) const {
    const ToolStep& step = search_.steps[i];
    const CarriedResult* one = search_.carried(step.id);
    return one != nullptr && one->tokens >= kHuge && one->reader == step.done->reader &&
           search_.shows(i) && !search_.is_claimed(i) && step.went_well();
  }

  /// Nothing that is said from here on tells more.
  bool is_settled() const {
    return std::all_of(open_.begin(), open_.end(), [](const auto& one) { return one.is_used; });
  }

  void read(CallId id) {
    const Call& call = search_.graph.trace()[id];
    const std::vector<Quote> quotes = search_.from.payloads->quotes(call);
    if (call.is_compacted || call.is_pruned) {  // it is sent no more; a summary may hold some of it
      for (const Quote& said : quotes) use(said.text);
      for (const OpenResult& one : open_) close(one);
      open_.clear();
      waiting_.clear();
    }
    if (auto huge = huge_.find(id); huge != huge_.end())
      for (uint32_t i : huge->second) open(i, quotes), --to_come_;
    for (const Quote& said : quotes)
      if (!said.is_answer && to_come_ > 0)
        for_each_word(said.text, [&](uint64_t word, std::string_view) { seen_.insert(word); });
    bool is_answer = false;
    for (const Quote& said : quotes) {
      if (!said.is_answer) continue;
      is_answer = true;
      use(said.text);
    }
    answers_ += is_answer;
  }

  void use(std::string_view text) {
    for_each_word(text, [&](uint64_t word, std::string_view) {
      if (to_come_ > 0) seen_.insert(word);
      auto waiting = waiting_.find(word);
      if (waiting == waiting_.end()) return;
      for (uint32_t i : waiting->second) open_[i].is_used = true;
      waiting_.erase(waiting);
    });
  }

  void open(uint32_t step, const std::vector<Quote>& quotes) {
    OpenResult one;
    one.result = search_.carried(search_.steps[step].id);
    one.step = step;
    one.before = answers_;
    const StringId id = search_.steps[step].use->id;
    Words asked;  // its name and the like come up again without it
    for_each_word(search_.steps.arguments(search_.steps[step]),
                  [&](uint64_t word, std::string_view) { asked.insert(word); });
    Words words;  // by which it would be told that it was used
    size_t fresh = 0;
    for (const Quote& said : quotes)
      if (said.kind == Quote::Kind::tool_result && said.tool_use == search_.graph.trace()[id])
        for_each_word(said.text, [&](uint64_t word, std::string_view said_so) {
          const bool is_fresh = !seen_.contains(word);
          if (!is_fresh && (!is_made_up(said_so) || asked.contains(word))) return;
          fresh += words.insert(word).second && is_fresh;
        });
    if (fresh < kFewestNew) return;
    for (uint64_t word : words) waiting_[word].push_back(static_cast<uint32_t>(open_.size()));
    open_.push_back(one);
  }

  void close(const OpenResult& one) {
    const size_t answers = answers_ - one.before;
    if (one.is_used || answers == 0) return;
    const ToolStep& step = search_.steps[one.step];
    Waste waste;
    waste.kind = WasteKind::unused_result;
    waste.times = 1;
    waste.confidence = answers > 2 ? 0.85 : 0.6;
    waste.tool = step.done->tool;
    waste.target = step.use->target;
    waste.evidence.push_back({step.call, step.id, "asked for"});
    waste.evidence.push_back({step.done->reader, step.id, "read"});
    WasteSearch::add_carried(*one.result, waste);
    search_.found.push_back(std::move(waste));
  }

  WasteSearch& search_;
  const Conversation& conversation_;
  std::map<CallId, std::vector<uint32_t>> huge_;  ///< steps, by who reads their results
  size_t to_come_ = 0;                            ///< of them, those that nobody has read so far
  Words seen_;                                    ///< while some are to come
  std::vector<OpenResult> open_;
  std::unordered_map<uint64_t, std::vector<uint32_t>> waiting_;  ///< in open_, by word
  size_t answers_ = 0;
};

}  // namespace

void find_unused_results(WasteSearch& search) {
  if (search.from.payloads == nullptr) return;
  for (const Conversation& conversation : search.graph.conversations())
    UseFinder(search, conversation).find();
}

}  // namespace xtrace
