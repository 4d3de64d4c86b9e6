#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "base/system.h"
#include "cli/command.h"
#include "keep/output.h"

using namespace xtrace;

// Read by jemalloc, where it is linked. More arenas than these keep more memory and gain no time;
// memory that is no longer used goes back to the system soon, as answers follow reading and need
// less of it.
extern "C" {
const char* malloc_conf = "narenas:4,dirty_decay_ms:300,muzzy_decay_ms:0";
}

namespace {

Result<Exit> serve(std::vector<std::string> words) {
  Result<Command> command = read_command_line(std::move(words));
  if (!command) return tl::unexpected(command.error());
  if (Request* request = std::get_if<Request>(&*command)) return run(*request);
  if (const Service* service = std::get_if<Service>(&*command)) return service->run();
  Status written =
      print_answer([&](std::ostream& out) { out << std::get<Printed>(*command).text; });
  if (!written) return tl::unexpected(written.error());
  return Exit::answered;
}

}  // namespace

int main(int argc, char** argv) {
  give_back_large_tables();
  open_standard_input();
  clean_up_on_signals();
  // Libraries below may throw, and memory may run out; everything of ours returns a Result.
  try {
    Result<Exit> exit = serve({argv + std::min(argc, 1), argv + argc});
    if (!exit) print_error(exit.error());
    return static_cast<int>(exit ? *exit : exit.error().exit);
  } catch (const std::bad_alloc&) {
    std::fputs("xtrace: out of memory; the longest record must fit into it several times\n",
               stderr);
    return static_cast<int>(Exit::input);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "xtrace: this is a bug in xtrace: %s\n", error.what());
    return static_cast<int>(Exit::bug);
  }
}
