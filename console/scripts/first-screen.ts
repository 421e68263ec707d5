import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

/**
 * Measures the JavaScript that a screen needs before it shows something, gzipped, and fails above its limit:
 * the entry, the screen with what is around it, and whatever they import statically. Run after the build. What they consist of is in
 * docs/decisions/0054-first-screens.md. The limit of each is what it has, with little to spare.
 */
const shell = "src/routes/shell/shell.tsx";
const screens: Record<string, { limit: number; sources: readonly string[] }> = {
  login: { limit: 108_000, sources: ["src/features/accounts/entry/login.tsx"] },
  dashboard: { limit: 125_000, sources: [shell, "src/routes/screens/dashboard-screen.tsx"] },
  alerts: { limit: 130_000, sources: [shell, "src/features/alerts/alert-screen.tsx"] },
  devices: { limit: 130_000, sources: [shell, "src/routes/screens/devices-screen.tsx"] },
};

interface Chunk {
  file: string;
  imports?: string[];
}
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8")) as Record<string, Chunk>;

const withImports = (name: string, seen = new Set<string>()): Set<string> => {
  const chunk = manifest[name];
  if (!chunk) throw new Error(`The build has no ${name}`);
  if (!seen.has(name)) {
    seen.add(name);
    for (const each of chunk.imports ?? []) withImports(each, seen);
  }
  return seen;
};

const gzipped = (name: string): number =>
  gzipSync(readFileSync(new URL(manifest[name]?.file ?? "", dist)), { level: 9 }).length;

let isTooMuch = false;
for (const [screen, { limit, sources }] of Object.entries(screens)) {
  const chunks = withImports("index.html");
  for (const source of sources) withImports(source, chunks);
  const bytes = [...chunks].reduce((sum, name) => sum + gzipped(name), 0);
  isTooMuch ||= bytes > limit;
  const excess = bytes > limit ? `: ${bytes - limit} bytes too much` : "";
  process.stdout.write(
    `${screen.padEnd(20)} ${(bytes / 1000).toFixed(1).padStart(6)} kB of ${limit / 1000} kB${excess}\n`,
  );
}
process.exitCode = isTooMuch ? 1 : 0;
