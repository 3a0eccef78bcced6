import { useEffect, useState } from 'preact/hooks';
import { signIn, signInProblem } from '../api/session.js';
import { useAction } from '../ui/actions.js';
import { TextField } from '../ui/form.js';

export function SignIn() {
  const [key, setKey] = useState('');
  const { run, isRunning, problem } = useAction(() => signIn(key.trim()), true);
  useEffect(() => {
    document.title = 'Sign in · Callwright';
  }, []);
  const wrong = problem?.message ?? (signInProblem.value || undefined);
  return (
    <main class="sign-in">
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <div class="brand">
          <img src="/console/icon.svg" alt="" /> Callwright
        </div>
        <h1>Sign in</h1>
        <p class="quiet">
          With an API key. The first start of the service prints one, and a link that signs in by itself.
        </p>
        <TextField
          label="API key"
          type="password"
          autocomplete="current-password"
          placeholder="cw_live_…"
          required
          value={key}
          onInput={setKey}
          wrong={wrong}
        />
        <button type="submit" class="primary" disabled={isRunning}>
          {isRunning ? 'Signing in …' : 'Sign in'}
        </button>
        <p class="quiet small">
          The key is exchanged for a session of twelve hours and is not kept in the browser. What the key may
          not do, the console cannot do either.
        </p>
      </form>
    </main>
  );
}
