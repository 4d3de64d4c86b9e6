#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "asked_input.h"
#include "base/base64.h"
#include "base/one_of.h"
#include "cli/answer_formats.h"
#include "cli/command.h"
#include "effort.h"
#include "mcp/tools.h"
#include "reading.h"
#include "serve/routes.h"
#include "serve/served_log.h"

using namespace xtrace;

namespace {

using Words = std::vector<std::string>;

// The logs of fixtures/clearance have one of these words in each text, by the label of its record.
constexpr std::string_view kSecret = "quincewharf";    // labelled secret; also quoted elsewhere
constexpr std::string_view kBare = "marlinspike";      // without a label
constexpr std::string_view kPublic = "lanternbridge";  // labelled public
constexpr std::string_view kMarks[] = {kSecret, kBare, kPublic};

std::string fixture_file(const std::string& name) {
  return project_path("fixtures/" + std::string(name));
}

struct MarkedLog {
  std::string file;
  const char* node;   ///< something in it that `explain` and `impact` know
  const char* query;  ///< and `trace`
};
const MarkedLog kLogs[] = {{"clearance/requests.jsonl", ":2", "sale-rq-1"},
                           {"clearance/session.jsonl", ":5", "req_sale_2"},
                           {"clearance/jaeger.json", "lookup", "7f1d2c3b5a697887960f1e2d3c4b5a70"},
                           {"clearance/otlp.json", "lookup", "7f1d2c3b5a697887960f1e2d3c4b5a70"}};

std::string inflated(std::string_view bytes) {
  z_stream z{};
  std::string text;
  char block[4096];
  if (inflateInit2(&z, MAX_WBITS + 32) != Z_OK) return {};
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<uInt>(bytes.size());
  for (int result = Z_OK; result == Z_OK;) {
    z.next_out = reinterpret_cast<Bytef*>(block);
    z.avail_out = sizeof block;
    result = inflate(&z, Z_NO_FLUSH);
    text.append(block, sizeof block - z.avail_out);
  }
  inflateEnd(&z);
  return text;
}

/// An answer with what pages hold packed, in base64.
std::string with_packed(std::string text) {
  constexpr std::string_view kBlock = "\"application/octet-stream\"";
  for (size_t at = text.find(kBlock); at != std::string::npos; at = text.find(kBlock, at + 1)) {
    const size_t begin = text.find('>', at) + 1;
    text += inflated(base64_bytes(std::string_view(text).substr(begin)));
  }
  return text;
}

bool has(std::string_view text, std::string_view mark) {
  return text.find(mark) != std::string_view::npos;
}

/// What a command answers in a format, or why it has no answer.
std::string answer_of(const ViewEntry& entry, std::string_view format, const MarkedLog& log,
                      const Words& options) {
  Words words = {std::string(entry.name),
                 entry.converts ? "--to" : "-f",
                 std::string(format),
                 "-q",
                 "--config",
                 "/dev/null",
                 "--level",
                 "full",
                 "--max-text",
                 "100000",
                 "-o",
                 "not-written"};
  words.insert(words.end(), options.begin(), options.end());
  if (entry.takes_suite) words.push_back(fixture_file("release/suite.yaml"));
  if (entry.compares) words.push_back(fixture_file("diff/tuesday.jsonl"));
  if (entry.name == "assess")
    words.insert(words.end(), {"--baseline", fixture_file("assess/baseline.json")});
  if (is_one_of(entry.name, {"explain", "impact"})) words.insert(words.end(), {"--node", log.node});
  if (entry.name == "trace") words.emplace_back("--all");
  words.push_back(fixture_file(log.file));
  const Result<std::string> answered = printed_by(std::move(words));
  return answered ? with_packed(*answered) : answered.error().what;
}

/// A standard stream of the process, in place of which there is a file meanwhile.
class Redirected {
 public:
  Redirected(int stream, const std::string& path, int flags) : stream_(stream), kept_(dup(stream)) {
    const int file = open(path.c_str(), flags);
    dup2(file, stream);
    close(file);
  }
  ~Redirected() {
    fflush(stdout);
    dup2(kept_, stream_);
    close(kept_);
  }
  Redirected(const Redirected&) = delete;
  Redirected& operator=(const Redirected&) = delete;

