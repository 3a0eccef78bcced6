import type { IncomingHttpHeaders } from 'node:http';

/** The sub-protocol under which browsers, which cannot set headers on a socket, send a credential: `bearer, <it>`. */
const BEARER_PROTOCOL = 'bearer';
const STREAM_TOKEN = /^st_[A-Za-z0-9_-]+$/;

/** What a socket shows when it opens: a token for one call, or credentials of somebody. */
export type SocketCredential =
  { kind: 'token'; token: string } | { kind: 'principal'; credentials: string[] };

/**
 * The credentials of a request, best first (Interface: Authentication): the bearer token and the API key header.
 * Either one being valid is enough.
 */
export function credentialsOf(headers: IncomingHttpHeaders): string[] {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return [bearer, headers['x-api-key']].filter(
    (credential): credential is string => typeof credential === 'string' && credential !== '',
  );
}

/**
 * What a socket's opening request shows: in the headers of {@link credentialsOf}, as `?token=` or `?api_key=`, or as
 * the sub-protocols `bearer, <credential>`. Null when it shows nothing; a token may still come with its first message.
 */
export function socketCredentialOf(request: {
  headers: IncomingHttpHeaders;
  url?: string | undefined;
}): SocketCredential | null {
  const query = new URLSearchParams(request.url?.replace(/^[^?]*\??/, ''));
  const credentials = [
    ...credentialsOf(request.headers),
    ...query.getAll('token'),
    ...query.getAll('api_key'),
    ...credentialsOfProtocols(request.headers['sec-websocket-protocol']),
  ].filter((credential) => credential !== '');
  const token = credentials.find((credential) => STREAM_TOKEN.test(credential));
  if (token !== undefined) return { kind: 'token', token };
  return credentials.length === 0 ? null : { kind: 'principal', credentials };
}

function credentialsOfProtocols(header = ''): string[] {
  const protocols = header.split(',').map((protocol) => protocol.trim());
  const at = protocols.indexOf(BEARER_PROTOCOL);
  const credential = protocols[at + 1];
  return at === -1 || credential === undefined ? [] : [credential];
}
