#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "input/calls/request.h"
#include "input/calls/request_outline.h"
#include "input/common/json.h"

namespace xtrace {

/// The requests read last, so that what a request repeats of one of them need not be parsed again:
/// equal bytes, read from an equal state of the parser, parse equally. What is cut was found valid
/// when it was read first; the rest is parsed and validated in full, with a mark in place of the
/// cut that proves the parser was where it should be.
///
///     known   {"model":…,"system":…,"messages":[{m1},{m2},{m3}],"tools":[…]}
///     line    {"model":…,"system":…,"messages":[{m1},{m2},{m3'},{m4},{m5}],"tools":[…]} …
///     parsed  {"messages":[{m3'},{m4},{m5}],"\x7f":0} …
class KnownLines {
 public:
  /// What a line has in common with a known one.
  struct Cut {
    size_t line = 0;            ///< which known line
    size_t body = 0;            ///< where the request's body opens in the text
    size_t messages = 0;        ///< how many messages are known
    size_t begin = 0, end = 0;  ///< the new messages in the text
    std::string_view spliced;   ///< what remains to be parsed, a copy with padding behind it
    size_t fresh() const { return end - begin; }
  };

  /// How many bytes from the beginning of `text` on are known to belong to one line: none of them
  /// is a newline, so the search for its end may begin behind them. `text` may hold more than the
  /// line.
  size_t known_prefix(std::string_view text);
  /// Nothing when no known line shares at least a message with `text`, which is one line.
  std::optional<Cut> cut(std::string_view text);
  /// The messages that are known, and what the rest of the request said.
  Asked asked(const Cut& cut) const;
  /// Does the parsed request end at the mark, as it must if the cut was right?
  static bool proves(json::element request);

  /// Keeps a line that was parsed whole.
  void remember(std::string_view text, const Asked& asked);
  /// Keeps what a line that was cut adds to the known one.
  void extend(const Cut& cut, const Asked& asked);
  /// The ids of messages are those of a shard; with a new one nothing is known.
  void forget() {
    lines_.clear();
    match_ = {};
    held_ = 0;
  }

 private:
  struct Line {
    std::vector<char>
        bytes;         ///< from the `{` of the body on, at least to where the last message begins
    std::string tail;  ///< from the `]` behind the messages to the end of the body
    RequestOutline outline;
    bool outlined = false;
    Asked asked;
    std::string_view text() const { return {bytes.data(), bytes.size()}; }
    size_t held() const { return bytes.capacity() + tail.capacity(); }
  };

  /// The known line that shares most with a text.
  struct Match {
    const char* text = nullptr;  ///< where that text begins; nullptr: none looked at
    size_t line = 0;
    size_t body = 0;
    size_t shared = 0;  ///< bytes of the body; 0: nothing is known
  };

  const Match& match(std::string_view text);
  bool outline(Line& line);
  void keep(Line line);

  std::vector<Line> lines_;  ///< the one used last stands last
  Match match_;
  std::vector<char> spliced_;
  size_t held_ = 0;  ///< bytes in lines_
};

}  // namespace xtrace
