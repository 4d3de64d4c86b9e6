#include "view/query/query_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/nearest.h"
#include "base/text.h"
#include "view/common/selector.h"

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

bool holds(const Query& query, const Meant& meant) {
  const auto has = [](const auto& ids, auto id) { return std::ranges::find(ids, id) != ids.end(); };
  return meant.call ? has(query.calls, meant.call) : has(query.spans, meant.span);
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
  std::vector<Meant> meant = find_meant(question.graph, name, NameOf::calls);
  std::ranges::copy(find_meant(question.graph, name, NameOf::spans), std::back_inserter(meant));
  auto holds_it = [&](const Query& query) {
    return std::ranges::any_of(meant, [&](const Meant& one) { return holds(query, one); });
  };
  auto has_part = [&](const Query& query) {
    return query_name(query).find(name) != std::string::npos;
  };
  std::vector<const Query*> found = fitting(is_named);
  if (found.empty()) found = fitting(is_shown_so);
  if (found.empty() && bare != name) found = fitting(is_shown_alike);
  if (found.empty()) found = fitting(holds_it);
  if (found.empty()) {
    meant = find_meant(question.graph, name, NameOf::other_calls);
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
    const std::vector<const Query*> all = fitting([](const Query&) { return true; });
    nearest = all.empty() ? "; the input has none" : fmt::format("; queries:{}", list_of(all));
  }
  return fail(Exit::no, fmt::format("no query '{}'{}", printable(name), nearest));
}

}  // namespace xtrace
