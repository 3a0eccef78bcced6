// One loudspeaker for the whole call page: the waveform, the transcript and the keyboard all move the same recording.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

export type Channel = 'both' | 'person' | 'agent';

export interface Player {
  element: preact.RefObject<HTMLAudioElement>;
  isPlaying: boolean;
  positionMs: number;
  toggle(): void;
  /** Plays from here on. */
  playFrom(ms: number): void;
  seek(ms: number): void;
}

export function usePlayer(): Player {
  const element = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [positionMs, setPosition] = useState(0);

  useEffect(() => {
    const audio = element.current;
    if (audio === null) return undefined;
    let frame = 0;
    const follow = (): void => {
      setPosition(audio.currentTime * 1000);
      if (!audio.paused) frame = requestAnimationFrame(follow);
    };
    const begin = (): void => {
      setPlaying(true);
      follow();
    };
    const stop = (): void => setPlaying(false);
    audio.addEventListener('play', begin);
    audio.addEventListener('pause', stop);
    audio.addEventListener('ended', stop);
    audio.addEventListener('seeked', follow);
    return () => {
      cancelAnimationFrame(frame);
      audio.removeEventListener('play', begin);
      audio.removeEventListener('pause', stop);
      audio.removeEventListener('ended', stop);
      audio.removeEventListener('seeked', follow);
    };
  }, []);

  const moves = useMemo(
    () => ({
      toggle(): void {
        const audio = element.current;
        if (audio?.paused) void audio.play().catch(() => setPlaying(false));
        else audio?.pause();
      },
      seek(ms: number): void {
        if (element.current) element.current.currentTime = Math.max(0, ms / 1000);
        setPosition(Math.max(0, ms));
      },
      playFrom(ms: number): void {
        moves.seek(ms);
        void element.current?.play().catch(() => setPlaying(false));
      },
    }),
    [],
  );
  return { element, isPlaying, positionMs, ...moves };
}
