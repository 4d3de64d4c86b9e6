#include "input/calls/error_word.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/one_of.h"
#include "facts/error_class.h"

namespace xtrace {

namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/// Exceptions are written as `ReadTimeout: …` or `ConnectError('…')`; empty: it begins with none.
std::string_view exception_of(std::string_view text) {
  constexpr size_t kLongest = 64;
  size_t end = 0;
  while (end < text.size() && (is_letter_or_digit(text[end]) || text[end] == '.')) ++end;
  bool alone = end == text.size() || text[end] == ':' || text[end] == '(';
  return alone && end <= kLongest ? text.substr(0, end) : std::string_view();
}

/// `ECONNREFUSED` of `connect ECONNREFUSED 127.0.0.1:443`, as Node and others pass it on.
std::string_view system_error_in(std::string_view text) {
  constexpr size_t kLooked = 400;  // it is at the front; then comes what was asked
  text = text.substr(0, kLooked);
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_letter_or_digit(text[end])) ++end;
    std::string_view word = text.substr(at, end - at);
    bool is_code = word.starts_with('E') && std::none_of(word.begin(), word.end(), [](char c) {
                     return c >= 'a' && c <= 'z';
                   });
    if (is_code && provider_error(word) == ErrorClass::network) return word;
    at = end + 1;
  }
  return {};
}

std::string word_of_text(std::string_view text) {
  if (text.empty()) return {};
  return std::string(telling_error({exception_of(text), system_error_in(text), "error"}));
}

/// `429` and `"429"`; 0: it is no status of an error.
int64_t status_in(json::element value) {
  int64_t status = json::count(value, 0);
  std::string_view text = json::text(value);
  if (text.size() == 3 &&
      std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }))
    status = (text[0] - '0') * 100 + (text[1] - '0') * 10 + (text[2] - '0');
  return status >= 400 && status < 600 ? status : 0;
}

/// A code such as `rate_limit_exceeded` is a name; a sentence is payload.
std::string_view name_in(json::element value) {
  std::string_view text = json::text(value);
  return text == "error" ? std::string_view() : exception_of(text);
}

constexpr int kDeepest = 4;  ///< vendors wrap `{"error": {"error": {…}}}`, proxies once more

std::string word_of_object(json::element error, int depth) {
  std::string_view code, type, name, message;
  std::string status, inner;
  int64_t told_status = 0;
  json::fields(error, [&](std::string_view key, json::element value) {
    if (key == "type")
      type = name_in(value);
    else if (key == "name")
      name = name_in(value);
    else if (key == "message")
      message = json::text(value);
    else if ((key == "error" || key == "cause") && json::is_object(value) && depth < kDeepest)
      inner = word_of_object(value, depth + 1);
    else if (is_one_of(key, {"code", "status", "status_code", "statusCode", "http_status"})) {
      if (const int64_t told = status_in(value); told > 0)
        told_status = told, status = fmt::format("http_{}", told);
      else if (key == "code" || code.empty())
        code = name_in(value);
    }
  });
  const std::string coded = error_with_status(code, told_status);
  const std::string typed = error_with_status(type, told_status);
  return std::string(
      telling_error({coded, typed, status, inner, name, system_error_in(message), "error"}));
}

}  // namespace

std::string error_word(json::element error) {
  return json::is_object(error) ? word_of_object(error, 0) : word_of_text(json::text(error));
}

}  // namespace xtrace
