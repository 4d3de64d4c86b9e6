#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

#include "base/build.h"
#include "base/number.h"
#include "base/parts.h"
#include "base/system_internal.h"

namespace xtrace {

namespace {

size_t number_in(const char* variable) {
  const char* set = getenv(variable);
  return set != nullptr ? number_of<size_t>(set).value_or(0) : 0;
}

/// From an instant on, in seconds since 1970.
struct ZoneChange {
  int64_t from = INT64_MIN;
  LocalZone zone;
};
std::vector<ZoneChange> zone_changes;

}  // namespace

std::string build_id() {
  return {};
}

bool is_terminal(int fd) {
  return isatty(fd) == 1;
}

/// No program is started here that would read them.
bool has_keyboard() {
  return false;
}

/// The host sets these variables to the size of the terminal.
std::optional<TerminalSize> terminal_size(int fd) {
  const TerminalSize size{number_in("LINES"), number_in("COLUMNS")};
  if (!is_terminal(fd) || size.rows == 0 || size.columns == 0) return {};
  return size;
}

size_t terminal_columns(size_t otherwise, int) {
  const size_t columns = number_in("COLUMNS");
  return columns == 0 ? otherwise : std::max<size_t>(columns, 40);
}

/// The host knows the rules of its zone, and lists them: `-:3600:CET,1743296400:7200:CEST`.
void load_local_zone() {
  zone_changes.clear();
  const char* set = getenv("XTRACE_ZONE");
  for_each_part(set != nullptr ? set : "", ',', [](std::string_view change) {
    const size_t ahead = change.find(':'), name = change.find(':', ahead + 1);
    if (ahead == change.npos || name == change.npos) return;
    const std::optional<int64_t> seconds =
        number_of<int64_t>(change.substr(ahead + 1, name - ahead - 1));
    if (!seconds) return;
    zone_changes.push_back(
        {number_of<int64_t>(change.substr(0, ahead)).value_or(INT64_MIN),
         {std::chrono::seconds(*seconds), std::string(change.substr(name + 1))}});
  });
}

LocalZone local_zone_at(std::chrono::seconds since_1970) {
  const auto after =
      std::ranges::upper_bound(zone_changes, since_1970.count(), {}, &ZoneChange::from);
  return after == zone_changes.begin() ? LocalZone{std::chrono::seconds(0), "UTC"}
                                       : std::prev(after)->zone;
}

/// None can be started.
bool has_program(const std::string&) {
  return false;
}

int64_t process_id() {
  return 1;
}

void start_detached(const std::string&, const std::string&) {}

PipedCommand::PipedCommand(const std::string&, const std::vector<Variable>&) {}

PipedCommand::~PipedCommand() = default;

/// The host ends the process at an interrupt, and removes the TemporaryFile.
Interrupts::Interrupts() = default;

bool Interrupts::came() {
  return false;
}

void Interrupts::let_through() {}

void end_on_signals(int, int, std::string_view) {}

// Memory of WebAssembly only grows: freed tables are used again for the next ones.
void give_back_large_tables() {}

void keep_large_tables() {}

}  // namespace xtrace
