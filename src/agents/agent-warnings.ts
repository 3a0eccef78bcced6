import type { AgentRow, AgentWarning } from './agent.js';

/** A provider that this house knows, and whether it can be used as it is set up. */
export interface ProviderListing {
  name: string;
  configured: boolean;
}

/** The providers that agents may name. */
export interface AgentProviders {
  ai: readonly ProviderListing[];
  voice: readonly ProviderListing[];
  transcription: readonly ProviderListing[];
}

/** What of an agent will not work as asked: any provider name is kept, but calls can only use what is configured. */
export function warningsFor(agent: AgentRow, providers: AgentProviders): AgentWarning[] {
  const named: readonly [field: string, name: string | null, known: readonly ProviderListing[]][] = [
    ['ai_provider', agent.ai_provider, providers.ai],
    ['voice_provider', agent.voice_provider, providers.voice],
    ['transcription_provider', agent.transcription_provider, providers.transcription],
  ];
  const warnings: AgentWarning[] = named
    .filter(([, name, known]) => name !== null && !isUsable(name, known))
    .map(([field, name]) => ({
      code: 'provider_not_configured',
      message: `${field} '${name}' is not configured here; calls use 'builtin'.`,
    }));
  if (agent.tools.length > 0 && agent.ai_provider === 'builtin') {
    warnings.push({
      code: 'tools_not_used',
      message: "tools are kept, but ai_provider 'builtin' follows the playbook alone.",
    });
  }
  return warnings;
}

function isUsable(name: string, known: readonly ProviderListing[]): boolean {
  return known.some((provider) => provider.name === name && provider.configured);
}
