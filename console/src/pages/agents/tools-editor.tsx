// The tools of an agent: the fields that most need, JSON for all of it, and a try against the real server.
import { useState } from 'preact/hooks';
import { request } from '../../api/client.js';
import type { Schemas } from '../../api/openapi.js';
import { useAction } from '../../ui/actions.js';
import { SelectField, TextArea, TextField } from '../../ui/form.js';
import { Empty, Facts, Status, Trouble, Verbatim } from '../../ui/parts.js';
import { toolsOf, write } from './agent-draft.js';
import type { DraftProps } from './agent-page.js';

type Tool = Record<string, unknown>;

const NEW_TOOL: Tool = {
  name: 'find_slot',
  description: 'Free visits on a day.',
  method: 'POST',
  url: 'https://crm.example/slots',
  parameters: { type: 'object', properties: { day: { type: 'string', format: 'date' } }, required: ['day'] },
};

export function ToolsEditor({ draft, change, problem }: DraftProps) {
  const tools = toolsOf(draft.tools);
  const wrong = problem?.details.filter(({ field }) => field.startsWith('tools')) ?? [];
  const set = (changed: Tool[]): void => change({ tools: write(changed) });
  return (
    <div class="stack">
      {draft.talksBy === 'playbook' && (
        <p class="notice">Tools are for agents that talk through a language model; a playbook uses none.</p>
      )}
      {wrong.map(({ field, message }) => (
        <p key={field + message} class="notice bad">
          <code>{field}</code> {message}
        </p>
      ))}
      {tools?.length === 0 && (
        <Empty title="No tools yet">
          <p>A tool is a request to a server of yours that the model may ask for: look up a slot, book it.</p>
        </Empty>
      )}
      {tools?.map((tool, index) => (
        <ToolFields
          key={index}
          tool={tool}
          onChange={(changed) => set(tools.map((one, at) => (at === index ? changed : one)))}
          onRemove={() => set(tools.filter((_, at) => at !== index))}
        />
      ))}
      {tools && (
        <div class="row">
          <button type="button" onClick={() => set([...tools, NEW_TOOL])}>
            Add a tool
          </button>
        </div>
      )}
      <details open={tools === null}>
        <summary>All tools as JSON</summary>
        <TextArea
          label="Tools"
          code
          rows={16}
          value={draft.tools}
          onInput={(text) => change({ tools: text })}
          wrong={tools === null ? 'This is not a list in JSON.' : undefined}
        />
      </details>
    </div>
  );
}

interface ToolFieldsProps {
  tool: Tool;
  onChange: (tool: Tool) => void;
  onRemove: () => void;
}

function ToolFields({ tool, onChange, onRemove }: ToolFieldsProps) {
  const [isTrying, setTrying] = useState(false);
  const text = (key: string): string => (typeof tool[key] === 'string' ? tool[key] : '');
  const name = text('name') || text('type');
  if (typeof tool['url'] !== 'string') {
    return (
      <fieldset class="step-fields">
        <legend>{name}</legend>
        <p class="quiet">Built in; changed as JSON.</p>
      </fieldset>
    );
  }
  return (
    <fieldset class="step-fields stack">
      <legend>{name}</legend>
      <div class="columns">
        <TextField
          label="Name"
          value={text('name')}
          onInput={(changed) => onChange({ ...tool, name: changed })}
        />
        <SelectField
          label="Method"
          value={text('method') || 'POST'}
          onInput={(method) => onChange({ ...tool, method })}
          choices={['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method): [string, string] => [
            method,
            method,
          ])}
        />
        <TextField
          label="Address"
          type="url"
          value={text('url')}
          onInput={(url) => onChange({ ...tool, url })}
        />
      </div>
      <TextArea
        label="Description"
        rows={2}
        hint="What the model reads when it decides."
        value={text('description')}
        onInput={(description) => onChange({ ...tool, description })}
      />
      <div class="row">
        <button type="button" class="small" aria-expanded={isTrying} onClick={() => setTrying(!isTrying)}>
          Try it
        </button>
        <button type="button" class="small danger" onClick={onRemove}>
          Remove
        </button>
      </div>
      {isTrying && <ToolTrial tool={tool} />}
    </fieldset>
  );
}

function ToolTrial({ tool }: { tool: Tool }) {
  const [given, setGiven] = useState(() => write(exampleOf(tool)));
  const [result, setResult] = useState<Schemas['ToolTestResult'] | null>(null);
  const { run, isRunning, problem } = useAction(async () => {
    setResult(null);
    setResult(
      await request('POST /api/tools/test', {
        body: { tool, arguments: JSON.parse(given) as Record<string, unknown> },
      }),
    );
  }, true);
  return (
    <div class="stack tight">
      <TextArea
        label="Arguments"
        code
        rows={4}
        hint="As the model would give them. The server is really asked."
        value={given}
        onInput={setGiven}
      />
      <div>
        <button type="button" class="primary small" disabled={isRunning} onClick={run}>
          {isRunning ? 'Asking …' : 'Ask the server'}
        </button>
      </div>
      {problem && <Trouble problem={problem} />}
      {result && (
        <div class="stack tight">
          <Facts
            of={[
              ['Outcome', <Status key="s" of={result.status} />],
              ['Request', result.request && `${result.request.method} ${result.request.url}`],
              ['Sent', result.request?.body],
              ['Answer', result.response && `${result.response.status}`],
              ['Saved', Object.keys(result.saved).length > 0 ? JSON.stringify(result.saved) : ''],
            ]}
          />
          <p class="small quiet">What the model is given:</p>
          <Verbatim label="Result">{result.result}</Verbatim>
        </div>
      )}
    </div>
  );
}

/** Arguments that fit the tool's schema, to begin with. */
function exampleOf(tool: Tool): Record<string, unknown> {
  const { properties = {} } = (tool['parameters'] ?? {}) as {
    properties?: Record<string, { type?: string }>;
  };
  const examples: Record<string, unknown> = { number: 1, integer: 1, boolean: true, array: [], object: {} };
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = '' }]) => [name, examples[type] ?? '…']),
  );
}
