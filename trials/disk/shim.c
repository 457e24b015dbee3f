/*
 * Stands between a program and its files under one folder (LD_PRELOAD), for trials of what a disk may do.
 *
 * SHIM_FOLDER   the folder whose files are watched; indexes of a log (-shm) are not: they are no content.
 * SHIM_CONTROL  a file of int64 fields, shared with the trial: see `field`.
 * SHIM_RECORD   a file that every write, truncation, removal and flush is appended to, if it is set: see `record`.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPERATIONS, FAIL_AT, ERROR, FOR_GOOD, FAILED, FLUSHES_FAILED, FIELDS };
enum { WRITE = 1, TRUNCATE = 2, UNLINK = 3, SYNC_BEGINS = 4, SYNC_ENDS = 5 };

struct record { int32_t kind, fd; int64_t offset, length; int32_t path_length, data_length; };

static const char *folder;
static size_t folder_length;
static volatile int64_t *field;
static int recording = -1;
/* Descriptors that were written to. A flush through any other is one that the program makes beside its engine. */
enum { DESCRIPTORS = 65536 };
static volatile char written_to[DESCRIPTORS];

__attribute__((constructor)) static void start(void) {
  folder = getenv("SHIM_FOLDER");
  folder_length = folder ? strlen(folder) : 0;
  const char *control = getenv("SHIM_CONTROL"), *to = getenv("SHIM_RECORD");
  if (control) {
    int fd = syscall(SYS_openat, AT_FDCWD, control, O_RDWR | O_CLOEXEC, 0);
    if (fd >= 0) field = mmap(0, FIELDS * sizeof(int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  if (to) recording = syscall(SYS_openat, AT_FDCWD, to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int is_watched(const char *path) {
  if (!folder || strncmp(path, folder, folder_length) != 0) return 0;
  size_t length = strlen(path);
  return length < 4 || strcmp(path + length - 4, "-shm") != 0;
}

static const char *path_of(int fd, char *path, size_t size) {
  char link[40];
  if (!folder) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, size - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_watched(path) ? path : 0;
}

/* One append for each record, so that those of several threads stay whole and in order. */
static void record(int kind, int fd, const char *path, int64_t offset, int64_t length, const void *data, size_t size) {
  if (recording < 0) return;
  struct record head = { kind, fd, offset, length, (int32_t)strlen(path), (int32_t)size };
  struct iovec parts[3] = { { &head, sizeof head }, { (void *)path, strlen(path) }, { (void *)data, size } };
  syscall(SYS_writev, recording, parts, 3);
}

/* Counts an operation; true, with errno set, if it is to fail. */
static int fails(void) {
  if (!field) return 0;
  int64_t number = __sync_add_and_fetch(&field[OPERATIONS], 1), at = field[FAIL_AT];
  if (at == 0 || (field[FOR_GOOD] ? number < at : number != at)) return 0;
  __sync_add_and_fetch(&field[FAILED], 1);
  errno = (int)field[ERROR];
  return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
  char path[4096];
  const char *watched = path_of(fd, path, sizeof path);
  if (watched && fd < DESCRIPTORS) written_to[fd] = 1;
  if (watched && fails()) return -1;
  ssize_t written = REAL(pwrite64)(fd, data, size, offset);
  if (watched && written > 0) record(WRITE, fd, watched, offset, written, data, written);
  return written;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) { return pwrite64(fd, data, size, offset); }

ssize_t write(int fd, const void *data, size_t size) {
  char path[4096];
  const char *watched = path_of(fd, path, sizeof path);
  if (watched && fd < DESCRIPTORS) written_to[fd] = 1;
  if (watched && fails()) return -1;
  off_t offset = watched ? lseek(fd, 0, SEEK_CUR) : 0;
  ssize_t written = REAL(write)(fd, data, size);
  if (watched && written > 0) record(WRITE, fd, watched, offset, written, data, written);
  return written;
}

int ftruncate64(int fd, off64_t length) {
  char path[4096];
  const char *watched = path_of(fd, path, sizeof path);
  if (watched && fails()) return -1;
  int result = REAL(ftruncate64)(fd, length);
  if (watched && result == 0) record(TRUNCATE, fd, watched, 0, length, "", 0);
  return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int unlink(const char *path) {
  int result = REAL(unlink)(path);
  if (result == 0 && is_watched(path)) record(UNLINK, -1, path, 0, 0, "", 0);
  return result;
}

static int flush(int fd, int (*real)(int)) {
  char path[4096];
  const char *watched = path_of(fd, path, sizeof path);
  if (watched && fails()) {
    if (fd < DESCRIPTORS && !written_to[fd]) __sync_add_and_fetch(&field[FLUSHES_FAILED], 1);
    return -1;
  }
  if (watched) record(SYNC_BEGINS, fd, watched, 0, 0, "", 0);
  int result = real(fd);
  if (watched && result == 0) record(SYNC_ENDS, fd, watched, 0, 0, "", 0);
  return result;
}

int fdatasync(int fd) { return flush(fd, REAL(fdatasync)); }

int fsync(int fd) { return flush(fd, REAL(fsync)); }

int close(int fd) {
  if (fd >= 0 && fd < DESCRIPTORS) written_to[fd] = 0;
  return REAL(close)(fd);
}
