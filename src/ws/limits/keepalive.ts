import type { Clock } from '#kernel/time/clock.js';

/** Interval of the pings. */
const INTERVAL_MS = 10_000;
/** A peer that sends nothing during three checks, and answers no ping, is gone. The first check may come at once. */
const LOST_AFTER_INTERVALS = 3;

/** A peer that can be pinged. */
export interface PingablePeer {
  /** Sends a ping. */
  ping(): void;
  /** Called after 20 to 30 s without a sign of life, and again every 10 s until the peer is no longer watched. */
  lost(): void;
}

/**
 * Finds audio sockets whose peer has vanished without closing (half-open connections), with one timer for all sockets.
 * Each `AudioSocket` joins it.
 */
export interface Keepalive {
  /** Watches a socket until `leave`. */
  watch(peer: PingablePeer): WatchedPeer;
}

/** One watched socket. */
export interface WatchedPeer {
  /** Records a sign of life. Called for every message, so it must be cheap. */
  alive(): void;
  /** Ends the watching, because the socket is closed. */
  leave(): void;
}

/** Creates the keepalive of all audio sockets. The timer runs only while sockets are watched. */
export function createKeepalive(clock: Clock): Keepalive {
  const members = new Set<{ peer: PingablePeer; silentIntervals: number }>();
  let cancel: (() => void) | null = null;
  const checkMembers = () => {
    cancel = clock.after(INTERVAL_MS, checkMembers);
    for (const member of members) {
      if (++member.silentIntervals >= LOST_AFTER_INTERVALS) member.peer.lost();
      else member.peer.ping();
    }
  };
  return {
    watch(peer) {
      const member = { peer, silentIntervals: 0 };
      members.add(member);
      cancel ??= clock.after(INTERVAL_MS, checkMembers);
      return {
        alive() {
          member.silentIntervals = 0;
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
