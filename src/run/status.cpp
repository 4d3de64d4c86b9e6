#include "run/status.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/text.h"
#include "link/calls/session_names.h"
#include "redact/door.h"
#include "view/calls/costs.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;

/// The text at a path of keys; empty: it is not there.
std::string text_at(const Json& object, std::initializer_list<const char*> path) {
  const Json* at = &object;
  for (const char* key : path) {
    const auto found = at->find(key);
    if (!at->is_object() || found == at->end()) return {};
    at = &*found;
  }
  return at->is_string() ? at->get<std::string>() : std::string();
}

/// A session as a status shows it, with names that passed the redaction step.
struct ShownSession {
  std::string_view id, source, project, tool, model;
  const IndexedSession* known = nullptr;  ///< nullptr: no log records it yet
  std::optional<double> reported_cost;
};

Result<ShownSession> find_shown(const StatusQuestion& question, Door& door) {
  ShownSession shown;
  const bool is_named = question.input && !question.input->session.empty();
  const std::string& id = is_named ? question.input->session : question.session;
  constexpr size_t kLongest = 5;  // digits of a number; an ID may begin with digits only
  const std::optional<size_t> number =
      !is_named && id.size() <= kLongest ? number_of<size_t>(id) : std::nullopt;
  shown.known = number ? question.index.numbered(*number) : question.index.find(id);
  // An id of a client is whole.
  if (is_named && shown.known != nullptr && shown.known->id != id) shown.known = nullptr;
  if (question.input) {
    shown.model = door.name(question.input->model).view();
    shown.reported_cost = question.input->cost;
  }
  if (shown.known != nullptr) {
    shown.id = door.name(shown.known->id).view();
    shown.source = door.name(shown.known->source).view();
    shown.project = door.name(shown.known->project).view();
    shown.tool = door.name(shown.known->tool).view();
    return shown;
  }
  if (is_named) {
    shown.id = door.name(id).view();
    shown.source = "claude-code";
    shown.project = door.name(last_folder(question.input->folder)).view();
    return shown;
  }
  if (id.empty()) return fail(Exit::input, "the local logs have no session with a model call");
  return fail(Exit::no, fmt::format("no session '{}'; `xtrace list` lists your sessions, the "
                                    "newest as 1",
                                    printable(id)));
}

/// `?` if no call has a known cost; `$0` if there is none that could.
std::string words_of_cost(const Usage& used) {
  const std::string words = cost_words(used);
  return words.empty() ? "$0" : words;
}

/// What the session cost by its log; else as its client reports it.
std::string session_cost(const ShownSession& session) {
  if (session.known != nullptr) return words_of_cost(session.known->used);
  if (!session.reported_cost) return "$0";
  constexpr double kBillion = 1e9, kMost = 9e9;  // dollars that fit into billionths
  if (!(*session.reported_cost >= 0 && *session.reported_cost < kMost)) return "?";
  return show_dollars({static_cast<int64_t>(*session.reported_cost * kBillion)});
}

void write_cost(JsonWriter& json, const Usage& used) {
  if (used.cost >= 0) {
    json.key("cost_usd");
    json.raw(format_dollars({used.cost}));
  }
  json.field("cost_is_lower_bound", used.is_low_cost());
}

}  // namespace

Result<StatusInput> read_status_input(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return fail(Exit::input,
                "status: standard input is not the JSON object that Claude Code passes to status "
                "line commands; for your newest session: xtrace status < /dev/null");
  StatusInput input;
  input.session = text_at(json, {"session_id"});
  input.transcript = text_at(json, {"transcript_path"});
  input.model = text_at(json, {"model", "display_name"});
  for (const std::string& folder :
       {text_at(json, {"workspace", "project_dir"}), text_at(json, {"workspace", "current_dir"}),
        text_at(json, {"cwd"})})
    if (input.folder.empty()) input.folder = folder;
  if (input.session.empty() && !input.transcript.empty()) {
    // A transcript has the name of its session.
    const std::string& path = input.transcript;
    const size_t name = path.rfind('/') + 1;
    input.session = path.substr(name, path.find('.', name) - name);
  }
  const Json::const_iterator cost = json.find("cost");
  if (cost != json.end() && cost->is_object())
    if (const auto total = cost->find("total_cost_usd"); total != cost->end() && total->is_number())
      input.cost = total->get<double>();
  return input;
}

