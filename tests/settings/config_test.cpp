#include "settings/config.h"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "cli/apply_config.h"
#include "cli/command.h"
#include "reading.h"

using namespace xtrace;

namespace {

/// What is wrong with a configuration, its path called FILE.
std::string error_of(const std::string& content, const std::vector<std::string>& sets = {}) {
  Folder folder;
  std::string path = folder.write("c.json", content);
  Result<Config> config = Config::read(path, sets);
  if (config) return "";
  CHECK(config.error().exit == Exit::usage);
  std::string what = config.error().what;
  size_t at = what.find(path);
  return at == what.npos ? what : what.replace(at, path.size(), "FILE");
}

/// `500 default` — what a key is set to, and by what.
std::string in_force(const Config& config, std::string_view key) {
  return config[key].value + ' ' + config[key].origin;
}

/// An environment variable that has another value, or none, while this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value != nullptr ? setenv(name, value, 1) : unsetenv(name);
  }
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("a configuration may have comments, and stand in a wrapper or without") {
  Folder folder;
  const std::string keys = R"("maxCoTDepth": 3, "pruneLatencyThresholdMs": 12.5,
  // comments are fine
  "minCostUsdDetail": 0.00002, "nodeTTLMinutes": 60, "maxNodesPerTask": 10,
  "redactPII": false, /* and these */ "redactionPatterns": ["a", "b,c"], "port": 9001,
  "persistRetentionDays": 30, "reorderWindowMs": 0, "maxQueuedUpdates": 7
)";
  for (const std::string& text :
       {"{" + keys + "}", R"({"ours": 1, "explainabilityAgent": {)" + keys + R"(}, "x": []})"}) {
    Config config = Config::read(folder.write("c.json", text), {}).value();
    CHECK(config.file() == folder.path() + "/c.json");
    CHECK(in_force(config, "maxCoTDepth") == "3 c.json:1");
    CHECK(in_force(config, "pruneLatencyThresholdMs") == "12.5 c.json:1");
    CHECK(in_force(config, "minCostUsdDetail") == "0.00002 c.json:3");
    CHECK(in_force(config, "redactPII") == "false c.json:4");
    CHECK_FALSE(config.redacts_personal());
    CHECK(config["redactionPatterns"].texts == std::vector<std::string>{"a", "b,c"});
    CHECK(in_force(config, "maxQueuedUpdates") == "7 c.json:5");
  }
}

TEST_CASE("what nobody configures has its default") {
  Config config = Config::read("/dev/null", {}).value();
  CHECK(in_force(config, "maxCoTDepth") == "5 default");
  CHECK(in_force(config, "pruneLatencyThresholdMs") == "50 default");
  CHECK(in_force(config, "minCostUsdDetail") == "0.0001 default");
  CHECK(in_force(config, "nodeTTLMinutes") == "120 default");
  CHECK(in_force(config, "maxNodesPerTask") == "500 default");
  CHECK(in_force(config, "redactionPatterns") == "[] default");
  CHECK(in_force(config, "port") == "0 default");
  CHECK(in_force(config, "persistRetentionDays") == "7 default");
  CHECK(in_force(config, "reorderWindowMs") == "100 default");
  CHECK(in_force(config, "maxQueuedUpdates") == "100 default");
  CHECK(config.redacts_personal());
}

TEST_CASE("what is wrong with a configuration is said with its line") {
  CHECK(error_of("{\n\"maxNodePerTask\": 5}")
            .starts_with("FILE:2: unknown key 'maxNodePerTask' in the configuration; did you mean "
                         "'maxNodesPerTask'? keys: maxCoTDepth, "));
  CHECK(
      error_of("{\"x\": 1,\n\"explainabilityAgent\": {\n\"prot\": 5}}")
          .starts_with("FILE:3: unknown key 'prot' in explainabilityAgent; did you mean 'port'?"));
  CHECK(error_of("{\"explainabilityAgent\": 5}") ==
        "FILE:1: explainabilityAgent must be an object");
  CHECK(error_of("[]") == "FILE:1: the configuration must be an object");
  const std::string depth = "FILE:2: maxCoTDepth must be a whole number from 1 to 1000000";
  for (const char* wrong : {"0", "-1", "2.5", "1e7", "\"5\"", "true", "null", "[5]"})
    CHECK(error_of("{\n\"maxCoTDepth\": " + std::string(wrong) + "\n}") == depth);
  CHECK(error_of("{\"minCostUsdDetail\": -0.1}") ==
        "FILE:1: minCostUsdDetail must be a number from 0 to 1000000000");
  CHECK(error_of("{\"port\": 65536}") == "FILE:1: port must be a whole number from 0 to 65535");
  CHECK(error_of("{\"redactPII\": 1}") == "FILE:1: redactPII must be true or false");
  CHECK(error_of("{\"redactionPatterns\": \"a\"}") ==
        "FILE:1: redactionPatterns must be a list of strings");
  CHECK(error_of("{\"redactionPatterns\": [1]}") ==
        "FILE:1: each item of redactionPatterns must be a non-empty string");
  CHECK(error_of("{\"port\": 1,\n\"port\": 2}") == "FILE:2: duplicate key 'port'");
  CHECK(error_of("{\"port\": 1").starts_with("FILE:1: not valid JSON: "));
}

