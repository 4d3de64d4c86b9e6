#include "mcp/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>

#include "base/one_of.h"
#include "base/system.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "mcp/texts.h"

namespace xtrace::mcp {

namespace {

constexpr std::string_view kModern = "2026-07-28";
/// The newest first, which is offered to clients of unknown revisions.
constexpr std::string_view kLegacy[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

/// The only revision with batches: the one before had none, and the next took them out.
constexpr std::string_view kOfBatches = "2025-03-26";

/// A client asks for some tools at once; a hundred are a mistake in a loop.
constexpr size_t kMostWaiting = 100;

void write_server(JsonWriter& json, std::string_view key) {
  json.open_object(key, JsonLayout::tight());
  json.field("name", "xtrace");
  json.field("title", "xtrace");
  json.field("version", XTRACE_VERSION);
  json.close();
}

/// A reply with what `write` adds to its result.
template <class Write>
std::string result_line(const std::string& id, bool is_modern, Write write) {
  std::string line;
  JsonWriter json(line);
  json.open_object(JsonLayout::tight());
  json.field("jsonrpc", "2.0");
  json.key("id");
  json.raw(id);
  json.open_object("result", JsonLayout::tight());
  if (is_modern) json.field("resultType", "complete");
  write(json);
  if (is_modern) {
    json.open_object("_meta", JsonLayout::tight());
    write_server(json, "io.modelcontextprotocol/serverInfo");
    json.close();
  }
  json.close();
  json.close();
  return line;
}

void write_capabilities(JsonWriter& json) {
  json.open_object("capabilities", JsonLayout::tight());
  json.open_object("tools", JsonLayout::tight());
  json.close();
  json.close();
}

/// A new version of the program may have other tools: clients ask again after an hour.
void write_lifetime(JsonWriter& json) {
  json.field("ttlMs", 3'600'000);
  json.field("cacheScope", "public");
}

std::string tools_line(const std::string& id, bool is_modern) {
  return result_line(id, is_modern, [&](JsonWriter& json) {
    write_tools(json);
    if (is_modern) write_lifetime(json);
  });
}

std::string discovery_line(const std::string& id) {
  return result_line(id, true, [](JsonWriter& json) {
    json.open_list("supportedVersions", JsonLayout::tight());
    json.value(kModern);
    json.close();
    write_capabilities(json);
    json.field("instructions", kInstructions);
    write_lifetime(json);
  });
}

std::string answer_line(const ToolCalls::Call& call, const ToolAnswer& answer) {
  return result_line(call.id, call.is_modern, [&](JsonWriter& json) {
    json.open_list("content", JsonLayout::tight());
    json.open_object(JsonLayout::tight());
    json.field("type", "text");
    json.field("text", answer.text);
    json.close();
    json.close();
    json.field("isError", answer.is_error);
  });
}

std::string progress_line(const std::string& token, int percent, std::string_view doing) {
  std::string line;
  JsonWriter json(line);
  json.open_object(JsonLayout::tight());
  json.field("jsonrpc", "2.0");
  json.field("method", "notifications/progress");
  json.open_object("params", JsonLayout::tight());
  json.key("progressToken");
  json.raw(token);
  json.field("progress", percent);
  json.field("total", 100);
  json.field("message", doing);
  json.close();
  json.close();
  return line;
}

std::string unsupported_line(const ClientMessage& message) {
  const Refusal refusal{
      .id = message.id, .code = Code::unsupported_version, .what = "Unsupported protocol version"};
  return error_line(refusal, [&](JsonWriter& json) {
    json.open_object("data", JsonLayout::tight());
    json.open_list("supported", JsonLayout::tight());
    json.value(kModern);
    json.close();
    json.field("requested", message.version);
    json.close();
  });
}

}  // namespace

ToolCalls::ToolCalls(SendLine send, AnswerCall answer)
    : send_(std::move(send)), answer_(std::move(answer)) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    // No thread is to be had: add() answers each call at once.
  }
}

bool ToolCalls::has(const std::string& id) {
  const std::lock_guard lock(mutex_);
  return (running_ && running_->id == id) ||
         std::ranges::any_of(waiting_, [&](const auto& call) { return call->id == id; });
}

bool ToolCalls::add(std::shared_ptr<Call> call) {
  if (!thread_.joinable()) {
    answer(*call);
    return true;
  }
  {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= kMostWaiting) return false;
    waiting_.push_back(std::move(call));
  }
  changed_.notify_all();
  return true;
}

void ToolCalls::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  if (running_ && running_->id == id) running_->is_cancelled = true;
  std::erase_if(waiting_, [&](const auto& call) { return call->id == id; });
}

void ToolCalls::finish() {
  {
    const std::lock_guard lock(mutex_);
    is_finished_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ToolCalls::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_finished_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    running_ = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    answer(*running_);
    lock.lock();
    running_.reset();
  }
}

void ToolCalls::answer(Call& call) {
  int last = -1;  // progress increases with each notice
  const Watch watch{.report =
                        [&](int percent, std::string_view doing) {
                          if (call.progress_token.empty() || call.is_cancelled || percent <= last)
                            return;
                          last = percent;
                          send_(progress_line(call.progress_token, percent, doing));
                        },
                    .is_cancelled = &call.is_cancelled};
  // Libraries below may throw, and memory may run out: the next question may need less.
  try {
    const ToolAnswer answer = answer_(*call.tool, call.arguments, watch);
    if (!call.is_cancelled) send_(answer_line(call, answer));
  } catch (const std::bad_alloc&) {
    if (!call.is_cancelled)
      send_(answer_line(call, {"out of memory; ask about one session, or a shorter period", true}));
  } catch (const std::exception& error) {
    if (!call.is_cancelled)
      send_(error_line({.id = call.id,
                        .code = Code::internal_error,
                        .what = fmt::format("this is a bug in xtrace: {}", error.what())}));
  }
}

