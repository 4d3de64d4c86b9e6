#pragma once

#include <functional>

#include "view/common/field.h"
#include "view/hops/hop_scene.h"

namespace xtrace {

/// Puts the answer about one run into a document. Returns what it says but for ids, places and
/// times, so that equal answers may be shown as one; empty: it stands for itself.
using AddRun =
    std::function<std::string(const HopScene& scene, const Run& run, Document& document)>;

/// Answers a question about each run by itself: runs never mix. Runs of which nothing is shown, or
/// no call where others have some, are left out. One answer stands flat, several stand in `runs`.
/// As text or a picture, one of several runs with equal answers stands for all, and of many
/// different ones the first are shown and the others counted, unless `unfold`.
Document answer_by_run(std::string_view view, std::string_view schema,
                       const std::shared_ptr<const HopScene>& scene, bool unfold,
                       const AddRun& add);

/// More runs than this are more than anyone reads.
inline constexpr size_t kRunsShown = 20;
/// What is said of those that are not shown.
Text more_runs(const HopScene& scene, size_t left_out);

/// The shape of several answers.
Shape shape_of_runs();

/// What every answer about a run begins with.
std::span<const Column> run_columns();
Record run_record(const HopScene& scene, const Run& run, CellArena& arena);
/// Of model calls: a session has one user at most.
Record run_record(const HopScene& scene, const Run& run);
/// Of what has no principal.
Record run_record(Text id);

/// The title of a drawing of a run; none where the input holds no other run.
Text run_title(const HopScene& scene, const Run& run);
/// What tells the actors of a run from those of another, in whichever log: its id, and when it
/// began, for logs number their sessions alike. `about`: what the drawing is of beside the run.
Text run_scope(const HopScene& scene, const Run& run, Text about = {});
/// `user:ada`, `user:ada and user:bob`; empty: it is not on record.
std::string on_behalf_of(const HopScene& scene, const Run& run);
/// `run r1, on behalf of user:ada`
std::string run_heading(const HopScene& scene, const Run& run);

/// The names of a chain of actors.
Texts names_of(const HopScene& scene, std::span<const ActorId> actors);

}  // namespace xtrace
