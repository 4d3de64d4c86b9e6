#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <set>
#include <span>
#include <string>

#include "base/file.h"
#include "keep/output.h"

namespace xtrace {

/// A folder that holds an answer for each query: `{project}/{query}.json`. Whatever the ids are,
/// and whatever somebody put there before, nothing outside of it is written.
class OutputFolder {
 public:
  using Write = std::function<void(std::ostream&)>;

  /// Makes the folder, and those above it, if need be. The inputs are never replaced.
  static Result<OutputFolder> open(const std::string& path, Readers readers,
                                   std::span<const std::string> inputs);

  /// Writes the answer of one query, whole or not at all, and returns its path from the folder.
  Result<std::string> write(std::string_view project, std::string_view query, const Write& write);

 private:
  /// The names in a folder. Some file systems take names for equal that differ in case, and a
  /// folder may be copied to one: the name that comes second gets a digest.
  class Names {
   public:
    void add(const std::string& name);
    std::string one_for(const std::string& name, const std::string& extension);

   private:
    std::set<std::string> exact_, folded_;
  };
  struct Folder {
    File file;
    Names names;
  };

  OutputFolder(std::string path, Readers readers) : path_(std::move(path)), readers_(readers) {}
  Status read_names(Folder& folder) const;
  Result<Folder*> project_folder(const std::string& project);
  bool is_input(int folder, const std::string& name) const;
  tl::unexpected<Error> cannot_write(const std::string& what, int error) const;

  std::string path_;
  Readers readers_;
  Folder root_;
  std::map<std::string, Folder> projects_;
  std::set<FileId> inputs_;
};

}  // namespace xtrace
