#include "story.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "link/calls/agents.h"
#include "pen.h"
#include "reading.h"

namespace xtrace {

namespace {

void add_line(std::string& text, std::string_view line) {
  if (!text.empty()) text += '\n';
  text += line;
}

void add_word(std::string& text, std::string_view word) {
  if (!text.empty()) text += ' ';
  text += word;
}

std::string_view name_of(const Graph& graph, CallId event) {
  return graph.trace()[graph.trace()[event].id];
}

}  // namespace

Told& Told::spawns(const std::string& id, const std::string& type, const std::string& prompt,
                   const std::string& tool) {
  return uses(id, tool, task_input(type, prompt, {}));
}

Told& Told::resumes(const std::string& id, const std::string& agent, const std::string& type,
                    const std::string& prompt) {
  return uses(id, "Task", task_input(type, prompt, agent));
}

Told& CallStory::call(std::string name) {
  graph_.reset();
  return told_.emplace_back(std::move(name));
}

void CallStory::garbage(std::string line) {
  graph_.reset();
  garbage_.emplace_back(told_.size(), std::move(line));
}

const Told& CallStory::find(const std::string& name) const {
  for (const Told& told : told_)
    if (told.name_ == name) return told;
  throw std::invalid_argument("the story knows no call '" + name + "'");
}

double CallStory::start_of(const Told& told) const {
  double start = 0;
  for (const Told& each : told_) {
    if (each.start_) start = *each.start_;
    if (&each == &told) break;
    start += each.took_ + 1;
  }
  return start;
}

std::vector<std::string> CallStory::lines() const {
  Pen pen(*this, style_);
  std::vector<std::string> lines;
  size_t next = 0;
  for (size_t i = 0; i <= told_.size(); ++i) {
    for (; next < garbage_.size() && garbage_[next].first == i; ++next)
      lines.push_back(garbage_[next].second);
    if (i < told_.size() && told_[i].logged_) lines.push_back(pen.write(told_[i]));
  }
  return lines;
}

std::string CallStory::log() const {
  std::string log;
  for (const std::string& line : lines()) log += line + '\n';
  return log;
}

const Graph& CallStory::graph() {
  LoadOptions loading;
  loading.keep_message_texts = true;
  if (!graph_) graph_.emplace(link(read_log(log(), loading), linking_));
  return *graph_;
}

std::string CallStory::links(std::string_view kind) {
  return links_of(graph(), kind);
}
std::string CallStory::sessions() {
  return sessions_of(graph());
}
std::string CallStory::agents() {
  return agents_of(graph());
}
std::string CallStory::ids() {
  return ids_of(graph());
}
std::string CallStory::orphans() {
  return orphans_of(graph());
}
std::string CallStory::clock() {
  return clock_of(graph());
}

const Link& CallStory::link_into(std::string_view call, LinkKind kind) {
  for (const Link& link : graph().links())
    if (link.kind == kind && name_of(graph(), link.to) == call) return link;
  throw std::invalid_argument(fmt::format("no {} leads to '{}'", word(kind), call));
}

std::string CallStory::rivals_of(const Link& link) {
  std::string text;
  for (const Alternative& other : graph().alternatives(link))
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", name_of(graph(), other.from),
                        other.confidence);
  return text;
}

std::string links_of(const Graph& graph, std::string_view kind) {
  std::vector<const Link*> links;
  for (const Link& link : graph.links())
    if (kind.empty() || word(link.kind) == kind) links.push_back(&link);
  auto place = [&](const Link* link) {
    return std::tuple(graph.timeline().rank(link->to), graph.timeline().rank(link->from),
                      word(link->kind));
  };
  std::stable_sort(links.begin(), links.end(),
                   [&](const Link* a, const Link* b) { return place(a) < place(b); });
  std::string text;
  for (const Link* link : links) {
    std::string line = fmt::format("{}->{} {} {:.2f}", name_of(graph, link->from),
                                   name_of(graph, link->to), word(link->kind), confidence(*link));
    if (link->key) add_word(line, graph.trace()[link->key]);
    if (link->is_error) line += " error";
    if (link->resumed) line += " resumed";
    if (link->attempt > 0) line += fmt::format(" attempt {}", link->attempt);
    if (link->shared > 0) line += fmt::format(" {} characters", link->shared);
    add_line(text, line);
  }
  return text;
}

std::string sessions_of(const Graph& graph) {
  std::string text;
  for (const Session& session : graph.sessions()) {
    std::string line = session_name(graph.trace(), session) + ":";
    for (CallId event : session.calls) add_word(line, name_of(graph, event));
    add_line(text, line);
  }
  return text;
}

std::string agents_of(const Graph& graph) {
  std::string text;
  for (const Agent& agent : graph.agents()) {
    std::string line = agent_name(agent) + ":";
    for (CallId event : agent.calls) add_word(line, name_of(graph, event));
    add_line(text, line);
  }
  return text;
}

std::string ids_of(const Graph& graph) {
  std::string text;
  for (CallId event : graph.timeline().in_order()) add_word(text, name_of(graph, event));
  return text;
}

std::string orphans_of(const Graph& graph) {
  std::string text;
  for (const Orphan& orphan : graph.orphans())
    add_line(text, fmt::format("{} {}", name_of(graph, orphan.at), graph.trace()[orphan.tool_use]));
  return text;
}

std::string clock_of(const Graph& graph) {
  std::string text;
  for (const Link& link : graph.links())
    if (graph.starts_before_cause(link))
      add_line(text, fmt::format("{}->{}", name_of(graph, link.from), name_of(graph, link.to)));
  return text;
}

}  // namespace xtrace
