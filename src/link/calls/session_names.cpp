#include "link/calls/session_names.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <unordered_map>

namespace xtrace {

namespace {

using Kind = SessionNote::Kind;

/// Which sessions a note may be about.
class NotedSessions {
 public:
  NotedSessions(const Trace& trace, const Sessions& sessions) {
    for (size_t i = 0; i < trace.calls.size(); ++i) {
      const Call& call = trace.calls[i];
      if (call.session) by_id_[call.session.index].insert(sessions.of[i]);
      by_file_[call.source.file].insert(sessions.of[i]);
    }
  }

  const std::set<uint32_t>& of(const SessionNote& note) const {
    static const std::set<uint32_t> kNone;
    const auto& known = note.session ? by_id_ : by_file_;
    auto found = known.find(note.session ? note.session.index : note.source.file);
    return found == known.end() ? kNone : found->second;
  }

 private:
  std::unordered_map<uint32_t, std::set<uint32_t>> by_id_, by_file_;
};

}  // namespace

void name_sessions(const Trace& trace, Sessions& sessions) {
  if (trace.session_notes.empty()) return;
  const NotedSessions noted(trace, sessions);
  std::vector<Kind> named(sessions.all.size(), Kind::project);
  for (const SessionNote& note : trace.session_notes)
    for (uint32_t i : noted.of(note)) {
      Session& session = sessions.all[i];
      if (note.kind == Kind::project) {
        if (!session.project) session.project = note.text;
      } else if (note.kind >= named[i]) {
        session.title = note.text;
        named[i] = note.kind;
      }
    }
}

std::string_view source_of(const Trace& trace, const Extent& record) {
  return record.file < trace.sources.size() ? trace.sources[record.file].format
                                            : std::string_view();
}

std::string_view source_of(const Trace& trace, const Session& session) {
  if (session.calls.empty()) return {};
  const auto transcribed =
      std::ranges::find_if(session.calls, [&](CallId id) { return trace[id].in_transcript; });
  return source_of(
      trace,
      trace[transcribed != session.calls.end() ? *transcribed : session.calls.front()].source);
}

std::string_view last_folder(std::string_view folder) {
  const size_t last = folder.find_last_not_of("/\\");
  folder = folder.substr(0, last == std::string_view::npos ? 0 : last + 1);
  const size_t cut = folder.find_last_of("/\\");
  return cut == std::string_view::npos ? folder : folder.substr(cut + 1);
}

std::vector<uint32_t> newest_first(const std::vector<Session>& sessions) {
  std::vector<uint32_t> order(sessions.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    const Session &x = sessions[a], &y = sessions[b];
    return std::tuple(x.end, x.start, x.number) > std::tuple(y.end, y.start, y.number);
  });
  return order;
}

}  // namespace xtrace
