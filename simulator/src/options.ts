import { Command, InvalidArgumentError, Option } from "commander";
import { FirmwareFault } from "./device/firmware-fault.ts";
import { command as telltale } from "./installed.ts";

/** The simulator's options. Times in milliseconds unless stated otherwise. */
export interface Options {
  fleet: string;
  url: string;
  seed: number;
  speed: number;
  from: number | undefined;
  /** Seconds. */
  interval: number | undefined;
  history: number | undefined;
  calm: boolean;
  /** The fault injected into each device's first update. */
  firmwareFault: FirmwareFault | undefined;
  /** Continues live after the history. */
  live: boolean;
}

const units: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** `90d`, `12h`, `30m`, `2w` in milliseconds. */
const parseSpan = (text: string): number => {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([mhdw])$/.exec(text) ?? [];
  const factor = units[unit ?? ""];
  if (!factor) throw new InvalidArgumentError("Write a number with m, h, d or w, such as 90d.");
  return Number(count) * factor;
};

/** Parser of a number option with a minimum. */
export const numberFrom =
  (least: number) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() === "" || !Number.isFinite(value) || value < least) {
      throw new InvalidArgumentError(`Write a number of at least ${least}.`);
    }
    return value;
  };

/** Parses a time of the command line, ISO 8601. */
export const parseMoment = (text: string): number => {
  const ts = Date.parse(text);
  if (Number.isNaN(ts)) throw new InvalidArgumentError("Write a time such as 2026-02-01T06:00:00Z.");
  return ts;
};

/** Parses an `mqtt://` or `mqtts://` address. */
export const parseUrl = (text: string): string => {
  const url = URL.parse(text);
  if (!url || !["mqtt:", "mqtts:", "tcp:", "ssl:", "ws:", "wss:"].includes(url.protocol)) {
    throw new InvalidArgumentError("Write an address such as mqtt://localhost:1883.");
  }
  return text;
};

export const defaultUrl = (): string => process.env.TELLTALE_MQTT_URL || "mqtt://localhost:1883";

/** Parses the command line; exits with code 1 and a message when it is invalid. */
export const readOptions = (argv: string[]): Options => {
  const command = new Command(`${telltale} simulate`)
    .description("A pump station whose devices speak the device API: MQTT, with their access tokens.")
    .argument("<fleet>", "the devices: a JSON file, or - for standard input")
    .option("--url <address>", "broker (or TELLTALE_MQTT_URL)", parseUrl, defaultUrl())
    .option("--seed <number>", "the same seed gives the same plant", numberFrom(0), 1)
    .option("--speed <factor>", "times faster than real time, until it has caught up", numberFrom(0.1), 1)
    .option("--from <time>", "start of the plant's time (default: now; a day ago with --speed)", parseMoment)
    .option("--interval <seconds>", "report interval of every channel, until the console changes it", numberFrom(1))
    .option("--history <span>", "first write the past, such as 90d", parseSpan)
    .option("--history-only", "write the past and end")
    .option("--calm", "nothing ever goes wrong")
    .addOption(
      new Option("--firmware-fault <fault>", "what goes wrong with each device's first firmware update").choices(
        Object.values(FirmwareFault),
      ),
    );
  command.parse(argv, { from: "user" });
  const given = command.opts();
  return {
    fleet: command.args[0] ?? "-",
    url: given.url,
    seed: given.seed,
    speed: given.speed,
    from: given.from,
    interval: given.interval,
    history: given.history,
    calm: given.calm === true,
    firmwareFault: given.firmwareFault,
    live: given.historyOnly !== true,
  };
};
