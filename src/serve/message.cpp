#include "serve/message.h"

#include "base/json_writer.h"

namespace xtrace::serve {

Refusal refusal_of(const Error& error) {
  int status = 500;
  switch (error.exit) {
    case Exit::no: status = 404; break;
    case Exit::usage: status = 400; break;
    // The log may hold something usable soon.
    case Exit::input:
    case Exit::output:
    case Exit::interrupted: status = 503; break;
    case Exit::answered:
    case Exit::bug: break;
  }
  return {status, error.what};
}

std::string error_json(const Refusal& refusal) {
  std::string text;
  JsonWriter json(text);
  json.open_object();
  json.open_object("error");
  json.field("status", refusal.status);
  json.field("message", refusal.what);
  json.close();
  json.close();
  return text += '\n';
}

}  // namespace xtrace::serve
