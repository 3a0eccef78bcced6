import type {
  Conversation,
  ConversationObserver,
  ConversationOptions,
  ConversationResult,
  Joining,
  Steering,
} from '#conversation/talk/conversation.js';
import type { WarmTransfer } from '#dialogue/dialogue-manager.js';
import type { FollowUp } from '#dialogue/outcome.js';
import type { FakeClock } from './fake-clock.js';

/** A conversation controlled by the test. */
export class ScriptedConversation implements Conversation {
  readonly observer: ConversationObserver;
  readonly ended: Promise<ConversationResult>;
  readonly heard: Int16Array[] = [];
  /** Requests a transfer of the caller; resolves whether it was made. */
  readonly transfer: (to: string) => Promise<boolean>;
  /** Requests to join the line with another one. */
  readonly joining: Joining;
  #end!: (result: Omit<ConversationResult, 'endedAt'>) => void;
  #isOver = false;

  constructor(
    { observer, transfer, joining }: Pick<ConversationOptions, 'observer' | 'transfer' | 'joining'>,
    clock: FakeClock,
  ) {
    this.observer = observer;
    this.joining = joining!;
    this.transfer = transfer!;
    this.ended = new Promise((resolve) => {
      this.#end = (result) => resolve({ ...result, endedAt: clock.wallMs() });
    });
  }

  hear(samples: Int16Array): void {
    this.heard.push(samples);
  }
  press(): void {}
  /** DTMF keys sent by the service. */
  readonly sent: string[] = [];
  async sendKeys(keys: string): Promise<boolean> {
    if (this.#isOver) return false;
    this.sent.push(keys);
    return true;
  }

  type(): void {}
  /** The steering commands received, and whether they are accepted. */
  readonly steered: unknown[][] = [];
  canBeSteered = true;
  readonly steering = {
    mode: 'agent' as Steering['mode'],
    say: (text: string, how: { interrupt: boolean }) => this.#steer('say', text, how.interrupt),
    advise: (text: string) => this.#steer('advise', text),
    mute: () => this.#steer('mute'),
    unmute: () => this.#steer('unmute'),
    takeOver: () => this.#steer('takeOver'),
    handBack: () => this.#steer('handBack'),
    speak: (samples: Int16Array) => void this.#steer('speak', samples.slice()),
    hold: () => this.#steer('hold'),
    resume: () => this.#steer('resume'),
    transferWarmly: (to: string, warm: WarmTransfer) => this.#steer('transferWarmly', to, warm),
    join: () => this.#steer('join'),
    quote: (text: string) => void this.#steer('quote', text),
    personLeft: () => void this.#steer('personLeft'),
    whisper: (samples: Int16Array) => void this.#steer('whisper', samples.slice()),
    transfer: async (to: string) => this.#steer('transfer', to) && this.transfer(to),
  } satisfies Steering;
  nowMs = 0;
  interrupt(): void {}
  /** The carrier's results of machine detection. */
  readonly machines: boolean[] = [];
  machineAnswered(greetingEnded: boolean): void {
    this.machines.push(greetingEnded);
  }

  #steer(...what: unknown[]): boolean {
    if (this.canBeSteered) this.steered.push(what);
    return this.canBeSteered;
  }

  stop(): void {
    this.end({ by: 'stop' });
  }

  end(end: ConversationResult['end'], followUp: FollowUp | null = null, answers = {}, more = {}): void {
    this.#isOver = true;
    const outcome = { intent: 'confirm', resolutionAchieved: true, answers, followUp, ...more };
    this.#end({ end, outcome, audioQuality: 0.9 });
  }
}
