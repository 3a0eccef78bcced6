// Pieces that every page is made of.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { RequestFailed } from '../api/client.js';
import type { Resource } from '../api/resource.js';
import { moment, wholeMoment, words } from './format.js';

interface PageProps {
  title: string;
  /** The page above, as `[address, name]`. */
  over?: [string, string];
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}

export function Page({ title, over, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Callwright`;
  }, [title]);
  return (
    <>
      <header class="page-head">
        <div>
          {over && (
            <Link class="over" href={over[0]}>
              ← {over[1]}
            </Link>
          )}
          <h1>{title}</h1>
          {lead && <p>{lead}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      <div class="stack">{children}</div>
    </>
  );
}

interface CardProps {
  title?: string;
  actions?: ComponentChildren;
  flush?: boolean;
  class?: string;
  children: ComponentChildren;
}

export function Card({ title, actions, flush = false, class: className = '', children }: CardProps) {
  return (
    <section class={`card ${flush ? 'flush' : ''} ${className}`}>
      {(title !== undefined || actions !== undefined) && (
        <header>
          {title !== undefined && <h2>{title}</h2>}
          {actions !== undefined && <div class="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** What a list shows that has nothing: what it would hold, and what to do next. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Loading() {
  return (
    <div class="skeleton pulse" role="status" aria-label="Loading">
      <i />
      <i />
      <i />
    </div>
  );
}

/** What went wrong, and what helps. */
export function Trouble({ problem, retry }: { problem: RequestFailed; retry?: () => void }) {
  return (
    <div class="notice bad" role="alert">
      <strong>{problem.message}</strong>
      {problem.details.length > 0 && (
        <ul>
          {problem.details.map((detail) => (
            <li key={`${detail.field}${detail.message}`}>
              {detail.field !== '' && <code>{detail.field}</code>} {detail.message}
            </li>
          ))}
        </ul>
      )}
      <span class="small">{helpWith(problem)}</span>
      {retry && (
        <div>
          <button type="button" class="small" onClick={retry}>
            Try again
          </button>
        </div>
      )}
    </div>
  );
}

function helpWith({ status, code }: RequestFailed): string {
  if (status === 403)
    return 'The key that you signed in with lacks the scope for this. Sign in with another key.';
  if (status === 429) return 'Too much was asked at once; it works again in a moment.';
  if (status >= 500) return 'This is a fault of the service; its log says more.';
  if (code === 'route_not_found') return 'This version of the service does not offer it.';
  return '';
}

/** Shows what was read, or that it is on its way, or why it is not there. */
export function Loaded<T>({
  from,
  children,
}: {
  from: Resource<T>;
  children: (data: T) => ComponentChildren;
}) {
  if (from.data !== undefined) return <>{children(from.data)}</>;
  if (from.problem) return <Trouble problem={from.problem} retry={from.reload} />;
  return <Loading />;
}

export function Moment({ at }: { at: string | null | undefined }) {
  if (!at) return <span class="quiet">–</span>;
  return (
    <time dateTime={at} title={wholeMoment(at)}>
      {moment(at)}
    </time>
  );
}

const TONES: Record<string, string> = {
  completed: 'good',
  delivered: 'good',
  active: 'good',
  healthy: 'good',
  dial: 'good',
  success: 'good',
  ok: 'good',
  failed: 'bad',
  error: 'bad',
  disabled: 'bad',
  suppressed: 'bad',
  unhealthy: 'bad',
  skip: 'bad',
  missed: 'warn',
  retrying: 'warn',
  paused: 'warn',
  skipped: 'warn',
  degraded: 'warn',
  defer: 'warn',
  warning: 'warn',
  queued: 'live',
  initiated: 'live',
  connecting: 'live',
  connected: 'live',
  ending: 'live',
  in_progress: 'live',
  pending: 'live',
};

export function Status({ of, tone }: { of: string; tone?: string }) {
  return <span class={`badge ${tone ?? TONES[of] ?? ''}`}>{words(of)}</span>;
}

export function Tile({ name, value, href }: { name: string; value: string; href?: string }) {
  const inner = (
    <>
      <span class="name">{name}</span>
      <span class="value">{value}</span>
    </>
  );
  return href === undefined ? (
    <div class="tile">{inner}</div>
  ) : (
    <Link class="tile" href={href}>
      {inner}
    </Link>
  );
}

/** Pairs of a name and what it stands for; a null leaves its pair out. */
export function Facts({ of }: { of: [string, ComponentChildren][] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name}:`}>{value}</dd>])}
    </dl>
  );
}

/** A text as it is; long ones are scrolled, by the keyboard as well. */
export function Verbatim({ label, children }: { label: string; children: string }) {
  return (
    <pre tabIndex={0} role="region" aria-label={label}>
      {children}
    </pre>
  );
}
