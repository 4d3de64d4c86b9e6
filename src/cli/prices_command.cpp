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
  xtrace prices                        the prices that costs are reckoned with
  xtrace prices claude-opus-4.5        those for one model, as a log names it
  xtrace prices > mine.json            to change them, and use with --prices mine.json

Usage: xtrace prices [MODEL] [--prices FILE]

Prints dollars for a million tokens, as JSON: the makers' list prices for standard service, each
with the day on which it was looked up, and over them those of FILE. With MODEL, the price of
that model alone; exit 1 where none is known.
)";
}

/// `xtrace prices [MODEL] [--prices FILE]`
Result<Command> read_prices(const std::vector<std::string>& words) {
  std::string file, model;
  OptionList options;
  options.add("--prices", file, "FILE", "");
  Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  if (read->help) return Printed{help_for_prices()};
  for (const std::string& word : read->rest) {
    if (word.starts_with("-")) return unknown_option("prices", word, options);
    if (!model.empty()) return fail(Exit::usage, "prices: name one model, or none for all of them");
    model = word;
  }
  PriceTable table = list_prices();
  if (!file.empty())
    if (Status added = read_price_file(file, table); !added) return tl::unexpected(added.error());
  Result<std::string> text = written_prices(table, model);
  if (std::error_code error;
      !text && (std::filesystem::exists(model, error) || std::string_view(model) == kLastSession))
    return fail(Exit::usage,
                fmt::format("prices: it takes a model, and '{0}' is a log; what that cost: xtrace "
                            "stats {0}",
                            printable(model)));
  if (!text) return tl::unexpected(text.error());
  return Printed{*std::move(text)};
}

std::vector<std::string_view> models() {
  std::vector<std::string_view> names;
  for (const auto& [plain, model] : list_prices().models()) names.push_back(model.name);
  return names;
}

}  // namespace

extern constinit const OtherCommand kPricesCommand = {
    .name = "prices",
    .summary = "what tokens of which model cost, as `--prices` takes it",
    .hint = "what tokens of which model cost",
    .manual = R"(.B prices \fR[\fIMODEL\fR] [\fB\-\-prices \fIFILE\fR]
prints what tokens cost, of all models or of one, in the form that
.B \-\-prices
takes; exit 1 where no price is known of that model.
)",
    .run = read_prices,
    .help = help_for_prices,
    .words = models,
};

}  // namespace xtrace
