#pragma once

#include <string>
#include <utility>
#include <vector>

namespace xtrace {

/// Makes a log of the calls of one agent that works with tools, with the tokens that such calls
/// have: each reads from the cache what the one before it sent, and writes what is new.
class WastefulLog {
 public:
  struct Use {
    std::string tool, arguments, result;
    bool is_error = false;
  };

  WastefulLog& user(const std::string& text);
  /// A call that asks for these tools together, and what they gave.
  WastefulLog& uses(const std::vector<Use>& together);
  WastefulLog& use(const std::string& tool, const std::string& arguments,
                   const std::string& result) {
    return uses({{tool, arguments, result}});
  }
  WastefulLog& fails(const std::string& tool, const std::string& arguments,
                     const std::string& error) {
    return uses({{tool, arguments, error, true}});
  }
  WastefulLog& reads(const std::string& file, const std::string& text = "a text of some lines");
  WastefulLog& edits(const std::string& file, const std::string& to = "b");
  WastefulLog& runs(const std::string& command, const std::string& output = "an output");
  /// A call that answers with a text alone.
  WastefulLog& says(const std::string& text);

  // Of the next call, and of those behind it:
  WastefulLog& waits(int seconds) { return time_ += seconds, *this; }
  /// The next one takes so long to answer.
  WastefulLog& takes(int seconds) { return took_ = seconds, *this; }
  /// It finds nothing in the cache.
  WastefulLog& loses_cache() { return loses_ = true, *this; }
  /// So many tokens were there before anything was said.
  WastefulLog& begins_with(int64_t tokens) { return sent_ += tokens, *this; }
  /// Its requests offer these tools, as JSON.
  WastefulLog& offers(std::string tools) { return tools_ = std::move(tools), *this; }
  WastefulLog& system(std::string prompt) { return system_ = std::move(prompt), *this; }

  const std::string& text() const { return log_; }

 private:
  void message(const std::string& role, const std::string& blocks);
  void call(const std::string& blocks);

  std::string log_, messages_, tools_, system_;
  int time_ = 0, took_ = 2, calls_ = 0, used_ = 0;
  int64_t sent_ = 3000, kept_ = 0;
  bool loses_ = false;
};

/// A text of so many words that nobody else says, each with this beginning.
std::string many_words(const std::string& beginning, int words);

}  // namespace xtrace
