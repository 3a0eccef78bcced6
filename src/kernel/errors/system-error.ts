/** Error codes of the operating system, explained for operators. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  ENOTDIR: 'a file stands where a folder should be',
  EEXIST: 'a file stands where a folder should be',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EROFS: 'the disk can only be read',
};

/**
 * Describes an error of the operating system for the operator: what it is about (a file, folder, port or address), and
 * the cause: `/data: the disk is full`. Used at the start of the service, by the command line, and for errors of `.env`
 * and of SQLite files. For any other error, returns its message.
 * @param portName the setting or option that chooses the port, for the advice
 */
export function describeSystemError(error: unknown, portName = 'PORT'): string {
  const { code = '', syscall, message, path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  // A HOST that is an unknown name fails with ENOTFOUND when it is looked up, before `listen`.
  if (syscall === 'listen' || code === 'ENOTFOUND')
    return describeListenError(error as ListenError, portName);
  const reason = REASONS[code];
  // A failed rename or copy names its destination in `dest`: that file or folder is usually the cause.
  return path === undefined || reason === undefined ? message : `${dest ?? path}: ${reason}`;
}

type ListenError = NodeJS.ErrnoException & { port?: number };

/** The reason why a port cannot be opened, with the setting that helps. */
function describeListenError({ code, message, port }: ListenError, portName: string): string {
  if (code === 'EADDRINUSE') return `port ${port} is taken. Set ${portName} to another one.`;
  if (code === 'EACCES')
    return `port ${port} is not allowed to this user. Set ${portName} to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${message}. Set HOST to an address of this machine.`;
  return message;
}
