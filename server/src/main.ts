import { enableCompileCache } from "node:module";
import { join } from "node:path";
import type { Lifecycle } from "./lifecycle.ts";

// With it, a start needs neither the TypeScript stripper nor the parser again: half the time and 20 MB less. Everything else is
// imported after it. Where the folder can't be written, it does without.
enableCompileCache(join(import.meta.dirname, "../../node_modules/.cache/telltale"));

const { BadConfig, readConfig } = await import("./config.ts");
const { createLifecycle } = await import("./lifecycle.ts");

/** A stop that takes longer than this is cut short, in milliseconds. */
const stopLimit = 10_000;

const complain = (text: string): void => void process.stderr.write(`${text}\n`);

/** One line for what somebody can put right; the whole fault for what nobody expected. */
const reasonOf = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault);
  const { code, port } = fault as NodeJS.ErrnoException & { port?: number };
  if (code === "EADDRINUSE") return `Port ${port} is in use: end what uses it, or choose another PORT or MQTT_PORT`;
  if (code === "EACCES" && port) return `Port ${port} needs more rights: choose a PORT or MQTT_PORT above 1023`;
  return fault.message;
};

const stopOnSignals = (life: Lifecycle): void => {
  const end = async (code: number): Promise<never> => {
    setTimeout(() => {
      complain("Telltale did not stop in time and was ended");
      process.exit(1);
    }, stopLimit).unref();
    await life.stop();
    process.exit(code);
  };
  process.on("SIGTERM", () => void end(0));
  process.on("SIGINT", () => void end(0));
  process.on("uncaughtException", (fault) => {
    complain(`Telltale failed and is ending: ${fault.stack ?? fault.message}`);
    void end(1);
  });
};

const main = async (): Promise<void> => {
  const life = createLifecycle((name, fault) => complain(`The ${name} could not be stopped: ${reasonOf(fault)}`));
  stopOnSignals(life);
  try {
    const config = readConfig(process.env);
    const [{ buildApp }, { start }] = await Promise.all([import("./app.ts"), import("./start.ts")]);
    process.stdout.write(await start({ config, life, buildApp }));
  } catch (fault) {
    complain(reasonOf(fault));
    await life.stop();
    process.exit(fault instanceof BadConfig ? 2 : 1);
  }
};

await main();
