import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { type Frame, frameOf, subjectOf } from "./pending.ts";

/** How long a change is repeated to sockets that join after it, milliseconds: their page may have been fetched before the change. */
const remembered = 5_000;

interface Change {
  message: LiveMessage;
  at: number;
}

interface PlantChanges {
  bySubject: Map<Frame["subject"], Change>;
  newestAt: number;
}

/** Recent changes by plant, without values: the next value arrives anyway. */
export interface Recent {
  add(plantId: number, message: LiveMessage): void;
  /** Changes that a joining socket may have missed, oldest first. */
  of(plantId: number): Frame[];
}

export const createRecent = (now: () => number = () => performance.now()): Recent => {
  /** Ordered by last change, oldest first. */
  const plants = new Map<number, PlantChanges>();
  const isOver = (at: number): boolean => now() - at > remembered;
  const forget = (): void => {
    for (const [plantId, { newestAt }] of plants) {
      if (!isOver(newestAt)) return;
      plants.delete(plantId);
    }
  };
  return {
    add: (plantId, message) => {
      if (message.cmd === LiveCommand.value) return;
      forget();
      const { bySubject } = plants.get(plantId) ?? { bySubject: new Map<Frame["subject"], Change>() };
      const [subject, at] = [subjectOf(message), now()];
      bySubject.delete(subject);
      bySubject.set(subject, { message, at });
      for (const [oldest, change] of bySubject) {
        if (!isOver(change.at)) break;
        bySubject.delete(oldest);
      }
      plants.delete(plantId);
      plants.set(plantId, { bySubject, newestAt: at });
    },
    of: (plantId) =>
      [...(plants.get(plantId)?.bySubject.values() ?? [])]
        .filter(({ at }) => !isOver(at))
        .map(({ message }) => frameOf(message)),
  };
};
