import type { BuiltInSpeech } from '#providers/builtin/built-in-speech.js';
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

/** The dependencies of {@link createAgentResolver}. */
interface AgentResolverParts extends Pick<BuiltInSpeech, 'stt' | 'dialogue'> {
  voices: Pick<Voices, 'open'>;
  /** Opens the agent as a speech-to-speech model; null for other models. */
  openRealtimeAgent(request: AgentRequest): RealtimeAgent | null;
  modelDialogues: ModelDialogues;
  /** The recogniser of a provider; null for the built-in one. */
  sttOf(provider: string): Stt | null;
  /** The recognisers that are currently out of use. */
  outages: SpeechOutages;
  languages: Languages;
  clock: Clock;
  log: Log;
}

/**
 * Returns the function that opens the agent of a call: a speech-to-speech model if the agent has one, else a
 * recogniser, a dialogue manager (language model or playbook) and a voice. The composition root makes the function; the
 * module `calls` calls it when a call has audio. Recogniser and voice fall back to the built-in ones, so that the call
 * goes on when their vendor fails.
 */
export function createAgentResolver(parts: AgentResolverParts): ResolveAgent {
  const { dialogue, modelDialogues } = parts;
  return (agentRequest) => {
    // One object for the whole call: when the caller changes the language, dialogue, recogniser and voice all see it.
    const language = new CallLanguage(
      parts.languages,
      agentRequest.brief.language,
      agentRequest.otherLanguages,
    );
    const request = { ...agentRequest, brief: { ...agentRequest.brief, spoken: language } };
    return (
      parts.openRealtimeAgent(request) ?? {
        dialogue:
          modelDialogues.openDialogue(request) ??
          dialogue(request.brief, request.playbook, {
            context: modelDialogues.openSteps(request),
            onStep: (step) => request.observer.onStep?.(step),
          }),
        stt: openStt(request, parts),
        tts: openTts(request, parts),
        voice: request.voice,
        language,
      }
    );
  };
}

/**
 * A recogniser that tries the recognisers of a call in order: the chosen recogniser, the agent's fallbacks, and last
 * the built-in recogniser, unless it is named earlier. Recognisers that cannot be used are skipped, with a warning.
 */
function openStt(
  { observer, call, providers, recogniserFallbacks }: AgentRequest,
  { stt: builtIn, sttOf, outages, clock, log }: AgentResolverParts,
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
    // Recognisers and voices share one report, in which the interrupted utterance or sentence is `inSentence`.
    onReplaced: ({ inUtterance: inSentence, ...replaced }) =>
      observer.onReplaced?.({ leg: 'hearing', ...replaced, inSentence }),
  });
}

/** A voice that tries the chosen voice, then the agent's fallbacks, then the built-in one (which `Voices` adds). */
function openTts(request: AgentRequest, { voices, log }: AgentResolverParts): Tts {
  const { providers, voice, voiceSettings, voiceFallbacks, observer, call } = request;
  // The model belongs to the chosen provider; speed and the other settings hold for the fallbacks too.
  const { model: _model, ...settingsForFallbacks } = voiceSettings;
  const choices = [
    { provider: providers.voice, voice, settings: voiceSettings },
    ...voiceFallbacks.map((fallback) => ({ ...fallback, settings: settingsForFallbacks })),
  ];
  return voices.open(choices, {
    log: log.child({ call_id: call.callId }),
    onVoice: (report) => observer.onVoice?.(report),
    onReplaced: (replaced) => observer.onReplaced?.(replaced),
  });
}
