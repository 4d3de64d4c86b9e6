#include "serve/routes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/nearest.h"
#include "base/text.h"
#include "serve/access_check.h"

namespace xtrace::serve {

namespace {

constexpr std::string_view kGraphFormats[] = {"json", "dot", "mermaid", "text", "svg"};
constexpr std::string_view kCauseFormats[] = {"json", "text", "dot", "mermaid"};
constexpr std::string_view kTrustFormats[] = {"json", "text", "dot", "mermaid", "sequence"};
constexpr std::string_view kTraceFormats[] = {"json", "mermaid", "both", "text", "dot"};
constexpr std::string_view kListFormats[] = {"json", "text", "csv"};
constexpr std::string_view kPageFormats[] = {"html"};

constexpr std::string_view kActors[] = {"--view=actors"};
constexpr std::string_view kEvents[] = {"--events"};
constexpr std::string_view kAllPanes[] = {"--all-panes"};

// `all` in place of a run names none of them (see kAll).
constexpr RouteOption kGraphOptions[] = {{"view", "--view"}, {"run", "--run"}};
constexpr RouteOption kRunOptions[] = {{"run", "--run"}};
constexpr RouteOption kCauseOptions[] = {{"node", "--node", true}, {"run", "--run"}};
constexpr RouteOption kEffectOptions[] = {
    {"node", "--node"}, {"query", "--query"}, {"run", "--run"}, {"edge", "--edge"}};
constexpr RouteOption kTaintOptions[] = {{"run", "--run"}, {"query", "--query"}};
constexpr RouteOption kBlameOptions[] = {
    {"symptom", "--symptom"}, {"run", "--run"}, {"query", "--query"}};
constexpr RouteOption kWhatIfOptions[] = {
    {"run", "--run"}, {"remove", "--remove"}, {"speed", "--speed"}, {"price", "--price"}};
constexpr RouteOption kTraceOptions[] = {{"id", "--query", true},
                                         {"limit_nodes", "--limit-nodes"},
                                         {"limit_evidences_per_step", "--limit-evidence"}};
constexpr RouteOption kStepOptions[] = {{"id", "--query", true}};
constexpr RouteOption kPageOptions[] = {{"at", ""}};
constexpr RouteOption kSubscriptionOptions[] = {{"request", ""}};

constexpr Route kRoutes[] = {
    {"/", Reply::live_page, {}, {}, {}, {}, "the page, live"},
    {"/page", Reply::page, "dag", kAllPanes, kPageOptions, kPageFormats, "the page as it is now"},
    {"/changes", Reply::counts, {}, {}, {}, {}, "an event whenever the log grew"},
    {"/events", Reply::graph, {}, {}, kSubscriptionOptions, {}, "the graph and its updates"},
    {"/explain", Reply::socket, {}, {}, {}, {}, "subscriptions to the graph, as a WebSocket"},
    {"/explain", Reply::answer, "explain", {}, kCauseOptions, kCauseFormats, "why a node happened"},
    {"/impact", Reply::answer, "impact", {}, kEffectOptions, kCauseFormats, "what came of a node"},
    {"/taint",
     Reply::answer,
     "taint",
     {},
     kTaintOptions,
     kCauseFormats,
     "untrusted text in what acted"},
    {"/blame",
     Reply::answer,
     "blame",
     {},
     kBlameOptions,
     kCauseFormats,
     "where a run first looks odd"},
    {"/whatif",
     Reply::answer,
     "whatif",
     {},
     kWhatIfOptions,
     kListFormats,
     "what would have been faster or cheaper"},
    {"/dag", Reply::answer, "dag", {}, kGraphOptions, kGraphFormats, "the graph"},
    {"/trust", Reply::answer, "trust", {}, kRunOptions, kTrustFormats, "all hops, by cause"},
    {"/lineage/{run}", Reply::answer, "list", kEvents, kRunOptions, kListFormats,
     "all spans of a run by time; of every run: /lineage/all"},
    {"/lineage/{run}/dag", Reply::answer, "dag", kActors, kRunOptions, kGraphFormats,
     "who called whom"},
    {"/lineage/{run}/explain",
     Reply::answer,
     "explain",
     {},
     kCauseOptions,
     kCauseFormats,
     "why a node was reached in a run"},
    {"/lineage/{run}/trust",
     Reply::answer,
     "trust",
     {},
     kRunOptions,
     kTrustFormats,
     "all hops of a run, by cause"},
    {"/v1/queries/{id}/trace",
     Reply::answer,
     "trace",
     {},
     kTraceOptions,
     kTraceFormats,
     "the audit trace of a query"},
    {"/v1/queries/{id}/events",
     Reply::steps,
     "trace",
     {},
     kStepOptions,
     {},
     "the steps of a query as they come"},
};

/// Names all runs where a run is expected.
constexpr std::string_view kAll = "all";

/// The values of the `{segments}` if the path has the form of the route.
bool match(const Route& route, const std::vector<std::string>& path,
           std::vector<std::pair<std::string_view, std::string_view>>& values) {
  values.clear();
  size_t at = 0;
  std::string_view form = route.path.substr(1);
  while (!form.empty()) {
    const std::string_view segment = form.substr(0, form.find('/'));
    form.remove_prefix(std::min(segment.size() + 1, form.size()));
    if (at == path.size()) return false;
    const std::string& given = path[at++];
    if (segment.starts_with('{'))
      values.emplace_back(segment.substr(1, segment.size() - 2), given);
    else if (segment != given)
      return false;
  }
  return at == path.size();
}

/// The route of a path; one that has a socket as well is chosen by what the client wants.
Answered<const Route*> find_route(
    const std::vector<std::string>& path, bool is_upgrade,
    std::vector<std::pair<std::string_view, std::string_view>>& values) {
  const Route* found = nullptr;
  for (const Route& route : kRoutes)
    if (found == nullptr && (route.reply == Reply::socket) == is_upgrade &&
        match(route, path, values))
      found = &route;
  if (found != nullptr) {
    match(*found, path, values);
    return found;
  }
  if (is_upgrade) return refuse(404, "only /explain is a WebSocket");
  std::vector<std::string_view> known;
  for (const Route& route : kRoutes) known.push_back(route.path);
  std::string asked;
  for (const std::string& segment : path) asked += "/" + segment;
  return refuse(404, fmt::format("there is no {}{}; there are {}", printable(head(asked, 200)),
                                 did_you_mean(head(asked, 200), known), fmt::join(known, ", ")));
}

/// Sets an option of the view, or what else a parameter is for.
void take_value(const RouteOption& option, const std::string& value, Asked& asked) {
  if (option.name == "request") asked.subscription = value;
  if (option.option == "--query") asked.query = value;
  const bool is_every_run = option.name == "run" && value == kAll;
  if (!option.option.empty() && !is_every_run)
    asked.words.push_back(fmt::format("{}={}", option.option, value));
}

Answered<void> take_format(const std::string& value, const Route& route, Asked& asked) {
  const auto known = std::ranges::find(route.formats, value);
  if (known == route.formats.end())
    return refuse(400, fmt::format("format: unknown value '{}'; use {}", printable(head(value, 80)),
                                   fmt::join(route.formats, ", ")));
  asked.format = *known;
  return {};
}

Answered<void> take_level(const std::string& value, Asked& asked) {
  if (value == "basic") {
    asked.level = Door::Level::basic;
  } else if (value != "full") {
    return refuse(400, fmt::format("level: unknown value '{}'; use basic or full",
                                   printable(head(value, 80))));
  } else if (asked.level != Door::Level::full) {
    return refuse(403, "level=full: this server shows no texts; start it with --level full");
  }
  return {};
}

}  // namespace

std::span<const Route> routes() {
  return kRoutes;
}

Answered<Asked> read_asked(const Target& target, bool is_upgrade, Door::Level level) {
  std::vector<std::pair<std::string_view, std::string_view>> segments;
  Answered<const Route*> route = find_route(target.path, is_upgrade, segments);
  if (!route) return tl::unexpected(route.error());
  Asked asked;
  asked.route = *route;
  asked.level = level;
  const Route& found = **route;
  if (!found.view.empty()) asked.words.emplace_back(found.view);
  asked.words.insert(asked.words.end(), found.fixed.begin(), found.fixed.end());
  if (!found.formats.empty()) asked.format = found.formats.front();
  std::vector<std::string_view> known;
  for (const RouteOption& option : found.options) {
    const auto segment =
        std::ranges::find(segments, option.name, [](auto& one) { return one.first; });
    const bool is_in_path = segment != segments.end();
    if (!is_in_path) known.push_back(option.name);
    const std::string* given = target.find(option.name);
    if (is_in_path)
      take_value(option, std::string(segment->second), asked);
    else if (given != nullptr && !given->empty())
      take_value(option, *given, asked);
    else if (option.is_needed)
      return refuse(400, fmt::format("{0} is missing: {1}?{0}=…", option.name, found.path));
  }
  if (found.formats.size() > 1) known.emplace_back("format");
  if (found.reply == Reply::answer) known.emplace_back("level");
  for (const auto& [name, value] : target.parameters) {
    if (name == kTokenParameter) continue;
    if (std::ranges::find(known, name) == known.end())
      return refuse(400, fmt::format("{} takes no '{}'{}", found.path, printable(head(name, 80)),
                                     did_you_mean(head(name, 80), known)));
    Answered<void> taken;
    if (name == "format") taken = take_format(value, found, asked);
    if (name == "level") taken = take_level(value, asked);
    if (!taken) return tl::unexpected(taken.error());
  }
  return asked;
}

std::string_view content_type_of(std::string_view format) {
  constexpr std::pair<std::string_view, std::string_view> kTypes[] = {
      {"json", "application/json"},         {"both", "application/json"},
      {"html", "text/html; charset=utf-8"}, {"svg", "image/svg+xml"},
      {"csv", "text/csv; charset=utf-8"},   {"dot", "text/vnd.graphviz; charset=utf-8"}};
  for (const auto& [of, type] : kTypes)
    if (of == format) return type;
  return "text/plain; charset=utf-8";
}

}  // namespace xtrace::serve
