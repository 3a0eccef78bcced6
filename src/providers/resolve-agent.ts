import type { Speech } from '#providers/builtin/built-in-speech.js';
import { CallLanguage } from '#language/languages/call-language.js';
import type { Languages } from '#language/languages/languages.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { SpeechOutages } from '#speech/outages.js';
import type { Stt } from '#speech/stt.js';
import { sttWithFallback } from '#speech/stt-fallback.js';
import type { Tts } from '#speech/tts.js';
import type { AgentRequest, RealtimeAgent, ResolveAgent } from './agent-request.js';
import { BUILT_IN } from './choose-providers.js';
import type { ModelDialogues } from './model-dialogues.js';
import type { Voices } from './voices/voices.js';

interface ResolvingParts extends Pick<Speech, 'stt' | 'dialogue'> {
  voices: Pick<Voices, 'open'>;
  /** Opens the agent as a speech-to-speech model; null for other models. */
  openRealtimeAgent(request: AgentRequest): RealtimeAgent | null;
  modelDialogues: ModelDialogues;
  /** The recogniser of a provider; null for the built-in one. */
  sttOf(provider: string): Stt | null;
  /** Recognisers that are out of use at present. */
  outages: SpeechOutages;
  languages: Languages;
  clock: Clock;
  log: Log;
}

/** Opens the providers of a call: the chosen ones, with the built-in ones as fallbacks. */
export function createAgentResolver(parts: ResolvingParts): ResolveAgent {
  const { dialogue, modelDialogues } = parts;
  return (asked) => {
    const language = new CallLanguage(parts.languages, asked.brief.language, asked.otherLanguages);
    const request = { ...asked, brief: { ...asked.brief, spoken: language } };
    return (
      parts.openRealtimeAgent(request) ?? {
        dialogue:
          modelDialogues.openDialogue(request) ??
          dialogue(request.brief, request.playbook, {
            context: modelDialogues.openSteps(request),
            onStep: (step) => request.observer.onStep?.(step),
          }),
        stt: openRecogniser(request, parts),
        tts: openVoice(request, parts),
        voice: request.voice,
        language,
      }
    );
  };
}

/**
 * The recognisers of a call, in order, ending with the built-in one unless it is named earlier. Unusable ones are
 * skipped.
 */
function openRecogniser(
  { observer, call, providers, recogniserFallbacks }: AgentRequest,
  { stt: builtIn, sttOf, outages, clock, log }: ResolvingParts,
): Stt {
  const named = [providers.transcription, ...recogniserFallbacks.map(({ provider }) => provider), BUILT_IN];
  const choices = [...new Set(named)].flatMap((provider) => {
    const stt = provider === BUILT_IN ? builtIn : sttOf(provider);
    if (stt === null)
      log.warn({ provider, call_id: call.callId }, 'a recogniser cannot be used; the call does without');
    return stt === null ? [] : [{ provider, account: provider, stt }];
  });
  return sttWithFallback(choices, {
    clock,
    outages,
    log: log.child({ call_id: call.callId }),
    onHearing: (report) => observer.onHearing?.(report),
    onReplaced: ({ inUtterance: inSentence, ...replaced }) =>
      observer.onReplaced?.({ leg: 'hearing', ...replaced, inSentence }),
  });
}

function openVoice(request: AgentRequest, { voices, log }: ResolvingParts): Tts {
  const { providers, voice, voiceSettings, voiceFallbacks, observer, call } = request;
  // A model is only valid for the provider that it was named with.
  const { model: _model, ...shared } = voiceSettings;
  const choices = [
    { provider: providers.voice, voice, settings: voiceSettings },
    ...voiceFallbacks.map((fallback) => ({ ...fallback, settings: shared })),
  ];
  return voices.open(choices, {
    log: log.child({ call_id: call.callId }),
    onVoice: (report) => observer.onVoice?.(report),
    onReplaced: (replaced) => observer.onReplaced?.(replaced),
  });
}
