import { closeName } from '#kernel/input/close-name.js';
import { variablesSetBy } from '#playbook/definition/playbook-texts.js';
import { OWN_VARIABLES, singleBracesIn, variablesOf } from '#dialogue/variables.js';
import { importTool } from '#dialogue/tools/vendor-tool-import.js';
import { secretsIn } from '#dialogue/tools/templates.js';
import { isBuiltIn, validStoredTools, type HttpTool } from '#dialogue/tools/tool-definition.js';
import type { FreeForm } from '#kernel/input/free-form.js';
import { codeOf } from '#language/languages/languages.js';
import { textsOfAgent } from './agent-texts.js';
import {
  BUILT_IN,
  chooseProviders,
  configuredListingOf,
  isSpeechToSpeech,
  type KnownProviders,
} from '#providers/choose-providers.js';
import type { ProviderListing, ProviderListings } from '#providers/provider-listing.js';
import type { AgentRow, AgentWarning } from './agent.js';

/** The length at which the differences of an imported tool are cut, since they may be keys from the request. */
const MAX_DIFFERENCE_LENGTH = 64;
/** A variable that the data of most calls have: the name of the callee. */
const CALLEE_NAME_VARIABLE = 'name';

/**
 * The warnings about parts of an agent that are stored but will not work as requested, such as a provider that is not
 * configured. `Agents` shows them with every agent in the API. Two further kinds of warnings, about imported tools and
 * about secrets, are added by the routes that save agents.
 * @param options.joinsLegs true if the carrier of outbound calls can join two calls, as warm transfers need
 */
export function warningsFor(
  agent: AgentRow,
  providers: KnownProviders,
  { joinsLegs }: { joinsLegs: boolean },
): AgentWarning[] {
  const chosen = chooseProviders(agent, providers);
  const instead = providers.whenUnconfigured === 'refuse' ? 'calls are refused' : `calls use '${BUILT_IN}'`;
  const isRealtime = isSpeechToSpeech(chosen.ai, providers);
  const warnings: AgentWarning[] = chosen.substituted.map(({ field, asked }) => ({
    code: 'provider_not_configured',
    message: `${field} '${asked}' is not configured here; ${instead}.`,
  }));
  return [
    ...warnings,
    ...modelWarnings(agent, chosen.ai !== BUILT_IN),
    ...(isRealtime ? [] : voiceWarnings(agent, providers)),
    ...transferWarnings(agent, { joinsLegs, isRealtime }),
    ...(isRealtime ? [] : languageWarnings(agent, providers)),
    ...braceWarnings(agent),
    ...variableWarnings(agent),
  ];
}

/** Warnings about tools, a system prompt or talk steps without a language model that uses them. */
function modelWarnings(agent: AgentRow, hasModel: boolean): AgentWarning[] {
  const kinds = new Set(Object.values(agent.playbook?.steps ?? {}).map(({ kind }) => kind));
  const isModelUsed = hasModel && (kinds.has('talk') || agent.playbook === null);
  const why = hasModel
    ? 'an agent whose playbook has no talk step follows it alone.'
    : `calls use ai_provider '${BUILT_IN}', which follows the playbook alone.`;
  const warnings: AgentWarning[] = [];
  if (agent.tools.length > 0 && !isModelUsed && !kinds.has('tool'))
    warnings.push({ code: 'tools_not_used', message: `tools are kept, but ${why}` });
  if (agent.system_prompt && !isModelUsed)
    warnings.push({ code: 'system_prompt_not_used', message: `system_prompt is kept, but ${why}` });
  if (kinds.has('talk') && !hasModel)
    warnings.push({
      code: 'talk_without_model',
      message: `playbook has talk steps, but calls use ai_provider '${BUILT_IN}', which cannot talk; they go on with otherwise.`,
    });
  return warnings;
}

