#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// What a text that a user says means for what an agent proposed.
enum class Reply : uint8_t {
  none,     ///< nothing is said
  refuses,  ///< surely
  unclear,  ///< words alone do not tell
  goes_on,  ///< has nothing against it: "Deploy it to staging", "Great". Takes no refusal back.
  agrees,   ///< "Yes", "Go ahead"
};
Reply reply_in(std::string_view text);

/// The answers in what Claude Code says of a question that it put:
/// `User has answered your questions: "Deploy now?"="Yes, deploy". You can now continue …`, or
/// `Your questions have been answered: …`; and in JSON below `answers`. Of any other result, all of
/// it.
std::vector<std::string> answers_in(std::string_view result);

}  // namespace xtrace
