import { describe, expect, it } from 'vitest';
import type { Conversation, ConversationResult } from '#conversation/talk/conversation.js';

/** A conversation that has not ended, for one test. */
export interface ConversationRig {
  conversation: Conversation;
  /** Lets time pass. */
  pass(durationMs: number): Promise<void>;
  /** Epoch milliseconds. */
  nowMs(): number;
}

/**
 * The contract between every conversation and the call that carries it (see `src/conversation/talk/conversation.ts`).
 */
export function conversationContract(name: string, open: () => ConversationRig): void {
  describe(`the talk ${name}`, () => {
    it('goes on until it is stopped, and is over once, from then on', async () => {
      const { conversation, pass, nowMs } = open();
      const results: ConversationResult[] = [];
      void conversation.ended.then((result) => results.push(result));
      await pass(1_000);
      expect(results).toEqual([]);
      conversation.stop();
      conversation.stop();
      const stoppedAt = nowMs();
      await pass(1_000);
      expect(results).toHaveLength(1);
      expect(results[0]).toMatchObject({ end: { by: 'stop' }, endedAt: stoppedAt });
      const { audioQuality } = results[0]!;
      expect(audioQuality).toBeGreaterThanOrEqual(0);
      expect(audioQuality).toBeLessThanOrEqual(1);
    });

    it('says that keys were sent while it lasts, and that they were not when it is over', async () => {
      const { conversation, pass } = open();
      const sent: boolean[] = [];
      const press = () => void conversation.sendKeys('12').then((areSent) => sent.push(areSent));
      press();
      await pass(2_000);
      expect(sent).toEqual([true]);
      conversation.stop();
      await pass(1_000);
      press();
      await pass(1_000);
      expect(sent).toEqual([true, false]);
    });

    it('bears whatever still comes when it is over', async () => {
      const { conversation, pass } = open();
      conversation.stop();
      await pass(1_000);
      conversation.hear(new Int16Array(160));
      conversation.press('1');
      conversation.type('hello');
      conversation.interrupt();
      conversation.machineAnswered(true);
      conversation.stop();
      await pass(1_000);
      expect((await conversation.ended).end).toEqual({ by: 'stop' });
    });
  });
}
