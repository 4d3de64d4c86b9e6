#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "serve/message.h"
#include "serve/target.h"

namespace xtrace::serve {

/// Decides who may ask: whoever knows the token and reached the server by its own name, so that no
/// page of another site can read an answer, not even by a name that it lets lead here.
class AccessCheck {
 public:
  AccessCheck(std::string token, uint16_t port);

  /// Makes a token of 128 random bits; nothing if the system gives none.
  static std::optional<std::string> make_token();

  Answered<void> check(const HttpRequest& request, const Target& target) const;
  /// The value of `Set-Cookie` for a page that was opened with the token in its address; empty for
  /// any other request.
  std::string cookie_for(const Target& target) const;
  /// The address that opens the page, with the token.
  std::string address() const;

 private:
  bool knows_token(const HttpRequest& request, const Target& target) const;
  bool is_own_name(std::string_view host) const;

  std::string token_;
  uint16_t port_;
  std::string cookie_name_;
};

/// The parameter that holds the token.
inline constexpr std::string_view kTokenParameter = "token";

/// Compares in a time that depends on the length only, and not on how much of the guess is right.
bool is_same_secret(std::string_view secret, std::string_view guess);

}  // namespace xtrace::serve
