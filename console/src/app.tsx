// Which page stands at which address. Each page is a script of its own, loaded when it is opened first.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Route, Router, Switch } from 'wouter-preact';
import { session } from './api/session.js';
import { openLive } from './api/live.js';
import { Frame } from './frame.js';
import { SignIn } from './pages/sign-in.js';
import { Toasts } from './ui/actions.js';
import { Empty, Loading, Page } from './ui/parts.js';

export interface PageProps {
  params: Record<string, string | undefined>;
}

type LoadPage = () => Promise<ComponentType<PageProps>>;

/** Addresses below `/console`, the more particular before the more general. */
const PAGES: [string, LoadPage][] = [
  ['/', async () => (await import('./pages/overview/overview-page.js')).OverviewPage],
  ['/calls', async () => (await import('./pages/calls/calls-page.js')).CallsPage],
  ['/calls/new', async () => (await import('./pages/calls/new-call-page.js')).NewCallPage],
  ['/calls/:id', async () => (await import('./pages/call/call-page.js')).CallPage],
  ['/talk', async () => (await import('./pages/talk/talk-page.js')).TalkPage],
  ['/live', async () => (await import('./pages/live/live-page.js')).LivePage],
  ['/agents', async () => (await import('./pages/agents/agents-page.js')).AgentsPage],
  ['/agents/:id', async () => (await import('./pages/agents/agent-page.js')).AgentPage],
  ['/batches', async () => (await import('./pages/batches/batches-page.js')).BatchesPage],
  ['/batches/new', async () => (await import('./pages/batches/new-batch-page.js')).NewBatchPage],
  ['/batches/:id', async () => (await import('./pages/batches/batch-page.js')).BatchPage],
  ['/schedules', async () => (await import('./pages/schedules/schedules-page.js')).SchedulesPage],
  ['/schedules/new', async () => (await import('./pages/schedules/new-schedule-page.js')).NewSchedulePage],
  ['/schedules/:id', async () => (await import('./pages/schedules/schedule-page.js')).SchedulePage],
  ['/numbers', async () => (await import('./pages/numbers/numbers-page.js')).NumbersPage],
  ['/numbers/:number', async () => (await import('./pages/numbers/number-page.js')).NumberPage],
  ['/webhooks', async () => (await import('./pages/webhooks/webhooks-page.js')).WebhooksPage],
  ['/webhooks/deliveries/:id', async () => (await import('./pages/webhooks/delivery-page.js')).DeliveryPage],
  ['/webhooks/:id', async () => (await import('./pages/webhooks/webhook-page.js')).WebhookPage],
  ['/setup', async () => (await import('./pages/setup/setup-page.js')).SetupPage],
  ['/setup/:part', async () => (await import('./pages/setup/setup-page.js')).SetupPage],
];

export function App() {
  return (
    <>
      <Content />
      <Toasts />
    </>
  );
}

function Content() {
  if (session.value === undefined) return <Loading />;
  if (session.value === null) return <SignIn />;
  return (
    <Router base="/console">
      <SignedIn />
    </Router>
  );
}

function SignedIn() {
  useEffect(() => openLive(), []);
  return (
    <Frame>
      <Switch>
        {PAGES.map(([path, load]) => (
          <Route key={path} path={path}>
            {(params) => <Lazy key={path} load={load} params={decode(params)} />}
          </Route>
        ))}
        <Route>
          <Page title="Not found">
            <Empty title="There is no such page">
              <p>The address may be mistyped. The pages of the console are in the menu.</p>
            </Empty>
          </Page>
        </Route>
      </Switch>
    </Frame>
  );
}

/** Numbers begin with a plus, which stands encoded in an address. */
function decode(params: PageProps['params']): PageProps['params'] {
  return Object.fromEntries(
    Object.entries(params).map(([name, value = '']) => {
      try {
        return [name, decodeURIComponent(value)];
      } catch {
        return [name, value];
      }
    }),
  );
}

const loaded = new Map<LoadPage, ComponentType<PageProps>>();

function Lazy({ load, params }: { load: LoadPage; params: PageProps['params'] }) {
  const [, render] = useState(0);
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (loaded.has(load)) return;
    load()
      .then((component) => {
        loaded.set(load, component);
        render((count) => count + 1);
      })
      .catch(() => setFailed(true));
  }, [load]);
  const Component = loaded.get(load);
  // Another call or batch is another page: nothing of the one before may stay.
  if (Component) return <Component key={Object.values(params).join('/')} params={params} />;
  if (!hasFailed) return <Loading />;
  return (
    <Empty title="This page could not be loaded">
      <p>The service may have been updated meanwhile, or it cannot be reached.</p>
      <button type="button" class="primary" onClick={() => location.reload()}>
        Load again
      </button>
    </Empty>
  );
}
