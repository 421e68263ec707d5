import { z } from "zod";
import { get, post } from "../../call/call.ts";
import { numbersUpTo } from "../../call/numbers.ts";
import * as wire from "../../call/wire.ts";

/** Most readings of one portion; a portion is one transaction. */
export const portionLimit = 60_000;

/** A device that readings can be imported for, with its channels. */
export const ImportDevice = z.object({
  deviceId: z.int(),
  deviceSnId: z.string(),
  deviceName: z.string(),
  /** Why it takes no readings now, as a sentence; empty when it does. */
  refusal: z.string(),
  channels: z.array(
    z.object({ deviceChannelId: z.int(), channelCode: z.string(), channelName: z.string(), isOn: z.boolean() }),
  ),
});
export type ImportDevice = z.output<typeof ImportDevice>;

/** Whole numbers beyond 32 bits, as the size of a file is: not `z.int`, whose columns are smaller. */
const counter = z.number().min(0).max(Number.MAX_SAFE_INTEGER).multipleOf(1);

/** How far an import is. `read` = `stored` + `present` + `refused`. */
const progress = {
  /** Where the next portion begins in the file, by the client's own measure, and how many lines are before it. */
  position: counter,
  line: counter,
  read: counter,
  stored: counter,
  /** Readings of equal channel, time and value were stored before. */
  present: counter,
  refused: counter,
};
export const ImportProgress = z.object({ importId: z.int(), ...progress });
export type ImportProgress = z.output<typeof ImportProgress>;

/** Readings of a portion that were not stored. `at`: their places in its columns, from 0. */
const Refusal = z.object({ at: z.array(z.int()), reason: z.string() });
export type Refusal = z.output<typeof Refusal>;

/** Past readings from elsewhere. They raise no alerts and notify nobody. */
export const imports = {
  devices: get("/api/import/devices", {
    access: "readings.import",
    summary: "The devices of these names or device IDs, with the channels that readings can be imported into",
    query: z.object({ names: wire.list(wire.text()) }),
    result: z.array(ImportDevice),
  }),
  begin: post("/api/import/begin", {
    access: "readings.import",
    summary:
      "Begins to import a file, or goes on with one of this digest that has not ended. The digest is the client's own, of everything that its position depends on",
    body: z.object({ fileName: wire.text().min(1), digest: z.string().regex(/^[\da-f]{64}$/) }),
    result: ImportProgress,
  }),
  store: post("/api/import/store", {
    access: "readings.import",
    summary: `Stores a portion of at most ${portionLimit} readings and the position after it, in one transaction; readings that are stored already stay as they are. A position that does not follow is a conflict`,
    encoding: "json",
    body: z.object({
      importId: z.int32(),
      /** Where the portion begins: the position after the last one. */
      after: counter,
      position: counter,
      line: counter,
      /** Lines or values of the portion that the client could not read. */
      unreadable: counter,
      deviceChannelIds: z.array(z.int32()).max(portionLimit),
      /** How many of the readings in the columns each of these channels has, one channel after the other. */
      counts: z.array(z.int32().min(1)).max(portionLimit),
      /** Epoch milliseconds. */
      times: numbersUpTo(portionLimit),
      /** In the channels' units. */
      values: numbersUpTo(portionLimit),
      /** As `ReadingStatus`; absent when all are good. */
      statuses: numbersUpTo(portionLimit).optional(),
    }),
    result: ImportProgress.extend({ refusals: z.array(Refusal) }),
  }),
  end: post("/api/import/end", {
    access: "readings.import",
    summary: "Ends an import; the same file begins anew afterwards",
    body: z.object({ importId: wire.int() }),
    result: ImportProgress,
  }),
  packing: get("/api/import/packing", {
    access: "readings.import",
    summary:
      "How many hours of an import's devices are still to be packed; begins to pack them. Until they are, charts of them take longer",
    query: z.object({ importId: wire.int() }),
    result: z.object({ hours: z.int() }),
  }),
};
