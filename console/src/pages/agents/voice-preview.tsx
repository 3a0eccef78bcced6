// How an agent sounds, before anybody is called with it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { requestFile } from '../../api/client.js';
import type { Agent } from '../../api/contract.js';
import { useAction } from '../../ui/actions.js';
import { TextField } from '../../ui/form.js';
import { Trouble } from '../../ui/parts.js';
import type { AgentDraft } from './agent-draft.js';

const USUAL_SENTENCE = 'Good morning, this is the clinic. How can I help you?';

interface VoicePreviewProps {
  draft: AgentDraft;
  settings: Agent['voice_settings'];
}

export function VoicePreview({ draft, settings }: VoicePreviewProps) {
  const [text, setText] = useState(() => spoken(draft.initialMessage) || USUAL_SENTENCE);
  const { play, isPlaying, stop } = useSound();
  const hear = useAction(async () => {
    const { voiceProvider, voice, language } = draft;
    const sound = await requestFile('POST /api/voices/preview', {
      body: {
        text,
        voice: voice === '' ? null : voice,
        voice_settings: settings,
        ...(voiceProvider === '' ? {} : { voice_provider: voiceProvider }),
        ...(language === '' ? {} : { language }),
      },
    });
    await play(sound);
  }, true);
  return (
    <div class="stack tight">
      <div class="row hear">
        <TextField label="Hear it say" value={text} onInput={setText} wrong={hear.problem?.about('text')} />
        <button
          type="button"
          disabled={hear.isRunning || text.trim() === ''}
          onClick={isPlaying ? stop : hear.run}
        >
          {hear.isRunning ? 'Speaking …' : isPlaying ? '■ Stop' : '▶ Hear it'}
        </button>
      </div>
      <span class="small quiet">As callers would hear it on the telephone.</span>
      {hear.problem && <Trouble problem={hear.problem} />}
    </div>
  );
}

/** A text with its variables as they are read out where nothing is known: `{{name|there}}` is “there”. */
function spoken(text: string): string {
  return text.replaceAll(/\{\{[^}|]*\|?([^}]*)\}\}/g, '$1').trim();
}

function useSound() {
  const [isPlaying, setPlaying] = useState(false);
  const audio = useRef<HTMLAudioElement | null>(null);
  const stop = (): void => {
    if (audio.current === null) return;
    audio.current.pause();
    URL.revokeObjectURL(audio.current.src);
    audio.current = null;
    setPlaying(false);
  };
  useEffect(() => stop, []);
  const play = async (sound: Blob): Promise<void> => {
    stop();
    const element = new Audio(URL.createObjectURL(sound));
    audio.current = element;
    element.addEventListener('ended', stop);
    setPlaying(true);
    await element.play();
  };
  return { play, stop, isPlaying };
}
