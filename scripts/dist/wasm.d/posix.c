/* Functions of POSIX that libraries call and wasi-libc has not. */
#include "include/posix.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* WASI knows no permissions: the host decides who may read what. */
int fchmod(int file, mode_t mode) {
  (void)file;
  (void)mode;
  errno = ENOSYS;
  return -1;
}

int fchmodat(int folder, const char* path, mode_t mode, int flags) {
  (void)folder;
  (void)path;
  (void)mode;
  (void)flags;
  errno = ENOSYS;
  return -1;
}

int fchown(int file, uid_t owner, gid_t group) {
  (void)file;
  (void)owner;
  (void)group;
  errno = ENOSYS;
  return -1;
}

/* Anybody but the superuser, whom SQLite would give files to others for. */
uid_t geteuid(void) { return 1; }

/* One process, as far as it can see. */
pid_t getpid(void) { return 1; }

/* Writing of archives, which is compiled with their reading. */
int dup(int file) {
  (void)file;
  errno = ENOSYS;
  return -1;
}

mode_t umask(mode_t mask) { return mask; }

int chmod(const char* path, mode_t mode) { return fchmodat(0, path, mode, 0); }

int mkstemp(char* path) {
  (void)path;
  errno = ENOSYS;
  return -1;
}

/* A file without a name cannot be made here; callers take another way. */
FILE* tmpfile(void) {
  errno = ENOSYS;
  return NULL;
}

/* Destructors of thread-local values run at the end of the only thread, that of the process. */
int __cxa_atexit(void (*destroy)(void*), void* object, void* module);
int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* module) {
  return __cxa_atexit(destroy, object, module);
}

/* Puts `more`, which may begin at the root, before what is left of a path. */
static bool prepend(char* left, const char* more) {
  const size_t added = strlen(more), had = strlen(left);
  if (added + 1 + had >= PATH_MAX) return false;
  memmove(left + added + 1, left, had + 1);
  memcpy(left, more, added);
  left[added] = '/';
  return true;
}

static bool resolve(char* left, char* done) {
  enum { kMostLinks = 40 }; /* as on Linux */
  int links = 0;
  size_t length = 0; /* of `done`, which is empty for the root */
  done[0] = 0;
  while (*left != 0) {
    char part[NAME_MAX + 1], target[PATH_MAX];
    const size_t size = strcspn(left, "/");
    if (size > NAME_MAX) return errno = ENAMETOOLONG, false;
    memcpy(part, left, size);
    part[size] = 0;
    memmove(left, left + size + (left[size] == '/'), strlen(left + size + (left[size] == '/')) + 1);
    if (size == 0 || strcmp(part, ".") == 0) continue;
    if (strcmp(part, "..") == 0) {
      while (length > 0 && done[--length] != '/') {
      }
      done[length] = 0;
      continue;
    }
    if (length + 1 + size >= PATH_MAX) return errno = ENAMETOOLONG, false;
    const size_t before = length;
    done[length] = '/';
    memcpy(done + length + 1, part, size + 1);
    length += 1 + size;
    struct stat found;
    if (lstat(done, &found) != 0) return false;
    if (!S_ISLNK(found.st_mode)) {
      if (*left != 0 && !S_ISDIR(found.st_mode)) return errno = ENOTDIR, false;
      continue;
    }
    const ssize_t count = readlink(done, target, sizeof target - 1);
    if (count < 0) return false;
    target[count] = 0;
    if (++links > kMostLinks) return errno = ELOOP, false;
    length = target[0] == '/' ? 0 : before;
    done[length] = 0;
    if (!prepend(left, target)) return errno = ENAMETOOLONG, false;
  }
  if (length == 0) strcpy(done, "/");
  return true;
}

char* realpath(const char* path, char* resolved) {
  char left[PATH_MAX], done[PATH_MAX];
  if (path == NULL || *path == 0) {
    errno = path == NULL ? EINVAL : ENOENT;
    return NULL;
  }
  left[0] = 0;
  if (strlen(path) >= PATH_MAX) return errno = ENAMETOOLONG, NULL;
  strcpy(left, path);
  if (*path != '/') {
    char folder[PATH_MAX];
    if (getcwd(folder, sizeof folder) == NULL) return NULL;
    if (!prepend(left, folder)) return errno = ENAMETOOLONG, NULL;
  }
  if (!resolve(left, done)) return NULL;
  return resolved == NULL ? strdup(done) : strcpy(resolved, done);
}
