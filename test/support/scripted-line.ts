import type { Line } from '#conversation/talk/conversation.js';
import { frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import type { PlayoutBuffer } from '#media/protocols/stream-protocol.js';

/**
 * The far end of a line that keeps every frame it was sent; the index of a frame is its tick, unless it has a buffer.
 */
export interface ScriptedLine extends Line {
  readonly frames: readonly Int16Array[];
  /** Ticks at which the peer was asked to throw its buffer away. */
  readonly clearedAt: readonly number[];
  /** How far the peer's playing lies behind. */
  lagMs: number;
  /** Whether somebody speaks in the frame of a tick. */
  isLoud(tick: number): boolean;
  /** Milliseconds of the first and the end of the last loud frame; null when all is silent. */
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
      // The frame that was sent before its time is never played.
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
