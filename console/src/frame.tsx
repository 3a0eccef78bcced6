// What stands around every page: the menu, who is signed in, and whether the stream of news is open.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { isLive } from './api/live.js';
import { session, signOut } from './api/session.js';
import { ActionButton } from './ui/actions.js';
import { Icon, type IconName } from './ui/icons.js';

const MENU: [string, string, IconName][] = [
  ['/', 'Overview', 'chart'],
  ['/talk', 'Talk', 'microphone'],
  ['/live', 'Live', 'pulse'],
  ['/calls', 'Calls', 'phone'],
  ['/agents', 'Agents', 'person'],
  ['/batches', 'Batches', 'list'],
  ['/schedules', 'Schedules', 'clock'],
  ['/numbers', 'Numbers', 'hash'],
  ['/webhooks', 'Webhooks', 'arrow'],
  ['/setup', 'Setup', 'sliders'],
];

export function Frame({ children }: { children: ComponentChildren }) {
  const [location] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    setOpen(false);
    // A reader of the screen, and the keyboard, go on where the new page begins.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
    window.scrollTo(0, 0);
  }, [location]);
  return (
    <div class="frame">
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to content
      </a>
      <div class={`side ${isOpen ? 'open' : ''}`} role="banner">
        <div class="side-top">
          <Link class="brand" href="/">
            <img src="/console/icon.svg" alt="" /> Callwright
          </Link>
          <button
            type="button"
            class="menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
          </button>
        </div>
        <nav id="menu" aria-label="Pages">
          {MENU.map(([href, name, icon]) => (
            <Link key={href} href={href} aria-current={isAt(location, href) ? 'page' : undefined}>
              <Icon name={icon} /> {name}
            </Link>
          ))}
        </nav>
        <SessionBox />
      </div>
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

function isAt(location: string, href: string): boolean {
  return href === '/' ? location === '/' : location === href || location.startsWith(`${href}/`);
}

function SessionBox() {
  const { key_name: keyName = '', workspace = '', scopes = [] } = session.value ?? {};
  return (
    <div class="side-end">
      <span title="Whether the page is told of news, or asks for them">
        <span class={`badge ${isLive.value ? 'good' : 'warn'}`}>{isLive.value ? 'Live' : 'Polling'}</span>
      </span>
      <span class="break">
        {keyName} · {workspace}
        <br />
        {scopes.join(', ')}
      </span>
      <div class="row">
        <ActionButton class="small" perform={signOut}>
          Sign out
        </ActionButton>
        <a class="button small" href="/docs">
          API
        </a>
      </div>
    </div>
  );
}
