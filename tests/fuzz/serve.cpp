#include <cstdlib>
#include <nlohmann/json.hpp>

#include "cli/question_line.h"
#include "fuzz/fuzz.h"
#include "serve/access_check.h"
#include "serve/routes.h"

using namespace xtrace;
using namespace xtrace::serve;

namespace {

constexpr std::string_view kToken = "0123456789abcdef0123456789abcdef";

/// A header per line: `host: 127.0.0.1:80`. What is no line of that form is left out.
HttpRequest read_headers(std::string_view text) {
  HttpRequest request;
  const auto lines = text.find('\n');
  request.method = "GET";
  request.target = text.substr(0, lines);
  text.remove_prefix(std::min(lines, text.size()));
  const std::pair<std::string_view, std::string*> kHeaders[] = {
      {"host: ", &request.host},
      {"origin: ", &request.origin},
      {"bearer: ", &request.authorization},
      {"cookie: ", &request.cookie},
      {"site: ", &request.fetch_site},
      {"mode: ", &request.fetch_mode}};
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size());
    for (const auto& [name, value] : kHeaders)
      if (line.starts_with(name)) *value = line.substr(name.size());
    request.is_upgrade |= line == "upgrade";
  }
  return request;
}

void check_refusal(const Refusal& refusal) {
  const nlohmann::json error = nlohmann::json::parse(error_json(refusal), nullptr, false);
  if (!error.is_object() || refusal.status < 400 || refusal.what.empty()) std::abort();
}

/// Does the request hold the token, as a client that knows it sends it?
bool has_token(const HttpRequest& request) {
  for (const std::string* text : {&request.target, &request.authorization, &request.cookie})
    if (text->find(kToken) != std::string::npos) return true;
  // The parameter may be encoded.
  return request.target.find('%') != std::string::npos;
}

}  // namespace

/// Whatever a client sends is refused in words, or is a question of which no part is an option or
/// an input that the client chose.
void xtrace::try_serve(std::string_view bytes) {
  const HttpRequest request = read_headers(bytes);
  const Answered<Target> target = read_target(request.target);
  if (!target) {
    check_refusal(target.error());
    return;
  }
  const AccessCheck access(std::string(kToken), 80);
  const Answered<void> allowed = access.check(request, *target);
  if (!allowed) check_refusal(allowed.error());
  if (allowed && !has_token(request)) std::abort();
  const Answered<Asked> asked = read_asked(*target, request.is_upgrade, Door::Level::basic);
  if (!asked) {
    check_refusal(asked.error());
    return;
  }
  if (asked->level != Door::Level::basic) std::abort();
  for (size_t i = 1; i < asked->words.size(); ++i)
    if (!asked->words[i].starts_with("--")) std::abort();
  if (asked->words.empty()) return;
  std::vector<std::string> words = asked->words;
  words.insert(words.end(), {"--json", "--output=served", "--", "/dev/null"});
  const Result<Request> question = read_question(words);
  if (!question) return;
  if (question->output != "served" || question->inputs != std::vector<std::string>{"/dev/null"} ||
      question->level != Door::Level::basic)
    std::abort();
}
