import { plainReason } from "../../platform/log.ts";
import { serverCount, serverOf } from "../../readings/index.ts";
import type { KnownDevice } from "../devices/known-device.ts";
import { ownerOf } from "./backlog.ts";
import { type Beside, createLane, type Lane, type LaneNeeds } from "./lane.ts";
import type { Submission } from "./submission.ts";

/**
 * Number of concurrent batches on each server that keeps readings: while the database works on one, the next is evaluated. A server that is lost thus
 * holds up only its own devices.
 */
const lanesPerServer = 2;

/** Duration from which a batch is reported as slow, milliseconds. Devices over HTTP time out a little later. */
const slowFrom = 3_000;

const checkLanes = (lanes: readonly Lane[], asides: readonly Lane[]): string | undefined => {
  const states = lanes.map((lane) => lane.health());
  const [failed] = [...states, ...asides.map((lane) => lane.health())].filter(({ fault }) => fault !== undefined);
  const servers = new Set(
    states.flatMap(({ fault }, lane) => (fault === undefined ? [] : [Math.floor(lane / lanesPerServer)])),
  );
  if (failed) {
    const why = plainReason(failed.fault);
    if (servers.size === serverCount()) throw new Error(`Readings are not stored: ${why}`);
    return `readings of some devices are not stored: ${why}`;
  }
  const took = Math.max(...states.map((state) => state.took));
  return took > slowFrom ? `slow: the database takes ${(took / 1000).toFixed(1)} s for a batch of readings` : undefined;
};

/** Whether a message is kept, or turns alarms, on another server than this one, too. */
const reachesBeyond =
  (server: number) =>
  ({ devices }: Submission): boolean =>
    devices.some(({ deviceId, gated }) => [deviceId, ...gated].some((id) => serverOf(id) !== server));

/** The lanes of a writer. */
export interface Lanes {
  /** The lane of a device. A master and its sub-devices share one, since a message may concern all of them: this keeps the order per device. */
  of(device: KnownDevice | undefined): Lane;
  all: readonly Lane[];
  /** Runs `work` between two batches, so that no lane writes meanwhile. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Throws while readings cannot be stored; returns a message when those of some devices cannot, or storing them is slow. */
  check(): string | undefined;
}

const withAll =
  (lanes: readonly Lane[]): Lanes["exclusively"] =>
  async (work) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const hold = (lane: Lane) =>
      new Promise<void>((resolve) =>
        lane.between(() => {
          resolve();
          return released;
        }),
      );
    // Requested from every lane in the same turn, so that two callers never hold one lane each.
    await Promise.all(lanes.map(hold));
    try {
      return await work();
    } finally {
      release();
    }
  };

/** Creates the lanes of every server that keeps readings; in a database in parts each with one beside it for families that are kept on several. */
export const createLanes = (needs: LaneNeeds): Lanes => {
  const { backlog } = needs;
  const asides: Lane[] = [];
  const besideOf = (server: number): Beside => {
    const lane = createLane({ ...needs, backlog: { ...backlog, add: backlog.addAside } });
    asides.push(lane);
    const take = (submission: Submission): void => {
      if (backlog.isAsideFull()) submission.done("stopped");
      else lane.take(submission);
    };
    return { lane: { ...lane, take }, reachesBeyond: reachesBeyond(server) };
  };
  const laneOf = (at: number): Lane =>
    createLane(serverCount() === 1 ? needs : { ...needs, beside: besideOf(Math.floor(at / lanesPerServer)) });
  const first = laneOf(0);
  const lanes = [first, ...Array.from({ length: serverCount() * lanesPerServer - 1 }, (_, at) => laneOf(at + 1))];
  const all = [...lanes, ...asides];
  return {
    of: (device) => {
      const id = device ? ownerOf(device) : 0;
      return lanes[serverOf(id) * lanesPerServer + (id % lanesPerServer)] ?? first;
    },
    all,
    exclusively: withAll(all),
    check: () => checkLanes(lanes, asides),
  };
};
