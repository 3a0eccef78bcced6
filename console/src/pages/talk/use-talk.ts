// The state of a call from the browser, as a page shows it.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TranscriptEntry } from '../../api/contract.js';
import { talkTo, type TalkSession } from './talk-session.js';

export type Talk = ReturnType<typeof useTalk>;

export function useTalk() {
  const [session, setSession] = useState<TalkSession | null>(null);
  const [callId, setCallId] = useState('');
  const [state, setState] = useState('listening');
  const [entries, setEntries] = useState<TranscriptEntry[]>([]);
  const [partial, setPartial] = useState('');
  const [ended, setEnded] = useState('');
  const [step, setStep] = useState('');
  const [toolCalls, setToolCalls] = useState(0);
  const open = useRef<TalkSession | null>(null);
  // Leaving the page hangs up.
  useEffect(() => () => open.current?.hangUp(), []);
  const begin = async (socketPath: string, withMicrophone: boolean): Promise<void> => {
    setEntries([]);
    setToolCalls(0);
    setPartial('');
    setEnded('');
    setStep('');
    const begun = await talkTo(socketPath, withMicrophone, {
      started: setCallId,
      state: setState,
      partial: setPartial,
      step: setStep,
      tool: () => setToolCalls((before) => before + 1),
      entry: (entry) => {
        setEntries((known) => [...known, entry]);
        if (entry.speaker === 'customer') setPartial('');
      },
      ended: (reason) => {
        setEnded(reason);
        setPartial('');
        setSession(null);
        open.current = null;
      },
    });
    open.current = begun;
    setSession(begun);
  };
  return { session, callId, state, entries, partial, ended, step, toolCalls, begin };
}