 private:
  int stream_, kept_;
};

void run_command(Command& command) {
  if (Request* request = std::get_if<Request>(&command))
    CHECK(run(*request));
  else if (Service* service = std::get_if<Service>(&command))
    CHECK(service->run());
}

/// Everything that a command prints or writes into `folder`.
std::string everything_of(Words words, const Folder& folder, std::string_view said = {}) {
  Result<Command> command = read_command_line(std::move(words));
  if (!command) return command.error().what;
  {
    const Redirected in(STDIN_FILENO, folder.write("stdin", said), O_RDONLY);
    const Redirected out(STDOUT_FILENO, folder.write("stdout", ""), O_WRONLY | O_TRUNC);
    run_command(*command);
  }
  std::string all;
  for (const std::filesystem::directory_entry& entry :
       std::filesystem::recursive_directory_iterator(folder.path()))
    if (entry.is_regular_file() && entry.path().filename() != "stdin")
      all += folder.read(std::filesystem::relative(entry.path(), folder.path()).string());
  return all;
}

/// What a server answers, events that follow included.
std::string all_of(const serve::Response& response) {
  std::string all = response.body == nullptr ? std::string() : with_packed(*response.body);
  if (response.events != nullptr)
    for (std::string event = response.events->next(); !event.empty();
         event = response.events->next())
      all += event;
  return all;
}

}  // namespace

TEST_CASE("no command shows a text beyond the clearance in any format, and each what is within") {
  for (const MarkedLog& log : kLogs) {
    size_t shown[std::size(kMarks)] = {}, shown_public = 0, asked = 0;
    for (const ViewEntry& entry : views()) {
      if (entry.is_live) continue;
      for (const std::string_view format : format_names(entry)) {
        if (asked++ % effort(1, 4) != 0) continue;
        CAPTURE(log.file, entry.name, format);
        const std::string plain = answer_of(entry, format, log, {});
        const std::string cleared = answer_of(entry, format, log, {"--clearance", "public"});
        CHECK_FALSE(has(cleared, kSecret));
        CHECK_FALSE(has(cleared, kBare));
        shown_public += has(cleared, kPublic);
        const std::string open =
            answer_of(entry, format, log, {"--clearance", "public", "--unlabelled", "public"});
        CHECK_FALSE(has(open, kSecret));
        const std::string secret = answer_of(entry, format, log, {"--clearance", "secret"});
        for (size_t i = 0; i < std::size(kMarks); ++i) {
          CAPTURE(kMarks[i]);
          CHECK(has(secret, kMarks[i]) == has(plain, kMarks[i]));
          shown[i] += has(plain, kMarks[i]);
        }
      }
    }
    CAPTURE(log.file, shown[0], shown[1], shown[2], shown_public);
    for (const size_t count : shown) CHECK(count > effort(10U, 2U));
    CHECK(shown_public > effort(5U, 1U));
  }
}

TEST_CASE("nor does what follows a log, or a pack for auditors") {
  for (const MarkedLog& log : kLogs) {
    const std::string file = fixture_file(log.file);
    for (const Words& command :
         {Words{"follow", "--until-end", "--unfold", "-f", "json"}, Words{"follow", "--until-end"},
          Words{"audit", "--with", "impact", "--with", "taint", "--with", "blame"}}) {
      const auto all = [&](const Words& more) {
        const Folder folder;
        Words words = command;
        words.insert(words.end(), {"-q", "--config", "/dev/null", "--level", "full"});
        words.insert(words.end(), more.begin(), more.end());
        if (command.front() == "audit")
          words.insert(words.end(), {"--output-dir", folder.path() + "/pack"});
        words.push_back(file);
        return everything_of(std::move(words), folder);
      };
      CAPTURE(log.file, command);
      const std::string plain = all({}), cleared = all({"--clearance", "public"});
      const std::string secret = all({"--clearance", "secret"});
      CHECK_FALSE(plain.empty());
      CHECK_FALSE(has(cleared, kSecret));
      CHECK_FALSE(has(cleared, kBare));
      CHECK_FALSE(has(all({"--clearance", "public", "--unlabelled", "public"}), kSecret));
      for (const std::string_view mark : kMarks) CHECK(has(secret, mark) == has(plain, mark));
      if (command.front() == "audit") CHECK(has(plain, kSecret));
    }
  }
}

