#include "live/live_answer.h"

#include <memory>
#include <sstream>

#include "input/bytes/inputs.h"
#include "input/file_payloads.h"
#include "input/growing/records.h"
#include "link/graph/graph.h"

namespace xtrace {

namespace {

/// Sets one option and leaves the others as they are.
class OneOption final : public Options {
 public:
  OneOption(std::string_view name, const std::string& value) : name_(name), value_(value) {}
  void add(std::string_view, bool&, std::string_view) override {}
  void add(std::string_view name, std::string& value, std::string_view, std::string_view,
           std::vector<std::string_view>) override {
    if (name == name_) value = value_;
  }
  void add(std::string_view, std::vector<std::string>&, std::string_view, std::string_view,
           std::vector<std::string_view>) override {}
  void add(std::string_view, double&, std::string_view, std::string_view) override {}

 private:
  std::string_view name_;
  const std::string& value_;
};

}  // namespace

std::unique_ptr<View> trace_of(const std::string& query) {
  std::unique_ptr<View> view = find_view("trace")->make();
  OneOption option("--query", query);
  view->declare(option);
  return view;
}

/// Line breaks are between values only: in texts they are escaped.
std::string on_one_line(std::string_view json) {
  std::string line;
  line.reserve(json.size());
  while (!json.empty()) {
    size_t end = json.find('\n');
    std::string_view part = json.substr(0, end);
    line += part;
    json.remove_prefix(end == std::string_view::npos ? json.size() : end + 1);
    json.remove_prefix(std::min(json.find_first_not_of(' '), json.size()));
    if (part.ends_with(',')) line += ' ';
  }
  return line;
}

Result<std::string> LiveAnswer::next() {
  Found found = found_in(generations_);
  why_not_ = "the input is still empty";
  if (found.inputs.empty()) return std::string();
  Progress unseen;
  Result<Trace> trace = load(std::move(found), request_.loading, unseen);
  if (!trace) return tl::unexpected(trace.error());
  Graph graph = link(*std::move(trace), request_.link_options());
  std::unique_ptr<const Payloads> payloads = file_payloads(graph.trace());
  Door door(request_.redaction, request_.level, request_.max_text, request_.fields);
  const bool is_for_people = request_.renderer->face == Face::outline;
  Question question{graph, door, request_.renderer->face, payloads.get()};
  // What a view knows it knows of one graph.
  Result<Document> document = trace_of(query_)->answer(question);
  if (!document && document.error().exit == Exit::no) {  // it may come
    why_not_ = door.pass(document.error()).value().what;
    return std::string();
  }
  if (!document) return door.pass(document.error());
  std::ostringstream text;
  request_.renderer->write(*document, request_.paper, text);
  std::string told = is_for_people ? std::string(text.view()) : on_one_line(text.view());
  told += '\n';
  if (told == last_) return std::string();
  return last_ = std::move(told);
}

}  // namespace xtrace
