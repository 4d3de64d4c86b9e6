#include "view/calls/call_fields.h"
#include "view/calls/call_words.h"
#include "view/calls/costs.h"
#include "view/calls/select_calls.h"
#include "view/common/preface.h"
#include "view/list/listings.h"

namespace xtrace {

namespace {

/// Fields of a call itself, without those before and after it.
const std::vector<Field<CallRow>>& fields() {
  static const std::vector<Field<CallRow>> kOwn = [] {
    std::vector<Field<CallRow>> own;
    for (const Field<CallRow>& field : call_fields())
      if (is_one_of(field.column.key, {"id",
                                       "type",
                                       "at",
                                       "session",
                                       "conversation",
                                       "timestamp",
                                       "duration_ms",
                                       "agent.id",
                                       "agent.type",
                                       "model",
                                       "status",
                                       "stop_reason",
                                       "error",
                                       "tokens.input",
                                       "tokens.output",
                                       "tokens.total",
                                       "tokens.cache_read",
                                       "tokens.cache_creation",
                                       "cost_usd",
                                       "cost_from",
                                       "message_count",
                                       "prompt",
                                       "answer"}))
        own.push_back(field);
    return own;
  }();
  return kOwn;
}

std::span<const Column> columns() {
  static const std::vector<Column> kColumns = [] {
    std::vector<Column> columns;
    for (const Field<CallRow>& field : fields()) columns.push_back(field.column);
    return columns;
  }();
  return kColumns;
}

void each_call(const CallScene& scene, const std::function<void(CallId id)>& visit) {
  for (CallId id : scene.timeline().in_order())
    if (scene.selection.shows(id)) visit(id);
}

void write_rows(const CallScene& scene, const Stream::Write& write) {
  Rows<CallRow> rows(fields(), scene.question.door, write);
  each_call(scene, [&](CallId id) {
    const Call& call = scene.timeline()[id];
    const Question& question = scene.question;
    rows.write({scene, id, call,
                question.shows_payload() ? question.payloads->read(call) : Excerpt(),
                rows.arena()});
  });
}

Outline outline(const CallScene& scene) {
  Outline list;
  list.columns = {{"start", false},
                  {"call", false, true},
                  {"agent", false},
                  {"model", false, false, 3},
                  {"status", Role::status, 4},
                  {"in", Role::input, 2},
                  {"out", Role::output, 2},
                  {"cost", Role::cost},
                  {"took", Role::duration},
                  {"line", true, false, 1, true}};
  each_call(scene, [&](CallId id) {
    const Call& call = scene.timeline()[id];
    const Tokens& tokens = scene.graph.activities().of(id).tokens;
    Door::At at(scene.question.door, scene.names.place(call.source));
    list.lines.push_back(
        {0,
         call.outcome == Outcome::error ? Tone::error : Tone::plain,
         {known(Moment{call.start, 0}), scene.names.id(id),
          scene.names.agent(scene.graph.agent_of(id)), known(short_model(scene, id)),
          call.outcome == Outcome::ok ? Cell() : Cell(Door::own(word(call.outcome))),
          known(tokens_sent(tokens)), known(tokens.output), cost_cell(scene.spending.own(id)),
          known(call.duration), scene.names.shown_at(id)}});
  });
  return list;
}

}  // namespace

Result<Document> list_calls(const Question& question, const Filter& filter) {
  Result<Selection> selection = select_calls(filter, question.graph, question.door.zone());
  if (!selection) return tl::unexpected(selection.error());
  Spending spending(question.graph, *selection);
  Document document("list");
  // The stream of the answer goes on looking at it.
  std::shared_ptr<const CallScene> scene = std::make_shared<CallScene>(
      CallScene{question, question.graph, *std::move(selection), Metrics(),
                Names(question.graph, question.door), document.arena(), std::move(spending)});
  if (question.face == Face::outline) {
    Outline list = outline(*scene);
    if (Text line = costs_line(*scene); !line.empty()) list.foot.push_back(line);
    add_hidden(scene->selection.hidden, "call", {}, question.door, list.foot);
    document.add(std::move(list));
    return document;
  }
  add_preface("xtrace.list/1", question, scene->names, scene->selection.hidden, document);
  document.add(costs_record(*scene));
  document.add(Stream{"events", columns(),
                      [scene](const Stream::Write& write) { write_rows(*scene, write); }});
  return document;
}

Shape shape_of_listed_calls() {
  static const std::vector<Section> kShape =
      shape_of_answer({Record{{"costs", costs_columns()}}, Table{"events", columns()}});
  return kShape;
}

}  // namespace xtrace