TEST_CASE("nor does a tool of a server for agents") {
  for (const MarkedLog& log : kLogs) {
    const std::string file = fixture_file(log.file);
    std::string said =
        R"({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}})"
        "\n";
    for (const mcp::Tool& tool : mcp::tools())
      said += fmt::format(
          R"({{"jsonrpc": "2.0", "id": "{0}", "method": "tools/call", "params": {{"name": "{0}",)"
          R"( "arguments": {{"max_tokens": 20000{1}}}}}}})"
          "\n",
          tool.name,
          is_one_of(tool.name, {"explain", "impact"}) ? fmt::format(R"(, "node": "{}")", log.node)
                                                      : std::string());
    const auto all = [&](const Words& more) {
      const Folder folder;
      Words words = {"mcp", "-q", "--config", "/dev/null", "--level", "full"};
      words.insert(words.end(), more.begin(), more.end());
      words.push_back(file);
      return everything_of(std::move(words), folder, said);
    };
    CAPTURE(log.file);
    const std::string plain = all({}), cleared = all({"--clearance", "public"});
    CHECK(has(cleared, R"("id":"sessions")"));
    CHECK_FALSE(has(cleared, kSecret));
    CHECK_FALSE(has(cleared, kBare));
    const std::string secret = all({"--clearance", "secret"});
    for (const std::string_view mark : kMarks) CHECK(has(secret, mark) == has(plain, mark));
  }
}

TEST_CASE("nor does a server, on any path and in any format") {
  size_t shown = 0;
  for (const MarkedLog& log : kLogs) {
    const std::string text = project_file("fixtures/" + log.file), name = log.file.substr(10);
    serve::ServedLog plain(name, text, {"--level=full"});
    serve::ServedLog cleared(name, text, {"--level=full", "--clearance=public"});
    for (const serve::Route& route : serve::routes()) {
      if (route.reply == serve::Reply::socket) continue;
      std::string path(route.path);
      if (const size_t run = path.find("{run}"); run != path.npos) path.replace(run, 5, "all");
      if (const size_t id = path.find("{id}"); id != path.npos) path.replace(id, 4, log.query);
      std::vector<std::string_view> formats(route.formats.begin(), route.formats.end());
      if (formats.empty()) formats.emplace_back();
      for (const std::string_view format : formats) {
        std::string target = path + "?node=" + log.node;
        if (!is_one_of(route.view, {"explain", "impact"})) target = path + "?";
        if (!format.empty()) target += fmt::format("&format={}", format);
        CAPTURE(log.file, target);
        const std::string answer = all_of(cleared.get(target));
        CHECK_FALSE(has(answer, kSecret));
        CHECK_FALSE(has(answer, kBare));
        shown += has(all_of(plain.get(target)), kSecret);
      }
    }
  }
  CHECK(shown > 10);
}

TEST_CASE("an answer states its clearance and what was withheld") {
  const ViewEntry& list = *find_view("list");
  const std::string cleared = answer_of(list, "json", kLogs[0], {"--clearance", "public"});
  CHECK(has(cleared, R"("clearance": {"label": "public", "unlabelled": "secret", "records": 3, )"
                     R"("records_unlabelled": 1, "records_withheld": 2})"));
  CHECK_FALSE(has(answer_of(list, "json", kLogs[0], {}), "\"clearance\""));
}

TEST_CASE("the rank of records without a label requires a clearance") {
  const Result<Command> command = read_command_line(
      {"list", "--config", "/dev/null", "--unlabelled", "public", fixture_file(kLogs[0].file)});
  REQUIRE_FALSE(command);
  CHECK(command.error().what == "--unlabelled requires --clearance LABEL");
}

TEST_CASE("a configuration states the clearance, and an option another one") {
  const Folder folder;
  const std::string config =
      folder.write("config.json", R"({"clearance":"internal","unlabelled":"public"})");
  const auto clearance = [&](Words words) {
    words.insert(words.begin(), {"list", "--config", config, fixture_file(kLogs[0].file)});
    Result<Command> command = read_command_line(std::move(words));
    REQUIRE(command);
    return std::get<Request>(*command).redaction.clearance;
  };
  CHECK(clearance({}).label == "internal");
  CHECK(clearance({}).unlabelled == "public");
  CHECK(clearance({"--clearance", "secret"}).label == "secret");
  CHECK(clearance({"--unlabelled", "secret"}).unlabelled == "secret");
}
