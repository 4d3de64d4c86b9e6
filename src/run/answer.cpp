#include "run/answer.h"

#include <fmt/format.h>

#include <cstdio>
#include <ostream>
#include <sstream>

#include "run/own_terminal.h"
#include "run/page_size.h"
#include "run/table_choice.h"
#include "view/common/reveal.h"
#include "view/graph_behind.h"

namespace xtrace {

namespace {

/// Of two runs, what either has.
Status reveal_in(Door& door, const Request& request, const LinkedRuns& runs) {
  const Graph& graph = runs.now->graph;
  if (runs.before == nullptr) return reveal(request.reveal, graph, request.redaction, door);
  for (const std::string& id : request.reveal) {
    Status in_old = reveal({id}, runs.before->graph, request.redaction, door);
    if (Status found = reveal({id}, graph, request.redaction, door); !found && !in_old)
      return found;
  }
  return {};
}

Question question_of(const Request& request, const LinkedRuns& runs, Door& door) {
  Question question{runs.now->graph, door, request.renderer->face, runs.now->payloads.get()};
  question.wants_rows = request.renderer->has_one_table && request.paper.table.empty();
  question.lists_own = request.lists_own;
  question.shortens = request.paper.cuts;
  question.with_properties = request.renderer->keeps_properties;
  if (runs.before != nullptr) question.before = &runs.before->compared;
  question.direction = request.paper.direction;
  question.in_order = request.renderer->needs_order;
  question.jobs = request.linking.jobs;
  return question;
}

Result<Document> ask(const View& view, const Question& question, std::optional<size_t> query) {
  return query ? view.answer_query(question, *query) : view.answer(question);
}

/// Draws the answer as well, and adds the picture to it.
Status add_picture(const Request& request, Question asked, std::optional<size_t> query,
                   Document& document) {
  asked.face = Face::drawing;
  Result<Document> drawn = ask(*request.view, asked, query);
  if (!drawn) return tl::unexpected(drawn.error());
  std::ostringstream mermaid;
  write_mermaid(*drawn, request.paper, mermaid);
  document.add(record_of<kPicture>({}, asked.door.composed(mermaid.str())));
  return {};
}

/// What `filter` lets through of the graph that is asked about.
Status add_graph(std::string_view name, const Question& asked, const Filter* filter,
                 Document& document) {
  Result<Document> graph = graph_behind(asked, filter != nullptr ? *filter : Filter());
  // A task of several sessions has a name that no call bears: all are shown, not none.
  if (!graph && graph.error().exit == Exit::no) graph = graph_behind(asked, Filter());
  if (!graph) return tl::unexpected(graph.error());
  document.add(Group{name, [kept = std::make_shared<Document>(*std::move(graph))](
                               const Group::Each& each) { each(*kept); }});
  return {};
}

/// Adds the graph that the answer is about, if it does not show one itself; of two runs that are
/// compared, both, where the format has room for them.
Status add_graphs(const Request& request, const Question& asked, Document& document) {
  if (request.entry->keeps_graph) return {};
  const View& view = *request.view;
  if (Status added = add_graph(kGraphBehind, asked, view.filter(), document); !added) return added;
  if (asked.before == nullptr || !request.renderer->adds_graph_before) return {};
  Question before{asked.before->graph, asked.door, asked.face, asked.before->payloads};
  before.shortens = asked.shortens;
  return add_graph(kGraphBefore, before, view.filter_before(), document);
}

}  // namespace

void admit_audience(const Request& request, Door& door) {
  if (request.shows_words) door.show_first_words();
  if (request.on_own_terminal) door.show_home_as_tilde(own_home());
  door.tell_times_in(request.paper.zone);
}

Result<std::unique_ptr<Door>> open_door(const Request& request, const LinkedRuns& runs,
                                        Audit* audit) {
  std::unique_ptr<Door> door =
      std::make_unique<Door>(request.redaction, request.level, request.max_text, request.fields);
  if (Status found = reveal_in(*door, request, runs); !found) return door->pass(found.error());
  admit_audience(request, *door);
  if (audit != nullptr && !request.audit_log.empty()) door->keep(*audit);
  return door;
}

Result<Document> answer(const Request& request, const LinkedRuns& runs, Door& door,
                        std::optional<size_t> query) {
  const Question asked = question_of(request, runs, door);
  Result<Document> document = ask(*request.view, asked, query);
  if (!document) return door.pass(document.error());
  if (request.renderer->adds_picture)
    if (Status drawn = add_picture(request, asked, query, *document); !drawn)
      return door.pass(drawn.error());
  if (request.renderer->adds_graph)
    if (Status added = add_graphs(request, asked, *document); !added)
      return door.pass(added.error());
  const Trace& trace = runs.now->graph.trace();
  const size_t things = trace.calls.size() + trace.spans.size() + trace.converted_hops.size();
  if (Status fits = check_page_size(*document, *request.renderer, things); !fits)
    return tl::unexpected(fits.error());
  if (Status has = check_has_table(*document, request); !has) return tl::unexpected(has.error());
  return document;
}

Result<Document> answer_as_tables(const Request& request, const LinkedRuns& runs, Door& door) {
  Question asked = question_of(request, runs, door);
  asked.face = Face::tables;
  asked.shortens = asked.with_properties = false;
  Result<Document> document = request.view->answer(asked);
  if (!document) return door.pass(document.error());
  return document;
}

Result<size_t> count_queries(const Request& request, const LinkedRuns& runs) {
  Result<std::unique_ptr<Door>> door = open_door(request, runs);
  if (!door) return tl::unexpected(door.error());
  Result<size_t> count = request.view->queries(question_of(request, runs, **door));
  if (!count) return (*door)->pass(count.error());
  return count;
}

void write_document(const Request& request, const Document& document, std::ostream& out,
                    std::string* remarks) {
  Paper paper = request.paper;
  if (!request.quiet)
    paper.remark = [&](const std::string& words) {
      const std::string line = fmt::format("note: {}\n", words);
      std::fwrite(line.data(), 1, line.size(), stderr);
      if (remarks != nullptr) *remarks += line;
    };
  request.renderer->write(document, paper, out);
}

}  // namespace xtrace