Result<std::string> status_line(const StatusQuestion& question, Door& door) {
  const Result<ShownSession> session = find_shown(question, door);
  if (!session) return tl::unexpected(session.error());
  std::string line(session->source);
  if (!session->project.empty()) line += fmt::format(" {}", session->project);
  line +=
      fmt::format(" · {}", session->known == nullptr
                               ? "no calls yet"
                               : state_words(session->known->state(), session->tool, question.now));
  const Usage today = question.index.used_on(question.zone.day(question.now), question.zone);
  return printable(fmt::format("{} · session {} · today {}", line, session_cost(*session),
                               words_of_cost(today))) +
         "\n";
}

Result<std::string> status_json(const StatusQuestion& question, Door& door) {
  const Result<ShownSession> session = find_shown(question, door);
  if (!session) return tl::unexpected(session.error());
  std::string out;
  JsonWriter json(out);
  json.open_object();
  json.field("schema", "xtrace.status/1");
  json.open_object("generator");
  json.field("name", "xtrace");
  json.field("version", XTRACE_VERSION);
  json.close();
  json.open_object("session");
  json.field("id", session->id);
  json.field("source", session->source);
  if (!session->project.empty()) json.field("project", session->project);
  if (!session->model.empty()) json.field("model", session->model);
  const SessionState state = session->known == nullptr ? SessionState() : session->known->state();
  json.field("state", state_word(state, question.now));
  if (state.doing == Doing::tool) json.field("tool", session->tool);
  if (state.since != kNoTime) json.field("since", format_time(Moment{state.since, 3}));
  if (session->known != nullptr) {
    json.field("calls", session->known->calls);
    write_cost(json, session->known->used);
  }
  if (session->reported_cost) json.field("reported_cost_usd", *session->reported_cost);
  json.close();
  const std::string day = question.zone.day(question.now);
  json.open_object("today");
  json.field("day", day);
  write_cost(json, question.index.used_on(day, question.zone));
  json.close();
  json.close();
  return out + "\n";
}

std::string_view status_schema() {
  return R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "xtrace status",
  "description": "What a session is doing, its cost, and today's cost over all local sessions",
  "type": "object",
  "required": ["schema", "generator", "session", "today"],
  "properties": {
    "schema": {"const": "xtrace.status/1"},
    "generator": {"type": "object", "properties": {"name": {"type": "string"}, "version": {"type": "string"}}},
    "session": {
      "type": "object",
      "required": ["id", "source", "state"],
      "properties": {
        "id": {"type": "string"},
        "source": {"type": "string", "description": "agent product, such as claude-code"},
        "project": {"type": "string", "description": "last part of the folder that was worked in"},
        "model": {"type": "string", "description": "name of the model, as the client passed it"},
        "state": {"enum": ["working", "waiting", "stopped", "done", "unknown"], "description": "waiting: for the user; stopped, done: working or waiting, and nothing recorded for over an hour"},
        "tool": {"type": "string", "description": "tool whose result is not recorded yet"},
        "since": {"type": "string", "format": "date-time"},
        "calls": {"type": "integer"},
        "cost_usd": {"type": "number"},
        "cost_is_lower_bound": {"type": "boolean"},
        "reported_cost_usd": {"type": "number", "description": "the client's own estimate"}
      }
    },
    "today": {
      "type": "object",
      "required": ["day", "cost_is_lower_bound"],
      "properties": {
        "day": {"type": "string", "format": "date", "description": "in the local time zone, or UTC with --utc"},
        "cost_usd": {"type": "number"},
        "cost_is_lower_bound": {"type": "boolean"}
      }
    }
  }
}
)";
}

}  // namespace xtrace
