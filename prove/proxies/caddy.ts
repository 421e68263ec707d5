import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../e2e/server-process.ts";
import { operateFile, type ProxyPlace, type RunningProxy, startProgram } from "./program.ts";

/** Starts Caddy with the guide's configuration file unchanged, and a certificate by its own CA, as for every local name. */
export const startCaddy = async ({ folder, port, upstreamPort }: ProxyPlace): Promise<RunningProxy> => {
  const global = `{
	admin off
	skip_install_trust
	http_port ${await freePort()}
	https_port ${port}
}
import ${operateFile("telltale.caddyfile")}
`;
  const config = join(folder, "caddyfile");
  await writeFile(config, global);
  const caddy = startProgram("caddy", ["run", "--config", config, "--adapter", "caddyfile"], {
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    TELLTALE_SITE: "localhost",
    TELLTALE_UPSTREAM: `127.0.0.1:${upstreamPort}`,
  });
  const root = join(folder, "caddy/pki/authorities/local/root.crt");
  for (let tries = 0; tries < 200 && !caddy.hasEnded(); tries++) {
    const authority = await readFile(root, "utf8").catch(() => undefined);
    if (authority) return { authority, stop: caddy.stop };
    await sleep(50);
  }
  throw new Error(`Caddy did not start: ${caddy.output()}`);
};
