import type { CallResource } from '#calls/resources/call-resource.js';
import { defaultPlaybook } from '#playbook/definition/default-playbook.js';
import type { Persona } from '#telephony/sandbox/personas/persona.js';
import { PERSONAS } from '#telephony/sandbox/personas/personas.js';
import {
  callOnce,
  callWithSummary,
  placeCall,
  transcriptOf,
  wordsOf,
  type ToldEntry,
} from '#test/support/call-story.js';
import type { TestService } from '#test/support/test-service.js';
import { keptEvents } from '#test/support/kept-events.js';

/** Who is called: a name that is in no log line by chance, and in every dictionary. */
export const NAME = 'Josephine';
/** A number that no persona has. */
export const UNLISTED = '+14155550123';
/** The usual talk by an agent that a recogniser can follow: the clearer voice, and only words of the dictionary. */
export const CLEAR_AGENT = {
  name: 'Front desk',
  voice: 'rms',
  playbook: defaultPlaybook,
  initial_message:
    'Hello {{name}}, this is the dental clinic. We are calling about your appointment tomorrow.',
};

/** One question. Whoever is not understood is asked it once more. */
export const ASKING_ONCE = {
  name: 'Front desk',
  initial_message: 'Hello, this is the dental clinic. Do you have a minute?',
  playbook: {
    start: 'minute',
    steps: {
      minute: {
        kind: 'ask',
        text: '{{initial_message}}',
        expect: { kind: 'yes_no' },
        answers: { yes: 'thanks', no: 'goodbye' },
        retry: ['Sorry, do you have a minute? Please say yes or no.'],
        otherwise: 'goodbye',
      },
      thanks: { kind: 'end', text: 'Thank you. Goodbye.', resolution_achieved: true },
      goodbye: { kind: 'end', text: 'Goodbye.', resolution_achieved: false },
    },
  },
};

/** Everything about a call that is over. */
export interface Story {
  id: string;
  call: CallResource;
  entries: ToldEntry[];
  eventTypes: string[];
}

/** The persona at a number. */
export function personaAt(wanted: string): Persona {
  return PERSONAS.find(({ number }) => number === wanted)!;
}

/** The persona whose number ends with this digit. */
export function personaNumbered(digit: number): Persona {
  return PERSONAS.find(({ number }) => number.endsWith(String(digit)))!;
}

/** The lines that a persona says, one after the other, as words. */
export function scriptOf(digit: number): string[] {
  return personaNumbered(digit).script.steps.flatMap(({ action }) =>
    action.kind === 'say' ? [wordsOf(action.text)] : [],
  );
}

/** The first nine: those who are patient with any agent, and those who do not pick up. */
const NEIGHBOURS = PERSONAS.slice(0, 9);

/** Calls them at the same time, and an unlisted number; by number, when all is over. */
export async function callEverybody(service: TestService): Promise<Map<string, Story>> {
  const { body } = await service.request('POST', '/api/agents', CLEAR_AGENT);
  const talkers: [string, object][] = [
    [personaNumbered(1).number, { agent_id: (body as { id: string }).id }],
    [UNLISTED, {}],
    [personaNumbered(4).number, {}],
    [personaNumbered(2).number, {}],
    [personaNumbered(3).number, { silence_timeout_seconds: 5 }],
  ];
  const talking = new Set(talkers.map(([number]) => number));
  const ids = new Map<string, string>();
  const place = async (to_number: string, more: object = {}) => {
    const id = await placeCall(service.request, { to_number, customer_data: { name: NAME }, ...more });
    ids.set(to_number, id);
    return id;
  };
  for (const { number } of NEIGHBOURS) if (!talking.has(number)) await place(number);
  // Who talks picks up a moment after the one before: people do not speak in chorus.
  for (const [number, more] of talkers) {
    const id = await place(number, more);
    await callOnce(service.request, id, ({ status }) => status === 'active');
  }
  const told = [...ids].map(async ([number, id]) => [number, await storyOf(service, id)] as const);
  return new Map(await Promise.all(told));
}

/** Waits until a call and the work after it are over; everything about it. */
export async function storyOf(service: TestService, id: string): Promise<Story> {
  const ended = await callOnce(service.request, id);
  const call = ended.duration > 0 ? await callWithSummary(service.request, id) : ended;
  const entries = await transcriptOf(service.request, id);
  const eventTypes = keptEvents(service.dataDir, id).map(({ event_type }) => event_type);
  return { id, call, entries, eventTypes };
}
