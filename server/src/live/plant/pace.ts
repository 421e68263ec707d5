import { LiveCommand } from "@telltale/contract/live";
import type { Frame } from "./pending.ts";
import type { Visibility } from "./visibility.ts";

/** Least time between two values of one channel, milliseconds: nobody reads faster, and a phone pays for each. */
const pause = 200;

/** What sockets that have named the same channels, and see the same, are sent: of each channel the first value at once, then the newest after each pause. */
interface Pace {
  /** Those of the frames that are sent now, and earlier ones whose pause is over and which are still seen. */
  take(frames: readonly Frame[], visibility: Visibility): readonly Frame[];
  /** Channels of which a newer value is held back. */
  heldChannels(): number[];
  readonly isHolding: boolean;
}

const createPace = (): Pace => {
  const sentAt = new Map<Frame["subject"], number>();
  const held = new Map<Frame["subject"], Frame>();
  return {
    take: (frames, { sees }) => {
      const now = performance.now();
      const isDue = ({ subject }: Frame) => now - (sentAt.get(subject) ?? Number.NEGATIVE_INFINITY) >= pause;
      const sent: Frame[] = [];
      for (const frame of frames)
        if (frame.message.cmd === LiveCommand.value) held.set(frame.subject, frame);
        else sent.push(frame);
      for (const frame of held.values()) {
        if (!isDue(frame)) continue;
        held.delete(frame.subject);
        if (!sees(frame.message)) continue;
        sentAt.set(frame.subject, now);
        sent.push(frame);
      }
      return sent;
    },
    heldChannels: () =>
      [...held.values()].flatMap(({ message }) => (message.cmd === LiveCommand.value ? [message.deviceChannelId] : [])),
    get isHolding() {
      return held.size > 0;
    },
  };
};

/** The paces of a plant's sockets. */
export interface Paces {
  /** Begins a round, and returns the pace of sockets by what they see and the key of what they have named. One that a round does not ask for ends. */
  round(): (visibility: Visibility, key: string) => Pace;
  /** Channels of which these sockets lack a newer value: one that names others now leaves its pace. */
  heldFrom(visibility: Visibility, key: string | undefined): number[];
  readonly isHolding: boolean;
}

export const createPaces = (): Paces => {
  let paces = new Map<Visibility, Map<string, Pace>>();
  return {
    round: () => {
      const before = paces;
      paces = new Map();
      return (visibility, key) => {
        const pace = before.get(visibility)?.get(key) ?? createPace();
        const ofVisibility = paces.get(visibility) ?? new Map<string, Pace>();
        paces.set(visibility, ofVisibility.set(key, pace));
        return pace;
      };
    },
    heldFrom: (visibility, key) => (key === undefined ? [] : (paces.get(visibility)?.get(key)?.heldChannels() ?? [])),
    get isHolding() {
      return paces.values().some((ofVisibility) => ofVisibility.values().some(({ isHolding }) => isHolding));
    },
  };
};
