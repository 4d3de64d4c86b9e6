#include "cli/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/sha256.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/common_options.h"
#include "cli/reproduction.h"
#include "cli/verify_index.h"
#include "cli/verify_recorded.h"
#include "keep/output.h"
#include "run/answer.h"
#include "run/load_runs.h"

namespace xtrace {

namespace {

using Json = nlohmann::json;

tl::unexpected<Error> unusable(const std::string& path, std::string_view why) {
  return fail(Exit::input, fmt::format("--verify: {}: {}", printable(path), why));
}

/// An object a line.
bool is_log(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string line;
  return std::getline(file, line) && Json::parse(line, nullptr, false).is_object();
}

Result<Json> read_trace(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return unusable(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::ostringstream bytes;
  bytes << file.rdbuf();
  bool has_equal_keys = false;
  std::optional<Json> parsed = parse_strict(std::move(bytes).str(), &has_equal_keys);
  if (has_equal_keys) return unusable(path, "an object has a duplicate key");
  if (!parsed && is_log(path))
    return unusable(
        path,
        "this looks like a log (one object per line); expected JSON written by `xtrace trace`");
  if (!parsed) return unusable(path, "not valid JSON");
  Json& trace = *parsed;
  if (!trace.is_object() || trace.value("schema", Json()) != Json("xtrace.trace/1"))
    return unusable(path, "not written by `xtrace trace`");
  return std::move(trace);
}

Result<std::vector<std::string>> command_of(const Json& trace, const std::string& path) {
  const Json* command = nullptr;
  if (auto made = trace.find("reproduction"); made != trace.end() && made->is_object())
    if (auto found = made->find("command"); found != made->end() && found->is_array())
      command = &*found;
  std::vector<std::string> words;
  if (command != nullptr)
    for (const Json& word : *command)
      if (word.is_string()) words.push_back(word.get<std::string>());
  if (words.size() < 2 || words[0] != "xtrace" || words[1] != "trace")
    return unusable(path, "it does not record how it was made (reproduction.command)");
  words.erase(words.begin(), words.begin() + 2);
  return words;
}

/// The inputs that a trace names, for people.
std::string made_from(const Json& trace) {
  std::string names;
  if (auto inputs = trace.find("inputs"); inputs != trace.end() && inputs->is_array())
    for (const Json& input : *inputs)
      if (input.is_object() && input.value("path", Json()).is_string())
        names += fmt::format("{}'{}'", names.empty() ? "" : ", ",
                             clip(printable(input["path"].get<std::string>()), 60));
  return names.empty() ? names : ", made from " + names;
}

/// The same answer from the inputs at hand, with what `then` has beside it.
Result<Json> make_again(const std::vector<std::string>& options, const Json& then,
                        const Request& request) {
  // What a configuration had a say in is among the options; the verifier's own has none.
  std::vector<std::string> words = {"trace",    "--quiet",
                                    "--config", "/dev/null",
                                    "--format", then.contains("mermaid") ? "both" : "json"};
  if (then.contains("field_descriptions")) words.emplace_back("--describe");
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("--");
  words.insert(words.end(), request.inputs.begin(), request.inputs.end());
  Result<Command> command = read_command_line(std::move(words));
  if (!command) return tl::unexpected(command.error());
  Request* again = std::get_if<Request>(&*command);
  if (again == nullptr) return fail(Exit::input, "its command does not make a trace");
  again->loading.jobs = request.loading.jobs;
  Result<std::vector<Trace>> traces = load_runs(*again);
  if (!traces) return tl::unexpected(traces.error());
  const LinkedRuns runs = link_runs(*std::move(traces), again->link_options());
  Result<std::unique_ptr<Door>> door = open_door(*again, runs);
  if (!door) return tl::unexpected(door.error());
  Result<Document> document = answer(*again, runs, **door);
  if (!document) return tl::unexpected(document.error());
  std::ostringstream text;
  write_document(*again, *document, text);
  return Json::parse(text.str());
}

/// Inputs may have moved since: they are called what they were called then.
class Renamed {
 public:
  Renamed(const Json& then, const Json& now) {
    const Json inputs = list(now), before = list(then);
    std::vector<bool> used(before.size());
    for (size_t i = 0; i < inputs.size(); ++i) {
      // The first one with the same bytes; where there is none, the one in its place.
      size_t same = i;
      for (size_t k = before.size(); k-- > 0;)
        if (!used[k] && before[k].is_object() &&
            before[k].value("sha256", Json()) == inputs[i]["sha256"])
          same = k;
      if (same >= before.size() || used[same] || !before[same].is_object()) continue;
      used[same] = true;
      std::string path = inputs[i].value("path", "");
      if (Json then_path = before[same].value("path", Json()); then_path != Json(path))
        names_.emplace_back(std::move(path), std::move(then_path));
    }
  }
  bool any() const { return !names_.empty(); }
  void apply(Json& value) const {
    if (value.is_array())
      for (Json& item : value) apply(item);
    if (!value.is_object()) return;
    for (auto& [key, item] : value.items()) {
      if ((key == "path" || key == "at") && item.is_string()) rename(item);
      apply(item);
    }
  }

 private:
  static Json list(const Json& trace) {
    Json inputs = trace.value("inputs", Json::array());
    return inputs.is_array() ? inputs : Json::array();
  }

  void rename(Json& place) const {
    const std::string text = place.get<std::string>();
    for (const auto& [now, then] : names_) {
      if (!text.starts_with(now) || !then.is_string()) continue;
      std::string rest = text.substr(now.size());
      if (!rest.empty() && rest.front() != ':' && rest.front() != '@') continue;
      place = then.get<std::string>() + rest;
      return;
    }
  }

  std::vector<std::pair<std::string, Json>> names_;
};

/// A value in a few words, made safe: the trace may come from anybody.
std::string shown(const Json& value, Door& door) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return clip(printable(door.name_once(std::move(text)).view()), 60);
}

/// `then` is what the file says, `now` what comes of the inputs.
std::vector<std::string> differences(const Json& then, const Json& now, Door& door) {
  std::vector<std::string> lines;
  for (const Json& step : Json::diff(then, now)) {
    const std::string path = step.value("path", ""), op = step.value("op", "");
    Json::json_pointer at(path);
    std::string place = printable(door.name_once(path).view());
    if (op == "remove")
      lines.push_back(
          fmt::format("{}: {} is not reproduced from the inputs", place, shown(then.at(at), door)));
    else if (op == "add")
      lines.push_back(fmt::format("{}: {} is missing", place, shown(step.at("value"), door)));
    else
      lines.push_back(fmt::format("{}: {}, but {} from the inputs", place, shown(then.at(at), door),
                                  shown(step.at("value"), door)));
  }
  return lines;
}

}  // namespace

namespace {

struct Checked {
  bool is_same = false;
  std::string text;  ///< what to say of it, in lines
};

/// Was it made from other traces, among others?
bool is_of_traces(const Json& trace) {
  const Json inputs = trace.value("inputs", Json::array());
  return std::any_of(inputs.begin(), inputs.end(), [](const Json& input) {
    return input.is_object() && input.value("format", Json()) == Json("query-trace");
  });
}

/// Does it begin as traces do? A log may be too long to read whole for that.
bool begins_as_trace(const std::string& path) {
  std::string begin(64, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin.find("\"xtrace.trace/1\"") != begin.npos;
}

/// A second trace behind `--verify` is taken for an input.
Status check_inputs(const std::string& path, const Json& trace, const Request& request) {
  if (is_of_traces(trace)) return {};
  std::error_code none;
  for (const std::string& input : request.inputs)  // a pipe can be read once alone
    if (std::filesystem::is_regular_file(input, none) && begins_as_trace(input))
      return fail(Exit::usage, fmt::format("--verify: {} is a trace, but {} was not made from a "
                                           "trace; put --verify before each trace",
                                           printable(input), printable(path)));
  return {};
}

Result<Checked> check(const std::string& path, const Request& request) {
  Result<Json> then = read_trace(path);
  if (!then) return tl::unexpected(then.error());
  if (Status usable = check_inputs(path, *then, request); !usable)
    return tl::unexpected(usable.error());
  if (then->contains("traces"))
    return unusable(
        path, "it contains several traces; write each to its own file with --all --output-dir DIR");
  Result<std::vector<std::string>> options = command_of(*then, path);
  if (!options) return tl::unexpected(options.error());
  Listed listed = list_options(*request.entry);
  Status usable = check_answer_options(*options, listed.options);
  if (usable) usable = restore_recorded(*options, request);
  if (!usable) return unusable(path, usable.error().what);
  Result<Json> now = make_again(*options, *then, request);
  if (!now)
    return fail(now.error().exit, fmt::format("--verify: {}{}: {}", printable(path),
                                              made_from(*then), now.error().what));
  Renamed renamed(*then, *now);
  renamed.apply(*now);
  // A path may hold what is replaced, such as a user's name.
  if (renamed.any()) (*now)["redactions"] = then->value("redactions", Json());

  Door door(request.redaction, Door::Level::basic, request.max_text);
  std::string name = printable(path);
  std::vector<std::string> lines = differences(*then, *now, door);
  std::string text;
  constexpr size_t kShown = 20;  // of each trace; one cause often changes many fields
  for (size_t i = 0; i < lines.size() && i < kShown; ++i)
    text += fmt::format("{}: {}\n", name, lines[i]);
  if (lines.size() > kShown) text += fmt::format("{}: and {} more\n", name, lines.size() - kShown);
  if (lines.empty())
    text = fmt::format("{}: verified: the inputs reproduce the trace of query {}\n", name,
                       shown((*then)["queryId"], door));
  else
    text += fmt::format("{}: not reproduced from the inputs: {} difference{}\n", name, lines.size(),
                        lines.size() == 1 ? "" : "s");
  return Checked{lines.empty(), std::move(text)};
}

/// The files below a folder, as they are called; a file by itself.
Result<std::vector<std::string>> files_of(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return std::vector{path};
  std::vector<std::string> files;
  fs::recursive_directory_iterator below(path, failed), end;
  for (; !failed && below != end; below.increment(failed))
    if (below->is_regular_file(failed) && below->path().extension() == ".json")
      files.push_back(below->path().string());
  if (failed) return unusable(path, "the folder cannot be read");
  if (files.empty()) return unusable(path, "no trace (*.json) in the folder");
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

namespace {

/// What was found, of traces and their index.
struct Verdict {
  size_t same = 0, others = 0;
  std::string text, refused;
};

/// Each file once, however many of the paths lead to it.
Result<std::vector<std::string>> files_of(const std::vector<std::string>& paths) {
  std::vector<std::string> all;
  std::set<std::filesystem::path> known;
  for (const std::string& path : paths) {
    Result<std::vector<std::string>> files = files_of(path);
    if (!files) return files;
    for (std::string& file : *files)
      if (known.insert(std::filesystem::path(file).lexically_normal()).second)
        all.push_back(std::move(file));
  }
  return all;
}

/// Adds what the index says otherwise than the traces.
Status check_index(const Request& request, const std::vector<std::string>& files,
                   Verdict& verdict) {
  std::vector<std::string> folders;
  std::error_code unknown;
  for (const std::string& path : request.files.verify)
    if (std::filesystem::is_directory(path, unknown)) folders.push_back(path);
  Result<IndexCheck> index = IndexCheck::open(request.files.index, folders);
  if (!index) return fail(index.error().exit, "--index: " + index.error().what);
  Door door(request.redaction, Door::Level::basic, request.max_text);
  auto show = [&](const Json& value) { return shown(value, door); };
  const std::string name = printable(request.files.index);
  size_t differences = 0;
  auto print_lines = [&](const std::vector<std::string>& lines, const std::string& of) {
    differences += lines.size();
    for (const std::string& line : lines) verdict.text += fmt::format("{}: {}{}\n", name, of, line);
  };
  for (const std::string& path : files)
    if (Result<Json> trace = read_trace(path); trace && !trace->contains("traces"))
      print_lines(index->differences(path, *trace, show), printable(path) + ": ");
  print_lines(index->unmatched(show), {});
  verdict.others += differences;
  if (differences == 0)
    verdict.text += fmt::format("{}: verified: it matches the traces\n", name);
  else
    verdict.text += fmt::format("{}: does not match the traces: {} difference{}\n", name,
                                differences, differences == 1 ? "" : "s");
  return {};
}

}  // namespace

Result<Exit> verify(const Request& request) {
  const std::vector<std::string>& paths = request.files.verify;
  Result<std::vector<std::string>> files = files_of(paths);
  if (!files) return tl::unexpected(files.error());
  Verdict verdict;
  for (const std::string& path : *files) {
    Result<Checked> checked = check(path, request);
    // Beside traces there may be anything; of one file by itself that is all there is to say.
    if (!checked && files->size() == 1) return tl::unexpected(checked.error());
    if (!checked) {
      verdict.refused += checked.error().what + '\n';
      continue;
    }
    ++(checked->is_same ? verdict.same : verdict.others);
    verdict.text += checked->text;
  }
  if (files->size() > 1)
    verdict.text += fmt::format("{}: {} of {} files verified\n",
                                paths.size() == 1 ? printable(paths.front()) : "together",
                                verdict.same, files->size());
  if (!request.files.index.empty())
    if (Status held = check_index(request, *files, verdict); !held)
      return tl::unexpected(held.error());
  Status written = print_answer([&](std::ostream& out) { out << verdict.text; });
  if (!written) return tl::unexpected(written.error());
  if (verdict.others > 0) {
    if (!verdict.refused.empty()) fmt::print(stderr, "{}", verdict.refused);
    return Exit::no;
  }
  if (!verdict.refused.empty()) return fail(Exit::input, std::move(verdict.refused));
  return Exit::answered;
}

}  // namespace xtrace
