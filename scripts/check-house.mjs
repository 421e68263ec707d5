// Project rules that no common tool checks. Prints every violation as file:line; exits with 1 if there is any.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { missingFromLock } from "./complete-lock.mjs";

const longestFile = 300;
const code = new Set([".ts", ".tsx", ".mjs", ".js"]);
const binary = new Set([".png", ".jpg", ".woff2", ".ico", ".gif", ".pdf"]);
const kebab = /^\.?[a-z0-9_]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const famous = new Set([
  "README.md",
  "LICENSE",
  "NOTICE",
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "Containerfile",
]);
const nameless = /(^|[-.])(utils?|helpers?|common|service|manager)(\.|$)/i;
/** Concatenated, so that this file does not violate its own rule. */
const notes = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME"].join("|")})\\b`);
const machine = new RegExp(
  ["(^|[\\s\"'`(=:])/wo" + "rk/", "\\.\\./sha" + "red/", "/opt/no" + "de\\d", "registry\\.npm" + "js"].join("|"),
);
const isTest = (file) => /\.(test|spec)\.tsx?$|\/test-[^/]+\.ts$|^server\/src\/test\/|^e2e\//.test(file);

const files = () => {
  const { stdout } = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    encoding: "utf8",
  });
  return stdout.split("\0").filter((file) => file && existsSync(file) && !binary.has(extname(file)));
};

const nameOffences = (file) =>
  file.split("/").flatMap((part) => {
    if (!kebab.test(part) && !famous.has(part)) return [[1, `'${part}' is not kebab-case`]];
    // systemd requires the unit's type as file extension.
    return nameless.test(part.replace(/\.service$/, ""))
      ? [[1, `'${part}' says nothing: name it after the one thing inside`]]
      : [];
  });

/** Only one module may write alerts, so that raising, clearing and notifying are the same everywhere. The demonstration invents its past. */
const writesAlerts =
  /\b(insert\s+into|update|delete\s+from)\s+alerts\b|\b(insertInto|updateTable|deleteFrom)\("alerts"\)/i;
const mayWriteAlerts = (file) =>
  /^server\/src\/(alarms|demonstration)\//.test(file) || !/^server\/src\/.*\.ts$/.test(file);

const textOffences = (file, text) => {
  const lines = text.split("\n");
  const length = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const isLong = (code.has(extname(file)) || extname(file) === ".css") && length > longestFile;
  const found = isLong ? [[length, `${length} lines, at most ${longestFile}: split it by thing`]] : [];
  lines.forEach((line, index) => {
    if (machine.test(line)) found.push([index + 1, "names a path or host of somebody's machine"]);
    if (notes.test(line)) found.push([index + 1, "do it, or open an issue"]);
    if (writesAlerts.test(line) && !mayWriteAlerts(file) && !isTest(file))
      found.push([index + 1, "writes alerts: call alarms/lifecycle.ts"]);
  });
  return found;
};

/** Dependencies of a package.json that the lock file lacks or has in another version, which npm ci would reject. */
const unlocked = ({ packages }) =>
  Object.entries(packages)
    .filter(([path, { link }]) => !link && !path.includes("node_modules"))
    .flatMap(([path, locked]) => {
      const declared = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
      return ["dependencies", "devDependencies"].flatMap((kind) =>
        Object.entries(declared[kind] ?? {})
          .filter(([name, version]) => locked[kind]?.[name] !== version)
          .map(([name]) => `${name} of ${join(path, "package.json")}`),
      );
    });

const lockOffences = (file, text) => {
  if (basename(file) !== "package-lock.json") return [];
  const line = text.split("\n").findIndex((entry) => /"resolved": "(https?|git)/.test(entry));
  const lock = JSON.parse(text);
  return [
    ...(line < 0 ? [] : [[line + 1, "names a registry: npm install with omit-lockfile-registry-resolved=true"]]),
    ...unlocked(lock).map((name) => [1, `lacks ${name}, npm ci would fail: npm install`]),
    ...missingFromLock(lock).map(([place]) => [1, `lacks ${place}, npm ci would fail: node scripts/complete-lock.mjs`]),
  ];
};

/** What the package leaves outside its bundle (scripts/package) has to be what the server is tested with. */
const packageOffences = (file, text) => {
  if (file !== "package.json") return [];
  const { dependencies } = JSON.parse(text);
  const server = JSON.parse(readFileSync("server/package.json", "utf8")).dependencies;
  return Object.entries(dependencies)
    .filter(([name, version]) => server[name] !== version)
    .map(([name]) => [1, `${name} has another version than in server/package.json`]);
};

const isTheTime = ({ callee, arguments: given }) =>
  callee.type === "Identifier" && callee.name === "Date" && given.length === 0;
const property = ({ type, object, property: { name } = {} }) =>
  type === "MemberExpression" ? [object.name, name] : [];

/** Calls that read the clock outside the one place that may; tests are exempt. */
const syntaxOffences = (file, text) => {
  const found = [];
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) return [[1, errors[0].message]];
  const report = ({ start }, complaint) => found.push([text.slice(0, start).split("\n").length, complaint]);
  const timeless = file.startsWith("server/src/") && file !== "server/src/platform/clock.ts" && !isTest(file);
  const clock = "reads the machine's time: take it from the clock";
  new Visitor({
    NewExpression: (node) => timeless && isTheTime(node) && report(node, clock),
    CallExpression: (node) => {
      const [object, name] = property(node.callee);
      if (timeless && ((object === "Date" && name === "now") || isTheTime(node))) report(node, clock);
    },
    MemberExpression: (node) => {
      const [object, name] = property(node);
      const isLeftOut =
        /^(it|test|describe|suite)$/.test(object ?? "") && /^(skip|only|todo|fixme|fails)$/.test(name ?? "");
      if (isTest(file) && isLeftOut) report(node, `${object}.${name}: a test that is left out keeps no promise`);
    },
  }).visit(program);
  return found;
};

const offences = files().flatMap((file) => {
  const text = readFileSync(file, "utf8");
  const isLock = basename(file) === "package-lock.json";
  const found = [
    ...nameOffences(file),
    ...(isLock ? lockOffences(file, text) : textOffences(file, text)),
    ...packageOffences(file, text),
    ...(code.has(extname(file)) ? syntaxOffences(file, text) : []),
  ];
  return found.map(([line, complaint]) => `${file}:${line}  ${complaint}`);
});

for (const offence of offences) console.error(offence);
process.exitCode = offences.length > 0 ? 1 : 0;
