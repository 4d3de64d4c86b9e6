#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// Something that was put into a log.
struct Planted {
  enum class Kind : uint8_t {
    secret,  ///< nobody may see it
    word,    ///< of a prompt, an answer, an argument or a result: not at level basic
  };
  Kind kind;
  std::string core;   ///< by which it is known: it is in no log by itself
  std::string where;  ///< the keys that lead there: `/message/content/text`
};

/// Puts secrets, names that would act on what shows them, and words of payload into the strings of
/// a log; the same ones for the same log and turn.
class Planting {
 public:
  /// In turn 0 only texts are changed, so that the log stays one of its format. In the others so
  /// are names and ids, those of every kTurns-th key.
  static constexpr unsigned kTurns = 6;

  Planting(std::string_view name, unsigned turn);

  /// The log with all that in it: JSON, a line or a document each, and in any other text behind
  /// each line.
  std::string plant(std::string_view log);
  const std::vector<Planted>& planted() const { return planted_; }

 private:
  struct Json;
  size_t pick(size_t below) { return chance_() % below; }
  std::string letters(size_t count, std::string_view of);
  std::string word(const std::string& where);
  std::string secret(const std::string& where);
  std::string hostile();

  std::mt19937_64 chance_;
  unsigned turn_;
  std::vector<Planted> planted_;
};

}  // namespace xtrace
