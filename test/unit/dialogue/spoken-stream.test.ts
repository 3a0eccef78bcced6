import { describe, expect, it } from 'vitest';
import { SpokenStream } from '#dialogue/llm/spoken-stream.js';

/** What a model writes, and what of it is spoken. */
const TEXTS: readonly (readonly [written: string, spoken: string])[] = [
  ['Hello there.', 'Hello there.'],
  ['We have **Tuesday** and _Friday_.', 'We have Tuesday and Friday.'],
  ['## Opening hours\nMonday to Friday', 'Opening hours. Monday to Friday'],
  ['You can have:\n- a haircut\n- a colour', 'You can have: a haircut. a colour'],
  ['Two ways.\n1. By phone\n2. By mail', 'Two ways. By phone. By mail'],
  ['10. That is the number.', '10. That is the number.'],
  ['Look at [our page](https://clinic.example/a_b).', 'Look at our page.'],
  ['![a picture](x.png)Here', 'a pictureHere'],
  ['An [aside] stays', 'An aside] stays'],
  ['Great 🙂👍🏽! See you 👩‍👩‍👧', 'Great ! See you '],
  ['Callwright™ costs 5 < 6 euros', 'Callwright™ costs 5  6 euros'],
  ['<think>They want a slot.</think>On Tuesday.', 'On Tuesday.'],
  ['<b>Bold</b> words <br/>here', 'Bold words here'],
  ['Press `1` now', 'Press 1 now'],
  ['snake_case words', 'snake case words'],
  ['Really! Yes!', 'Really! Yes!'],
  ['One\n\nTwo\n', 'One. Two'],
  ['A sentence.\nAnother one.', 'A sentence. Another one.'],
  ['Half a <tag', 'Half a tag'],
  ['- \n', ''],
];

function spokenOf(pieces: readonly string[]): string {
  const stream = new SpokenStream();
  return pieces.map((piece) => stream.push(piece)).join('') + stream.flush();
}

describe('text of a model', () => {
  it.each(TEXTS)('%j is spoken as %j', (written, spoken) => {
    expect(spokenOf([written])).toBe(spoken);
  });

  it.each(TEXTS)('%j is spoken the same wherever it is cut', (written, spoken) => {
    expect(spokenOf([...written])).toBe(spoken);
    for (let at = 1; at < written.length; at++)
      expect(spokenOf([written.slice(0, at), written.slice(at)])).toBe(spoken);
  });

  it('is spoken at once where nothing is held back', () => {
    const stream = new SpokenStream();

    expect(stream.push('We have')).toBe('We have');
    expect(stream.push(' Tuesday')).toBe(' Tuesday');
  });

  it('does not wait for ever for the end of a bracket', () => {
    const stream = new SpokenStream();

    expect(stream.push(`[${'a '.repeat(200)}`)).not.toBe('');
  });
});
