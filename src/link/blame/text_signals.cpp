#include <algorithm>
#include <cmath>
#include <map>

#include "base/hash.h"
#include "base/one_of.h"
#include "link/activities/deed.h"
#include "link/blame/search.h"
#include "link/waste/tool_words.h"

namespace xtrace {

namespace {

/// Numbers in arguments with fewer digits are counts that a model chooses.
constexpr size_t kFewestArgumentDigits = 5;
/// A value counts as nearly another one if chance brings them so close less often than this.
constexpr double kMostChance = 0.01;
/// A whole argument is a value if it is no longer than this; a longer one is a text.
constexpr size_t kLongestValue = 64;

/// Does a model choose the value of an argument of that name by itself? By the words of the name:
/// `max_tokens` and `maxTokens`, not `account`.
bool is_free(std::string_view name) {
  constexpr std::string_view kFree[] = {
      "limit",   "timeout", "seed",  "offset",  "max",      "min",         "size",   "page",
      "port",    "width",   "top",   "height",  "delay",    "tokens",      "sleep",  "wait",
      "ttl",     "depth",   "count", "lines",   "interval", "retries",     "budget", "ms",
      "seconds", "secs",    "yield", "minutes", "length",   "milliseconds"};
  std::string word;
  bool is_one = false;
  const auto close = [&] {
    is_one |= is_one_of(word, kFree);
    word.clear();
  };
  for (char c : name) {
    const bool is_capital = c >= 'A' && c <= 'Z';
    if (is_capital || c == '_' || c == '-') close();
    if (c != '_' && c != '-') word += is_capital ? static_cast<char>(c | 0x20) : c;
  }
  close();
  return is_one;
}

/// A value that went through more steps says nothing of where it began.
constexpr size_t kFurthest = 1000;

size_t digits_of(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return c >= '0' && c <= '9'; }));
}

/// Reads the calls in order of time, and notes who first said what.
class TextReader {
 public:
  explicit TextReader(BlameSearch& search)
      : search_(search),
        graph_(search.graph),
        heard_(graph_.conversations().size()),
        sources_(search.size()) {}

  void read() {
    for (CallId call : graph_.timeline().in_order())
      if (search_.of(call) != kNoStep) read(call);
  }

 private:
  using Hashes = std::unordered_set<uint64_t>;

  /// A value that a result gave under a name.
  struct Given {
    uint32_t step = kNoStep;
    std::vector<uint64_t> values;
  };
  /// A file as an agent read it.
  struct FileRead {
    uint32_t step = kNoStep;
    uint32_t changed_by = kNoStep;  ///< another agent's step, since
    std::vector<uint64_t> values;
  };
  struct Conversation {
    Hashes said;                                ///< all that its calls contain
    std::unordered_map<uint64_t, Given> given;  ///< by name of the member
    std::map<std::string_view, FileRead> files;
    bool has_results = false, misses_results = false;
  };

  void read(CallId call) {
    const uint32_t own = search_.of(call);
    Conversation& here = heard_[graph_.conversation_of(call).number - 1];
    read_instructions(call, here);
    const std::vector<Quote> quotes = search_.from.payloads->quotes(graph_.trace()[call]);
    search_.unread_calls += quotes.empty();
    std::vector<TextToken> replied;
    for (const Quote& quote : quotes) {
      if (quote.kind == Quote::Kind::tool_result) {
        read_result(call, quote, here);
      } else if (quote.kind == Quote::Kind::tool_use) {
        if (const uint32_t use = use_of(call, quote.tool_use); use != kNoStep && quote.is_answer)
          read_use(use, quote, here);
      } else if (quote.is_answer) {
        for (TextToken& token : tokens_in(quote.text)) replied.push_back(std::move(token));
      } else {
        for (const TextToken& token : tokens_in(quote.text)) note(token, own, here);
      }
    }
    if (is_report(call)) check_report(own, replied, here);
    for (const TextToken& token : replied) {
      lead_to(own, token);
      note(token, own, here);
    }
  }

  /// The use that the call asked for, or the last one of that id before it.
  uint32_t use_of(CallId call, std::string_view id) const {
    const std::vector<uint32_t>& named = search_.uses_named(id);  // in order
    const auto next = std::ranges::lower_bound(named, search_.of(call));
    if (next != named.end() && search_.step(*next).call == call) return *next;
    return next == named.begin() ? kNoStep : *(next - 1);
  }

