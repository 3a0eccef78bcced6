import { z } from 'zod';
import { instantOut } from '#kernel/input/fields.js';
import { batchEventData, batchEventExamples } from './batch-event.js';
import { callEventData, callEventExamples } from './call-event.js';
import {
  EVENT_TYPES,
  NOTIFICATION_TYPES,
  type EventGroup,
  type EventType,
  type NotificationType,
} from './event-types.js';
import { scheduleNotificationData, scheduleNotificationExamples } from './schedule-notification.js';
import {
  analysisEventData,
  recordingEventData,
  talkEventExamples,
  toolCalledData,
  toolCalledExample,
  transcriptEventData,
} from './talk-events.js';

/**
 * One event type with its description, the schema of its body, and an example: for openapi.json, docs/events.md and the
 * API.
 */
export interface CatalogueEntry<Type extends string> {
  type: Type;
  group: Type extends EventType ? EventGroup : 'schedule';
  description: string;
  /** The schema of the whole body; `schemaId` is its name in openapi.json. */
  schema: z.ZodObject;
  schemaId: string;
  example: Readonly<Record<string, unknown>>;
}

/** The schema of `data` in the body of an event, and an example of it. */
interface EventData {
  schema: z.ZodObject;
  example: Readonly<Record<string, unknown>>;
}

/** The instant and the id of the example events. */
const EXAMPLE_AT = '2026-11-21T00:00:47.000Z';
const EXAMPLE_ID = 'evt_01kakb8x6te1tr7m3qf0c9w2aq';

/** The schema and the example of `data` of every event type. */
const DATA_BY_TYPE: Record<EventType | NotificationType, EventData> = {
  ...forEachType(callEventData, callEventExamples),
  'call.tool_called': { schema: toolCalledData, example: toolCalledExample },
  'call.transcript_ready': {
    schema: transcriptEventData,
    example: talkEventExamples['call.transcript_ready'],
  },
  'call.recording_ready': { schema: recordingEventData, example: talkEventExamples['call.recording_ready'] },
  'call.summary_ready': { schema: transcriptEventData, example: talkEventExamples['call.summary_ready'] },
  'call.analysis_complete': {
    schema: analysisEventData,
    example: talkEventExamples['call.analysis_complete'],
  },
  ...forEachType(batchEventData, batchEventExamples),
  ...forEachType(scheduleNotificationData, scheduleNotificationExamples),
};

/** The event types that webhooks can subscribe to, in the order of {@link EVENT_TYPES}. */
export const EVENT_CATALOGUE: readonly CatalogueEntry<EventType>[] = Object.entries(EVENT_TYPES).map(
  ([type, { group, description }]) => entryOf(type as EventType, group, description),
);

/** The notifications that a schedule sends to its own `webhook_url`. */
export const NOTIFICATION_CATALOGUE: readonly CatalogueEntry<NotificationType>[] = Object.entries(
  NOTIFICATION_TYPES,
).map(([type, { event, description }]) => entryOf(type as NotificationType, 'schedule', description, event));

/** The example of `data` for an event type, as test deliveries send it. */
export function exampleData(type: EventType): Readonly<Record<string, unknown>> {
  return DATA_BY_TYPE[type].example;
}

/**
 * The entry of an event type, with the schema and an example of the whole body.
 * @param event the value of the body's field `event`, which only notifications of schedules have
 */
function entryOf<Type extends EventType | NotificationType>(
  type: Type,
  group: CatalogueEntry<Type>['group'],
  description: string,
  event?: string,
): CatalogueEntry<Type> {
  const { schema: data, example } = DATA_BY_TYPE[type];
  const schemaId = schemaIdOf(type);
  const body = {
    event_type: type,
    ...(event !== undefined && { event }),
    timestamp: EXAMPLE_AT,
    webhook_id: EXAMPLE_ID,
    data: example,
  };
  const schema = z
    .object({
      event_type: z.literal(type).meta({ description: 'What happened.' }),
      ...(event !== undefined && {
        event: z.literal(event).meta({ description: 'The same as a value of `webhook_events`.' }),
      }),
      timestamp: instantOut.meta({ description: 'When it happened.' }),
      webhook_id: z.string().meta({
        description: 'The id of the event, the same in every delivery of it; use it to discard duplicates.',
      }),
      data,
    })
    .meta({ id: schemaId, description, examples: [body] });
  return { type, group, description, schema, schemaId, example: body };
}

/** The name of the schema in openapi.json: `CallTranscriptReadyEvent` for `call.transcript_ready`. */
function schemaIdOf(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

/** The data of event types that share a schema. */
function forEachType<Type extends string>(
  schema: z.ZodObject,
  examples: Record<Type, Readonly<Record<string, unknown>>>,
): Record<Type, EventData> {
  const entries = Object.entries<Readonly<Record<string, unknown>>>(examples);
  return Object.fromEntries(entries.map(([type, example]) => [type, { schema, example }])) as Record<
    Type,
    EventData
  >;
}
