#include "keep/output_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/file.h"
#include "base/text.h"
#include "keep/safe_name.h"

namespace xtrace {

namespace {

constexpr const char* kExtension = ".json";

/// Safe names with other letters than ASCII's have a digest anyway.
std::string folded(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return name;
}

}  // namespace

void OutputFolder::Names::add(const std::string& name) {
  exact_.insert(name);
  folded_.insert(folded(name));
}

std::string OutputFolder::Names::one_for(const std::string& name, const std::string& extension) {
  std::string wanted = name + extension;
  bool taken = !exact_.contains(wanted) && folded_.contains(folded(wanted));
  if (taken) wanted = name_with_digest(name, name) + extension;
  add(wanted);
  return wanted;
}

Result<OutputFolder> OutputFolder::open(const std::string& path, Readers readers,
                                        std::span<const std::string> inputs) {
  OutputFolder folder(path, readers);
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error)
    return fail(Exit::output, fmt::format("cannot create the folder '{}': {}", printable(path),
                                          std::strerror(error.value())));
  folder.root_.file = open_file(path, Access::list);
  if (!folder.root_.file.is_open()) return folder.cannot_write("", errno);
  if (Status read = folder.read_names(folder.root_); !read) return tl::unexpected(read.error());
  for (const std::string& input : inputs)
    if (const std::optional<FileStatus> status = file_status(input))
      folder.inputs_.insert(status->id);
  return folder;
}

Status OutputFolder::read_names(Folder& folder) const {
  const std::optional<std::vector<std::string>> names = list_folder(folder.file.fd());
  if (!names) return cannot_write("", errno);
  for (const std::string& name : *names) folder.names.add(name);
  return {};
}

Result<OutputFolder::Folder*> OutputFolder::project_folder(const std::string& project) {
  std::map<std::string, Folder>::iterator known = projects_.find(project);
  if (known != projects_.end()) return &known->second;
  int root = root_.file.fd();
  if (!make_folder(root, project)) return cannot_write(project, errno);
  // A link would lead the answers to wherever somebody wants to have them.
  Folder folder{open_folder(root, project), {}};
  if (!folder.file.is_open()) {
    const int error = errno;
    const std::optional<FileStatus> status = entry_status(root, project);
    if (!status || !status->is_link()) return cannot_write(project, error);
    return fail(
        Exit::output,
        fmt::format(
            "'{}/{}' is a link that leads outside the folder; remove it, or use another folder",
            printable(path_), project));
  }
  if (Status read = read_names(folder); !read) return tl::unexpected(read.error());
  constexpr size_t kOpen = 100;  // a process may have a thousand files open
  if (projects_.size() >= kOpen) projects_.clear();
  return &projects_.emplace(project, std::move(folder)).first->second;
}

bool OutputFolder::is_input(int folder, const std::string& name) const {
  const std::optional<FileStatus> status = entry_status(folder, name);
  return status && inputs_.contains(status->id);
}

Result<std::string> OutputFolder::write(std::string_view project, std::string_view query,
                                        const Write& write) {
  std::string name = root_.names.one_for(safe_file_name(project), "");
  Result<Folder*> folder = project_folder(name);
  if (!folder) return tl::unexpected(folder.error());
  std::string file = (*folder)->names.one_for(safe_file_name(query), kExtension);
  std::string path = fmt::format("{}/{}", name, file);
  int fd = (*folder)->file.fd();
  if (is_input(fd, file))
    return fail(Exit::output,
                fmt::format("'{}/{}' is also read by this command; use another folder",
                            printable(path_), path));
  if (int error = write_whole(fd, file, readers_, write); error != 0)
    return cannot_write(path, error);
  return path;
}

tl::unexpected<Error> OutputFolder::cannot_write(const std::string& what, int error) const {
  return xtrace::cannot_write(what.empty() ? path_ : path_ + '/' + what, error);
}

}  // namespace xtrace
