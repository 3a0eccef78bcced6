import type { ModuleContext } from '#store/module-context.js';
import type { Conversation, ConversationObserver, Joining } from '#conversation/talk/conversation.js';
import type { DialogueObserver } from '#dialogue/dialogue-observer.js';
import type { Recorder } from '#media/recording/recording.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import type { CallRow } from '#calls/record/call.js';
import type { AudioTap } from './audio-tap.js';
import type { LiveFeed } from './live-feed.js';
import type { TransferOutcome } from './transfer.js';

/** What a live call needs of the service, and what is done with its line. */
export interface LiveSessionParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  feed: LiveFeed;
  endings: CallEndings;
  recorder: Recorder | null;
  /** Passes the call's audio to listeners. */
  tap: AudioTap;
  /** Stores the usage and the cost of the talk. */
  settleCosts(endedAt: number): Promise<void>;
  /** Puts the number on the suppression list, before the hang-up. */
  optOut(call: CallRow): Promise<void>;
  /** Hangs up at the carrier. Never fails; has no effect on a call that is already down. */
  hangUp(call: CallRow): Promise<void>;
  /** Hands the call over to a number (E.164). Never fails. */
  transfer(call: CallRow, to: string): Promise<TransferOutcome>;
  /** Joins the audio of this call with that of another one, for a warm transfer. */
  joining: Joining;
  /** Starts the conversation. */
  converse(
    observer: ConversationObserver,
    parts: {
      transfer: (to: string) => Promise<boolean>;
      joining: Joining;
      dialogueObserver: DialogueObserver;
    },
  ): Conversation;
}
