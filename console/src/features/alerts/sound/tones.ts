import type { AlertPriority } from "@telltale/contract/domains/alerts";

/** A tone: that of a priority, or of a lost live connection. */
export type Tone = AlertPriority | "lost";

/** One sound of a tone, at seconds from its start. */
interface Pulse {
  hertz: number;
  at: number;
  seconds: number;
}

const pulses = (hertz: readonly number[], seconds: number, pause: number): Pulse[] =>
  hertz.map((each, index) => ({ hertz: each, at: index * (seconds + pause), seconds }));

/** Told apart by rhythm and number as well as by pitch: five quick, three, one; falling and long when Live is lost. */
const tones: Readonly<Record<Tone, readonly Pulse[]>> = {
  1: pulses([784, 784, 784, 988, 988], 0.14, 0.1),
  2: pulses([659, 659, 659], 0.2, 0.16),
  3: pulses([523], 0.4, 0),
  lost: pulses([440, 330], 0.5, 0.06),
};

const volume = 0.4;
/** Seconds in which a sound swells and fades: without them it clicks. */
const ramp = 0.02;
/** Seconds between two tones. */
const pause = 0.3;

/** Delay in milliseconds after which a context that still does not run counts as blocked. */
const patience = 500;

export interface Sounder {
  /** Plays a tone, after those that still sound. */
  play: (tone: Tone) => void;
  close: () => void;
}

/**
 * Opens the browser's sound. Browsers allow it only after the user has clicked or typed in the page: `onState` says whether it is blocked, and any
 * click or key allows it.
 */
export const openSounder = (onState: (isBlocked: boolean) => void): Sounder => {
  const context = new AudioContext();
  const gone = new AbortController();
  const { signal } = gone;
  let freeAt = 0;

  const isRunning = () => context.state === "running";
  const report = () => onState(!isRunning());
  const allow = () => {
    // Stays pending while the browser refuses; the next gesture asks again.
    if (!isRunning()) void context.resume().catch(() => undefined);
  };
  const timer = setTimeout(report, patience);
  context.addEventListener("statechange", report, { signal });
  for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, allow, { signal, capture: true });
  allow();

  const sound = ({ hertz, at, seconds }: Pulse, start: number): void => {
    const oscillator = new OscillatorNode(context, { type: "triangle", frequency: hertz });
    const gain = new GainNode(context, { gain: 0 });
    const from = start + at;
    const to = from + seconds;
    gain.gain.setValueAtTime(0, from);
    gain.gain.linearRampToValueAtTime(volume, from + ramp);
    gain.gain.setValueAtTime(volume, to - ramp);
    gain.gain.linearRampToValueAtTime(0, to);
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(from);
    oscillator.stop(to);
  };

  return {
    play: (tone) => {
      const start = Math.max(context.currentTime, freeAt);
      for (const pulse of tones[tone]) {
        sound(pulse, start);
        freeAt = start + pulse.at + pulse.seconds + pause;
      }
    },
    close: () => {
      clearTimeout(timer);
      gone.abort();
      void context.close();
    },
  };
};
