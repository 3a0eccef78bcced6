import type { CountryCode } from 'libphonenumber-js';
import { z } from 'zod';
import {
  metadataField,
  optional,
  optionalWithDefault,
  phoneNumberField,
  textField,
  timezoneField,
  writtenTimeField,
} from '#kernel/input/fields.js';
import { callWindowField } from '#policy/hours/call-window.js';

// The schemas of requests for calls, for the routes that create calls. Batches and schedules reuse the options.

/** The limits and defaults (`usual`) of `timeout_seconds` and `silence_timeout_seconds`. */
export const CALL_LIMITS = {
  timeoutSeconds: { min: 10, usual: 1800, max: 14_400 },
  silenceTimeoutSeconds: { min: 5, usual: 30, max: 3600 },
} as const;

/** `record_storage` as clients may write it; every name of object storage means `s3`. */
const RECORD_STORAGE = { local: 'local', s3: 's3', object: 's3', object_storage: 's3', cloud: 's3' } as const;
type RecordStorage = keyof typeof RECORD_STORAGE;

const recordStorage = z
  .enum(Object.keys(RECORD_STORAGE) as [RecordStorage, ...RecordStorage[]])
  .transform((written) => RECORD_STORAGE[written])
  .meta({
    description:
      'Where the recording is kept; as the service is set up, if omitted. `object`, `object_storage` and `cloud` are ' +
      'read as `s3`. A recording is taken to object storage after the call: its `storage` says where it is now.',
    examples: ['local'],
  });

/** The options that say how a call is conducted, and which of its data are stored. */
export const conductOptions = {
  record_call: optionalWithDefault(z.boolean(), true).meta({
    description: 'Whether the call is recorded.',
    examples: [true],
  }),
  record_storage: optional(recordStorage),
  enable_transcription: optionalWithDefault(z.boolean(), true).meta({
    description: 'Whether the transcript is kept, summarised and analysed.',
    examples: [true],
  }),
  transcription_provider: optional(textField(100)).meta({
    description: 'The provider of speech recognition; if omitted, that of the agent, else the built-in one.',
    examples: ['builtin'],
  }),
  timeout_seconds: limitField('timeoutSeconds', 'Seconds after which the call is ended.'),
  silence_timeout_seconds: limitField(
    'silenceTimeoutSeconds',
    'Seconds of silence from the customer after which the call is ended.',
  ),
};

/** The options that both endpoints for creating calls accept. */
const callOptions = {
  customer_data: optionalWithDefault(metadataField, {}).meta({
    description: "Data about the customer; fills `{{variables}}` in the agent's texts.",
    examples: [{ name: 'Ada', plan: 'gold' }],
  }),
  customer_context: optionalWithDefault(metadataField, {}).meta({
    description: 'More data about the customer; it takes precedence where both name a variable.',
    examples: [{ last_order: 'tea' }],
  }),
  variables: optional(metadataField).meta({
    description: 'Another name of `customer_data`.',
    examples: [{ name: 'Ada' }],
  }),
  metadata: optionalWithDefault(metadataField, {}),
  ...conductOptions,
  call_window: optional(callWindowField),
  scheduled_time: optional(writtenTimeField('2026-12-01T15:00:00Z')).meta({
    description:
      'When to dial. A time without an offset or `Z` is read in `timezone`, else in the default ' +
      'zone. Now, if omitted.',
    examples: ['2026-12-01T15:00:00Z'],
  }),
  timezone: optional(timezoneField),
};

/** The field of a limit from {@link CALL_LIMITS}, with its default. */
function limitField(name: keyof typeof CALL_LIMITS, description: string) {
  const { min, usual, max } = CALL_LIMITS[name];
  return optionalWithDefault(z.int().min(min).max(max), usual).meta({ description, examples: [usual] });
}

/** Body of `POST /api/calls` (openapi.json, `CallRequest`). */
export function callRequest(region?: CountryCode) {
  return z
    .object({
      agent_id: textField(100, 1).meta({
        description: 'The agent that talks.',
        examples: ['agent_01kakb8x6te1tr7m3qf0c9w2aa'],
      }),
      to_phone: phoneNumberField(region),
      from_phone: optional(phoneNumberField(region)),
      ...callOptions,
    })
    .superRefine(refuseImpossibleLimits)
    .meta({
      id: 'CallRequest',
      description: 'A new call.',
      examples: [
        {
          agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
          to_phone: '+15550100001',
          customer_data: { name: 'Ada' },
        },
      ],
    });
}

/** Body of `POST /outbound-call` (openapi.json, `OutboundCallRequest`). */
export function outboundCallRequest(region?: CountryCode) {
  return z
    .object({
      to_number: phoneNumberField(region),
      from_number: optional(phoneNumberField(region)),
      agent_id: optional(textField(100, 1)).meta({
        description: 'The agent that talks; the default agent if omitted.',
      }),
      name: optional(textField(200)).meta({ description: 'A label for the call.', examples: ['Reminder'] }),
      ...callOptions,
    })
    .superRefine(refuseImpossibleLimits)
    .meta({
      id: 'OutboundCallRequest',
      description: 'A call to place now or later.',
      examples: [{ to_number: '+15550100001', customer_data: { name: 'Ada' } }],
    });
}

/**
 * Refuses limits that contradict each other: the call would end before its silence limit. A refinement of the schemas
 * of requests.
 */
export function refuseImpossibleLimits(
  call: { timeout_seconds: number; silence_timeout_seconds: number },
  context: z.RefinementCtx,
): void {
  // A short call with the default silence limit is no contradiction: the shorter limit ends the call.
  if (call.silence_timeout_seconds === CALL_LIMITS.silenceTimeoutSeconds.usual) return;
  if (call.silence_timeout_seconds < call.timeout_seconds) return;
  context.addIssue({
    code: 'custom',
    path: ['silence_timeout_seconds'],
    message: 'must be shorter than timeout_seconds, or it can never be reached',
  });
}

export type CallRequest = z.infer<ReturnType<typeof callRequest>>;
/** The options that both kinds of request share. */
export type CallOptions = Omit<CallRequest, 'agent_id' | 'to_phone' | 'from_phone' | RequestOnly> &
  Partial<Pick<CallRequest, RequestOnly>>;
/** The options that code which creates calls for a batch or a schedule may leave out. */
type RequestOnly = 'call_window' | 'timezone' | 'variables';
