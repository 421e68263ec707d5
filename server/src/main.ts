import { mkdir } from "node:fs/promises";
import { BadConfig, readConfig } from "./config.ts";
import type { Presence } from "./platform/database/presence.ts";
import type { Sharing } from "./platform/database/serving-lock.ts";
import { codeOf, fieldOf } from "./platform/fault.ts";
import { createLifecycle, type Lifecycle } from "./platform/lifecycle.ts";

/** Timeout of a shutdown, milliseconds; then the process exits. */
const stopLimit = 10_000;

/** The folder of all data; an error says what is wrong with its name. */
const makeFolder = (dataDir: string): Promise<unknown> =>
  mkdir(dataDir, { recursive: true }).catch((cause: unknown) => {
    throw new Error(`DATA_DIR ${dataDir} cannot be made (${codeOf(cause)}): name a folder that this user may write to`);
  });

const printError = (text: string): void => void process.stderr.write(`${text}\n`);

/** A one-line message; for known network faults it says what to do. */
const reasonOf = (fault: unknown): string => {
  if (!(fault instanceof Error)) return String(fault);
  const [code, port] = [codeOf(fault), fieldOf(fault, "port")];
  if (code === "EADDRINUSE")
    return `Port ${port} is in use: end what uses it, or choose another PORT, MQTT_PORT or SQL_PORT`;
  if (code === "EACCES" && port)
    return `Port ${port} needs more rights: choose a PORT, MQTT_PORT or SQL_PORT above 1023`;
  return fault.message;
};

const stopOnSignals = (life: Lifecycle): void => {
  const end = async (code: number): Promise<never> => {
    setTimeout(() => {
      printError(
        "Telltale did not stop within 10 s and was ended. Readings that were not acknowledged are sent again by their devices",
      );
      process.exit(1);
    }, stopLimit).unref();
    await life.stop();
    process.exit(code);
  };
  let isDraining = false;
  const endOnSignal = async (): Promise<void> => {
    // A second signal is for those who do not want to wait.
    if (!isDraining) {
      isDraining = true;
      await life
        .drain()
        .catch((fault: unknown) => printError(`Could not hand over the connections: ${reasonOf(fault)}`));
    }
    await end(0);
  };
  // SIGHUP: the terminal was closed. PostgreSQL would outlive a server that it ends.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => void endOnSignal());
  process.on("uncaughtException", (fault) => {
    printError(`Unexpected error, Telltale is stopping: ${fault.stack ?? fault.message}`);
    void end(1);
  });
};

const serve = async (
  life: Lifecycle,
  onStopFault: (name: string, fault: unknown) => void,
  onFault: (fault: unknown) => Promise<never>,
): Promise<void> => {
  const config = readConfig(process.env);
  const parts = [
    import("./app.ts"),
    import("./start.ts"),
    import("./serving.ts"),
    import("./platform/log.ts"),
  ] as const;
  const [{ buildApp }, { start }, { createServing }, { createLog }] = await Promise.all(parts);
  const { openDatabase } = await import("./platform/database/open.ts");
  const log = createLog(config.LOG_LEVEL);
  await makeFolder(config.DATA_DIR);
  const database = await openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, log });
  life.onStop("database", database.stop);
  const sharing: Sharing = config.NATS_URL ? "shared" : "alone";
  const begin = async (part: Lifecycle, presence: Presence): Promise<void> => {
    const { url: databaseUrl, adminUrl } = database;
    const needs = { config, life: part, buildApp, databaseUrl, adminUrl, sharing, presence, log };
    process.stdout.write(await start(needs));
  };
  const serving = createServing({
    log,
    databaseUrl: database.url,
    sharing,
    begin,
    onStopFault,
    onFault: (fault) => void onFault(fault),
  });
  life.onStop("server", serving.stop);
  life.onDrain(serving.drain);
  await serving.start();
};

const main = async (): Promise<void> => {
  const onStopFault = (name: string, fault: unknown) => printError(`Could not stop the ${name}: ${reasonOf(fault)}`);
  const life = createLifecycle(onStopFault);
  stopOnSignals(life);
  const onFault = async (fault: unknown): Promise<never> => {
    printError(reasonOf(fault));
    await life.stop();
    process.exit(fault instanceof BadConfig ? 2 : 1);
  };
  try {
    await serve(life, onStopFault, onFault);
  } catch (fault) {
    await onFault(fault);
  }
};

await main();
