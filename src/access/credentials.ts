import type { IncomingHttpHeaders } from 'node:http';

/* Finds the credentials in HTTP requests and socket openings. The authenticator checks whether they are valid. */

/** Browsers cannot set headers on a WebSocket: they send a credential as sub-protocols, `bearer, <credential>`. */
const BEARER_PROTOCOL = 'bearer';
/** The form of a stream token, which opens the audio socket for one call. */
const STREAM_TOKEN = /^st_[A-Za-z0-9_-]+$/;

/** The credential of a socket: a stream token for one call, or credentials of a principal. */
export type SocketCredential =
  { kind: 'token'; token: string } | { kind: 'principal'; credentials: string[] };

/** The credentials of a request, in the order in which they are tried: bearer token, `x-api-key`. */
export function credentialsOf(headers: IncomingHttpHeaders): string[] {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  return [bearer, headers['x-api-key']].filter(
    (credential): credential is string => typeof credential === 'string' && credential !== '',
  );
}

/**
 * The credential in the opening request of a socket: in the headers of {@link credentialsOf}, in `?token=` or
 * `?api_key=`, or in the sub-protocols `bearer, <credential>`. If one of them is a stream token, the others are
 * ignored. Null without a credential: a token may still arrive in the first message.
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

/** The credential after `bearer` in the list of sub-protocols. */
function credentialsOfProtocols(header = ''): string[] {
  const protocols = header.split(',').map((protocol) => protocol.trim());
  const at = protocols.indexOf(BEARER_PROTOCOL);
  const credential = protocols[at + 1];
  return at === -1 || credential === undefined ? [] : [credential];
}
