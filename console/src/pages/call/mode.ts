// Who talks with the person of a live call, by the answers to what was asked for and by what others do meanwhile.
import { useCallback, useState } from 'preact/hooks';
import type { LiveEvents } from '../../api/contract.js';
import { useLive } from '../../api/live.js';

export type Mode = LiveEvents['call.mode']['mode'];

export function useMode(callId: string): [Mode, (mode: Mode) => void] {
  const [mode, setMode] = useState<Mode>('agent');
  const onMode = useCallback(
    (event: LiveEvents['call.mode']) => {
      if (event.call_id === callId) setMode(event.mode);
    },
    [callId],
  );
  useLive('call.mode', onMode);
  return [mode, setMode];
}
