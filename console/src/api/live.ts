// The stream of what happens now (`GET /api/live`). Pages listen to events; what they have read is read again when an
// event concerns it. Where the stream is not to be had, pages poll instead.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { LiveEvents } from './contract.js';
import { invalidate } from './resource.js';

type EventName = keyof LiveEvents;

/** Whether the stream is open; pages that show what changes poll while it is not. */
export const isLive = signal(false);

const NAMES: EventName[] = [
  'call.state',
  'call.transcript',
  'call.partial',
  'call.step',
  'call.tool',
  'call.mode',
  'call.transfer',
  'batch.progress',
  'delivery',
  'sync',
];

const POLL_MS = 2_000;
const RETRY_MS = 15_000;
/** Events come in bursts: one reading for all of them. Many open pages do not read at the same moment. */
const GATHER_MS = 400;
const SPREAD_MS = 800;

const listeners = new Map<EventName, Set<(event: never) => void>>();
const concerned = new Set<string>();
let gathering: ReturnType<typeof setTimeout> | undefined;

/** Opens the stream; the result closes it. */
export function openLive(): () => void {
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const open = (): void => {
    source = new EventSource('/api/live');
    source.addEventListener('open', () => (isLive.value = true));
    source.addEventListener('error', () => {
      isLive.value = false;
      // The browser tries again by itself unless the answer was none that it can use.
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS);
    });
    for (const name of NAMES)
      source.addEventListener(name, (message) => receive(name, message.data as string));
  };
  open();
  return () => {
    clearTimeout(retry);
    source?.close();
    isLive.value = false;
  };
}

function receive(name: EventName, text: string): void {
  const event = JSON.parse(text === '' ? '{}' : text) as never;
  for (const listener of listeners.get(name) ?? []) listener(event);
  for (const prefix of concernedBy(name, event)) concerned.add(prefix);
  if (concerned.size > 0) gathering ??= setTimeout(readAgain, GATHER_MS + Math.random() * SPREAD_MS);
}

function readAgain(): void {
  gathering = undefined;
  const prefixes = [...concerned];
  concerned.clear();
  invalidate(...prefixes);
}

function concernedBy(name: EventName, event: Partial<LiveEvents['call.state' | 'batch.progress']>): string[] {
  const callId = 'call_id' in event ? String(event.call_id) : '';
  switch (name) {
    case 'call.state':
      return [`/api/calls/${callId}`, '/api/calls?', '/api/overview', '/api/scheduled-calls'];
    case 'call.transcript':
    case 'call.tool':
      return [`/api/calls/${callId}/transcript`, `/api/calls/${callId}/turns`];
    case 'batch.progress':
      return ['/api/batches'];
    case 'delivery':
      return ['/v1/webhooks'];
    case 'sync':
      return ['/'];
    case 'call.partial':
    case 'call.step':
    case 'call.mode':
      return [];
    case 'call.transfer':
      return ['/api/calls?', `/api/calls/${callId}`];
  }
}

/** Calls `listener` for each event of this name as long as the component is shown. */
export function useLive<N extends EventName>(name: N, listener: (event: LiveEvents[N]) => void): void {
  useEffect(() => {
    const all = listeners.get(name) ?? new Set();
    listeners.set(name, all);
    all.add(listener);
    return () => void all.delete(listener);
  }, [name, listener]);
}

/** How often what changes is read again: seldom while the stream says when. */
export function useRefresh(isChanging = true): number {
  if (!isChanging) return 0;
  return isLive.value ? RETRY_MS : POLL_MS;
}
