import { plainReason } from "../../platform/log.ts";
import { serverCount, serverOf } from "../../readings/index.ts";
import type { KnownDevice } from "../devices/known-device.ts";
import type { Beside } from "./aside.ts";
import { ownerOf } from "./backlog.ts";
import { createLane, type Lane, type LaneNeeds } from "./lane.ts";
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

/** Whose messages are not written meanwhile: those of the devices that a server keeps, or of these devices. */
export type Whose = { server: number } | { devices: readonly KnownDevice[] };

/** The lanes of a writer. */
export interface Lanes {
  /** The lane of a device. A master and its sub-devices share one, since a message may concern all of them: this keeps the order per device. */
  of(device: KnownDevice | undefined): Lane;
  all: readonly Lane[];
  /** The number, in `all`, of the lane that writes the device's messages now; always 0 in a whole database, where work between batches holds all lanes. */
  placeOf(device: KnownDevice): number;
  /** Runs `work` between two batches, so that no lane writes meanwhile; in a database in parts no lane of `whose`, so that others do not wait for a lost server. */
  exclusively<T>(work: () => Promise<T>, whose?: Whose): Promise<T>;
  /** Throws while readings cannot be stored; returns a message when those of some devices cannot, or storing them is slow. */
  check(): string | undefined;
}

/** Has lanes stand between two batches; resolves with the function that lets them go on. */
const hold = async (lanes: readonly Lane[]): Promise<() => void> => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const stand = (lane: Lane) =>
    new Promise<void>((resolve) =>
      lane.between(() => {
        resolve();
        return released;
      }),
    );
  // Requested from every lane in the same turn, so that two callers never hold one lane each.
  await Promise.all(lanes.map(stand));
  return release;
};

/** Returns what holds the lanes of certain devices, of those that `placesOf` tells the numbers of; `count`: of lanes that have none beside them. */
const holder =
  (all: readonly Lane[], count: number, placesOf: (whose?: Whose) => readonly number[]): Lanes["exclusively"] =>
  async (work, whose) => {
    for (;;) {
      const places = placesOf(whose);
      const lanesOf = (isMeant: (place: number) => boolean) => places.filter(isMeant).flatMap((at) => all[at] ?? []);
      // Those beside first, by all callers: what is set aside may be waiting for a lost server, and the others go on until it stands.
      const beside = lanesOf((place) => place >= count);
      const releaseBeside = beside.length > 0 ? await hold(beside) : undefined;
      const release = await hold(lanesOf((place) => place < count));
      try {
        // A family that was set aside meanwhile is written by a lane that does not stand.
        if (placesOf(whose).every((place) => places.includes(place))) return await work();
      } finally {
        release();
        releaseBeside?.();
      }
    }
  };

/** Creates the lanes of every server that keeps readings; in a database in parts each with one beside it for families that are kept on several. */
export const createLanes = (needs: LaneNeeds): Lanes => {
  const { backlog } = needs;
  const isWhole = serverCount() === 1;
  const count = serverCount() * lanesPerServer;
  const serverAt = (place: number): number => Math.floor((place % count) / lanesPerServer);
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
  const laneAt = (place: number): Lane => createLane(isWhole ? needs : { ...needs, beside: besideOf(serverAt(place)) });
  const first = laneAt(0);
  const lanes = [first, ...Array.from({ length: count - 1 }, (_, at) => laneAt(at + 1))];
  const all = [...lanes, ...asides];
  const ownPlace = (device: KnownDevice | undefined): number => {
    const id = device ? ownerOf(device) : 0;
    return serverOf(id) * lanesPerServer + (id % lanesPerServer);
  };
  const placeOf = (device: KnownDevice): number => {
    if (isWhole) return 0;
    const place = ownPlace(device);
    return lanes[place]?.isAside(device) ? count + place : place;
  };
  const placesOf = (whose?: Whose): number[] => {
    if (isWhole || !whose) return [...all.keys()];
    if ("devices" in whose) return [...new Set(whose.devices.map(placeOf))];
    return [...all.keys()].filter((place) => serverAt(place) === whose.server);
  };
  return {
    of: (device) => lanes[ownPlace(device)] ?? first,
    all,
    placeOf,
    exclusively: holder(all, count, placesOf),
    check: () => checkLanes(lanes, asides),
  };
};
