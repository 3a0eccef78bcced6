import { useEffect } from 'preact/hooks';
import { useOperation } from '../api/resource.js';
import { SelectField } from './form.js';

interface AgentFieldProps {
  value: string;
  onInput: (agentId: string) => void;
  wrong?: string | undefined;
  disabled?: boolean;
}

/** The active agents; the default one is chosen until another is, else one that can talk as it is. */
export function AgentField({ value, onInput, wrong, disabled }: AgentFieldProps) {
  const { data } = useOperation('GET /api/agents', { query: { limit: 100 } });
  const agents = (data?.data ?? []).filter(({ status }) => status === 'active');
  const ready = agents.find(
    ({ warnings }) => !warnings.some(({ code }) => code === 'provider_not_configured'),
  );
  const first = (agents.find(({ is_default: isDefault }) => isDefault) ?? ready ?? agents[0])?.id;
  useEffect(() => {
    if (value === '' && first !== undefined) onInput(first);
  }, [value, first]);
  return (
    <SelectField
      label="Agent"
      value={value}
      onInput={onInput}
      wrong={wrong}
      disabled={disabled}
      choices={agents.map(({ id, name }): [string, string] => [id, name])}
    />
  );
}
