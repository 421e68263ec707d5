import { LiveCommand, type LiveMessage } from "@telltale/contract/live";
import { type Frame, frameOf, subjectOf } from "./pending.ts";

/** For so long a change is told to those who join after it, milliseconds: what they show was asked for before they listened. */
const remembered = 5_000;

interface Change {
  message: LiveMessage;
  at: number;
}

interface PlantChanges {
  bySubject: Map<Frame["subject"], Change>;
  newestAt: number;
}

/** The changes of the last moments, by plant; values are no changes, the next one comes anyway. */
export interface Recent {
  add(plantId: number, message: LiveMessage): void;
  /** What somebody who joins now may have missed, oldest first. */
  of(plantId: number): Frame[];
}

export const createRecent = (now: () => number = () => performance.now()): Recent => {
  /** The plant that was changed last comes last. */
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
