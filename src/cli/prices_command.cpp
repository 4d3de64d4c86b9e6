#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/read_options.h"
#include "run/own_sessions.h"
#include "settings/price_file.h"

namespace xtrace {

namespace {

std::string help_for_prices() {
  return R"(Examples:
  xtrace prices                        the price list
  xtrace prices claude-opus-4.5        the prices of one model, as a log names it
  xtrace prices > mine.json            edit them, then use --prices mine.json

Usage: xtrace prices [MODEL] [--prices FILE] [-f text|json]

Prints dollars for a million tokens: the makers' list prices for standard service, each with its
first day (from) and the day on which it was looked up (valid), and over them those of FILE. A
call costs what held on its day (UTC). Other terms multiply a price: batch, flex, priority, fast
(hurried: both), regional, peak. fees are dollars for a thousand uses of a tool that the vendor
runs. With MODEL, the prices of that model; exit 1 where none is known.

  -f, --format FORMAT   text (on a terminal), json (elsewhere; as --prices takes it)
)";
}

/// `xtrace prices [MODEL] [--prices FILE]`
Result<Command> read_prices(const std::vector<std::string>& words) {
  std::string file, model, format = "text";
  bool json = false;
  OptionList options;
  options.add("--prices", file, "FILE", "");
  options.add("-f,--format", format, "FORMAT", "", {"text", "json"});
  options.add("--json", json, "");
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_prices()};
  for (const std::string& word : read->rest) {
    if (word.starts_with("-")) return unknown_option("prices", word, options);
    if (!model.empty()) return fail(Exit::usage, "prices: name one model, or none to list all");
    model = word;
  }
  PriceTable table = list_prices();
  if (!file.empty())
    if (Status added = read_price_file(file, table); !added) return tl::unexpected(added.error());
  Result<std::string> text =
      format == "text" && !json ? shown_prices(table, model) : written_prices(table, model);
  if (std::error_code error;
      !text && (std::filesystem::exists(model, error) || std::string_view(model) == kLastSession))
    return fail(
        Exit::usage,
        fmt::format("prices: expected a model, but '{0}' is a log; for its cost: xtrace stats {0}",
                    printable(model)));
  if (!text) return tl::unexpected(text.error());
  return Printed{*std::move(text)};
}

std::vector<std::string_view> models() {
  std::vector<std::string_view> names;
  for (const auto& [plain, rows] : list_prices().models()) names.push_back(rows.front().name);
  return names;
}

}  // namespace

extern constinit const OtherCommand kPricesCommand = {
    .name = "prices",
    .summary = "what tokens of which model cost, as `--prices` takes it",
    .hint = "what tokens of which model cost",
    .manual = R"(.B prices \fR[\fIMODEL\fR] [\fB\-\-prices \fIFILE\fR] [\fB\-f \fIFORMAT\fR]
prints what tokens cost, of all models or of one, as a table or in the form that
.B \-\-prices
takes; exit 1 where no price is known of that model.
)",
    .run = read_prices,
    .help = help_for_prices,
    .words = models,
};

}  // namespace xtrace
