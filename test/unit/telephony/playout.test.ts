import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Playout } from '#telephony/sandbox/sound/playout.js';

const FRAME_BYTES = 160;
const SILENCE = 0xff;

function open() {
  const marks: string[] = [];
  return { playout: new Playout((name) => marks.push(name)), marks };
}

describe('what a gateway plays', () => {
  it('is silence when nothing was sent', () => {
    expect(open().playout.play()).toBeNull();
  });

  it('is everything that was sent, in order, however it was cut, with marks where they were', () => {
    const piece = fc.oneof(fc.uint8Array({ maxLength: 500 }), fc.constant('mark' as const));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const { playout, marks } = open();
        const sent: number[] = [];
        const bytesBeforeMark: number[] = [];
        for (const one of pieces) {
          if (one === 'mark') {
            playout.mark(String(bytesBeforeMark.push(sent.length) - 1));
          } else {
            playout.add(Buffer.from(one));
            sent.push(...one);
          }
        }
        const played: number[] = [];
        for (let frame = playout.play(); frame; frame = playout.play()) {
          expect(frame).toHaveLength(FRAME_BYTES);
          played.push(...frame);
          const passed = marks.map((name) => bytesBeforeMark[Number(name)]!);
          expect(passed.every((bytes) => bytes <= played.length)).toBe(true);
        }
        expect(marks).toEqual(bytesBeforeMark.map((_, index) => String(index)));
        expect(played.filter((byte) => byte !== SILENCE)).toEqual(sent.filter((byte) => byte !== SILENCE));
      }),
    );
  });

  it('gives a mark back at once when nothing is before it', () => {
    const { playout, marks } = open();
    playout.mark('greeting');
    expect(marks).toEqual(['greeting']);
  });

  it('gives a mark back only when the last byte before it was played', () => {
    const { playout, marks } = open();
    playout.add(Buffer.alloc(FRAME_BYTES + 1, 1));
    playout.mark('end');
    playout.play();
    expect(marks).toEqual([]);
    expect([...playout.play()!]).toEqual([1, ...Array<number>(FRAME_BYTES - 1).fill(SILENCE)]);
    expect(marks).toEqual(['end']);
  });

  it('throws everything away when cleared, and gives all marks back', () => {
    const { playout, marks } = open();
    playout.add(Buffer.alloc(1_000, 1));
    playout.mark('one');
    playout.add(Buffer.alloc(1_000, 2));
    playout.mark('two');
    playout.clear();
    expect(marks).toEqual(['one', 'two']);
    expect(playout.play()).toBeNull();
  });

  it('takes ten minutes of sound ahead and no more, until room is made', () => {
    const { playout } = open();
    const minute = Buffer.alloc(60 * 8000);
    for (let count = 0; count < 10; count++) expect(playout.add(minute)).toBe(true);
    expect(playout.add(Buffer.alloc(1))).toBe(false);
    playout.play();
    expect(playout.add(Buffer.alloc(FRAME_BYTES))).toBe(true);
  });
});
