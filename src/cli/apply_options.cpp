#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "base/number.h"
#include "base/one_of.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/answer_formats.h"
#include "cli/command.h"
#include "cli/reproduction.h"
#include "input/common/format.h"
#include "keep/private_folder.h"
#include "link/calls/linkers.h"
#include "redact/rule_set.h"
#include "run/answer_index.h"
#include "run/browser.h"
#include "run/own_terminal.h"
#include "run/pager.h"
#include "settings/config.h"
#include "settings/price_file.h"
#include "settings/redaction_file.h"
#include "view/story/follow.h"

namespace xtrace {

namespace {

Result<size_t> read_number(std::string_view option, const std::string& text, size_t least,
                           size_t most) {
  std::optional<size_t> number = number_of<size_t>(text);
  if (number && *number >= least && *number <= most) return *number;
  return fail(Exit::usage, fmt::format("{}: '{}' is not a whole number from {} to {}", option,
                                       printable(text), least, most));
}

bool wants_colour(const CommonOptions& options) {
  if (options.color != "auto") return options.color == "always";
  const char* terminal = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  bool plain = (no_colour != nullptr && *no_colour != '\0') || terminal == nullptr ||
               std::string_view(terminal) == "dumb";
  return options.output.empty() && is_terminal(kStandardOutput) && !plain;
}

Status apply_redaction(CommonOptions& options, const Config& config, Request& request) {
  RedactionSettings settings;
  Setting typed;
  typed.line = 0;
  for (const std::string& regex : options.redact)
    if (Status added = add_pattern(std::string(kPatternOption), typed, regex, settings); !added)
      return added;
  for (const std::string& file : options.redact_patterns)
    if (Status read = read_redaction_file(file, settings); !read) return read;
  const bool personal =
      !options.keep_personal && settings.personal.value_or(config.redacts_personal());
  // Only the configuration shows them; a stored answer records them as an option.
  if (!personal && !settings.personal && request.entry->is_kept) options.keep_personal = true;
  request.redaction = RedactPolicy(options.no_redact ? Redaction::off
                                   : personal        ? Redaction::all
                                                     : Redaction::secrets_only);
  std::vector<std::string> fields = settings.fields.drop;
  fields.insert(fields.end(), settings.fields.mask.begin(), settings.fields.mask.end());
  if (!fields.empty()) settings.rules.push_back(CompiledRule::of_fields(fields));
  if (!settings.rules.empty())
    request.redaction.rules = std::make_shared<const RuleSet>(std::move(settings.rules));
  request.fields = std::move(settings.fields);
  request.settings.insert(request.settings.end(), options.redact_patterns.begin(),
                          options.redact_patterns.end());
  request.warnings = std::move(settings.warnings);
  request.patterns = options.redact;
  request.reveal = options.reveal;
  request.audit_log = options.audit_log;
  return {};
}

/// Records are read with their labels only for a clearance.
Status apply_clearance(const CommonOptions& options, Request& request) {
  Clearance& clearance = request.redaction.clearance;
  if (Status added = clearance.labels.add(options.labels); !added) return added;
  if (options.clearance.empty()) return {};
  clearance.label = options.clearance;
  clearance.unlabelled =
      options.unlabelled.empty() ? std::string(clearances().back()) : options.unlabelled;
  request.loading.cleared = std::make_shared<ClearedTexts>(clearance);
  request.redaction.cleared = request.loading.cleared;
  return {};
}

Status apply_prices(const CommonOptions& options, Request& request) {
  if (options.prices.empty()) return {};
  if (Status read = read_price_file(options.prices, request.prices); !read) return read;
  request.settings.push_back(options.prices);
  // Who checks an answer that was kept may have the file elsewhere.
  if (request.entry->is_kept) request.prices.file = recorded(kPricesOption, options.prices);
  return {};
}

/// --open is -f html, in a file of its own where none is named.
Status apply_open(CommonOptions& options, Request& request) {
  if (!options.open) return {};
  if (!is_terminal(kStandardOutput))
    return fail(Exit::usage, "--open requires a terminal; elsewhere use -f html -o FILE");
  if (!options.format.empty() && options.format != "html")
    return fail(Exit::usage,
                fmt::format("--open shows an HTML page; it excludes -f {}", options.format));
  options.format = "html";
  request.has_temporary_page = options.output.empty();
  if (options.output.empty()) options.output = temporary_page(request.entry->name);
  if (options.output.empty())
    return fail(Exit::usage,
                "--open: the system gives no random bytes to name a page; use -o FILE");
  request.opens_page = true;
  return {};
}

Status read_roots(const std::vector<std::string>& roots, LoadOptions& loading) {
  for (const std::string& root : roots) {
    const size_t at = root.find('=');
    if (at == 0 || at == std::string::npos || at + 1 == root.size())
      return fail(Exit::usage, fmt::format("--root: '{}' is not OLD=NEW, such as /mnt/a=/data/logs",
                                           printable(root)));
    loading.roots.emplace_back(root.substr(0, at), root.substr(at + 1));
  }
  return {};
}

/// Are titles and the start of prompts wanted where others may read them? A setting is made for
/// one's own machine and does not count in CI.
bool wants_words(const CommonOptions& options, const Config& configured) {
  const bool is_set = is_one_of("always", configured["words"].texts);
  return options.words || (is_set && !options.share && !is_in_ci());
}

/// What is for others as well holds no words of prompts, and nothing that redaction hides.
Status check_shared(const CommonOptions& options) {
  if (!options.share) return {};
  const std::string_view other = options.level == "full"   ? "--level full"
                                 : options.no_redact       ? "--no-redact"
                                 : options.keep_personal   ? "--keep-personal"
                                 : options.words           ? "--words"
                                 : !options.reveal.empty() ? "--reveal"
                                                           : "";
  if (other.empty()) return {};
  return fail(Exit::usage,
              fmt::format("--share and {} exclude each other; use one of them", other));
}

}  // namespace

Status CommonOptions::apply(const Config& configured, Request& request) {
  if (quiet && verbose)
    return fail(Exit::usage, "--quiet and --verbose exclude each other; use one of them");
  if (Status shared = check_shared(*this); !shared) return shared;
  if (!configured.file().empty()) request.settings.push_back(configured.file());
  if (Status priced = apply_prices(*this, request); !priced) return priced;
  if (Status redacted = apply_redaction(*this, configured, request); !redacted) return redacted;
  if (Status cleared = apply_clearance(*this, request); !cleared) return cleared;
  if (Status asked = apply_open(*this, request); !asked) return asked;
  const bool is_page = request.entry->is_live && request.view->follow_options()->open;
  if (is_page && !format.empty()) return fail(Exit::usage, "--open shows a page; it excludes -f");
  bool on_terminal = output.empty() && is_terminal(kStandardOutput);
  request.renderer = &find_renderer(!format.empty()           ? format
                                    : request.entry->converts ? "otlp"
                                    // Updates are for programs, unless somebody watches.
                                    : request.entry->is_live && !on_terminal ? "json"
                                                                             : "text");
  if ((request.renderer->needs_file && on_terminal) ||
      (request.renderer->needs_name && output.empty()))
    return fail(Exit::usage, fmt::format("{} {} needs an output file; use -o, such as -o {}.{}",
                                         format_option(*request.entry), request.renderer->name,
                                         request.entry->name, request.renderer->name));
  if (!weight.empty() && !request.renderer->takes_weight)
    return fail(Exit::usage, "--weight requires --to folded");
  // A suite's verdicts have a report of their own.
  if (request.renderer->page != nullptr && table.empty() && !request.entry->takes_suite)
    request.renderer = request.renderer->page;
  const Audience audience{.is_kept = !output.empty() || is_page,
                          .is_shared = share,
                          .is_allowed = configured["ownTerminal"].value == "true"};
  request.on_own_terminal = request.renderer == &find_renderer("text") && is_own_terminal(audience);
  if (request.on_own_terminal) {
    request.redaction.own_user = own_user();
    if (!utc) request.paper.zone = Zone::local();
  }
  request.paper.is_opened = request.opens_page && !utc;
  request.shows_words = request.on_own_terminal || wants_words(*this, configured);
  request.pages = on_terminal && !no_pager && !request.entry->is_live && may_page();
  request.paper.table = table;
  request.paper.rows = request.entry->rows;
  for (size_t i = 0; i < std::size(kRankingWords); ++i)
    if (sort == kRankingWords[i]) request.paper.ranking.by = static_cast<Ranking::By>(i);
  if (!top.empty()) {
    Result<size_t> rows = read_number("--top", top, 0, 1'000'000'000);
    if (!rows) return tl::unexpected(rows.error());
    request.paper.ranking.top = *rows;
  }
  request.paper.describes_fields = describe;
  for (size_t i = 0; i < std::size(kDirectionWords); ++i)
    if (direction == kDirectionWords[i]) request.paper.direction = static_cast<Direction>(i);
  for (size_t i = 0; i < std::size(kWeightWords); ++i)
    if (weight == kWeightWords[i]) request.paper.weight = static_cast<Weight>(i);
  for (size_t i = 0; i < std::size(kPictureWords); ++i)
    if (picture == kPictureWords[i]) request.paper.picture = static_cast<PictureKind>(i);
  // An option's words were checked; those of a configuration are checked here.
  for (const std::string& kind : hidden_arrows)
    if (std::find(std::begin(kArrowWords), std::end(kArrowWords), kind) == std::end(kArrowWords))
      return fail(Exit::usage, fmt::format("hiddenArrows: '{}' is not one of {}", printable(kind),
                                           fmt::join(kArrowWords, ", ")));
  request.paper.hidden_arrows = hidden_arrows;
  request.paper.has_all_panes = all_panes;
  request.paper.colour = wants_colour(*this);
  if (on_terminal) request.paper.columns = terminal_columns(Paper{}.columns);
  request.paper.cuts = on_terminal;  // who reads a pipe looks for whole names
  request.loading.jobs = std::max(1u, std::thread::hardware_concurrency());
  if (!jobs.empty()) {
    Result<size_t> threads = read_number("--jobs", jobs, 1, 256);
    if (!threads) return tl::unexpected(threads.error());
    request.loading.jobs = static_cast<unsigned>(*threads);
  }
  if (max_text.empty()) max_text = std::to_string(request.renderer->max_text);
  Result<size_t> longest = read_number("--max-text", max_text, 1, 1'000'000'000);
  if (!longest) return tl::unexpected(longest.error());
  request.max_text = *longest;
  if (!from.empty()) request.loading.format = find_format(from);
  request.loading.allow_missing = allow_missing;
  request.loading.key = key;
  request.loading.manifest = manifest;
  if (Status rooted = read_roots(roots, request.loading); !rooted) return rooted;
  if (!spawn_tools.empty()) request.linking.spawn_tools = spawn_tools;
  request.linking.with = with;
  for (const OptIn& linker : opt_in_linkers())
    if (is_one_of(linker.name, with))
      request.loading.keep_message_texts |= linker.compares_message_texts;
  request.linking.causes = causes == "nearest" ? Causes::nearest : Causes::best;
  request.linking.jobs = request.loading.jobs;
  request.level = level == "full" ? Door::Level::full : Door::Level::basic;
  request.loading.rereads = request.level == Door::Level::full || request.shows_words ||
                            request.entry->is_kept || request.entry->takes_suite ||
                            request.entry->reads_texts;
  request.loading.digests = request.entry->is_kept;
  if (request.entry->compares) request.loading.rereads = request.loading.keep_arguments = true;
  request.output = output;
  request.uses_cache = keeps_answers(*request.entry) && !no_cache && configured.uses_cache() &&
                       !is_cache_turned_off();
  request.strict = strict;
  request.quiet = quiet;
  request.verbose = verbose;
  return {};
}

}  // namespace xtrace