  void read_instructions(CallId call, Conversation& here) {
    const StringId prompt = graph_.trace()[call].system_prompt;
    if (!prompt) return;
    auto [known, is_new] = instructions_.try_emplace(prompt.index);
    if (is_new)
      for (const TextToken& token :
           tokens_in(search_.from.payloads->instructions(graph_.trace()[call]).system_prompt))
        known->second.push_back(token);
    if (told_.insert(pair_of(graph_.conversation_of(call).number, prompt.index)).second)
      for (const TextToken& token : known->second) note(token, kNoStep, here);
  }

  /// Records that this place has it. Who says it first is where it is from. `is_argument`: a model
  /// put it there, which is no ground for a value.
  void note(const TextToken& token, uint32_t step, Conversation& here, bool is_argument = false) {
    here.said.insert(token.hash);
    if (!is_argument) given_.try_emplace(token.hash, step);
    if (!origin_.try_emplace(token.hash, step).second) return;
    ++numbers_[token.text.size()];
  }

  void lead_to(uint32_t step, const TextToken& token) {
    const auto origin = origin_.find(token.hash);
    if (origin == origin_.end() || origin->second == kNoStep || origin->second == step) return;
    if (!led_.insert(pair_of(origin->second, step)).second) return;
    sources_[step].push_back(origin->second);
    // That both contain it does not prove that one had it from the other.
    constexpr double kConfidence = 0.99;
    search_.reuse.push_back({origin->second, step, kConfidence, 0, 0});
  }

  void read_result(CallId reader, const Quote& quote, Conversation& here) {
    const uint32_t use = use_of(reader, quote.tool_use);
    here.has_results = true;
    const std::vector<TextToken> tokens = tokens_in(quote.text);
    for (const TextToken& token : tokens) note(token, use, here);
    if (use == kNoStep) return;
    for (const JsonLeaf& leaf : leaves_of(quote.text)) {
      if (leaf.name.empty() || leaf.is_default) continue;
      Given given{use, {}};
      for (const TextToken& token : tokens_in(leaf.value)) given.values.push_back(token.hash);
      if (!given.values.empty()) here.given[hash_of(leaf.name)] = std::move(given);
    }
    const GraphStep& step = search_.step(use);
    if (step.tool == nullptr || !step.tool->use->target || !reads_file(*step.tool)) return;
    FileRead file{use, kNoStep, {}};
    for (const TextToken& token : tokens)
      if (token.kind == TokenKind::number) file.values.push_back(token.hash);
    const std::string_view target = graph_.trace()[step.tool->use->target];
    here.files[target] = std::move(file);
    std::vector<Conversation*>& readers = readers_[target];
    if (std::ranges::find(readers, &here) == readers.end()) readers.push_back(&here);
  }

  static bool reads_file(const Activity& tool) {
    return classify_tool_name(tool.tool).reads_files || deed_of(tool.tool) == Deed::read;
  }
  static bool writes_file(const Activity& tool) {
    return classify_tool_name(tool.tool).edits || changes(deed_of(tool.tool));
  }

  void read_use(uint32_t use, const Quote& quote, Conversation& here) {
    const std::vector<JsonLeaf> leaves = leaves_of(quote.text);
    std::vector<TextToken> all;
    for (const JsonLeaf& leaf : leaves) {
      const std::vector<TextToken> tokens = tokens_in(leaf.value);
      for (const TextToken& token : tokens) lead_to(use, token);
      if (leaf.is_default)
        check_default(use, leaf, here);
      else if (tokens.size() == 1)
        check_value(use, leaf, tokens.front());
      all.insert(all.end(), tokens.begin(), tokens.end());
    }
    const Activity* tool = search_.step(use).tool;
    if (tool != nullptr) {
      const bool is_read = reads_file(*tool);
      const std::string_view target =
          tool->use->target ? graph_.trace()[tool->use->target] : std::string_view();
      if (!is_read) check_stale(use, here);
      if (is_read) here.files.erase(target);  // it asks for the file as it is now
      if (!target.empty() && writes_file(*tool)) note_write(use, target, all, here);
    }
    for (const TextToken& token : all) {
      used_.insert(token.hash);
      note(token, use, here, true);
    }
  }

