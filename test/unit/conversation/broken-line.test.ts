import { describe, expect, it } from 'vitest';
import { listen, say, startTalk } from '#test/support/scripted-talk.js';

describe('a line that breaks', () => {
  it('ends its call and no other', async () => {
    const talk = startTalk({ script: [[say('Hello.'), listen]] });
    await talk.wait(100);
    talk.line.send = () => {
      throw new Error('broken');
    };
    await talk.wait(100);
    expect(talk.result()!.end).toMatchObject({ by: 'error', error: { message: 'broken' } });
    expect(talk.pacingTimer.members).toBe(0);
  });
});
