#include <fmt/format.h>

#include <algorithm>

#include "base/system.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/question_line.h"
#include "cli/read_options.h"
#include "cli/serve_request.h"
#include "serve/server.h"

namespace xtrace {

namespace {

std::string help_for_serve() {
  return R"(Examples:
  xtrace serve                                a page with all sessions that are running now
  xtrace serve last --open                    the newest session, opened in the browser
  xtrace serve logs/ --port 9000              on a port that a client knows
  xtrace serve run.json --level full          with texts, redacted
  curl -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:9000/dag?format=dot"

Usage: xtrace serve [FILE...] [OPTIONS]

Serves a page that renews itself while the logs grow, the updates of `xtrace follow`, and the answers
of dag, explain, impact, trust, taint, blame, trace, whatif and list. It only reads, listens only on
this machine (127.0.0.1 and ::1), requires the token in the address that it prints, and ends with
the command.

Paths (GET):
  /                         the page
  /events                   the graph and its updates, as Server-Sent Events
  /explain                  the same as a WebSocket: SubscriptionRequest, GraphUpdate
  /explain?node=NAME        why it happened
  /impact?node=NAME         its effects
  /taint, /blame            reused untrusted text; where it first looks odd
  /whatif                   what would have been faster or cheaper
  /dag, /trust              the graph; all hops (?format=json, dot, …)
  /lineage/RUN              spans of a run, or of all; /lineage/RUN/dag, explain, trust
  /v1/queries/ID/trace      audit trace (?format=json|mermaid|…&level=&limit_nodes=); ID/events: steps

Options, in addition to those of `xtrace follow` (filters, privacy, input):
  --port PORT             port (0, the default: one that is free)
  --open                  open the page in the browser
  --level LEVEL           basic (default): names and numbers; full: also text, redacted
  --clearance LABEL       withhold texts with a higher or unknown sensitivity label, or without one
  --max-queued N          updates kept for slow readers and those that come back (100)
  --config FILE           configuration file (default: ~/.config/xtrace/config.json)
  -q, --quiet             print errors only, no warnings
)";
}

/// Options of `follow` that make no sense for a server.
Status check_goes_on(const FollowOptions& options) {
  const std::string_view other = options.until_end               ? "--until-end"
                                 : !options.idle.empty()         ? "--idle"
                                 : !options.resume.empty()       ? "--resume"
                                 : options.view != "explanation" ? "--view trace"
                                                                 : "";
  if (other.empty()) return {};
  return fail(Exit::usage, fmt::format("a server runs until it is interrupted; remove {}", other));
}

/// Replaces `follow`, which reads the options, by the command that the user typed.
std::string named_after_serve(std::string what) {
  constexpr std::string_view kFollow = "xtrace follow --help", kServe = "xtrace serve --help";
  if (const size_t at = what.find(kFollow); at != std::string::npos)
    what.replace(at, kFollow.size(), kServe);
  return what;
}

/// `xtrace serve [FILE...]`
Result<Command> read_serve(const std::vector<std::string>& words) {
  serve::ServeSettings settings;
  OptionList options;
  options.add("--open", settings.opens_page, "");
  const Result<OptionsRead> read = read_options(words, options);
  if (!read) return tl::unexpected(read.error());
  std::vector<std::string> line = {"follow", "--json"};
  line.insert(line.end(), read->rest.begin(), read->rest.end());
  Result<Request> request = read_question(line);
  if (!request) return fail(request.error().exit, named_after_serve(request.error().what));
  if (Status goes_on = check_goes_on(*request->view->follow_options()); !goes_on)
    return tl::unexpected(goes_on.error());
  return Service{[owner = std::make_shared<const Request>(*std::move(request)), settings] {
    if (!owner->quiet)
      for (const std::string& warning : owner->warnings) fmt::print(stderr, "{}\n", warning);
    return serve_request(*owner, settings);
  }};
}

}  // namespace

Result<Exit> serve_request(const Request& owner, const serve::ServeSettings& settings) {
  if (Status goes_on = check_goes_on(*owner.view->follow_options()); !goes_on)
    return tl::unexpected(goes_on.error());
  if (Status grows = check_can_grow(owner); !grows) return tl::unexpected(grows.error());
  return serve::serve(owner, settings, read_question);
}

extern constinit const OtherCommand kServeCommand = {
    .name = "serve",
    .summary = "show logs in the browser as they grow; answer programs",
    .hint = "show logs live in the browser",
    .manual =
        R"(.B serve \fR[\fIFILE ...\fR] [\fB\-\-port \fIPORT\fR] [\fB\-\-open\fR] [\fB\-\-level full\fR] [\fIOPTIONS\fR]
serves the logs, as
.B follow
reads them, on 127.0.0.1 and ::1 until it is interrupted: a page that renews itself, the updates of
.B follow
as Server-Sent Events and as a WebSocket, and the answers of
.BR dag ", " explain ", " trust ", " trace " and " list .
It only reads. Requests need the token in the address that it prints on standard error, as a parameter,
a cookie or a Bearer token; their Host and Origin must be those of the server. Texts are shown only
with
.BR "\-\-level full" .
.B follow \-\-open
does the same and opens the page.
)",
    .run = read_serve,
    .help = help_for_serve,
};

}  // namespace xtrace
