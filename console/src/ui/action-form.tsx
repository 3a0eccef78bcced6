import type { ComponentChildren } from 'preact';
import type { Action } from './actions.js';
import { Trouble } from './parts.js';

interface ActionFormProps {
  action: Action;
  /** What the button says, and what it says while the action is under way. */
  label: string;
  runningLabel?: string;
  /** Whether the fields hold what is needed. */
  isReady: boolean;
  children: ComponentChildren;
  /** Buttons beside the first one. */
  more?: ComponentChildren;
}

/** A form that sets off one action: what went wrong above its fields, the button below them. */
export function ActionForm({
  action,
  label,
  runningLabel = label,
  isReady,
  children,
  more,
}: ActionFormProps) {
  const { run, isRunning, problem } = action;
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      {problem && <Trouble problem={problem} />}
      {children}
      <div class="row">
        <button type="submit" class="primary" disabled={isRunning || !isReady}>
          {isRunning ? runningLabel : label}
        </button>
        {more}
      </div>
    </form>
  );
}
