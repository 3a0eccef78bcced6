// Which model, voice and recogniser an agent uses. A provider that is not configured can be chosen: its name says so.
import type { Schemas } from '../../api/openapi.js';
import type { Agent } from '../../api/contract.js';
import { useOperation } from '../../api/resource.js';
import { SelectField, TextArea, TextField } from '../../ui/form.js';
import type { DraftProps } from './agent-page.js';
import { VoicePreview } from './voice-preview.js';

type Provider = Schemas['Provider'];

const DEFAULT_PROVIDER = 'builtin';

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

export function VoiceFields({ draft, change, problem, agent }: DraftProps & { agent: Agent | undefined }) {
  const { voice, transcription } = useProviders();
  const provider = draft.voiceProvider || DEFAULT_PROVIDER;
  const chosen = voice.find(({ name }) => name === provider);
  const list = useOperation(chosen?.configured ? 'GET /api/providers/{name}/voices' : null, {
    path: { name: provider },
  });
  const languages = chosen?.languages ?? [];
  return (
    <div class="stack">
      <div class="columns">
        <SelectField
          label="Provider of the voice"
          value={draft.voiceProvider}
          onInput={(voiceProvider) => change({ voiceProvider, voice: '' })}
          choices={choicesOf(voice)}
          hint={missingOf(voice, draft.voiceProvider)}
          wrong={problem?.about('voice_provider')}
        />
        <ChoiceOrText
          label="Voice"
          value={draft.voice}
          choices={voiceChoices(list.data?.data ?? [])}
          onInput={(name) => change({ voice: name })}
          hint={list.problem ? `Its voices cannot be listed: ${list.problem.message}` : undefined}
          wrong={problem?.about('voice')}
        />
        <ChoiceOrText
          label="Language"
          placeholder="en-US"
          value={draft.language}
          choices={languages.map((language): [string, string] => [language, language])}
          onInput={(language) => change({ language })}
          wrong={problem?.about('language')}
        />
        <SelectField
          label="Recogniser"
          value={draft.transcriptionProvider}
          onInput={(transcriptionProvider) => change({ transcriptionProvider })}
          choices={[['', 'As the service is set'], ...choicesOf(transcription)]}
          hint={missingOf(transcription, draft.transcriptionProvider)}
          wrong={problem?.about('transcription_provider')}
        />
      </div>
      <VoicePreview draft={draft} settings={agent?.voice_settings ?? {}} />
    </div>
  );
}

function voiceChoices(voices: Schemas['VoiceList']['data']): [string, string][] {
  if (voices.length === 0) return [];
  const named = voices.map(({ id, name, language }): [string, string] => [
    id,
    language ? `${name} (${language})` : name,
  ]);
  return [['', 'Its usual one'], ...named];
}

/** A choice where it is known what there is to choose from, else a text. */
function ChoiceOrText(props: Parameters<typeof TextField>[0] & { choices: [string, string][] }) {
  return props.choices.length > 0 ? <SelectField {...props} /> : <TextField {...props} />;
}
