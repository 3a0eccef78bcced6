import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EndedReason } from '#calls/record/ended-reason.js';
import type { PersonaFile } from '#telephony/sandbox/personas/persona-file.js';

/** Sorts of callees: how many of them there are, who they are, and what must come of calling them. */
interface Sort {
  count: number;
  persona: Omit<PersonaFile, 'number' | 'name'>;
  /** Null for who was reached. */
  reason: EndedReason | null;
  endedReason: EndedReason;
  tries: number;
  /** What the talk agreed on; empty where nobody talked. */
  intent: string;
}

const RINGS_BRIEFLY = { kind: 'answers', ring_ms: 200 } as const;
const notReached = (reason: EndedReason, tries = 1) => ({ reason, endedReason: reason, tries, intent: '' });
const reached = (endedReason: EndedReason, intent: string) => ({
  reason: null,
  tries: 1,
  endedReason,
  intent,
});

/** Somebody with one answer, who gives it again when it was not heard. */
const saying = (text: string) => ({
  pickup: RINGS_BRIEFLY,
  script: [{ do: 'say', text } as const],
  thereafter: { do: 'say', text } as const,
});

/** 200 callees. */
export const SORTS = {
  busy: { count: 84, persona: { pickup: { kind: 'busy' } }, ...notReached('busy', 2) },
  absent: { count: 20, persona: { pickup: { kind: 'no_answer' } }, ...notReached('no_answer') },
  declining: { count: 20, persona: { pickup: { kind: 'rejects' } }, ...notReached('rejected') },
  unassigned: { count: 10, persona: { pickup: { kind: 'unassigned' } }, ...notReached('invalid_number') },
  brief: {
    count: 50,
    persona: { pickup: { kind: 'hangs_up_at_once' } },
    ...reached('customer_hangup', ''),
  },
  machine: {
    count: 4,
    persona: {
      pickup: RINGS_BRIEFLY,
      voice: 'slt',
      script: [
        {
          when: 'at_once',
          after_ms: 400,
          do: 'say',
          text: 'You have reached the voicemail of Jordan. I am not available right now. Please leave a message after the beep.',
        },
        { when: 'at_once', after_ms: 600, do: 'play', sound: 'beep' },
        { when: 'at_once', after_ms: 30_000, do: 'hang_up' },
      ],
    },
    ...notReached('voicemail'),
  },
  agreeing: { count: 6, persona: saying('yes please'), ...reached('agent_hangup', 'coming') },
  refusing: { count: 6, persona: saying('no I cannot come'), ...reached('agent_hangup', 'not_coming') },
} as const satisfies Record<string, Sort>;

export type SortName = keyof typeof SORTS;

/** An agent that comes to the point: talks take seconds. */
export const BRIEF_AGENT = {
  name: 'Guest list',
  initial_message: 'Hello.',
  playbook: {
    start: 'coming',
    steps: {
      coming: {
        kind: 'ask',
        text: '{{initial_message}} Will you come tomorrow?',
        expect: { kind: 'yes_no', no: ['cannot come'] },
        answers: { yes: 'yes', no: 'no' },
        otherwise: 'no',
      },
      yes: { kind: 'end', text: 'Good. Goodbye.', intent: 'coming' },
      no: { kind: 'end', text: 'A pity. Goodbye.', intent: 'not_coming' },
    },
  },
};

export interface Callee {
  phone_number: string;
  name: SortName;
}

/** Lets the crowd move into a folder of personas; who they are, well mixed. */
export function settleCrowd(folder: string): Callee[] {
  mkdirSync(folder, { recursive: true });
  const names = Object.keys(SORTS) as SortName[];
  // Evenly spread: the k-th of n stands at (k + ½) / n.
  const mixed = names
    .flatMap((name) =>
      Array.from({ length: SORTS[name].count }, (_, at) => ({ name, place: (at + 0.5) / SORTS[name].count })),
    )
    .toSorted((a, b) => a.place - b.place);
  return mixed.map(({ name }, at) => {
    const number = `+1555020${String(at).padStart(4, '0')}`;
    writeFileSync(
      join(folder, `${at}.json`),
      JSON.stringify({ number, name: `${name} ${at}`, ...SORTS[name].persona }),
    );
    return { phone_number: number, name };
  });
}
