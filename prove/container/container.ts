import { setTimeout as sleep } from "node:timers/promises";
import { freePort, type ReachableServer } from "../../e2e/server-process.ts";
import { untilReadiness } from "../readiness.ts";
import type { Podman } from "./podman.ts";

/** Seconds that a container has to stop, as deploy/compose.yaml gives it. */
export const graceTime = 30;

/** Timeout of a start, milliseconds. */
const longestStart = 90_000;

/** A server in a container with a read-only root, and a volume that outlives it. */
export interface Container extends ReachableServer {
  /** Ends it at once, like a power cut, and puts a new container on its volume. */
  replaceKilled(): Promise<void>;
  /** Ends it as an orchestrator does, and puts a new container on its volume; resolves with the exit code, and the seconds until the end. */
  replaceStopped(): Promise<{ code: number; seconds: number }>;
  /** Milliseconds from its last start until it was ready. */
  readyAfter(): number;
  /** Runs the image's health check until it says healthy; resolves with what it says at the end. */
  health(): Promise<string>;
  /** Runs a program in it; resolves with its output, or with what it says when it fails. */
  execute(...command: string[]): Promise<string>;
}

const name = "telltale";

/** Starts an image with a new volume and the demonstration. */
export const startContainer = async (podman: Podman, image: string): Promise<Container> => {
  await podman.ask("volume", "create", name);
  const dataDir = await podman.ask("volume", "inspect", "--format", "{{.Mountpoint}}", name);
  const [port, mqttPort] = [await freePort(), await freePort()];
  const baseURL = `http://127.0.0.1:${port}`;
  const variables = { PORT: port, MQTT_PORT: mqttPort, HOST: "127.0.0.1", MQTT_HOST: "127.0.0.1", TELLTALE_DEMO: 1 };
  const options = [
    ...["--detach", "--name", name, "--read-only", "--tmpfs", "/tmp", "--cap-drop", "all"],
    ...["--security-opt", "no-new-privileges", "--volume", `${name}:/var/lib/telltale`],
    ...Object.entries(variables).flatMap(([variable, value]) => ["--env", `${variable}=${value}`]),
  ];
  const state = (what: string): Promise<string> => podman.ask("inspect", "--format", `{{.State.${what}}}`, name);
  const execute = (...command: string[]): Promise<string> => podman.ask("exec", name, ...command);
  let readyAfter = 0;

  const start = async (): Promise<void> => {
    const began = performance.now();
    await podman.runContainer(...options, image);
    const { isReady } = await untilReadiness(baseURL, ({ isReady }) => isReady, longestStart);
    if (!isReady) throw new Error(`The container does not become ready: ${await podman.ask("logs", name)}`);
    readyAfter = performance.now() - began;
  };
  /** Ends the container as `how` says, and removes it; its exit code. */
  const end = async (...how: string[]): Promise<number> => {
    await podman.ask(...how, name);
    const code = Number(await podman.ask("wait", name));
    await podman.ask("rm", name);
    return code;
  };
  await start();
  return {
    baseURL,
    mqttPort,
    dataDir,
    telltale: async (...args) => JSON.parse(await execute("telltale", ...args, "--json")),
    replaceKilled: async () => {
      await end("kill", "--signal", "KILL");
      await start();
    },
    replaceStopped: async () => {
      const began = performance.now();
      const code = await end("stop", "--time", String(graceTime));
      const seconds = (performance.now() - began) / 1000;
      await start();
      return { code, seconds };
    },
    readyAfter: () => readyAfter,
    health: async () => {
      for (let tries = 0; ; tries++) {
        await podman.ask("healthcheck", "run", name).catch(() => undefined);
        const said = await state("Health.Status");
        if (said === "healthy" || tries === 10) return said;
        await sleep(1_000);
      }
    },
    execute: (...command) => execute(...command).catch((fault: Error) => fault.message),
  };
};
