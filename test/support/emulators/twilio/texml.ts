import { z } from 'zod';
import { ApiError } from './api-errors.js';

/** The corresponding codes of Telnyx's error catalogue. */
const CODES: Readonly<Record<number, string>> = {
  20003: '10009',
  20404: '10005',
  20429: '10011',
  20500: '10007',
  21211: '10002',
};

/**
 * The body of `POST /v2/texml/Accounts/{account}/Calls` as the service sends it. Source: Telnyx's Node library
 * 7.24.0.
 */
const texmlOrder = z.strictObject({
  ApplicationSid: z.string().min(1),
  To: z.string(),
  From: z.string(),
  Url: z.string(),
  UrlMethod: z.enum(['GET', 'POST']).default('GET'),
  StatusCallback: z.string(),
  StatusCallbackMethod: z.enum(['GET', 'POST']).default('POST'),
  StatusCallbackEvent: z.string(),
  Timeout: z.int().min(5).max(120),
  MachineDetection: z.enum(['Enable', 'Disable', 'DetectMessageEnd']).optional(),
  AsyncAmd: z.boolean().optional(),
  AsyncAmdStatusCallback: z.string().optional(),
  AsyncAmdStatusCallbackMethod: z.enum(['GET', 'POST']).optional(),
});

/** Converts a place request to the emulator's form. @throws ApiError */
export function readTexmlOrder(body: unknown): URLSearchParams {
  const parsed = texmlOrder.safeParse(body);
  if (!parsed.success) throw new ApiError(422, 21_200, parsed.error.issues[0]!.message);
  const { UrlMethod, ...order } = parsed.data;
  const known = Object.entries({ ...order, Method: UrlMethod }).filter(([, value]) => value !== undefined);
  return new URLSearchParams(known.map(([name, value]): [string, string] => [name, String(value)]));
}

export function texmlError({ code, message }: ApiError): object {
  const pointer = code === 21_211 ? { source: { pointer: '/To' } } : {};
  return { errors: [{ code: CODES[code] ?? '10015', title: message, detail: message, ...pointer }] };
}
