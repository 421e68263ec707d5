import { useCallback, useEffect, useRef, useState } from "react";
import { openSounder, type Sounder, type Tone } from "./tones.ts";

/** The browser's sound; `isBlocked` is undefined until it is known. */
export const useSounder = (): { isBlocked: boolean | undefined; play: (tone: Tone) => void } => {
  const [isBlocked, setBlocked] = useState<boolean>();
  const sounder = useRef<Sounder>(undefined);
  useEffect(() => {
    const opened = openSounder(setBlocked);
    sounder.current = opened;
    return opened.close;
  }, []);
  const play = useCallback((tone: Tone) => sounder.current?.play(tone), []);
  return { isBlocked, play };
};

/**
 * Whether this tab is the one that sounds: of the tabs that can, the first, until it closes. Browsers have no locks on pages that were loaded
 * without TLS; there every tab sounds, because a doubled tone is better than a missing one.
 */
export const useIsSoundingTab = (name: string, canSound: boolean): boolean => {
  const [isOurs, setOurs] = useState(false);
  useEffect(() => {
    if (!canSound) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const hold = () =>
      new Promise<void>((release) => {
        if (signal.aborted) return release();
        setOurs(true);
        signal.addEventListener("abort", () => release(), { once: true });
      });
    // Rejected when it is left before its turn.
    if (isSecureContext) navigator.locks.request(name, { signal }, hold).catch(() => undefined);
    else void hold();
    return () => {
      leaving.abort();
      setOurs(false);
    };
  }, [name, canSound]);
  return isOurs;
};
