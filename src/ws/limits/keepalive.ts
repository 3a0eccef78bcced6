import type { Clock } from '#kernel/time/clock.js';

const BEAT_MS = 10_000;
/** Three beats: a peer that was silent for 30 s, and did not even answer a ping, is gone. */
const SILENT_BEATS = 3;

/** A peer that can be asked for a sign of life. */
export interface PingablePeer {
  /** Asks for a sign of life. */
  ping(): void;
  /** No sign of life for 30 s. */
  lost(): void;
}

/** Finds sockets whose peer vanished without a word (half-open connections): one timer for all of them. */
export interface Keepalive {
  watch(peer: PingablePeer): Watched;
}

/** One socket under watch. */
export interface Watched {
  /** The peer gave a sign of life, whatever it was. Called for every message, so it does next to nothing. */
  alive(): void;
  leave(): void;
}

/** A keepalive whose timer runs only while somebody is watched. */
export function createKeepalive(clock: Clock): Keepalive {
  const members = new Set<{ peer: PingablePeer; silentBeats: number }>();
  let cancel: (() => void) | null = null;
  const beat = () => {
    cancel = clock.after(BEAT_MS, beat);
    for (const member of members) {
      if (++member.silentBeats >= SILENT_BEATS) member.peer.lost();
      else member.peer.ping();
    }
  };
  return {
    watch(peer) {
      const member = { peer, silentBeats: 0 };
      members.add(member);
      cancel ??= clock.after(BEAT_MS, beat);
      return {
        alive() {
          member.silentBeats = 0;
        },
        leave() {
          members.delete(member);
          if (members.size > 0) return;
          cancel?.();
          cancel = null;
        },
      };
    },
  };
}
