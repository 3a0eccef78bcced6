// Which model, voice and recogniser an agent uses. A provider that is not configured can be chosen: its name says so.
import type { Schemas } from '../../api/openapi.js';
import { useOperation } from '../../api/resource.js';
import { SelectField, TextArea, TextField } from '../../ui/form.js';
import type { DraftProps } from './agent-page.js';

type Provider = Schemas['Provider'];

function useProviders(): Schemas['Providers'] {
  const { data } = useOperation('GET /api/providers');
  return data ?? { ai: [], voice: [], transcription: [], telephony: [], storage: [] };
}

function choicesOf(providers: Provider[]): [string, string][] {
  return providers.map(({ name, configured }) => [name, configured ? name : `${name} (not configured)`]);
}

/** What must be set for a provider; undefined when it can be used. */
function missingOf(providers: Provider[], name: string): string | undefined {
  const provider = providers.find((one) => one.name === name);
  if (!provider || provider.configured) return undefined;
  return `Not configured: ${(provider.missing ?? []).join(', ') || 'see docs/providers.md'}.`;
}

export function ModelFields({ draft, change, problem }: DraftProps) {
  const { ai } = useProviders();
  const model = ai.find(({ name }) => name === draft.aiProvider)?.default_model;
  return (
    <div class="stack">
      <TextArea
        label="Prompt"
        rows={14}
        placeholder="You are the receptionist of a clinic. Find out which visit the caller wants, and on which day; it is {{weekday}}, {{today}}."
        hint="What the model is told, after a few rules for the telephone. Opt-outs, goodbyes and requests for a person are understood without it."
        value={draft.systemPrompt}
        onInput={(systemPrompt) => change({ systemPrompt })}
        wrong={problem?.about('system_prompt')}
      />
      <div class="columns">
        <SelectField
          label="Provider of the model"
          value={draft.aiProvider}
          onInput={(aiProvider) => change({ aiProvider })}
          choices={choicesOf(ai)}
          hint={missingOf(ai, draft.aiProvider)}
          wrong={problem?.about('ai_provider')}
        />
        <TextField
          label="Model"
          value={draft.model}
          placeholder={model ?? ''}
          onInput={(name) => change({ model: name })}
          wrong={problem?.about('model')}
        />
        <TextField
          label="Temperature"
          type="number"
          min="0"
          max="2"
          hint="Low is steady, high is varied; empty is the model’s own."
          value={draft.temperature}
          onInput={(temperature) => change({ temperature })}
          wrong={problem?.about('model_settings.temperature')}
        />
      </div>
    </div>
  );
}

export function VoiceFields({ draft, change, problem }: DraftProps) {
  const { voice, transcription } = useProviders();
  const chosen = voice.find(({ name }) => name === draft.voiceProvider);
  const voices = chosen?.voices ?? [];
  const languages = chosen?.languages ?? [];
  return (
    <div class="columns">
      <SelectField
        label="Provider of the voice"
        value={draft.voiceProvider}
        onInput={(voiceProvider) => change({ voiceProvider, voice: '' })}
        choices={choicesOf(voice)}
        hint={missingOf(voice, draft.voiceProvider)}
        wrong={problem?.about('voice_provider')}
      />
      {voices.length > 0 ? (
        <SelectField
          label="Voice"
          value={draft.voice}
          onInput={(name) => change({ voice: name })}
          choices={[['', 'Its first one'], ...voices.map((name): [string, string] => [name, name])]}
          wrong={problem?.about('voice')}
        />
      ) : (
        <TextField
          label="Voice"
          value={draft.voice}
          onInput={(name) => change({ voice: name })}
          wrong={problem?.about('voice')}
        />
      )}
      {languages.length > 0 ? (
        <SelectField
          label="Language"
          value={draft.language}
          onInput={(language) => change({ language })}
          choices={languages.map((language): [string, string] => [language, language])}
          wrong={problem?.about('language')}
        />
      ) : (
        <TextField
          label="Language"
          placeholder="en-US"
          value={draft.language}
          onInput={(language) => change({ language })}
          wrong={problem?.about('language')}
        />
      )}
      <SelectField
        label="Recogniser"
        value={draft.transcriptionProvider}
        onInput={(transcriptionProvider) => change({ transcriptionProvider })}
        choices={[['', 'As the service is set'], ...choicesOf(transcription)]}
        hint={missingOf(transcription, draft.transcriptionProvider)}
        wrong={problem?.about('transcription_provider')}
      />
    </div>
  );
}
