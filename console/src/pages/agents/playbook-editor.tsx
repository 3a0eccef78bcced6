// A playbook as steps, with the picture beside them; or as JSON, for what the fields do not show.
import { useEffect, useState } from 'preact/hooks';
import type { ComponentType } from 'preact';
import { SelectField, TextArea, TextField } from '../../ui/form.js';
import { words } from '../../ui/format.js';
import { parseValues, writeValues } from '../../ui/values.js';
import type { DraftProps } from './agent-page.js';
import { playbookOf, write } from './agent-draft.js';
import { textOf, type Playbook } from './playbook-steps.js';

type Step = Playbook['steps'][string];

const KINDS = ['say', 'ask', 'reply', 'branch', 'set', 'transfer', 'call_back', 'suppress', 'end'];
const EXPECTATIONS = ['yes_no', 'choice', 'date', 'time', 'number', 'phone_number', 'name', 'anything'];

export function PlaybookEditor({ draft, change, problem }: DraftProps) {
  const [isJson, setJson] = useState(false);
  const playbook = playbookOf(draft.playbook);
  const [chosen, setChosen] = useState(playbook?.start ?? '');
  const Picture = usePicture();
  const wrong = problem?.details.filter(({ field }) => field.startsWith('playbook')) ?? [];
  const set = (changed: Playbook): void => change({ playbook: write(changed) });
  return (
    <div class="stack">
      <div class="row between">
        <span class="quiet">
          {playbook ? `Begins with “${playbook.start}”.` : 'The JSON is not complete yet.'} It is checked when
          it is saved.
        </span>
        <button type="button" class="small" aria-pressed={isJson} onClick={() => setJson(!isJson)}>
          Edit as JSON
        </button>
      </div>
      {wrong.length > 0 && (
        <div class="notice bad" role="alert">
          {wrong.map(({ field, message }) => (
            <span key={field + message}>
              <code>{field}</code> {message}
            </span>
          ))}
        </div>
      )}
      <div class="playbook">
        {isJson || !playbook ? (
          <TextArea
            label="Playbook"
            code
            rows={28}
            value={draft.playbook}
            onInput={(text) => change({ playbook: text })}
            wrong={playbook ? undefined : 'This is not a playbook in JSON.'}
          />
        ) : (
          <div class="stack">
            <StepList playbook={playbook} chosen={chosen} onChoose={setChosen} onChange={set} />
            {playbook.steps[chosen] && (
              <StepFields
                key={chosen}
                playbook={playbook}
                name={chosen}
                onChange={set}
                onRenamed={setChosen}
              />
            )}
          </div>
        )}
        {playbook && Picture && <Picture playbook={playbook} now={chosen} />}
      </div>
    </div>
  );
}

/** The layout of the picture is a large script: it is loaded when a picture is shown. */
function usePicture(): ComponentType<{ playbook: Playbook; now?: string }> | null {
  const [picture, setPicture] = useState<{ component: ComponentType<{ playbook: Playbook }> } | null>(null);
  useEffect(() => {
    void import('./playbook-picture.js').then(({ PlaybookPicture }) =>
      setPicture({ component: PlaybookPicture }),
    );
  }, []);
  return picture?.component ?? null;
}

interface StepListProps {
  playbook: Playbook;
  chosen: string;
  onChoose: (name: string) => void;
  onChange: (playbook: Playbook) => void;
}

function StepList({ playbook, chosen, onChoose, onChange }: StepListProps) {
  const add = (): void => {
    const name = freeName(playbook);
    onChange({ ...playbook, steps: { ...playbook.steps, [name]: { kind: 'end', text: 'Goodbye.' } } });
    onChoose(name);
  };
  return (
    <div class="stack tight">
      <ul class="step-list">
        {Object.entries(playbook.steps).map(([name, step]) => (
          <li key={name}>
            <button type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
              <span class={`kind ${step.kind}`}>{words(step.kind)}</span>
              <strong>{name}</strong>
              <span class="clip quiet">{textOf(step)}</span>
            </button>
          </li>
        ))}
      </ul>
      <div>
        <button type="button" class="small" onClick={add}>
          Add a step
        </button>
      </div>
    </div>
  );
}

interface StepFieldsProps {
  playbook: Playbook;
  name: string;
  onChange: (playbook: Playbook) => void;
  onRenamed: (name: string) => void;
}

function StepFields({ playbook, name, onChange, onRenamed }: StepFieldsProps) {
  const step = playbook.steps[name] as Step & Record<string, unknown>;
  const set = (part: Record<string, unknown>): void =>
    onChange({ ...playbook, steps: { ...playbook.steps, [name]: { ...step, ...part } } });
  const targets = Object.keys(playbook.steps).map((one): [string, string] => [one, one]);
  const text = (key: string): string => (typeof step[key] === 'string' ? step[key] : '');
  const remove = (): void => {
    const { [name]: _removed, ...steps } = playbook.steps;
    onChange({ ...playbook, steps });
    onRenamed(playbook.start);
  };
  return (
    <fieldset class="step-fields stack">
      <legend>{name}</legend>
      <div class="columns">
        <SelectField
          label="Kind"
          value={step.kind}
          onInput={(kind) => set({ kind })}
          choices={KINDS.map((kind): [string, string] => [kind, words(kind)])}
        />
        {step.kind === 'ask' && (
          <SelectField
            label="Expects"
            value={(step.expect as { kind?: string } | undefined)?.kind ?? ''}
            onInput={(kind) => set({ expect: { ...(step.expect as object | undefined), kind } })}
            choices={EXPECTATIONS.map((kind): [string, string] => [kind, words(kind)])}
          />
        )}
      </div>
      {step.kind !== 'branch' && step.kind !== 'set' && (
        <TextArea label="Says" rows={2} value={text('text')} onInput={(said) => set({ text: said })} />
      )}
      {step.kind === 'transfer' && <TextField label="To" value={text('to')} onInput={(to) => set({ to })} />}
      {step.kind === 'ask' && (
        <AnswersField answers={step.answers ?? {}} onChange={(answers) => set({ answers })} />
      )}
      <div class="columns">
        {'next' in step && (
          <SelectField
            label="Then"
            value={text('next')}
            onInput={(next) => set({ next })}
            choices={targets}
          />
        )}
        {'otherwise' in step && (
          <SelectField
            label="Otherwise"
            value={text('otherwise')}
            onInput={(otherwise) => set({ otherwise })}
            choices={targets}
          />
        )}
      </div>
      <div class="row">
        <button
          type="button"
          class="small"
          disabled={playbook.start === name}
          onClick={() => onChange({ ...playbook, start: name })}
        >
          Begin here
        </button>
        <button type="button" class="small danger" disabled={playbook.start === name} onClick={remove}>
          Remove the step
        </button>
      </div>
    </fieldset>
  );
}

/** One answer a line. What is typed is kept as it is, also while it is not yet an answer. */
function AnswersField({
  answers,
  onChange,
}: {
  answers: Record<string, string>;
  onChange: (answers: Record<string, string>) => void;
}) {
  const [text, setText] = useState(() => writeValues(answers));
  return (
    <TextArea
      label="Answers"
      rows={3}
      hint="One a line, as in “yes: kept”: the answer and the step that follows."
      value={text}
      onInput={(typed) => {
        setText(typed);
        onChange(parseValues(typed));
      }}
    />
  );
}

function freeName({ steps }: Playbook): string {
  let number = Object.keys(steps).length + 1;
  while (steps[`step_${number}`] !== undefined) number += 1;
  return `step_${number}`;
}
