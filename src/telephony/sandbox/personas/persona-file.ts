/**
 * The format of persona files (docs/sandbox.md), and its conversion to personas, the simulated people of the sandbox
 * network. Used by `loadPersonas` for the operator's files; the built-in personas are written in the same format.
 */
import { z } from 'zod';
import { E164 } from '#kernel/input/phone-number.js';
import { FLITE_VOICES } from '#providers/builtin/flite/flite-engine.js';
import {
  HUMAN_PAUSE_MS,
  type Action,
  type LineConditions,
  type Persona,
  type Pickup,
  type Script,
  type ScriptStep,
} from './persona.js';

/** The pause between the DTMF digits of one `press` step. */
const BETWEEN_KEYS_MS = 240;
/** The limit of every duration whose field has no smaller limit. */
const LONGEST_MS = 10 * 60_000;

const milliseconds = z.int().min(0).max(LONGEST_MS);
const percent = z.number().min(0).max(100);

const pickup = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('answers'),
      ring_ms: milliseconds
        .nullish()
        .meta({ description: 'How long it rings. Default: as long as the network lets every phone ring.' }),
    }),
    z.strictObject({ kind: z.enum(['busy', 'no_answer', 'rejects', 'unassigned', 'hangs_up_at_once']) }),
  ])
  .meta({ description: 'What becomes of a call. Only who answers needs a script.' });

