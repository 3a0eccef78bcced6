import { z } from 'zod';
import { readNcco } from '#test/support/markup-reader-json.js';

/** An NCCO that Vonage would refuse. */
export class NccoError extends Error {
  override readonly name = 'NccoError';
}

const talk = z.object({ action: z.literal('talk'), text: z.string() });
const socket = z.object({
  type: z.literal('websocket'),
  uri: z.string(),
  'content-type': z.literal('audio/l16;rate=16000'),
  headers: z.record(z.string(), z.string()),
});
const phone = z.object({ type: z.literal('phone'), number: z.string() });
const connect = z.object({
  action: z.literal('connect'),
  from: z.string().optional(),
  eventUrl: z.tuple([z.url()]).optional(),
  eventType: z.literal('synchronous').optional(),
  endpoint: z.tuple([z.discriminatedUnion('type', [socket, phone])]),
});
const actions = z.array(z.discriminatedUnion('action', [talk, connect]));

export type NccoAction = z.output<typeof actions>[number];

/** Reads an NCCO strictly. @throws NccoError */
export function readActions(body: string): NccoAction[] {
  try {
    readNcco(body);
    return actions.parse(JSON.parse(body));
  } catch (error) {
    throw new NccoError(`Syntax error in NCCO: ${String(error)}`);
  }
}
