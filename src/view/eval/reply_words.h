#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

/// The words of a reply (view/eval/reply.h), in small letters, and marks between them: `.` ends a
/// sentence, `?` a question, and `,` stands for what parts less.
using Words = std::span<const std::string>;
std::vector<std::string> words_in(std::string_view text);
bool is_mark(std::string_view word);
size_t count_words(Words words);  ///< without the marks

/// How many words of the longest of these phrases it begins with; 0: with none.
size_t beginning(Words words, std::initializer_list<std::string_view> phrases);

// How many words of such a phrase it begins with; 0: with none.
size_t phrase_of_consent(Words words);      ///< `yes`, `go ahead`
size_t phrase_of_praise(Words words);       ///< `great`, `ok`: fits a report as well as a question
size_t phrase_of_no_doubt(Words words);     ///< begins as refusals do, and is none: `no problem`
size_t phrase_of_courtesy(Words words);     ///< `please`, `and`, `thank you`: says nothing itself
size_t phrase_of_deed(Words words);         ///< `deploy`, `continue with`
size_t phrase_before_deed(Words words);     ///< `you can`, `don't forget to`
size_t phrase_of_refusal(Words words);      ///< a refusal, whatever comes of it
size_t phrase_of_prohibition(Words words);  ///< what follows is what must not be done

bool is_no_answer(Words words);  ///< begins as a refusal does, and tells nothing: `no doubt`
bool puts_an_end(Words words);   ///< begins with `stop`, `wait`
bool names_a_deed(Words words);  ///< anywhere
bool turns(Words words);         ///< behind a refusal, something else begins: `just`, `but`
bool turns_away(std::string_view word);     ///< something may be denied, put off or wondered at
bool tells_a_state(std::string_view word);  ///< `is`, `would`
bool is_determiner(std::string_view word);  ///< `the`, `it`, `to`

}  // namespace xtrace
