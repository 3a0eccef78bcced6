// What the pages read, kept by its address: a page that is opened again shows what it knew at once and looks for news
// meanwhile; what the live stream says makes the addresses concerned be read again.
import { useCallback, useEffect, useState } from 'preact/hooks';
import {
  addressOf,
  RequestFailed,
  send,
  type Operation,
  type RequestOptions,
  type Response,
} from './client.js';

interface Entry {
  data: unknown;
  problem: RequestFailed | null;
  isLoading: boolean;
  /** Something changed since the request that is under way was sent. */
  isStale: boolean;
  readers: Set<() => void>;
}

export interface Resource<T> {
  data: T | undefined;
  problem: RequestFailed | null;
  isLoading: boolean;
  reload(): void;
}

const entries = new Map<string, Entry>();

/** Addresses that no page shows are forgotten beyond this number. */
const KEPT_ENTRIES = 200;

function entryOf(address: string): Entry {
  let entry = entries.get(address);
  if (entry === undefined) {
    forgetOldest();
    entry = { data: undefined, problem: null, isLoading: false, isStale: false, readers: new Set() };
    entries.set(address, entry);
  }
  return entry;
}

function forgetOldest(): void {
  if (entries.size < KEPT_ENTRIES) return;
  for (const [address, { readers }] of entries) if (readers.size === 0) entries.delete(address);
}

async function load(address: string): Promise<void> {
  const entry = entryOf(address);
  if (entry.isLoading) {
    entry.isStale = true;
    return;
  }
  entry.isLoading = true;
  try {
    entry.data = await send('GET', address);
    entry.problem = null;
  } catch (error) {
    entry.problem = error instanceof RequestFailed ? error : new RequestFailed(0, 'unknown', String(error));
  }
  entry.isLoading = false;
  for (const notify of entry.readers) notify();
  if (entry.isStale) {
    entry.isStale = false;
    await load(address);
  }
}

/** Has every shown address that begins like this read again, and what is not shown forgotten. */
export function invalidate(...prefixes: string[]): void {
  for (const [address, entry] of entries) {
    if (!prefixes.some((prefix) => address.startsWith(prefix))) continue;
    if (entry.readers.size > 0) void load(address);
    else entries.delete(address);
  }
}

/** Forgets everything, as another person may sign in. */
export function forgetAll(): void {
  entries.clear();
}

/**
 * Reads an address and keeps the component up to date with it.
 * @param address null reads nothing
 * @param refreshMs how often it is read again by itself; 0 for never
 */
export function useAddress<T>(address: string | null, refreshMs = 0): Resource<T> {
  const [, render] = useState(0);
  useEffect(() => {
    if (address === null) return undefined;
    const notify = (): void => render((count) => count + 1);
    const entry = entryOf(address);
    entry.readers.add(notify);
    void load(address);
    return () => void entry.readers.delete(notify);
  }, [address]);
  useEffect(() => {
    if (address === null || refreshMs <= 0) return undefined;
    const timer = setInterval(() => void load(address), refreshMs);
    return () => clearInterval(timer);
  }, [address, refreshMs]);
  const reload = useCallback(() => {
    if (address !== null) void load(address);
  }, [address]);
  const entry = address === null ? undefined : entries.get(address);
  return {
    data: entry?.data as T | undefined,
    problem: entry?.problem ?? null,
    isLoading: address !== null && entry?.data === undefined && !entry?.problem,
    reload,
  };
}

/** {@link useAddress} of an operation that the OpenAPI document describes. */
export function useOperation<O extends Operation & `GET ${string}`>(
  operation: O | null,
  options: RequestOptions<O> = {},
  refreshMs = 0,
): Resource<Response<O>> {
  return useAddress(operation === null ? null : addressOf(operation, options), refreshMs);
}
