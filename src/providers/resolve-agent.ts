import type { Speech } from '#providers/builtin/built-in-speech.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { SpeechOutages } from '#speech/outages.js';
import type { Stt } from '#speech/stt.js';
import { sttWithFallback } from '#speech/stt-fallback.js';
import type { Tts } from '#speech/tts.js';
import type { AgentRequest, RealtimeAgent, ResolveAgent } from './agent-request.js';
import { BUILT_IN } from './choose-providers.js';
import type { ModelDialogues } from './model-dialogues.js';
import type { Voices } from './voices/voices.js';

interface ResolvingParts extends Pick<Speech, 'stt' | 'dialogue'> {
  voices: Pick<Voices, 'open'>;
  /** The agent as a speech-to-speech model; null for another. */
  openRealtimeAgent(request: AgentRequest): RealtimeAgent | null;
  modelDialogues: ModelDialogues;
  /** The recogniser of a provider; null for the built-in one. */
  sttOf(provider: string): Stt | null;
  clock: Clock;
  log: Log;
}

/** Opens the providers of a call: those that were chosen for it, and the built-in ones behind them. */
export function createAgentResolver(parts: ResolvingParts): ResolveAgent {
  const { dialogue, modelDialogues } = parts;
  const outages = new SpeechOutages(parts.clock);
  return (request) =>
    parts.openRealtimeAgent(request) ?? {
      dialogue:
        modelDialogues.openDialogue(request) ??
        dialogue(request.brief, request.playbook, {
          outside: modelDialogues.openSteps(request),
          onStep: (step) => request.observer.onStep?.(step),
        }),
      stt: openRecogniser(request, parts, outages),
      tts: openVoice(request, parts),
      voice: request.voice,
      language: request.brief.language,
    };
}

/** The recognisers of a call, in order; the built-in one is always the last. */
function openRecogniser(
  { observer, call, providers }: AgentRequest,
  { stt: builtIn, sttOf, clock, log }: ResolvingParts,
  outages: SpeechOutages,
): Stt {
  const provider = providers.transcription;
  const named = provider === BUILT_IN ? null : sttOf(provider);
  const own = { provider: BUILT_IN, account: BUILT_IN, stt: builtIn };
  const choices = named === null ? [own] : [{ provider, account: provider, stt: named }, own];
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
  // A model belongs to the provider that it was named with.
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
