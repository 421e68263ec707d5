import { useEffect, useEffectEvent, useState } from "react";

/** So many times as fast as it was. */
export const speeds = [60, 600] as const;
export type Speed = (typeof speeds)[number];

export interface Player {
  isPlaying: boolean;
  speed: Speed;
  toggle: () => void;
  stop: () => void;
  setSpeed: (speed: Speed) => void;
}

interface Played {
  at: number;
  /** Milliseconds from moment to moment, the first and the last of them. */
  step: number;
  first: number;
  last: number;
  onMove: (at: number) => void;
  /** It has paused at this moment, or ended there. Whoever stops it to show another moment is not told. */
  onPause: (at: number) => void;
}

/** Lets the moment run up to the last one; from there it begins anew. */
export const usePlayer = ({ at, step, first, last, onMove, onPause }: Played): Player => {
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(speeds[0]);
  const stop = () => setPlaying(false);
  const pauseAt = (moment: number) => {
    stop();
    onPause(moment);
  };
  const next = useEffectEvent(() => {
    const moment = Math.min(last, at + step);
    if (moment > at) onMove(moment);
    if (moment >= last) pauseAt(moment);
  });
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => next(), step / speed);
    return () => clearInterval(timer);
  }, [isPlaying, speed, step]);
  return {
    isPlaying,
    speed,
    toggle: () => {
      if (isPlaying) return pauseAt(at);
      if (at >= last) onMove(first);
      setPlaying(true);
    },
    stop,
    setSpeed,
  };
};