/** DTMF keys, pressed by the agent (`keys`) or by the persona (`digits`). */
const keys = z.string().regex(/^[0-9A-D*#]{1,32}$/, 'must be 1 to 32 keys of 0-9, A-D, * and #');

/** The fields of every step: the moment that it waits for. */
const moment = {
  when: z
    .enum(['agent_stopped', 'agent_speaking', 'at_once', 'keys_pressed'])
    .default('agent_stopped')
    .meta({
      description:
        'The moment that the step waits for: the agent has finished its turn, is in the middle of one, the step ' +
        'before is over (for the first one: the call was answered), or the agent has pressed `keys`.',
    }),
  keys: keys
    .optional()
    .meta({ description: 'With `keys_pressed`: which keys, one after the other, such as `1` or `2345#`.' }),
  after_ms: milliseconds
    .optional()
    .meta({ description: 'How long after the moment. Default 400 when the agent has stopped, else 0.' }),
};

const step = z
  .discriminatedUnion('do', [
    z.strictObject({
      ...moment,
      do: z.literal('say'),
      text: z
        .string()
        .trim()
        .max(1_000)
        .regex(/[\p{L}\p{N}]/u, 'holds no word to say')
        .meta({ description: 'The words, spoken in English.' }),
    }),
    z.strictObject({
      ...moment,
      do: z.literal('play'),
      sound: z.enum(['beep', 'music', 'cough']),
      duration_ms: milliseconds
        .min(20)
        .optional()
        .meta({ description: 'Default: 500 for a beep, 300 for a cough, 10,000 for music.' }),
    }),
    z.strictObject({
      ...moment,
      do: z.literal('play_file'),
      file: z.string().min(1).max(500).meta({
        description:
          'A WAV file beside the persona (16-bit PCM or G.711 μ-law, any rate): any voice, any language.',
      }),
    }),
    z.strictObject({ ...moment, do: z.literal('wait'), duration_ms: milliseconds.min(20) }),
    z.strictObject({
      ...moment,
      do: z.literal('press'),
      digits: keys,
    }),
    z.strictObject({ ...moment, do: z.literal('hang_up') }),
  ])
  .refine(({ when, keys: expected }) => (when === 'keys_pressed') === (expected !== undefined), {
    path: ['keys'],
    message: 'must be there when keys are waited for, and only then',
  })
  .meta({ id: 'PersonaStep', description: 'One thing that a callee does.' });

const line = z
  .strictObject({
    noise: z
      .strictObject({
        kind: z.enum(['pink', 'babble']).meta({ description: 'Like a fan or a car, or other people.' }),
        snr_db: z
          .number()
          .min(-20)
          .max(60)
          .meta({ description: "How far the callee's voice stands above it." }),
      })
      .nullish(),
    lost_percent: percent.default(0).meta({ description: 'Frames of 20 ms that never arrive.' }),
    late_percent: percent
      .default(0)
      .meta({ description: 'Frames that hold everything up for `late_ms`; then it comes in a burst.' }),
    late_ms: milliseconds.min(20).max(5_000).default(120),
    swapped_percent: percent.default(0).meta({ description: 'Frames that arrive after their successor.' }),
  })
  .meta({ description: 'What the line does to what the callee says.' });

/** The fields that decide whether a step is ever done. */
interface ReachabilityFields {
  pickup: z.output<typeof pickup>;
  script: readonly z.output<typeof step>[];
  thereafter?: z.output<typeof step> | null | undefined;
}

/** The schema of a persona file. */
export const personaFile = z
  .strictObject({
    number: z
      .string('must be a text such as "+15550100123", in quotes')
      .regex(E164, 'must be a number such as +15550100123 (E.164)')
      .meta({ description: 'Where it lives. One of a built-in persona takes its place.' }),
    name: z.string().trim().min(1).max(80),
    description: z.string().trim().max(300).default(''),
    pickup: pickup.default({ kind: 'answers' }),
    voice: z
      .enum(FLITE_VOICES)
      .optional()
      .meta({ description: 'A voice of the built-in synthesiser. Default `rms`.' }),
    line: line.prefault({}),
    script: z.array(step).max(200).default([]),
    thereafter: step
      .refine((repeated) => repeated.do !== 'press' || repeated.digits.length === 1, {
        path: ['digits'],
        message: 'must be one key in what is done again and again',
      })
      .nullish()
      .meta({ description: 'Done again and again after the script.' }),
  })
  .superRefine((file, context) => {
    for (const { path, message } of problemsOfStepsNeverDone(file))
      context.addIssue({ code: 'custom', path, message });
  })
  .meta({ id: 'Persona', description: 'Somebody who lives in the sandbox network.' });

/**
 * The problems of steps that would never be done, because the persona does not answer, or has hung up before. They make
 * the file invalid: its author surely meant the steps to be done.
 */
function problemsOfStepsNeverDone({
  pickup: { kind },
  script,
  thereafter,
}: ReachabilityFields): { path: PropertyKey[]; message: string }[] {
  const neverDone = 'is never done: this persona does not answer';
  if (kind !== 'answers') {
    return [
      ...(script.length > 0 ? [{ path: ['script'], message: neverDone }] : []),
      ...(thereafter ? [{ path: ['thereafter'], message: neverDone }] : []),
    ];
  }
  const hangUpAt = script.findIndex((scriptStep) => scriptStep.do === 'hang_up');
  if (hangUpAt < 0) return [];
  const message = `is never done: script[${hangUpAt}] hangs up`;
  if (hangUpAt < script.length - 1) return [{ path: ['script', hangUpAt + 1], message }];
  return thereafter ? [{ path: ['thereafter'], message }] : [];
}

/** A persona in the format of files; fields with a default may be missing. */
export type PersonaFile = z.input<typeof personaFile>;
type ParsedStep = z.output<typeof step>;

/** The samples of sound files at the sandbox's rate, by file name. */
export type SoundFiles = ReadonlyMap<string, Int16Array>;

/** The sound files of a persona, with the fields that name them. */
export function soundFilesOf(file: z.output<typeof personaFile>): { file: string; path: PropertyKey[] }[] {
  const steps = [
    ...file.script.map((parsed, index) => ({ parsed, path: ['script', index, 'file'] })),
    ...(file.thereafter ? [{ parsed: file.thereafter, path: ['thereafter', 'file'] }] : []),
  ];
  return steps.flatMap(({ parsed, path }) =>
    parsed.do === 'play_file' ? [{ file: parsed.file, path }] : [],
  );
}

/**
 * Converts a persona from the format of files.
 * @param sounds all files of {@link soundFilesOf}
 * @throws ZodError for an invalid persona
 */
export function readPersona(input: unknown, sounds: SoundFiles = new Map()): Persona {
  const { number, name, description, voice, ...file } = personaFile.parse(input);
  return {
    number,
    name,
    description,
    pickup: pickupOf(file.pickup),
    ...(voice === undefined ? {} : { voice }),
    script: scriptOf(file.script, file.thereafter ?? null, sounds),
    line: lineOf(file.line),
  };
}

function pickupOf(parsed: z.output<typeof pickup>): Pickup {
  return parsed.kind === 'answers'
    ? { kind: 'answers', ringMs: parsed.ring_ms ?? null }
    : { kind: parsed.kind };
}

function scriptOf(steps: readonly ParsedStep[], thereafter: ParsedStep | null, sounds: SoundFiles): Script {
  return {
    steps: steps.flatMap((parsed) => stepsOf(parsed, sounds)),
    // The schema allows a single key here, so that the step is one script step.
    thereafter: thereafter && stepsOf(thereafter, sounds)[0]!,
  };
}

/** Expands a step of a file into script steps: one per digit for `press`, else one. */
function stepsOf(parsed: ParsedStep, sounds: SoundFiles): ScriptStep[] {
  const afterMs = parsed.after_ms ?? (parsed.when === 'agent_stopped' ? HUMAN_PAUSE_MS : 0);
  return actionsOf(parsed, sounds).map((action, index) =>
    index === 0
      ? { when: parsed.when, ...(parsed.keys === undefined ? {} : { keys: parsed.keys }), afterMs, action }
      : { when: 'at_once', afterMs: BETWEEN_KEYS_MS, action },
  );
}

/** The durations of sounds that a file sets no duration for. */
const DEFAULT_DURATION_MS = { beep: 500, cough: 300, music: 10_000 } as const;

/** The actions of a step: one per digit for `press`, else one. */
function actionsOf(parsed: ParsedStep, sounds: SoundFiles): Action[] {
  switch (parsed.do) {
    case 'say':
      return [{ kind: 'say', text: parsed.text }];
    case 'play': {
      const durationMs = parsed.duration_ms ?? DEFAULT_DURATION_MS[parsed.sound];
      return [{ kind: 'play', sound: { kind: parsed.sound, durationMs } }];
    }
    case 'play_file':
      return [{ kind: 'play', sound: { kind: 'recorded', samples: sounds.get(parsed.file)! } }];
    case 'wait':
      return [{ kind: 'wait', durationMs: parsed.duration_ms }];
    case 'press':
      return [...parsed.digits].map((digit) => ({ kind: 'press', digit }));
    case 'hang_up':
      return [{ kind: 'hang_up' }];
  }
}

function lineOf(parsed: z.output<typeof line>): LineConditions {
  return {
    noise: parsed.noise ? { kind: parsed.noise.kind, snrDb: parsed.noise.snr_db } : null,
    lostShare: parsed.lost_percent / 100,
    lateShare: parsed.late_percent / 100,
    lateMs: parsed.late_ms,
    swappedShare: parsed.swapped_percent / 100,
  };
}
