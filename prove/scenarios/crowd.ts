import { setTimeout as pause } from "node:timers/promises";
import type { RunningServer } from "../../e2e/server-process.ts";
import { createHistogram } from "../../simulator/src/load/histogram.ts";
import { createFleet, type Fleet, until } from "../crowd/fleet.ts";
import { type Listener, listen, liveAddress } from "../crowd/listener.ts";
import { openFiles, type Plant, password, withPlants } from "../crowd/plants.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { residentKilobytes } from "../memory.ts";

const devices = 10_000;
const sockets = 1_000;
const plants = 5;
/** Milliseconds between two readings of a device. */
const interval = 60_000;
/** Duration of the crowd, milliseconds. */
const stay = 300_000;

/** Memory per connection in kilobytes, and p99 latency of values in milliseconds. */
const goals = { device: 60, socket: 60, late: 1_000 };

/** Time for the server to release the memory used while connecting, milliseconds. */
const settling = 40_000;

const settledMemory = async (server: RunningServer): Promise<number> => {
  await pause(settling);
  return residentKilobytes(server.pid());
};

/** Opens the plants' sockets in turn, so that each account has the same number. */
const openSockets = async (
  server: RunningServer,
  all: readonly Plant[],
  wanted: number,
  onText: (message: Buffer) => void,
): Promise<Listener[]> => {
  const addresses = await Promise.all(all.map(({ email }) => liveAddress(server, email, password)));
  const opened: Listener[] = [];
  while (opened.length < wanted) {
    const some = Math.min(50, wanted - opened.length);
    const turn = Array.from({ length: some }, (_, n) => addresses[(opened.length + n) % addresses.length] ?? "");
    opened.push(...(await Promise.all(turn.map((address) => listen(address, onText)))));
  }
  return opened;
};

const timePattern = /"updateTime":(\d+)/;

/** Counts the sockets' messages, and samples the latency of values. */
const createHearing = () => {
  const late = createHistogram();
  let messages = 0;
  return {
    late,
    count: () => messages,
    hear: (message: Buffer): void => {
      messages += 1;
      if (messages % 10 !== 0) return;
      const ts = timePattern.exec(message.toString())?.[1];
      if (ts) late.add(Math.max(0, Date.now() - Number(ts)) * 1000);
    },
  };
};

interface Measured {
  fleet: Fleet;
  listeners: readonly Listener[];
  memory: { empty: number; connected: number; listening: number; end: number };
  files: { limit: number; open: number };
  hearing: ReturnType<typeof createHearing>;
}

const each = (kilobytes: number, of: number): string => `${(kilobytes / of).toFixed(1)} kB`;

const findings = ({ fleet, listeners, memory, files, hearing }: Measured): Finding[] => {
  const { counts, devices: all } = fleet;
  const open = listeners.filter(({ isOpen }) => isOpen).length;
  const [ofDevices, ofSockets] = [memory.connected - memory.empty, memory.listening - memory.connected];
  const [p50, p99] = [hearing.late.quantile(0.5), hearing.late.quantile(0.99)];
  return [
    {
      promise: "No device connection is refused or lost",
      counted: `${count(counts.connected, "connected")}, ${counts.refused} refused, ${counts.lost} lost`,
      isKept: counts.connected === all.length && counts.refused === 0 && counts.lost === 0,
    },
    {
      promise: "No live socket is lost",
      counted: count(open, `of ${listeners.length} open`),
      isKept: open === listeners.length,
    },
    {
      promise: "Every reading is acknowledged",
      counted: `${count(counts.acknowledged, "acknowledged")} of ${count(counts.sent, "sent")}`,
      isKept: counts.acknowledged === counts.sent,
    },
    {
      promise: `A value reaches the sockets within ${goals.late} ms (99 of 100)`,
      counted: `${count(hearing.count(), "messages received")}, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
      isKept: p99 <= goals.late,
    },
    {
      promise: `A connected device uses at most ${goals.device} kB`,
      counted: `${each(ofDevices, all.length)} (resident memory ${memory.empty >> 10} → ${memory.connected >> 10} MB)`,
      isKept: ofDevices / all.length <= goals.device,
    },
    {
      promise: `A live socket uses at most ${goals.socket} kB`,
      counted: `${each(ofSockets, listeners.length)} (→ ${memory.listening >> 10} MB; at the end ${memory.end >> 10} MB)`,
      isKept: ofSockets / listeners.length <= goals.socket,
    },
    {
      promise: "A connection uses one file descriptor, within the limit",
      counted: `${files.open} open of ${files.limit} allowed`,
      isKept: files.open < files.limit && files.open <= all.length + listeners.length + 200,
    },
  ];
};

const run = (scale: number): Promise<Finding[]> =>
  withPlants({ plants, devices: scaled(devices, scale) }, async (server, all) => {
    const tokens = all.flatMap((plant) => plant.devices.map(({ accessToken }) => accessToken));
    const fleet = createFleet({ port: server.mqttPort, tokens, interval });
    const hearing = createHearing();
    let listeners: Listener[] = [];
    try {
      const empty = await settledMemory(server);
      await fleet.connect();
      const connected = await settledMemory(server);
      listeners = await openSockets(server, all, scaled(sockets, scale), hearing.hear);
      const listening = await settledMemory(server);
      fleet.report();
      await pause(Math.max(20_000, stay * scale));
      const files = await openFiles(server);
      fleet.rest();
      await until(() => fleet.counts.acknowledged === fleet.counts.sent, 10_000);
      const memory = { empty, connected, listening, end: await residentKilobytes(server.pid()) };
      return findings({ fleet, listeners, memory, files, hearing });
    } finally {
      for (const listener of listeners) listener.end();
      fleet.end();
    }
  });

/** Many simultaneous connections. */
export const crowd: Scenario = {
  title: "11,000 concurrent connections",
  does: `10,000 devices in five plants are connected by MQTT and send a reading a minute; 1,000 live sockets of the five owners receive their plants' values. They stay connected for ${stay / 60_000} minutes. Memory is the server process's resident memory (VmRSS), measured ${settling / 1000} s after the last connection; devices, sockets and server share the machine.`,
  run,
};
