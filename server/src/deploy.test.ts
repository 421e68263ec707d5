import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readConfig } from "./config.ts";
import { root } from "./platform/installed.ts";

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

const Service = z.object({
  image: z.string(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.union([z.array(z.string()), z.object({ inside: z.object({ ipv4_address: z.string() }) })]),
  stop_grace_period: z.string().optional(),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
});
type Service = z.infer<typeof Service>;
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) });

/** What an operator writes into `.env`. */
const env: Record<string, string> = {
  TELLTALE_SITE: "telltale.example.com",
  DATABASE_PASSWORD: "a1b2c3",
  NATS_PASSWORD: "d4e5f6",
};
const needed = /\$\{(\w+):\?[^}]*\}/g;

const composeOf = (file: string) =>
  Compose.parse(
    parse(
      textOf(file).replace(needed, (_, name: string) => env[name] ?? ""),
      { merge: true },
    ),
  );

const addressOf = ({ networks }: Service): string | undefined =>
  Array.isArray(networks) ? undefined : networks.inside.ipv4_address;

const containerfile = textOf("deploy/Containerfile").replaceAll(/\s*\\\n\s*/g, " ");
/** The image that is run, without the stage that builds it. */
const image = containerfile.slice(containerfile.lastIndexOf("\nFROM "));
const instruction = (name: string): string => new RegExp(`^${name} (.*)$`, "m").exec(image)?.[1] ?? "";
const ownVariables = Object.fromEntries(
  instruction("ENV")
    .split(" ")
    .map((pair): [string, string] => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""]),
);
const { NODE_ENV: _, ...settings } = ownVariables;
const known = Object.keys(readConfig({}));
const defaults = readConfig(settings);

