#include "input/spans/span_side.h"

#include <algorithm>
#include <optional>

namespace xtrace {

namespace {

bool same_letters(std::string_view text, std::string_view lower_case) {
  return text.size() == lower_case.size() &&
         std::equal(text.begin(), text.end(), lower_case.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

std::optional<bool> is_inbound_word(std::string_view word) {
  if (same_letters(word, "inbound") || same_letters(word, "ingress")) return true;
  if (same_letters(word, "outbound") || same_letters(word, "egress")) return false;
  return {};
}

/// Of `inbound:reader`, `egress reader.local`, `outbound|80||reader.local`.
std::optional<bool> by_first_word(std::string_view text) {
  return is_inbound_word(text.substr(0, text.find_first_of(" :|/")));
}

/// Of `router outbound|80||reader.local egress`. The cluster goes before the last word: what a
/// proxy sends into its own house is `egress` as well.
std::optional<bool> by_later_words(std::string_view text) {
  for (size_t blank = text.find(' '); blank != std::string_view::npos;
       blank = text.find(' ', blank + 1)) {
    std::string_view rest = text.substr(blank + 1);
    std::string_view word = rest.substr(0, rest.find(' '));
    if (size_t bar = word.find('|'); bar != std::string_view::npos)
      if (std::optional<bool> told = is_inbound_word(word.substr(0, bar))) return told;
  }
  return is_inbound_word(text.substr(text.rfind(' ') + 1));
}

std::optional<bool> by_kind(SpanKind kind) {
  if (kind == SpanKind::server || kind == SpanKind::consumer) return true;
  if (kind == SpanKind::client || kind == SpanKind::producer) return false;
  return {};
}

/// How many letters of a service name an actor: of `reader`, `reader-proxy` and `reader.prod` those
/// of `agent:reader`; 0: it is another one.
size_t letters_of(std::string_view actor, std::string_view service) {
  std::string_view name = actor.substr(actor.find(':') + 1);
  if (!service.starts_with(name)) return 0;
  bool ends = service.size() == name.size() ||
              std::string_view(".-_/@").find(service[name.size()]) != std::string_view::npos;
  return ends ? name.size() : 0;
}

/// Of whoever is beside one of the two actors. `reader` and `reader-two` may be two actors; the
/// longer name is then meant.
std::optional<bool> by_name(std::string_view service, const SpanSide& told) {
  size_t of_target = letters_of(told.to, service), of_source = letters_of(told.from, service);
  if (of_target == of_source) return {};
  return of_target > of_source;
}

}  // namespace

bool is_seen_by_callee(const SpanSide& told) {
  for (std::optional<bool> side :
       {by_first_word(told.operation), by_first_word(told.direction), by_first_word(told.cluster),
        by_later_words(told.operation), by_kind(told.kind)})
    if (side) return *side;
  if (told.from.empty() || told.to.empty()) return false;
  for (std::string_view house : {told.workload, told.service})
    if (std::optional<bool> side = by_name(house, told)) return *side;
  // Whoever talks to the target is the caller.
  if (std::optional<bool> side = by_name(told.peer, told)) return !*side;
  return false;
}

}  // namespace xtrace
