#include "view/query/query_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "view/common/named_calls.h"
#include "view/common/place.h"

namespace xtrace {

namespace {

constexpr size_t kMostNamed =
    8;  // more candidates than one picks from; `list --queries` has them all

std::string list_of(std::span<const Query* const> queries) {
  std::string names;
  for (const Query* query : queries.first(std::min(queries.size(), kMostNamed)))
    names += fmt::format("\n  {}", printable(query_name(*query)));
  if (queries.size() > kMostNamed)
    names += fmt::format("\n  and {} more", queries.size() - kMostNamed);
  return names;
}

/// `calls`: those that the name means.
bool holds(const Trace& trace, const Query& query, std::string_view name,
           std::span<const CallId> calls) {
  std::optional<Place> place = Place::read(name, trace);
  return std::any_of(query.spans.begin(), query.spans.end(),
                     [&](SpanId id) {
                       const Span& span = trace[id];
                       return trace[span.shown_id()] == name || trace[span.trace] == name ||
                              (place && place->is(trace, span.source));
                     }) ||
         std::any_of(calls.begin(), calls.end(), [&](CallId id) {
           return std::find(query.calls.begin(), query.calls.end(), id) != query.calls.end();
         });
}

}  // namespace

std::string query_name(const Query& query) {
  if (!query.shares_id) return std::string(query.id);
  return fmt::format("{}/{}", query.project.empty() ? kNoProject : query.project, query.id);
}

std::vector<std::string> name_all(std::span<const Query> queries, Door& door) {
  std::vector<std::string> hidden;
  for (const Query& query : queries)
    if (std::string name = query_name(query); door.name(name).view() != name)
      hidden.push_back(std::move(name));
  return hidden;
}

/// The ways to name a query in turn, the exact ones first; the first by which any is found decides.
/// Names as answers show them come before parts of names: what was copied from an answer must find
/// the query that the answer was about.
Result<size_t> find_query(const Question& question, std::span<const Query> queries,
                          std::string_view name) {
  std::string bare = without_numbers(name);
  auto fitting = [&](auto fits) {
    std::vector<const Query*> found;
    for (const Query& query : queries)
      if (fits(query)) found.push_back(&query);
    return found;
  };
  auto shown = [&](const Query& query) { return question.door.name(query_name(query)).view(); };
  auto is_named = [&](const Query& query) { return query.id == name || query_name(query) == name; };
  auto is_shown_so = [&](const Query& query) { return shown(query) == name; };
  auto is_shown_alike = [&](const Query& query) { return without_numbers(shown(query)) == bare; };
  std::vector<CallId> calls = calls_by_id(question.graph, name);
  auto holds_it = [&](const Query& query) {
    return holds(question.graph.trace(), query, name, calls);
  };
  auto has_part = [&](const Query& query) {
    return query_name(query).find(name) != std::string::npos;
  };
  std::vector<const Query*> found = fitting(is_named);
  if (found.empty()) found = fitting(is_shown_so);
  if (found.empty() && bare != name) found = fitting(is_shown_alike);
  if (found.empty()) found = fitting(holds_it);
  if (found.empty()) {
    calls = calls_by_name(question.graph, name);
    found = fitting(holds_it);
  }
  if (found.empty()) found = fitting(has_part);
  if (found.size() == 1) return static_cast<size_t>(found.front() - queries.data());
  if (found.size() > 1)
    return fail(Exit::no, fmt::format("'{}' matches {} queries; use a longer name:{}",
                                      printable(name), found.size(), list_of(found)));
  std::vector<std::string> names;
  for (const Query& query : queries) names.push_back(query_name(query));
  std::vector<std::string_view> known(names.begin(), names.end());
  std::string nearest = other_calls(question.graph, name);
  if (nearest.empty()) nearest = did_you_mean(name, known);
  if (nearest.empty()) {
    std::vector<const Query*> all;
    for (const Query& query : queries) all.push_back(&query);
    nearest = all.empty() ? "; the input has none" : fmt::format("; queries:{}", list_of(all));
  }
  return fail(Exit::no, fmt::format("no query '{}'{}", printable(name), nearest));
}

}  // namespace xtrace
