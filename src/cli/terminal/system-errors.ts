import { FOREIGN_PIPE, FOREIGN_PIPE_REASON } from "../../config/readable-files.ts";
import { codeOf } from "../../contract/error-traces.ts";

/** The reason for a file system error in words, or its code if there are none for it. */
export function reasonOf(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOSPC":
    case "EDQUOT":
      return "there is no room left on the disk";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EROFS":
      return "its file system is read-only";
    case "ENOENT":
      return "there is no such file or directory";
    case "ENOEXEC":
      return "it is not a program for this machine";
    case "ENOTDIR":
      return "a part of its path isn't a directory";
    case "EISDIR":
    case "ERR_FS_EISDIR":
      return "it's a directory";
    case "EEXIST":
      return "it already exists";
    case "ENAMETOOLONG":
      return "its name is too long";
    case "ELOOP":
      return "it's a link";
    case FOREIGN_PIPE:
      return FOREIGN_PIPE_REASON;
    case "ENOLCK":
      return "its file system can't lock files";
    case "ENOTSUP":
    case "EOPNOTSUPP":
      return "its file system can't do that";
    case "E2BIG":
      return "the arguments and variables are larger than this system takes";
    case "ERR_INVALID_ARG_VALUE":
      return "there is a zero byte in an argument or variable";
    default:
      return codeOf(error) ?? "unknown reason";
  }
}
