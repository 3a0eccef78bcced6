// Who is signed in. A key comes from the form, or once from the link that the service prints (`/console#key=…`), out of
// whose address it is taken before anything else happens.
import { signal } from '@preact/signals';
import { send, setSession } from './client.js';
import type { Session } from './contract.js';
import { forgetAll } from './resource.js';

/** undefined until it is known, null when signed out. */
export const session = signal<Session | null | undefined>(undefined);

/** Why the sign-in by a link did not work; empty when there is nothing to say. */
export const signInProblem = signal('');

const ADDRESS = '/console/session';

export async function beginSession(): Promise<void> {
  const key = takeKeyOutOfAddress();
  try {
    if (key !== null) await signIn(key);
    else accept((await send('GET', ADDRESS)) as Session);
  } catch (error) {
    if (key !== null) signInProblem.value = error instanceof Error ? error.message : String(error);
    session.value = null;
  }
}

export async function signIn(key: string): Promise<void> {
  accept((await send('POST', ADDRESS, { key })) as Session);
  signInProblem.value = '';
}

export async function signOut(): Promise<void> {
  await send('DELETE', ADDRESS);
  leave();
}

/** Whether the key of this session may do what needs a scope: `read`, `write` or `admin`. */
export function may(scope: Session['scopes'][number]): boolean {
  const scopes = session.value?.scopes ?? [];
  return scopes.includes(scope) || scopes.includes('admin');
}

function accept(begun: Session): void {
  setSession(begun.csrf_token, leave);
  session.value = begun;
}

function leave(): void {
  forgetAll();
  session.value = null;
}

function takeKeyOutOfAddress(): string | null {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (key === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return key;
}
