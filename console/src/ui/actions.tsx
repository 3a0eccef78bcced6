// What a person sets off: it shows that it is under way, says what came of it, and asks first where it cannot be undone.
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { RequestFailed } from '../api/client.js';

interface Toast {
  id: number;
  tone: 'good' | 'bad';
  text: string;
}

const TOAST_MS = 6_000;
const toasts = signal<Toast[]>([]);
let lastToast = 0;

export function say(text: string, tone: Toast['tone'] = 'good'): void {
  lastToast += 1;
  const id = lastToast;
  toasts.value = [...toasts.value.slice(-2), { id, tone, text }];
  setTimeout(() => (toasts.value = toasts.value.filter((toast) => toast.id !== id)), TOAST_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text }) => (
        <div key={id} class={`notice ${tone}`}>
          {text}
        </div>
      ))}
    </div>
  );
}

export interface Action {
  run(): void;
  isRunning: boolean;
  problem: RequestFailed | null;
}

/** Runs something that may fail. With `isQuiet`, the caller shows the problem in its own place. */
export function useAction(perform: () => Promise<string | void>, isQuiet = false): Action {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<RequestFailed | null>(null);
  const latest = useRef(perform);
  latest.current = perform;
  const run = useCallback(() => {
    setRunning(true);
    setProblem(null);
    latest
      .current()
      .then((outcome) => outcome && say(outcome))
      .catch((error: unknown) => {
        const failed =
          error instanceof RequestFailed ? error : new RequestFailed(0, 'unknown', messageOf(error));
        setProblem(failed);
        if (!isQuiet) say(failed.message, 'bad');
      })
      .finally(() => setRunning(false));
  }, [isQuiet]);
  return { run, isRunning, problem };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface ActionButtonProps {
  children: ComponentChildren;
  perform: () => Promise<string | void>;
  /** What is asked before it is done. */
  confirm?: { title: string; text: string; label: string };
  class?: string;
  disabled?: boolean;
  title?: string;
}

export function ActionButton({
  children,
  perform,
  confirm,
  class: className,
  disabled,
  title,
}: ActionButtonProps) {
  const { run, isRunning } = useAction(perform);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        class={className}
        disabled={disabled || isRunning}
        aria-busy={isRunning}
        title={title}
        onClick={() => (confirm ? setAsking(true) : run())}
      >
        {isRunning && <span class="pulse">…</span>}
        {children}
      </button>
      {isAsking && confirm && (
        <Dialog title={confirm.title} onClose={() => setAsking(false)}>
          <p>{confirm.text}</p>
          <div class="row">
            <button
              type="button"
              class="danger filled"
              onClick={() => {
                setAsking(false);
                run();
              }}
            >
              {confirm.label}
            </button>
            <button type="button" onClick={() => setAsking(false)}>
              Keep
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}

interface DialogProps {
  title: string;
  onClose: () => void;
  isWide?: boolean;
  children: ComponentChildren;
}

/** The browser's own dialog: it keeps the focus inside and closes on Escape. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} class={isWide ? 'wide' : ''} aria-label={title} onClose={onClose}>
      <div class="stack">
        <div class="row between">
          <h2>{title}</h2>
          <button type="button" class="plain" onClick={onClose} aria-label="Close">
            ✕
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}

export function CopyButton({
  text,
  class: className = 'small',
  children,
}: {
  text: string;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <ActionButton
      class={className}
      perform={async () => {
        await navigator.clipboard.writeText(text);
        return 'Copied.';
      }}
    >
      {children}
    </ActionButton>
  );
}
