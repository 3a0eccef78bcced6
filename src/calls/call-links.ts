import type { RecordingTokens } from '#access/tokens/recording-token.js';
import type { Clock } from '#kernel/time/clock.js';
import type { CallLinks } from '#calls/record/call-event-data.js';

/**
 * Makes the URLs of a call's transcript and recording, for API answers and webhook events. A recording's URL is signed:
 * it needs no credentials, and expires.
 */
export interface Links {
  /** Both URLs of a call, the recording's newly signed. */
  of(callId: string): CallLinks;
  /** A newly signed link to the audio, and its expiry in epoch milliseconds. */
  recording(callId: string): { url: string; expiresAt: number };
}

/**
 * Creates the links of the service, for the composition root (`src/app`).
 * @param options.publicUrl returns the base URL without a trailing slash, such as `https://voice.example.com`
 * @param options.ttlSeconds how long a link to a recording is valid
 */
export function createLinks(
  options: { publicUrl: () => string; ttlSeconds: number },
  parts: { clock: Clock; tokens: RecordingTokens },
): Links {
  const callUrl = (callId: string) => `${options.publicUrl()}/api/calls/${encodeURIComponent(callId)}`;
  const recording = (callId: string) => {
    const expiresAt = parts.clock.wallMs() + options.ttlSeconds * 1000;
    const token = parts.tokens.sign(callId, expiresAt);
    return { url: `${callUrl(callId)}/recording/audio?token=${token}`, expiresAt };
  };
  return {
    recording,
    of: (callId) => ({
      recordingUrl: recording(callId).url,
      transcriptUrl: `${callUrl(callId)}/transcript`,
    }),
  };
}
