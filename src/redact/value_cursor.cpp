#include "redact/value_cursor.h"

namespace xtrace {

bool is_parameter(std::string_view text, size_t place) {
  constexpr size_t kLongestName = 64;
  size_t end = place;
  const auto is_of_name = [&] {
    return bytes::alnum(bytes::at(text, end)) || bytes::is_in("_.-", bytes::at(text, end));
  };
  while (end - place < kLongestName && end < text.size() && is_of_name()) ++end;
  return bytes::at(text, end) == '=';
}

bool take_sign(ValueCursor& cursor, std::string_view text, bool& needs_quote) {
  while (cursor.next() == '.' && (cursor.next(1) == ' ' || cursor.next(1) == '.'))
    cursor.move(cursor.next(1) == ' ' ? 2 : 1);  // `Password . . . : x`
  if (cursor.take("{ get; set; }") || cursor.take("{ get; }") || cursor.take("{ get; init; }"))
    cursor.take_blanks(4, false);
  for (std::string_view sign :
       {"=>", ":=", "->", "?=", "||=", "\?\?=", "<-", "\xE2\x86\x92", "\xEF\xBC\x9A"})
    if (cursor.take(sign)) return true;
  for (std::string_view sign : {"\?\?", "||", "?:"})
    if (cursor.take(sign)) return needs_quote = true;
  if (cursor.take("==") || cursor.take("!=")) return needs_quote = true;
  if (cursor.take(":-")) return true;  // of a shell, where a variable is not set
  if (cursor.take("=")) return true;
  if (cursor.is_at("::") || !cursor.take(":")) return false;
  const size_t behind = cursor.place();
  cursor.take_blanks(2, false);
  size_t length = 0;  // of a type
  constexpr size_t kLongestType = 40;
  while (length < kLongestType &&
         (bytes::alnum(cursor.next(length)) ||
          bytes::is_in("_&'<>[]?:| ", bytes::at(text, cursor.place() + length))) &&
         cursor.next(length) != '\0')
    ++length;
  if (length > 0 && cursor.next(length) == '=' && cursor.next(length + 1) == ' ') {
    cursor.move(length + 1);
    needs_quote = true;
    return true;
  }
  cursor = ValueCursor(text, behind);
  return true;
}

}  // namespace xtrace
