/** Why the service cannot start, in one line for whoever starts it. */
export function startFailure(error: unknown, port: number): string {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  // Folders and files may be taken or forbidden too: only a port is listened on.
  if (syscall !== 'listen') return message;
  if (code === 'EADDRINUSE') return `port ${port} is taken. Set PORT to another one.`;
  if (code === 'EACCES') return `port ${port} is not allowed to this user. Set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${message}. Set HOST to an address of this machine.`;
  return message;
}
