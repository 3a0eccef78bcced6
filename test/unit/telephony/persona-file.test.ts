import { describe, expect, it } from 'vitest';
import { personaFile, readPersona, type PersonaFile } from '#telephony/sandbox/personas/persona-file.js';

const WHOEVER = { number: '+15550100200', name: 'Whoever' };

/** The fields that are to blame, as paths. */
function blamed(input: unknown): string[] {
  const parsed = personaFile.safeParse(input);
  return parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
}

describe('a persona as a file holds it', () => {
  it('needs no more than a number and a name: it picks up and stays silent', () => {
    expect(readPersona(WHOEVER)).toEqual({
      ...WHOEVER,
      description: '',
      pickup: { kind: 'answers', ringMs: null },
      script: { steps: [], thereafter: null },
      line: { noise: null, lostShare: 0, lateShare: 0, lateMs: 120, swappedShare: 0 },
    });
  });

  it('says what to do, when and how', () => {
    const file: PersonaFile = {
      ...WHOEVER,
      pickup: { kind: 'answers', ring_ms: 50 },
      voice: 'awb',
      line: { noise: { kind: 'babble', snr_db: 10 }, lost_percent: 2, late_percent: 1, late_ms: 200 },
      script: [
        { do: 'say', text: ' hello ' },
        { when: 'agent_speaking', do: 'say', text: 'stop' },
        { when: 'at_once', after_ms: 70, do: 'play', sound: 'beep' },
        { do: 'wait', duration_ms: 900 },
        { do: 'press', digits: '1#' },
        { when: 'keys_pressed', keys: '23#', do: 'say', text: 'thanks' },
      ],
      thereafter: { do: 'hang_up' },
    };
    const { pickup, voice, line, script } = readPersona(file);
    expect(pickup).toEqual({ kind: 'answers', ringMs: 50 });
    expect(voice).toBe('awb');
    expect(line).toEqual({
      noise: { kind: 'babble', snrDb: 10 },
      lostShare: 0.02,
      lateShare: 0.01,
      lateMs: 200,
      swappedShare: 0,
    });
    expect(script.steps).toEqual([
      { when: 'agent_stopped', afterMs: 400, action: { kind: 'say', text: 'hello' } },
      { when: 'agent_speaking', afterMs: 0, action: { kind: 'say', text: 'stop' } },
      { when: 'at_once', afterMs: 70, action: { kind: 'play', sound: { kind: 'beep', durationMs: 500 } } },
      { when: 'agent_stopped', afterMs: 400, action: { kind: 'wait', durationMs: 900 } },
      { when: 'agent_stopped', afterMs: 400, action: { kind: 'press', digit: '1' } },
      { when: 'at_once', afterMs: 240, action: { kind: 'press', digit: '#' } },
      { when: 'keys_pressed', keys: '23#', afterMs: 0, action: { kind: 'say', text: 'thanks' } },
    ]);
    expect(script.thereafter).toEqual({
      when: 'agent_stopped',
      afterMs: 400,
      action: { kind: 'hang_up' },
    });
  });

  it.each<[string, object, string]>([
    ['a number that no network could dial', { number: '555' }, 'number'],
    ['a way to pick up that there is not', { pickup: { kind: 'shouts' } }, 'pickup.kind'],
    ['an action that there is not', { script: [{ do: 'sing' }] }, 'script.0.do'],
    ['a line without words', { script: [{ do: 'say', text: ' ' }] }, 'script.0.text'],
    [
      'a moment that never comes',
      { script: [{ do: 'hang_up' }, { when: 'soon', do: 'hang_up' }] },
      'script.1.when',
    ],
    ['a key that no phone has', { script: [{ do: 'press', digits: 'x' }] }, 'script.0.digits'],
    [
      'keys that would be pressed for ever',
      { thereafter: { do: 'press', digits: '12' } },
      'thereafter.digits',
    ],
    [
      'keys to wait for that are not named',
      { script: [{ when: 'keys_pressed', do: 'hang_up' }] },
      'script.0.keys',
    ],
    ['keys that nobody waits for', { script: [{ keys: '1', do: 'hang_up' }] }, 'script.0.keys'],
    ['a share above everything', { line: { lost_percent: 101 } }, 'line.lost_percent'],
    ['a number without quotes', { number: 15_550_100_200 }, 'number'],
    ['a voice that nobody has', { voice: 'bob' }, 'voice'],
    [
      'a script of somebody who never answers',
      { pickup: { kind: 'busy' }, script: [{ do: 'say', text: 'hi' }] },
      'script',
    ],
    [
      'words after the end',
      { script: [{ do: 'hang_up' }, { do: 'say', text: 'and another thing' }] },
      'script.1',
    ],
    [
      'more to do after the end',
      { script: [{ do: 'hang_up' }], thereafter: { do: 'hang_up' } },
      'thereafter',
    ],
    ['noise without a level', { line: { noise: { kind: 'pink' } } }, 'line.noise.snr_db'],
    ['a field that nobody reads', { script: [{ do: 'hang_up', pause_ms: 4 }] }, 'script.0'],
  ])('is refused with its field: %s', (_name, fields, field) => {
    expect(blamed({ ...WHOEVER, ...fields })).toEqual([field]);
  });
});
