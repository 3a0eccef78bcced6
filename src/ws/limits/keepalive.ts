import type { Clock } from '#kernel/time/clock.js';

const BEAT_MS = 10_000;
/** Three intervals: a peer that is silent for 30 s and does not answer a ping is gone. */
const SILENT_BEATS = 3;

/** A peer that can be pinged. */
export interface PingablePeer {
  /** Sends a ping. */
  ping(): void;
  /** Called after 30 s without a sign of life. */
  lost(): void;
}

/** Finds sockets whose peer vanished without closing (half-open connections), with one timer for all. */
export interface Keepalive {
  watch(peer: PingablePeer): Watched;
}

/** One watched socket. */
export interface Watched {
  /** Records a sign of life. Called for every message, so it must be cheap. */
  alive(): void;
  leave(): void;
}

/** The timer runs only while sockets are watched. */
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