TEST_CASE("a pattern that RE2 does not take is told with its line, and why") {
  CHECK(error_of("{\"redactionPatterns\": [\n\"a\",\n\"(?=b)\"]}") ==
        "FILE:3: '(?=b)': not a valid pattern: invalid perl operator: (?=, at character 1; "
        "lookahead and lookbehind are not supported");
}

TEST_CASE("what --set says goes before the file, and of one key the last") {
  Folder folder;
  std::string path = folder.write("c.json", R"({"port": 1, "nodeTTLMinutes": 2})");
  Config config =
      Config::read(path, {"port=3", "redactPII=false", "port=4", "maxCoTDepth=1e2"}).value();
  CHECK(in_force(config, "port") == "4 --set");
  CHECK(in_force(config, "nodeTTLMinutes") == "2 c.json:1");
  CHECK(in_force(config, "maxCoTDepth") == "100 --set");
  CHECK_FALSE(config.redacts_personal());
}

TEST_CASE("behind --set stands one pattern, or a list of JSON") {
  auto patterns = [](const std::string& set) {
    return Config::read("/dev/null", {"redactionPatterns=" + set})
        .value()["redactionPatterns"]
        .texts;
  };
  using Texts = std::vector<std::string>;
  CHECK(patterns("[a-z]{2,3}=x") == Texts{"[a-z]{2,3}=x"});
  CHECK(patterns(R"(["a", "b\\d"])") == Texts{"a", "b\\d"});
  CHECK(patterns("[]").empty());
}

TEST_CASE("what --set cannot mean is refused") {
  CHECK(error_of("", {"port"}) == "--set: 'port' is not of the form KEY=VALUE");
  CHECK(error_of("", {"=5"}) == "--set: '=5' is not of the form KEY=VALUE");
  CHECK(error_of("", {"port="}) == "--set: port must be a whole number from 0 to 65535");
  CHECK(error_of("", {"port=nan"}) == "--set: port must be a whole number from 0 to 65535");
  CHECK(error_of("", {"nodeTTLMinutes=inf"}) ==
        "--set: nodeTTLMinutes must be a number from 0 to 1000000000");
  CHECK(error_of("", {"redactPII=yes"}) == "--set: redactPII must be true or false");
  CHECK(error_of("", {"redactionPatterns=("}) ==
        "--set: '(': not a valid pattern: missing ), at character 1");
  CHECK(error_of("", {"ports=1"})
            .starts_with("--set: unknown key 'ports' in the configuration; did"));
}

TEST_CASE("the user's own file is read where no other is named") {
  Folder folder;
  std::string home = folder.write(".config/xtrace/config.json", R"({"port": 1})");
  std::string base = folder.write("base/xtrace/config.json", R"({"port": 2})");
  Variable at_home("HOME", folder.path().c_str());
  {
    Variable unset("XDG_CONFIG_HOME", nullptr);
    CHECK(Config::read({}, {}).value().file() == home);
    CHECK(in_force(Config::read({}, {}).value(), "port") == "1 config.json:1");
  }
  Variable set("XDG_CONFIG_HOME", (folder.path() + "/base").c_str());
  CHECK(Config::read({}, {}).value().file() == base);
  CHECK(Config::read(home, {}).value().file() == home);
  CHECK(Config::read("/dev/null", {}).value()["port"].is_default);
  folder.write("base/xtrace/config.json", "{");
  CHECK_FALSE(Config::read({}, {}));
  std::filesystem::remove(base);
  CHECK(Config::read({}, {}).value().file().empty());
}

TEST_CASE("an option that was not given takes what is configured, if the command has it") {
  Config config = Config::read("/dev/null", {"maxNodesPerTask=20", "nodeTTLMinutes=5",
                                             "redactionPatterns=[\"a\"]"})
                      .value();
  std::string nodes, ttl = "9", depth, other;
  std::vector<std::string> patterns = {"b"};
  OptionList options;
  options.add("--max-nodes", nodes, "N", "");
  options.add("--node-ttl", ttl, "MINUTES", "");
  options.add("--max-depth", depth, "N", "");
  options.add("--other", other, "N", "");
  options.add("--redact", patterns, "REGEX", "");
  apply_config(config, options, {"--node-ttl", "--redact"});
  CHECK(nodes == "20");
  CHECK(ttl == "9");     // given
  CHECK(depth.empty());  // a default is the view's own
  CHECK(other.empty());
  CHECK(patterns == std::vector<std::string>{"a", "b"});
}

TEST_CASE("personal data are shown where the last who speaks of them says so") {
  Folder folder;
  std::string shows = folder.write("shows.json", R"({"redactPII": false})");
  std::string hides = folder.write("hides.json", R"({"redactPII": true})");
  auto which = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"list", "log.jsonl"});
    return std::get<Request>(read_command_line(words).value()).redaction.which;
  };
  CHECK(which({}) == Redaction::all);
  CHECK(which({"--config", shows}) == Redaction::secrets_only);
  CHECK(which({"--config", shows, "--set", "redactPII=true"}) == Redaction::all);
  CHECK(which({"--config", shows, "--redact-patterns", hides}) == Redaction::all);
  CHECK(which({"--config", hides, "--keep-personal"}) == Redaction::secrets_only);
  CHECK(which({"--config", hides, "--no-redact"}) == Redaction::off);
}

TEST_CASE("a help is given whatever the configuration is") {
  Folder folder;
  std::string path = folder.write("c.json", "{");
  CHECK(read_command_line({"list", "--config", path, "--help"}));
  CHECK_FALSE(read_command_line({"list", "--config", path, "log.jsonl"}));
}
