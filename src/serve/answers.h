#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "run/linked_runs.h"
#include "run/request.h"
#include "serve/feed.h"
#include "serve/message.h"
#include "serve/routes.h"

namespace xtrace::serve {

/// Makes the request that a command line makes: the name of a view, then its options and inputs.
using MakeRequest = std::function<Result<Request>(const std::vector<std::string>& words)>;

/// Answers as the commands do, about what the feed has read.
class Answers {
 public:
  /// `owner` is the request of the command that serves: what is hidden and how logs are read is as
  /// it says. It and `feed` must live as long.
  Answers(const Request& owner, const Feed& feed, MakeRequest make_request)
      : owner_(owner), feed_(feed), make_request_(std::move(make_request)) {}

  /// The text that the command writes.
  Answered<SharedText> answer(const Asked& asked);
  /// The steps of a query, each as JSON on one line.
  Answered<std::vector<std::string>> steps(const Asked& asked);

 private:
  /// The log of one moment, linked. Views that need more of the records have one of their own.
  struct Reading {
    uint64_t version = 0;
    bool rereads = false, digests = false;
    std::shared_ptr<const LinkedRuns> runs;
  };
  struct Kept {
    uint64_t version = 0;
    std::vector<std::string> words;
    SharedText text;
  };

  Answered<Request> request_for(const Asked& asked) const;
  Answered<std::shared_ptr<const LinkedRuns>> read(const LoadOptions& loading);
  /// Passes on the answer about the log as it is now, also as tables alone.
  Answered<void> ask(const Asked& asked, bool as_tables,
                     const std::function<void(const Request&, const Document&)>& write);

  const Request& owner_;
  const Feed& feed_;
  MakeRequest make_request_;
  std::deque<Reading> readings_;
  std::deque<Kept> kept_;  ///< the latest last
};

}  // namespace xtrace::serve
