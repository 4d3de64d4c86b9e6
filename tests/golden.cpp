// Runs the commands of golden files and compares what they answer, byte by byte:
//
//   xtrace_golden [--xtrace PROGRAM] [--update] FILE...     from the root of the project
//
// No shell is involved: words are split here, `< FILE` is standard input (else it is empty), also
// through a pipe as `cat FILE | xtrace`, and the environment is empty but for PATH and the settings
// of sanitizers. After `terminal`, standard input and output are a terminal of 100 columns.

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>

#include "golden_file.h"
#include "reading.h"
#include "schema_outline.h"

using namespace xtrace;

namespace {

std::string slurp(int fd) {
  std::string text;
  char buffer[1 << 14];
  lseek(fd, 0, SEEK_SET);
  for (ssize_t count; (count = read(fd, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(count));
  close(fd);
  return text;
}

std::vector<std::string> environment() {
  std::vector<std::string> kept;
  for (const char* name :
       {"PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"})
    if (const char* value = std::getenv(name)) kept.push_back(fmt::format("{}={}", name, value));
  return kept;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

void fill_pipe(int fd, std::string_view text) {
  for (ssize_t count; !text.empty() && (count = write(fd, text.data(), text.size())) > 0;)
    text.remove_prefix(static_cast<size_t>(count));
  close(fd);
}

/// A terminal that nobody looks at: what is written to `screen` can be read from `behind`.
struct Terminal {
  int behind = -1, screen = -1;
};

Terminal open_terminal() {
  Terminal terminal;
  terminal.behind = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal.behind < 0 || grantpt(terminal.behind) != 0 || unlockpt(terminal.behind) != 0)
    throw std::runtime_error("cannot make a terminal");
  terminal.screen = open(ptsname(terminal.behind), O_RDWR | O_NOCTTY | O_CLOEXEC);
  termios settings{};
  winsize size{};
  size.ws_row = 40, size.ws_col = 100;
  if (terminal.screen < 0 || tcgetattr(terminal.screen, &settings) != 0)
    throw std::runtime_error("cannot make a terminal");
  cfmakeraw(&settings);  // what is written is what is read
  tcsetattr(terminal.screen, TCSANOW, &settings);
  ioctl(terminal.screen, TIOCSWINSZ, &size);
  return terminal;
}

/// All that is written until nobody has the screen open any more.
std::string watch(const Terminal& terminal) {
  close(terminal.screen);
  std::string text;
  char buffer[1 << 12];
  for (ssize_t count; (count = read(terminal.behind, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(count));
  close(terminal.behind);
  return text;
}

/// What the command of `step` answers now.
GoldenStep run(const GoldenStep& step, const std::string& program) {
  std::vector<std::string> words = split_words(step.command), settings = environment();
  std::string piped;
  bool is_piped = words.size() > 2 && words[0] == "cat" && words[2] == "|";
  if (is_piped) {
    piped = project_file(words[1]);
    words.erase(words.begin(), words.begin() + 3);
  }
  bool on_terminal = !words.empty() && words.front() == "terminal";
  if (on_terminal) words.erase(words.begin());
  while (!words.empty() && words.front().find('=') != std::string::npos) {
    settings.push_back(words.front());
    words.erase(words.begin());
  }
  // Shells take the last of two variables of one name, and programs the first.
  if (std::ranges::none_of(settings, [](const auto& one) { return one.starts_with("TZ="); }))
    settings.push_back("TZ=UTC");
  const bool is_outlined = words.size() > 2 && words.back() == "outline";
  if (is_outlined) words.resize(words.size() - 2);  // with the `|` before it
  std::string input = "/dev/null";
  if (words.size() > 2 && words[words.size() - 2] == "<") {
    input = words.back();
    words.resize(words.size() - 2);
  }
  if (words.empty() || words.front() != "xtrace")
    throw std::invalid_argument("not an xtrace command: " + step.command);
  words.front() = program;
  std::vector<char*> arguments = pointers(words), variables = pointers(settings);

  int out = memfd_create("out", 0), err = memfd_create("err", 0);
  int ends[2] = {-1, -1};
  if (is_piped && pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  Terminal terminal;
  if (on_terminal) terminal = open_terminal();
  pid_t child = fork();
  if (child == 0) {
    int in = on_terminal ? terminal.screen : is_piped ? ends[0] : open(input.c_str(), O_RDONLY);
    int shown = on_terminal ? terminal.screen : out;
    if (in < 0 || dup2(in, 0) < 0 || dup2(shown, 1) < 0 || dup2(err, 2) < 0) _exit(127);
    alarm(60);  // what hangs is killed
    execve(program.c_str(), arguments.data(), variables.data());
    _exit(127);
  }
  if (is_piped) {
    close(ends[0]);
    fill_pipe(ends[1], piped);
  }
  std::string seen;
  if (on_terminal) seen = watch(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  GoldenStep answer = step;
  answer.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  answer.out = on_terminal ? (close(out), seen) : slurp(out);
  answer.err = slurp(err);
  if (is_outlined && answer.exit == 0) answer.out = outline_schema(answer.out);
  return answer;
}

bool check(const std::string& path, const std::string& program, bool update) {
  std::string text = project_file(path);
  bool good = true;
  std::vector<GoldenStep> answers;
  for (const GoldenStep& step : parse_golden(text)) {
    answers.push_back(run(step, program));
    std::string wanted = format_golden({step}), got = format_golden({answers.back()});
    if (wanted == got || update) continue;
    good = false;
    std::cout << fmt::format("{}: wanted (-) and got (+):\n{}\n", path, diff(wanted, got));
  }
  std::string now = format_golden(answers);
  if (update && now != text) {
    std::ofstream(path, std::ios::binary) << now;
    std::cout << fmt::format("{}: rewritten\n", path);
  } else if (good && !update && now != text) {
    good = false;
    std::cout << fmt::format("{}: not written as --update writes it:\n{}", path, diff(text, now));
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);  // a command need not read all that it is given
  std::string program = "build/release/xtrace";
  bool update = false, good = true;
  try {
    for (int i = 1; i < argc; ++i) {
      std::string word = argv[i];
      if (word == "--xtrace" && i + 1 < argc)
        program = argv[++i];
      else if (word == "--update")
        update = true;
      else
        good &= check(word, program, update);
    }
  } catch (const std::exception& error) {
    std::cerr << "xtrace_golden: " << error.what() << '\n';
    return 2;
  }
  return good ? 0 : 1;
}
