import type { ModuleContext } from '#store/module-context.js';
import type { Conversation, ConversationObserver, Joining } from '#conversation/talk/conversation.js';
import type { DialogueObserver } from '#dialogue/dialogue-observer.js';
import type { Recorder } from '#media/recording/recording.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import type { CallRow } from '#calls/record/call.js';
import type { AudioTap } from './audio-tap.js';
import type { LiveFeed } from './live-feed.js';
import type { TransferOutcome } from './transfer.js';

/** The dependencies of `LiveSession`, which `AudioStreams` provides for each call. */
export interface LiveSessionParts extends Pick<ModuleContext, 'store' | 'clock' | 'log'> {
  feed: LiveFeed;
  endings: CallEndings;
  /** Null for a call that is not recorded. */
  recorder: Recorder | null;
  /** Passes the call's audio to listeners. */
  tap: AudioTap;
  /** Stores the usage and the cost of the talk, which was over at `endedAt` (epoch milliseconds). */
  settleCosts(endedAt: number): Promise<void>;
  /** Puts the caller's number on the suppression list, before the hang-up. */
  optOut(call: CallRow): Promise<void>;
  /** Hangs up at the carrier. Never fails; has no effect on a call that the carrier has ended. */
  hangUp(call: CallRow): Promise<void>;
  /** Hands the call over to a number (E.164). Never fails. */
  transfer(call: CallRow, to: string): Promise<TransferOutcome>;
  /** Joins the audio of this call with that of another one, for a warm transfer. */
  joining: Joining;
  /** Starts the conversation, which calls the observers, and `transfer` for a transfer by the agent. */
  converse(
    observer: ConversationObserver,
    parts: {
      transfer: (to: string) => Promise<boolean>;
      joining: Joining;
      dialogueObserver: DialogueObserver;
    },
  ): Conversation;
}
