import type { Phrasing } from '#language/phrasing.js';

/** How answering machines and screening services speak; in plain small letters without accents. */
export interface AnswerWays {
  /** Only machines say this: of tones and recordings, and what to press. */
  machine: Phrasing;
  /** What a machine calls itself. People speak of such things, too. */
  mailbox: Phrasing;
  /** How machines go on that name themselves. */
  itself: Phrasing;
  /** How people go on who speak of one: they tell what they did, and ask. */
  talk: Phrasing;
  /** Machines say this, and so do people who answer for somebody else, or who will still come to the phone. */
  absent: Phrasing;
  /** A service that asks for name and purpose before it puts anybody through. */
  screening: Phrasing;
  /** A machine that takes no message. */
  full: Phrasing;
}
