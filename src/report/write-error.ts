/** Messages for files and streams that cannot be written. */
import { WriteError } from "../errors.ts";

/** Reason and advice by code of the operating system. */
export const WRITE_REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: "a part of its path is a file. Choose another place",
  ENOENT: "its folder does not exist and cannot be created. Choose another place",
  EEXIST: "a file with this name exists. Choose another name, or remove it",
  EISDIR: "it is a folder. Give the name of a file",
  EFBIG: "the file would be larger than allowed. Record fewer channels, or choose another place",
  EACCES: "no permission. Choose another place, or change its permissions",
  EPERM: "no permission. Choose another place, or change its permissions",
  EROFS: "the file system is read-only. Choose another place",
  ENOSPC: "the disk is full. Free some space, or choose another place",
  EDQUOT: "the disk quota is used up. Free some space, or choose another place",
  EIO: "the device reports an error. Choose another place",
  ENXIO: "the device is not there. Choose another place",
  EPIPE: "its reader has closed it",
  ENAMETOOLONG: "its name is too long. Choose a shorter one",
  EMFILE: "too many files are open. Close other programs",
};

/** The WriteError for an error of the operating system. `what`: the path, or the name of a stream. */
export function writeErrorOf(what: string, error: unknown): WriteError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new WriteError(`cannot write ${what}: ${WRITE_REASONS[code ?? ""] ?? message}`, { cause: error });
}