/** Warnings about warm transfers that cannot be made: the agent then apologises, or makes a cold transfer. */
function transferWarnings(
  { playbook, tools }: AgentRow,
  { joinsLegs, isRealtime }: { joinsLegs: boolean; isRealtime: boolean },
): AgentWarning[] {
  const stepFields = Object.entries(playbook?.steps ?? {}).flatMap(([name, step]) =>
    step.kind === 'transfer' && step.mode === 'warm' ? [`playbook.steps.${name}`] : [],
  );
  const toolFields = validStoredTools(tools).flatMap((tool) =>
    isBuiltIn(tool) && tool.destinations.some(({ mode }) => mode === 'warm') ? ['tools.transfer'] : [],
  );
  const obstacle = joinsLegs
    ? isRealtime && 'a speech-to-speech model hands callers over cold: nobody is asked first.'
    : 'the carrier of outbound calls cannot join two of them; callers are told that it cannot be done.';
  if (!obstacle) return [];
  return [...stepFields, ...toolFields].map((field) => ({
    code: 'warm_transfer_not_possible',
    message: `${field} is a warm transfer, but ${obstacle}`,
  }));
}

/**
 * Warnings about parts of tools in the format of Vapi or Retell that have no counterpart in our format, for the routes
 * that save agents.
 * @param tools the tools as the request has them
 */
export function carriedOverWarnings(tools: unknown): AgentWarning[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown, index) => {
    if (typeof tool !== 'object' || tool === null) return [];
    return importTool(tool as FreeForm).differences.map((difference) => ({
      code: 'tool_not_carried_over' as const,
      message: `tools[${index}] was taken over in our own shape, but for: ${difference.slice(0, MAX_DIFFERENCE_LENGTH)}.`,
    }));
  });
}

/**
 * Warnings about secrets in tools and model headers that the workspace does not have, for the routes that save agents.
 * @param secretNames the names of the workspace's secrets
 */
export function secretWarnings(
  { tools, model_settings: { headers } }: Pick<AgentRow, 'tools' | 'model_settings'>,
  secretNames: ReadonlySet<string>,
): AgentWarning[] {
  const ofTools = tools.flatMap((tool, index) => {
    const [validTool] = validStoredTools([tool]);
    if (validTool === undefined || isBuiltIn(validTool)) return [];
    const fieldTexts = [['url', validTool.url] as const, ...headersOf(validTool.headers)];
    return fieldTexts.map(([field, text]) => ({ field: `tools[${index}].${field}`, text, what: 'the tool' }));
  });
  const ofModel = headersOf(headers ?? {}).map(([field, text]) => {
    return { field: `model_settings.${field}`, text, what: 'the model' };
  });
  return [...ofTools, ...ofModel].flatMap(({ field, text, what }) =>
    secretsIn([text])
      .filter((name) => !secretNames.has(name))
      .map((name) => ({
        code: 'secret_not_known' as const,
        message: `${field} names the secret ${name}, which does not exist; ${what} fails without it.`,
      })),
  );
}

/** Headers as pairs of a field, such as `headers.authorization`, and its text. */
const headersOf = (headers: HttpTool['headers']) =>
  Object.entries(headers).map(([name, value]) => [`headers.${name}`, value] as const);

/** Warnings about texts with single braces, `{name}`, which the voice reads out as they are. */
function braceWarnings(agent: AgentRow): AgentWarning[] {
  return textsOfAgent(agent).flatMap(({ field, text }) => {
    const found = singleBracesIn(text);
    if (found === null) return [];
    return [
      {
        code: 'single_braces' as const,
        message: `${field} holds ${found}, which is read out; variables are written {{name}}.`,
      },
    ];
  });
}

/**
 * Warnings about variables whose name looks like a typo of a variable that the service, the playbook or most calls
 * fill. Any other name may come with the data of a call.
 */
