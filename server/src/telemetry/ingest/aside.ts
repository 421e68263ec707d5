import { familyOf, type Queue } from "./queue.ts";
import type { Submission } from "./submission.ts";

/**
 * Where a lane of a database in parts sets messages aside that cannot be written although its own server answers: a sub-device, or an alarm whose gate they
 * turn, may be kept elsewhere than the master. The families of such messages wait there, each in its order, and the lane goes on with the others.
 */
export interface Beside {
  lane: {
    take(submission: Submission): void;
    /** Whether nothing waits there or is written. */
    isIdle(): boolean;
  };
  /** Whether a message needs other servers, too. */
  reachesBeyond(submission: Submission): boolean;
}

/** The messages of a lane that are set aside. */
interface Aside {
  /** Whether the messages of a family are set aside: until all that are have been written. */
  has(family: number | undefined): boolean;
  /** Takes a message of such a family. */
  take(submission: Submission): boolean;
  /** Takes those of a failed batch that need other servers, and with them the same families' that are queued behind; returns the others. */
  setAside(failed: readonly Submission[]): readonly Submission[];
}

/** Creates the place for what a lane sets aside; without a lane beside it nothing is. */
export const createAside = (queue: Queue, beside: Beside | undefined): Aside => {
  const families = new Set<number | undefined>();
  const isAside = (submission: Submission): boolean => families.has(familyOf(submission));
  const has = (family: number | undefined): boolean => {
    if (families.size > 0 && beside?.lane.isIdle()) families.clear();
    return families.has(family);
  };
  return {
    has,
    take: (submission) => {
      if (!beside || !has(familyOf(submission))) return false;
      beside.lane.take(submission);
      return true;
    },
    setAside: (failed) => {
      const reaching = beside ? failed.filter(beside.reachesBeyond) : [];
      if (!beside || reaching.length === 0) return failed;
      for (const submission of reaching) families.add(familyOf(submission));
      for (const submission of [...failed.filter(isAside), ...queue.remove(isAside)]) beside.lane.take(submission);
      return failed.filter((submission) => !isAside(submission));
    },
  };
};