void Server::take(const LineReader::Line& line) {
  if (line.is_too_long)
    return send_(error_line({.code = Code::parse_error,
                             .what = fmt::format("a line has more than {} bytes", kLongestLine)}));
  if (takes_batches_ && trimmed(line.text).starts_with('[')) return take_batch(line.text);
  const tl::expected<ClientMessage, Refusal> message = read_message(line.text, parsers_);
  if (!message) return send_(error_line(message.error()));
  take(*message);
}

/// Each message is answered by itself, when its answer is there: a tool may take its time.
void Server::take_batch(std::string_view text) {
  json::element root;
  if (!parsers_.parse_for_now(text, root))
    return send_(error_line({.code = Code::parse_error, .what = "not valid JSON"}));
  std::vector<std::string> messages;
  json::items(root, [&](json::element one) { messages.push_back(simdjson::minify(one)); });
  if (messages.empty()) return send_(error_line({.what = "the batch is empty"}));
  for (const std::string& one : messages) {
    const tl::expected<ClientMessage, Refusal> message = read_message(one, parsers_);
    if (message)
      take(*message);
    else
      send_(error_line(message.error()));
  }
}

void Server::take(const ClientMessage& message) {
  if (message.method == "notifications/cancelled") return calls_.cancel(message.cancelled);
  if (!message.is_request()) return;  // other notices, and replies to what nobody asked
  return message.version.empty() ? answer_legacy(message) : answer_modern(message);
}

void Server::answer_modern(const ClientMessage& message) {
  if (message.version != kModern) return send_(unsupported_line(message));
  if (!message.states_capabilities)
    return refuse(message, Code::invalid_params,
                  "_meta has no io.modelcontextprotocol/clientCapabilities");
  if (message.method == "server/discover") return send_(discovery_line(message.id));
  if (message.method == "tools/list") return send_(tools_line(message.id, true));
  if (message.method == "tools/call") return call_tool(message, true);
  return refuse(message, Code::method_not_found,
                fmt::format("unknown method '{}'", printable(message.method)));
}

void Server::answer_legacy(const ClientMessage& message) {
  if (message.method == "initialize") return initialize(message);
  if (message.method == "ping") return send_(result_line(message.id, false, [](JsonWriter&) {}));
  const bool is_known = is_one_of(message.method, {"tools/list", "tools/call"});
  if (!is_known && !(message.method == "server/discover" && !is_initialized_))
    return refuse(message, Code::method_not_found,
                  fmt::format("unknown method '{}'", printable(message.method)));
  if (!is_initialized_)
    return refuse(message, Code::invalid_params,
                  "send initialize first, or state io.modelcontextprotocol/protocolVersion in the "
                  "_meta of each request");
  if (message.method == "tools/list") return send_(tools_line(message.id, false));
  call_tool(message, false);
}

void Server::initialize(const ClientMessage& message) {
  if (message.wanted_version.empty())
    return refuse(message, Code::invalid_params, "protocolVersion is missing");
  is_initialized_ = true;
  takes_batches_ = message.wanted_version == kOfBatches;
  const std::string_view version = is_one_of(message.wanted_version, kLegacy)
                                       ? std::string_view(message.wanted_version)
                                       : kLegacy[0];
  send_(result_line(message.id, false, [&](JsonWriter& json) {
    json.field("protocolVersion", version);
    write_capabilities(json);
    write_server(json, "serverInfo");
    json.field("instructions", kInstructions);
  }));
}

void Server::call_tool(const ClientMessage& message, bool is_modern) {
  const Tool* tool = find_tool(message.tool);
  if (tool == nullptr)
    return refuse(message, Code::invalid_params,
                  fmt::format("unknown tool '{}'", printable(message.tool)));
  if (!message.has_object_arguments)
    return refuse(message, Code::invalid_params, "arguments is not an object");
  if (calls_.has(message.id))
    return refuse(message, Code::invalid_request, "a request with this id is not answered yet");
  auto call = std::make_shared<ToolCalls::Call>();
  call->id = message.id;
  call->progress_token = message.progress_token;
  call->is_modern = is_modern;
  call->tool = tool;
  call->arguments = message.arguments;
  if (!calls_.add(std::move(call)))
    refuse(message, Code::internal_error,
           fmt::format("{} calls wait already; wait for their answers", kMostWaiting));
}

void Server::refuse(const ClientMessage& message, Code code, std::string what) {
  send_(error_line({.id = message.id, .code = code, .what = std::move(what)}));
}

Result<Exit> serve(int input, int output, AnswerCall answer) {
  std::mutex mutex;
  std::atomic<int> lost = 0;  // why nobody can be answered any more
  const auto send = [&](std::string line) {
    line += '\n';
    const std::lock_guard lock(mutex);
    if (lost == 0 && !write_all(output, line)) lost = errno;
  };
  Server server(send, std::move(answer));
  LineReader lines(input);
  while (lost == 0) {
    const std::optional<LineReader::Line> line = lines.next();
    if (!line) break;
    server.take(*line);
  }
  server.finish();
  if (lost != 0 && lost != EPIPE)  // a client that goes away is no error
    return fail(Exit::output,
                fmt::format("cannot write to standard output: {}", std::strerror(lost)));
  return Exit::answered;
}

}  // namespace xtrace::mcp
