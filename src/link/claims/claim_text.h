#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/claim_kind.h"

namespace xtrace {

/// A sentence of a reply in Markdown, without blocks of code, quotations and open items of lists.
struct ReplySentence {
  /// In small letters with one blank between them. `,` stands for any mark inside a sentence,
  /// `$tests` and others (phrases.inc) for code between backticks, `$quote` for a quotation.
  std::string words;
  std::string_view text;  ///< as it was written, in the reply
  bool is_question = false;
  bool is_planned = false;  ///< below a heading such as `Next steps`
};
std::vector<ReplySentence> sentences_of(std::string_view reply);

/// A claim that a reply states.
struct StatedClaim {
  ClaimKind kind;
  std::string_view sentence;  ///< in the reply
};
/// The claims of a reply in the order of its sentences, one of each kind. What is denied, expected,
/// asked, planned, quoted or subject to a condition is none.
std::vector<StatedClaim> claims_in(std::string_view reply);

}  // namespace xtrace
