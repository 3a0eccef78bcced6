import type { ConversationResult } from '#conversation/talk/conversation.js';
import { TooSlowError } from '#conversation/talk/within.js';
import { ModelError } from '#dialogue/llm/language-model.js';
import { SpeechError } from '#speech/speech-error.js';
import type { EndedReason } from '#calls/record/ended-reason.js';

/** The ended reason of a call whose conversation has ended by itself, for `LiveSession`: derived from who ended it. */
export function endedReasonOf(result: ConversationResult): EndedReason {
  switch (result.end.by) {
    case 'agent':
      return 'agent_hangup';
    case 'silence':
      return 'silence_timeout';
    case 'machine':
      return 'voicemail';
    case 'transfer':
      return 'transferred';
    case 'stop':
      return 'stream_disconnected';
    case 'error':
      return isProviderFailure(result.end.error) ? 'speech_provider_error' : 'agent_error';
  }
}

/** True if a speech or model provider failed, by its own error or by a timeout. */
function isProviderFailure(error: Error): boolean {
  return error instanceof SpeechError || error instanceof ModelError || error instanceof TooSlowError;
}
