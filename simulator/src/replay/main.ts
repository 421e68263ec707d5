import { topics } from "@telltale/contract/device-api";
import { createLink } from "../device/link.ts";
import { createOutbox } from "../device/outbox.ts";
import { figure } from "../progress.ts";
import { type ReplayOptions, readReplayOptions } from "./options.ts";
import { openRecording, placeOf, placesOf, type Recording } from "./recording.ts";
import { type ReplayResult, replay } from "./replay.ts";
import { addReceipt, createTally, type Tally } from "./tally.ts";
import { tokenFor } from "./token.ts";

const exitCode = { unacknowledged: 1, badUse: 2, interrupted: 130 } as const;

class NoConnection extends Error {}

/** Connects and waits until the server accepts the device; fails when the server is unreachable. */
const connect = async (options: ReplayOptions, token: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isIn = false;
  const tally = createTally();
  const link = createLink({
    protocolVersion: 5,
    url: options.url,
    token,
    subscriptions: [],
    onConnect: () => {
      isIn = true;
      resolve();
      outbox.flush();
    },
    onMessage: () => undefined,
    onTrouble: (reason) => {
      reject(new Error(`No connection to ${options.url}: ${reason}`));
      if (isIn) console.error(`\n${reason}; it will try again`);
    },
  });
  const outbox = createOutbox({
    own,
    inFlight: 8,
    memory: Number.POSITIVE_INFINITY,
    isConnected: link.isConnected,
    send: async ({ payload, readings }) => addReceipt(tally, readings, await link.publish(topics.telemetry, payload)),
  });
  await promise.catch(async (cause: Error) => {
    await link.end();
    throw new NoConnection(cause.message);
  });
  return { link, outbox, tally };
};

/** The outbox needs a name for its only device; the token identifies it to the server. */
const own = "recording";

/** Time of the first row of a recording without a clock: the recording ends now, or starts now when replayed in real time. */
const startOf = ({ time, start, rate }: ReplayOptions, { count }: Recording, step: number): number | undefined => {
  if (start !== undefined || time !== undefined) return start;
  return rate === undefined ? Date.now() - (count - 1) * step : Date.now();
};

/** The outcome of the acknowledged readings, one line each. */
const outcome = ({ stored, refused, uncounted, reasons }: Tally): string[] => [
  ...(stored + refused > 0 ? [`stored        ${figure(stored)}`, `refused       ${figure(refused)}`] : []),
  ...(uncounted > 0
    ? [
        `uncounted     ${figure(uncounted)} acknowledged without a count: committed, unless the server refuses without saying so`,
      ]
    : []),
  ...[...reasons].map(
    ([reason, messages]) => `              ${reason}${messages > 1 ? ` (${figure(messages)} messages)` : ""}`,
  ),
];

const summary = (result: ReplayResult, tally: Tally): string => {
  const { rows, sent, acknowledged, empty, notNumbers, timeless, seconds } = result;
  const skipped = `empty cells ${figure(empty)}, not a number ${figure(notNumbers)}, rows without a readable time ${figure(timeless)}`;
  return [
    `rows          ${figure(rows)}`,
    `sent          ${figure(sent)} readings`,
    `acknowledged  ${figure(acknowledged)}${acknowledged < sent ? ` (${figure(sent - acknowledged)} not)` : ""}`,
    ...outcome(tally),
    `skipped       ${skipped}`,
    `time          ${seconds.toFixed(1)} s, ${figure(acknowledged / Math.max(0.001, seconds))} readings/s`,
  ].join("\n");
};

const run = async (options: ReplayOptions): Promise<number> => {
  const recording = await openRecording(options.csv, options.separator);
  placesOf(recording, options.mappings);
  if (options.time !== undefined) placeOf(recording, options.time);
  const token = await tokenFor(options.device, options.token);
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  const { link, outbox, tally } = await connect(options, token);
  const step = (options.step ?? 1 / (options.rate ?? 1)) * 1000;
  const result = await replay({
    ...options,
    device: own,
    recording,
    outbox,
    step,
    start: startOf(options, recording, step),
    signal: stop.signal,
  });
  await link.end();
  console.log(summary(result, tally));
  if (stop.signal.aborted) return exitCode.interrupted;
  return result.acknowledged === result.sent && tally.refused === 0 ? 0 : exitCode.unacknowledged;
};

try {
  process.exitCode = await run(readReplayOptions(process.argv.slice(2)));
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = cause instanceof NoConnection ? exitCode.unacknowledged : exitCode.badUse;
}
