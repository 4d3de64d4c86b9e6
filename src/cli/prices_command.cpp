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
  xtrace prices claude-opus-4.5        prices of one model
  xtrace prices --json > mine.json     edit, then use --prices mine.json

Usage: xtrace prices [MODEL] [--prices FILE] [-f text|json]

Prints dollars per million tokens: the vendors' list prices for standard service, each with its first
day (from) and the day on which it was checked (valid), and prices from FILE, which take precedence.
Each call is charged the price of its date (UTC). Service terms multiply a price: batch, flex, priority,
fast, regional, peak; `hurried` covers both priority and fast. fees: dollars per thousand uses of a tool
that the vendor runs.
With MODEL: prices of that model only; exit code 1 if no price is known.

Options:
      --prices FILE     additional price list
  -f, --format FORMAT   text (default) or json, the format that --prices reads
      --json            same as -f json
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
  if (Status settled = settle_words(options); !settled) return tl::unexpected(settled.error());
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
    .summary = "print the price list",
    .manual = R"(.B prices \fR[\fIMODEL\fR] [\fB\-\-prices \fIFILE\fR] [\fB\-f \fIFORMAT\fR]
prints the price list, or the prices of one model; with \-\-json, in the format that
.B \-\-prices
reads. Exit status 1: no price is known for that model.
)",
    .run = read_prices,
    .help = help_for_prices,
    .words = models,
};

}  // namespace xtrace
