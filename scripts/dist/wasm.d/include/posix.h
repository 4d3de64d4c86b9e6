/* What libc++ and SQLite ask for and wasi-libc leaves out, because WASI has none of it; posix.c defines
   it. Included first in the sources of libraries, never in those of the program. */
#ifndef XTRACE_POSIX_H
#define XTRACE_POSIX_H

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* No folder of WASI has entries of these kinds, which need numbers of their own all the same. */
#ifndef DT_SOCK
#define DT_SOCK 200
#endif
#ifndef DT_FIFO
#define DT_FIFO 201
#endif

/* SQLite's own locks of files are switched off (SQLITE_DEFAULT_UNIX_VFS), but compiled. */
#ifndef F_RDLCK
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define F_GETLK 5
#define F_SETLK 6
#endif

#ifdef __cplusplus
extern "C" {
#endif
int fchown(int file, uid_t owner, gid_t group);
uid_t geteuid(void);
pid_t getpid(void);
int dup(int file);
mode_t umask(mode_t mask);
int chmod(const char* path, mode_t mode);
int mkstemp(char* path);
int fchmod(int file, mode_t mode);
int fchmodat(int folder, const char* path, mode_t mode, int flags);
char* realpath(const char* path, char* resolved);
#ifdef __cplusplus
}
#endif

#endif
