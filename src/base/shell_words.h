#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xtrace {

struct ShellWord {
  std::string text;  ///< as the program gets it
  std::string bare;  ///< the same with `_` for each quoted character: neither option nor pattern
};

struct ShellCommand {
  std::vector<ShellWord> words;  ///< without those before its name: `sudo`, `LC_ALL=C`, `then`
  std::string_view written;      ///< all of them with their quotes; valid during the call
  std::string_view next{};       ///< the operator behind it: `&&`, `||`, `|`, `;`, `&`; empty: none
};

/// As a word of a shell, in quotes where it needs them: `it's` becomes `'it'\''s'`.
std::string shell_word(std::string_view text);

/// `git` of `/usr/bin/git`.
std::string_view program_name(std::string_view word);

/// Calls `each` for each command that a line of a shell runs, also those of `bash -c '…'` and of
/// here-documents that a shell reads. Skipped: comments, other here-documents and commands whose
/// output becomes part of a word.
void for_each_command(std::string_view line, const std::function<void(const ShellCommand&)>& each);

/// Reads the beginning of a text that is given to a program that runs in `folder`, and returns the
/// length of what was read; 0: the text is something else.
using TakeText = std::function<size_t(std::string_view text, std::string_view folder)>;

/// Calls `take` with each text that a line of a shell gives to one of the programs, as a word or as
/// a here-document. The folder is the one to which the line has changed before, as far as the line
/// states it. What `take` reads need not be quoted well; the line continues after it.
void for_each_text(std::string_view line, std::span<const std::string_view> programs,
                   const TakeText& take);

}  // namespace xtrace
