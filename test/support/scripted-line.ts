import type { Line } from '#conversation/talk/conversation.js';
import { frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import type { PlayoutBuffer } from '#media/protocols/stream-protocol.js';

/** The far end of a line that keeps every received frame; without a buffer, a frame's index is its tick. */
export interface ScriptedLine extends Line {
  readonly frames: readonly Int16Array[];
  /** Ticks of clear requests. */
  readonly clearedAt: readonly number[];
  /** The peer's playout lag. */
  lagMs: number;
  /** True if the frame of a tick has speech. */
  isLoud(tick: number): boolean;
  /** The beginning of the first and the end of the last loud frame in milliseconds; null if all is silent. */
  loudSpan(fromTick?: number): { startMs: number; endMs: number } | null;
}

export function createScriptedLine(
  sampleRateHz: SampleRateHz = 8000,
  playoutBuffer: PlayoutBuffer | null = null,
): ScriptedLine {
  const frames: Int16Array[] = [];
  const clearedAt: number[] = [];
  let isAhead = false;
  const isLoud = (tick: number) => frames[tick]?.some((sample) => Math.abs(sample) > 500) ?? false;
  return {
    sampleRateHz,
    playoutBuffer,
    frames,
    clearedAt,
    lagMs: 0,
    isLoud,
    send(samples, inMs) {
      isAhead = inMs > 0;
      const length = frameSamples(sampleRateHz);
      for (let at = 0; at < samples.length; at += length) frames.push(samples.slice(at, at + length));
    },
    clear() {
      // A frame sent ahead of time is never played.
      if (isAhead) frames.pop();
      isAhead = false;
      clearedAt.push(frames.length);
      return true;
    },
    loudSpan(fromTick = 0) {
      const loud = frames.map((_, tick) => tick).filter((tick) => tick >= fromTick && isLoud(tick));
      if (loud.length === 0) return null;
      return { startMs: loud[0]! * 20, endMs: (loud.at(-1)! + 1) * 20 };
    },
  };
}
