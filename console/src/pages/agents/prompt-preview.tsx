import { useState } from 'preact/hooks';
import type { Agent } from '../../api/contract.js';
import { useOperation } from '../../api/resource.js';
import { TextField } from '../../ui/form.js';
import { count } from '../../ui/format.js';
import { Facts, Loaded, Verbatim } from '../../ui/parts.js';

/** What the model would be given for a call, with the variables filled in. */
export function PromptPreview({ agent, isChanged }: { agent: Agent; isChanged: boolean }) {
  const [values, setValues] = useState<Record<string, string>>({});
  const filled = Object.entries(values).filter(([, value]) => value !== '');
  const prompt = useOperation('GET /api/agents/{agent_id}/prompt', {
    path: { agent_id: agent.id },
    query: filled.length > 0 ? { variables: JSON.stringify(Object.fromEntries(filled)) } : {},
  });
  return (
    <div class="stack">
      {isChanged && <p class="notice">This is the saved agent; save to see your changes here.</p>}
      {agent.variables.length > 0 && (
        <div class="columns">
          {agent.variables.map((name) => (
            <TextField
              key={name}
              label={name}
              value={values[name] ?? ''}
              onInput={(value) => setValues((before) => ({ ...before, [name]: value }))}
            />
          ))}
        </div>
      )}
      <Loaded from={prompt}>
        {({ system, initial_message: greeting, tools, tokens }) => (
          <div class="stack">
            <Facts
              of={[
                ['Says first', greeting],
                [
                  'Tokens',
                  `about ${count(tokens.total)}: ${count(tokens.system)} of the prompt, ${count(tokens.tools)} of tools`,
                ],
                ['Tools', tools.map(({ name }) => name).join(', ')],
              ]}
            />
            <Verbatim label="Prompt">{system}</Verbatim>
          </div>
        )}
      </Loaded>
    </div>
  );
}
