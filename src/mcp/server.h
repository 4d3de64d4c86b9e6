#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "mcp/answer_tool.h"
#include "mcp/line_reader.h"
#include "mcp/message.h"

namespace xtrace::mcp {

/// Answers a call of a tool. Called by one thread at a time.
using AnswerCall =
    std::function<ToolAnswer(const Tool&, const std::vector<GivenArgument>&, const Watch&)>;
/// Sends a line without its newline. Called by several threads.
using SendLine = std::function<void(std::string line)>;

/// The calls of tools that wait for their answers; a thread answers one after the other, if one is
/// to be had.
class ToolCalls {
 public:
  struct Call {
    std::string id, progress_token;  ///< as JSON
    bool is_modern = false;
    const Tool* tool = nullptr;
    std::vector<GivenArgument> arguments;
    std::atomic<bool> is_cancelled{false};
  };

  ToolCalls(SendLine send, AnswerCall answer);
  ~ToolCalls() { finish(); }
  ToolCalls(const ToolCalls&) = delete;
  ToolCalls& operator=(const ToolCalls&) = delete;

  bool has(const std::string& id);
  /// False: there are too many already.
  bool add(std::shared_ptr<Call> call);
  /// Nothing is sent for this call any more. One that is being answered ends after its current
  /// step: reading, linking or answering.
  void cancel(const std::string& id);
  /// Waits until all calls are answered.
  void finish();

 private:
  void run();
  void answer(Call& call);

  SendLine send_;
  AnswerCall answer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::shared_ptr<Call> running_;
  bool is_finished_ = false;
  std::thread thread_;
};

/// The server's side of the Model Context Protocol: revision 2026-07-28, in which each request
/// states its version, and those before it, in which `initialize` does
/// (https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning).
class Server {
 public:
  Server(SendLine send, AnswerCall answer)
      : send_(send), calls_(std::move(send), std::move(answer)) {}

  /// Returns at once; tools answer later.
  void take(const LineReader::Line& line);
  void finish() { calls_.finish(); }

 private:
  void take(const ClientMessage& message);
  void answer_modern(const ClientMessage& message);
  void answer_legacy(const ClientMessage& message);
  void take_batch(std::string_view text);
  void initialize(const ClientMessage& message);
  void call_tool(const ClientMessage& message, bool is_modern);
  void refuse(const ClientMessage& message, Code code, std::string what);

  SendLine send_;
  ToolCalls calls_;
  Parsers parsers_;
  bool is_initialized_ = false;
  bool takes_batches_ = false;  ///< of the revision that the client wants
};

/// Serves until the client closes its end, then answers what it has asked.
Result<Exit> serve(int input, int output, AnswerCall answer);

}  // namespace xtrace::mcp