  void check_value(uint32_t use, const JsonLeaf& leaf, const TextToken& token) {
    const bool is_number = token.kind == TokenKind::number;
    if (token.kind == TokenKind::url || token.kind == TokenKind::path) return;
    if (leaf.value.size() > kLongestValue || is_free(leaf.name)) return;
    if (leaf.value.find_first_of(" \n") != std::string::npos) return;
    if (is_number && digits_of(token.text) < kFewestArgumentDigits) return;
    if (origin_.contains(token.hash)) return;
    FoundSignal signal{BlameSignal::ungrounded, use, kNoStep, leaf.name, token.kind};
    const double among = static_cast<double>(numbers_[token.text.size()]);
    const double values = std::pow(is_number ? 10 : 36, static_cast<double>(token.text.size()));
    if (token.kind != TokenKind::mail &&
        among * static_cast<double>(count_near(token)) / values < kMostChance)
      if (const std::string near =
              find_near(token, [&](uint64_t value) { return given_.contains(value); });
          !near.empty()) {
        signal.signal = BlameSignal::near_miss;
        signal.other = given_[hash_of(near)];
      }
    search_.add(std::move(signal));
  }

  void check_default(uint32_t use, const JsonLeaf& leaf, const Conversation& here) {
    const auto given = here.given.find(hash_of(leaf.name));
    if (given == here.given.end()) return;
    if (std::ranges::any_of(given->second.values,
                            [&](uint64_t value) { return used_.contains(value); }))
      return;
    search_.add({BlameSignal::unread_evidence, use, given->second.step, leaf.name});
  }

  /// By whom the file was read before it is another one now.
  void note_write(uint32_t use, std::string_view target, const std::vector<TextToken>& written,
                  const Conversation& writer) {
    Hashes values;
    for (const TextToken& token : written) values.insert(token.hash);
    for (Conversation* reader : readers_[target]) {
      if (reader == &writer) continue;
      const auto file = reader->files.find(target);
      if (file == reader->files.end() || file->second.changed_by != kNoStep) continue;
      const std::vector<uint64_t>& before = file->second.values;
      const bool keeps_all =
          std::ranges::all_of(before, [&](uint64_t value) { return values.contains(value); });
      if (!keeps_all) file->second.changed_by = use;
    }
  }

  void check_stale(uint32_t use, Conversation& here) {
    for (auto file = here.files.begin(); file != here.files.end();) {
      if (file->second.changed_by == kNoStep || !comes_from(use, file->second.step)) {
        ++file;
        continue;
      }
      search_.add({BlameSignal::stale_read, use, file->second.changed_by});
      file = here.files.erase(file);
    }
  }

  /// Does a step use a value that came of another one, through whichever steps?
  bool comes_from(uint32_t step, uint32_t origin) const {
    std::vector<uint32_t> open = sources_[step];
    Hashes seen(open.begin(), open.end());
    while (!open.empty() && seen.size() < kFurthest) {
      const uint32_t at = open.back();
      open.pop_back();
      if (at == origin) return true;
      for (uint32_t source : sources_[at])
        if (seen.insert(source).second) open.push_back(source);
    }
    return false;
  }

  /// The last call of a subagent, whose reply is what it reports.
  bool is_report(CallId call) const {
    const Agent& agent = graph_.agent_of(call);
    return agent.spawned && !agent.calls.empty() && agent.calls.back() == call;
  }

  void check_report(uint32_t own, const std::vector<TextToken>& replied, const Conversation& here) {
    // One who read nothing speaks from memory, and contradicts nothing on record.
    if (!here.has_results) return;
    for (const TextToken& token : replied) {
      if (token.kind != TokenKind::number || here.said.contains(token.hash)) continue;
      if (digits_of(token.text) < kFewestArgumentDigits) continue;
      search_.add({BlameSignal::contradicts_report, own, kNoStep, {}, token.kind});
      return;
    }
  }

  BlameSearch& search_;
  const Graph& graph_;
  std::vector<Conversation> heard_;
  std::unordered_map<uint64_t, uint32_t> origin_;  ///< by value: the step that said it first
  std::unordered_map<std::string_view, std::vector<Conversation*>> readers_;  ///< by file
  Hashes used_;                                   ///< values in arguments
  std::unordered_map<uint64_t, uint32_t> given_;  ///< likewise, in anything but an argument
  std::unordered_map<size_t, size_t> numbers_;    ///< by length: how many there are
  std::vector<std::vector<uint32_t>> sources_;    ///< by step: whose values it uses
  std::unordered_map<uint32_t, std::vector<TextToken>> instructions_;
  Hashes told_, led_;  ///< pairs: of a conversation and a prompt; of steps
};

}  // namespace

void find_text_signals(BlameSearch& search) {
  if (search.from.payloads == nullptr) return;
  TextReader(search).read();
}

}  // namespace xtrace
