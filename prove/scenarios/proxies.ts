import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, startServer } from "../../e2e/server-process.ts";
import { count, type Finding, type Scenario, scaled } from "../finding.ts";
import { startCaddy } from "../proxies/caddy.ts";
import { startNginx } from "../proxies/nginx.ts";
import { isInstalled, type ProxyPlace, type RunningProxy } from "../proxies/program.ts";
import {
  liveDelay,
  recordedAddress,
  signInThroughProxy,
  spreadsheet,
  trustAuthority,
  upload,
} from "../proxies/through.ts";

const proxies: Record<string, (place: ProxyPlace) => Promise<RunningProxy>> = { caddy: startCaddy, nginx: startNginx };

const untilThere = async (site: string): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(`${site}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await sleep(100);
  }
  throw new Error(`${site} does not answer`);
};

const far = "127.0.0.7";

const runTrial = async (
  name: string,
  server: Parameters<typeof signInThroughProxy>[0],
  site: string,
  scale: number,
): Promise<Finding[]> => {
  const visitor = await signInThroughProxy(server, site);
  const delay = await liveDelay(visitor);
  const photo = await upload(visitor, 1_000_000);
  const tooLarge = await upload(visitor, 1_500_000);
  const readings = scaled(80_000, scale);
  const sheet = await spreadsheet(visitor, readings);
  const address = await recordedAddress(visitor, far);
  const page = await fetch(`${site}/login`);
  const metrics = await fetch(`${site}/metrics`);
  const [link] = await server.telltale<{ link: string }[]>("support-link", "--email", "owner@telltale.local");
  const headers = ["strict-transport-security", "content-security-policy"].filter((header) => page.headers.has(header));
  return [
    { promise: `${name}: a reading reaches a live socket`, counted: `${Math.round(delay)} ms`, isKept: delay < 5_000 },
    {
      promise: `${name}: photos up to the limit are accepted, larger ones are refused with Telltale's message`,
      counted: `1,000,000 bytes: ${photo.startsWith("/") ? "accepted" : photo}; 1,500,000 bytes: ${tooLarge}`,
      isKept: photo.startsWith("/") && tooLarge === "The photo must be at most 1 MB",
    },
    {
      promise: `${name}: a spreadsheet arrives complete`,
      counted: `${count(readings, "readings")}: ${sheet}`,
      isKept: !sheet.startsWith("no"),
    },
    {
      promise: `${name}: Telltale sees the client's address and ignores forged ones`,
      counted: `from ${far}, recorded ${address}`,
      isKept: address === far,
    },
    {
      promise: `${name}: pages have the security headers, links lead to PUBLIC_URL, /metrics is not public`,
      counted: `${headers.join(", ")}; /metrics: ${metrics.status}`,
      isKept: headers.length === 2 && metrics.status === 403 && (link?.link.startsWith(`${site}/`) ?? false),
    },
  ];
};

const tryProxy = async (
  name: string,
  start: (place: ProxyPlace) => Promise<RunningProxy>,
  scale: number,
): Promise<Finding[]> => {
  const folder = await mkdtemp(join(tmpdir(), "telltale-proxy-"));
  const port = await freePort();
  const site = `https://localhost:${port}`;
  const server = await startServer({
    demo: true,
    env: { PUBLIC_URL: site, TRUST_PROXY: "127.0.0.1", HOST: "127.0.0.1" },
  });
  try {
    const proxy = await start({ folder, port, upstreamPort: Number(new URL(server.baseURL).port) });
    try {
      trustAuthority(proxy.authority);
      await untilThere(site);
      return await runTrial(name, server, site, scale);
    } finally {
      await proxy.stop();
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

/** The reverse proxies of the production guide, with its configuration files. */
export const proxyScenario: Scenario = {
  title: "Reverse proxies",
  does: "Caddy and nginx with the files of [the production guide](operate/README.md#https-by-a-proxy), over TLS, in front of a separate server; a proxy that is not installed is omitted.",
  run: async (scale) => {
    const findings: Finding[] = [];
    for (const [name, start] of Object.entries(proxies))
      if (await isInstalled(name)) findings.push(...(await tryProxy(name, start, scale)));
    return findings.length > 0
      ? findings
      : [
          {
            promise: "The guide's proxy configuration works",
            counted: "neither caddy nor nginx is installed",
            isKept: false,
          },
        ];
  },
};
