import { describe, expect, it } from 'vitest';
import type { Line } from '#conversation/talk/conversation.js';
import { frameSamples } from '#media/samples/audio.js';

/** A line and its far end, for one test. */
export interface LineRig {
  line: Line;
  /** Samples sent to the far end so far. */
  sentSamples(): number;
  /** The loudness of the last sample sent, as precisely as its encoding keeps it. */
  lastLoudness(): number;
}

const LOUD = 8_000;

/** The contract of every line (see `src/conversation/talk/conversation.ts`). */
export function lineContract(name: string, open: () => LineRig): void {
  describe(`the line ${name}`, () => {
    it('takes one frame, or as many as the buffer of its peer takes', () => {
      const { line, sentSamples } = open();
      const frame = new Int16Array(frameSamples(line.sampleRateHz));
      line.send(frame, 0);
      expect(sentSamples()).toBe(frame.length);
      if (!line.playoutBuffer) return;
      const piece = new Int16Array((line.sampleRateHz * line.playoutBuffer.pieceMs) / 1_000);
      line.send(piece, 60);
      expect(sentSamples()).toBe(frame.length + piece.length);
    });

    it('has copied or sent a frame before it returns', () => {
      const { line, lastLoudness } = open();
      const frame = new Int16Array(frameSamples(line.sampleRateHz)).fill(LOUD);
      line.send(frame, 0);
      frame.fill(0);
      expect(lastLoudness()).toBeGreaterThan(LOUD / 2);
    });

    it('throws away what its peer has not played, however often it is asked, and goes on', () => {
      const { line, sentSamples } = open();
      const frame = new Int16Array(frameSamples(line.sampleRateHz));
      const answer = line.clear();
      line.send(frame, 0);
      expect([line.clear(), line.clear()]).toEqual([answer, answer]);
      const before = sentSamples();
      line.send(frame, 0);
      expect(sentSamples()).toBe(before + frame.length);
    });

    it('lags behind by nothing as long as its peer has not told otherwise', () => {
      const { line } = open();
      expect(line.lagMs ?? 0).toBe(0);
      line.send(new Int16Array(frameSamples(line.sampleRateHz)), 0);
      expect(line.lagMs ?? 0).toBe(0);
    });
  });
}