describe.each(["deploy/compose.yaml", "deploy/compose.cluster.yaml"])("%s", (file) => {
  const { services, volumes } = composeOf(file);
  const all = Object.entries(services);
  const servers = all.filter(([, { image }]) => image === "telltale");
  const hostIsService = (address: string) => expect(Object.keys(services)).toContain(new URL(address).hostname);

  test.each(servers)(
    "%s gets variables that Telltale knows, and that lead to the other containers",
    (_name, service) => {
      const { environment } = service;
      expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
      const config = readConfig({ ...settings, ...environment });
      expect(config.TELLTALE_DEMO).toBe(false);
      expect(config.PUBLIC_URL).toBe(`https://${env.TELLTALE_SITE}`);
      for (const address of [config.DATABASE_URL ?? "", ...(config.NATS_URL ?? [])]) hostIsService(address);
      const proxies = all.filter(([, { image }]) => /^(caddy|haproxy):/.test(image));
      expect(config.TRUST_PROXY?.split(",")).toEqual(proxies.map(([, proxy]) => addressOf(proxy)).sort());
    },
  );

  test.each(servers)("%s keeps its data in a volume of its own and may write nothing else", (_name, service) => {
    const [mount, ...others] = service.volumes;
    const [volume, folder] = mount?.split(":") ?? [];
    expect(others).toEqual([]);
    expect(folder).toBe(defaults.DATA_DIR);
    expect(Object.keys(volumes)).toContain(volume);
    expect(servers.filter(([, { volumes: of }]) => of.includes(mount ?? ""))).toHaveLength(1);
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
  });

  test.each(servers)("%s has more time to stop than it takes", (_name, { stop_grace_period: time = "" }) => {
    expect(time).toBe(servers.length > 1 ? "1m" : "30s");
  });

  test("devices reach the MQTT port, browsers only the proxy", () => {
    const published = all.flatMap(([name, { ports }]) => ports.map((port) => `${name} ${port.split(":")[1]}`));
    const mqtt = servers.length > 1 ? "haproxy" : "telltale";
    expect(published.sort()).toEqual(
      ["caddy 443", "caddy 443/udp", "caddy 80", `${mqtt} ${defaults.MQTT_PORT}`].sort(),
    );
  });

  test("the proxies' files get the addresses that they ask for", () => {
    const { caddy, haproxy } = services;
    const site = [...textOf("docs/operate/telltale.caddyfile").matchAll(/\{\$(\w+):/g)].map(([, name]) => name);
    expect(Object.keys(caddy?.environment ?? {}).sort()).toEqual(site.sort());
    const upstream = haproxy ? "haproxy:80" : `telltale:${defaults.PORT}`;
    expect(caddy?.environment.TELLTALE_UPSTREAM).toBe(upstream);
    if (!haproxy) return;
    const config = textOf("docs/operate/haproxy.cfg");
    const asked = new Set([...config.matchAll(/"\$\{(\w+)-[\d.]+\}:/g)].map(([, name]) => name ?? ""));
    expect(Object.keys(haproxy.environment).sort()).toEqual([...asked].sort());
    expect(Object.values(haproxy.environment)).toEqual(servers.map(([, node]) => addressOf(node)));
    expect(config).toContain("bind :80\n");
    expect(config).toContain(`bind :${defaults.MQTT_PORT}\n`);
    expect(config).toContain(`bind :${defaults.MQTT_TLS_PORT} ssl crt "\${TELLTALE_PEM}"\n`);
    expect(config, "a check without the database").toContain("option httpchk GET /readyz?of=node\n");
  });

  test("its first lines name what belongs into .env", () => {
    const text = textOf(file);
    const head = text.slice(0, text.indexOf("\nname:"));
    for (const [, name] of text.matchAll(needed)) expect(head).toContain(`${name}=`);
  });
});

describe("deploy/Containerfile", () => {
  test("sets variables that Telltale knows, and has its ports, its volume and a user other than root", () => {
    expect(known).toEqual(expect.arrayContaining(Object.keys(settings)));
    expect(instruction("EXPOSE")).toBe([defaults.PORT, defaults.MQTT_PORT, defaults.MQTT_TLS_PORT].join(" "));
    expect(instruction("VOLUME")).toBe(defaults.DATA_DIR);
    expect(instruction("WORKDIR")).toBe(defaults.DATA_DIR);
    expect(image).toContain(`useradd --uid 10001 --no-create-home --home-dir ${defaults.DATA_DIR} `);
    expect(instruction("USER")).toBe("telltale");
  });

  test.each([
    [200, 0],
    [503, 1],
  ])("its health check fails unless /readyz answers 200 (%d)", async (status, code) => {
    const server = createServer(({ url }, answer) => answer.writeHead(url === "/readyz" ? status : 404).end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const [program, ...args] = z
      .array(z.string())
      .parse(JSON.parse(/CMD (\[.*\])/.exec(instruction("HEALTHCHECK"))?.[1] ?? ""));
    expect(program).toBe("node");
    const ended = await promisify(execFile)(process.execPath, args, { env: { PORT: String(port) } }).then(
      () => 0,
      (fault: { code: number }) => fault.code,
    );
    server.close();
    expect(ended).toBe(code);
    expect(args.at(-1)).toContain(`process.env.PORT || ${defaults.PORT}`);
  });

  test("its build gets what `npm pack` packs, and no file that is not named", () => {
    const lines = textOf(".dockerignore").split("\n");
    expect(lines.find((line) => !line.startsWith("#"))).toBe("*");
    const given = lines.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
    const { files, workspaces } = z
      .object({ files: z.array(z.string()), workspaces: z.array(z.string()) })
      .parse(JSON.parse(textOf("package.json")));
    const wanted = [
      ...files.filter((path) => !/(^|\/)dist$/.test(path)),
      ...workspaces.map((path) => `${path}/package.json`),
    ];
    for (const path of wanted)
      expect(
        given.some((part) => path === part || path.startsWith(`${part}/`)),
        path,
      ).toBe(true);
    expect(textOf(".gitignore")).toMatch(/^\/deploy\/\.env$/m);
  });
});