function variableWarnings(agent: AgentRow): AgentWarning[] {
  const filled = new Set([...OWN_VARIABLES, ...variablesSetBy(agent.playbook), CALLEE_NAME_VARIABLE]);
  return textsOfAgent(agent).flatMap(({ field, text }) =>
    variablesOf([text]).flatMap((name) => {
      const meant = filled.has(name) ? null : closeName(name, filled);
      if (meant === null) return [];
      const message = `${field} holds {{${name}}}, which only the data of a call can fill; {{${meant}}} is close to it.`;
      return [{ code: 'variable_not_known' as const, message }];
    }),
  );
}

/**
 * Warnings about a voice that its configured provider does not have, and about a missing name of a voice that the
 * provider needs.
 */
function voiceWarnings(agent: AgentRow, providers: ProviderListings): AgentWarning[] {
  const warnings: AgentWarning[] = [];
  const voice = configuredListingOf(agent.voice_provider, providers.voice);
  if (agent.voice !== null && voice?.voices && !voice.voices.includes(agent.voice)) {
    const voiceNames = voice.voices.join(', ');
    warnings.push({
      code: 'voice_not_known',
      message: `voice '${agent.voice}' is none of '${voice.name}' (${voiceNames}); calls use its usual one.`,
    });
  }
  if (agent.voice === null && voice?.default_voice === null) {
    warnings.push({
      code: 'voice_not_known',
      message: `'${voice.name}' needs a voice to be named, and voice is empty; calls use the voice of '${BUILT_IN}'.`,
    });
  }
  return warnings;
}

/** Warnings about languages that an agent cannot speak, hear or change to. */
function languageWarnings(agent: AgentRow, providers: KnownProviders): AgentWarning[] {
  const voice = configuredListingOf(agent.voice_provider, providers.voice);
  const stt = configuredListingOf(agent.transcription_provider ?? BUILT_IN, providers.transcription);
  const spoken = languagesOf(agent);
  const warnings = spoken.flatMap((tag): AgentWarning[] => {
    const isUnknown = (listing?: ProviderListing) =>
      listing?.languages !== undefined && !listing.languages.includes(codeOf(tag));
    // The first provider of the agent that does not have the language.
    const limited = [voice, stt].find(isUnknown);
    const phraseWarnings = providers.languages.includes(codeOf(tag))
      ? []
      : [withoutPhrasesWarning(tag, providers)];
    return limited ? [notSpokenWarning(tag, limited), ...phraseWarnings] : phraseWarnings;
  });
  if (spoken.length > 1 && stt && !stt.tells_language) warnings.push(notChangedWarning(agent.language, stt));
  else if (spoken.length > 1 && agent.playbook !== null)
    warnings.push({
      code: 'language_not_changed',
      message:
        'languages are kept, but the texts of playbook are said as they are written, whatever is spoken.',
    });
  return warnings;
}

/** The agent's own language, and the others that the talk may change to. */
function languagesOf({ language, languages }: AgentRow): string[] {
  return [language, ...languages.filter((tag) => codeOf(tag) !== codeOf(language))];
}

function notSpokenWarning(tag: string, { name, languages = [] }: ProviderListing): AgentWarning {
  return {
    code: 'language_not_known',
    message:
      `language '${tag}' is kept, but '${name}' speaks and hears only: ${languages.join(', ')}. Calls read out the ` +
      `texts, and hear what callers say, as if it were that.`,
  };
}

function withoutPhrasesWarning(tag: string, { languages }: KnownProviders): AgentWarning {
  return {
    code: 'language_without_phrases',
    message:
      `language '${tag}' is kept, but the service has phrases only for: ${languages.join(', ')}. Sentences of its own ` +
      `are English, and opt-outs, goodbyes and answering machines are known by English words; LANGUAGES_DIR adds others.`,
  };
}

function notChangedWarning(language: string, { name }: ProviderListing): AgentWarning {
  return {
    code: 'language_not_changed',
    message: `languages are kept, but '${name}' does not tell which one is spoken; calls stay in '${language}'.`,
  };
}
